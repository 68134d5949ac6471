"""Printed figures that rest on decisions of unedited guises: gaps, rates, rules, variation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np
import polars as pl
from numpy.typing import NDArray

from core.choices import Choices
from core.figures import Figure, Found, Recomputed, Unavailable
from core.stats.clusters import Sampled, sampled
from core.stats.equivalence import minimum_effect_draws, tost_draws
from core.studies.remedies import disparity, distances, variation
from core.studies.remedies.curve import difference_of_rules
from core.studies.remedies.estimate import analyse
from core.studies.remedies.printed_rows import (
    LEVEL,
    RULE_OF,
    Rows,
    bounded,
    contrast_of,
    numbers,
    one_row,
)
from core.studies.remedies.scales import Decider, Graded, graded
from core.verdicts import Verdict

RATIO = "reading: ratio of means over complaints"
BOTH_BANKS = "reading: over the texts of both banks"
RESIDUAL = "reading: over complaint, persona and residual variance"
FROZEN = "reading: the frozen threshold, all tied texts paid"
SIX = "reading: ties of a vote go to the lower tier"

Quantity = Callable[[Rows, Figure], Found]


def ends_of(found: Sampled, place: int, scale: float = 1.0, level: float = 1 - LEVEL,
            why: str = "") -> Recomputed:  # fmt: skip
    """Take an estimate and its interval."""
    low, high = scale * found.interval(level)[place]
    return Recomputed(scale * float(found.estimate[place]), float(low), float(high), why=why)


def _rate(rows: Rows, figure: Figure) -> Found:
    found = rows.money(rows.panel(figure), rows.decider(figure), rows.ruled(figure))
    return 100 * float(found.rate.estimate[0])


def differ(rows: Rows, figure: Figure) -> Found:
    """Pairwise disagreement over all guises of record, in percent."""
    found = rows.money(rows.panel(figure), rows.decider(figure), rows.ruled(figure))
    return ends_of(found.differ, 0, 100)


def _mixed(rows: Rows, figure: Figure) -> Found:
    if "bound" in figure.condition:
        who = [Decider(rows.graded_system, bank) for bank in rows.graded_banks]
        shares = [
            float(rows.money(rows.main, d, rows.ruled(figure)).mixed.estimate[0]) for d in who
        ]
        pick = min if figure.condition["bound"] == "min" else max
        return 100 * pick(shares)
    found = rows.money(rows.panel(figure), rows.decider(figure), rows.ruled(figure))
    return 100 * float(found.mixed.estimate[0])


def graded_of(rows: Rows, figure: Figure, kind: str | None = None) -> Graded:
    """Graded outcome of a figure's decider."""
    name = kind or figure.condition.get("outcome", "tier")
    found = graded(rows.statistics, rows.panel(figure), rows.decider(figure), name, rows.planned)
    if found.why:
        raise Unavailable(found.why)
    return found


def tier_gap(rows: Rows, figure: Figure) -> Found:
    """Gap of the graded outcome over all guises of record."""
    return ends_of(graded_of(rows, figure).gaps, contrast_of(figure))


def rate_gap(rows: Rows, figure: Figure) -> Found:
    """Gap of monetary rates over all guises of record, in pp."""
    found = rows.money(rows.panel(figure), rows.decider(figure), rows.planned)
    return ends_of(found.gaps, contrast_of(figure), 100)


def _largest_gap(rows: Rows, figure: Figure) -> Found:
    rules = set(RULE_OF.values()) if figure.condition.get("rule") == "all" else {"matched"}
    gaps = [
        np.abs(rows.money(rows.main, d, rows.planned.replace(rule=rule)).gaps.estimate).max()
        for d in rows.everyone(figure)
        for rule in rules
    ]
    return bounded(figure, 100 * float(max(gaps)))


def _tie_break(rows: Rows, figure: Figure) -> Found:
    changes = []
    for bank in rows.graded_banks:
        one, other = (
            rows.money(
                rows.main, Decider(rows.graded_system, bank), rows.planned.replace(rule=rule)
            )
            for rule in ("matched", "untied")
        )
        changes.append(np.abs(one.gaps.estimate - other.gaps.estimate).max())
    return bounded(figure, 100 * float(max(changes)))


def _upper_bound(rows: Rows, figure: Figure) -> Found:
    ends = [
        np.abs(rows.money(rows.main, d, rows.planned).gaps.interval(1 - LEVEL)).max()
        for d in rows.everyone(figure)
    ]
    return bounded(figure, 100 * float(max(ends)))


def _air(rows: Rows, figure: Figure) -> Found:
    if figure.subject == "all":
        # The document's tests place every ratio above the bound, so the lower ends count.
        return _air_lower(rows, figure)
    found = rows.money(rows.panel(figure), rows.decider(figure), rows.planned)
    return float(found.ratios.estimate[contrast_of(figure)])


