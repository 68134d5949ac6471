"""How far two answers to the same complaint lie apart, and what the distance is between (Fig. 3).

Total variation of the three probabilities: the same text asked again, asked with the options
reversed, another paraphrase by another bank for the same persona, and for another persona. H1
compares the last two.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import polars as pl
from numpy.typing import NDArray

from core.choices import Choices
from core.stats.clusters import Sampled, resampled_sums, sampled
from core.stats.distances import cross_distances, total_variation
from core.studies.remedies.choices import sampling
from core.studies.remedies.contract import BASELINE, GUISE, ORDERS, RESCORED, UNSTYLED
from core.studies.remedies.design import PRIMARY_ORDER
from core.studies.remedies.reduce import NONE, Hundredths, Statistics, Texts
from core.studies.remedies.rules import argmax_tier

Array = NDArray[np.float64]

REVERSED = ORDERS[-1]

PAIRS = {
    "rescore": "the same text asked again",
    "fresh_vs_original": "the same text asked again a day or two later",
    "reversed_order": "the same text, options reversed",
    "same_persona_paraphrase": "another paraphrase, same persona",
    "different_persona_paraphrase": "another paraphrase, another persona",
}


@lru_cache(maxsize=32)
def cross_bank(
    statistics: Statistics, panel: str, system: str, order: str
) -> tuple[Array, Array] | str:
    """Distances between the first two banks, by complaint, or why there are none; kept.

    Returns
    -------
    same, different
        (C,) mean total variation between guises of the same persona, and of different ones, in
        [0, 1]; complaints with all guises in both banks.
    """
    banks = [b for b in statistics.banks(panel) if system in statistics.systems(Texts(panel, b))]
    answers = [statistics.probability(Texts(panel, b), system, order) for b in banks[:2]]
    if len(banks) < 2 or answers[0] is None or answers[1] is None:
        return "Needs the same complaints rewritten by two models; the panel has one bank."
    complete = ((answers[0][..., 0] != NONE) & (answers[1][..., 0] != NONE)).all(axis=1)
    if complete.sum() < 2:
        return "Fewer than two complaints have all guises in both banks."
    same, different = cross_distances(answers[0][complete], answers[1][complete])
    return same / 100, different / 100


def excess(statistics: Statistics, panel: str, system: str, choices: Choices) -> Sampled | str:
    """H1: mean distance between different personas over that of the same one, less 1.

    A ratio of means over complaints (a reading: the document does not say); (1,), as a share.
    """
    found = cross_bank(statistics, panel, system, choices.text("order"))
    if isinstance(found, str):
        return found
    same, different = found
    if not same.sum() > 0:
        return "Both banks always have the same answer: there is no distance to compare with."
    totals = resampled_sums(np.stack(found), *sampling(choices))
    value = np.array([different.mean() / same.mean() - 1])
    return sampled(value, (totals[1] / totals[0] - 1)[None])


def distance_table(
    statistics: Statistics, panel: str, system: str, choices: Choices
) -> pl.DataFrame:
    """Mean total variation by what the two answers share.

    Returns
    -------
    polars.DataFrame
        pair, what (in words), bank (empty where pairs cross banks); distance (in [0, 1]), flips
        (share of pairs with another most probable tier), pairs (number of texts); reason.
    """
    rows: list[tuple[object, ...]] = []
    order = choices.text("order")
    for repeat, pair in ((RESCORED, "rescore"), (BASELINE, "fresh_vs_original")):
        for bank in statistics.banks(panel):
            again = Texts(panel, bank, GUISE, UNSTYLED, repeat)
            rows.append(
                _pair(pair, bank, *_both(statistics, Texts(panel, bank), again, system, order))
            )
    for bank in statistics.banks(panel):
        texts = Texts(panel, bank)
        rows.append(
            _pair(
                "reversed_order",
                bank,
                statistics.probability(texts, system, PRIMARY_ORDER),
                statistics.probability(texts, system, REVERSED),
            )
        )
    crossed = cross_bank(statistics, panel, system, order)
    for k, pair in enumerate(("same_persona_paraphrase", "different_persona_paraphrase")):
        if isinstance(crossed, str):
            rows.append((pair, PAIRS[pair], "", None, None, 0, crossed))
        else:
            count = crossed[k].size * (36 if k == 0 else 36 * 35)
            rows.append((pair, PAIRS[pair], "", float(crossed[k].mean()), None, count, ""))
    return pl.DataFrame(rows, schema=_TABLE, orient="row")


_TABLE = {
    **dict.fromkeys(("pair", "what", "bank"), pl.String),
    "distance": pl.Float64,
    "flips": pl.Float64,
    "pairs": pl.Int64,
    "reason": pl.String,
}


def _both(
    statistics: Statistics, one: Texts, other: Texts, system: str, order: str
) -> tuple[Hundredths | None, Hundredths | None]:
    return (
        statistics.probability(one, system, order),
        statistics.probability(other, system, order),
    )


def _pair(
    pair: str, bank: str, one: Hundredths | None, other: Hundredths | None
) -> tuple[object, ...]:
    head = (pair, PAIRS[pair], bank)
    if one is None or other is None:
        return (*head, None, None, 0, "The panel has no such pairs of answers.")
    both = (one[..., 0] != NONE) & (other[..., 0] != NONE)
    if not both.any():
        return (*head, None, None, 0, "No text has both answers.")
    distance = total_variation(one[both], other[both]).mean() / 100
    flips = (argmax_tier(one[both]) != argmax_tier(other[both])).mean()
    return (*head, float(distance), float(flips), int(both.sum()), "")


def order_table(statistics: Statistics, panel: str, system: str) -> pl.DataFrame:
    """Mean expected tier under each option order: one row an order and bank.

    Returns
    -------
    polars.DataFrame
        order (tiers in the order in which they were offered), last (the tier offered last), bank,
        e_tier (mean), p0, p1, p2 (mean probabilities).
    """
    rows = []
    for bank in statistics.banks(panel):
        for order in statistics.orders(Texts(panel, bank), system):
            found = statistics.probability(Texts(panel, bank), system, order)
            assert found is not None
            own = found[found[..., 0] != NONE] / 100
            if own.size and order:
                p = own.mean(axis=0)
                rows.append((order, order[-1], bank, float(p[1] + 2 * p[2]), *map(float, p)))
    schema = {
        **dict.fromkeys(("order", "last", "bank"), pl.String),
        **dict.fromkeys(("e_tier", "p0", "p1", "p2"), pl.Float64),
    }
    return pl.DataFrame(rows, schema=schema, orient="row")


def order_unanimity(statistics: Statistics, panel: str, system: str, bank: str) -> float:
    """Share of texts with the same most probable tier under all orders; NaN with fewer than two."""
    texts = Texts(panel, bank)
    answers = [
        statistics.probability(texts, system, order) for order in statistics.orders(texts, system)
    ]
    found = [a for a in answers if a is not None]
    if len(found) < 2:
        return float("nan")
    there = np.logical_and.reduce([a[..., 0] != NONE for a in found])
    tiers = np.stack([argmax_tier(a) for a in found])
    same = (tiers == tiers[0]).all(axis=0)
    return float(same[there].mean()) if there.any() else float("nan")


def hidden_variation(
    statistics: Statistics, panel: str, system: str, bank: str, choices: Choices, width: float
) -> tuple[float, float]:
    """Say how much a single label hides (Sec. 4.1).

    Returns
    -------
    unanimous, hidden
        Share of complaints with one most probable tier over all guises; among them, the share whose
        probability of tier 2 ranges over more than the width. NaN without complete complaints.
    """
    found = statistics.probability(Texts(panel, bank), system, choices.text("order"))
    if found is None:
        return float("nan"), float("nan")
    own = found[(found[..., 0] != NONE).all(axis=1)]
    if not len(own):
        return float("nan"), float("nan")
    tiers = argmax_tier(own)
    unanimous = (tiers == tiers[:, :1]).all(axis=1)
    spread = np.ptp(own[unanimous, :, 2], axis=1)
    wide = float((spread > round(100 * width)).mean()) if unanimous.any() else float("nan")
    return float(unanimous.mean()), wide
