"""Results of live checks as small tables and sentences for a page."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import polars as pl

from core.figures import figures
from core.live.character import CharacterResult
from core.live.clause import ClauseResult, place_among
from core.live.complaint import PERSONAS, TIER_KEYS, ComplaintResult
from core.live.filename import FilenameResult
from core.live.instrument import words
from core.live.providers.local import MODEL as SMALL
from core.live.rows import models_of, usage_of
from core.live.run import Outcome
from core.live.schema import expected
from core.live.spread import Difference, Spread
from core.panels.read import Panel
from core.studies.clauses.design import model_names
from core.studies.composition.sources import ATTRIBUTE_NAMES
from core.studies.filenames.contract import NEUTRAL
from core.studies.remedies.contract import UNSTYLED
from core.words import counted, listed, number, signed

ROLE = "neutral_role"
NOT_REPORTED = "not reported"
ANECDOTE = (
    "A live check is an anecdote: one text, one model, a few repeats. It enters no panel and no "
    "verdict."
)

LONGEST = 20_000
"""Most characters of a text that is checked."""


def too_long(what: str, found: int) -> str:
    """Say that a text is too long to be checked, and what to do."""
    return (
        f"This {what} has {found:,} characters; at most {LONGEST:,} are checked, since every "
        f"version of it is sent whole and more than once. Nothing is sent, and the {what} stays in "
        f"its box: shorten it by {counted(found - LONGEST, 'character')}, or check its parts one "
        "by one."
    )


TIERS = ("no action", "action without payment", "payment")


def when(at: float) -> str:
    """Write a moment in universal time."""
    return f"{datetime.fromtimestamp(at, UTC):%Y-%m-%d %H:%M} UTC"


def age(seconds: float) -> str:
    """Write how old something is, in its largest unit."""
    for unit, length in (("day", 86_400), ("hour", 3_600), ("minute", 60)):
        if seconds >= length:
            return counted(int(seconds // length), unit)
    return counted(max(int(seconds), 0), "second")


def about_calls(outcomes: Sequence[Outcome], *, now: float) -> list[str]:
    """Say which model answered, at what use, from when, and what did not work."""
    models = models_of(outcomes)
    lines = [f"Model as the server names it: {listed(models) or NOT_REPORTED}."]
    if len(models) > 1:
        lines.append(
            "The server named different models during this check: the repeats are not of one model."
        )
    usage = usage_of(outcomes)
    used = f"{usage[0]:,} tokens in, {usage[1]:,} out" if usage else NOT_REPORTED
    lines.append(f"Usage: {used}.")
    kept = [outcome for outcome in outcomes if outcome.from_cache]
    if kept:
        oldest = min(outcome.at for outcome in kept)
        lines.append(
            f"{len(kept)} of {counted(len(outcomes), 'answer')} from the cache; the oldest came "
            f"{age(now - oldest)} ago, {when(oldest)}."
        )
    return lines


def failures(outcomes: Sequence[Outcome]) -> list[str]:
    """Say what did not work: how many answers of each kind, why, and what to do."""
    said = {
        "unreadable": "that cannot be used",
        "failed": "that did not come",
        "not asked": "not asked for",
    }
    lines = []
    for state, text in said.items():
        reasons: dict[str, int] = {}
        for outcome in outcomes:
            if outcome.state == state:
                why = outcome.fault.sentence() if outcome.fault else outcome.parsed.why
                reasons[why] = reasons.get(why, 0) + 1
        lines += [f"{counted(n, 'answer')} {text}: {why}" for why, n in reasons.items()]
    return lines


def unusable(outcome: Outcome) -> str:
    """Say why a reply cannot be used: what was found, what was expected, and what to do."""
    why = outcome.fault.what if outcome.fault else outcome.parsed.why
    start = " ".join(outcome.raw.split())
    cut = f"{start[:BEGINNING]}…" if len(start) > BEGINNING else start
    begins = f" It begins “{cut}”." if start else ""
    schema = outcome.question.prompt.schema
    wanted = expected(schema) if schema else "the text that was asked for"
    return (
        f"This reply cannot be used. {why}{begins} Expected is {wanted}. Paste the model’s whole "
        "reply, or ask it again."
    )


BEGINNING = 60
"""Most characters of a reply that are quoted."""


def standing(states: Sequence[str]) -> str:
    """Say how many replies of a check by hand are there, and which cannot be used.

    Parameters
    ----------
    states
        Of the prompts in their order, as `Outcome.state`.
    """
    total = len(states)
    missing = states.count("waiting")
    bad = [str(at) for at, state in enumerate(states, 1) if state not in ("waiting", "answered")]
    readable = f"{total - missing - len(bad)} of {counted(total, 'reply', 'replies')} can be read"
    if bad:
        which = "number" if len(bad) == 1 else "numbers"
        readable += f"; {which} {listed(bad)} cannot"
    if missing:
        return (
            f"{readable}; {missing} of {total} replies are missing. Copy each prompt to a model, "
            "in a fresh conversation, and paste its whole reply. Hinge sends nothing."
        )
    return f"{readable}. None is missing. Hinge sent nothing."


def request_text(outcome: Outcome) -> str:
    """Write the request of a call as it was sent, without address and key."""
    return json.dumps(outcome.request or {}, indent=2, ensure_ascii=False)


# Clause


def _gap(gap: Difference, digits: int = 2) -> str:
    if gap.estimate is None:
        return gap.why
    if gap.low is None or gap.high is None:
        return f"{signed(gap.estimate, digits)} ({gap.why})"
    return (
        f"{signed(gap.estimate, digits)} (95% interval over repeats {signed(gap.low, digits)} to "
        f"{signed(gap.high, digits)})"
    )


def clause_headline(result: ClauseResult) -> str:
    """Answer the question of the clause check in one sentence."""
    gap = result.asymmetry(ROLE)
    if gap.estimate is None:
        return "No rating under the role names could be read on both sides, so nothing compares."
    strong, weak = result.check.presented[0].strong, result.check.presented[0].weak
    if gap.estimate == 0:
        return f"The clause is rated the same whether it favours {strong} or {weak}."
    side, other = (strong, weak) if gap.estimate > 0 else (weak, strong)
    points = number(abs(gap.estimate), 2)
    if gap.low is None or gap.high is None:
        return (
            f"The same words are rated {points} points less fair when they favour {side} than when "
            f"they favour {other}; there is {gap.why}."
        )
    if gap.low <= 0 <= gap.high:
        return (
            f"Nothing clear: the same words get {points} points less when they favour {side}, and "
            "the spread of the repeats is larger than that."
        )
    return (
        f"The same words are rated {points} points less fair when they favour {side} than when "
        f"they favour {other}."
    )


OPAQUE = (
    "Under Party A and Party B both variants are the same two texts, once each way round. Averaged "
    "over both ways, the true asymmetry is zero: what remains is the model’s own spread, a "
    "yardstick for the role names."
)


def clause_basis(result: ClauseResult) -> str:
    """Say on how many replies the headline rests, and what the names do beside labels."""
    groups = result.ratings_by()
    named = sum(len(spread.values) for key, spread in groups.items() if key[0] == ROLE)
    replies = counted(named, "reply", "replies")
    rests = f"The headline rests on {replies} under role names."
    if result.asymmetry(ROLE).estimate is None:
        rests = f"Read under role names: {replies}."
    gap, effect = result.opaque_asymmetry().estimate, result.names_effect()
    if gap is None or effect is None or not all(spread.values for spread in groups.values()):
        return (
            f"{rests} What the names do is not known: it takes a readable reply to the clause in "
            "every presentation, Party A and Party B both ways round."
        )
    return (
        f"{rests} What the names do: {signed(effect, 2)} points, the asymmetry under role names "
        f"minus {signed(gap, 2)} under Party A and Party B; no interval."
    )


def clause_rank(result: ClauseResult, panel: Panel) -> str:
    """Say where the asymmetry lies among a panel's clause groups, and who answered there.

    A panel of the small local model is named as such in the same sentence: a rank among its
    groups says little of how judges rate.
    """
    gap = result.asymmetry(ROLE).estimate
    if gap is None:
        return "The asymmetry under role names is not known, so this clause has no rank."
    place = place_among(gap, panel.frame)
    models = panel.frame["model"].unique().sort().to_list()
    answers = ", ".join(
        f"{model}, a small model of 135 million parameters" if model == SMALL else model
        for model in models
    )
    rank = (
        f"Of {counted(place.groups, 'clause group')} in {panel.name} ({panel.provenance.kind}, "
        f"answers of {answers}), {place.below} have a lower asymmetry under role names than this "
        "clause."
    )
    if SMALL not in models:
        return rank
    return f"{rank} So small a model shows how the check works, not how good judges rate."


def clause_gaps(result: ClauseResult) -> pl.DataFrame:
    """Tabulate the asymmetries: row, value, low, high, why."""
    rows = {
        "Role names": result.asymmetry(ROLE),
        "A is the first role": result.asymmetry("neutral_opaque", "strong"),
        "A is the second role": result.asymmetry("neutral_opaque", "weak"),
        "A and B, averaged": result.opaque_asymmetry(),
        "What the names do": Difference(
            result.names_effect(), why="role names minus A and B, averaged; no interval"
        ),
    }
    return _gap_frame(rows)


def _gap_frame(rows: Mapping[str, Difference]) -> pl.DataFrame:
    schema = {"row": pl.String, "value": pl.Float64, "low": pl.Float64, "high": pl.Float64}
    values = [(name, gap.estimate, gap.low, gap.high, gap.why) for name, gap in rows.items()]
    return pl.DataFrame(values, schema=schema | {"why": pl.String}, orient="row")


def clause_ratings(result: ClauseResult) -> pl.DataFrame:
    """Tabulate every presentation: labels, who is favoured by the words, ratings, who is said."""
    favoured = result.favoured()
    first = result.check.presented[0]
    sides = {"strong": first.strong, "weak": first.weak, "neither": "neither"}
    rows = []
    for key, spread in result.ratings_by().items():
        condition, party_a, variant = key
        labels = "role names"
        if condition != ROLE:
            labels = f"Party A is {sides[str(party_a)]}"
        said: Mapping[str, int] = favoured.get(key, {})
        rows.append(
            {
                "labels": labels,
                "the words favour": sides[variant],
                "ratings": ", ".join(format(value, ".3g") for value in spread.values) or "none",
                # In one column, so that the table fits on a phone.
                "mean; SD": f"{_mean(spread)}; {_sd(spread)}" if spread.values else _mean(spread),
                "said to be favoured": ", ".join(
                    f"{sides.get(side, side)} {n}" for side, n in sorted(said.items())
                ),
            }
        )
    return pl.DataFrame(rows)


def _mean(spread: Spread) -> str:
    return "no answer read" if spread.mean is None else number(spread.mean)


def _sd(spread: Spread) -> str:
    return "needs two answers" if spread.sd is None else number(spread.sd)


def clause_points(result: ClauseResult) -> pl.DataFrame:
    """List means of ratings for a chart: row, series, value, low, high (lowest and highest)."""
    table = clause_ratings(result)
    spreads = result.ratings_by().values()
    first = result.check.presented[0].strong
    return pl.DataFrame(
        [
            {
                "row": row["labels"],
                "series": "words favour the "
                + ("first role" if row["the words favour"] == first else "second role"),
                "value": spread.mean,
                "low": min(spread.values),
                "high": max(spread.values),
            }
            for row, spread in zip(table.iter_rows(named=True), spreads, strict=True)
            if spread.values
        ],
        schema=dict.fromkeys(("row", "series"), pl.String)
        | dict.fromkeys(("value", "low", "high"), pl.Float64),
    )


def printed_asymmetries() -> pl.DataFrame:
    """List the study's printed asymmetries under role names, with the intervals it prints."""
    names = model_names()
    found = [
        figure
        for name, figure in figures("clauses").items()
        if name.startswith(("clauses.v2.h1.", "clauses.v3.h1."))
        and figure.quantity == "group_level_mean_asymmetry"
    ]
    return pl.DataFrame(
        [
            {
                "run": figure.condition["run"],
                "model": names.get(figure.subject, figure.subject),
                "printed mean": number(figure.value, figure.decimals),
                "printed interval": "not printed"
                if figure.lower is None or figure.upper is None
                else f"{number(figure.lower, figure.decimals)} to "
                f"{number(figure.upper, figure.decimals)}",
            }
            for figure in found
        ]
    )


