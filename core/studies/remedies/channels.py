"""Which properties of a text the gaps go with (Sec. 4.5, Table 4, Fig. 5 and 7).

All variables are taken about their complaint's mean. A gap goes with a family of attributes as far
as the family's members differ between the two levels and go with the outcome when all attributes
are held together (Gelbach). Going with is not being caused by: nobody changed one attribute alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import polars as pl
from numpy.typing import NDArray

from core.choices import Choices
from core.stats.gelbach import Decomposition, Products, decompose, products
from core.studies.remedies import design
from core.studies.remedies.choices import RESAMPLING, only, sampling
from core.studies.remedies.contract import ATTRIBUTES
from core.studies.remedies.parts import attribute_families
from core.studies.remedies.reduce import Statistics, Texts
from core.studies.remedies.scales import Decider, deciders, graded_kind, outcome

Array = NDArray[np.float64]

NO_ATTRIBUTES = "The panel has no attribute scores of these texts."
FEW = "Fewer than two complaints have all guises scored and decided."

INDICATORS: dict[str, tuple[tuple[str, str], ...]] = {
    "age": (("age", "old"),),
    "education": (("education", "college"),),
    "ses": (("ses", "high"), ("ses", "middle")),
}
"""Levels of each factor that have an indicator, the one that is decomposed first. Both equations
hold the factor's own indicators only (a reading that the printed intervals bear out)."""

_ALL = tuple(pair for pairs in INDICATORS.values() for pair in pairs)
_FIRST_ATTRIBUTE = len(_ALL)
_OUTCOME = _FIRST_ATTRIBUTE + len(ATTRIBUTES)
COVARIATES = list(range(_FIRST_ATTRIBUTE, _OUTCOME))


def scored_deciders(statistics: Statistics) -> tuple[Decider, ...]:
    """List who decided guises that have attribute scores."""
    panel = statistics.main_panel
    return tuple(
        d for d in deciders(statistics, panel) if Texts(panel, d.bank) in statistics.attributes
    )


@dataclass(frozen=True, eq=False)
class Scored:
    """Attributes and outcome of complaints with all guises; C complaints."""

    scores: Array
    """(C, K, 22)."""
    levels: Array
    """(C, K, 10)."""
    outcome: Array
    """(C, K)."""
    p2: Array
    """(C, K) probability of tier 2; the tier of systems that answer with one."""


def scored(statistics: Statistics, decider: Decider, choices: Choices) -> Scored | str:
    """Return the complaints with all guises scored and decided, or say why there are none; kept."""
    kind = graded_kind(statistics, decider.system, choices)
    return _scored(statistics, decider, kind, only(choices, ("order",)))


@lru_cache(maxsize=16)
def _scored(statistics: Statistics, decider: Decider, kind: str, choices: Choices) -> Scored | str:
    texts = Texts(statistics.main_panel, decider.bank)
    scores = statistics.attributes.get(texts)
    values = outcome(statistics, texts, decider.system, kind, choices)
    if scores is None or values is None:
        return NO_ATTRIBUTES
    complete = ~(np.isnan(scores).any(axis=2) | np.isnan(values)).any(axis=1)
    if complete.sum() < 2:
        return FEW
    p2 = outcome(statistics, texts, decider.system, "p2", choices)
    assert p2 is not None
    return Scored(
        scores[complete], statistics.levels[texts][complete], values[complete], p2[complete]
    )


@dataclass(frozen=True, eq=False)
class Channels:
    """A gap taken apart; P attributes that vary, B resamples."""

    contrast: design.Contrast
    attributes: tuple[str, ...]
    whole: Decomposition
    """Of all complaints: one row."""
    draws: Decomposition
    """In resamples: B rows."""


def channels(
    statistics: Statistics, decider: Decider, contrast: design.Contrast, choices: Choices
) -> Channels | str:
    """Decompose a gap into attributes, or say why that cannot be done; kept.

    Families do not matter here: they only say which terms are added up.
    """
    own = only(choices, ("outcome", "order", *RESAMPLING))
    return _channels(statistics, decider, contrast, own)


@lru_cache(maxsize=32)
def _channels(
    statistics: Statistics, decider: Decider, contrast: design.Contrast, choices: Choices
) -> Channels | str:
    found = _sums(statistics, decider, choices)
    if isinstance(found, str):
        return found
    whole, draws = found
    groups = [_ALL.index(pair) for pair in INDICATORS[contrast.factor]]
    varied = [j for j in COVARIATES if whole[0, j, j] > 0]
    try:
        return Channels(
            contrast,
            tuple(ATTRIBUTES[j - _FIRST_ATTRIBUTE] for j in varied),
            decompose(whole, groups, varied, _OUTCOME),
            decompose(draws, groups, varied, _OUTCOME),
        )
    except ValueError as error:
        return f"Cannot be decomposed: {error}."


