"""From a panel's rows to small arrays by complaint and guise. Done once a panel.

Every set of texts (a bank, an edit, a style, a repeat) becomes one array over the complaints of its
panel: 36 columns for guises, one for other texts. What a text lacks is -1, or NaN for numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from core.studies.remedies import design
from core.studies.remedies.contract import (
    ATTRIBUTES,
    GUISE,
    LEVEL_COLUMNS,
    OF_RECORD,
    PERSONA,
    PROBABILITIES,
    UNSTYLED,
)

Array = NDArray[np.float64]
Tiers = NDArray[np.int8]
Hundredths = NDArray[np.int16]

NONE = -1
"""Stands for a missing tier or probability."""

LEVELS = tuple(name for names in LEVEL_COLUMNS.values() for name in names)
"""Columns with the inferred probability of each persona level."""


class Texts(NamedTuple):
    """A set of texts: the key of arrays over complaints (and guises)."""

    panel: str
    bank: str
    edit: str = GUISE
    style: str = UNSTYLED
    repeat: int = OF_RECORD


class Arm(NamedTuple):
    """What one system said of a set of texts, under one option order."""

    texts: Texts
    system: str
    order: str = ""
    """Empty where the order is not known or not varied."""


@dataclass(frozen=True, eq=False)
class Statistics:
    """A reduced panel. Compared and hashed by identity, so that work on it can be kept."""

    complaints: Mapping[str, tuple[str, ...]]
    """Ids of each panel's complaints, ascending: the first axis of its arrays."""
    tiers: Mapping[Arm, Tiers]
    """(C, K) tiers of systems that answer with labels."""
    probabilities: Mapping[Arm, Hundredths]
    """(C, K, 3) hundredths of systems that answer with probabilities."""
    attributes: Mapping[Texts, Array] = field(default_factory=dict)
    """(C, K, 22) attribute scores."""
    levels: Mapping[Texts, Array] = field(default_factory=dict)
    """(C, K, 10) inferred probabilities of the persona levels, in [0, 1]."""
    audit: pl.DataFrame | None = None
    """Rows of the audit table; None without one."""

    @property
    def main_panel(self) -> str:
        """The held-out panel, or the first there is; empty without any."""
        return next(iter(self.panels), "")

    @cached_property
    def panels(self) -> tuple[str, ...]:
        """Panels that guises were decided in; pooled stands for all of them together."""
        found = {a.texts.panel for a in (*self.tiers, *self.probabilities)}
        single = design.in_order(sorted(found), design.PANELS)
        return (*single, *([design.POOLED] if len(single) > 1 else []))

    def size(self, panel: str) -> int:
        """Count complaints."""
        return sum(len(self.complaints[p]) for p in self.members(panel))

    def members(self, panel: str) -> tuple[str, ...]:
        """List the panels that a panel is made of: itself, or all in order of name."""
        if panel != design.POOLED:
            return (panel,) if panel in self.complaints else ()
        return tuple(sorted(p for p in self.complaints if p in self.panels))

    def systems(self, texts: Texts) -> tuple[str, ...]:
        """List the systems that decided a set of texts."""
        return tuple(
            dict.fromkeys(
                a.system
                for a in (*self.tiers, *self.probabilities)
                if self._is_part(a.texts, texts)
            )
        )

    def banks(self, panel: str) -> tuple[str, ...]:
        """List the banks whose guises were decided in a panel, in the study's order."""
        found = {
            a.texts.bank
            for a in (*self.tiers, *self.probabilities)
            if a.texts.panel in self.members(panel) and a.texts.edit == GUISE
        }
        return tuple(design.in_order(sorted(found), design.banks()))

    def gives_labels(self, system: str) -> bool:
        """Whether a system answers with tiers."""
        return any(a.system == system for a in self.tiers)

    def orders(self, texts: Texts, system: str) -> tuple[str, ...]:
        """List the option orders under which a system gave probabilities, the primary one first.

        Of a pooled panel those that all of its members have.
        """
        found = {
            a.order
            for a in self.probabilities
            if a.system == system and self._is_part(a.texts, texts)
        }
        members = [texts._replace(panel=panel) for panel in self.members(texts.panel)]
        everywhere = (
            order
            for order in found
            if all(Arm(own, system, order) in self.probabilities for own in members)
        )
        return tuple(sorted(everywhere))

    def tier(self, texts: Texts, system: str) -> Tiers | None:
        """Return the tiers that a system gave, (C, K); None where it gave none."""
        return _joined(self, texts, system, "", labels=True)

    def probability(self, texts: Texts, system: str, order: str) -> Hundredths | None:
        """Return the probabilities that a system gave, (C, K, 3) hundredths; None without any."""
        return _joined(self, texts, system, order, labels=False)

    def _is_part(self, own: Texts, texts: Texts) -> bool:
        return own[1:] == texts[1:] and own.panel in self.members(texts.panel)


@lru_cache(maxsize=256)
def _joined(
    statistics: Statistics, texts: Texts, system: str, order: str, *, labels: bool
) -> NDArray[Any] | None:
    """Put the arrays of a panel's members one below the other."""
    source: Mapping[Arm, NDArray[Any]]
    source = statistics.tiers if labels else statistics.probabilities
    members = statistics.members(texts.panel)
    arms = [Arm(texts._replace(panel=panel), system, order) for panel in members]
    if not arms or any(arm not in source for arm in arms):
        return None
    if len(arms) == 1:
        return source[arms[0]]
    joined = np.concatenate([source[arm] for arm in arms])
    joined.flags.writeable = False
    return joined


