"""The studies: each one's row shapes, statistics, choices, estimates, tables and sentences."""