def _air_lower(rows: Rows, figure: Figure) -> Found:
    ends = [
        rows.money(rows.main, d, rows.planned).ratios.interval(1 - 2 * LEVEL)[:, 0].min()
        for d in rows.everyone(figure)
    ]
    return bounded(figure, float(min(ends)), "lower ends of 90% intervals")


def _h(rows: Rows, figure: Figure) -> Found:
    if figure.subject == "all":
        largest = max(
            np.abs(rows.money(rows.main, d, rows.planned).sizes.estimate).max()
            for d in rows.everyone(figure)
        )
        return bounded(figure, float(largest))
    found = rows.money(rows.panel(figure), rows.decider(figure), rows.planned)
    return float(found.sizes.estimate[contrast_of(figure)])


def _shortfall(rows: Rows, figure: Figure) -> Found:
    found = rows.money(rows.panel(figure), rows.decider(figure), rows.planned)
    return 100 * (1 - float(found.ratios.estimate[contrast_of(figure)]))


def _supported(rows: Rows, figure: Figure) -> Found:
    claims = analyse(rows.statistics, rows.planned).claims
    outcome = figure.condition.get("outcome")
    return float(
        sum(
            verdict == Verdict.SUPPORTED
            for claim, verdict in zip(claims.claims, claims.verdict, strict=True)
            if not rows.statistics.gives_labels(claim.decider.system)
            and outcome in (None, claim.outcome)
        )
    )


def rule_difference(rows: Rows, figure: Figure) -> Found:
    """Difference between two rules' disagreements, over the same resamples."""
    one, _, other = figure.condition["comparison"].partition("_minus_")
    bank = figure.condition["bank"]
    sides = []
    for name in (one, other):
        system = bank if name == "gpt_label" else rows.graded_system
        sides.append((Decider(system, bank), RULE_OF[name]))
    value, low, high = difference_of_rules(
        rows.statistics, rows.main, sides[0], sides[1], rows.planned
    )
    return Recomputed(100 * value, 100 * low, 100 * high)


def _residual(rows: Rows, figure: Figure) -> Found:
    table = disparity.residual_table(rows.statistics, rows.main, rows.planned)
    row = one_row(table, bank=figure.condition["bank"], outcome=figure.condition["outcome"])
    return Recomputed(row["share"], why=RESIDUAL)


def _d_difference(rows: Rows, figure: Figure) -> Found:
    condition = figure.condition
    key = condition.get("budget", condition["contrast"])
    bank = condition.get("bank", rows.statistics.banks(rows.main)[0])
    row = one_row(rows.disparities(rows.panel(figure)), key=key, bank=bank)
    if condition.get("ci") == "preregistered":
        return numbers(row, "difference", "registered_low", "registered_high")
    return numbers(row, "difference", "low", "high", why=SIX if "budget" in condition else "")


def _excess(rows: Rows, figure: Figure) -> Found:
    del figure
    found = distances.excess(rows.statistics, rows.main, rows.graded_system, rows.planned)
    if isinstance(found, str):
        raise Unavailable(found)
    return ends_of(found, 0, 100, why=RATIO)


def _distance(rows: Rows, figure: Figure) -> Found:
    pair = figure.condition["pair"]
    table = distances.distance_table(rows.statistics, rows.main, rows.graded_system, rows.planned)
    found = table.filter((table["pair"] == pair) & table["distance"].is_not_null())
    if found.is_empty():
        raise Unavailable("the panel has no such pairs of answers")
    weights = found["pairs"].to_numpy()
    return float(np.average(found["distance"].to_numpy(), weights=weights))


def _flips(rows: Rows, figure: Figure) -> Found:
    table = distances.distance_table(rows.statistics, rows.main, rows.graded_system, rows.planned)
    found = table.filter((table["pair"] == figure.condition["pair"]) & table["flips"].is_not_null())
    if found.is_empty():
        raise Unavailable("the panel has no such pairs of answers")
    return 100 * float(np.average(found["flips"], weights=found["pairs"]))


def _unanimous(rows: Rows, figure: Figure) -> Found:
    share, _ = distances.hidden_variation(
        rows.statistics,
        rows.main,
        rows.graded_system,
        figure.condition["bank"],
        rows.planned,
        0.10,
    )
    return 100 * share


def _hidden(rows: Rows, figure: Figure) -> Found:
    width = float(figure.condition["threshold"])
    shares = [
        distances.hidden_variation(
            rows.statistics, rows.main, rows.graded_system, bank, rows.planned, width
        )[1]
        for bank in rows.graded_banks
    ]
    return Recomputed(100 * float(np.mean(shares)), why="reading: mean of both banks")


def _order_mean(rows: Rows, figure: Figure) -> Found:
    table = distances.order_table(rows.statistics, rows.main, rows.graded_system)
    by_order = dict(table.group_by("order").agg(pl.col("e_tier").mean()).iter_rows())
    if figure.condition["order"] == "reversed":
        if distances.REVERSED not in by_order:
            raise Unavailable("the panel has no reversed order")
        return Recomputed(by_order[distances.REVERSED], why=BOTH_BANKS)
    others = [v for o, v in by_order.items() if o != distances.REVERSED]
    if not others:
        raise Unavailable("the panel has no other orders")
    return Recomputed(
        min(others) if figure.condition["bound"] == "min" else max(others), why=BOTH_BANKS
    )


