"""A step of a story told from findings, or why it cannot be."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.panels.read import Panel
from core.report.link import address
from core.stories.data import Condition, Number, Step, Story
from core.stories.judged import Judged, judge
from core.studies.reduced import Reduced
from core.views.every import STUDIES, view
from core.views.view import Chart, View
from core.words import listed, number

Array = NDArray[np.float64]

WORDS = (
    *("none", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)
"""Counts up to twelve are written out, where a step has no larger ones."""

MANY = 4
"""Claims that are named one by one when a step does not hold."""


@dataclass(frozen=True, eq=False)
class Told:
    """A step as it is told."""

    step: Step
    view: View
    headline: str
    """Empty where the step does not hold."""
    text: str
    problems: tuple[str, ...]
    """Why it does not hold: one sentence each; empty where it does."""
    values: Mapping[str, str]
    """Its numbers as they are written."""
    judged: Judged
    """Every claim of the study, in the step's view and as planned."""

    @property
    def rests_on(self) -> NDArray[np.int64]:
        """Positions of the claims whose verdicts or signs its sentences need."""
        return self._matching({own.claims for own in self.step.conditions})

    @property
    def tells(self) -> NDArray[np.int64]:
        """Positions of these claims and of all that its numbers are taken from."""
        patterns = {own.claims for own in self.step.conditions}
        patterns |= {own.claims for own in self.step.numbers.values()}
        return self._matching(patterns - {""})

    def _matching(self, patterns: Collection[str]) -> NDArray[np.int64]:
        found = [self.judged.matching(pattern) for pattern in sorted(patterns)]
        return np.unique(np.concatenate([*found, np.zeros(0, dtype=np.int64)]))

    @property
    def flips(self) -> NDArray[np.int64]:
        """Those told whose verdict is another one than planned, and may be told as a fact."""
        at = self.tells
        moved = self.judged.now[0, at] != self.judged.planned[0, at]
        return at[moved & self.judged.certain[at]]

    @property
    def holds(self) -> bool:
        """Whether the panel in use supports the step's sentences."""
        return not self.problems

    @property
    def panel(self) -> Panel:
        """The panel it is told from."""
        return self.view.panel

    @property
    def chart(self) -> Chart | None:
        """Its chart; None where the view has not got it."""
        return self.view.charts.get(self.step.chart)

    def link(self, home: str) -> str:
        """Write the cite link of its view."""
        cited = self.step.view
        return address(home, cited.study, cited.choices, self.panel.hash, cited.looking)


def tell(step: Step, found: Reduced) -> Told:
    """Tell a step from a panel.

    Parameters
    ----------
    step
        The step.
    found
        The panel in use of the step's study, with those that stand for the same rows.

    Returns
    -------
    Told
        With its sentences where every condition holds and every number in them is certain: pinned
        to a printed figure, or the same in all panels that stand for the same rows.
    """
    choices = step.view.choices
    judged = judge(found, choices)
    problems = [text for own in step.conditions for text in _against(own, judged)]
    values: dict[str, str] = {}
    in_digits = _in_digits(step.numbers.values(), judged)
    for name, own in step.numbers.items():
        text, problem = _say(own, judged, in_digits=in_digits)
        values[name] = text
        problems += [problem] if problem else []
    shown = view(found, choices, step.view.looking)
    if problems:
        return Told(step, shown, "", "", tuple(dict.fromkeys(problems)), {}, judged)
    headline, text = (_filled(sentence, values) for sentence in (step.headline, step.text))
    return Told(step, shown, headline, text, (), values, judged)


def says(story: Story, told: Sequence[Told]) -> str:
    """Say what a whole story says; empty where some step of it does not hold."""
    return of_whole(story.says, story, told)


def of_whole(sentence: str, story: Story, told: Sequence[Told]) -> str:
    """Fill a sentence about a whole story; empty where some step of it does not hold."""
    if not all(step.holds for step in told):
        return ""
    return _filled(sentence, told[story.answer].values)


def _filled(sentence: str, values: Mapping[str, str]) -> str:
    text = sentence.format(**values)
    return text[:1].upper() + text[1:]


def _against(condition: Condition, judged: Judged) -> list[str]:
    """Say what a condition asks for that is not so."""
    at = judged.matching(condition.claims)
    if not at.size:
        return [_not_there(condition.claims)]
    found = _other_verdicts(condition, judged, at) if condition.verdicts else []
    if condition.sign:
        estimate = judged.planned_estimate if condition.is_planned else judged.estimate
        wrong = at[~(condition.sign * estimate[:, at] > 0).all(axis=0)]
        where = "above" if condition.sign > 0 else "below"
        found += [
            f"{judged.titles[judged.keys[k]]} is {number(estimate[0, k])}, not {where} zero."
            for k in wrong
        ]
    return found if len(found) <= MANY else [*found[:MANY], f"And {len(found) - MANY} more."]


def _not_there(pattern: str) -> str:
    """Say that a panel has no claim of this key; a pattern of keys tells a reader nothing."""
    if "*" in pattern:
        return "This panel has none of the claims that this step tells of."
    return f"This panel has no claim {pattern!r}."


