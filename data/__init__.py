"""Reference tables, shipped panels, and the scripts that build and check them."""
