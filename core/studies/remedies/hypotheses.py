"""Registered criteria held against a panel's rows, for the hypotheses whose criterion is a rule.

Where the document prints no criterion, or only an estimate was registered, nothing is decided here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np
import polars as pl

from core.choices import Choices
from core.reference import table
from core.studies.remedies import (
    attributes,
    audit,
    baseline,
    channels,
    disparity,
    distances,
    edits,
    mitigation,
    recognition,
)
from core.studies.remedies.contract import STUDY
from core.studies.remedies.design import CONTRASTS, families
from core.studies.remedies.estimate import analyse, panel_of
from core.studies.remedies.reduce import Statistics
from core.studies.remedies.scales import deciders
from core.verdicts import Verdict
from core.words import number, percent, signed

Answer = tuple[str, bool | None]
"""What the rows give, in words, and whether the criterion is met; None where they give nothing."""

NOTHING: Answer = ("the panel has no such rows", None)

NO_RATIO: Answer = ("the vote’s D is zero in some resamples: the ratio has no upper end", None)

EDUCATION, SES = CONTRASTS[1], CONTRASTS[2]


def bound(name: str) -> float:
    """Read a registered bound."""
    rows = table(STUDY, "bounds")
    return float(rows.filter(pl.col("bound_id") == name)["value"][0])


def _graded_systems(statistics: Statistics, panel: str) -> list[str]:
    found = [d.system for d in deciders(statistics, panel)]
    return [s for s in dict.fromkeys(found) if not statistics.gives_labels(s)]


def _h1(statistics: Statistics, choices: Choices) -> Answer:
    panel = panel_of(statistics, choices)
    for system in _graded_systems(statistics, panel):
        found = distances.excess(statistics, panel, system, choices)
        if isinstance(found, str):
            return found, None
        low, high = found.interval(1 - choices.number("alpha"))[0]
        said = f"excess {percent(found.estimate[0], 1)} [{percent(low, 1)}, {percent(high, 1)}]"
        return said, bool(found.estimate[0] < bound("h1_5pct") / 100)
    return NOTHING


def _h2(statistics: Statistics, choices: Choices) -> Answer:
    claims = analyse(statistics, choices).claims
    own = [
        verdict
        for claim, verdict in zip(claims.claims, claims.verdict, strict=True)
        if not statistics.gives_labels(claim.decider.system)
    ]
    if not own:
        return NOTHING
    count = sum(verdict == Verdict.SUPPORTED for verdict in own)
    return f"{count} of {len(own)} supported", count == len(own)


def _h3a(statistics: Statistics, choices: Choices) -> Answer:
    rows = disparity.residual_table(statistics, panel_of(statistics, choices), choices)
    wide = rows.drop_nulls("share").pivot("outcome", index="bank", values="share")
    if wide.is_empty():
        return NOTHING
    pairs = wide.select("argmax", "e_tier").rows()
    said = "; ".join(f"{number(a, 2)} to {number(e, 2)}" for a, e in pairs)
    return said, all(e < a for a, e in pairs)


def _h4(statistics: Statistics, choices: Choices) -> Answer:
    rows = disparity.disparity_table(statistics, panel_of(statistics, choices), choices)
    there = rows.filter((pl.col("hypothesis") == "H4") & (pl.col("reason") == ""))
    own = there.filter(pl.col("ratio_high").is_not_null())
    if own.is_empty():
        return NO_RATIO if there.height else NOTHING
    said = "; ".join(
        f"ratio {number(r['ratio'], 2)}, upper end {number(r['ratio_high'], 2)}"
        for r in own.iter_rows(named=True)
    )
    # The registered claim is that averaging is not superior: an upper end below 1 refutes it.
    stands = bool((own["ratio_high"] >= bound("h4_ratio_1")).all())
    return f"{said}; {'not refuted' if stands else 'refuted'}", stands


def _h6(statistics: Statistics, choices: Choices) -> Answer:
    rows = disparity.disparity_table(statistics, panel_of(statistics, choices), choices)
    known = pl.all_horizontal(pl.col("difference", "chosen_low", "chosen_high").is_not_null())
    own = rows.filter((pl.col("key") == "gpt_minus_jev") & known)
    if own.is_empty():
        return NOTHING
    row = own.row(0, named=True)
    ends = f"[{number(row['chosen_low'])}, {number(row['chosen_high'])}]"
    return f"{signed(row['difference'])} {ends}", row["chosen_low"] > 0


def _ha2(statistics: Statistics, choices: Choices) -> Answer:
    said, met = [], []
    for decider in channels.scored_deciders(statistics)[:1]:
        rows = channels.channel_table(statistics, decider, choices)
        for contrast in (EDUCATION, SES):
            own = dict(
                rows.filter(pl.col("key") == contrast.key)
                .drop_nulls("contribution")
                .select("family", "contribution")
                .iter_rows()
            )
            if not own:
                return NOTHING
            said.append(f"delivery {number(own['delivery'])}, content {number(own['content'])}")
            met.append(own["delivery"] == max(own[f] for f in set(families().values())))
    return ("; ".join(said), all(met)) if said else NOTHING


def _ha3(statistics: Statistics, choices: Choices) -> Answer:
    for decider in channels.scored_deciders(statistics)[:1]:
        found = recognition.recognised(statistics, decider, EDUCATION, choices)
        if found.reason:
            return found.reason, None
        row = found.table.filter(pl.col("cue") == "difference").row(0, named=True)
        if row["low"] is None:
            return NOTHING
        ends = f"[{number(row['low'])}, {number(row['high'])}]"
        return f"{signed(row['gap'])} {ends}", row["low"] > 0
    return NOTHING


def _r2(target: str, larger: str, smaller: str) -> Callable[[Statistics, Choices], Answer]:
    def work(statistics: Statistics, choices: Choices) -> Answer:
        for decider in channels.scored_deciders(statistics):
            if statistics.gives_labels(decider.system):
                continue
            rows = attributes.r2_table(statistics, decider, choices).drop_nulls("r2")
            remedies = pl.col("target").is_in([attributes.REMEDY, attributes.REMEDY_P2])
            own = rows.filter(remedies == (target == "remedy"))
            sides = [own.filter(pl.col("family") == f)["r2"].to_list() for f in (larger, smaller)]
            if not all(sides):
                return NOTHING
            one, other = (
                f"{f} {number(min(v), 2)} to {number(max(v), 2)}"
                for f, v in zip((larger, smaller), sides, strict=True)
            )
            return f"{one}; {other}", min(sides[0]) > max(sides[1])
        return NOTHING

    return work


def _edit(edit: str, sign: int) -> Callable[[Statistics, Choices], Answer]:
    def work(statistics: Statistics, choices: Choices) -> Answer:
        rows = edits.effect_table(statistics, choices)
        own = rows.filter(
            (pl.col("edit_id") == edit)
            & pl.col("outcome").is_in(["tier", choices.text("outcome")])
            & pl.col("low").is_not_null()
        )
        if own.is_empty():
            return NOTHING
        said = ", ".join(signed(v, 2) for v in own["effect"])
        ends = own["low"] if sign > 0 else own["high"]
        return said, bool((sign * ends > 0).all())

    return work


def _pc4(statistics: Statistics, choices: Choices) -> Answer:
    rows = edits.span_table(statistics, choices).drop_nulls("ratio")
    if rows.is_empty():
        return NOTHING
    said = ", ".join(f"{number(v, 0)} times" for v in rows["ratio"])
    return said, bool((rows["ratio"] >= bound("pc4_5x")).all())


def _mh1(statistics: Statistics, choices: Choices) -> Answer:
    rows = mitigation.arm_table(statistics, choices)
    rows = rows.filter((pl.col("outcome") == "graded") & (pl.col("arm") != "M2"))
    said, met = [], []
    for decider in mitigation.mitigated(statistics):
        if not statistics.gives_labels(decider.system):
            continue
        for contrast in (EDUCATION, SES):
            own = rows.filter(
                (pl.col("system_id") == decider.system) & (pl.col("key") == contrast.key)
            ).drop_nulls("value")
            if own.height < 2:
                return NOTHING
            before, after = own["value"].to_list()
            low = own["less_low"][1]
            said.append(f"{number(before)} to {number(after)}")
            met.append(low > 0 and abs(after) <= mitigation.HALF * abs(before))
    return ("; ".join(said), all(met)) if said else NOTHING


def _mpad(one: str, other: str) -> Callable[[Statistics, Choices], Answer]:
    def work(statistics: Statistics, choices: Choices) -> Answer:
        said, met = [], []
        for decider in mitigation.mitigated(statistics):
            found = mitigation.arms(statistics, decider, choices)
            if isinstance(found, str) or not found.has_third:
                return NOTHING
            first, second = (found.place(arm, mitigation.GAPS) for arm in (one, other))
            draws = found.totals[first] - found.totals[second]
            tail = choices.number("alpha") / 2
            low, high = np.quantile(draws, [tail, 1 - tail])
            value = found.rows[first].mean() - found.rows[second].mean()
            said.append(f"{number(value)} [{number(low)}, {number(high)}]")
            met.append(low > 0)
        return ("; ".join(said), all(met)) if said else NOTHING

    return work


def _mh3(statistics: Statistics, choices: Choices) -> Answer:
    rows = mitigation.retention_table(statistics, choices).drop_nulls("low")
    if rows.is_empty():
        return NOTHING
    said = ", ".join(number(v, 2) for v in rows["retention"])
    return said, bool((rows["low"] > bound("mh3_retention")).all())


def _fa1(statistics: Statistics, choices: Choices) -> Answer:
    rows = audit.other_flags(statistics, "edit", choices)
    own = rows.filter(~pl.col("who").is_in([audit.EITHER, audit.BOTH]))
    if own.is_empty():
        return NOTHING
    said = ", ".join(percent(v) for v in own["rate"])
    return said, bool((100 * own["rate"] >= bound("fa1_valid")).all())


def _db2(statistics: Statistics, choices: Choices) -> Answer:
    rows = baseline.reduction_table(statistics, choices).filter(
        (pl.col("decisions") == "fresh")
        & pl.col("key").is_in([EDUCATION.key, SES.key])
        & pl.col("low").is_not_null()
    )
    own = rows.filter(
        pl.col("system_id").is_in([s for s in rows["system_id"] if statistics.gives_labels(s)])
    )
    if own.is_empty():
        return NOTHING
    said = "; ".join(
        f"{number(r['reduction'])} [{number(r['low'])}, {number(r['high'])}]"
        for r in own.iter_rows(named=True)
    )
    return said, bool((own["low"] > 0).all())


CRITERIA: Mapping[str, Callable[[Statistics, Choices], Answer]] = MappingProxyType(
    {
        "H1": _h1,
        "H2": _h2,
        "H3a": _h3a,
        "H4": _h4,
        "H6": _h6,
        "H-A2": _ha2,
        "H-A3": _ha3,
        "H-A4": _r2("persona", "delivery", "content"),
        "H-A5": _r2("remedy", "content", "delivery"),
        "PC1": _edit("strengthen", 1),
        "PC2": _edit("weaken", -1),
        "PC4": _pc4,
        "MH1": _mh1,
        "MH2": _mpad("M0", "M1"),
        "MH3": _mh3,
        "MH5": _mpad("M1", "M2"),
        "FA1": _fa1,
        "DB2": _db2,
    }
)
"""Hypotheses whose criterion is printed, or plainly inferred, and is a rule."""


def decided_table(statistics: Statistics, choices: Choices) -> pl.DataFrame:
    """Hold the registered criteria against the rows: one row a hypothesis with a rule.

    Returns
    -------
    polars.DataFrame
        hypothesis; now (what the rows give, in words); verdict_now (supported, not supported or
        cannot compute).
    """
    rows = []
    for name, work in CRITERIA.items():
        said, met = work(statistics, choices)
        verdict = (
            Verdict.CANNOT_COMPUTE
            if met is None
            else Verdict.SUPPORTED
            if met
            else Verdict.NOT_SUPPORTED
        )
        rows.append((name, said, verdict.value))
    schema = dict.fromkeys(("hypothesis", "now", "verdict_now"), pl.String)
    return pl.DataFrame(rows, schema=schema, orient="row")