def _other_verdicts(condition: Condition, judged: Judged, at: NDArray[np.int64]) -> list[str]:
    """Name claims whose verdict is none of those asked for, or not determined."""
    verdicts = judged.planned if condition.is_planned else judged.now
    allowed = [verdict.value for verdict in condition.verdicts]
    fits = np.isin(verdicts[:, at], allowed)
    when = " as planned" if condition.is_planned else ""
    found = [
        f"{judged.titles[judged.keys[k]]} is “{verdicts[0, k]}”{when}, not "
        f"“{' or '.join(allowed)}”."
        for k in at[~fits[0]]
    ]
    # Verdicts may differ over panels and still all be among those asked for.
    agree = fits.all(axis=0) & (len(verdicts) > 1)
    unsure = at[fits[0] & ~agree & ~judged.certain[at]]
    if unsure.size:
        found.append(f"The document does not determine {_names(judged, unsure)}.")
    return found


def _names(judged: Judged, at: NDArray[np.int64]) -> str:
    return listed([judged.titles[judged.keys[k]] for k in at[:MANY]])


COUNTS = ("claims", "count", "changed")


def _in_digits(numbers: Iterable[Number], judged: Judged) -> bool:
    """Say whether a step has a count too large for a word: then none of its counts is one."""
    found = [_values(own, judged)[0] for own in numbers if own.of in COUNTS]
    return any(np.nanmax(values, initial=0) >= len(WORDS) for values in found)


def _say(own: Number, judged: Judged, *, in_digits: bool) -> tuple[str, str]:
    """Write a number, and why it cannot be told; empty where it can."""
    if own.of in ("choice", "planned choice"):
        choice = STUDIES[judged.choices.study].declaration[own.name]
        is_planned = own.of == "planned choice"
        return choice.say(choice.planned if is_planned else judged.choices[own.name]), ""
    values, problem = _values(own, judged)
    if problem:
        return "", problem
    told = np.abs(values) if own.is_absolute else values
    texts = [
        _count(int(v), in_digits=in_digits) if own.of in COUNTS else number(float(v), own.decimals)
        for v in told
    ]
    if np.isnan(values).any():
        return "", f"There is no number for {_about(own, judged)}."
    if len(set(texts)) > 1:
        return "", (
            f"The document does not determine the {_OF.get(own.of, own.of)} of "
            f"{_about(own, judged)}: "
            f"{number(float(told.min()), own.decimals)} to "
            f"{number(float(told.max()), own.decimals)} over {len(texts)} reconstructions."
        )
    return texts[0], ""


_OF = {
    "lowest": "lowest estimate",
    "highest": "highest estimate",
    "claims": "number",
    "count": "number with this verdict",
    "changed": "number with another verdict",
    "planned measure": "planned value",
    "measure": "value",
}
"""What a number is, in words, where its own name is none."""


def _about(own: Number, judged: Judged) -> str:
    """Name what a number is of: never the pattern of keys that finds it."""
    if not own.claims:
        return own.name
    at = judged.matching(own.claims)
    names = [judged.titles[judged.keys[k]] for k in at]
    if len(names) <= MANY:
        return listed(names)
    return f"{names[0]} and {len(names) - 1} claims like it"


def _count(value: int, *, in_digits: bool) -> str:
    return f"{value:,}" if in_digits and value else WORDS[value]


def _values(own: Number, judged: Judged) -> tuple[Array, str]:
    """Return a number from each panel, (R,), and why there is none."""
    none = np.full(len(judged.now), np.nan)
    if own.of in ("measure", "planned measure"):
        measures = judged.measures if own.of == "measure" else judged.planned_measures
        if own.name not in measures:
            return none, f"This panel has no {own.name!r}."
        return measures[own.name], ""
    at = judged.matching(own.claims)
    if not at.size:
        return none, _not_there(own.claims)
    estimate, planned = judged.estimate[:, at], judged.planned_estimate[:, at]
    # A move is told as the difference of the two numbers that a reader sees.
    moves = np.abs(estimate.round(own.decimals) - planned.round(own.decimals))
    found = {
        "estimate": estimate[:, 0],
        "lowest": estimate.min(axis=1),
        "highest": estimate.max(axis=1),
        "smallest move": moves.min(axis=1),
        "largest move": moves.max(axis=1),
        "claims": np.full(len(judged.now), float(at.size)),
        "count": np.isin(judged.now[:, at], [v.value for v in own.verdicts]).sum(axis=1),
        "changed": (judged.now[:, at] != judged.planned[:, at]).sum(axis=1),
    }[own.of]
    return np.asarray(found, dtype=np.float64), _undetermined(own, judged, at)


def _undetermined(own: Number, judged: Judged, at: NDArray[np.int64]) -> str:
    """Name claims that a count rests on and that the document does not determine."""
    if own.of not in ("count", "changed"):
        return ""
    unsure = at[~judged.certain[at]]
    return f"The document does not determine {_names(judged, unsure)}." if unsure.size else ""
