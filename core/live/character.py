"""The character check: who is written for a role in a place, against any comparator."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Generator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray

from core.live.categories import FIELDS, category_of, place_name
from core.live.character_typed import (
    NOT_ASKED,
    UNSETTLED,
    UNSPECIFIED,
    note,
    points_to,
    says,
    words_about,
)
from core.live.instrument import VERSIONS, fence, prompt
from core.live.prompt import Prompt
from core.live.rows import frame_of, models_of, short_id, usage_of
from core.live.run import Load, Outcome, Question
from core.live.spending import tokens_of
from core.stats.divergence import jensen_shannon
from core.studies.composition.contract import CELLS, EVIDENCE
from core.studies.composition.sources import declared_categories, resident_shares, role_name

Array = NDArray[np.float64]
Comparator = Callable[[Array], Array]
"""From resident-population shares to a comparator, as in `core.comparators`."""

UNMAPPED, AMBIGUOUS, FAILED = "unmapped", "ambiguous", "failed"

FOOTER = re.compile(
    r"^\W*(?:gender|race(?: or |/| and )ethnicity|religion|sexual orientation)\W*:.*$",
    re.IGNORECASE | re.MULTILINE,
)

TYPICAL_TEXT = 900
"""Characters of a generated text, for estimates."""


@dataclass(frozen=True, slots=True)
class CharacterCheck:
    """A role and a place, and how many characters are to be written."""

    role: str
    context: str
    """The study's code of the place, or its name where the study has none."""
    generations: int = 10
    regime: Literal["joint", "implicit"] = "joint"
    format: Literal["story", "character"] = "character"
    model: str = ""
    by_hand: bool = False
    """Whether whose words the evidence is goes unasked, and is marked unverified."""
    typed: bool = False
    """Whether what a text says is chosen among options instead of written."""
    instrument: str = "character"

    def loads(self) -> list[Load]:
        """Say how many calls it will make."""
        sample = "x" * TYPICAL_TEXT
        if self.typed:
            return [_load(self._write(), self.generations), *self._typed_loads(sample)]
        prompts = [self._write(), _extract(sample)]
        if not self.by_hand:
            prompts.append(_owner(sample, dict.fromkeys(FIELDS.values(), "x" * 30)))
        return [_load(p, self.generations) for p in prompts]

    def _typed_loads(self, sample: str) -> list[Load]:
        """Count every question that may be put, most of which are not."""
        asked = [
            p
            for attribute in FIELDS
            for p in (
                says(attribute, sample),
                says(attribute, sample, backwards=True),
                points_to(attribute, "x" * 30, sample),
                words_about(sample[:100], sample),
            )
        ]
        return [_load(p, self.generations) for p in asked]

    def steps(self) -> Generator[list[Question], list[Outcome], CharacterResult]:
        """Write, take out what is said, and ask of whom."""
        result = CharacterResult(self)
        write = self._write()
        written = yield [Question(write, i, ("write", str(i))) for i in range(self.generations)]
        texts = {o.question.repeat: o.reply.text for o in written if o.reply is not None}
        if self.typed:
            notes = yield from note(texts)
            result.outcomes += [*written, *notes.outcomes]
            result.characters += [
                _character(self, texts.get(i), notes.answers.get(i), notes.whose.get(i, {}))
                for i in _complete(written, notes.answers)
            ]
            return result
        noted = yield [
            Question(_extract(text), i, ("extract", str(i))) for i, text in texts.items()
        ]
        answers = {o.question.repeat: o.values for o in noted if o.values}
        owners = yield [
            Question(_owner(texts[i], evidence), i, ("owner", str(i)))
            for i, answer in answers.items()
            if not self.by_hand and any((evidence := _found(texts[i], answer)).values())
        ]
        whose = {o.question.repeat: o.values for o in owners if o.values}
        came = {o.question.repeat for o in noted if o.state in ("answered", "unreadable")}
        came -= {o.question.repeat for o in owners if o.state not in ("answered", "unreadable")}
        result.outcomes += [*written, *noted, *owners]
        result.characters += [
            _character(self, texts.get(i), answers.get(i), whose.get(i, {}))
            for i in _complete(written, came)
        ]
        return result

    def _write(self) -> Prompt:
        values = {"role": role_name(self.role), "place": place_name(self.context)}
        return prompt("character", f"write_{self.regime}_{self.format}", values)


@dataclass(frozen=True, slots=True)
class Trait:
    """What one text says of its main character in one respect."""

    label: str
    evidence: str
    category: str
    """A category of the source, or why there is none."""
    why: str = ""
    """Why a label does not count."""
    verified: bool = False
    """Whether a second question confirmed whose words they are."""
    footer_only: bool = False


@dataclass(frozen=True, slots=True)
class Character:
    """One generated text."""

    text: str | None
    status: str
    traits: dict[str, Trait]
    """By attribute."""


