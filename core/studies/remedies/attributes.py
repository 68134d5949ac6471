"""What properties of texts go with: persona, inferred persona, remedy, edits and standard styles.

Within complaints: shares of variation, R2 of families, shifts (H-A1, H-A4, H-A5, PC5, MH4).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

import numpy as np
import polars as pl
from numpy.typing import NDArray

from core.choices import Choices
from core.stats.clusters import resampled_sums
from core.stats.gelbach import explained_share, products
from core.studies.remedies import design
from core.studies.remedies.channels import scored
from core.studies.remedies.choices import RESAMPLING, only, sampling
from core.studies.remedies.contract import ATTRIBUTES, GUISE
from core.studies.remedies.parts import attribute_families
from core.studies.remedies.reduce import LEVELS, Statistics, Texts
from core.studies.remedies.scales import Decider

Array = NDArray[np.float64]

TARGETS = tuple(
    f"{factor}_{level}"
    for factor, level in (
        ("age", "old"),
        ("geography", "rural"),
        ("education", "college"),
        ("ses", "high"),
    )
)
"""Inferred levels whose probability stands for a factor (a reading: the document prints the two
ends over its targets without naming them)."""

REMEDY = "remedy"
REMEDY_P2 = "remedy_p2"
"""Targets: the decider's graded outcome, and its probability of a monetary remedy."""


def r2_table(statistics: Statistics, decider: Decider, choices: Choices) -> pl.DataFrame:
    """How well each family predicts persona inferences and the remedy within complaints.

    Returns
    -------
    polars.DataFrame
        target (an inferred level, remedy or remedy_p2), family, r2. Empty
        without attributes; null where a target does not vary.
    """
    found = scored(statistics, decider, choices)
    if isinstance(found, str):
        return pl.DataFrame(schema=_R2)
    families = attribute_families(choices.text("families"))
    own = only(choices, ("outcome", "order"))
    rows = []
    for target, sums in _target_sums(statistics, decider, own).items():
        for family in design.FAMILIES:
            members = [j for j, a in enumerate(ATTRIBUTES) if families[a] == family]
            r2 = float(explained_share(sums, members, len(ATTRIBUTES))[0])
            rows.append((target, family, None if np.isnan(r2) else r2))
    return pl.DataFrame(rows, schema=_R2, orient="row")


@lru_cache(maxsize=16)
def _target_sums(statistics: Statistics, decider: Decider, choices: Choices) -> Mapping[str, Array]:
    """Take sums of products of the attributes and each target, which comes last."""
    found = scored(statistics, decider, choices)
    assert not isinstance(found, str)
    targets = {t: found.levels[..., LEVELS.index(t)] for t in TARGETS} | {REMEDY: found.outcome}
    if not statistics.gives_labels(decider.system):
        targets[REMEDY_P2] = found.p2
    sums = {}
    for target, values in targets.items():
        kept = ~np.isnan(values).any(axis=1)
        if kept.sum() > 1:
            stacked = np.concatenate([found.scores[kept], values[kept][..., None]], axis=2)
            sums[target] = products(stacked).total()
    return sums


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
    present, complete = _scores_of(statistics, bank, styles)
    if complete.sum() < 2:
        return pl.DataFrame(schema=_ETA)
    families = attribute_families(choices.text("families"))
    level = 1 - choices.number("alpha")
    own = only(choices, RESAMPLING)
    rows = []
    for style, scores in zip(styles, present, strict=True):
        kept = scores[complete]
        eta2 = persona_shares(kept)
        upper = np.full(len(ATTRIBUTES), np.nan)
        if draws:
            upper = np.quantile(
                _resampled_shares(statistics, bank, style, styles, own), level, axis=1
            )
        for j, attribute in enumerate(ATTRIBUTES):
            rows.append(
                (
                    design.attribute_names()[attribute],
                    attribute,
                    families[attribute],
                    style,
                    eta2[j],
                    upper[j],
                    kept[..., j].mean(),
                    len(kept),
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


@lru_cache(maxsize=8)
def _resampled_shares(
    statistics: Statistics, bank: str, style: str, styles: tuple[str, ...], choices: Choices
) -> Array:
    """Eta squared in resamples of complaints, (A, B)."""
    _, complete = _scores_of(statistics, bank, styles)
    own = statistics.attributes[Texts(statistics.main_panel, bank, GUISE, style)][complete]
    size, guises, attributes = own.shape
    centred = own - own.mean(axis=1, keepdims=True)
    cells = centred.transpose(1, 2, 0).reshape(-1, size)
    within = (centred**2).sum(axis=1).T
    totals = resampled_sums(np.concatenate([cells, within]), *sampling(choices))
    means = totals[: guises * attributes].reshape(guises, attributes, -1) / size
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(size * (means**2).sum(axis=0) / totals[guises * attributes :])


def _scores_of(
    statistics: Statistics, bank: str, styles: tuple[str, ...]
) -> tuple[list[Array], NDArray[np.bool_]]:
    """Scores under each style, and which complaints have all of them; none without scores."""
    panel = statistics.main_panel
    found = [statistics.attributes.get(Texts(panel, bank, GUISE, style)) for style in styles]
    present = [f for f in found if f is not None]
    if len(present) < len(styles):
        return [], np.zeros(0, dtype=np.bool_)
    complete = np.logical_and.reduce([~np.isnan(f).any(axis=(1, 2)) for f in present])
    return present, np.asarray(complete)


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