# Complaint


def complaint_headline(result: ComplaintResult) -> str:
    """Answer the question of the complaint check in one sentence."""
    pairs = result.pairs()
    if not pairs.total:
        return "Fewer than two versions got a decision that can be read, so no pair compares."
    if not pairs.differing:
        return (
            f"None of the {counted(pairs.total, 'pair')} of versions differs on money, as decided "
            "once each."
        )
    return (
        f"{pairs.differing} of the {counted(pairs.total, 'pair')} of versions differ on money: "
        "the same complaint, written otherwise, is paid or not."
    )


def complaint_versions(result: ComplaintResult) -> pl.DataFrame:
    """Tabulate every decision with what the rewrite did to the facts."""
    facts = {(v.name, v.style): v for v in result.versions}
    rows = []
    for d in result.decisions():
        version = facts[d.version, d.style]
        row: dict[str, Any] = {
            "version": d.version,
            "style": "as written" if d.style == UNSTYLED else f"style {d.style}",
            "repeat": d.repeat + 1,
        }
        if result.check.typed:
            shares = d.distribution.shares if d.distribution else {}
            row["order"] = d.order
            row |= {name: shares.get(key) for name, key in zip(TIERS, TIER_KEYS, strict=True)}
        else:
            row["decision"] = "none that can be read" if d.tier is None else TIERS[d.tier]
        row["facts"] = version.facts.sentence() if version.facts else "the original"
        rows.append(row)
    schema = dict.fromkeys(TIERS, pl.Float64) if result.check.typed else {}
    return pl.DataFrame(rows, schema_overrides=schema, infer_schema_length=None)


