"""One run against another: which verdicts changed, and which of four things changed them.

Both runs are judged in a form that four things decide: the estimate, the number of clause groups,
their spread, and the gate, that is the other p-values of the family. In this t form any of a run's
four can be put into the other run. It approximates the bootstrap verdict; where the two forms
disagree, the table says so.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations, product
from typing import cast

import numpy as np
import polars as pl
from numpy.typing import NDArray

from core.stats.bootstrap_bca import t_greater, t_interval
from core.stats.equivalence import matching_level, tost_t
from core.stats.multiplicity import Method, adjust
from core.studies.clauses.choices import method_of
from core.studies.clauses.design import HYPOTHESES, RUNS
from core.studies.clauses.estimate import H4, Findings, judge
from core.studies.clauses.tables import Comparison
from core.verdicts import is_support

Array = NDArray[np.float64]

FACTORS = ("estimate", "n", "spread", "gate")
FACTOR_NAMES = {
    "estimate": "the estimate",
    "n": "the number of clause groups",
    "spread": "the spread over clause groups",
    "gate": "the other tests of the family",
}

SWITCHES = tuple(product((0, 1), repeat=len(FACTORS)))
"""Every way to take each factor from the first run (0) or the second (1), 16 of them."""

ORDERS = tuple(permutations(range(len(FACTORS))))
"""The 24 orders in which the four can be switched."""

TINY = 1e-300
"""Stands for a p-value too small to be told from zero."""

APPROXIMATION = (
    "Judged in the t form (estimate, number of clause groups, spread, gate): an approximation to "
    "the bootstrap verdict in which each of the four can be switched alone."
)

SCHEMA = {
    "model": pl.String,
    "model_id": pl.String,
    "hypothesis": pl.String,
    "verdict_first": pl.String,
    "verdict_second": pl.String,
    "t_first": pl.String,
    "t_second": pl.String,
    "changed": pl.Boolean,
    "agrees": pl.Boolean,
    "factor": pl.String,
    "value_first": pl.Float64,
    "value_second": pl.Float64,
    "switched_first": pl.String,
    "switched_second": pl.String,
    "share": pl.Float64,
    "share_log_p": pl.Float64,
}


@dataclass(frozen=True, eq=False)
class Switched:
    """Verdicts in the t form under every switch; arrays are (16, M, H), in order of `SWITCHES`."""

    verdict: NDArray[np.str_]
    p: Array
    """The p-value that decides, adjusted where there is a gate; NaN where a run has no number."""

    def at(self, *switch: int) -> NDArray[np.str_]:
        """Return the verdicts under one switch, (M, H)."""
        return cast(NDArray[np.str_], self.verdict[SWITCHES.index(switch)])


def compare_runs(comparison: Comparison, runs: tuple[str, str] = RUNS) -> pl.DataFrame:
    """Say for every model and hypothesis what changed between two runs, and why.

    Returns
    -------
    polars.DataFrame
        One row a model, hypothesis and factor; none for cells without a number in either run:
        model, model_id, hypothesis; verdict_first and verdict_second (as the page judges), t_first
        and t_second (in the t form); changed (whether the claim stands in one run only); agrees
        (whether both forms give the same support in both runs); factor; value_first, value_second
        (null for the gate); switched_first, switched_second (t form after the single switch);
        share (average step of the factor over all orders, from 0, does not stand, to 1: shares add
        up to the change), share_log_p (the same for the decimal logarithm of the p-value).
    """
    now = comparison.current
    if not set(runs) <= set(now.statistics.runs):
        return pl.DataFrame(schema=SCHEMA)
    one, two = (now.statistics.runs.index(run) for run in runs)
    switched = switch(now, one, two)
    support = is_support(switched.verdict).astype(np.float64)
    shares, log_shares = (
        average_steps(support),
        average_steps(np.log10(np.maximum(switched.p, TINY))),
    )
    chosen = is_support(now.verdict)
    agree = (chosen[one] == support[0]) & (chosen[two] == support[-1])
    rows = []
    for m, h in np.argwhere(~np.isnan(switched.p[0]) & ~np.isnan(switched.p[-1])):
        for at, factor in enumerate(FACTORS):
            alone = tuple(int(i == at) for i in range(len(FACTORS)))
            rest = tuple(1 - taken for taken in alone)
            rows.append(
                {
                    "model": comparison.names[m],
                    "model_id": now.statistics.models[m],
                    "hypothesis": HYPOTHESES[h],
                    "verdict_first": str(now.verdict[one, m, h]),
                    "verdict_second": str(now.verdict[two, m, h]),
                    "t_first": str(switched.verdict[0, m, h]),
                    "t_second": str(switched.verdict[-1, m, h]),
                    "changed": bool(chosen[one, m, h] != chosen[two, m, h]),
                    "agrees": bool(agree[m, h]),
                    "factor": factor,
                    "value_first": _value(now, factor, one, m, h),
                    "value_second": _value(now, factor, two, m, h),
                    "switched_first": str(switched.at(*alone)[m, h]),
                    "switched_second": str(switched.at(*rest)[m, h]),
                    "share": float(shares[at, m, h]),
                    "share_log_p": float(log_shares[at, m, h]),
                }
            )
    return pl.DataFrame(rows, schema=SCHEMA)


def _value(now: Findings, factor: str, run: int, m: int, h: int) -> float | None:
    match factor:
        case "estimate":
            return float(now.estimate[run, m, h])
        case "n":
            return float(now.n[run, m, h])
        case "spread":
            return float(now.spread[run, m, h])
    return None


def switch(now: Findings, one: int, two: int) -> Switched:
    """Judge every cell in the t form with each factor taken from one run or the other."""
    runs = np.array([one, two])
    taken = runs[np.array(SWITCHES)]
    estimate, n, spread = now.estimate[taken[:, 0]], now.n[taken[:, 1]], now.spread[taken[:, 2]]
    own = t_p(now, estimate, spread, n)
    alpha = now.choices.number("alpha")
    gated = method_of(now.choices) is not None
    p = _in_company(now, own, runs, taken[:, 3]) if gated else own
    verdict = judge(
        t_interval(estimate, spread, n, 1 - alpha),
        t_interval(estimate, spread, n, matching_level(alpha)),
        now.choices,
        p if gated else None,
    )
    return Switched(verdict, p)


def t_p(now: Findings, estimate: Array, spread: Array, n: NDArray[np.int64]) -> Array:
    """Give each hypothesis its own p-value by Student's t; hypotheses are the last axis."""
    above = t_greater(estimate, spread, n)
    p = np.minimum(1.0, 2 * np.minimum(above, t_greater(-estimate, spread, n)))
    if now.choices.text("p") == "one_sided":
        p = above
    margin = now.choices.number("margin")
    p[..., H4] = tost_t(estimate[..., H4], spread[..., H4], n[..., H4], margin)
    return p


