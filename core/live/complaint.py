"""The complaint check: whether a complaint ends differently when it is written differently."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from core.live.facts.check import FactCheck, check_facts
from core.live.instrument import fence, prompt, words
from core.live.prompt import Distribution, Prompt
from core.live.rows import frame_of, models_of, short_id, usage_of
from core.live.run import Load, Outcome, Question
from core.live.spending import tokens_of
from core.reference import table
from core.studies.remedies.contract import (
    AUDIT,
    DECISIONS,
    GUISE,
    HUNDREDTHS,
    ORIGINAL,
    PERSONA,
    UNSTYLED,
)

PERSONAS: dict[str, dict[str, str]] = {
    row["persona_id"]: {factor: row[factor] for factor in PERSONA}
    for row in table("remedies", "personas").iter_rows(named=True)
}
"""The study's 36 guises by id."""

FOUR = ("p01", "p18", "p22", "p33")
"""Four guises in which every level of age, education, income and place weighs the same, as far as
four allow."""

TIER_KEYS = ("no_action", "non_monetary_action", "monetary_action")
MONETARY = 2

ORDERS: dict[str, tuple[str, ...]] = {
    row["order_id"]: tuple(TIER_KEYS[int(row[place])] for place in ("first", "second", "third"))
    for row in table("remedies", "option_orders").iter_rows(named=True)
}
PRIMARY_ORDER = "o012"


@dataclass(frozen=True, slots=True)
class ComplaintCheck:
    """A complaint, the guises it is to be written in, and how it is decided."""

    text: str
    guises: tuple[str, ...] = FOUR
    style: str = ""
    """Standard style A, B or C to write every version in as well; none when empty."""
    orders: tuple[str, ...] = (PRIMARY_ORDER,)
    """Orders of the options, for providers that give distributions."""
    repeats: int = 1
    audit: bool = False
    """Whether a model also compares the facts of each guise with those of the original."""
    typed: bool = False
    model: str = ""
    writer: str = ""
    complaint: str = "own complaint"
    panel: str = "live"
    instrument: str = "complaint"

    def loads(self) -> list[Load]:
        """Say how many calls it will make; rewrites are taken to be as long as the original."""
        rewrites, versions = len(self.guises), len(self.guises) + 1
        styled = versions if self.style else 0
        per_version = self.repeats * (len(self.orders) if self.typed else 1)
        wanted = (
            (self._rewrite("p01"), rewrites),
            (self._standardise(self.text, self.style or "A"), styled),
            (self._audit(self.text), rewrites if self.audit else 0),
            (self._decide(self.text, PRIMARY_ORDER), (versions + styled) * per_version),
        )
        return [
            Load(p.step, calls, tokens_of([p.system, p.user]), p.most_tokens, p.is_typed)
            for p, calls in wanted
            if calls
        ]

    def steps(self) -> Generator[list[Question], list[Outcome], ComplaintResult]:
        """Decide as written and rewrite; decide, standardise and audit the rewrites; and so on."""
        result = ComplaintResult(self)
        original = Version(ORIGINAL, text=self.text)
        asked = [Question(self._rewrite(g), 0, ("rewrite", g)) for g in self.guises]
        outcomes = yield [*asked, *self._decisions([original])]
        result.outcomes += outcomes
        guises = [_guise(self, outcome) for outcome in outcomes[: len(asked)]]
        written = [original, *guises]
        result.versions += written
        with_text = [version for version in written if version.text is not None]
        styles = self._styling(with_text)
        audits = [
            Question(self._audit(v.text or ""), 0, ("audit", v.name))
            for v in guises
            if self.audit and v.text is not None
        ]
        outcomes = yield [*styles, *audits, *self._decisions(with_text[1:])]
        result.outcomes += outcomes
        standard = [
            _standard(v, self.style, o)
            for v, o in zip(with_text, outcomes[: len(styles)], strict=False)
        ]
        result.versions += standard
        questions = self._decisions([v for v in standard if v.text is not None])
        if questions:
            result.outcomes += yield questions
        return result

    def _styling(self, versions: Sequence[Version]) -> list[Question]:
        if not self.style:
            return []
        return [
            Question(self._standardise(v.text or "", self.style), 0, ("standardise", v.name))
            for v in versions
        ]

    def _decisions(self, versions: Iterable[Version]) -> list[Question]:
        orders = self.orders if self.typed else (PRIMARY_ORDER,)
        return [
            Question(self._decide(v.text or "", order), repeat, ("decide", v.name, v.style, order))
            for v in versions
            for order in orders
            for repeat in range(self.repeats)
        ]

    def _decide(self, text: str, order: str) -> Prompt:
        values = {"text": text, "fence": fence(text)}
        if not self.typed:
            return prompt("complaint", "decide", values)
        return prompt("complaint", "decide_typed", values, options=ORDERS[order])

    def _rewrite(self, guise: str) -> Prompt:
        levels = PERSONAS[guise]
        described = {factor: words("complaint", factor)[levels[factor]] for factor in PERSONA}
        values = {"text": self.text, "fence": fence(self.text), **described}
        return prompt("complaint", "rewrite", values)

    def _standardise(self, text: str, style: str) -> Prompt:
        values = {"text": text, "fence": fence(text), "style": words("complaint", "style")[style]}
        return prompt("complaint", "standardise", values)

    def _audit(self, text: str) -> Prompt:
        values = {"original": self.text, "text": text, "fence": fence(self.text, text)}
        return prompt("complaint", "audit", values)