def _order_unanimity(rows: Rows, figure: Figure) -> Found:
    del figure
    shares = [
        distances.order_unanimity(rows.statistics, rows.main, rows.graded_system, bank)
        for bank in rows.graded_banks
    ]
    return Recomputed(100 * float(np.mean(shares)), why=BOTH_BANKS)


_TERMS = {
    "B+CxB+KxB": ("B", "CxB", "KxB"),
    "KxO+CxKxO+KxBxO": ("KxO", "CxKxO", "KxBxO"),
}


def _share(rows: Rows, figure: Figure) -> Found:
    condition = figure.condition
    found = rows.variation(condition["outcome"])
    choices = rows.planned
    if "part" in condition:
        row = one_row(variation.part_table(found, choices), part_id=condition["part"])
        return numbers(row, "share", "low", "high", 100)
    name = condition["term"]
    if name == "all_terms_with_O":
        terms = tuple(t for t in found.terms if "O" in t)
    else:
        terms = _TERMS.get(name, (name,))
    value, low, high = variation.sum_of_terms(found, terms, LEVEL / 2)
    return Recomputed(100 * value, 100 * low, 100 * high)


def _component(rows: Rows, figure: Figure) -> Found:
    found = rows.variation(figure.condition["outcome"])
    return float(found.components[found.terms.index(figure.condition["term"])])


def _pair(rows: Rows, panel: str, bank: str, choices: Choices) -> Sampled:
    """Gaps of a label system less those of the graded one, over the same resamples."""
    one, other = (
        rows.money(panel, Decider(system, bank), choices) for system in (bank, rows.graded_system)
    )
    return sampled(one.gaps.estimate - other.gaps.estimate, one.gap_draws - other.gap_draws)


def _gap_difference(rows: Rows, figure: Figure) -> Found:
    if "contrast" not in figure.condition:
        return Recomputed(why="a stated reason, not a result of rows")
    panel = rows.panel(figure)
    found = _pair(rows, panel, figure.condition["bank"], rows.planned.replace(rule="untied"))
    sign = 1.0 if figure.condition["comparison"] == "gpt_minus_jev" else -1.0
    place = contrast_of(figure)
    low, high = sorted(100 * sign * found.interval(1 - LEVEL)[place])
    return Recomputed(100 * sign * float(found.estimate[place]), low, high, why=FROZEN)


def _bound_test(test: Callable[[Sampled, float], NDArray[np.float64]], largest: bool) -> Quantity:
    def work(rows: Rows, figure: Figure) -> Found:
        # The differences that the document names: pooled where the panel can be pooled.
        panel = rows.statistics.panels[-1]
        choices = rows.planned.replace(rule="untied")
        p = np.concatenate(
            [test(_pair(rows, panel, bank, choices), 0.01) for bank in rows.graded_banks]
        )
        return bounded(figure, float(p.max() if largest else p.min()), FROZEN)

    return work


def _referral(rows: Rows, figure: Figure) -> Found:
    del rows, figure
    return Recomputed(why="which statistic, which texts and which uncertainty are not said")


def _last_position(rows: Rows, figure: Figure) -> Found:
    del rows, figure
    return Recomputed(why="unit, panel and definition of the penalty are not said")


def _not_in_rows(what: str) -> Quantity:
    def work(rows: Rows, figure: Figure) -> Found:
        del rows, figure
        return Recomputed(why=f"{what} are not part of the rows")

    return work


QUANTITIES: Mapping[str, Quantity] = MappingProxyType(
    {
        "monetary_rate": _rate,
        "non_unanimous_monetary": _mixed,
        "abs_monetary_rate_gap_max": _largest_gap,
        "monetary_rate_gap_change": _tie_break,
        "monetary_rate_gap_upper_bound_max": _upper_bound,
        "air": _air,
        "air_lower_bound": _air_lower,
        "cohens_h": _h,
        "abs_cohens_h": _h,
        "relative_shortfall": _shortfall,
        "contrasts_supported": _supported,
        "residual_share": _residual,
        "d_difference": _d_difference,
        "h1_relative_excess": _excess,
        "mean_tv_distance": _distance,
        "tier_flip_rate": _flips,
        "argmax_unanimity": _unanimous,
        "p2_range_exceeds_share": _hidden,
        "mean_e_tier": _order_mean,
        "order_unanimity": _order_unanimity,
        "variance_share": _share,
        "variance_component_estimate": _component,
        "monetary_gap_difference": _gap_difference,
        "tost_p": _bound_test(tost_draws, True),
        "min_effect_p": _bound_test(minimum_effect_draws, False),
        "referral_disparity_p": _referral,
        "last_position_penalty": _last_position,
        "n_duplicate_texts": _not_in_rows("texts"),
        "mean_tokens_per_rewrite": _not_in_rows("numbers of tokens"),
    }
)
