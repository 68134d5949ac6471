"""The same specification in every shipped reconstruction: what the document determines.

The reconstructions share one search and one sense of what is plausible, so the spread over them is
no interval and understates what is possible.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from core import basis
from core.choices import Choices
from core.figures import Figure
from core.studies.remedies import stated
from core.studies.remedies.design import CONTRASTS
from core.studies.remedies.estimate import QUANTITIES, Findings, analyse
from core.studies.remedies.reduce import Statistics
from core.studies.remedies.tables import QUANTITY_SCALE, who

CLAIM_DECIMALS = 3
"""Digits to which the study prints gaps in tiers."""
QUANTITY_DECIMALS = {"gap": 2, "h": 3, "air": 3}
MEASURE_DECIMALS = {"differ": 1, "mixed": 1, "mpad": 3}


class Ensemble(basis.Ensemble[Statistics, Findings]):
    """Panels that stand for the remedies study."""

    @staticmethod
    def analyse(statistics: Statistics, choices: Choices) -> Findings:
        """Compute every estimate and verdict of one panel."""
        return analyse(statistics, choices)


@dataclass(frozen=True, eq=False)
class _Cells:
    """Numbers and verdicts of one panel, in the order of the rows of its table."""

    keys: tuple[tuple[str, ...], ...]
    """Decider and contrast with outcome or quantity, or decider and measure."""
    values: NDArray[np.float64]
    verdicts: NDArray[np.str_]


def _claim_cells(findings: Findings) -> _Cells:
    own = findings.claims
    keys = tuple(
        (who(c.decider)["decider"], CONTRASTS[c.contrast].name, c.outcome) for c in own.claims
    )
    return _Cells(keys, own.estimate, own.verdict)


def _material_cells(findings: Findings) -> _Cells:
    scale = np.array([QUANTITY_SCALE[quantity] for quantity in QUANTITIES])
    keys = tuple(
        (who(decider)["decider"], contrast.name, quantity)
        for decider in findings.deciders
        for contrast in CONTRASTS
        for quantity in QUANTITIES
    )
    own = findings.material
    return _Cells(keys, (own.estimate * scale).ravel(), own.verdict.ravel())


def _instability_cells(findings: Findings) -> _Cells:
    keys = tuple(
        (who(decider)["decider"], measure)
        for decider in findings.deciders
        for measure in MEASURE_DECIMALS
    )
    values = [
        value
        for money, graded in zip(findings.money, findings.graded, strict=True)
        for value in (
            100 * money.differ.estimate[0],
            100 * money.mixed.estimate[0],
            graded.mpad.estimate[0],
        )
    ]
    return _Cells(keys, np.array(values, dtype=np.float64), np.full(len(keys), "", dtype=np.str_))


_CELLS = {"claims": _claim_cells, "material": _material_cells, "instability": _instability_cells}


def _aligned(cells: Sequence[_Cells], keys: Sequence[tuple[str, ...]]) -> _Cells:
    """Put the numbers of R panels one below the other, (R, K), by their keys."""
    places = [{key: i for i, key in enumerate(own.keys)} for own in cells]
    at = [[place[key] for key in keys] for place in places]
    return _Cells(
        tuple(keys),
        np.stack([own.values[i] for own, i in zip(cells, at, strict=True)]),
        np.stack([own.verdicts[i].astype(np.str_) for own, i in zip(cells, at, strict=True)]),
    )


def _in_all(found: Ensemble, choices: Choices, kind: str) -> _Cells:
    """Numbers of all panels, (R, K), in the order of the first; all have the same deciders."""
    cells = [_CELLS[kind](findings) for findings in found.findings(choices)]
    return _aligned(cells, cells[0].keys)


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
    cells = _in_all(found, choices, "claims")
    return _with_basis(claims, cells, slice(None), printed, settled, CLAIM_DECIMALS)


def material_with_basis(material: pl.DataFrame, found: Ensemble, choices: Choices) -> pl.DataFrame:
    """Add what stands behind each word of materiality, as `claims_with_basis`."""
    if not found.documented:
        return basis.with_basis(material, None, found.size, decimals=3)
    cells = _in_all(found, choices, "material")
    first = found.findings(choices)[0]
    keys = [(d, k) for d in first.deciders for k in range(len(CONTRASTS))]
    parts = []
    for place, quantity in enumerate(QUANTITIES):
        own = material.with_row_index("place").filter(pl.col("quantity_id") == quantity)
        parts.append(
            _with_basis(
                own,
                cells,
                slice(place, None, len(QUANTITIES)),
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
    cells = _in_all(found, choices, "instability")
    deciders = found.findings(choices)[0].deciders
    parts = []
    for place, (measure, decimals) in enumerate(MEASURE_DECIMALS.items()):
        own = instability.with_row_index("place").filter(pl.col("measure_id") == measure)
        printed = [stated.instability(d, measure, choices, found.pins) for d in deciders]
        at = slice(place, None, len(MEASURE_DECIMALS))
        parts.append(_with_basis(own, cells, at, printed, None, decimals))
    return pl.concat(parts).sort("place").drop("place")


def _with_basis(
    frame: pl.DataFrame,
    cells: _Cells,
    at: slice,
    printed: Sequence[Figure | None],
    settled: Sequence[str | None] | None,
    decimals: int,
) -> pl.DataFrame:
    """Compare some numbers over panels.

    Parameters
    ----------
    at
        Which of the cells the rows of the frame are.
    settled
        Verdict that the document states for each row; None where the rows have no verdicts.
    """
    verdicts = cells.verdicts[:, at]
    certain = [True] * frame.height
    if settled is not None:
        pairs = zip(settled, verdicts[0], strict=True)
        certain = [said is not None and said == now for said, now in pairs]
    table = basis.table(
        cells.values[:, at],
        verdicts,
        [None if figure is None else figure.value for figure in printed],
        settled=certain,
        decimals=decimals,
    )
    return basis.with_basis(frame, table, len(cells.values), decimals=decimals)


def moves(found: Ensemble, before: Choices, after: Choices) -> pl.DataFrame:
    """Compare the verdicts of two specifications in every reconstruction.

    Returns
    -------
    polars.DataFrame
        decider, contrast, about (an outcome or a quantity), what (both), kind (claim or
        materiality);
        before and after (verdicts in the first panel), changed, count (panels in which the verdict
        changes), size (panels), certain (whether the document determines the change, or that there
        is none).
    """
    parts = [_moves(found, before, after, kind) for kind in ("claims", "material")]
    return pl.concat(parts)


def _moves(found: Ensemble, before: Choices, after: Choices, kind: str) -> pl.DataFrame:
    sides = [
        [_CELLS[kind](findings) for findings in found.findings(choices)]
        for choices in (before, after)
    ]
    # Another sample may have other deciders: only those that both have can change.
    there = set(sides[1][0].keys)
    keys = [key for key in sides[0][0].keys if key in there]
    first, second = (_aligned(side, keys).verdicts for side in sides)
    changed = first != second
    same = np.all([(side == side[0]).all(axis=0) for side in (first, second)], axis=0)
    printed = np.array(_printed(found, keys, kind, before, after), dtype=np.bool_)
    return pl.DataFrame(
        {
            "decider": [key[0] for key in keys],
            "contrast": [key[1] for key in keys],
            "about": [key[2] for key in keys],
            "what": [f"{contrast}, {what}" for _, contrast, what in keys],
            "kind": ["claim" if kind == "claims" else "materiality"] * len(keys),
            "before": first[0],
            "after": second[0],
            "changed": changed[0],
            "count": changed.sum(axis=0),
            "size": np.full(len(keys), found.size),
            "certain": (same & (found.size > 1)) | printed | (not found.documented),
        }
    )


def _printed(
    found: Ensemble, keys: Sequence[tuple[str, ...]], kind: str, before: Choices, after: Choices
) -> list[bool]:
    """Say for which rows the document states the verdict on both sides."""
    first = found.findings(before)[0]
    says: dict[tuple[str, ...], list[str | None]] = {}
    both = (before, after)
    if kind == "claims":
        for key, claim in zip(_claim_cells(first).keys, first.claims.claims, strict=True):
            says[key] = [stated.says_claim(claim, choices) for choices in both]
    else:
        for decider in first.deciders:
            for k, contrast in enumerate(CONTRASTS):
                for quantity in QUANTITIES:
                    says[who(decider)["decider"], contrast.name, quantity] = [
                        stated.says_material(decider, k, quantity, choices) for choices in both
                    ]
    return [all(word is not None for word in says[key]) for key in keys]
