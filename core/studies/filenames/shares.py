"""Label variance that stays the same over texts, and label variance that changes with the text.

For one judge, ``b`` is a label's mean on a text less the text's mean over labels, D texts, L
labels, ``v`` the squared standard error of a cell's mean::

    T = mean over texts and labels of b^2, less noise           noise = (1 - 1/L) mean of v
    P = mean over labels of (mean over texts of b)^2, less noise / D
    Q = mean over pairs of different units and over labels of b b'
    corrected share = P / T        between-unit share = Q / T

The forms are worked out from the printed numbers; the document names them and no more. With pairs
of different texts ``P / T = 1/D + (1 - 1/D) Q / T``: the corrected share describes these D texts
and carries 1/D by construction, the between-unit share is about new texts and may be negative.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from core.choices import Choices
from core.stats.bootstrap_bca import resampling_weights
from core.stats.resampling import percentile_interval
from core.studies.filenames.reduce import Statistics, StudyStatistics
from core.studies.filenames.scope import in_scope
from core.studies.filenames.tables import judge_names_of, missing
from core.words import counted

Array = NDArray[np.float64]

LEVEL = 0.95
FEW_UNITS = 10
"""Units below which a bootstrap interval says little."""

ESTIMATORS = ("corrected", "between_units")
ESTIMATOR_NAMES = {"corrected": "corrected share", "between_units": "between-unit share (Q3)"}

NO_TEXT = "No text has at least two marks under every label that counts."
ONE_TEXT = "One text only: persistent and context-specific bias cannot be told apart."
NO_LABEL = "The choices leave no label in."
ONE_LABEL = "One label only: there is no label variance."
NO_VARIANCE = "Label variance is not above the noise of repeated calls, so there is no share."


@dataclass(frozen=True, eq=False)
class Sums:
    """What each of C units (texts, or briefs with their texts) adds for one judge."""

    biases: Array
    """(C, L) sums over the unit's texts of b."""
    squares: Array
    """(C,) sums over texts of the mean over labels of b^2."""
    noise: Array
    """(C,) sums over texts of their noise."""
    texts: Array
    """(C,) number of texts."""
    by_brief: bool
    """Whether pairs within a unit are left out of the between-unit products."""

    def shares(self, weights: Array) -> tuple[Array, Array, Array, Array]:
        """Compute total, persistent part and both shares under resampling weights.

        Parameters
        ----------
        weights
            (B, C) how often each unit is drawn. A unit drawn twice counts as two units.

        Returns
        -------
        total, persistent, corrected, between_units
            (B,) each; shares are NaN where the total is not above zero.
        """
        texts, noise = weights @ self.texts, weights @ self.noise
        labels = self.biases.shape[1]
        whole = ((weights @ self.biases) ** 2).sum(axis=1) / labels
        if self.by_brief:
            own = weights @ ((self.biases**2).sum(axis=1) / labels)
            pairs = texts**2 - weights @ self.texts**2
        else:
            own, pairs = weights @ self.squares, texts * (texts - 1)
        total = (weights @ self.squares - noise) / texts
        persistent = (whole - noise) / texts**2
        with np.errstate(invalid="ignore", divide="ignore"):
            divisor = np.where(total > 0, total, np.nan)
            products = np.where(pairs > 0, (whole - own) / pairs, np.nan)
        return total, persistent, persistent / divisor, products / divisor


def unit_sums(part: StudyStatistics, judge: int, *, by_brief: bool) -> Sums | str:
    """Add a judge's biases up by unit, over the texts with every label; or say why there are none.

    Parameters
    ----------
    part
        Texts and labels.
    judge
        Position of the judge.
    by_brief
        Whether pairs of texts of the same brief are left out of the between-unit products.
    """
    n = part.n[judge]
    labels = n.shape[1]
    if labels < 2:
        return ONE_LABEL if labels else NO_LABEL
    there = (n > 1).all(axis=1)
    if there.sum() < 2:
        return ONE_TEXT if there.any() else NO_TEXT
    mean, count = part.mean[judge][there], n[there].astype(np.float64)
    error = part.squares[judge][there] / (count - 1) / count
    bias = mean - mean.mean(axis=1, keepdims=True)
    _, place = part.clusters
    units, at = np.unique(place[there], return_inverse=True)
    biases = np.zeros((units.size, labels))
    np.add.at(biases, at, bias)
    noise = (1 - 1 / labels) * error.mean(axis=1)
    return Sums(
        biases,
        np.bincount(at, weights=(bias**2).mean(axis=1)).astype(np.float64),
        np.bincount(at, weights=noise).astype(np.float64),
        np.bincount(at).astype(np.float64),
        by_brief,
    )


