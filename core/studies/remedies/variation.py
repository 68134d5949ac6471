"""Where the variation of a probabilistic answer comes from (Sec. 3.3, 4.1, App. C).

Complaint x persona x bank x order, one answer a cell. Of the 15 components the one between
complaints is left out, since complaints should differ; the others are shares of what is left, put
together in parts. A negative estimate is reported and counts as zero in the shares.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import polars as pl
from numpy.typing import NDArray

from core.choices import Choices
from core.stats.components import (
    ClusterSquares,
    Effect,
    components,
    effects_of,
    reduce_layout,
    resampled_components,
)
from core.studies.remedies import design
from core.studies.remedies.choices import only
from core.studies.remedies.parts import term_parts
from core.studies.remedies.reduce import NONE, Statistics, Texts
from core.words import counted

Array = NDArray[np.float64]

LETTERS = "CKBO"
"""Complaint, persona (guise), bank (who rewrote), option order."""

BETWEEN = "C"


@dataclass(frozen=True, eq=False)
class Layout:
    """A balanced layout of one system, ready to be analysed."""

    system: str
    squares: ClusterSquares
    factors: str
    """Letters of its factors; a factor with one level is left out."""
    dropped: int
    """Complaints left out because a cell is missing."""
    note: str


def term_name(effect: Effect, factors: str) -> str:
    """Name an effect as the study does, such as CxKxB."""
    return "x".join(factors[f] for f in effect)


def layout(statistics: Statistics, panel: str, system: str, choices: Choices) -> Layout | str:
    """Arrange a system's answers as a crossed layout, or say why that cannot be done; kept."""
    return _layout(statistics, panel, system, choices.text("component_outcome"))


@lru_cache(maxsize=16)
def _layout(statistics: Statistics, panel: str, system: str, kind: str) -> Layout | str:
    banks = [b for b in statistics.banks(panel) if system in statistics.systems(Texts(panel, b))]
    orders = [set(statistics.orders(Texts(panel, b), system)) for b in banks]
    common = sorted(set.intersection(*orders)) if orders else []
    if not common:
        return "The system gives no probabilities under an order that all its texts share."
    cells = []
    for bank in banks:
        for order in common:
            found = statistics.probability(Texts(panel, bank), system, order)
            assert found is not None
            value = found[..., 2] if kind == "p2" else found[..., 1] + 2 * found[..., 2]
            cells.append(np.where(found[..., 0] != NONE, value / 100, np.nan))
    values = np.stack(cells, axis=-1).reshape(*cells[0].shape, len(banks), len(common))
    complete = ~np.isnan(values).reshape(len(values), -1).any(axis=1)
    there = ~np.isnan(values).reshape(len(values), -1).all(axis=1)
    if complete.sum() < 2:
        return "Fewer than two complaints have an answer in every cell: the layout is unbalanced."
    kept = values[complete]
    single = [f for f, size in enumerate(kept.shape) if size < 2]
    factors = "".join(letter for f, letter in enumerate(LETTERS) if f not in single)
    dropped = int(there.sum() - complete.sum())
    notes = [_single_note(LETTERS[f]) for f in single]
    if dropped:
        notes.append(f"{counted(dropped, 'complaint')} without an answer in every cell left out.")
    return Layout(
        system, reduce_layout(kept.squeeze(axis=tuple(single))), factors, dropped, " ".join(notes)
    )


def _single_note(letter: str) -> str:
    what = {"K": "guise", "B": "bank of texts", "O": "option order"}[letter]
    return f"One {what} only: its terms cannot be told from the others."


@dataclass(frozen=True, eq=False)
class Variation:
    """Components and shares; E effects in the order of `effects_of`, B resamples."""

    layout: Layout
    terms: tuple[str, ...]
    components: Array
    """(E,) not truncated."""
    draws: Array
    """(E, B) the same in resamples."""
    df: NDArray[np.int64]
    mean_squares: Array

    def shares(self) -> tuple[Array, Array]:
        """Shares of the variation within complaints, (E,) and (E, B); NaN for complaints."""
        return _shares(self.components[:, None], self.terms)[:, 0], _shares(self.draws, self.terms)


