"""The GPT models' part in the printed intervals of D less Jev's, by swaps of guises.

A swap leaves a model's volume, disagreement and unanimity as they are, so that nothing that Jev's
search was given changes; it moves how far complaints differ in which guises are paid.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from data.build.remedies import gpt, jev_ends, resampled
from data.build.remedies.pins import Targets
from data.build.remedies.reference import EXPLORATORY, GUISES, HOLDOUT, MITIGATED

HELD = (*range(gpt.COLUMNS, gpt.COLUMNS + GUISES), gpt.PAID, gpt.PAID_2)
"""Kept for every resample: monetary decisions of the guises, then squares of decisions, which are
the decisions themselves, and of a complaint's total."""

DRAWS = jev_ends.DRAWS

# Constants: number of complaints, sums of the other panel, squared counts of every resample, kept
# features of the other panel, and Jev's D with the registered and the corrected noise.
SIZE, REST = 0, 1
COPIES = REST + gpt.FEATURES
OTHERS = COPIES + DRAWS
JEV = OTHERS + len(HELD) * DRAWS
FIXED = JEV + 2 * DRAWS


@njit(cache=False)
def measure_pooled(sums, fixed, out):
    """Statistics of the exploratory panel and of both."""
    gpt.measure_pooled(sums, fixed[REST:COPIES], out)


@njit(cache=False)
def derive(totals, group, fixed, out):
    """Draws of D less Jev's."""
    draws = totals.shape[1]
    both = totals + fixed[OTHERS:JEV].reshape(totals.shape)
    copies = fixed[COPIES:OTHERS]
    jev_ends.disparities(both, 0, -1, GUISES, copies, int(fixed[SIZE]), out)
    for noise in range(2):
        at = JEV + noise * DRAWS
        for d in range(draws):
            out[noise, d] -= fixed[at + d]
    return draws


MOVE = resampled.one_complaint(gpt.swap)
search = resampled.annealer(gpt.features, gpt.measure, MOVE, derive)
search_pooled = resampled.annealer(gpt.features, measure_pooled, MOVE, derive)

PASSES = ((0.05, 100_000), (0.01, 50_000))
"""Starting heat and moves."""


def holdout(model: int, tiers: np.ndarray, jev: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Swap a model's guises on the holdout.

    Parameters
    ----------
    model : int
    tiers, jev : ndarray, shape (complaints, guises)
        The model's tiers; whether Jev decides for money in the model's bank, tied texts all so.
    rng : numpy.random.Generator
    """
    aim = (gpt.mini_targets, gpt.five_targets)[model]()
    fixed = constants(jev)
    blocks = np.where(np.arange(HOLDOUT) < MITIGATED, 2, 1)
    counts = resampled.weights(HOLDOUT)
    return _solved(search, tiers, aim, (model, 0, "holdout"), fixed, blocks, counts, jev, rng)


def exploratory(
    model: int, explored: np.ndarray, tiers: np.ndarray, jev: np.ndarray, rng: np.random.Generator
) -> np.ndarray:
    """Swap a model's guises on the exploratory panel.

    Parameters
    ----------
    model : int
    explored, tiers : ndarray, shape (complaints, guises)
        The model's tiers for the exploratory panel and for the holdout.
    jev : ndarray, shape (complaints of both, guises)
        Whether Jev decides for money in the model's bank, tied texts all so.
    rng : numpy.random.Generator
    """
    aim, counts = gpt.pooled_targets(model), resampled.weights(EXPLORATORY + HOLDOUT)
    fixed = constants(jev)
    fixed[REST:COPIES] = gpt.sums(tiers)
    paid = (tiers == 2).astype(float)
    kept = np.column_stack([paid, paid.sum(1), paid.sum(1) ** 2])
    fixed[OTHERS:JEV] = (kept.T @ counts[EXPLORATORY:]).ravel()
    blocks, own = np.ones(EXPLORATORY, dtype=np.int64), counts[:EXPLORATORY].copy()
    what = (model, gpt.STATISTICS, "pooled")
    return _solved(search_pooled, explored, aim, what, fixed, blocks, own, jev, rng)


def constants(jev: np.ndarray) -> np.ndarray:
    """What the draws need of Jev's decisions (complaints, guises); the other panel's sums are 0."""
    out = np.zeros(FIXED)
    out[SIZE] = len(jev)
    out[COPIES:OTHERS] = (resampled.weights(len(jev)) ** 2).sum(0)
    out[JEV:] = jev_ends.disparity_draws(jev).ravel()
    return out


def _solved(
    search,
    tiers: np.ndarray,
    aim: Targets,
    what: tuple[int, int, str],
    fixed: np.ndarray,
    blocks: np.ndarray,
    counts: np.ndarray,
    jev: np.ndarray,
    rng: np.random.Generator,
) -> np.ndarray:
    """Run a search; ``what`` is the model, the first place of the statistics, and the panel."""
    model, first, panel = what
    name = f"appb.d.gpt_minus_jev.{panel}.{jev_ends.BANK_NAMES[model]}"
    place = first + gpt.DISPARITY
    aim.value(place, f"{name}.corrected")
    own = jev_ends.disparity(jev)
    aim.low[place] += own
    aim.high[place] += own
    ends = resampled.Ends(HELD)
    ends.add(f"{name}.preregistered")
    ends.add(f"{name}.corrected", together=True)
    uses, aux = np.ones((1, len(HELD)), dtype=np.bool_), np.zeros((len(tiers), 1))
    windows, found = ends.arrays(), tiers.copy()
    for hot, moves in PASSES:
        arrays, seed = (aim.low, aim.high, aim.unit), int(rng.integers(2**31))
        tail = (uses, counts, moves, hot, hot / 10, seed)
        loss, reached = search(found, aux, fixed, blocks, gpt.FEATURES, *arrays, *windows, *tail)
        windows = resampled.settled(windows, reached)
    print(f"  GPT model {model + 1}, {panel}, with ends: loss {loss:.3f}", flush=True)
    return found
