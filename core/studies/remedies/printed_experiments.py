"""Printed figures that rest on edits, standard styles, attributes, audits and the baseline."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np
import polars as pl

from core.figures import Figure, Found, Recomputed, Unavailable
from core.studies.remedies import attributes, audit, channels, edits, mitigation, recognition
from core.studies.remedies.design import CONTRASTS, families
from core.studies.remedies.printed_decisions import (
    differ,
    ends_of,
    rate_gap,
    rule_difference,
    tier_gap,
)
from core.studies.remedies.printed_rows import (
    LEVEL,
    RULE_OF,
    Rows,
    bounded,
    contrast_of,
    numbers,
    one_row,
)

EITHER_FLAG = "reading: flagged by either auditor, not weighted"
STRATA = "reading: weighted by stratum"
SPREAD = "reading: in pooled spreads of the same complaints’ guises"
REMEDIES = "reading: expected tier; ends over expected tier and p2"
TARGETS = "reading: smallest and largest over the inferred levels old, rural, college, high"

Quantity = Callable[[Rows, Figure], Found]


def _arm_ends(rows: Rows, figure: Figure, what: int, *, money: bool) -> Recomputed:
    """Take a number of one arm with its interval."""
    found = rows.arms_of(figure.subject)
    at = found.place(figure.condition["arm"], what, money=money)
    low, high = np.quantile(found.totals[at], [LEVEL / 2, 1 - LEVEL / 2])
    return Recomputed(float(found.rows[at].mean()), float(low), float(high))


def _less(rows: Rows, figure: Figure, what: int, *, money: bool = False) -> Recomputed:
    """Take one arm less another with its interval."""
    found = rows.arms_of(figure.subject)
    one, other = (
        found.place(arm, what, money=money)
        for arm in figure.condition["comparison"].removesuffix("_majority").split("_minus_")
    )
    draws = found.totals[one] - found.totals[other]
    low, high = np.quantile(draws, [LEVEL / 2, 1 - LEVEL / 2])
    value = found.rows[one].mean() - found.rows[other].mean()
    return Recomputed(float(value), float(low), float(high))


def _scaled(found: Recomputed, scale: float) -> Recomputed:
    value, lower, upper = (
        None if v is None else scale * v for v in (found.value, found.lower, found.upper)
    )
    return Recomputed(value, lower, upper, why=found.why)


def _tier_gap(rows: Rows, figure: Figure) -> Found:
    condition = figure.condition
    if "cue" in condition:
        return _recognised(rows, figure)
    if "guises" in condition:
        place = contrast_of(figure) + 3 * (condition["guises"] == "screened")
        return ends_of(rows.screened(figure.subject).gaps, place)
    if condition.get("panel") == "baseline100":
        return _baseline_gap(rows, figure)
    if "arm" in condition:
        return _arm_ends(rows, figure, contrast_of(figure), money=False)
    return tier_gap(rows, figure)


def _baseline_gap(rows: Rows, figure: Figure) -> Found:
    condition = figure.condition
    row = one_row(
        rows.reductions,
        system_id=figure.subject,
        decisions=condition["decisions"],
        key=condition["contrast"],
    )
    return float(row[condition["arm"].lower()])


def _recognised(rows: Rows, figure: Figure) -> Found:
    table = _cues(rows, figure)
    row = one_row(table, cue=figure.condition["cue"].replace("recognised_minus_ambiguous",
                                                             "difference"))  # fmt: skip
    return numbers(row, "gap", "low", "high")


def _cues(rows: Rows, figure: Figure) -> pl.DataFrame:
    contrast = CONTRASTS[contrast_of(figure)]
    found = recognition.recognised(rows.statistics, rows.decider(figure), contrast, rows.planned)
    if found.reason:
        raise Unavailable(found.reason)
    return found.table


def _rate_gap(rows: Rows, figure: Figure) -> Found:
    if "arm" in figure.condition:
        return _scaled(_arm_ends(rows, figure, contrast_of(figure), money=True), 100)
    return rate_gap(rows, figure)


def _disagreement(rows: Rows, figure: Figure) -> Found:
    condition = figure.condition
    if "guises" in condition:
        place = int(condition["guises"] == "screened")
        return 100 * float(rows.screened(figure.subject).differ.estimate[place])
    if "arm" in condition:
        return _scaled(_arm_ends(rows, figure, mitigation.GAPS, money=True), 100)
    return differ(rows, figure)


def _disagreement_difference(rows: Rows, figure: Figure) -> Found:
    if figure.condition["comparison"].startswith("M0"):
        return _scaled(_less(rows, figure, mitigation.GAPS, money=True), 100)
    return rule_difference(rows, figure)


def _largest_tier_gap(rows: Rows, figure: Figure) -> Found:
    found = rows.arms_of(figure.subject)
    gaps = [
        abs(float(found.rows[found.place(figure.condition["arm"], k)].mean()))
        for k in range(mitigation.GAPS)
    ]
    return bounded(figure, max(gaps))


def _mpad(rows: Rows, figure: Figure) -> Found:
    return _arm_ends(rows, figure, mitigation.GAPS, money=False)


def _mpad_difference(rows: Rows, figure: Figure) -> Found:
    return _less(rows, figure, mitigation.GAPS)


def _reduction(rows: Rows, figure: Figure) -> Found:
    if figure.condition.get("panel") == "baseline100":
        row = one_row(
            rows.reductions,
            system_id=figure.subject,
            decisions=figure.condition["decisions"],
            key=figure.condition["contrast"],
        )
        return numbers(row, "reduction", "low", "high")
    return _less(rows, figure, contrast_of(figure))


def _percent_less(what: Callable[[Figure], int]) -> Quantity:
    def work(rows: Rows, figure: Figure) -> Found:
        found = rows.arms_of(figure.subject)
        one, other = (
            found.rows[found.place(arm, what(figure))].mean()
            for arm in figure.condition["comparison"].split("_minus_")
        )
        return 100 * float(1 - other / one)

    return work


def _retention(rows: Rows, figure: Figure) -> Found:
    row = one_row(rows.retention, system_id=figure.subject, arm=figure.condition["arm"])
    return numbers(row, "retention", "low", "high")


def _loss(rows: Rows, figure: Figure) -> Found:
    table = rows.retention.filter(rows.retention["arm"] == figure.condition["arm"])
    kept = table["retention"].drop_nulls()
    if kept.is_empty():
        raise Unavailable("no edited text was rewritten")
    smallest = float(kept.min())  # type: ignore[arg-type]
    return Recomputed(100 * (1 - smallest), why="reading: the larger loss of both systems")


def _effect(rows: Rows, figure: Figure) -> Found:
    condition = figure.condition
    systems = (
        [d.system for d in rows.label_systems] if figure.subject == "all" else [figure.subject]
    )
    found = []
    for system in systems:
        one, other = (
            edits.edited(
                rows.statistics,
                rows.edit_decider(system),
                edit,
                condition["outcome"],
                rows.planned,
            )
            for edit in (condition["edit"], "original")
        )
        found.append(edits.paired(one, other, rows.planned))
    for pair in found:
        if pair.why:
            raise Unavailable(pair.why)
    if figure.subject == "all":
        values = [float(pair.found.estimate[0]) for pair in found]
        return min(values) if condition["bound"] == "min" else max(values)
    return ends_of(found[0].found, 0)


def _moved_up(rows: Rows, figure: Figure) -> Found:
    condition = figure.condition
    one, other = (
        edits.edited(
            rows.statistics,
            rows.edit_decider(figure.subject),
            edit,
            condition["outcome"],
            rows.planned,
        )
        for edit in (condition["edit"], "original")
    )
    moved = (one - other)[~np.isnan(one - other)]
    if not moved.size:
        raise Unavailable(edits.NO_EDITS)
    return 100 * float((moved > 0).mean())


def _span(rows: Rows, figure: Figure) -> Found:
    decider = rows.edit_decider(figure.subject)
    kind = figure.condition["outcome"]
    found = edits.span(rows.statistics, decider, kind, rows.planned)
    return float(found.found.estimate[0])


def _money_span(rows: Rows, figure: Figure) -> Found:
    rule = RULE_OF[figure.condition["rule"]]
    decider = rows.edit_decider(figure.subject)
    found = edits.span(rows.statistics, decider, edits.MONEY, rows.planned.replace(rule=rule))
    if found.why:
        raise Unavailable(found.why)
    return 100 * float(found.found.estimate[0])


def _span_ratio(rows: Rows, figure: Figure) -> Found:
    row = one_row(edits.span_table(rows.statistics, rows.planned), system_id=figure.subject)
    if row["ratio"] is None:
        raise Unavailable("no gap to compare the fact span with")
    return float(row["ratio"])


def _eta2(rows: Rows, figure: Figure) -> Found:
    condition = figure.condition
    by_arm = condition.get("panel") == "holdout_first500"
    table = rows.eta2_by_arm if by_arm else rows.eta2
    if by_arm:
        style = {"M0": "none", "M1": "A"}[condition["arm"]]
        table = table.filter(table["style"] == style)
    scale = 100.0 if figure.unit == "percent" else 1.0
    if "attribute" in condition:
        return scale * float(one_row(table, attribute_id=condition["attribute"])["eta2"])
    own = table.filter(table["family"] == condition["family"])["eta2"].drop_nulls()
    if own.is_empty():
        raise Unavailable("the panel has no such attribute scores")
    return bounded(figure, scale * float(own.max()))  # type: ignore[arg-type]


def _eta2_upper(rows: Rows, figure: Figure) -> Found:
    table = rows.eta2
    own = table.filter(table["family"] == figure.condition["family"])["upper"].drop_nulls()
    if own.is_empty():
        raise Unavailable("the panel has no such attribute scores")
    return bounded(figure, float(own.max()), "95%, one-sided")  # type: ignore[arg-type]


def _channel(rows: Rows, figure: Figure, family: str) -> dict[str, float]:
    return one_row(rows.channels, key=figure.condition["contrast"], family=family)


def _contribution(rows: Rows, figure: Figure) -> Found:
    row = _channel(rows, figure, figure.condition["family"])
    return numbers(row, "contribution", "low", "high")


def _explained(rows: Rows, figure: Figure) -> Found:
    return 100 * float(_channel(rows, figure, "delivery")["explained"])


def _delivery_ratio(rows: Rows, figure: Figure) -> Found:
    ratios = []
    for contrast in CONTRASTS[1:]:
        own = [
            one_row(rows.channels, key=contrast.key, family=family)["contribution"]
            for family in ("delivery", "content")
        ]
        ratios.append(own[0] / own[1])
    return float(min(ratios) if figure.condition["bound"] == "min" else max(ratios))


def _r2(rows: Rows, figure: Figure) -> Found:
    condition = figure.condition
    is_remedy = condition["target"] == attributes.REMEDY
    outcomes = [attributes.REMEDY, attributes.REMEDY_P2][: 2 if "bound" in condition else 1]
    targets = outcomes if is_remedy else attributes.TARGETS
    values: list[float] = []
    for decider in channels.scored_deciders(rows.statistics):
        if decider.system != figure.subject:
            continue
        table = attributes.r2_table(rows.statistics, decider, rows.planned)
        own = table.filter(
            (table["family"] == condition["family"]) & table["target"].is_in(list(targets))
        )
        values += own["r2"].drop_nulls().to_list()
    if not values:
        raise Unavailable("the panel has no such attribute scores")
    match condition.get("bound"):
        case "min":
            value = min(values)
        case "max":
            value = max(values)
        case _:
            value = float(np.mean(values))
    return Recomputed(value, why=REMEDIES if is_remedy else TARGETS)


def _own_labels(rows: Rows, figure: Figure) -> Found:
    del rows, figure
    return Recomputed(why="a model’s own persona labels are not part of the rows")


def _correlation(rows: Rows, figure: Figure) -> Found:
    found = attributes.content_correlations(rows.statistics, rows.attribute_bank, "A")
    own = [
        value
        for attribute, value in found.items()
        if families()[attribute] == figure.condition["family"]
    ]
    if not own:
        raise Unavailable("the panel has no scores of standardised texts")
    return min(own) if figure.condition["bound"] == "min" else max(own)


def _shift(rows: Rows, figure: Figure) -> Found:
    table = rows.eta2_by_arm.filter(
        rows.eta2_by_arm["attribute_id"] == figure.condition["attribute"]
    )
    means = dict(table.select("style", "mean").iter_rows())
    if len(means) < 2:
        raise Unavailable("the panel has no scores of standardised texts")
    return float(means["A"] - means["none"])


def _edit_shift(rows: Rows, figure: Figure) -> Found:
    found = attributes.edit_shifts(rows.statistics, rows.attribute_bank, figure.condition["edit"])
    if figure.condition["attribute"] not in found:
        raise Unavailable("the panel has no scores of edited texts")
    return Recomputed(found[figure.condition["attribute"]], why=SPREAD)


def _validity(rows: Rows, figure: Figure) -> Found:
    table = audit.other_flags(rows.statistics, "edit", rows.planned)
    return 100 * float(one_row(table, who=figure.subject)["rate"])


def _flag_rate(rows: Rows, figure: Figure) -> Found:
    condition = figure.condition
    rows.audited  # noqa: B018 - raises where there is none
    if condition.get("guises"):
        shares = rows.screened("gpt-4o-mini").departing
        departs = condition["guises"] == "departs_from_majority"
        return Recomputed(100 * shares[0 if departs else 1], why=EITHER_FLAG)
    for factor in ("age", "education", "ses"):
        if factor in condition:
            levels = audit.level_flags(rows.statistics)
            return 100 * float(one_row(levels, factor=factor, level=condition[factor])["rate"])
    if condition["panel"] == "audit_standardised":
        table = audit.other_flags(rows.statistics, "standardised", rows.planned)
    else:
        table = audit.flag_table(rows.statistics, rows.planned)
    return numbers(one_row(table, who=figure.subject), "rate", "low", "high", 100)


def _mismatch(rows: Rows, figure: Figure) -> Found:
    name = {"dollar_amount": "amounts", "year": "years"}[figure.condition["field"]]
    table = audit.flag_table(rows.statistics, rows.planned)
    return Recomputed(100 * float(one_row(table, who=name)["rate"]), why=STRATA)


_KINDS = {"audit40": "guise", "audit_positive_controls": "edit", "audit_all": "all"}


def _agreement(rows: Rows, figure: Figure) -> Found:
    table = audit.agreement_table(rows.statistics)
    return 100 * float(one_row(table, kind=_KINDS[figure.condition["panel"]])["agreement"])


def _kappa(rows: Rows, figure: Figure) -> Found:
    row = one_row(audit.agreement_table(rows.statistics), kind=_KINDS[figure.condition["panel"]])
    column = "kappa" if figure.condition["label"] == "material_flag" else "kappa_3"
    if row[column] is None:
        raise Unavailable("one class only was given")
    return float(row[column])


def _passing(rows: Rows, figure: Figure) -> Found:
    del figure
    return rows.screened("gpt-4o-mini").passing


def _screened_ratio(rows: Rows, figure: Figure) -> Found:
    found = rows.screened(figure.subject)
    if figure.condition["outcome"] == "monetary":
        scale = 100.0 if figure.unit == "percent" else 1.0
        return ends_of(found.differ, 2, scale)
    return ends_of(found.mpad, 2)


def _screened_difference(rows: Rows, figure: Figure) -> Found:
    found = rows.screened(figure.subject)
    if "bound" in figure.condition:
        gaps = 100 * found.money_gaps.estimate[6:9]
        value = float(gaps.min() if figure.condition["bound"] == "min" else gaps.max())
        return Recomputed(value, why="reading: over all three contrasts")
    return ends_of(found.gaps, 6 + contrast_of(figure))


def _match(rows: Rows, figure: Figure) -> Found:
    row = one_row(rows.drift, system_id=figure.subject, arm=figure.condition["arm"])
    return 100 * float(row["same"])


def _mean_difference(rows: Rows, figure: Figure) -> Found:
    row = one_row(rows.drift, system_id=figure.subject, arm=figure.condition["arm"])
    return numbers(row, "difference", "low", "high")


QUANTITIES: Mapping[str, Quantity] = MappingProxyType(
    {
        "persona_gap_tier": _tier_gap,
        "persona_gap_tier_difference": _recognised,
        "monetary_rate_gap": _rate_gap,
        "pairwise_monetary_disagreement": _disagreement,
        "disagreement_difference": _disagreement_difference,
        "abs_persona_gap_tier_max": _largest_tier_gap,
        "mpad": _mpad,
        "mpad_difference": _mpad_difference,
        "mpad_reduction_percent": _percent_less(lambda figure: mitigation.GAPS),
        "gap_reduction": _reduction,
        "gap_reduction_percent": _percent_less(contrast_of),
        "fact_span_retention": _retention,
        "fact_span_loss_percent": _loss,
        "edit_effect": _effect,
        "share_moved_up": _moved_up,
        "fact_span": _span,
        "fact_span_monetary": _money_span,
        "fact_span_to_persona_gap": _span_ratio,
        "eta2_persona": _eta2,
        "eta2_persona_upper_bound": _eta2_upper,
        "gelbach_contribution": _contribution,
        "gelbach_explained_share": _explained,
        "delivery_to_content_ratio": _delivery_ratio,
        "within_complaint_r2": _r2,
        "own_persona_label_share": _own_labels,
        "attribute_correlation_m0_m1": _correlation,
        "attribute_shift": _shift,
        "edit_attribute_shift_sd": _edit_shift,
        "auditor_validity_rate": _validity,
        "material_flag_rate": _flag_rate,
        "exact_mismatch_rate": _mismatch,
        "flag_agreement": _agreement,
        "cohens_kappa": _kappa,
        "screened_guises_mean": _passing,
        "screened_instability_ratio": _screened_ratio,
        "screened_gap_difference": _screened_difference,
        "fresh_match_rate": _match,
        "mean_tier_difference": _mean_difference,
    }
)
