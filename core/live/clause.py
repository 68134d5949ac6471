"""The clause check: how the rating of a clause changes when its parties swap places."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import polars as pl

from core.live.clause_texts import OWN, Presented
from core.live.instrument import fence, generator, prompt
from core.live.prompt import Prompt
from core.live.rows import frame_of, models_of, short_id, usage_of
from core.live.run import Load, Outcome, Question
from core.live.spending import tokens_of
from core.live.spread import Difference, Spread, difference
from core.panels.provenance import Provenance
from core.studies.clauses.contract import DETERMINATIONS

Order = Literal["reasoning_first", "number_first"]


@dataclass(frozen=True, slots=True)
class ClauseCheck:
    """A clause, or several, in all the ways in which they are to be rated."""

    presented: tuple[Presented, ...]
    repeats: int = 3
    order: Order = "reasoning_first"
    typed: bool = False
    """Whether the provider gives distributions instead of writing."""
    model: str = ""
    instrument: str = "clause"

    @property
    def steps_named(self) -> tuple[str, ...]:
        """The questions that are asked of each text."""
        return ("rate_typed", "favored_typed") if self.typed else (f"rate_{self.order}",)

    def loads(self) -> list[Load]:
        """Say how many calls it will make."""
        return [
            Load(step, self.repeats, tokens_of([p.system, p.user]), p.most_tokens, p.is_typed)
            for presented in self.presented
            for step in self.steps_named
            for p in [self._prompt(presented, step)]
        ]

    def steps(self) -> Generator[list[Question], list[Outcome], ClauseResult]:
        """Ask everything at once."""
        outcomes = yield self.questions()
        return ClauseResult(self, tuple(outcomes))

    def questions(self) -> list[Question]:
        """Word every question.

        The two variants under opaque labels are the same two texts, the other way round. They are
        asked apart all the same, as different repeats: one answer must not count for both.
        """
        return [
            Question(
                self._prompt(presented, step),
                self.repeats * (presented.variant == "weak") + repeat,
                (str(index), step, str(repeat)),
            )
            for index, presented in enumerate(self.presented)
            for step in self.steps_named
            for repeat in range(self.repeats)
        ]

    def _prompt(self, presented: Presented, step: str) -> Prompt:
        first, second = presented.parties
        values = {"text": presented.text, "first": first, "second": second}
        values |= {"framing": presented.framing, "fence": fence(presented.text)}
        return prompt("clause", step, values)


@dataclass(frozen=True, slots=True)
class Rating:
    """One answer about one presentation of a clause."""

    presented: Presented
    sample: int
    fairness: float | None
    favored: str | None
    """``strong``, ``weak``, ``neither``, or None."""
    parse: str
    if_repaired: float | None = None


@dataclass(frozen=True, slots=True)
class ClauseResult:
    """What a clause check found."""

    check: ClauseCheck
    outcomes: tuple[Outcome, ...]

    def ratings(self) -> list[Rating]:
        """Read every rating that was asked for and came back."""
        by_tag = {outcome.question.tag: outcome for outcome in self.outcomes}
        return [
            rating
            for index, presented in enumerate(self.check.presented)
            for sample in range(self.check.repeats)
            for rating in self._rating(presented, index, sample, by_tag)
        ]

    def _rating(
        self, presented: Presented, index: int, sample: int, by_tag: dict[tuple[str, ...], Outcome]
    ) -> Iterable[Rating]:
        found = [by_tag.get((str(index), s, str(sample))) for s in self.check.steps_named]
        came = [o for o in found if o is not None and o.state in ("answered", "unreadable")]
        if len(came) != len(found):
            return []
        read = _typed if self.check.typed else _written
        return [read(presented, sample, came)]

    def ratings_by(self) -> dict[tuple[str, str | None, str], Spread]:
        """Group readable ratings by condition, Party A and variant."""
        groups: dict[tuple[str, str | None, str], list[float]] = {}
        for presented in self.check.presented:
            groups.setdefault((presented.condition, presented.party_a, presented.variant), [])
        for r in self.ratings():
            if r.fairness is not None:
                key = (r.presented.condition, r.presented.party_a, r.presented.variant)
                groups[key].append(r.fairness)
        return {key: Spread(tuple(values)) for key, values in groups.items()}

    def asymmetry(self, condition: str, party_a: str | None = None) -> Difference:
        """Compare the weak-favouring variant with the strong-favouring one.

        Positive means that the same words are rated less fair when they favour the stronger party.
        """
        groups = self.ratings_by()
        sides = [groups.get((condition, party_a, v), Spread(())).values for v in ("weak", "strong")]
        return difference(*sides)

    def opaque_asymmetry(self) -> Difference:
        """Average the asymmetry over both ways of calling the parties Party A and Party B.

        Both ways hold the same two texts, so that anything but zero is the model's own spread: the
        yardstick for what the names do.
        """
        groups = self.ratings_by()
        sides = [
            [v for a in ("strong", "weak") for v in groups["neutral_opaque", a, variant].values]
            for variant in ("weak", "strong")
        ]
        return difference(*sides)

    def names_effect(self) -> float | None:
        """Return the asymmetry under role names minus that under opaque labels."""
        named, opaque = self.asymmetry("neutral_role").estimate, self.opaque_asymmetry().estimate
        return None if named is None or opaque is None else named - opaque

    def favoured(self) -> dict[tuple[str, str | None, str], Counter[str]]:
        """Count who is said to be favoured, by condition, Party A and variant."""
        counts: dict[tuple[str, str | None, str], Counter[str]] = {}
        for r in self.ratings():
            key = (r.presented.condition, r.presented.party_a, r.presented.variant)
            counts.setdefault(key, Counter())[r.favored or "not said"] += 1
        return counts

    def tables(self) -> dict[str, pl.DataFrame]:
        """Return rows of the determinations table."""
        run = f"live {self.check.order.replace('_', ' ')}"
        rows = [_row(rating, run, self.check) for rating in self.ratings()]
        return {"determinations": frame_of(DETERMINATIONS, rows)}

    def as_record(self) -> dict[str, Any]:
        """Return results and calls for a download."""
        return {
            "instrument": "clause 1",
            "order": self.check.order,
            "models": list(models_of(self.outcomes)),
            "usage": usage_of(self.outcomes),
            "ratings": {_key(key): s.as_record() for key, s in self.ratings_by().items()},
            "favoured": {_key(key): dict(counts) for key, counts in self.favoured().items()},
            "asymmetry_role": self.asymmetry("neutral_role").as_record(),
            "asymmetry_opaque": self.opaque_asymmetry().as_record(),
            "asymmetry_opaque_strong_is_a": self.asymmetry("neutral_opaque", "strong").as_record(),
            "asymmetry_opaque_weak_is_a": self.asymmetry("neutral_opaque", "weak").as_record(),
            "names_effect": self.names_effect(),
            "calls": [outcome.as_record() for outcome in self.outcomes],
        }


def _key(key: tuple[str, str | None, str]) -> str:
    return " / ".join(part for part in key if part)


def _typed(presented: Presented, sample: int, found: Sequence[Outcome]) -> Rating:
    rate, favour = (o.reply.distribution if o.reply else None for o in found)
    values = {str(mark): float(mark) for mark in range(11)}
    fairness = rate.expected(values) if rate else None
    favored = None
    if favour and rate:
        best = max(favour.shares, key=lambda key: favour.shares[key])
        names = dict(zip(("first", "second"), presented.parties, strict=True))
        favored = _side(presented, names.get(best, best))
    return Rating(presented, sample, fairness, favored, "failed" if rate is None else "clean")


def _written(presented: Presented, sample: int, found: Sequence[Outcome]) -> Rating:
    outcome = found[0]
    parsed = outcome.parsed
    if parsed.state == "clean":
        fairness, favored = parsed.values["fairness"], _side(presented, parsed.values["favored"])
        return Rating(presented, sample, float(fairness), favored, "clean")
    repaired = parsed.values.get("fairness")
    if parsed.state == "repairable" and repaired is not None:
        return Rating(presented, sample, None, None, "repairable", float(repaired))
    return Rating(presented, sample, None, None, "failed")


def _side(presented: Presented, name: str) -> str:
    return {presented.strong: "strong", presented.weak: "weak"}.get(name, "neither")


def _row(rating: Rating, run: str, check: ClauseCheck) -> dict[str, Any]:
    shown = rating.presented
    return {
        "run": run,
        "model": short_id(check.model),
        "archetype": short_id(shown.archetype),
        "family": short_id(shown.family),
        "variant": shown.variant,
        "condition": shown.condition,
        "labels": shown.situation.labels,
        "framing": shown.situation.framing,
        "party_a": shown.party_a,
        "field_order": check.order,
        "sample": rating.sample,
        "fairness": rating.fairness,
        "favored": rating.favored,
        "parse": rating.parse,
        "fairness_if_repaired": rating.if_repaired,
    }


@dataclass(frozen=True, slots=True)
class Place:
    """Where an asymmetry lies among the clause groups of a panel."""

    below: int
    groups: int
    """How many groups of the panel have a lower asymmetry, of how many."""


def is_same_instrument(check: ClauseCheck, provenance: Provenance) -> bool:
    """Say whether a panel's rows were asked the same way, so that ranks among them have sense."""
    manner = "typed" if check.typed else check.order
    is_of_a_model = provenance.kind in ("collected", "imported")
    return is_of_a_model and provenance.generator == generator("clause", manner)


def place_among(asymmetry: float, rows: pl.DataFrame, model: str | None = None) -> Place:
    """Find where an asymmetry under role names lies among the groups of a panel.

    Parameters
    ----------
    asymmetry
        Of the reader's clause.
    rows
        Rows of a determinations table of the same instrument.
    model
        Only this model's answers; all models' when None.
    """
    rows = rows.filter((pl.col("condition") == "neutral_role") & (pl.col("archetype") != OWN))
    if model is not None:
        rows = rows.filter(pl.col("model") == model)
    keys = ["run", "model", "archetype", "family"]
    means = rows.group_by(*keys, "variant").agg(pl.col("fairness").mean())
    sides = [
        means.filter(pl.col("variant") == variant).drop("variant") for variant in ("weak", "strong")
    ]
    pairs = sides[0].join(sides[1], on=keys, suffix="_strong").drop_nulls()
    gaps = pairs["fairness"] - pairs["fairness_strong"]
    return Place(int((gaps < asymmetry).sum()), len(gaps))
