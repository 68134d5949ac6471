"""Is a gap larger where a reader can tell the style (H-A3, Fig. 5)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from core.choices import Choices
from core.columns import table_of
from core.stats.clusters import resampled_sums, sampled
from core.studies.remedies import design
from core.studies.remedies.channels import scored
from core.studies.remedies.choices import sampling
from core.studies.remedies.reduce import LEVELS, Statistics
from core.studies.remedies.scales import Decider

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Recognised:
    """Gaps among guises that are recognised and among the others."""

    contrast: design.Contrast
    shares: tuple[float, float]
    """Share of the guises of the contrast that are recognised, and that are not."""
    table: pl.DataFrame
    """cue (recognised, ambiguous, difference), gap, low, high (tiers)."""
    reason: str


def recognised(
    statistics: Statistics, decider: Decider, contrast: design.Contrast, choices: Choices
) -> Recognised:
    """Compare a gap where the cue is recognised and where it is not (H-A3).

    A guise is recognised where the inferred probability of the level that it imitates is at least
    the threshold. The subset is chosen after the rewrite and is not balanced, so outcomes are taken
    about the mean over all guises of the complaint.
    """
    found = scored(statistics, decider, choices)
    if isinstance(found, str):
        return Recognised(contrast, (np.nan, np.nan), pl.DataFrame(schema=_CUES), found)
    columns = {
        side: found.levels[..., LEVELS.index(f"{contrast.factor}_{level}")]
        for side, level in enumerate((contrast.target, contrast.reference))
    }
    if any(np.isnan(c).any() for c in columns.values()):
        why = "The panel has no inferred probabilities of this factor."
        return Recognised(contrast, (np.nan, np.nan), pl.DataFrame(schema=_CUES), why)
    # A hundredth below the threshold in the panel's own unit, free of binary fractions.
    bar = round(100 * choices.number("recognised")) / 100 - 1e-9
    centred = found.outcome - found.outcome.mean(axis=1, keepdims=True)
    sums = []
    for side, level in enumerate((contrast.target, contrast.reference)):
        own = design.in_level(contrast.factor, level)
        known = columns[side][:, own] >= bar
        for flags in (known, ~known):
            sums += [np.where(flags, centred[:, own], 0.0).sum(axis=1), flags.sum(axis=1)]
    added = np.stack(sums).astype(np.float64)
    totals = resampled_sums(added, *sampling(choices))
    both = sampled(_gap(added.sum(axis=1, keepdims=True))[:, 0], _gap(totals))
    ends = both.interval(1 - choices.number("alpha"))
    counts = added[[1, 5]].sum(), added[[3, 7]].sum()
    rows = [
        {"cue": cue, "gap": gap, "low": low, "high": high}
        for cue, gap, (low, high) in zip(_CUE_NAMES, both.estimate, ends, strict=True)
    ]
    table = table_of(rows, _CUES)
    reason = "" if min(counts) > 0 else "All guises are on one side of the threshold."
    share = float(counts[0] / sum(counts))
    return Recognised(contrast, (share, 1 - share), table, reason)


_CUE_NAMES = ("recognised", "ambiguous", "difference")
_CUES = {"cue": pl.String, **dict.fromkeys(("gap", "low", "high"), pl.Float64)}


def _gap(sums: Array) -> Array:
    """Gaps from sums and counts: recognised, ambiguous, difference, (3, B)."""
    with np.errstate(invalid="ignore", divide="ignore"):
        means = sums[0::2] / sums[1::2]
    known, other = means[0] - means[2], means[1] - means[3]
    return np.stack([known, other, known - other])
