"""The same specification in every shipped reconstruction: what the document determines.

The reconstructions share one search and one sense of what is plausible, so the spread over them is
no interval and understates what is possible.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

import numpy as np
import polars as pl
from numpy.typing import NDArray

from core import basis
from core.choices import Choices
from core.figures import Figure
from core.studies.remedies import stated
from core.studies.remedies.design import CONTRASTS
from core.studies.remedies.estimate import QUANTITIES, Claim, Findings, analyse
from core.studies.remedies.reduce import Statistics
from core.studies.remedies.scales import Decider
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


@lru_cache(maxsize=64)
def _claim_keys(claims: tuple[Claim, ...]) -> tuple[tuple[str, ...], ...]:
    return tuple((who(c.decider)["decider"], CONTRASTS[c.contrast].name, c.outcome) for c in claims)


@lru_cache(maxsize=64)
def _keys_of(deciders: tuple[Decider, ...], *names: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """Every decider with every combination of some names."""
    return tuple((who(decider)["decider"], *own) for decider in deciders for own in product(*names))


_CONTRAST_NAMES = tuple(contrast.name for contrast in CONTRASTS)


def _claim_cells(findings: Findings) -> _Cells:
    own = findings.claims
    return _Cells(_claim_keys(own.claims), own.estimate, own.verdict)


def _material_cells(findings: Findings) -> _Cells:
    scale = np.array([QUANTITY_SCALE[quantity] for quantity in QUANTITIES])
    keys = _keys_of(findings.deciders, _CONTRAST_NAMES, QUANTITIES)
    own = findings.material
    return _Cells(keys, (own.estimate * scale).ravel(), own.verdict.ravel())


def _instability_cells(findings: Findings) -> _Cells:
    keys = _keys_of(findings.deciders, tuple(MEASURE_DECIMALS))
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
    return _with_basis(claims, cells, printed, settled, [CLAIM_DECIMALS] * claims.height)


def material_with_basis(material: pl.DataFrame, found: Ensemble, choices: Choices) -> pl.DataFrame:
    """Add what stands behind each word of materiality, as `claims_with_basis`."""
    if not found.documented:
        return basis.with_basis(material, None, found.size, decimals=3)
    deciders = found.findings(choices)[0].deciders
    rows = list(product(deciders, range(len(CONTRASTS)), QUANTITIES))
    return _with_basis(
        material,
        _in_all(found, choices, "material"),
        [stated.material(*row, choices, found.pins) for row in rows],
        [stated.says_material(*row, choices) for row in rows],
        [QUANTITY_DECIMALS[quantity] for *_, quantity in rows],
    )


def instability_with_basis(
    instability: pl.DataFrame, found: Ensemble, choices: Choices
) -> pl.DataFrame:
    """Add what stands behind each measure of instability: number_basis and behind."""
    if not found.documented:
        return basis.with_basis(instability, None, found.size, decimals=3)
    rows = list(product(found.findings(choices)[0].deciders, MEASURE_DECIMALS))
    return _with_basis(
        instability,
        _in_all(found, choices, "instability"),
        [stated.instability(*row, choices, found.pins) for row in rows],
        None,
        [MEASURE_DECIMALS[measure] for _, measure in rows],
    )


def _with_basis(
    frame: pl.DataFrame,
    cells: _Cells,
    printed: Sequence[Figure | None],
    settled: Sequence[str | None] | None,
    decimals: Sequence[int],
) -> pl.DataFrame:
    """Compare numbers over panels.

    Parameters
    ----------
    settled
        Verdict that the document states for each row; None where the rows have no verdicts.
    decimals
        Digits to which the study prints each number.
    """
    certain = [True] * frame.height
    if settled is not None:
        pairs = zip(settled, cells.verdicts[0], strict=True)
        certain = [said is not None and said == now for said, now in pairs]
    table = basis.table(
        cells.values,
        cells.verdicts,
        [None if figure is None else figure.value for figure in printed],
        settled=certain,
        decimals=decimals,
    )
    return basis.with_basis(frame, table, len(cells.values), decimals=decimals)


@dataclass(frozen=True, kw_only=True)
class Move(basis.Move):
    """What becomes of the verdict of a claim or of a word of materiality."""

    kind: str
    """``claims``, or ``material`` for words of materiality."""
    decider: str
    contrast: str
    about: str
    """An outcome or a quantity."""


def moves(found: Ensemble, before: Choices, after: Choices) -> list[Move]:
    """Compare the verdicts of two specifications in every reconstruction, claims first."""
    return [move for kind in ("claims", "material") for move in _moves(found, before, after, kind)]


def _moves(found: Ensemble, before: Choices, after: Choices, kind: str) -> list[Move]:
    sides = [
        [_CELLS[kind](findings) for findings in found.findings(choices)]
        for choices in (before, after)
    ]
    # Another sample may have other deciders: only those that both have can change.
    there = set(sides[1][0].keys)
    keys = [key for key in sides[0][0].keys if key in there]
    first, second = (_aligned(side, keys).verdicts for side in sides)
    same = np.all([(side == side[0]).all(axis=0) for side in (first, second)], axis=0)
    printed = np.array(_printed(found, keys, kind, before, after), dtype=np.bool_)
    certain = (same & (found.size > 1)) | printed | (not found.documented)
    count = (first != second).sum(axis=0)
    words = ((str(a), str(b)) for a, b in zip(first[0], second[0], strict=True))
    return [
        Move(
            kind=kind,
            decider=decider,
            contrast=contrast,
            about=about,
            before=then,
            after=now,
            count=int(count[i]),
            certain=bool(certain[i]),
        )
        for i, ((decider, contrast, about), (then, now)) in enumerate(zip(keys, words, strict=True))
    ]


def _printed(
    found: Ensemble, keys: Sequence[tuple[str, ...]], kind: str, before: Choices, after: Choices
) -> list[bool]:
    """Say for which rows the document states the verdict on both sides."""
    first = found.findings(before)[0]
    both = (before, after)
    if kind == "claims":
        own = first.claims.claims
        says = [[stated.says_claim(claim, choices) for choices in both] for claim in own]
        names = _claim_keys(own)
    else:
        rows = product(first.deciders, range(len(CONTRASTS)), QUANTITIES)
        says = [[stated.says_material(*row, choices) for choices in both] for row in rows]
        names = _keys_of(first.deciders, _CONTRAST_NAMES, QUANTITIES)
    settled = dict(zip(names, says, strict=True))
    return [all(word is not None for word in settled[key]) for key in keys]
