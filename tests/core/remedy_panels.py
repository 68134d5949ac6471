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


def tier_of(latent: NDArray[np.float64]) -> Ints:
    return (latent > -1.2).astype(np.int64) + (latent > 0)


def share_of(latent: NDArray[np.float64]) -> Ints:
    weights = np.exp(np.stack([np.zeros_like(latent), 0.4 + 0.5 * latent, latent - 0.3], -1))
    return hundredths(weights)


def with_experiments(seed: int, count: int) -> pl.DataFrame:
    """`drawn` with edits, standard styles, a second scoring and a same-day baseline."""
    rng = np.random.default_rng(seed + 1)
    severity = np.random.default_rng(seed).normal(-1.6, 1.3, count)
    moves = {"original": 0.0, "strengthen": 2.5, "weaken": -1.0, "harm_x10": 0.5}
    parts = [drawn(seed, count)]
    for style in ("none", "A", "B", "C"):
        for edit, shift in moves.items():
            if style != "none" and edit == "harm_x10":
                continue
            texts = keys(count, MINI, edit=edit, style=style)
            latent = severity + shift + rng.normal(0, 0.2, count)
            systems = (MINI, FIVE) if style == "none" else (MINI,)
            parts += [labels(texts, system, tier_of(latent)) for system in systems]
            orders = ORDERS if style == "none" else ORDERS[:1]
            parts += [shares(texts, JEV, share_of(latent), order) for order in orders]
    for style, repeat in (("A", 0), ("B", 0), ("C", 0), ("none", 2), ("A", 2)):
        texts = keys(count, MINI, style=style, repeat=repeat)
        latent = severity[:, None] + rng.normal(0, 0.4, (count, 36))
        parts += [labels(texts, MINI, tier_of(latent)), shares(texts, JEV, share_of(latent))]
    texts = keys(count, MINI, repeat=1)
    latent = severity[:, None] + rng.normal(0, 0.5, (count, 36))
    parts.append(shares(texts, JEV, share_of(latent)))
    return pl.concat(parts)


def attributes_of(seed: int, count: int) -> pl.DataFrame:
    """Scores that lean to college guises in some attributes, for guises and two edits."""
    rng = np.random.default_rng(seed)
    college = design.in_level("education", "college").astype(float)
    parts = []
    for edit, style in (
        ("guise", "none"),
        ("guise", "A"),
        ("original", "none"),
        ("strengthen", "none"),
        ("weaken", "none"),
    ):
        texts = keys(count, MINI, edit=edit, style=style)
        size = texts.height
        lean = np.tile(college, count) if edit == "guise" else np.zeros(size)
        scores = (
            0.5 + 0.05 * rng.normal(0, 1, (size, 22)) + 0.1 * lean[:, None] * (np.arange(22) < 8)
        )
        scores = np.clip(scores, 0, 1)
        taken = np.clip(0.5 + 0.3 * (lean - 0.5) + 0.1 * rng.normal(0, 1, size), 0.01, 0.99)
        pairs = [hundredths(np.stack([1 - taken, taken], -1)) for _ in range(2)]
        triples = [hundredths(rng.uniform(0.1, 1, (size, 3))) for _ in range(2)]
        levels = np.concatenate([pairs[0], triples[0], pairs[1], triples[1]], axis=1)
        parts.append(attribute_rows(texts, scores, levels))
    return pl.concat(parts)


AUDITORS = ("claude-opus-5.5", "gpt-5.2")


def audit_of(seed: int, count: int) -> pl.DataFrame:
    """Guises, standardised texts and edits seen by two auditors; two strata of equal size."""
    rng = np.random.default_rng(seed)
    parts = []
    for kind, edit, style, rate in (
        ("guise", "guise", "none", (0.05, 0.15)),
        ("standardised", "guise", "A", (0.03, 0.04)),
        ("edit", "strengthen", "none", (0.98, 0.97)),
    ):
        texts = keys(count, MINI, edit=edit, style=style)
        if kind == "standardised":
            texts = texts.gather_every(12)
        late = texts["complaint"].is_in(names(count)[count // 2 :])
        for auditor, share in zip(AUDITORS, rate, strict=True):
            draw = rng.random(texts.height)
            verdict = np.where(draw < share, "material", np.where(draw < 0.4, "minor", "preserved"))
            parts.append(
                texts.with_columns(
                    text_kind=pl.lit(kind),
                    auditor=pl.lit(auditor),
                    valid=pl.lit(value=True),
                    verdict=pl.Series(verdict),
                    categories=pl.lit(None, dtype=pl.String),
                    amounts_match=pl.Series(rng.random(texts.height) > 0.01),
                    years_match=pl.Series(rng.random(texts.height) > 0.02),
                    stratum=pl.when(late).then(pl.lit("mixed")).otherwise(pl.lit("unanimous")),
                    weight=pl.when(late).then(0.146).otherwise(0.854),
                )
            )
    return pl.concat(parts)


def everything(seed: int, count: int, audited: int = 12) -> Statistics:
    return reduce_remedies(
        with_experiments(seed, count), attributes_of(seed, count), audit_of(seed, audited)
    )