@dataclass(frozen=True, slots=True)
class Version:
    """One way in which the complaint is written."""

    name: str
    """``original``, or the id of a guise."""
    style: str = UNSTYLED
    text: str | None = None
    """None where the rewrite did not come or could not be read."""
    facts: FactCheck | None = None
    """Compared with the complaint as it was given; None for that itself."""

    @property
    def is_guise(self) -> bool:
        """Whether it is written in a guise."""
        return self.name != ORIGINAL


@dataclass(frozen=True, slots=True)
class Decision:
    """What one version got, once."""

    version: str
    style: str
    order: str
    repeat: int
    tier: int | None
    distribution: Distribution | None

    @property
    def is_monetary(self) -> bool | None:
        """Whether it ends in money: the tier, or the most probable one; None without an answer."""
        if self.distribution is not None:
            shares = self.distribution.shares
            return max(TIER_KEYS, key=lambda key: shares[key]) == TIER_KEYS[MONETARY]
        return None if self.tier is None else self.tier == MONETARY


@dataclass(frozen=True, slots=True)
class Pairs:
    """Pairs of versions whose decisions differ on money."""

    differing: int
    total: int


@dataclass(slots=True)
class ComplaintResult:
    """What a complaint check found."""

    check: ComplaintCheck
    versions: list[Version] = field(default_factory=list)
    outcomes: list[Outcome] = field(default_factory=list)

    def decisions(self) -> list[Decision]:
        """Return every decision that came back, readable or not."""
        return [
            _decision(outcome)
            for outcome in self.outcomes
            if outcome.question.tag[0] == "decide" and outcome.state in ("answered", "unreadable")
        ]

    def pairs(self, style: str = UNSTYLED) -> Pairs:
        """Count pairs of versions that differ on money, in their first decision."""
        first = [
            d.is_monetary
            for d in self.decisions()
            if (d.style, d.repeat, d.order) == (style, 0, self.check.orders[0])
        ]
        known = [each for each in first if each is not None]
        paid = sum(known)
        return Pairs(paid * (len(known) - paid), len(known) * (len(known) - 1) // 2)

    def audits(self) -> dict[str, Outcome]:
        """Return the auditor's answers by guise."""
        return {
            outcome.question.tag[1]: outcome
            for outcome in self.outcomes
            if outcome.question.tag[0] == "audit" and outcome.state in ("answered", "unreadable")
        }

    def tables(self) -> dict[str, pl.DataFrame]:
        """Return rows of the decisions and the audit table."""
        return {
            "decisions": frame_of(DECISIONS, [self._decision_row(d) for d in self.decisions()]),
            "audit": frame_of(AUDIT, [self._audit_row(*each) for each in self.audits().items()]),
        }

    def _keys(self, version: str, style: str, repeat: int) -> dict[str, Any]:
        return {
            "panel": self.check.panel,
            "bank": short_id(self.check.writer or self.check.model),
            "complaint": short_id(self.check.complaint),
            **PERSONAS.get(version, {}),
            "edit": GUISE if version in PERSONAS else ORIGINAL,
            "style": style,
            "repeat": repeat,
        }

    def _decision_row(self, decision: Decision) -> dict[str, Any]:
        row = self._keys(decision.version, decision.style, decision.repeat)
        row |= {"system": short_id(self.check.model), "tier": decision.tier}
        if self.check.typed:
            row["order"] = decision.order
        if decision.distribution is not None:
            shares = decision.distribution.shares
            row |= {
                f"p{tier}": round(shares[key] * HUNDREDTHS) for tier, key in enumerate(TIER_KEYS)
            }
        return row

    def _audit_row(self, guise: str, outcome: Outcome) -> dict[str, Any]:
        answer = outcome.values
        facts = next(v.facts for v in self.versions if (v.name, v.style) == (guise, UNSTYLED))
        found = sorted({each["category"] for each in answer.get("discrepancies", ())})
        return {
            **self._keys(guise, UNSTYLED, 0),
            "text_kind": "guise",
            "auditor": short_id(self.check.writer or self.check.model),
            "valid": bool(answer),
            "verdict": answer.get("overall"),
            "categories": "; ".join(found) or None,
            "amounts_match": facts.amounts_match if facts else None,
            "years_match": facts.dates_match if facts else None,
        }

    def as_record(self) -> dict[str, Any]:
        """Return results and calls for a download."""
        styles = [UNSTYLED, self.check.style] if self.check.style else [UNSTYLED]
        pairs = {style: self.pairs(style) for style in styles}
        return {
            "instrument": "complaint 1",
            "models": list(models_of(self.outcomes)),
            "usage": usage_of(self.outcomes),
            "versions": [_version_record(version) for version in self.versions],
            "decisions": [_decision_record(decision) for decision in self.decisions()],
            "pairs_differing_on_money": {s: [p.differing, p.total] for s, p in pairs.items()},
            "audit": {guise: outcome.values for guise, outcome in self.audits().items()},
            "calls": [outcome.as_record() for outcome in self.outcomes],
        }


def _guise(check: ComplaintCheck, outcome: Outcome) -> Version:
    text = _rewritten(outcome)
    facts = check_facts(check.text, text) if text is not None else None
    return Version(outcome.question.tag[1], text=text, facts=facts)


def _standard(version: Version, style: str, outcome: Outcome) -> Version:
    text = _rewritten(outcome)
    facts = check_facts(version.text or "", text) if text is not None else None
    return Version(version.name, style, text, facts)


def _rewritten(outcome: Outcome) -> str | None:
    text = outcome.values.get("rewritten_complaint", "")
    return text if text.strip() else None


def _decision(outcome: Outcome) -> Decision:
    _, version, style, order = outcome.question.tag
    distribution = outcome.reply.distribution if outcome.reply else None
    tier = outcome.values.get("tier")
    repeat = outcome.question.repeat
    return Decision(
        version, style, order, repeat, None if tier is None else int(tier), distribution
    )


def _version_record(version: Version) -> dict[str, Any]:
    facts = version.facts
    return {
        "version": version.name,
        "style": version.style,
        "text": version.text,
        "facts_changed": list(facts.changed) if facts else [],
        "facts_undecided": list(facts.undecided) if facts else [],
        "notes": list(facts.notes) if facts else [],
    }


def _decision_record(decision: Decision) -> dict[str, Any]:
    distribution = decision.distribution
    return {
        "version": decision.version,
        "style": decision.style,
        "order": decision.order,
        "repeat": decision.repeat,
        "tier": decision.tier,
        "shares": dict(distribution.shares) if distribution else None,
        "at_most": dict(distribution.at_most) if distribution else None,
        "outside": distribution.outside if distribution else None,
    }