def _shares(values: Array, terms: tuple[str, ...]) -> Array:
    """Truncate at zero and divide by the sum over all terms but complaints."""
    positive = np.maximum(values, 0.0)
    inside = np.array([term != BETWEEN for term in terms])
    total = positive[inside].sum(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        shares = positive / np.where(total > 0, total, np.nan)
    shares[~inside] = np.nan
    return shares


def variation(statistics: Statistics, panel: str, system: str, choices: Choices) -> Variation | str:
    """Estimate all components and resample complaints, or say why that cannot be done; kept."""
    keys = ("component_outcome", "component_draws", "seed")
    return _variation(statistics, panel, system, only(choices, keys))


@lru_cache(maxsize=16)
def _variation(
    statistics: Statistics, panel: str, system: str, choices: Choices
) -> Variation | str:
    found = layout(statistics, panel, system, choices)
    if isinstance(found, str):
        return found
    whole = components(found.squares)
    draws, seed = int(choices.text("component_draws")), int(choices.text("seed"))
    again = resampled_components(found.squares, draws, seed)
    terms = tuple(term_name(e, found.factors) for e in effects_of(len(found.factors)))
    return Variation(found, terms, whole.components, again.components, whole.df, whole.mean_squares)


def term_table(found: Variation, choices: Choices) -> pl.DataFrame:
    """One row a term: where it is counted, its component before truncation, its share.

    Returns
    -------
    polars.DataFrame
        term; part_id and part (null for complaints); planned_part_id; moved; df; component (in
        squared units, may be negative), negative; share, low, high (of the variation within
        complaints, null for complaints).
    """
    level = 1 - choices.number("alpha")
    tail = (1 - level) / 2
    shares, draws = found.shares()
    low, high = _quantiles(draws, tail)
    planned, now = design.term_parts(), term_parts(choices.text("moves"))
    names = design.part_names()
    return pl.DataFrame(
        {
            "term": found.terms,
            "part_id": [now.get(t) for t in found.terms],
            "part": [names.get(now.get(t, "")) for t in found.terms],
            "planned_part_id": [planned.get(t) for t in found.terms],
            "moved": [now.get(t) != planned.get(t) for t in found.terms],
            "df": found.df,
            "component": found.components,
            "negative": found.components < 0,
            "share": shares,
            "low": low,
            "high": high,
        },
        schema_overrides={"part_id": pl.String, "part": pl.String, "planned_part_id": pl.String},
    ).with_columns(pl.col("share", "low", "high").fill_nan(None))


def part_table(found: Variation, choices: Choices) -> pl.DataFrame:
    """One row a reported part, with the terms counted in it now.

    Returns
    -------
    polars.DataFrame
        part_id, part; terms (joined by +); share, low, high (of the variation within complaints);
        planned (the share with the study's terms); moved (whether a term came or went).
    """
    tail = choices.number("alpha") / 2
    now = term_parts(choices.text("moves"))
    rows = []
    for part, name in design.part_names().items():
        own = tuple(t for t in found.terms if now.get(t) == part)
        before = tuple(t for t in found.terms if design.term_parts().get(t) == part)
        share, low, high = sum_of_terms(found, own, tail)
        planned, _, _ = sum_of_terms(found, before, tail)
        rows.append((part, name, " + ".join(own), share, low, high, planned, own != before))
    schema = {
        **dict.fromkeys(("part_id", "part", "terms"), pl.String),
        **dict.fromkeys(("share", "low", "high", "planned"), pl.Float64),
        "moved": pl.Boolean,
    }
    return pl.DataFrame(rows, schema=schema, orient="row").with_columns(
        pl.col(pl.Float64).fill_nan(None)
    )


def sum_of_terms(
    found: Variation, terms: tuple[str, ...], tail: float
) -> tuple[float, float, float]:
    """Share of some terms together, with the ends that leave a tail on each side."""
    places = [found.terms.index(t) for t in terms if t in found.terms and t != BETWEEN]
    shares, draws = found.shares()
    total = draws[places].sum(axis=0)
    low, high = np.quantile(total, [tail, 1 - tail])
    return float(shares[places].sum()), float(low), float(high)


def _quantiles(draws: Array, tail: float) -> Array:
    return np.asarray(np.quantile(draws, [tail, 1 - tail], axis=1))