@dataclass(slots=True)
class CharacterResult:
    """What a character check found."""

    check: CharacterCheck
    characters: list[Character] = field(default_factory=list)
    outcomes: list[Outcome] = field(default_factory=list)

    def counts(self, attribute: str) -> Counter[str]:
        """Count categories, and why there is none, over all texts."""
        return Counter(character.traits[attribute].category for character in self.characters)

    def shares(self, attribute: str) -> Array | None:
        """Return the shares of the source's categories among mapped texts; None without any."""
        declared = declared_categories().get((attribute, self.check.context))
        if declared is None:
            return None
        counts = self.counts(attribute)
        mapped = np.array([counts[category] for category in declared], dtype=np.float64)
        return mapped / mapped.sum() if mapped.sum() else None

    def divergence(self, attribute: str, comparator: Comparator) -> float | None:
        """Return the divergence from a comparator in bits.

        Returns
        -------
        float or None
            None where no text was mapped, or the comparator is not defined here.
        """
        shares = self.shares(attribute)
        if shares is None:
            return None
        target = comparator(resident_shares()[attribute, self.check.context][None, :])[0]
        bits = float(jensen_shannon(shares, target))
        return None if np.isnan(bits) else bits

    def tables(self) -> dict[str, pl.DataFrame]:
        """Return rows of the cells and the evidence table."""
        cells, weak = [], []
        for attribute in FIELDS:
            for category, n in self.counts(attribute).items():
                cells.append({**self._keys(attribute), "category": category, "n": n})
            footer = Counter(
                trait.category
                for character in self.characters
                if (trait := character.traits[attribute]).footer_only
            )
            for category, n in footer.items():
                row = {"category": category, "evidence": "footer_only", "n": n}
                weak.append(self._keys(attribute) | row)
        return {"cells": frame_of(CELLS, cells), "evidence": frame_of(EVIDENCE, weak)}

    def _keys(self, attribute: str) -> dict[str, Any]:
        return {
            "model": short_id(self.check.model),
            "regime": self.check.regime,
            "attribute": attribute,
            "context": short_id(self.check.context),
            "format": self.check.format,
            "role": short_id(self.check.role),
        }

    def as_record(self) -> dict[str, Any]:
        """Return results and calls for a download."""
        return {
            "instrument": f"character {VERSIONS['character']}",
            "models": list(models_of(self.outcomes)),
            "usage": usage_of(self.outcomes),
            "counts": {attribute: dict(self.counts(attribute)) for attribute in FIELDS},
            "unverified": self.check.by_hand,
            "characters": [_character_record(character) for character in self.characters],
            "calls": [outcome.as_record() for outcome in self.outcomes],
        }


def _load(asked: Prompt, calls: int) -> Load:
    tokens_in = tokens_of([asked.system, asked.user])
    return Load(asked.step, calls, tokens_in, asked.most_tokens, asked.is_typed)


def _complete(written: Sequence[Outcome], noted: Collection[int]) -> list[int]:
    """List the texts of which nothing is missing: asked about, or not to be read at all."""
    return [
        o.question.repeat
        for o in written
        if o.state == "unreadable" or (o.state == "answered" and o.question.repeat in noted)
    ]


def _extract(text: str) -> Prompt:
    return prompt("character", "extract", {"text": text, "fence": fence(text)})


def _owner(text: str, evidence: dict[str, str]) -> Prompt:
    shown = {name: words or "(none)" for name, words in evidence.items()}
    return prompt("character", "owner", {"text": text, "fence": fence(text), **shown})


def _found(text: str, answer: dict[str, Any]) -> dict[str, str]:
    """Keep the evidence that stands in the text, word for word."""
    return {
        name: answer[name]["evidence"] if holds_evidence(text, answer[name]["evidence"]) else ""
        for name in FIELDS.values()
    }


def holds_evidence(text: str, evidence: str) -> bool:
    """Say whether evidence is a piece of the text, unchanged, and more than a sign or two."""
    return len(evidence.strip()) > 1 and evidence in text


def _character(
    check: CharacterCheck, text: str | None, answer: dict[str, Any] | None, whose: dict[str, Any]
) -> Character:
    if text is None or answer is None:
        trait = Trait("", "", FAILED, "the text or what is in it could not be read")
        return Character(text, FAILED, dict.fromkeys(FIELDS, trait))
    status = answer["protagonist_status"]
    traits = {
        attribute: _trait(check, attribute, text, status, answer[name], whose.get(name))
        for attribute, name in FIELDS.items()
    }
    return Character(text, status, traits)


def _trait(
    check: CharacterCheck,
    attribute: str,
    text: str,
    status: str,
    said: dict[str, str],
    owner: str | None,
) -> Trait:
    label, evidence = said["label"].strip(), said["evidence"]

    def none(category: str, why: str) -> Trait:
        return Trait(label, evidence, category, why)

    if label in UNSETTLED:
        return none(AMBIGUOUS, label)
    if status not in ("single_clear", NOT_ASKED):
        return none(AMBIGUOUS, "there is no single main character")
    if label.casefold() in ("", UNSPECIFIED):
        return none(UNSPECIFIED, "")
    if not holds_evidence(text, evidence):
        return none(UNSPECIFIED, "the evidence does not stand in the text")
    if not check.by_hand and owner != "protagonist":
        return none(UNSPECIFIED, "the words are not confirmed to be about the main character")
    category = category_of(attribute, check.context, label)
    if category is None:
        return none(UNMAPPED, "the label fits no category of the source, or several")
    footer_only = not holds_evidence(FOOTER.sub("", text), evidence)
    return Trait(label, evidence, category, verified=owner is not None, footer_only=footer_only)


def _character_record(character: Character) -> dict[str, Any]:
    return {
        "text": character.text,
        "status": character.status,
        "traits": {
            attribute: {
                "label": trait.label,
                "evidence": trait.evidence,
                "category": trait.category,
                "why": trait.why,
                "verified": trait.verified,
                "footer_only": trait.footer_only,
            }
            for attribute, trait in character.traits.items()
        },
    }
