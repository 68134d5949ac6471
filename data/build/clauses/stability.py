"""Count the resampling seeds under which the wanted verdicts hold; the search saw none.

Draws are taken here, unlike in the search; ratings are read, not asymmetries.
"""

from __future__ import annotations

import numpy as np
from scipy.special import ndtr, ndtri

from data.build.clauses.exact import DRAWS
from data.build.clauses.missing import OPAQUE, REP_STRONG_ANON, REP_WEAK_ANON, ROLE, complete
from data.build.clauses.reference import CONFIRMATORY, HYPOTHESES, MODELS, RUNS, VARIANTS
from data.build.clauses.targets import ALPHA, EQUIVALENCE, FAMILY, MARGIN_POINTS, SUPERIORITY

SEEDS = range(1, 21)
STRONG, WEAK = VARIANTS.index("strong"), VARIANTS.index("weak")


def count(ratings: np.ndarray, parse: np.ndarray, wanted: dict) -> int:
    """Number of `SEEDS` under which every cell has its wanted verdict."""
    cells = vectors(ratings, parse)
    return sum(verdicts(cells, seed) == wanted for seed in SEEDS)


def vectors(ratings: np.ndarray, parse: np.ndarray) -> dict[tuple[int, int, str], np.ndarray]:
    """Each hypothesis' value in every complete group, by run, model and hypothesis."""
    tilt = ratings[..., WEAK, :] - ratings[..., STRONG, :]
    both = ratings[..., WEAK, :] + ratings[..., STRONG, :]
    values = {
        "H1": (tilt[..., ROLE], (ROLE,)),
        "H2": (tilt[..., ROLE] - tilt[..., OPAQUE], (ROLE, OPAQUE)),
        "H3": (both[..., ROLE] - both[..., OPAQUE], (ROLE, OPAQUE)),
        "H4": (tilt[..., OPAQUE], (OPAQUE,)),
        "H5": (
            (tilt[..., REP_WEAK_ANON] - tilt[..., REP_STRONG_ANON]) / 2,
            (REP_WEAK_ANON, REP_STRONG_ANON),
        ),
    }
    cells = {}
    for hypothesis, (value, conditions) in values.items():
        kept = complete(parse, *conditions)
        for run in range(len(RUNS)):
            for m in range(len(MODELS)):
                mask = kept[run, m][CONFIRMATORY]
                cells[run, m, hypothesis] = value[run, m][CONFIRMATORY][mask]
    return cells


def verdicts(cells: dict, seed: int) -> dict[tuple[int, int, str], str]:
    """Verdict of every cell from draws of one seed."""
    draws = {}
    found = {}
    for run in range(len(RUNS)):
        for m in range(len(MODELS)):
            results = []
            for hypothesis in HYPOTHESES:
                values = cells[run, m, hypothesis]
                n = len(values)
                if n not in draws:
                    stream = np.random.default_rng([seed, n])
                    draws[n] = stream.multinomial(n, np.full(n, 1 / n), size=DRAWS)
                results.append(_judge(values, draws[n] @ values / n, hypothesis))
            adjusted = holm(np.array([p for _, p in results]))
            for h, (alone, _), p in zip(HYPOTHESES, results, adjusted, strict=True):
                gated = "supported" if p < ALPHA else "interval"
                found[run, m, h] = gated if alone else "no"
    return found


def _judge(values, means, hypothesis: str) -> tuple[bool, float]:
    """Whether the interval supports a hypothesis, and its p."""
    if hypothesis == "H4":
        low, high = bca(values, means, EQUIVALENCE)
        beyond = max((means <= -MARGIN_POINTS).sum(), (means >= MARGIN_POINTS).sum())
        inside = low > -MARGIN_POINTS and high < MARGIN_POINTS
        return bool(inside), (1 + beyond) / (len(means) + 1)
    tail = min((means <= 0).sum(), (means >= 0).sum())
    p = min(1.0, 2 * (1 + tail) / (len(means) + 1))
    return bool(bca(values, means, SUPERIORITY)[0] > 0), p


def bca(values, means, level: float) -> np.ndarray:
    """BCa interval of a mean; draws that tie with the estimate count half."""
    # Sums of the same integers may differ in their last bit.
    means, estimate = np.round(means, 9), round(values.mean(), 9)
    z0 = ndtri((means < estimate).mean() + (means == estimate).mean() / 2)
    left_out = (values.sum() - values) / (len(values) - 1)
    deviation = left_out.mean() - left_out
    spread = (deviation**2).sum()
    acceleration = (deviation**3).sum() / (6 * spread**1.5) if spread else 0.0
    z = z0 + ndtri(np.array([1 - level, 1 + level]) / 2)
    return np.quantile(means, ndtr(z0 + z / (1 - acceleration * z)))


def holm(p: np.ndarray) -> np.ndarray:
    """Holm's step-down adjustment of the p-values of one model."""
    order = np.argsort(p, kind="stable")
    steps = np.minimum(1.0, (FAMILY - np.arange(len(p))) * p[order])
    adjusted = np.empty(len(p))
    adjusted[order] = np.maximum.accumulate(steps)
    return adjusted
