"""Limits of one call."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Bounds:
    """How long a call may take, and how large its reply may be."""

    connect: float = 10.0
    silence: float = 240.0
    """Longest wait, in seconds, for the next bytes: models that think first take long."""
    total: float = 300.0
    size: int = 4 * 2**20
    """Most bytes of a reply."""
