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
from core.stats.clusters import resampled_sums, sampled
from core.stats.gelbach import Decomposition, Products, decompose, explained_share, products
from core.studies.remedies import design
from core.studies.remedies.choices import RESAMPLING, only, sampling
from core.studies.remedies.contract import ATTRIBUTES, GUISE
from core.studies.remedies.parts import attribute_families
from core.studies.remedies.reduce import LEVELS, Statistics, Texts
from core.studies.remedies.scales import Decider, deciders, outcome

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
class _Scored:
    """Attributes and outcome of complaints with all guises; C complaints."""

    scores: Array
    """(C, K, 22)."""
    levels: Array
    """(C, K, 10)."""
    outcome: Array
    """(C, K)."""


@lru_cache(maxsize=16)
def _scored(statistics: Statistics, decider: Decider, kind: str, choices: Choices) -> _Scored | str:
    texts = Texts(statistics.main_panel, decider.bank)
    scores = statistics.attributes.get(texts)
    values = outcome(statistics, texts, decider.system, kind, choices)
    if scores is None or values is None:
        return NO_ATTRIBUTES
    complete = ~(np.isnan(scores).any(axis=2) | np.isnan(values)).any(axis=1)
    if complete.sum() < 2:
        return FEW
    return _Scored(scores[complete], statistics.levels[texts][complete], values[complete])


def kind_of(statistics: Statistics, decider: Decider, choices: Choices) -> str:
    """Name the graded outcome of a decider."""
    return "tier" if statistics.gives_labels(decider.system) else choices.text("outcome")


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
    kind = kind_of(statistics, decider, choices)
    own = only(choices, ("order", *RESAMPLING))
    return _channels(statistics, decider, kind, contrast, own)


@lru_cache(maxsize=32)
def _channels(
    statistics: Statistics, decider: Decider, kind: str, contrast: design.Contrast, choices: Choices
) -> Channels | str:
    found = _sums(statistics, decider, kind, choices)
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
def _sums(
    statistics: Statistics, decider: Decider, kind: str, choices: Choices
) -> tuple[Array, Array] | str:
    """Take sums of products of all complaints, and of resamples."""
    found = _scored(statistics, decider, kind, only(choices, ("order",)))
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


def channel_table(statistics: Statistics, decider: Decider, choices: Choices) -> pl.DataFrame:
    """One row a contrast and family: what of the gap goes with it.

    Returns
    -------
    polars.DataFrame
        contrast, key; gap, gap_low, gap_high (tiers); family (delivery, structure, content, or
        unexplained); contribution, low, high (tiers; the four add up to the gap exactly); explained
        (share of the gap that goes with all attributes); moved (whether an attribute came or went);
        reason.
    """
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
    """One row an attribute: its term of the decomposition.

    Returns
    -------
    polars.DataFrame
        attribute, attribute_id, family, planned_family; contribution, low, high (tiers). Empty
        where the gap cannot be decomposed.
    """
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


TARGETS = tuple(
    f"{factor}_{level}"
    for factor, level in (
        ("age", "old"),
        ("geography", "urban"),
        ("education", "college"),
        ("ses", "high"),
    )
)
"""Inferred levels whose probability stands for a factor (a reading: the document prints the two
ends over its targets without naming them)."""

REMEDY = "remedy"


def r2_table(statistics: Statistics, decider: Decider, choices: Choices) -> pl.DataFrame:
    """How well each family predicts persona inferences and the remedy within complaints.

    Returns
    -------
    polars.DataFrame
        target (an inferred level, or remedy: the decider's graded outcome), family, r2. Empty
        without attributes; null where a target does not vary.
    """
    kind = kind_of(statistics, decider, choices)
    found = _scored(statistics, decider, kind, only(choices, ("order",)))
    if isinstance(found, str):
        return pl.DataFrame(schema=_R2)
    families = attribute_families(choices.text("families"))
    rows = []
    targets = {t: found.levels[..., LEVELS.index(t)] for t in TARGETS} | {REMEDY: found.outcome}
    for target, values in targets.items():
        kept = ~np.isnan(values).any(axis=1)
        if kept.sum() < 2:
            continue
        stacked = np.concatenate([found.scores[kept], values[kept][..., None]], axis=2)
        sums = products(stacked).total()
        for family in design.FAMILIES:
            own = [j for j, a in enumerate(ATTRIBUTES) if families[a] == family]
            r2 = float(explained_share(sums, own, len(ATTRIBUTES))[0])
            rows.append((target, family, None if np.isnan(r2) else r2))
    return pl.DataFrame(rows, schema=_R2, orient="row")


