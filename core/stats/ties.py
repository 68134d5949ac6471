"""Ranks in which ties are broken by a draw that belongs to the item and not to its place."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def ranks_from_top(values: NDArray[Any], draws: Array) -> NDArray[np.int64]:
    """Rank items from the largest value, counted from 0; among equal values the smaller draw first.

    Parameters
    ----------
    values, draws
        Same shape; values are signed numbers.

    Returns
    -------
    array, same shape
        Every rank once, so that ``ranks < m`` marks exactly m items.
    """
    by_draw = np.argsort(draws.ravel(), kind="stable")
    # Whole numbers of few digits are sorted without comparing them.
    order = by_draw[np.argsort(-values.ravel()[by_draw], kind="stable")]
    ranks = np.empty(order.size, dtype=np.int64)
    ranks[order] = np.arange(order.size)
    return ranks.reshape(values.shape)
