"""Who gets generated: composition of invented characters against declared comparators."""
