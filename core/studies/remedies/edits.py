"""What changed facts do, beside what changed style does (PC1 to PC4, Sec. 4.6, Table 3).

One fact of a complaint is changed, and the answer is compared with that to the original. The fact
span is the answer to the strengthened text less that to the weakened one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from core.choices import Choices
from core.columns import known
from core.stats.clusters import Sampled, resampled_means
from core.studies.remedies.choices import sampling
from core.studies.remedies.contract import ORIGINAL, UNSTYLED
from core.studies.remedies.design import CONTRASTS, EDIT_NAMES, system_name
from core.studies.remedies.reduce import Statistics, Texts
from core.studies.remedies.rules import decide
from core.studies.remedies.scales import Decider, deciders, graded, graded_kind, outcome

Array = NDArray[np.float64]

STRENGTHEN, WEAKEN = "strengthen", "weaken"
MONEY = "monetary"
"""Outcome: whether the text is paid under the chosen rule."""

NO_EDITS = "The panel has no edited texts that this system decided."
TOO_FEW = "Fewer than two complaints have both texts."


def edit_deciders(statistics: Statistics) -> tuple[Decider, ...]:
    """List who decided edited texts; the bank is that of the model that wrote them."""
    panel = statistics.main_panel
    found: list[Decider] = []
    for arm in (*statistics.tiers, *statistics.probabilities):
        texts = arm.texts
        if (texts.panel, texts.edit, texts.style) == (panel, STRENGTHEN, UNSTYLED):
            found.append(Decider(arm.system, texts.bank))
    return tuple(dict.fromkeys(found))


def own_decider(statistics: Statistics, decider: Decider) -> Decider:
    """Return where a system's guises are, for gaps: in the bank of the edits, else its own."""
    known = deciders(statistics, statistics.main_panel)
    return next((d for d in known if d == decider), None) or next(
        (d for d in known if d.system == decider.system), decider
    )


def edited(
    statistics: Statistics,
    decider: Decider,
    edit: str,
    kind: str,
    choices: Choices,
    style: str = UNSTYLED,
) -> Array:
    """Return the outcome of one text a complaint, (C,); NaN without.

    Parameters
    ----------
    kind
        As for `core.studies.remedies.scales.outcome`, or monetary.
    """
    texts = Texts(statistics.main_panel, decider.bank, edit, style)
    if kind == MONEY:
        made = decide(statistics, texts, decider.system, choices)
        return np.where(made.there[:, 0], made.paid[:, 0].astype(np.float64), np.nan)
    values = outcome(statistics, texts, decider.system, kind, choices)
    if values is None:
        return np.full(statistics.size(texts.panel), np.nan)
    return values[:, 0]


@dataclass(frozen=True, eq=False)
class Paired:
    """A mean difference between two texts of the same complaints."""

    found: Sampled
    """(1,)."""
    differences: Array
    """(n,) complaints with both texts."""
    why: str


def paired(one: Array, other: Array, choices: Choices) -> Paired:
    """Compare two texts of each complaint, (C,) with NaN where there is none."""
    both = _complete(one - other)
    if both.size < 2:
        none = np.full((1, 1), np.nan)
        return Paired(Sampled(none[0], none), both, TOO_FEW if both.size else NO_EDITS)
    return Paired(resampled_means(both[None], *sampling(choices)), both, "")


def _complete(differences: Array) -> Array:
    return differences[~np.isnan(differences)]


def effect_table(statistics: Statistics, choices: Choices) -> pl.DataFrame:
    """One row a system, edit and outcome.

    Returns
    -------
    polars.DataFrame
        system, system_id, edit, edit_id, outcome (tier, e_tier or argmax in tiers; p2 and monetary
        as shares); effect, low, high (edited less original); moved_up (share of complaints whose
        outcome rose); complaints; reason (why there is no number).
    """
    level = 1 - choices.number("alpha")
    rows = []
    for decider in edit_deciders(statistics):
        graded_one = graded_kind(statistics, decider.system, choices)
        kinds = [graded_one, MONEY]
        if not statistics.gives_labels(decider.system):
            kinds += [k for k in ("argmax", "p2") if k != graded_one]
        for edit in EDIT_NAMES:
            for kind in kinds:
                rows.append(_effect_row(statistics, decider, edit, kind, level, choices))
    return pl.DataFrame(rows, schema=_EFFECTS)