def complaint_notes(result: ComplaintResult) -> list[tuple[str, str, list[str]]]:
    """List every rewrite: its name, its text, and which facts changed."""
    found = []
    for version in result.versions:
        if version.is_guise or version.style != UNSTYLED:
            style = "" if version.style == UNSTYLED else f", style {version.style}"
            notes = list(version.facts.notes) if version.facts else []
            name = f"{version.name}{style}"
            found.append((name, version.text or "No rewrite that can be read.", notes))
    return found


def guise_names(guises: Sequence[str]) -> list[str]:
    """Name guises by their levels."""
    return [
        f"{guise}: "
        + ", ".join(words("complaint", factor)[level] for factor, level in PERSONAS[guise].items())
        for guise in guises
    ]


def complaint_audits(result: ComplaintResult) -> pl.DataFrame:
    """Tabulate what the auditor said of each guise."""
    return pl.DataFrame(
        [
            {
                "guise": guise,
                "overall": outcome.values.get("overall", "no answer that can be read"),
                "differences": "; ".join(
                    f"{each['category']} {each['kind']}: {each['description']}"
                    for each in outcome.values.get("discrepancies", ())
                ),
            }
            for guise, outcome in result.audits().items()
        ],
        schema=dict.fromkeys(("guise", "overall", "differences"), pl.String),
    )


