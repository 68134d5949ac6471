"""Claims to try on rows that meet every pin: ``higher:JUDGE:LABEL``.

The claim is that the judge scores the label of one rival family above that of
the other. Nothing printed in study 1 tells the two apart.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from data.build.filenames.reference import JUDGES, LABELS, rivals

Demand = Callable[[str, np.ndarray], np.ndarray]
"""From a judge and its counts to counts on which the claim holds."""


def as_found(judge: str, counts: np.ndarray) -> np.ndarray:
    """Ask for nothing more than the pins."""
    del judge
    return counts


def parse(claim: str) -> Demand:
    """Read a claim.

    Raises
    ------
    ValueError
        If it is not one of the claims that can be asked for.
    """
    kind, judge, label = (*claim.split(":"), "", "")[:3]
    if kind != "higher" or judge not in JUDGES:
        raise ValueError(f"{claim!r} is not higher:JUDGE:LABEL with a judge of {JUDGES}")
    if label not in [LABELS["1"][i] for i in rivals(judge)]:
        raise ValueError(f"{label!r} is not the label of a rival of {judge}")
    wanted = LABELS["1"].index(label)
    (other,) = (i for i in rivals(judge) if i != wanted)

    def demand(name: str, counts: np.ndarray) -> np.ndarray:
        if name != judge:
            return counts
        sums = (counts * np.arange(counts.shape[-1])).sum((0, 2))
        if sums[wanted] < sums[other]:
            # Every pin weighs both rival labels alike, so exchanging them breaks none.
            counts = counts.copy()
            counts[:, [wanted, other]] = counts[:, [other, wanted]]
        return counts

    return demand