_R2 = {"target": pl.String, "family": pl.String, "r2": pl.Float64}


def persona_shares(scores: Array) -> Array:
    """Share of the variation within complaints that goes with the persona (eta squared).

    Parameters
    ----------
    scores
        (C, K, A) without missing values.

    Returns
    -------
    array, shape (A,)
        ``C sum_k (m_k - g)^2 / sum (x - row mean)^2``; nothing is taken off for noise, which alone
        would give 1 / C. NaN where a score does not vary.
    """
    centred = scores - scores.mean(axis=1, keepdims=True)
    between = len(scores) * (centred.mean(axis=0) ** 2).sum(axis=0)
    within = (centred**2).sum(axis=(0, 1))
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(within > 0, between / within, np.nan)


def persona_share_table(
    statistics: Statistics,
    bank: str,
    choices: Choices,
    styles: tuple[str, ...] = ("none",),
    *,
    draws: bool = True,
) -> pl.DataFrame:
    """Persona share of every attribute (H-A1; MH4 with two styles on the same complaints).

    Parameters
    ----------
    bank
        Whose texts.
    styles
        Styles to compare, on the complaints that have scores under all of them.
    draws
        Whether to resample complaints for the one-sided upper bound.

    Returns
    -------
    polars.DataFrame
        attribute, attribute_id, family, style; eta2, upper (one-sided at 1 - alpha); mean (of the
        score); complaints.
    """
    panel = statistics.main_panel
    found = [statistics.attributes.get(Texts(panel, bank, GUISE, style)) for style in styles]
    present = [f for f in found if f is not None]
    if len(present) < len(styles):
        return pl.DataFrame(schema=_ETA)
    complete = np.logical_and.reduce([~np.isnan(f).any(axis=(1, 2)) for f in present])
    if complete.sum() < 2:
        return pl.DataFrame(schema=_ETA)
    families = attribute_families(choices.text("families"))
    rows = []
    for style, scores in zip(styles, present, strict=True):
        own = scores[complete]
        eta2 = persona_shares(own)
        upper = _upper_shares(own, choices) if draws else np.full(len(ATTRIBUTES), np.nan)
        for j, attribute in enumerate(ATTRIBUTES):
            rows.append(
                (
                    design.attribute_names()[attribute],
                    attribute,
                    families[attribute],
                    style,
                    eta2[j],
                    upper[j],
                    own[..., j].mean(),
                    len(own),
                )
            )
    return pl.DataFrame(rows, schema=_ETA, orient="row").with_columns(
        pl.col(pl.Float64).fill_nan(None)
    )


_ETA = {
    **dict.fromkeys(("attribute", "attribute_id", "family", "style"), pl.String),
    **dict.fromkeys(("eta2", "upper", "mean"), pl.Float64),
    "complaints": pl.Int64,
}


def _upper_shares(scores: Array, choices: Choices) -> Array:
    """Upper bound of eta squared at level 1 - alpha, one-sided, (A,)."""
    size, guises, attributes = scores.shape
    centred = scores - scores.mean(axis=1, keepdims=True)
    cells = centred.transpose(1, 2, 0).reshape(-1, size)
    within = (centred**2).sum(axis=1).T
    totals = resampled_sums(np.concatenate([cells, within]), *sampling(choices))
    means = totals[: guises * attributes].reshape(guises, attributes, -1) / size
    with np.errstate(invalid="ignore", divide="ignore"):
        eta2 = size * (means**2).sum(axis=0) / totals[guises * attributes :]
    return np.asarray(np.quantile(eta2, 1 - choices.number("alpha"), axis=1))


def content_correlations(statistics: Statistics, bank: str, style: str) -> dict[str, float]:
    """Correlate complaint means of each attribute with those of the standardised texts (MH4)."""
    panel = statistics.main_panel
    one = statistics.attributes.get(Texts(panel, bank))
    other = statistics.attributes.get(Texts(panel, bank, GUISE, style))
    if one is None or other is None:
        return {}
    both = ~(np.isnan(one) | np.isnan(other)).any(axis=(1, 2))
    found = {}
    for j, attribute in enumerate(ATTRIBUTES):
        a, b = one[both][..., j].mean(axis=1), other[both][..., j].mean(axis=1)
        if both.sum() > 1 and np.ptp(a) > 0 and np.ptp(b) > 0:
            found[attribute] = float(np.corrcoef(a, b)[0, 1])
    return found


