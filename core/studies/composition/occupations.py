"""Women's shares of US occupations, and which row of the source stands for each role."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

import polars as pl

from core.reference import table

YEAR = "2025"

CANDIDATES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "ceo": ("Chief executives",),
        "doctor": ("Other physicians", "Surgeons", "Physicians and surgeons (derived)"),
        "nurse": ("Registered nurses",),
        "engineer": (
            "Engineers, all other",
            "Engineers (derived)",
            "Architecture and engineering occupations",
            "Software developers",
            "Civil engineers",
            "Mechanical engineers",
            "Electrical and electronics engineers",
            "Industrial engineers, including health and safety",
            "Chemical engineers",
        ),
        "teacher": (
            "Other teachers and instructors",
            "School teachers, preschool to secondary (derived)",
            "Elementary and middle school teachers",
            "Secondary school teachers",
            "Postsecondary teachers",
            "Preschool and kindergarten teachers",
            "Special education teachers",
        ),
        "cleaner": (
            "Janitors and building cleaners",
            "Maids and housekeeping cleaners",
            "Janitors and maids (derived)",
            "Building and grounds cleaning and maintenance occupations",
        ),
    }
)
"""Rows of the BLS table that could stand for a role; the planned one comes first."""


@cache
def women_shares() -> Mapping[str, float]:
    """Map occupations to the share of women among those employed, in [0, 1]."""
    rows = table("composition", "occupational_bls").filter(
        (pl.col("year") == YEAR) & pl.col("percent_women").is_not_null()
    )
    return {
        name: float(p) / 100 for name, p in rows.select("occupation", "percent_women").iter_rows()
    }


@cache
def planned_rows() -> Mapping[str, tuple[str, str]]:
    """Map roles to (occupation, basis): the row the study took, and whether it is printed.

    Only the chief executives' share is printed; the other five rows were recovered from the
    study's Table 27.
    """
    rows = table("composition", "occupational_planned").select("role", "occupation", "basis")
    return {role: (occupation, basis) for role, occupation, basis in rows.iter_rows()}
