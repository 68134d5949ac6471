"""Choose complaints for a subsample so that its averages print as given.

Membership in the audit and in the same-day baseline is free, so selection alone meets many figures.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from data.build.remedies.anneal import loss_of
from data.build.remedies.pins import Targets


def choose(
    numbers: np.ndarray,
    groups: list[tuple[np.ndarray, int]],
    measure: Callable[[np.ndarray], np.ndarray],
    aim: Targets,
    rng: np.random.Generator,
    tries: int = 20_000,
    extra: Callable[[list[np.ndarray]], float] | None = None,
) -> tuple[np.ndarray, float]:
    """Exchange members for others of their group while that brings the averages closer.

    Parameters
    ----------
    numbers : ndarray, shape (complaints, features)
    groups : list of (ndarray, int)
        Candidates of each group, and how many of them are chosen.
    measure : callable
        Statistics from the numbers' sums over each group's members, shape (groups, features).
    aim : Targets
    rng : numpy.random.Generator
    tries : int
    extra : callable, optional
        Further loss from the members of each group, in order, such as that of resampled ends; asked
        for only where the averages would not already rule an exchange out.

    Returns
    -------
    ndarray
        The members, group after group, and the loss that is left.
    """
    orders = [rng.permutation(candidates) for candidates, _ in groups]
    sizes = [size for _, size in groups]
    sums = np.array([numbers[o[:n]].sum(0) for o, n in zip(orders, sizes, strict=True)])
    loss = loss_of(measure(sums), aim.low, aim.high, aim.unit)
    loss += extra(_members(orders, sizes)) if extra else 0.0
    for step in range(tries):
        if loss == 0:
            break
        g = int(rng.integers(len(groups)))
        i = int(rng.integers(sizes[g]))
        j = int(rng.integers(sizes[g], len(orders[g])))
        trial = sums.copy()
        trial[g] += numbers[orders[g][j]] - numbers[orders[g][i]]
        heat = 0.5 * (1 - step / tries) ** 3 + 1e-6
        bar = loss - heat * np.log(1 - rng.random())
        tried = loss_of(measure(trial), aim.low, aim.high, aim.unit)
        if tried > bar:
            continue
        orders[g][[i, j]] = orders[g][[j, i]]
        tried += extra(_members(orders, sizes)) if extra else 0.0
        if tried <= bar:
            sums, loss = trial, tried
        else:
            orders[g][[i, j]] = orders[g][[j, i]]
    return np.concatenate(_members(orders, sizes)), float(loss)


def _members(orders: list[np.ndarray], sizes: list[int]) -> list[np.ndarray]:
    return [np.sort(o[:n]) for o, n in zip(orders, sizes, strict=True)]
