"""Statistics that know nothing of any study: arrays in, arrays out."""
