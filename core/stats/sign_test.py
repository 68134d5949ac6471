"""The exact sign test."""

from __future__ import annotations

from scipy.special import bdtr


def sign_test(ups: int, downs: int) -> float:
    """Two-sided p-value that ups and downs are equally likely (Arbuthnott 1710).

    Parameters
    ----------
    ups, downs
        Counts; ties are left out beforehand.

    Returns
    -------
    float
        Twice the smaller binomial tail, at most 1; NaN without any count.
    """
    total = ups + downs
    if total == 0:
        return float("nan")
    return min(1.0, 2 * float(bdtr(min(ups, downs), total, 0.5)))
