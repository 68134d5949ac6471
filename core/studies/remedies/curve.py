"""Every threshold at once: rate, disagreement, gaps and fact span of a threshold on probability.

Scores are whole hundredths (or their sum over six orders), so that a histogram of each complaint's
scores answers every threshold.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import polars as pl
from numpy.typing import NDArray

from core.choices import Choices
from core.columns import table_of
from core.stats.instability import not_unanimous, pairwise_disagreement
from core.studies.remedies import design
from core.studies.remedies.choices import DECLARATION, only
from core.studies.remedies.contract import HUNDREDTHS
from core.studies.remedies.edits import MONEY, STRENGTHEN, WEAKEN, edit_deciders, mean_span
from core.studies.remedies.reduce import NONE, Statistics, Texts
from core.studies.remedies.rules import scores
from core.studies.remedies.scales import Decider, money, usable

Array = NDArray[np.float64]

RULES = tuple(option.value for option in DECLARATION["rule"].options)
AVERAGED = "mean6"


def threshold_curve(
    statistics: Statistics, panel: str, decider: Decider, choices: Choices
) -> pl.DataFrame:
    """Rate, instability, gaps and fact span over all thresholds; kept.

    Parameters
    ----------
    choices
        With the rule mean6 thresholds are set on p2 averaged over orders, else on that of the
        chosen order.

    Returns
    -------
    polars.DataFrame
        threshold (on p2, in (0, 1]); rate, differ, mixed, and one column a contrast, as shares;
        largest_gap (absolute); span (strengthened less weakened, null without edits). Empty where
        the system gives no probabilities.
    """
    kept = only(choices.replace(rule=AVERAGED if _averages(choices) else "threshold"),
                ("rule", "order"))  # fmt: skip
    return _curve(statistics, panel, decider, kept)


def _averages(choices: Choices) -> bool:
    return choices.text("rule") == AVERAGED


@lru_cache(maxsize=32)
def _curve(statistics: Statistics, panel: str, decider: Decider, choices: Choices) -> pl.DataFrame:
    texts = Texts(panel, decider.bank)
    found = scores(statistics, texts, decider.system, choices)
    orders = len(statistics.orders(texts, decider.system)) if _averages(choices) else 1
    top = HUNDREDTHS * orders
    if found is None or not usable(found != NONE).any():
        return pl.DataFrame(schema=_COLUMNS)
    own = found[usable(found != NONE)]
    hits, count = _hits(own, top)
    rates = _side_rates(own, top)
    gaps = rates[0] - rates[1]
    at = slice(1, None)
    return pl.DataFrame(
        {
            "threshold": np.arange(1, top + 1) / top,
            "rate": (hits / count[:, None]).mean(axis=0)[at],
            "differ": pairwise_disagreement(hits, count[:, None]).mean(axis=0)[at],
            "mixed": not_unanimous(hits, count[:, None]).mean(axis=0)[at],
            **{key: gaps[k, at] for k, key in enumerate(design.CONTRAST_KEYS)},
            "largest_gap": np.abs(gaps).max(axis=0)[at],
            "span": pl.Series(_spans(statistics, decider, choices, top), nan_to_null=True)[1:],
        },
        schema=_COLUMNS,
    )


_COLUMNS = dict.fromkeys(
    ("threshold", "rate", "differ", "mixed", *design.CONTRAST_KEYS, "largest_gap", "span"),
    pl.Float64,
)


def _hits(own: NDArray[np.int16], top: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Count guises at or above each score, (C, top + 1), and guises with an answer, (C,)."""
    width = top + 2
    # Missing answers fall into the place before zero.
    places = np.arange(len(own))[:, None] * width + own + 1
    counted = np.bincount(places.ravel(), minlength=len(own) * width).reshape(len(own), width)
    return counted[:, :0:-1].cumsum(axis=1)[:, ::-1], (own != NONE).sum(axis=1)


def _side_rates(own: NDArray[np.int16], top: int) -> Array:
    """Mean rates over complaints of both sides of each contrast at each score, (2, 3, top + 1)."""
    sides = design.sides().reshape(-1, own.shape[1])
    there = own != NONE
    rates = np.empty((len(sides), top + 1))
    for i, side in enumerate(sides):
        members = there & side
        weight = members / members.sum(axis=1, keepdims=True) / len(own)
        mass = np.bincount((own + 1).ravel(), weights=weight.ravel(), minlength=top + 2)[1:]
        rates[i] = mass[::-1].cumsum()[::-1]
    return rates.reshape(2, len(design.CONTRASTS), -1)


