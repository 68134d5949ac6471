"""The clauses study's hypotheses in plain Python, straight from rows, to check the core against."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

Key = tuple[str, str, str, str, str, str]
"""Run, model, archetype, family, variant, condition."""


def ratings_of(rows: Iterable[Mapping[str, Any]]) -> dict[Key, float]:
    """Usable ratings by their key; several samples are averaged."""
    lists: dict[Key, list[float]] = {}
    for r in rows:
        if r["fairness"] is not None:
            key = (
                r["run"],
                r["model"],
                r["archetype"],
                r["family"],
                r["variant"],
                r["condition"],
            )
            lists.setdefault(key, []).append(r["fairness"])
    return {key: sum(values) / len(values) for key, values in lists.items()}


def group_values(
    rows: list[dict[str, Any]], run: str, model: str, hypothesis: str, families: Iterable[str]
) -> dict[tuple[str, str], float]:
    """Each complete clause group's value of a hypothesis, by archetype and family."""
    ratings = ratings_of(rows)
    groups = {(r["archetype"], r["family"]) for r in rows if r["run"] == run}
    found = {}
    for archetype, family in groups:
        if family not in families:
            continue

        def y(variant: str, condition: str, archetype: str = archetype, f: str = family) -> float:
            return ratings[run, model, archetype, f, variant, condition]

        def a(condition: str) -> float:
            return y("weak", condition) - y("strong", condition)

        formulas = {
            "H1": lambda: a("neutral_role"),
            "H2": lambda: a("neutral_role") - a("neutral_opaque"),
            "H3": lambda: (
                (y("weak", "neutral_role") - y("weak", "neutral_opaque"))
                + (y("strong", "neutral_role") - y("strong", "neutral_opaque"))
            ),
            "H4": lambda: a("neutral_opaque"),
            "H5": lambda: (a("rep_weak_anon") - a("rep_strong_anon")) / 2,
            "H3 one_label": lambda: a("undetermined_7") - a("undetermined_8"),
            "H3 weak_rise": lambda: y("weak", "neutral_role") - y("weak", "neutral_opaque"),
            "H5 role": lambda: (a("rep_weak") - a("rep_strong")) / 2,
            "H5 role_minus_opaque": lambda: (
                (a("rep_weak") - a("rep_strong")) / 2
                - (a("rep_weak_anon") - a("rep_strong_anon")) / 2
            ),
        }
        try:
            found[archetype, family] = formulas[hypothesis]()
        except KeyError:
            continue
    return found