# Filename


def filename_headline(result: FilenameResult) -> str:
    """Answer the question of the filename check in one sentence."""
    gaps = {name: g for name, g in result.against_neutral().items() if g.estimate is not None}
    if not gaps:
        return "No label can be compared with the neutral file name."
    marks = result.marks()
    steady = {name for name, spread in marks.items() if spread.sd == 0}
    clear = [
        name
        for name, gap in gaps.items()
        if (gap.low is not None and gap.low > 0)
        or (gap.high is not None and gap.high < 0)
        or ({name, NEUTRAL} <= steady and gap.estimate != 0)
    ]
    of = counted(len(gaps), "label")
    if not clear:
        return f"None of the {of} moves the mark of this text beyond the spread of its repeats."
    moved = [f"{name} ({signed(gaps[name].estimate or 0.0, 2)})" for name in clear]
    verb = "moves" if len(clear) == 1 else "move"
    return f"{len(clear)} of the {of} {verb} the mark of this text: {listed(moved)}."


def filename_marks(result: FilenameResult) -> pl.DataFrame:
    """Tabulate marks, spread and difference from neutral by label."""
    gaps = result.against_neutral()
    rows = []
    for name, spread in result.marks().items():
        gap = gaps.get(name)
        difference = "the reference" if name == NEUTRAL else "no neutral mark"
        rows.append(
            {
                "label": name,
                "marks": ", ".join(format(value, ".3g") for value in spread.values) or "none",
                "mean": _mean(spread),
                "SD": _sd(spread),
                "minus neutral": _gap(gap) if gap else difference,
            }
        )
    return pl.DataFrame(rows)


def filename_points(result: FilenameResult) -> pl.DataFrame:
    """List differences from neutral for a chart: row, series, value, low, high."""
    frame = _gap_frame(result.against_neutral()).drop("why")
    return frame.drop_nulls("value").with_columns(series=pl.lit("label minus neutral"))


# Character


def character_headline(result: CharacterResult) -> str:
    """Answer the question of the character check in one sentence."""
    texts = len(result.characters)
    if not texts:
        return "No text could be read to its end."
    mapped = {
        name: sum(
            n
            for category, n in result.counts(attribute).items()
            if category not in ("unspecified", "unmapped", "ambiguous", "failed")
        )
        for attribute, name in ATTRIBUTE_NAMES.items()
    }
    said = listed([f"{name.lower()} {n}" for name, n in mapped.items()])
    return f"Of {counted(texts, 'text')}, so many say it in their own words: {said}."


def character_counts(result: CharacterResult) -> pl.DataFrame:
    """Tabulate categories, and why there is none, by attribute."""
    rows = [
        {"attribute": name, "category": category, "texts": n}
        for attribute, name in ATTRIBUTE_NAMES.items()
        for category, n in result.counts(attribute).most_common()
    ]
    schema = {"attribute": pl.String, "category": pl.String, "texts": pl.Int64}
    return pl.DataFrame(rows, schema=schema)


def character_texts(result: CharacterResult) -> Iterator[tuple[str, pl.DataFrame]]:
    """List every text with what was taken from it."""
    for character in result.characters:
        rows = [
            {
                "attribute": ATTRIBUTE_NAMES[attribute],
                "label": trait.label or "–",
                "evidence": trait.evidence or "–",
                "counts as": trait.category,
                "why": trait.why or ("" if trait.verified else "whose words: unverified"),
            }
            for attribute, trait in character.traits.items()
        ]
        yield character.text or "The text could not be read.", pl.DataFrame(rows)
