"""What the studies are called, and which of their tables a page is drawn from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Study:
    """One study as a reader meets it."""

    name: str
    """Folder of its panels and reference tables, and module under `core.studies`."""
    label: str
    """Its name where there is little room."""
    title: str
    question: str
    asks: str
    """The question in full, for readers who know nothing of the study."""
    table: str
    """The table its page is drawn from."""
    path: str
    """Address of its page; unlike the page's file name."""
    views: tuple[str, ...]
    """View settings in a link of its page, such as the model in focus; no choices."""
    parts: Mapping[str, tuple[str, ...]] = field(hash=False)
    """Parts of the page that a view setting opens, by setting; reports leave them out."""


STUDIES: tuple[Study, ...] = (
    Study(
        name="composition",
        label="Composition",
        title="Who gets generated?",
        question="Generated characters against census, equal, occupational and other shares",
        asks="When a language model makes up people, how far do their sex, race, religion and "
        "sexual orientation lie from the shares they are compared with?",
        table="cells",
        path="who-is-generated",
        views=("focus", "detail", "cell", "section", "beside"),
        parts={
            "detail": ("curves", "cells"),
            "section": (
                "Uncertainty",
                "Missing labels",
                "Occupations",
                "Several comparators",
                "Premises",
                "Published only",
                "Another panel",
            ),
        },
    ),
    Study(
        name="clauses",
        label="Clauses",
        title="Which verdicts survive?",
        question="The same contract clause with the party roles swapped: gate, margin, second run",
        asks="Does a language model rate the same contract clause less fair when it favours the "
        "stronger party, and is it the parties’ names that make the difference?",
        table="determinations",
        path="contract-clauses",
        views=("run", "focus", "hypothesis", "section", "beside"),
        parts={
            "section": (
                "Equivalence",
                "First run against second",
                "Clause groups",
                "One clause left out",
                "Direction and missing answers",
                "What was corrected",
                "Mirror check",
                "Published only",
                "Another panel",
            ),
        },
    ),
    Study(
        name="filenames",
        label="File names",
        title="Does a label move the mark?",
        question="The same text under another filename: label effects by judge",
        asks="Does a language model that marks texts give the same text another mark when the "
        "file’s name says that somebody else wrote it?",
        table="scores",
        path="filename-labels",
        views=("focus", "section", "beside"),
        parts={
            "section": (
                "Text by text",
                "Persistent or specific",
                "Every text and label",
                "Marks",
                "My own contrast",
                "Planner",
                "Published only",
                "Another panel",
            ),
        },
    ),
    Study(
        name="remedies",
        label="Remedies",
        title="Same facts, another remedy?",
        question="The same complaint in another style: gaps, instability, and the rule that pays",
        asks="Does a language model that decides complaints grant another remedy for the same "
        "facts when the complaint is written in another style?",
        table="decisions",
        path="complaint-styles",
        views=("section", "quantity", "contrast", "beside"),
        parts={
            "section": (
                "Two scales",
                "Materiality",
                "Rules",
                "Sources of variation",
                "Disparity D",
                "Same complaint apart",
                "Referral",
                "Fact edits",
                "Mitigation",
                "Channels",
                "Audit",
                "Registration",
                "Published only",
                "Another panel",
            ),
            "quantity": ("gap", "h", "air"),
            "contrast": ("old_minus_young", "college_minus_high_school", "high_minus_low_ses"),
        },
    ),
)


def study(name: str) -> Study:
    """Find a study by its name."""
    return next(study for study in STUDIES if study.name == name)
