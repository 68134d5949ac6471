"""Panels: row contracts, reading, validation, provenance, uploads."""
