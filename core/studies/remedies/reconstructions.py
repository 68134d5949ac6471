"""The same specification in every shipped reconstruction: what the document determines.

The reconstructions share one search and one sense of what is plausible, so the spread over them is
no interval and understates what is possible.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from core import basis
from core.choices import Choices
from core.figures import Figure
from core.studies.remedies import stated
from core.studies.remedies.design import CONTRAST_KEYS, CONTRASTS
from core.studies.remedies.estimate import QUANTITIES, Findings, analyse
from core.studies.remedies.reduce import Statistics
from core.studies.remedies.scales import Decider
from core.studies.remedies.tables import (
    claim_table,
    compare,
    instability_table,
    material_table,
    who,
)

CLAIM_DECIMALS = 3
"""Digits to which the study prints gaps in tiers."""
QUANTITY_DECIMALS = {"gap": 2, "h": 3, "air": 3}
MEASURE_DECIMALS = {"differ": 1, "mixed": 1, "mpad": 3}

LEGEND = (
    " • the study prints this estimate, to which the rows were fitted; ≈ one possibility; hatched: "
    "the document does not determine this verdict."
)
"""What the signs after numbers and the hatching mean."""


class Ensemble(basis.Ensemble[Statistics, Findings]):
    """Panels that stand for the remedies study."""

    @staticmethod
    def analyse(statistics: Statistics, choices: Choices) -> Findings:
        """Compute every estimate and verdict of one panel."""
        return analyse(statistics, choices)


def _tables(found: Ensemble, choices: Choices, kind: str) -> list[pl.DataFrame]:
    """Tables of all panels under one specification, that of the first included."""
    make = {"claims": claim_table, "material": material_table, "instability": instability_table}
    return [
        make[kind](compare(statistics, findings))
        for statistics, findings in zip(found.statistics, found.findings(choices), strict=True)
    ]


def claims_with_basis(claims: pl.DataFrame, found: Ensemble, choices: Choices) -> pl.DataFrame:
    """Add what stands behind each directional claim.

    Parameters
    ----------
    claims
        The claim table of the first panel under these choices.
    found
        The panels.
    choices
        The specification.

    Returns
    -------
    polars.DataFrame
        The table with number_basis, verdict_basis, varies and behind, as `core.basis.with_basis`.
    """
    if not found.documented:
        return basis.with_basis(claims, None, found.size, decimals=CLAIM_DECIMALS)
    own = found.findings(choices)[0].claims.claims
    printed = [stated.claim(c, choices, found.pins) for c in own]
    settled = [stated.says_claim(c, choices) for c in own]
    return _with_basis(
        claims, _tables(found, choices, "claims"), "estimate", printed, settled, CLAIM_DECIMALS
    )


def material_with_basis(material: pl.DataFrame, found: Ensemble, choices: Choices) -> pl.DataFrame:
    """Add what stands behind each word of materiality, as `claims_with_basis`."""
    if not found.documented:
        return basis.with_basis(material, None, found.size, decimals=3)
    tables = _tables(found, choices, "material")
    parts = []
    for quantity in QUANTITIES:
        keep = pl.col("quantity_id") == quantity
        own = material.with_row_index("place").filter(keep)
        keys = [
            (Decider(system, bank), CONTRAST_KEYS.index(key))
            for system, bank, key in own.select("system_id", "bank_id", "key").iter_rows()
        ]
        parts.append(
            _with_basis(
                own,
                [table.filter(keep) for table in tables],
                "estimate",
                [stated.material(d, k, quantity, choices, found.pins) for d, k in keys],
                [stated.says_material(d, k, quantity, choices) for d, k in keys],
                QUANTITY_DECIMALS[quantity],
            )
        )
    return pl.concat(parts).sort("place").drop("place")


def instability_with_basis(
    instability: pl.DataFrame, found: Ensemble, choices: Choices
) -> pl.DataFrame:
    """Add what stands behind each measure of instability: number_basis and behind."""
    if not found.documented:
        return basis.with_basis(instability, None, found.size, decimals=3)
    tables = _tables(found, choices, "instability")
    parts = []
    for measure, decimals in MEASURE_DECIMALS.items():
        keep = pl.col("measure_id") == measure
        own = instability.with_row_index("place").filter(keep)
        who = [Decider(*pair) for pair in own.select("system_id", "bank_id").iter_rows()]
        printed = [stated.instability(d, measure, choices, found.pins) for d in who]
        parts.append(
            _with_basis(
                own,
                [table.filter(keep) for table in tables],
                "value",
                printed,
                None,
                decimals,
            )
        )
    return pl.concat(parts).sort("place").drop("place")


def _with_basis(
    frame: pl.DataFrame,
    tables: Sequence[pl.DataFrame],
    column: str,
    printed: Sequence[Figure | None],
    settled: Sequence[str | None] | None,
    decimals: int,
) -> pl.DataFrame:
    """Compare a column over panels.

    Parameters
    ----------
    settled
        Verdict that the document states for each row; None where the rows have no verdicts.
    """
    values = np.stack([t[column].fill_null(float("nan")).to_numpy() for t in tables])
    if settled is None:
        verdicts = np.full(values.shape, "", dtype=np.str_)
        certain = [True] * frame.height
    else:
        verdicts = np.stack([t["verdict_now"].to_numpy().astype(np.str_) for t in tables])
        certain = [
            said is not None and said == now for said, now in zip(settled, verdicts[0], strict=True)
        ]
    table = basis.table(
        values,
        verdicts,
        [None if figure is None else figure.value for figure in printed],
        settled=certain,
        decimals=decimals,
    )
    return basis.with_basis(frame, table, len(tables), decimals=decimals)


def moves(found: Ensemble, before: Choices, after: Choices) -> pl.DataFrame:
    """Compare the verdicts of two specifications in every reconstruction.

    Returns
    -------
    polars.DataFrame
        decider, what (a contrast and its outcome or quantity), kind (claim or materiality);
        before and after (verdicts in the first panel), changed, count (panels in which the verdict
        changes), size (panels), certain (whether the document determines the change, or that there
        is none).
    """
    parts = [_moves(found, before, after, kind) for kind in ("claims", "material")]
    return pl.concat(parts)


def _moves(found: Ensemble, before: Choices, after: Choices, kind: str) -> pl.DataFrame:
    first, second = (_tables(found, choices, kind) for choices in (before, after))
    what = "outcome" if kind == "claims" else "quantity_id"
    keys = ["decider", "contrast", what]
    # Another sample may have other deciders: only those that both have can change.
    common = first[0].select(keys).join(second[0].select(keys), on=keys, how="semi")
    sides = [_verdicts(side, common, keys) for side in (first, second)]
    changed = sides[0] != sides[1]
    same = np.all([(side == side[0]).all(axis=0) for side in sides], axis=0)
    return pl.DataFrame(
        {
            "decider": common["decider"],
            "what": common["contrast"] + ", " + common[what],
            "kind": "claim" if kind == "claims" else "materiality",
            "before": sides[0][0],
            "after": sides[1][0],
            "changed": changed[0],
            "count": changed.sum(axis=0),
            "size": found.size,
            "certain": (same & (found.size > 1))
            | np.array(_printed(found, common.rows(), kind, before, after), dtype=np.bool_)
            | (not found.documented),
        },
        schema_overrides={"count": pl.Int64, "size": pl.Int64},
    )


def _printed(
    found: Ensemble, rows: list[tuple[str, ...]], kind: str, before: Choices, after: Choices
) -> list[bool]:
    """Say for which rows the document states the verdict on both sides."""
    first = found.findings(before)[0]
    says: dict[tuple[str, ...], list[str | None]] = {}
    if kind == "claims":
        for claim in first.claims.claims:
            name = who(claim.decider)["decider"], CONTRASTS[claim.contrast].name, claim.outcome
            says[name] = [stated.says_claim(claim, choices) for choices in (before, after)]
    else:
        for decider in first.deciders:
            for k, contrast in enumerate(CONTRASTS):
                for quantity in QUANTITIES:
                    says[who(decider)["decider"], contrast.name, quantity] = [
                        stated.says_material(decider, k, quantity, choices)
                        for choices in (before, after)
                    ]
    return [all(word is not None for word in says.get(row, [None])) for row in rows]


def _verdicts(
    tables: Sequence[pl.DataFrame], common: pl.DataFrame, keys: list[str]
) -> NDArray[np.str_]:
    return np.stack(
        [
            common.join(t, on=keys, how="left", maintain_order="left")["verdict_now"]
            .to_numpy()
            .astype(np.str_)
            for t in tables
        ]
    )
