"""Small clauses panels for tests."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
import polars as pl

from core.studies.clauses.contract import ARCHETYPES, DETERMINATIONS
from core.studies.clauses.design import CONDITIONS, STRONG_ONLY, VARIANTS, WEAK_ONLY, Situation

SITUATIONS = {
    **{name: situation for name, situation in CONDITIONS.items() if situation},
    "undetermined_7": WEAK_ONLY,
    "undetermined_8": STRONG_ONLY,
}
CONDITION_OF = {situation: name for name, situation in SITUATIONS.items()}
SCHEMA = {column.name: column.polars_type for column in DETERMINATIONS.columns}


def row(
    run: str,
    model: str,
    archetype: str,
    family: str,
    variant: str,
    situation: Situation,
    fairness: float | None,
    **changes: Any,
) -> dict[str, Any]:
    """Write one answer; a rating of None is an answer that could not be read."""
    return {
        "run": run,
        "model": model,
        "archetype": archetype,
        "family": family,
        "variant": variant,
        "condition": CONDITION_OF[situation],
        "labels": situation.labels,
        "framing": situation.framing,
        "party_a": None,
        "field_order": "number_first" if run == "v2" else "reasoning_first",
        "sample": 0,
        "fairness": fairness,
        "favored": None
        if fairness is None
        else variant
        if variant in ("strong", "weak")
        else "neither",
        "parse": "failed" if fairness is None else "clean",
        "fairness_if_repaired": None,
    } | changes


def frame_of(rows: Iterable[Mapping[str, Any]]) -> pl.DataFrame:
    return pl.DataFrame(list(rows), schema=SCHEMA)


Rate = Callable[[str, str, str, str, str, Situation], float | None]
"""Gives a rating to run, model, archetype, family, variant and situation."""


def panel_rows(
    rate: Rate,
    *,
    runs: Mapping[str, int] | None = None,
    models: Iterable[str] = ("gpt-5.1", "claude-sonnet-5"),
    families: Iterable[str] = ("employment", "landlord_tenant", "b2b"),
    situations: Iterable[Situation] = tuple(SITUATIONS.values()),
) -> pl.DataFrame:
    """Ask every model about every clause; ``runs`` says how many clauses a run has."""
    runs = {"v2": 5, "v3": 4} if runs is None else runs
    return frame_of(
        row(run, model, name, family, variant, s, rate(run, model, name, family, variant, s))
        for run, count in runs.items()
        for model in models
        for name in (f"clause-{i + 1:02d}" for i in range(count))
        for family in families
        for variant in VARIANTS
        for s in situations
    )


def random_rate(seed: int, *, missing: float = 0.0) -> Rate:
    """Rate at random, with a tilt under role labels; some answers are missing."""
    stream = np.random.default_rng(seed)

    def rate(
        run: str, model: str, archetype: str, family: str, variant: str, situation: Situation
    ) -> float | None:
        if stream.random() < missing:
            return None
        tilt = 1 if situation.labels == "role" and variant == "weak" else 0
        return float(np.clip(round(5 + tilt + stream.normal(0, 1)), 0, 10))

    return rate


def archetype_rows(count: int, **flags: Iterable[int]) -> pl.DataFrame:
    """Describe clauses; a flag is true for the clauses whose numbers, from 1, are given."""
    names = [f"clause-{i + 1:02d}" for i in range(count)]
    columns: dict[str, Any] = {"archetype": names, "topic": [None] * count}
    for column in ARCHETYPES.columns[2:]:
        true = set(flags.get(column.name, ()))
        columns[column.name] = [i + 1 in true for i in range(count)]
    return pl.DataFrame(columns, schema={c.name: c.polars_type for c in ARCHETYPES.columns})
