"""A panel's rows as the printed figures ask for them: everything is worked out once."""

from __future__ import annotations

from functools import cached_property, lru_cache

import polars as pl

from core.choices import Choices, Value
from core.figures import Figure, Panels, Recomputed, Unavailable
from core.studies.remedies import (
    attributes,
    audit,
    baseline,
    channels,
    disparity,
    mitigation,
    variation,
)
from core.studies.remedies.choices import DECLARATION
from core.studies.remedies.contract import GUISE
from core.studies.remedies.design import CONTRAST_KEYS, POOLED
from core.studies.remedies.edits import edit_deciders
from core.studies.remedies.reduce import Statistics, Texts, reduce_remedies
from core.studies.remedies.scales import Decider, Money, deciders, money
from core.studies.remedies.variation import Variation

LEVEL = 0.05

RULE_OF = {
    "gpt_label": "matched",
    "jev_argmax": "argmax",
    "jev_p2_threshold_matched": "matched",
    "jev_p2_mean6_matched": "mean6",
    "jev_majority6": "majority6",
    "p2_threshold_no_tie_break": "untied",
    "jev_p2_threshold_volume_minus_1pp": "matched",
    "jev_p2_threshold_volume_plus_1pp": "matched",
}
"""Option of the choice `rule` for the rules that figures name; labels have no rule."""

SHIFT_OF = {
    "jev_p2_threshold_volume_minus_1pp": -1.0,
    "jev_p2_threshold_volume_plus_1pp": 1.0,
}

BOUNDS = {"le": "at most", "lt": "below", "ge": "at least", "gt": "above"}
"""First words of a note that say that a printed value is a bound."""


class Rows:
    """The rows of a panel, reduced once."""

    def __init__(self, panels: Panels) -> None:
        self._panels = panels

    @cached_property
    def statistics(self) -> Statistics:
        """The reduced tables."""
        scores, rows = self._panels.get("attributes"), self._panels.get("audit")
        return reduce_remedies(
            self._panels["decisions"].frame,
            scores.frame if scores else None,
            rows.frame if rows else None,
        )

    @property
    def planned(self) -> Choices:
        """The planned specification."""
        return DECLARATION.planned

    @property
    def main(self) -> str:
        """The held-out panel."""
        return self.statistics.main_panel

    def panel(self, figure: Figure) -> str:
        """Return the panel that a figure is about; parts of the held-out one are its own."""
        if figure.condition.get("panel") != POOLED:
            return self.main
        if POOLED not in self.statistics.panels:
            raise Unavailable("the panel has no exploratory complaints to pool")
        return POOLED

    def decider(self, figure: Figure, system: str | None = None) -> Decider:
        """Find the system and texts that a figure is about."""
        name = figure.subject if system is None else system
        bank = figure.condition.get("bank", name)
        found = [
            d
            for d in deciders(self.statistics, self.panel(figure))
            if d.system == name and (d.bank == bank or "bank" not in figure.condition)
        ]
        if not found:
            raise Unavailable(f"the panel has no answers of {name} on texts of {bank}")
        return found[0]

    def everyone(self, figure: Figure) -> tuple[Decider, ...]:
        """List all who decided the panel of a figure."""
        return deciders(self.statistics, self.panel(figure))

    @cached_property
    def label_systems(self) -> tuple[Decider, ...]:
        """Those who answer with tiers, on their own texts."""
        return tuple(
            d
            for d in deciders(self.statistics, self.main)
            if self.statistics.gives_labels(d.system)
        )

    @cached_property
    def graded_system(self) -> str:
        """The system that answers with probabilities."""
        for d in deciders(self.statistics, self.main):
            if not self.statistics.gives_labels(d.system):
                return d.system
        raise Unavailable("no system gives probabilities")

    @property
    def graded_banks(self) -> tuple[str, ...]:
        """Banks whose texts it decided."""
        return tuple(
            b
            for b in self.statistics.banks(self.main)
            if self.graded_system in self.statistics.systems(Texts(self.main, b))
        )

    def ruled(self, figure: Figure, rule: str | None = None) -> Choices:
        """Return the planned specification with the rule that a figure names."""
        name = rule or figure.condition.get("rule", "jev_p2_threshold_matched")
        changes: dict[str, Value] = {"rule": RULE_OF[name]}
        if name in SHIFT_OF:
            changes["shift"] = SHIFT_OF[name]
        return self.planned.replace(**changes)

    def money(self, panel: str, decider: Decider, choices: Choices) -> Money:
        """Monetary decisions of a decider, which must be there."""
        found = money(self.statistics, panel, decider, choices)
        if found.why:
            raise Unavailable(found.why)
        return found

    @lru_cache(maxsize=8)  # noqa: B019 - Rows live as long as one ledger
    def variation(self, outcome: str) -> Variation:
        """Components of the graded system's answers."""
        found = variation.variation(
            self.statistics,
            self.main,
            self.graded_system,
            self.planned.replace(component_outcome=outcome),
        )
        if isinstance(found, str):
            raise Unavailable(found)
        return found

    @lru_cache(maxsize=8)  # noqa: B019
    def disparities(self, panel: str) -> pl.DataFrame:
        """Differences of D."""
        return disparity.disparity_table(self.statistics, panel, self.planned)

    @cached_property
    def arms(self) -> dict[str, mitigation.Arms]:
        """Mitigation arms by system."""
        found = {}
        for decider in mitigation.mitigated(self.statistics):
            own = mitigation.arms(self.statistics, decider, self.planned)
            if not isinstance(own, str):
                found[decider.system] = own
        return found

    def arms_of(self, system: str) -> mitigation.Arms:
        """Mitigation arms of one system."""
        if system not in self.arms:
            raise Unavailable(f"the panel has no standardised texts that {system} decided")
        return self.arms[system]

    @cached_property
    def retention(self) -> pl.DataFrame:
        """Retained fact spans."""
        return mitigation.retention_table(self.statistics, self.planned)

    @cached_property
    def reductions(self) -> pl.DataFrame:
        """Gaps of the same-day baseline."""
        return baseline.reduction_table(self.statistics, self.planned)

    @cached_property
    def drift(self) -> pl.DataFrame:
        """Fresh against recorded decisions."""
        return baseline.drift_table(self.statistics, self.planned)

    def edit_decider(self, system: str) -> Decider:
        """Find a system among those who decided edited texts."""
        for decider in edit_deciders(self.statistics):
            if decider.system == system:
                return decider
        raise Unavailable(f"the panel has no edited texts that {system} decided")

    @cached_property
    def attribute_bank(self) -> str:
        """The first bank whose guises have attribute scores."""
        for texts in self.statistics.attributes:
            if texts.edit == GUISE and texts.style == "none":
                return texts.bank
        raise Unavailable("needs the attributes table")

    @cached_property
    def eta2(self) -> pl.DataFrame:
        """Persona shares of attributes over all complaints."""
        return attributes.persona_share_table(self.statistics, self.attribute_bank, self.planned)

    @cached_property
    def eta2_by_arm(self) -> pl.DataFrame:
        """The same under M0 and M1 on the same complaints."""
        return attributes.persona_share_table(
            self.statistics, self.attribute_bank, self.planned, ("none", "A"), draws=False
        )

    @cached_property
    def channels(self) -> pl.DataFrame:
        """Gaps of the first label system taken apart."""
        for decider in self.label_systems:
            if decider.bank == self.attribute_bank:
                return channels.channel_table(self.statistics, decider, self.planned)
        raise Unavailable("no system with labels decided the scored texts")

    @cached_property
    def audited(self) -> audit.GuiseAudit:
        """The audited guises."""
        found = audit.guise_audit(self.statistics)
        if isinstance(found, str):
            raise Unavailable(found)
        return found

    def screened(self, system: str) -> audit.Screened:
        """Screened instability of a system."""
        for decider in audit.audited_deciders(self.statistics):
            if decider.system == system:
                found = audit.screened(self.statistics, decider, self.planned)
                if isinstance(found, str):
                    raise Unavailable(found)
                return found
        raise Unavailable(f"the panel has no answers of {system} on audited texts")


