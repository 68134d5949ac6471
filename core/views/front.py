"""The front door: for each study one choice with two values, between which a verdict flips."""

from __future__ import annotations

from dataclasses import dataclass

from core.choices import Choice, Choices, Value
from core.studies.about import Study, study
from core.studies.clauses.choices import INTERVAL_ALONE
from core.studies.composition.choices import EQUAL
from core.views.every import STUDIES
from core.words import listed, lowered


@dataclass(frozen=True, slots=True)
class Swap:
    """One choice that a reader swaps."""

    study: Study
    key: str
    """The choice."""
    values: tuple[Value, Value]
    """The planned value and another one."""
    around: tuple[tuple[str, Value], ...] = ()
    """Choices that depart from planned on both sides, and are said beside it."""
    is_alone: bool = False
    """Whether printed figures settle what is told, so that no other panel has to be read."""

    @property
    def choice(self) -> Choice:
        """The choice that is swapped."""
        return STUDIES[self.study.name].declaration[self.key]

    @property
    def label(self) -> str:
        """Name the choice, with what departs around it."""
        declaration = STUDIES[self.study.name].declaration
        said = [
            f"{lowered(declaration[key].label)} {declaration[key].say(value)} (planned: "
            f"{declaration[key].say(declaration[key].planned)})"
            for key, value in self.around
        ]
        return f"{self.choice.label}, at {', '.join(said)}" if said else self.choice.label

    @property
    def decides(self) -> str:
        """Name what the verdict hinges on, and say what that is; may hold Markdown."""
        declaration = STUDIES[self.study.name].declaration
        names = [lowered(declaration[key].label) for key in (self.key, *dict(self.around))]
        if len(names) > 1:
            named = f"**Decided by two choices together: {listed(names)}.**"
        else:
            named = f"**This one choice is enough to flip verdicts: {names[0]}.**"
        return f"{named} {self.choice.explained}"

    def choices(self, value: Value) -> Choices:
        """Return the specification with one of the two values."""
        planned = STUDIES[self.study.name].declaration.planned
        return planned.replace(**dict(self.around), **{self.key: value})


SWAPS: tuple[Swap, ...] = (
    Swap(
        study("composition"),
        "comparator",
        ("geography", EQUAL),
        around=(("tau", 0.5),),
        is_alone=True,
    ),
    Swap(study("clauses"), "gate", ("holm", INTERVAL_ALONE)),
    Swap(study("filenames"), "errors", ("HC3", "cluster")),
    Swap(
        study("remedies"),
        "gap_bound",
        (1.0, 0.5),
        is_alone=True,
    ),
)
"""In the order of the studies. Each flip is settled by printed figures or by every reconstruction:
the composites, both sets of verdicts about clauses, and the gap in education are printed."""
