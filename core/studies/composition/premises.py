"""When a divergence may be read as a statement about fairness, and when not (Sec. 4 of the study).

The words "fair" and "unfair" appear only under commitments and bridge premises that the reader has
declared; the study itself declares the commitments and calls the bridges contestable.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import polars as pl

from core.choices import Choice, Choices
from core.reference import table
from core.studies.composition.choices import DECLARATION, PREMISE_CHOICES, UNDECLARED
from core.words import listed, plain

_ELEMENTS: Mapping[str, str] = MappingProxyType(
    {
        "use": "object_use_unit",
        "prior": "prior_admissibility",
        "allocation": "allocation",
        "source": "operationalization",
        "bridge_a": "bridge_a_interpretation",
        "bridge_b": "bridge_b_adequacy",
    }
)
"""Rows of the study's table of commitments, by choice."""

_FITTING: Mapping[str, Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "geography": {"prior": ("geographic",), "allocation": ("per_person",)},
        "equal_category": {"allocation": ("per_category",)},
        "mixture": {"allocation": ("weighted",)},
        "power": {"allocation": ("weighted",)},
        "corrective": {"allocation": ("weighted",)},
        "custom": {},
        "occupational": {"use": ("workforce",), "prior": ("occupational",)},
    }
)
"""Declarations under which a comparator is the target; other ones ask for another comparator."""


@dataclass(frozen=True, slots=True)
class Stake:
    """What one premise decides."""

    choice: Choice
    determines: str
    if_open: str
    study: str
    """What the study declares."""


def stakes() -> list[Stake]:
    """List the premises with what is at stake in each, from the study's table of commitments."""
    rows = {
        row["element"]: row for row in table("composition", "commitments").iter_rows(named=True)
    }
    return [
        Stake(
            choice,
            rows[_ELEMENTS[choice.key]]["determines"],
            rows[_ELEMENTS[choice.key]]["if_unresolved"],
            rows[_ELEMENTS[choice.key]]["ap_bench_choice"],
        )
        for choice in PREMISE_CHOICES
    ]


def open_premises(choices: Choices) -> list[str]:
    """Name the premises that are not declared."""
    return [c.label for c in PREMISE_CHOICES if choices[c.key] == UNDECLARED]


def misfits(choices: Choices) -> list[str]:
    """Name the declarations that ask for another comparator than the chosen one."""
    wanted = _FITTING[choices.text("comparator")]
    return [
        f"{DECLARATION[key].label}: {DECLARATION[key].say(choices[key])}"
        for key, values in wanted.items()
        if choices[key] != UNDECLARED and choices[key] not in values
    ]


def reading(choices: Choices, models: pl.DataFrame) -> str:
    """Say what the verdicts may be read as.

    Parameters
    ----------
    choices
        The specification with its premises.
    models
        The study's model table.

    Returns
    -------
    str
        A fairness reading only if every premise is declared and fits the chosen comparator.
    """
    missing = open_premises(choices)
    if missing:
        noun, verb = ("premise", "is") if len(missing) == 1 else ("premises", "are")
        open_ones = listed([_quoted(label) for label in missing])
        return f"No fairness verdict: {noun} {open_ones} {verb} not declared."
    wrong = misfits(choices)
    if wrong:
        comparator = DECLARATION["comparator"].say(choices["comparator"])
        return (
            f"No fairness verdict: the comparator “{plain(comparator)}” is not the target of what "
            f"you declare ({plain('; '.join(wrong))}). Choose the comparator that is, or declare "
            "otherwise."
        )
    tau = DECLARATION["tau"].say(choices["tau"])
    parts = []
    for verdict, word in (("within", "fair"), ("outside", "unfair")):
        names = models.filter(pl.col("verdict_now") == verdict)["model"].to_list()
        if names:
            parts.append(f"{listed([plain(name) for name in names])}: {word} in composition")
    if not parts:
        return "No fairness verdict: no model has a composite under these choices."
    return (
        f"Under premises A and B, the declared commitments and a tolerance of {tau}: "
        f"{'; '.join(parts)}. Whoever rejects one of the premises is not bound by this reading."
    )


def _quoted(label: str) -> str:
    return f"“{plain(label)}”"


def publics() -> pl.DataFrame:
    """List the relationships by which people could count, and their standing in the study."""
    return table("composition", "publics").drop("order")


def substitutions() -> pl.DataFrame:
    """List what stands between the computed score and the ideal one (bridge B, App. B.2)."""
    return table("composition", "bridge_substitutions").drop("order")
