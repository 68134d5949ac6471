"""Penalties that say how far a bootstrap law is from what is printed.

A margin is measured in standard errors of the planned number of draws, so that
a verdict that meets its penalty holds under nearly every resampling seed.
"""

from __future__ import annotations

from math import ceil, floor, log10

from data.build.clauses import pins
from data.build.clauses.exact import Law, level_error, p_error

MARGIN = 4.5
"""Standard errors kept between a verdict and its threshold."""
ENVELOPE_MARGIN = 1.3
"""The same for an end that lies inside the printed bounds of the opaque intervals; it keeps the
full margin to printing inside them. One model's printed mean leaves no room for more."""
END_MARGIN = 0.9
"""The same for a printed interval end: neighbouring lattice steps lie too close for more."""
CLEARLY_NOT = 0.12
"""Least p of a hypothesis that is not supported, so that its place in Holm's order is safe."""
RARE = -6.5
"""Largest log10 probability of a resampled mean beyond the equivalence margin."""
SUPERIORITY = pins.count("rule.ci_level") / 100
EQUIVALENCE = pins.count("rule.tost_ci_level") / 100
ALPHA = pins.figure("rule.alpha").value
MARGIN_POINTS = pins.figure("rule.tost_margin").value
FAMILY = pins.count("rule.holm_family_size")


def verdict(found: Law, wanted: str, ahead: int) -> float:
    """Penalty of a superiority hypothesis.

    Parameters
    ----------
    found : Law
    wanted : str
        ``supported``, ``interval`` (supported, but lost through Holm) or ``no``.
    ahead : int
        Hypotheses of the model that are certain to have a smaller p.
    """
    level = found.bca_levels(SUPERIORITY)[0]
    interval = (level - found.at_most(0)) / level_error(level)
    p, threshold = found.p, ALPHA / (FAMILY - ahead)
    holm = (threshold - p) / p_error(threshold)
    if wanted == "supported":
        return _short(interval) + _short(holm)
    if wanted == "interval":
        return _short(interval) + _short(-holm)
    return _short(-interval) + _short((p - CLEARLY_NOT) / p_error(CLEARLY_NOT) + MARGIN)


def equivalence(found: Law) -> float:
    """Penalty of the equivalence hypothesis: no resampled mean near the margin."""
    edge = MARGIN_POINTS * found.n
    beyond = max(found.at_most(floor(-edge)), found.at_least(ceil(edge)))
    return max(0.0, log10(beyond + 1e-12) - RARE) ** 2


def envelope(found: Law) -> float:
    """Penalty of a 90% interval that must end inside the printed bounds."""
    penalty = 0.0
    low, high = found.bca_levels(EQUIVALENCE)
    for printed, margin in ((True, MARGIN), (False, ENVELOPE_MARGIN)):
        least, most = pins.envelope(found.n, printed=printed)
        below = (low - found.at_most(least - 1)) / level_error(low)
        above = (found.at_most(most) - high) / level_error(high)
        penalty += _short(below, margin) + _short(above, margin)
    return penalty


def interval(found: Law, ends: tuple[int, int]) -> float:
    """Penalty of a 95% interval whose ends are printed, given as sums."""
    penalty = 0.0
    for level, end in zip(found.bca_levels(SUPERIORITY), ends, strict=True):
        error = level_error(level)
        above = (level - found.at_most(end - 1)) / error
        below = (found.at_most(end) - level) / error
        penalty += _short(above, END_MARGIN) + _short(below, END_MARGIN)
    return penalty


def _short(margin: float, wanted: float = MARGIN) -> float:
    return max(0.0, wanted - margin) ** 2
