"""Rows of a panel and the parquet files that hold them."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from data.build.composition import occupancy, pins
from data.build.composition.evidence import Evidence
from data.build.composition.gender import Gender
from data.build.composition.panel import Joint
from data.build.composition.reference import (
    GENDER,
    OUTPUTS,
    PRIMARY,
    REGIMES,
    SLOTS,
    STATES,
    Layout,
)

KEYS = ("model", "regime", "attribute", "context", "format", "role", "category")
PROVENANCE = {
    "hinge.study": "composition",
    "hinge.kind": "reconstructed",
    "hinge.source": 'AP-Bench, arXiv 2608.02551v1, "Who Should Be Generated?"',
    "hinge.licence": "CC0-1.0 for the reconstructed rows; figures are the study's",
    "hinge.generator": "data.build.composition",
    "hinge.schema": "1",
}
TITLES = {
    "cells": "Outputs by cell and category, reconstructed from printed summaries",
    "evidence": "Outputs whose label rests on one kind of evidence, reconstructed",
}


def state_counts(
    layout: Layout, joint: Joint, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Split the joint outputs that are neither mapped nor failed.

    Returns
    -------
    unspecified, unmapped : ndarray of int, shape (models, cells)
    """
    failed = occupancy.failed_by_cell(layout, joint.failed[0])
    missing = OUTPUTS - joint.mapped - failed
    unspecified = np.zeros_like(missing)
    for m, model in enumerate(layout.models):
        for k, attribute in enumerate(PRIMARY):
            cells = np.flatnonzero(layout.attribute_of_cell == k)
            states = occupancy.state_windows(layout, model, attribute, int(failed[m, cells].sum()))
            total = int(missing[m, cells].sum())
            low = max(states["unspecified"][0], total - states["unmapped"][1])
            units = np.repeat(cells, missing[m, cells])
            for g in rng.choice(units, low, replace=False):
                unspecified[m, g] += 1
    return unspecified, missing - unspecified


def cell_rows(
    layout: Layout,
    joint: Joint,
    gender: Gender,
    implicit: np.ndarray,
    implicit_unmapped: np.ndarray,
    rng: np.random.Generator,
) -> list[tuple]:
    """Every cell and category with its count, zero counts included."""
    unspecified, unmapped = state_counts(layout, joint, rng)
    failed = joint.failed
    rows = []
    for r, regime in enumerate(REGIMES):
        counts = joint.counts if regime == "joint" else implicit
        for m, model in enumerate(layout.models):
            for g in range(layout.cells):
                pair = layout.pairs[layout.pair_of_cell[g]]
                slot = g % len(SLOTS)
                lost = failed[r, m, layout.contexts.index(pair.context), slot]
                mapped = counts[m, g, : pair.size]
                if regime == "joint":
                    states = (unspecified[m, g], unmapped[m, g], 0, lost)
                else:
                    outside = implicit_unmapped[m, g]
                    silent = OUTPUTS - mapped.sum() - outside - lost
                    states = (silent, outside, 0, lost)
                rows += _cell(model, regime, pair, slot, mapped, states)
            for c, pair in enumerate(layout.gender_pairs):
                for slot in range(len(SLOTS)):
                    sexes = {"female": gender.female, "male": gender.male}
                    mapped = [sexes[x][r, m, c, slot] for x in pair.categories]
                    states = (
                        gender.unspecified[r, m, c, slot],
                        gender.unmapped[r, m, c, slot],
                        0,
                        failed[r, m, c, slot],
                    )
                    rows += _cell(model, regime, pair, slot, mapped, states)
    return rows


def _cell(model, regime, pair, slot, mapped, states) -> list[tuple]:
    n = [*mapped, *states]
    if sum(n) != OUTPUTS or min(n) < 0:
        raise ValueError(f"cell of {model} {regime} {pair} does not hold {OUTPUTS}")
    key = (model, regime, pair.attribute, pair.context, *SLOTS[slot])
    names = (*pair.categories, *STATES)
    return [(*key, name, int(x)) for name, x in zip(names, n, strict=True)]


def evidence_rows(layout: Layout, evidence: Evidence) -> list[tuple]:
    """Every cell and category with labels resting on one kind of evidence."""
    rows = []
    primary = (
        ("joint", "footer_only", evidence.footer),
        ("joint", "relational", evidence.relational),
        ("implicit", "relational", evidence.implicit),
    )
    for regime, kind, labels in primary:
        for m, g, a in np.argwhere(labels):
            pair = layout.pairs[layout.pair_of_cell[g]]
            key = (layout.models[m], regime, pair.attribute, pair.context)
            slot = SLOTS[g % len(SLOTS)]
            rows.append((*key, *slot, pair.categories[a], kind, int(labels[m, g, a])))
    unmapped = (
        ("joint", evidence.relational_unmapped),
        ("implicit", evidence.implicit_unmapped),
    )
    for regime, labels in unmapped:
        for m, g in np.argwhere(labels):
            pair = layout.pairs[layout.pair_of_cell[g]]
            key = (layout.models[m], regime, pair.attribute, pair.context)
            slot = SLOTS[g % len(SLOTS)]
            rows.append((*key, *slot, "unmapped", "relational", int(labels[m, g])))
    for m, c, s, i in np.argwhere(evidence.footer_gender):
        key = (layout.models[m], "joint", GENDER, layout.contexts[c], *SLOTS[s])
        name = ("female", "male")[i]
        rows.append((*key, name, "footer_only", int(evidence.footer_gender[m, c, s, i])))
    return rows


def write(path: Path, table: str, rows: list[tuple], seed: int, figure_ids: list[str]) -> None:
    """Write one table; the same rows always give the same bytes."""
    names = (*KEYS, "n") if table == "cells" else (*KEYS, "evidence", "n")
    columns = list(zip(*sorted(rows), strict=True))
    arrays = [
        pa.array(column, pa.int32() if name == "n" else pa.string())
        for name, column in zip(names, columns, strict=True)
    ]
    arrays = [x if pa.types.is_integer(x.type) else x.dictionary_encode() for x in arrays]
    metadata = {
        **PROVENANCE,
        "hinge.table": table,
        "hinge.title": TITLES[table],
        "hinge.seed": str(seed),
        "hinge.pins": json.dumps(pins.declared(figure_ids), separators=(",", ":")),
    }
    schema = pa.schema(
        [(name, array.type) for name, array in zip(names, arrays, strict=True)], metadata
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(
        pa.Table.from_arrays(arrays, schema=schema),
        path,
        compression="zstd",
        compression_level=9,
        use_dictionary=True,
        write_statistics=True,
        store_schema=True,
    )