def edit_shifts(statistics: Statistics, bank: str, edit: str) -> dict[str, float]:
    """Shift of each attribute by an edit, in spreads of guises within complaints (PC5).

    The mean of edited less original over complaints, divided by the pooled standard deviation of
    the guises of the same complaints about their mean. Which spread the study divides by is a
    reading.
    """
    panel = statistics.main_panel
    changed = statistics.attributes.get(Texts(panel, bank, edit))
    original = statistics.attributes.get(Texts(panel, bank, "original"))
    guises = statistics.attributes.get(Texts(panel, bank))
    if changed is None or original is None or guises is None:
        return {}
    moved = (changed - original)[:, 0]
    kept = ~np.isnan(moved).any(axis=1) & ~np.isnan(guises).any(axis=(1, 2))
    if kept.sum() < 2:
        return {}
    own = guises[kept]
    centred = own - own.mean(axis=1, keepdims=True)
    spread = np.sqrt((centred**2).sum(axis=(0, 1)) / (len(own) * (own.shape[1] - 1)))
    shift = moved[kept].mean(axis=0)
    return {a: float(shift[j] / spread[j]) for j, a in enumerate(ATTRIBUTES) if spread[j] > 0}


@dataclass(frozen=True, eq=False)
class Recognised:
    """Gaps among guises that are recognised and among the others."""

    contrast: design.Contrast
    shares: tuple[float, float]
    """Share of the guises of the contrast that are recognised, and that are not."""
    table: pl.DataFrame
    """cue (recognised, ambiguous, difference), gap, low, high (tiers)."""
    reason: str


def recognised(
    statistics: Statistics, decider: Decider, contrast: design.Contrast, choices: Choices
) -> Recognised:
    """Compare a gap where the cue is recognised and where it is not (H-A3).

    A guise is recognised where the inferred probability of the level that it imitates is at least
    the threshold. The subset is chosen after the rewrite and is not balanced, so outcomes are taken
    about the mean over all guises of the complaint.
    """
    kind = kind_of(statistics, decider, choices)
    found = _scored(statistics, decider, kind, only(choices, ("order",)))
    if isinstance(found, str):
        return Recognised(contrast, (np.nan, np.nan), pl.DataFrame(schema=_CUES), found)
    columns = {
        side: found.levels[..., LEVELS.index(f"{contrast.factor}_{level}")]
        for side, level in enumerate((contrast.target, contrast.reference))
    }
    if any(np.isnan(c).any() for c in columns.values()):
        why = "The panel has no inferred probabilities of this factor."
        return Recognised(contrast, (np.nan, np.nan), pl.DataFrame(schema=_CUES), why)
    # A hundredth below the threshold in the panel's own unit, free of binary fractions.
    bar = round(100 * choices.number("recognised")) / 100 - 1e-9
    centred = found.outcome - found.outcome.mean(axis=1, keepdims=True)
    sums = []
    for side, level in enumerate((contrast.target, contrast.reference)):
        own = design.in_level(contrast.factor, level)
        known = columns[side][:, own] >= bar
        for flags in (known, ~known):
            sums += [np.where(flags, centred[:, own], 0.0).sum(axis=1), flags.sum(axis=1)]
    rows = np.stack(sums).astype(np.float64)
    totals = resampled_sums(rows, *sampling(choices))
    both = sampled(_gap(rows.sum(axis=1, keepdims=True))[:, 0], _gap(totals))
    ends = both.interval(1 - choices.number("alpha"))
    counts = rows[[1, 5]].sum(), rows[[3, 7]].sum()
    table = pl.DataFrame(
        {
            "cue": ["recognised", "ambiguous", "difference"],
            "gap": both.estimate,
            "low": ends[:, 0],
            "high": ends[:, 1],
        },
        schema=_CUES,
    ).with_columns(pl.col(pl.Float64).fill_nan(None))
    reason = "" if min(counts) > 0 else "All guises are on one side of the threshold."
    share = float(counts[0] / sum(counts))
    return Recognised(contrast, (share, 1 - share), table, reason)


_CUES = {"cue": pl.String, **dict.fromkeys(("gap", "low", "high"), pl.Float64)}


def _gap(sums: Array) -> Array:
    """Gaps from sums and counts: recognised, ambiguous, difference, (3, B)."""
    with np.errstate(invalid="ignore", divide="ignore"):
        means = sums[0::2] / sums[1::2]
    known, other = means[0] - means[2], means[1] - means[3]
    return np.stack([known, other, known - other])