def share_table(statistics: Statistics, choices: Choices) -> pl.DataFrame:
    """One row a study, judge and estimator: the share of label variance that persists.

    Parameters
    ----------
    statistics
        A reduced panel.
    choices
        The specification; both studies are given, each on the rows that count in it.

    Returns
    -------
    polars.DataFrame
        study, judge, judge_id, estimator, estimator_name, share, low, high (95%, percentile, in
        [.., 1]), persistent_sd, context_sd, total_sd (in points; null where the variance is not
        above zero), texts (that count: two marks or more under every label), of_texts (that there
        are), units, floor (1 / texts, which the corrected share carries by construction), reason.
    """
    frames = []
    for study in statistics.studies:
        part = in_scope(statistics, choices.replace(study=study))
        by_brief = study == "2" and choices.text("pairs") == "briefs"
        draws, seed = int(choices.text("draws")), int(choices.text("seed"))
        rows = [
            row
            for j in range(len(part.judges))
            for row in _rows(unit_sums(part, j, by_brief=by_brief), draws, seed)
        ]
        names = np.repeat(judge_names_of(part), len(ESTIMATORS))
        ids = np.repeat(part.judges, len(ESTIMATORS))
        frames.append(
            pl.DataFrame(rows, schema=_SCHEMA, orient="row").insert_column(
                0, pl.Series("judge_id", ids, dtype=pl.String)
            )
        )
        frames[-1].insert_column(0, pl.Series("judge", names, dtype=pl.String))
        frames[-1].insert_column(0, pl.Series("study", [study] * len(rows), dtype=pl.String))
        frames[-1] = frames[-1].with_columns(of_texts=pl.lit(part.texts.height, dtype=pl.Int64))
    return pl.concat(frames)


_SCHEMA = {
    "estimator": pl.String,
    "estimator_name": pl.String,
    "share": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "persistent_sd": pl.Float64,
    "context_sd": pl.Float64,
    "total_sd": pl.Float64,
    "texts": pl.Int64,
    "units": pl.Int64,
    "floor": pl.Float64,
    "reason": pl.String,
}


def _rows(sums: Sums | str, draws: int, seed: int) -> list[tuple[object, ...]]:
    """Rows of both estimators of one judge."""
    if isinstance(sums, str):
        return [(e, ESTIMATOR_NAMES[e], *[None] * 6, 0, 0, None, sums) for e in ESTIMATORS]
    units, texts = sums.texts.size, int(sums.texts.sum())
    total, persistent, *shares = (float(a[0]) for a in sums.shares(np.ones((1, units))))
    weights = resampling_weights(units, draws, seed).astype(np.float64)
    drawn = sums.shares(weights)[2:]
    spread = (_root(persistent), _root(total - persistent), _root(total))
    found = []
    for name, share, values in zip(ESTIMATORS, shares, drawn, strict=True):
        why = NO_VARIANCE if np.isnan(share) else ""
        low, high = _interval(values)
        numbers = (None, None, None) if why else (share, low, high)
        found.append((name, ESTIMATOR_NAMES[name], *numbers, *spread, texts, units, 1 / texts, why))
    return found


def _interval(values: Array) -> tuple[float | None, float | None]:
    """Return the ends over the resamples that have a share."""
    kept = values[~np.isnan(values)]
    if kept.size == 0:
        return None, None
    low, high = percentile_interval(kept, LEVEL)
    return float(low), float(high)


def _root(variance: float) -> float | None:
    return float(np.sqrt(variance)) if variance >= 0 else None


def warnings(table: pl.DataFrame) -> list[str]:
    """Say what keeps shares from being compared or trusted."""
    said = []
    columns = ("study", "texts", "units", "of_texts")
    studies = table.filter(pl.col("reason") == "").select(columns).unique()
    if studies["study"].n_unique() > 1:
        sizes = studies.sort("study").unique("study", keep="first", maintain_order=True)
        floors = " and ".join(f"{100 / n:.1f}" for n in sizes["texts"])
        said.append(
            "Corrected shares of the two studies are not comparable: each carries 1 / texts by "
            f"construction ({floors} points). Compare the between-unit shares."
        )
    for row in studies.filter(pl.col("units") < FEW_UNITS).sort(columns).iter_rows(named=True):
        study, texts, there = row["study"], row["texts"], row["of_texts"]
        have = f"Study {study} has {counted(texts, 'text')} in this panel"
        if texts < there:
            have = (
                f"Of the {counted(there, 'text')} of study {study} in this panel, {texts} have two "
                "marks or more under every label and count here"
            )
        said.append(
            f"{have}: a resample repeats texts, and a repeated text counts as agreement, so its "
            "intervals lean upward and say little."
        )
    if (table["share"] > 1).any():
        said.append(
            "A share above 1 is a ratio of two estimates, of which the lower is close to zero: the "
            "labels hardly differ by more than repeated calls do, so the share says little."
        )
    return list(dict.fromkeys(said))


def bias_table(statistics: Statistics, choices: Choices) -> pl.DataFrame:
    """One row a judge and label: the label's mean bias over texts, about the mean of labels.

    Returns
    -------
    polars.DataFrame
        judge, judge_id, label, kind, bias (points), low and high over texts (the range), texts.
    """
    part = in_scope(statistics, choices)
    bias = part.bias
    there = np.asarray(~np.isnan(bias).any(axis=2))
    shape = (len(part.judges), part.labels.height)
    mean, low, high = (np.full(shape, np.nan) for _ in range(3))
    for j, kept in enumerate(there):
        if kept.any():
            mean[j], low[j], high[j] = (f(bias[j, kept], axis=0) for f in (np.mean, np.min, np.max))
    labels = part.labels.height
    return pl.DataFrame(
        {
            "judge": np.repeat(judge_names_of(part), labels),
            "judge_id": np.repeat(part.judges, labels),
            "label": part.label_names * len(part.judges),
            "kind": part.labels["label_kind"].to_list() * len(part.judges),
            "bias": missing(mean),
            "low": missing(low),
            "high": missing(high),
            "texts": np.repeat(there.sum(axis=1), labels),
        },
        schema_overrides={
            "judge": pl.String,
            "judge_id": pl.String,
            "label": pl.String,
            "kind": pl.String,
        },
    )
