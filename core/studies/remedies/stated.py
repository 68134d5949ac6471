"""Which estimates and verdicts the document states for a specification."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache
from types import MappingProxyType

from core.choices import Choices
from core.figures import Figure, figures
from core.studies.remedies.choices import DECLARATION
from core.studies.remedies.contract import HOLDOUT, STUDY
from core.studies.remedies.design import CONTRAST_KEYS
from core.studies.remedies.estimate import Claim
from core.studies.remedies.scales import Decider
from core.verdicts import Verdict

Key = tuple[str, ...]

_QUANTITIES = {"gap": "monetary_rate_gap", "air": "air", "h": "cohens_h"}
_MEASURES = {"differ": "pairwise_monetary_disagreement", "mixed": "non_unanimous_monetary"}

_RULES = {
    "argmax": "jev_argmax",
    "matched": "jev_p2_threshold_matched",
    "mean6": "jev_p2_mean6_matched",
    "majority6": "jev_majority6",
}

_ELSEWHERE = ("arm", "guises", "cue", "decisions", "bound")
"""Conditions of figures that are not about all guises of record."""


def claim(own: Claim, choices: Choices, pins: Collection[str]) -> Figure | None:
    """Find the printed gap of a directional claim, among those the search was given.

    Parameters
    ----------
    choices
        The specification; figures stand for the held-out complaints and the primary order.
    pins
        Ids of the figures that the search for the rows was given.
    """
    if choices["sample"] != HOLDOUT or _is_moved(choices, "order"):
        return None
    contrast = CONTRAST_KEYS[own.contrast]
    key = ("persona_gap_tier", *own.decider, HOLDOUT, contrast, own.outcome)
    return _given(_figures().get(key), pins)


def material(
    decider: Decider, contrast: int, quantity: str, choices: Choices, pins: Collection[str]
) -> Figure | None:
    """Find the printed gap of rates, ratio or h of a label system, as `claim`.

    Those of Jev are not printed one by one.
    """
    key = (_QUANTITIES[quantity], *decider, choices.text("sample"), CONTRAST_KEYS[contrast])
    return _given(_figures().get(key), pins)


def instability(
    decider: Decider, measure: str, choices: Choices, pins: Collection[str]
) -> Figure | None:
    """Find the printed disagreement or non-unanimous share, as `claim`; none for MPAD.

    The two shares printed for Jev are not assigned to texts, so neither is found here.
    """
    if measure not in _MEASURES or choices["sample"] != HOLDOUT:
        return None
    if decider.system == decider.bank:
        rule = "gpt_label"
    elif _is_moved(choices, "order", "tie_seed", "shift"):
        return None
    else:
        rule = _RULES.get(choices.text("rule"), "")
    return _given(_figures().get((_MEASURES[measure], *decider, HOLDOUT, rule)), pins)


def says_claim(own: Claim, choices: Choices) -> Verdict | None:
    """Return the verdict that the document states for a claim; None where it states none.

    H2 holds for all six contrasts of the expected tier; of the six of the most probable tier three
    hold, but not which. The gaps of GPT-4o-mini in education and income have intervals above zero.
    """
    if any(_is_moved(choices, key) for key in ("sample", "order", "gate", "family", "alpha")):
        return None
    if own.outcome == "e_tier" and own.decider in _H2_DECIDERS:
        return Verdict.SUPPORTED
    figure = _figures().get(
        (
            "persona_gap_tier",
            *own.decider,
            HOLDOUT,
            CONTRAST_KEYS[own.contrast],
            own.outcome,
        )
    )
    # Only an interval above zero is printed without an adjustment; family tests are few.
    if figure is not None and figure.lower is not None and figure.lower > 0:
        return Verdict.SUPPORTED
    return None


_H2_DECIDERS = (
    Decider("jev-1.13.0", "gpt-4o-mini"),
    Decider("jev-1.13.0", "gpt-5-mini"),
)


def says_material(
    decider: Decider, contrast: int, quantity: str, choices: Choices
) -> Verdict | None:
    """Return the word that a printed 95% interval settles; None where none is printed.

    The interval that matches a one-sided test is narrower, so a printed one inside the bound is
    enough.
    """
    if quantity != "gap" or _is_moved(choices, "alpha"):
        return None
    figure = _figures().get(
        (_QUANTITIES[quantity], *decider, choices.text("sample"), CONTRAST_KEYS[contrast])
    )
    if figure is None or figure.lower is None or figure.upper is None:
        return None
    bound = choices.number("gap_bound")
    nonzero = figure.lower > 0 or figure.upper < 0
    if figure.upper < bound and figure.lower > -bound:
        return Verdict.BOTH if nonzero else Verdict.EQUIVALENT
    return None


def _is_moved(choices: Choices, *keys: str) -> bool:
    return any(choices[key] != DECLARATION[key].planned for key in keys)


def _given(figure: Figure | None, pins: Collection[str]) -> Figure | None:
    return figure if figure is not None and figure.figure_id in pins else None


@cache
def _figures() -> Mapping[Key, Figure]:
    """List printed figures about all guises of record, by what they are about."""
    found: dict[Key, Figure] = {}
    for figure in figures(STUDY).values():
        condition = figure.condition
        if figure.basis == "repeat" or any(key in condition for key in _ELSEWHERE):
            continue
        head = (
            figure.quantity,
            figure.subject,
            condition.get("bank", ""),
            condition.get("panel", ""),
        )
        if figure.quantity in _QUANTITIES.values():
            found[(*head, condition.get("contrast", ""))] = figure
        elif figure.quantity == "persona_gap_tier":
            found[(*head, condition["contrast"], condition["outcome"])] = figure
        elif figure.quantity in _MEASURES.values():
            found[(*head, condition.get("rule", ""))] = figure
    return MappingProxyType(found)