def reduce_remedies(
    decisions: pl.DataFrame | pl.LazyFrame,
    attributes: pl.DataFrame | None = None,
    audit: pl.DataFrame | None = None,
) -> Statistics:
    """Arrange a panel's rows by complaint and guise.

    Parameters
    ----------
    decisions
        Rows of a remedies decisions table.
    attributes, audit
        Rows of the other two tables; None without them.

    Returns
    -------
    Statistics
        Complaints are numbered within their panel in the order of their ids, over all tables.
    """
    rows = decisions.lazy().collect()
    tables = [t for t in (rows, attributes, audit) if t is not None]
    named = pl.concat([t.select("panel", "complaint").unique() for t in tables]).unique()
    complaints = {
        panel: tuple(sorted(own["complaint"].to_list()))
        for (panel,), own in named.sort("panel").partition_by("panel", as_dict=True).items()
    }
    tiers: dict[Arm, Tiers] = {}
    probabilities: dict[Arm, Hundredths] = {}
    keys = ("panel", "bank", "edit", "style", "repeat", "system", "order")
    for (*texts, system, order), own in _parts(
        _placed(rows, complaints), keys, ("tier", *PROBABILITIES)
    ):
        arm = Arm(Texts(*texts), str(system), str(order or ""))
        size = len(complaints[arm.texts.panel])
        if own["tier"].null_count() < own.height:
            tiers[Arm(arm.texts, arm.system)] = _filled(own, ("tier",), arm.texts, size, np.int8)
        if own["p0"].null_count() < own.height:
            probabilities[arm] = _filled(own, PROBABILITIES, arm.texts, size, np.int16)
    scores, levels = _attributes(attributes, complaints)
    return Statistics(
        MappingProxyType(complaints),
        MappingProxyType(_in_study_order(tiers)),
        MappingProxyType(_in_study_order(probabilities)),
        scores,
        levels,
        audit,
    )


def _placed(rows: pl.DataFrame, complaints: Mapping[str, tuple[str, ...]]) -> pl.DataFrame:
    """Add the row and column of each text in its array."""
    ids = pl.concat(
        [
            pl.DataFrame({"panel": panel, "complaint": list(names), "row": range(len(names))})
            for panel, names in complaints.items()
        ]
    )
    columns = pl.DataFrame(
        [(*persona, k) for k, persona in enumerate(design.personas())],
        schema=[*PERSONA, "column"],
        orient="row",
    )
    return (
        rows.join(ids, on=("panel", "complaint"), how="left")
        .join(columns, on=PERSONA, how="left")
        .with_columns(pl.col("column").fill_null(0))
    )


def _parts(
    placed: pl.DataFrame, keys: tuple[str, ...], values: tuple[str, ...]
) -> Iterator[tuple[tuple[Any, ...], pl.DataFrame]]:
    """Split rows by their keys; a part holds nothing else than places and values."""
    rows = placed.select(*keys, "row", "column", *values)
    yield from rows.partition_by(keys, as_dict=True, include_key=False).items()


def _filled(
    own: pl.DataFrame, names: tuple[str, ...], texts: Texts, size: int, kind: type
) -> NDArray[Any]:
    """Put values in their places: (C, K) for one name, else (C, K, names)."""
    width = len(design.personas()) if texts.edit == GUISE else 1
    nothing = np.nan if kind is np.float64 else NONE
    filled: NDArray[Any] = np.full((size, width, len(names)), nothing, dtype=kind)
    values = own.select(pl.col(names).fill_null(nothing)).to_numpy()
    filled[own["row"].to_numpy(), own["column"].to_numpy()] = values
    if len(names) == 1:
        filled = filled[..., 0]
    filled.flags.writeable = False
    return filled


def _attributes(
    rows: pl.DataFrame | None, complaints: Mapping[str, tuple[str, ...]]
) -> tuple[dict[Texts, Array], dict[Texts, Array]]:
    if rows is None:
        return {}, {}
    scores, levels = {}, {}
    keys = ("panel", "bank", "edit", "style", "repeat")
    placed = _placed(rows, complaints).with_columns(pl.col(LEVELS) / 100)
    for key, own in _parts(placed, keys, (*ATTRIBUTES, *LEVELS)):
        texts = Texts(*key)
        size = len(complaints[texts.panel])
        scores[texts] = _filled(own, ATTRIBUTES, texts, size, np.float64)
        levels[texts] = _filled(own, LEVELS, texts, size, np.float64)
    return scores, levels


def _in_study_order(arms: dict[Arm, Any]) -> dict[Arm, Any]:
    """Sort arms by system, bank and the rest; systems and banks in the study's order."""
    systems = design.in_order([a.system for a in arms], design.systems())
    banks = design.in_order([a.texts.bank for a in arms], design.banks())
    return dict(
        sorted(
            arms.items(),
            key=lambda item: (
                systems.index(item[0].system),
                banks.index(item[0].texts.bank),
                item[0],
            ),
        )
    )