def contrast_of(figure: Figure) -> int:
    """Place of a figure's contrast."""
    return CONTRAST_KEYS.index(figure.condition["contrast"])


def bounded(figure: Figure, value: float, why: str = "") -> Recomputed:
    """Compare with a printed bound: where it holds, the bound stands as printed.

    Notes start with le, lt, ge or gt where the printed value is a bound.
    """
    word = figure.note.replace(",", ";").split(";")[0].strip()
    holds = {
        "le": value <= figure.value + 1e-12,
        "lt": value < figure.value,
        "ge": value >= figure.value - 1e-12,
        "gt": value > figure.value,
    }.get(word)
    if holds is None:
        return Recomputed(value, why=why)
    said = f"printed as {BOUNDS[word]}; the rows give {value:.4g}"
    return Recomputed(figure.value if holds else value, why="; ".join(filter(None, (said, why))))


def one_row(table: pl.DataFrame, **values: str) -> dict[str, float]:
    """Find the row of a table with some values, which must be there."""
    found = table
    for column, value in values.items():
        found = found.filter(pl.col(column) == value)
    if found.is_empty():
        raise Unavailable("the panel has no such rows")
    return found.row(0, named=True)


def numbers(row: dict[str, float], value: str, low: str, high: str, scale: float = 1.0,
            why: str = "") -> Recomputed:  # fmt: skip
    """Take a value and its ends from a row of a table."""
    if row[value] is None:
        raise Unavailable(str(row.get("reason") or "the rows give no number"))
    lower, upper = (None if row[end] is None else scale * row[end] for end in (low, high))
    return Recomputed(scale * row[value], lower, upper, why=why)
