"""Guided tours: views with sentences whose numbers come from findings, and conditions for them."""

PATH = "guided-tours"
"""Address of their page."""