def _spans(statistics: Statistics, decider: Decider, choices: Choices, top: int) -> Array:
    """Share of strengthened less share of weakened texts at or above each score, (top + 1,)."""
    shares = []
    for edit in (STRENGTHEN, WEAKEN):
        texts = Texts(statistics.main_panel, decider.bank, edit)
        found = scores(statistics, texts, decider.system, choices)
        if found is None or not (found != NONE).any():
            return np.full(top + 1, np.nan)
        own = found[found != NONE]
        shares.append(np.bincount(own, minlength=top + 1)[::-1].cumsum()[::-1] / own.size)
    return np.asarray(shares[0] - shares[1])


def rule_table(
    statistics: Statistics, panel: str, who: tuple[Decider, ...], choices: Choices
) -> pl.DataFrame:
    """Compare all remedy rules (Table 1): one row a rule and decider.

    Returns
    -------
    polars.DataFrame
        rule, rule_id (label for systems with labels), votes (answers that a decision takes);
        system, system_id, bank; rate, differ, differ_low, differ_high, mixed, largest_gap, span
        (shares; the span of edited texts is null without any); chosen; reason.
    """
    level = 1 - choices.number("alpha")
    edits = edit_deciders(statistics)
    rows = []
    for decider in who:
        is_label = statistics.gives_labels(decider.system)
        for rule, own in _ruled_each(statistics, decider, choices):
            found = money(statistics, panel, decider, own)
            low, high = found.differ.interval(level)[0]
            facts = mean_span(statistics, decider, MONEY, own) if decider in edits else np.nan
            rows.append(
                {
                    "rule": "Its label" if is_label else DECLARATION["rule"].say(rule),
                    "rule_id": rule,
                    "votes": _votes(statistics, panel, decider, rule),
                    "system": design.system_name(decider.system),
                    "system_id": decider.system,
                    "bank": decider.bank,
                    "rate": found.rate.estimate[0],
                    "differ": found.differ.estimate[0],
                    "differ_low": low,
                    "differ_high": high,
                    "mixed": found.mixed.estimate[0],
                    "largest_gap": np.abs(found.gaps.estimate).max(),
                    "span": facts,
                    "chosen": is_label or rule == choices.text("rule"),
                    "reason": found.why,
                }
            )
    return table_of(rows, _RULES)


def rule_pairs(
    statistics: Statistics, panel: str, who: tuple[Decider, ...], choices: Choices
) -> pl.DataFrame:
    """Give the column differ of `rule_table` alone, for comparing reconstructions."""
    rows = [
        {"differ": money(statistics, panel, decider, own).differ.estimate[0]}
        for decider in who
        for _, own in _ruled_each(statistics, decider, choices)
    ]
    return table_of(rows, {"differ": pl.Float64})


def _ruled_each(
    statistics: Statistics, decider: Decider, choices: Choices
) -> list[tuple[str, Choices]]:
    """List the rules that a decider's answers can take, each with the choices that use it."""
    if statistics.gives_labels(decider.system):
        return [("label", choices)]
    return [(rule, ruled(choices, rule)) for rule in RULES]


_RULES = {
    "rule": pl.String,
    "rule_id": pl.String,
    "votes": pl.Int64,
    "system": pl.String,
    "system_id": pl.String,
    "bank": pl.String,
    **dict.fromkeys(
        ("rate", "differ", "differ_low", "differ_high", "mixed", "largest_gap", "span"), pl.Float64
    ),
    "chosen": pl.Boolean,
    "reason": pl.String,
}


def ruled(choices: Choices, rule: str) -> Choices:
    """Choose a rule, with what does not touch it as planned: then its work is kept."""
    idle = [c for c in DECLARATION if c.only_with and c.only_with != ("rule", rule)]
    return choices.replace(rule=rule, **{c.key: c.planned for c in idle})


def _votes(statistics: Statistics, panel: str, decider: Decider, rule: str) -> int:
    if rule not in (AVERAGED, "majority6"):
        return 1
    return len(statistics.orders(Texts(panel, decider.bank), decider.system))


def difference_of_rules(
    statistics: Statistics,
    panel: str,
    one: tuple[Decider, str],
    other: tuple[Decider, str],
    choices: Choices,
) -> tuple[float, float, float]:
    """Difference of two pairwise disagreements, over shared resamples of complaints.

    Parameters
    ----------
    one, other
        A decider and its rule; the rule of a system with labels does not matter.

    Returns
    -------
    estimate, low, high
        Shares; NaN where either has none, or where they rest on different complaints.
    """
    first, second = (
        money(statistics, panel, d, choices.replace(rule=r) if r in RULES else choices)
        for d, r in (one, other)
    )
    if first.why or second.why or first.complaints != second.complaints:
        return (float("nan"),) * 3
    value = float(first.differ.estimate[0] - second.differ.estimate[0])
    tail = choices.number("alpha") / 2
    low, high = np.quantile(first.draws[0] - second.draws[0], [tail, 1 - tail])
    return value, float(low), float(high)