@lru_cache(maxsize=8)
def _sums(statistics: Statistics, decider: Decider, choices: Choices) -> tuple[Array, Array] | str:
    """Take sums of products of all complaints, and of resamples."""
    found = scored(statistics, decider, choices)
    if isinstance(found, str):
        return found
    size, guises = found.outcome.shape
    indicators = np.stack([design.in_level(*pair) for pair in _ALL], axis=1).astype(np.float64)
    values = np.concatenate(
        [
            np.broadcast_to(indicators, (size, guises, len(_ALL))),
            found.scores,
            found.outcome[..., None],
        ],
        axis=2,
    )
    made: Products = products(values)
    return made.total(), made.resampled(*sampling(choices))


_TABLED = ("outcome", "order", "families", "alpha", *RESAMPLING)
"""Choices that the tables of parts depend on."""


def channel_table(statistics: Statistics, decider: Decider, choices: Choices) -> pl.DataFrame:
    """One row a contrast and family: what of the gap goes with it; kept.

    Returns
    -------
    polars.DataFrame
        contrast, key; gap, gap_low, gap_high (tiers); family (delivery, structure, content, or
        unexplained); contribution, low, high (tiers; the four add up to the gap exactly); explained
        (share of the gap that goes with all attributes); moved (whether an attribute came or went);
        reason.
    """
    return _channel_table(statistics, decider, only(choices, _TABLED))


@lru_cache(maxsize=16)
def _channel_table(statistics: Statistics, decider: Decider, choices: Choices) -> pl.DataFrame:
    tail = choices.number("alpha") / 2
    families = attribute_families(choices.text("families"))
    planned = design.families()
    rows: list[tuple[object, ...]] = []
    for contrast in design.CONTRASTS:
        found = channels(statistics, decider, contrast, choices)
        head = (contrast.name, contrast.key)
        if isinstance(found, str):
            rows.append((*head, *[None] * 3, "", *[None] * 4, False, found))
            continue
        gap = _ends(found.whole.base[0], found.draws.base, tail)
        explained = 1 - found.whole.full[0] / found.whole.base[0] if found.whole.base[0] else None
        for family in design.FAMILIES:
            own = [j for j, a in enumerate(found.attributes) if families[a] == family]
            before = [j for j, a in enumerate(found.attributes) if planned[a] == family]
            part = _ends(
                found.whole.contributions[0, own].sum(),
                found.draws.contributions[:, own].sum(axis=1),
                tail,
            )
            rows.append((*head, *gap, family, *part, explained, own != before, ""))
        rest = _ends(found.whole.full[0], found.draws.full, tail)
        rows.append((*head, *gap, "unexplained", *rest, explained, False, ""))
    return pl.DataFrame(rows, schema=_CHANNELS, orient="row")


_CHANNELS = {
    "contrast": pl.String,
    "key": pl.String,
    **dict.fromkeys(("gap", "gap_low", "gap_high"), pl.Float64),
    "family": pl.String,
    **dict.fromkeys(("contribution", "low", "high", "explained"), pl.Float64),
    "moved": pl.Boolean,
    "reason": pl.String,
}


def attribute_table(
    statistics: Statistics, decider: Decider, contrast: design.Contrast, choices: Choices
) -> pl.DataFrame:
    """One row an attribute: its term of the decomposition; kept.

    Returns
    -------
    polars.DataFrame
        attribute, attribute_id, family, planned_family; contribution, low, high (tiers). Empty
        where the gap cannot be decomposed.
    """
    return _attribute_table(statistics, decider, contrast, only(choices, _TABLED))


@lru_cache(maxsize=16)
def _attribute_table(
    statistics: Statistics, decider: Decider, contrast: design.Contrast, choices: Choices
) -> pl.DataFrame:
    tail = choices.number("alpha") / 2
    found = channels(statistics, decider, contrast, choices)
    families = attribute_families(choices.text("families"))
    rows = []
    if not isinstance(found, str):
        for j, attribute in enumerate(found.attributes):
            part = _ends(found.whole.contributions[0, j], found.draws.contributions[:, j], tail)
            name = design.attribute_names()[attribute]
            rows.append((name, attribute, families[attribute],
                         design.families()[attribute], *part))  # fmt: skip
    schema = {
        **dict.fromkeys(("attribute", "attribute_id", "family", "planned_family"), pl.String),
        **dict.fromkeys(("contribution", "low", "high"), pl.Float64),
    }
    return pl.DataFrame(rows, schema=schema, orient="row")


def _ends(value: float, draws: Array, tail: float) -> tuple[float, float, float]:
    low, high = np.quantile(draws, [tail, 1 - tail])
    return float(value), float(low), float(high)
