"""Results in plain lines, for the command line."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from core.live.character import CharacterResult
from core.live.clause import ClauseResult
from core.live.complaint import TIER_KEYS, ComplaintResult
from core.live.filename import FilenameResult
from core.live.rows import models_of, usage_of
from core.live.run import Outcome
from core.live.spread import Difference, Spread
from core.studies.composition.sources import ATTRIBUTE_NAMES
from core.studies.remedies.contract import UNSTYLED

Result = ClauseResult | ComplaintResult | FilenameResult | CharacterResult


def lines_of(result: Result) -> list[str]:
    """Say what a check found, then how it was got."""
    if isinstance(result, ClauseResult):
        found = _clause(result)
    elif isinstance(result, ComplaintResult):
        found = _complaint(result)
    elif isinstance(result, FilenameResult):
        found = _filename(result)
    else:
        found = _character(result)
    return [*found, *about_calls(result.outcomes), "A live check is an anecdote, not a study."]


def about_calls(outcomes: tuple[Outcome, ...] | list[Outcome]) -> Iterator[str]:
    """Say which model answered, how often, at what use, and from when."""
    models = models_of(outcomes)
    yield f"Model: {', '.join(models) or 'not reported'}."
    if len(models) > 1:
        yield "The server named different models: the repeats are not of one model."
    usage = usage_of(outcomes)
    tokens = f"{usage[0]:,} in, {usage[1]:,} out" if usage else "not reported"
    yield f"Tokens: {tokens}."
    kept = [outcome for outcome in outcomes if outcome.from_cache]
    if kept:
        oldest = datetime.fromtimestamp(min(outcome.at for outcome in kept))
        when = f"the oldest of {oldest:%Y-%m-%d %H:%M}"
        yield f"{len(kept)} of {len(outcomes)} from the cache, {when}."
    for kind in ("unreadable", "failed", "not asked", "waiting"):
        those = [outcome for outcome in outcomes if outcome.state == kind]
        if those:
            first = those[0].fault.sentence() if those[0].fault else those[0].parsed.why
            yield f"{len(those)} {kind}; the first: {first}"


def _number(value: float | None, form: str = ".2f") -> str:
    return "cannot compute" if value is None else format(value, form)


def _spread(spread: Spread) -> str:
    values = ", ".join(format(value, ".4g") for value in spread.values)
    return f"{_number(spread.mean)} ({values or 'no answer'})"


def _gap(gap: Difference) -> str:
    if gap.estimate is None:
        return gap.why
    if gap.low is None or gap.high is None:
        return f"{gap.estimate:+.2f} ({gap.why})"
    return f"{gap.estimate:+.2f} (95% from {gap.low:+.2f} to {gap.high:+.2f})"


def _clause(result: ClauseResult) -> Iterator[str]:
    names = {"strong": "favouring the first role", "weak": "favouring the second role"}
    favoured = result.favoured()
    for key, spread in result.ratings_by().items():
        condition, party_a, variant = key
        how = "role names" if condition == "neutral_role" else f"Party A is the {party_a} party"
        who = ", ".join(f"{side} {n}" for side, n in sorted(favoured.get(key, {}).items()))
        yield f"{how}, {names[variant]}: {_spread(spread)}; said to be favoured: {who or '–'}"
    yield f"Asymmetry under role names: {_gap(result.asymmetry('neutral_role'))}"
    yield f"Asymmetry under Party A and B: {_gap(result.opaque_asymmetry())}"
    yield f"What the names do: {_number(result.names_effect(), '+.2f')}"


def _complaint(result: ComplaintResult) -> Iterator[str]:
    for d in result.decisions():
        if d.distribution is not None:
            got = ", ".join(f"{key} {d.distribution.shares[key]:.2f}" for key in TIER_KEYS)
        else:
            got = "no answer that can be read" if d.tier is None else f"tier {d.tier}"
        style = "" if d.style == UNSTYLED else f", style {d.style}"
        yield f"{d.version}{style}, repeat {d.repeat}: {got}"
    for version in result.versions:
        if version.facts is not None:
            yield f"Facts of {version.name}: {version.facts.sentence()}"
        elif version.is_guise and version.text is None:
            yield f"Facts of {version.name}: no rewrite that can be read."
    pairs = result.pairs()
    yield f"Pairs that differ on money: {pairs.differing} of {pairs.total}."
    if result.check.style:
        pairs = result.pairs(result.check.style)
        yield f"In style {result.check.style}: {pairs.differing} of {pairs.total}."
    for guise, outcome in result.audits().items():
        yield f"Auditor on {guise}: {outcome.values.get('overall', 'no answer that can be read')}."


def _filename(result: FilenameResult) -> Iterator[str]:
    for name, spread in result.marks().items():
        sd = "" if spread.sd is None else f", SD {spread.sd:.2f}"
        yield f"{name}: {_spread(spread)}{sd}"
    for name, gap in result.against_neutral().items():
        yield f"{name} minus neutral: {_gap(gap)}"


def _character(result: CharacterResult) -> Iterator[str]:
    from core.comparators import equal_category, geography

    for attribute, name in ATTRIBUTE_NAMES.items():
        counts = ", ".join(f"{c} {n}" for c, n in result.counts(attribute).most_common())
        yield f"{name}: {counts or 'no text'}"
        against = (("residents", geography), ("equal categories", equal_category))
        for words, comparator in against:
            bits = result.divergence(attribute, comparator)
            if bits is not None:
                yield f"  divergence from {words}: {bits:.3f} bits"
    if result.check.by_hand:
        yield "Whose words the evidence is was not asked: unverified."
