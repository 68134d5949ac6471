"""The same texts decided again on one day: did the systems drift (DB1, DB2, Sec. 4.8)."""

from __future__ import annotations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from core.choices import Choices
from core.stats.clusters import resampled_means
from core.studies.remedies.choices import sampling
from core.studies.remedies.contract import BASELINE, GUISE, OF_RECORD, UNSTYLED
from core.studies.remedies.design import CONTRASTS, system_name
from core.studies.remedies.mitigation import M1_STYLE
from core.studies.remedies.reduce import Statistics, Texts
from core.studies.remedies.scales import Decider, deciders, graded_kind, outcome, side_means

Array = NDArray[np.float64]

STYLES = {"M0": UNSTYLED, "M1": M1_STYLE}


def baseline_deciders(statistics: Statistics) -> tuple[Decider, ...]:
    """List who decided texts again on the day of the baseline."""
    panel = statistics.main_panel
    return tuple(
        d
        for d in deciders(statistics, panel)
        if d.system in statistics.systems(Texts(panel, d.bank, GUISE, UNSTYLED, BASELINE))
    )


def decided(
    statistics: Statistics, decider: Decider, arm: str, repeat: int, choices: Choices
) -> Array | None:
    """Return the graded outcome of the baseline's complaints, (C, 36); None without answers."""
    panel, bank, system = statistics.main_panel, decider.bank, decider.system
    kind = graded_kind(statistics, system, choices)
    texts = Texts(panel, bank, GUISE, STYLES[arm], repeat)
    values = outcome(statistics, texts, system, kind, choices)
    again = outcome(
        statistics, Texts(panel, bank, GUISE, UNSTYLED, BASELINE), system, kind, choices
    )
    if values is None or again is None:
        return None
    return values[~np.isnan(again).any(axis=1)]


def drift_table(statistics: Statistics, choices: Choices) -> pl.DataFrame:
    """Compare decisions of the baseline with those of record (DB1).

    Returns
    -------
    polars.DataFrame
        system, system_id, arm; same (share of texts with the same answer), difference (mean, fresh
        less recorded, tiers), low, high; complaints.
    """
    rows = []
    for decider in baseline_deciders(statistics):
        for arm in STYLES:
            fresh, old = (
                decided(statistics, decider, arm, r, choices) for r in (BASELINE, OF_RECORD)
            )
            if fresh is None or old is None or len(old) < 2 or np.isnan(fresh - old).any():
                continue
            moved = resampled_means((fresh - old).mean(axis=1)[None], *sampling(choices))
            low, high = moved.interval(1 - choices.number("alpha"))[0]
            rows.append(
                (
                    system_name(decider.system),
                    decider.system,
                    arm,
                    float((fresh == old).mean()),
                    float(moved.estimate[0]),
                    low,
                    high,
                    len(old),
                )
            )
    schema = {
        **dict.fromkeys(("system", "system_id", "arm"), pl.String),
        **dict.fromkeys(("same", "difference", "low", "high"), pl.Float64),
        "complaints": pl.Int64,
    }
    return pl.DataFrame(rows, schema=schema, orient="row").with_columns(
        pl.col(pl.Float64).fill_nan(None)
    )


def reduction_table(statistics: Statistics, choices: Choices) -> pl.DataFrame:
    """Gaps under M0 and M1 and their reduction, with recorded and with fresh decisions (DB2).

    Returns
    -------
    polars.DataFrame
        system, system_id, decisions (original or fresh), contrast, key; m0, m1 (gaps, tiers),
        reduction, low, high; complaints.
    """
    rows = []
    for decider in baseline_deciders(statistics):
        for name, repeat in (("original", OF_RECORD), ("fresh", BASELINE)):
            arms = [decided(statistics, decider, arm, repeat, choices) for arm in STYLES]
            if any(a is None or len(a) < 2 or np.isnan(a).any() for a in arms):
                continue
            gaps = []
            for values in arms:
                assert values is not None
                means = side_means(values, ~np.isnan(values))
                gaps.append(means[0] - means[1])
            less = resampled_means(gaps[0] - gaps[1], *sampling(choices))
            ends = less.interval(1 - choices.number("alpha"))
            for k, contrast in enumerate(CONTRASTS):
                rows.append(
                    (
                        system_name(decider.system),
                        decider.system,
                        name,
                        contrast.name,
                        contrast.key,
                        float(gaps[0][k].mean()),
                        float(gaps[1][k].mean()),
                        float(less.estimate[k]),
                        *map(float, ends[k]),
                        gaps[0].shape[1],
                    )
                )
    schema = {
        **dict.fromkeys(("system", "system_id", "decisions", "contrast", "key"), pl.String),
        **dict.fromkeys(("m0", "m1", "reduction", "low", "high"), pl.Float64),
        "complaints": pl.Int64,
    }
    return pl.DataFrame(rows, schema=schema, orient="row").with_columns(
        pl.col(pl.Float64).fill_nan(None)
    )
