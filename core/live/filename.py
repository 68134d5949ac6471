"""The filename check: how labels in a file's name move the mark of the same text."""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from core.live.faults import not_possible
from core.live.instrument import fence, prompt
from core.live.prompt import Prompt
from core.live.rows import frame_of, models_of, short_id, usage_of
from core.live.run import Load, Outcome, Question
from core.live.spending import tokens_of
from core.live.spread import Difference, Spread, difference
from core.reference import table
from core.studies.filenames.contract import NEUTRAL, SCORES

MODEL_FAMILIES = {
    "chatgpt": "openai",
    "gpt": "openai",
    "claude": "anthropic",
    "gemini": "google",
    "gemma": "google",
    "llama": "meta",
    "mistral": "mistral",
    "qwen": "alibaba",
    "deepseek": "deepseek",
    "kimi": "moonshot",
    "grok": "xai",
    "smollm": "huggingface",
}
"""Makers of models that a label may name."""

DEFAULT = tuple(table("filenames", "labels").filter(pl.col("study_1") == "1")["label"])
"""The labels of the study of human texts."""

LABEL = re.compile(r"[\w.-]{1,60}")


@dataclass(frozen=True, slots=True)
class Label:
    """What a file's name says."""

    name: str
    kind: str
    family: str | None = None

    @property
    def file(self) -> str:
        """The file's name."""
        if self.kind == NEUTRAL:
            return "Document.md"
        shown = dict(table("filenames", "labels").select("label", "filename_suffix").iter_rows())
        return f"Document{shown.get(self.name) or f'_from_{self.name}'}.md"


def label_of(name: str) -> Label:
    """Say what kind of label a name is.

    Raises
    ------
    LiveError
        If it could not stand in a file's name.
    """
    if not LABEL.fullmatch(name):
        raise not_possible(
            "label",
            f"The label {name[:40]!r} cannot stand in a file’s name.",
            "Use letters, digits, dots, hyphens and underscores.",
        )
    known = name.casefold()
    if known == NEUTRAL:
        return Label(NEUTRAL, NEUTRAL)
    if re.fullmatch(r"v\d+", known):
        return Label(known, "version")
    for model, family in MODEL_FAMILIES.items():
        if known.startswith(model):
            return Label(known if known in DEFAULT else name, "llm", family)
    studied = set(table("filenames", "labels")["label"])
    return Label(known if known in studied else name, "human")


@dataclass(frozen=True, slots=True)
class Marked:
    """A text to be marked, and what rows say of it."""

    text: str
    name: str = "own text"
    genre: str | None = None
    author_family: str = "human"


@dataclass(frozen=True, slots=True)
class FilenameCheck:
    """One text under several labels."""

    marked: Marked
    labels: tuple[Label, ...]
    repeats: int = 3
    typed: bool = False
    model: str = ""
    instrument: str = "filename"

    @property
    def _step(self) -> str:
        return "mark_typed" if self.typed else "mark"

    def _prompt(self, label: Label) -> Prompt:
        text = self.marked.text
        return prompt(
            "filename", self._step, {"text": text, "file": label.file, "fence": fence(text)}
        )

    def loads(self) -> list[Load]:
        """Say how many calls it will make."""
        prompts = [self._prompt(label) for label in self.labels]
        return [
            Load(self._step, self.repeats, tokens_of([p.system, p.user]), p.most_tokens, p.is_typed)
            for p in prompts
        ]

    def steps(self) -> Generator[list[Question], list[Outcome], FilenameResult]:
        """Ask everything at once."""
        outcomes = yield [
            Question(self._prompt(label), repeat, (label.name,))
            for repeat in range(self.repeats)
            for label in self.labels
        ]
        return FilenameResult(self, tuple(outcomes))


@dataclass(frozen=True, slots=True)
class FilenameResult:
    """What a filename check found."""

    check: FilenameCheck
    outcomes: tuple[Outcome, ...]

    def marks(self) -> dict[str, Spread]:
        """Return the marks under each label that could be read."""
        marks: dict[str, list[float]] = {label.name: [] for label in self.check.labels}
        for outcome in self.outcomes:
            mark = _mark(outcome)
            if mark is not None:
                marks[outcome.question.tag[0]].append(mark)
        return {name: Spread(tuple(values)) for name, values in marks.items()}

    def against_neutral(self) -> dict[str, Difference]:
        """Compare every label with the neutral one; empty where that was not asked."""
        marks = self.marks()
        if NEUTRAL not in marks:
            return {}
        base = marks[NEUTRAL].values
        return {n: difference(s.values, base) for n, s in marks.items() if n != NEUTRAL}

    def tables(self) -> dict[str, pl.DataFrame]:
        """Return rows of the scores table."""
        kinds = {label.name: label for label in self.check.labels}
        return {
            "scores": frame_of(
                SCORES, [self._row(outcome, kinds) for outcome in _came(self.outcomes)]
            )
        }

    def _row(self, outcome: Outcome, kinds: dict[str, Label]) -> dict[str, Any]:
        label = kinds[outcome.question.tag[0]]
        marked = self.check.marked
        return {
            "study": "1",
            "judge": short_id(self.check.model),
            "judge_family": family_of(self.check.model),
            "text": short_id(marked.name),
            "brief": None,
            "genre": marked.genre,
            "author_family": marked.author_family,
            "label": label.name,
            "label_kind": label.kind,
            "label_family": label.family,
            "repetition": outcome.question.repeat,
            "score": _mark(outcome),
        }

    def as_record(self) -> dict[str, Any]:
        """Return results and calls for a download."""
        return {
            "instrument": "filename 1",
            "models": list(models_of(self.outcomes)),
            "usage": usage_of(self.outcomes),
            "marks": {name: spread.as_record() for name, spread in self.marks().items()},
            "against_neutral": {n: d.as_record() for n, d in self.against_neutral().items()},
            "calls": [outcome.as_record() for outcome in self.outcomes],
        }


def _came(outcomes: Sequence[Outcome]) -> list[Outcome]:
    return [outcome for outcome in outcomes if outcome.state in ("answered", "unreadable")]


def _mark(outcome: Outcome) -> float | None:
    distribution = outcome.reply.distribution if outcome.reply else None
    if distribution is not None:
        return distribution.expected({str(mark): float(mark) for mark in range(11)})
    mark = outcome.values.get("mark")
    return None if mark is None else float(mark)


def family_of(model: str) -> str:
    """Return the maker of a model as far as its name tells; else the name itself."""
    name = model.casefold().rpartition("/")[2]
    found = (family for start, family in MODEL_FAMILIES.items() if name.startswith(start))
    return next(found, short_id(model))
