"""Small remedies panels for tests, drawn with known structure."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from core.studies.remedies import design
from core.studies.remedies.contract import ATTRIBUTES, DECISIONS, LEVEL_COLUMNS, ORDERS, PERSONA
from core.studies.remedies.reduce import Statistics, reduce_remedies

MINI, FIVE, JEV = "gpt-4o-mini", "gpt-5-mini", "jev-1.13.0"
SCHEMA = {column.name: column.polars_type for column in DECISIONS.columns}

Ints = NDArray[np.int64]


def names(count: int) -> list[str]:
    return [f"c{i:04d}" for i in range(count)]


def keys(
    count: int,
    bank: str,
    *,
    panel: str = "holdout",
    edit: str = "guise",
    style: str = "none",
    repeat: int = 0,
    first: int = 0,
) -> pl.DataFrame:
    """Keys of the texts of some complaints: 36 guises each, or one other text."""
    ids = names(first + count)[first:]
    if edit == "guise":
        personas = design.personas()
        rows = [(c, *p) for c in ids for p in personas]
    else:
        rows = [(c, None, None, None, None) for c in ids]
    frame = pl.DataFrame(
        rows, schema={"complaint": pl.String} | dict.fromkeys(PERSONA, pl.String), orient="row"
    )
    return frame.select(
        pl.lit(panel).alias("panel"),
        pl.lit(bank).alias("bank"),
        "complaint",
        *PERSONA,
        pl.lit(edit).alias("edit"),
        pl.lit(style).alias("style"),
        pl.lit(repeat, dtype=pl.Int64).alias("repeat"),
    )


def labels(texts: pl.DataFrame, system: str, tiers: Ints) -> pl.DataFrame:
    """Rows of a system that answers with tiers; a negative tier is a missing answer."""
    tier = pl.Series("tier", tiers.ravel(), dtype=pl.Int64)
    none = pl.lit(None, dtype=pl.Int64)
    return texts.with_columns(
        system=pl.lit(system),
        order=pl.lit(None, dtype=pl.String),
        tier=pl.when(tier >= 0).then(tier),
        p0=none,
        p1=none,
        p2=none,
    ).select(list(SCHEMA))


def shares(texts: pl.DataFrame, system: str, hundredths: Ints, order: str = "o012") -> pl.DataFrame:
    """Rows of a system that answers with probabilities, (texts, 3) hundredths."""
    flat = hundredths.reshape(-1, 3)
    return texts.with_columns(
        pl.lit(system).alias("system"),
        pl.lit(order).alias("order"),
        pl.lit(None, dtype=pl.Int64).alias("tier"),
        *(pl.Series(f"p{j}", flat[:, j], dtype=pl.Int64) for j in range(3)),
    ).select(list(SCHEMA))


def hundredths(weights: NDArray[np.float64]) -> Ints:
    """Round shares to hundredths that sum to 100, by largest remainders."""
    exact = 100 * weights / weights.sum(axis=-1, keepdims=True)
    low = np.floor(exact).astype(np.int64)
    left = 100 - low.sum(axis=-1, keepdims=True)
    order = np.argsort(np.argsort(-(exact - low), axis=-1, kind="stable"), axis=-1)
    return low + (order < left)


def drawn(
    seed: int, count: int, *, orders: Sequence[str] = ORDERS, gap: float = 0.3
) -> pl.DataFrame:
    """A holdout panel: two label systems on their own texts, one with probabilities on both.

    Complaints differ in severity; college guises fare better by ``gap`` on the latent scale.
    """
    rng = np.random.default_rng(seed)
    severity = rng.normal(-1.6, 1.3, count)
    college = design.in_level("education", "college")
    parts = []
    for bank in (MINI, FIVE):
        texts = keys(count, bank)
        latent = severity[:, None] + gap * (college - 0.5) + rng.normal(0, 0.5, (count, 36))
        tiers = (latent > -1.2).astype(np.int64) + (latent > 0)
        parts.append(labels(texts, bank, tiers))
        for place, order in enumerate(orders):
            moved = latent + 0.1 * place + rng.normal(0, 0.2, latent.shape)
            weights = np.exp(np.stack([np.zeros_like(moved), 0.4 + 0.5 * moved, moved - 0.3], -1))
            parts.append(shares(texts, JEV, hundredths(weights), order))
    return pl.concat(parts)


def reduced(seed: int, count: int, **changes: float) -> Statistics:
    return reduce_remedies(drawn(seed, count, **changes))


def attribute_rows(texts: pl.DataFrame, scores: NDArray[np.float64], levels: Ints) -> pl.DataFrame:
    """Rows of the attributes table: (texts, 22) scores and (texts, 10) hundredths."""
    columns = [name for own in LEVEL_COLUMNS.values() for name in own]
    return texts.with_columns(
        *(pl.Series(name, scores[:, j]) for j, name in enumerate(ATTRIBUTES)),
        *(pl.Series(name, levels[:, j], dtype=pl.Int64) for j, name in enumerate(columns)),
    )