_EFFECTS = {
    "system": pl.String,
    "system_id": pl.String,
    "edit": pl.String,
    "edit_id": pl.String,
    "outcome": pl.String,
    "effect": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "moved_up": pl.Float64,
    "complaints": pl.Int64,
    "reason": pl.String,
}


def _effect_row(
    statistics: Statistics,
    decider: Decider,
    edit: str,
    kind: str,
    level: float,
    choices: Choices,
) -> dict[str, object]:
    pair = paired(
        edited(statistics, decider, edit, kind, choices),
        edited(statistics, decider, ORIGINAL, kind, choices),
        choices,
    )
    low, high = pair.found.interval(level)[0]
    return {
        "system": system_name(decider.system),
        "system_id": decider.system,
        "edit": EDIT_NAMES[edit],
        "edit_id": edit,
        "outcome": kind,
        "effect": known(pair.found.estimate[0]),
        "low": known(low),
        "high": known(high),
        "moved_up": None if pair.why else float((pair.differences > 0).mean()),
        "complaints": pair.differences.size,
        "reason": pair.why,
    }


def span(
    statistics: Statistics, decider: Decider, kind: str, choices: Choices, style: str = UNSTYLED
) -> Paired:
    """Fact span: strengthened less weakened, in the unit of the outcome."""
    return paired(*_span_sides(statistics, decider, kind, choices, style), choices)


def mean_span(statistics: Statistics, decider: Decider, kind: str, choices: Choices) -> float:
    """Fact span as `span` estimates it, without resampling; NaN where there is none."""
    one, other = _span_sides(statistics, decider, kind, choices, UNSTYLED)
    both = _complete(one - other)
    return float("nan") if both.size < 2 else float(both.mean())


def _span_sides(
    statistics: Statistics, decider: Decider, kind: str, choices: Choices, style: str
) -> tuple[Array, Array]:
    return (
        edited(statistics, decider, STRENGTHEN, kind, choices, style),
        edited(statistics, decider, WEAKEN, kind, choices, style),
    )


def span_table(statistics: Statistics, choices: Choices) -> pl.DataFrame:
    """How much more facts move the graded outcome than style does, one row a system.

    Returns
    -------
    polars.DataFrame
        system, system_id, outcome; span, low, high (tiers); gap (largest absolute persona gap of
        the same system over its guises, tiers), contrast (which one); ratio (span over gap, null
        where the gap is zero); money_span, money_low, money_high (shares, under the chosen rule);
        complaints; reason.
    """
    level = 1 - choices.number("alpha")
    rows = []
    for decider in edit_deciders(statistics):
        kind = graded_kind(statistics, decider.system, choices)
        own = own_decider(statistics, decider)
        gaps = graded(statistics, statistics.main_panel, own, kind, choices).gaps.estimate
        facts, paid = (span(statistics, decider, k, choices) for k in (kind, MONEY))
        has_gap = not np.isnan(gaps).all()
        largest = float(np.nanmax(np.abs(gaps))) if has_gap else float("nan")
        which = int(np.nanargmax(np.abs(gaps))) if has_gap else None
        low, high = facts.found.interval(level)[0]
        money_low, money_high = paid.found.interval(level)[0]
        value = float(facts.found.estimate[0])
        rows.append(
            {
                "system": system_name(decider.system),
                "system_id": decider.system,
                "outcome": kind,
                "span": known(value),
                "low": known(low),
                "high": known(high),
                "gap": known(largest),
                "contrast": None if which is None else CONTRASTS[which].name,
                "ratio": known(value / largest) if largest > 0 else None,
                "money_span": known(paid.found.estimate[0]),
                "money_low": known(money_low),
                "money_high": known(money_high),
                "complaints": facts.differences.size,
                "reason": facts.why,
            }
        )
    return pl.DataFrame(rows, schema=_SPANS)


_SPANS = {
    "system": pl.String,
    "system_id": pl.String,
    "outcome": pl.String,
    "span": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "gap": pl.Float64,
    "contrast": pl.String,
    "ratio": pl.Float64,
    "money_span": pl.Float64,
    "money_low": pl.Float64,
    "money_high": pl.Float64,
    "complaints": pl.Int64,
    "reason": pl.String,
}
