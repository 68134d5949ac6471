"""Referring the most uncertain answers to people: whom does it reach (H5, Sec. 4.3).

Uncertainty is the normalised entropy of Jev's three probabilities, the only measure that the
document defines. Which test gave its p-value is not stated, so the tests here are ours.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import polars as pl
from numpy.typing import NDArray

from core.choices import Choices
from core.stats.clusters import resampled_sums, sampled
from core.stats.ties import ranks_from_top
from core.studies.remedies.choices import only, sampling
from core.studies.remedies.design import CONTRASTS
from core.studies.remedies.reduce import NONE, Hundredths, Statistics, Texts
from core.studies.remedies.rules import NO_ANSWERS, text_draws
from core.studies.remedies.scales import FEW_COMPLAINTS, Decider, side_means, usable

Array = NDArray[np.float64]


def normalised_entropy(hundredths: Hundredths) -> Array:
    """Entropy of probabilities over the last axis, divided by the largest possible, in [0, 1].

    ``-(sum p ln p) / ln 3`` with ``0 ln 0 = 0``; the formula is not printed, this is the usual one.
    """
    p = hundredths / 100
    terms = np.where(p > 0, p * np.log(np.where(p > 0, p, 1.0)), 0.0)
    return np.asarray(-terms.sum(axis=-1) / np.log(hundredths.shape[-1]))


@dataclass(frozen=True, eq=False)
class _Ranked:
    """Texts in order of uncertainty, the most uncertain first."""

    ranks: NDArray[np.int64]
    there: NDArray[np.bool_]


@lru_cache(maxsize=16)
def _ranked(
    statistics: Statistics, panel: str, decider: Decider, choices: Choices
) -> _Ranked | None:
    texts = Texts(panel, decider.bank)
    found = statistics.probability(texts, decider.system, choices.text("order"))
    if found is None:
        return None
    there = found[..., 0] != NONE
    entropy = np.where(there, normalised_entropy(np.maximum(found, 0)), -1.0)
    # Hundredths make equal entropies; rounding must not decide which of them comes first.
    draws = text_draws(statistics, texts, int(choices.text("tie_seed")))
    return _Ranked(ranks_from_top(entropy.round(9), draws), there)


def referral_table(
    statistics: Statistics, panel: str, decider: Decider, choices: Choices
) -> pl.DataFrame:
    """Which side of each contrast is referred more, one row a contrast.

    Returns
    -------
    polars.DataFrame
        contrast, key; target and reference (shares referred), gap, low, high; p (two-sided, by
        resampling complaints); reason.
    """
    found = _ranked(statistics, panel, decider, only(choices, ("order", "tie_seed")))
    if found is None:
        return _empty(NO_ANSWERS)
    share = choices.number("referral") / 100
    total = int(found.there.sum())
    referred = (found.ranks < round(share * total)) & found.there
    kept = usable(found.there)
    if kept.sum() < 2:
        return _empty(FEW_COMPLAINTS)
    means = side_means(referred[kept], found.there[kept])
    gaps = means[0] - means[1]
    drawn = sampled(gaps.mean(axis=1), resampled_sums(gaps, *sampling(choices)) / gaps.shape[1])
    ends = drawn.interval(1 - choices.number("alpha"))
    return pl.DataFrame(
        {
            "contrast": [c.name for c in CONTRASTS],
            "key": [c.key for c in CONTRASTS],
            "target": means[0].mean(axis=1),
            "reference": means[1].mean(axis=1),
            "gap": drawn.estimate,
            "low": ends[:, 0],
            "high": ends[:, 1],
            "p": drawn.two_sided(),
            "reason": "",
        },
        schema=_TABLE,
    ).with_columns(pl.col(pl.Float64).fill_nan(None))


_TABLE = {
    "contrast": pl.String,
    "key": pl.String,
    **dict.fromkeys(("target", "reference", "gap", "low", "high", "p"), pl.Float64),
    "reason": pl.String,
}


def _empty(why: str) -> pl.DataFrame:
    rows = [(c.name, c.key, *[None] * 6, why) for c in CONTRASTS]
    return pl.DataFrame(rows, schema=_TABLE, orient="row")