def _in_company(
    now: Findings, own: Array, runs: NDArray[np.int64], gates: NDArray[np.int64]
) -> Array:
    """Adjust each p-value, (16, M, H), among the other tests of the run that its gate is from."""
    company = t_p(now, now.estimate, now.spread, now.n)[gates]
    adjusted = np.full_like(own, np.nan)
    tests, method = now.choices.text("tests"), cast(Method, now.choices.text("gate"))
    answered = np.asarray(now.statistics.answered[runs].all(axis=0))
    for m, h in np.argwhere(np.broadcast_to(answered[:, None], own.shape[1:])):
        family = np.zeros(own.shape[1:], dtype=np.bool_)
        family[m if tests == "model" else answered, h if tests == "hypothesis" else slice(None)] = 1
        p = company.copy()
        p[:, m, h] = own[:, m, h]
        place = np.flatnonzero(family.ravel()).searchsorted(m * own.shape[2] + h)
        adjusted[:, m, h] = adjust(p[:, family], method)[:, place]
    return adjusted


def average_steps(values: Array) -> Array:
    """Average the step that each factor makes over all orders of switching (Shapley 1953).

    Parameters
    ----------
    values
        (16, ...) a number under each of `SWITCHES`.

    Returns
    -------
    array, shape (4, ...)
        They add up to the last value less the first.
    """
    total = np.zeros((len(FACTORS), *values.shape[1:]))
    for order in ORDERS:
        taken = [0] * len(FACTORS)
        for at in order:
            before = SWITCHES.index(tuple(taken))
            taken[at] = 1
            total[at] += values[SWITCHES.index(tuple(taken))] - values[before]
    return total / len(ORDERS)
