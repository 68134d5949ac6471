"""Rows of a panel and the parquet files that hold them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np
import polars as pl

from core.panels.provenance import Provenance
from core.panels.read import write_panel
from data.build.clauses import direction, missing, pins
from data.build.clauses.reference import (
    CONDITIONS,
    FAMILIES,
    FIELD_ORDER,
    MODELS,
    PRESENTATION,
    RUNS,
    STUDY,
    VARIANTS,
    Archetypes,
)
from data.build.sums import write_sums

SOURCE = '"Role labels: where party-favoritism lives in LLM contract fairness ratings"'
LICENCE = "CC0-1.0 for the reconstructed rows; figures are the study's"
PARTIES = ("strong", "weak")
TITLES = {
    "determinations": "Fairness ratings of clauses, reconstructed from printed summaries",
    "archetypes": "Clause archetypes; flags the document does not give are drawn",
}


@dataclass(frozen=True)
class Rows:
    """Everything a panel holds, on the axes of `reference`."""

    archetypes: Archetypes
    parse: np.ndarray
    ratings: np.ndarray
    calls: np.ndarray
    party_a: np.ndarray
    """The party called Party A, an index into `PARTIES`, shape (runs, families, archetypes)."""


def draw_party_a(archetypes: Archetypes, rng: np.random.Generator) -> np.ndarray:
    """Counterbalance within each family of a run, as evenly as its size allows."""
    party = np.zeros((len(RUNS), len(FAMILIES), archetypes.size), dtype=np.int64)
    for run in range(len(RUNS)):
        here = np.flatnonzero(archetypes.in_run(run))
        for f in range(len(FAMILIES)):
            party[run, f, here] = rng.permutation(np.arange(len(here)) + rng.integers(2)) % 2
    return party


def determinations(rows: Rows) -> pl.DataFrame:
    """One row for each answer, in the order of the row contract."""
    records = []
    sizes = rows.parse.shape
    for place in product(*map(range, sizes)):
        if rows.parse[place] != missing.ABSENT:
            records.append(_record(rows, place))
    return pl.DataFrame(records, infer_schema_length=None)


def _record(rows: Rows, place: tuple[int, ...]) -> dict[str, object]:
    run, m, f, a, v, c = place
    parse = missing.PARSES[rows.parse[place]]
    labels, framing = PRESENTATION[CONDITIONS[c]]
    rating, usable = float(rows.ratings[place]), parse in ("clean", "repaired")
    party = PARTIES[rows.party_a[run, f, a]]
    return {
        "run": RUNS[run],
        "model": MODELS[m],
        "archetype": rows.archetypes.names[a],
        "family": FAMILIES[f],
        "variant": VARIANTS[v],
        "condition": CONDITIONS[c],
        "labels": labels,
        "framing": framing,
        "party_a": party if labels == "opaque" else None,
        "field_order": FIELD_ORDER[RUNS[run]],
        "sample": 0,
        "fairness": rating if usable else None,
        "favored": direction.FAVORED[rows.calls[place]] if usable else None,
        "parse": parse,
        "fairness_if_repaired": rating if parse in ("repaired", "repairable") else None,
    }


def archetype_rows(archetypes: Archetypes) -> pl.DataFrame:
    """One row for each archetype; edited is empty for those that were dropped."""
    dropped = archetypes.dropped
    edited = ~archetypes.unchanged
    return pl.DataFrame(
        {
            "archetype": archetypes.names,
            "topic": archetypes.topics,
            "giveaway": archetypes.giveaway,
            "unrealistic": dropped,
            "dropped": dropped,
            "edited": [None if gone else bool(x) for gone, x in zip(dropped, edited, strict=True)],
            "unchanged": archetypes.unchanged,
        }
    )


def write(rows: Rows, number: int, seed: int, note: str, *, three_before: bool, folder: Path):
    """Write both tables and the checksums of the folder."""
    frames = {
        "determinations": determinations(rows),
        "archetypes": archetype_rows(rows.archetypes),
    }
    for table, frame in frames.items():
        provenance = Provenance(
            study=STUDY,
            table=table,
            kind="reconstructed",
            title=f"{TITLES[table]}{note if table == 'determinations' else ''}",
            source=SOURCE,
            licence=LICENCE,
            generator="data.build.clauses",
            seed=str(seed),
            pins=pins.declared(table, three_before=three_before),
        )
        write_panel(frame, folder / f"{table}-reconstructed-{number}.parquet", provenance)
    write_sums(folder)
