"""Builds the reconstructed panels from the reference tables."""
