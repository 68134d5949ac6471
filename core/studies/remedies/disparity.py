"""D, the spread of persona effects that all complaints share, and its differences (App. B).

D compares the standard deviation of the 36 persona effects with that among complaints, both
without noise. The study prints differences only: between two outcomes of Jev (H3b), between a GPT
model and Jev (H6), between averaging and voting with as many answers (H4).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import polars as pl
from numpy.typing import NDArray

from core.choices import Choices
from core.stats.disparity import Parts, TwoWay, two_way
from core.studies.remedies import design
from core.studies.remedies.choices import DECIDING, DECLARATION, RESAMPLING, only, sampling
from core.studies.remedies.reduce import NONE, Statistics, Texts
from core.studies.remedies.rules import argmax_tier, decide
from core.studies.remedies.scales import deciders, outcome

Array = NDArray[np.float64]

Kind = str
"""e_tier, argmax, tier; money (the frozen rule of H6: threshold at roughly matched volume);
average or vote (six orders), average2 or vote2 (two banks)."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """A difference of two D."""

    key: str
    name: str
    hypothesis: str
    bank: str
    one: tuple[str, Kind]
    """System and outcome whose D is compared."""
    other: tuple[str, Kind]


WHY_THEY_DIFFER = (
    "A resample draws some complaints more than once, and copies carry the same noise. The "
    "registered bootstrap took off the noise of as many different complaints, about half of what "
    "is there, so every D in a resample came out too large and the intervals sit too high. The "
    "correction was committed after the results were on record; the estimate itself is the same."
)


def comparisons(statistics: Statistics, panel: str) -> tuple[Comparison, ...]:
    """List the differences of D that the panel's rows allow."""
    found = []
    who = deciders(statistics, panel)
    for bank in statistics.banks(panel):
        models = [d.system for d in who if d.bank == bank]
        graded = [s for s in models if not statistics.gives_labels(s)]
        labels = [s for s in models if statistics.gives_labels(s)]
        for system in graded:
            name = design.system_name(system)
            found.append(
                Comparison(
                    "argmax_minus_e_tier",
                    f"{name}: most probable tier minus expected tier",
                    "H3b",
                    bank,
                    (system, "argmax"),
                    (system, "e_tier"),
                )
            )
            found += [
                Comparison(
                    "gpt_minus_jev",
                    f"monetary: {design.system_name(label)} minus {name}",
                    "H6",
                    bank,
                    (label, "money"),
                    (system, "money"),
                )
                for label in labels
            ]
            if len(statistics.orders(Texts(panel, bank), system)) > 1:
                found.append(
                    Comparison(
                        "six_orders",
                        f"{name}: averaging six orders minus their vote",
                        "H4",
                        bank,
                        (system, "average"),
                        (system, "vote"),
                    )
                )
            if bank == statistics.banks(panel)[0] and _on_two_banks(statistics, panel, system):
                found.append(
                    Comparison(
                        "two_paraphrases",
                        f"{name}: averaging two paraphrases minus their vote",
                        "H4",
                        bank,
                        (system, "average2"),
                        (system, "vote2"),
                    )
                )
    return tuple(found)


def _on_two_banks(statistics: Statistics, panel: str, system: str) -> bool:
    banks = statistics.banks(panel)
    return sum(system in statistics.systems(Texts(panel, b)) for b in banks) == 2


@lru_cache(maxsize=64)
def _layout(
    statistics: Statistics, panel: str, bank: str, system: str, kind: Kind, choices: Choices
) -> TwoWay | str:
    values = _values(statistics, panel, bank, system, kind, choices)
    if values is None:
        return "The panel has no such answers of this system."
    kept = values[~np.isnan(values).any(axis=1)]
    if len(kept) < 2:
        return "Fewer than two complaints have all guises."
    return two_way(kept)


def _values(
    statistics: Statistics, panel: str, bank: str, system: str, kind: Kind, choices: Choices
) -> Array | None:
    texts = Texts(panel, bank)
    if kind == "money":
        made = decide(statistics, texts, system, choices)
        return None if made.why else np.where(made.there, made.paid.astype(np.float64), np.nan)
    if kind in ("e_tier", "argmax"):
        return outcome(statistics, texts, system, kind, choices)
    sets: list[tuple[Texts, str | None]]
    if kind.endswith("2"):
        sets = [(Texts(panel, b), None) for b in statistics.banks(panel)]
    else:
        sets = [(texts, order) for order in statistics.orders(texts, system)]
    answers = []
    for own, order in sets:
        name = choices.text("order") if order is None else order
        found = statistics.probability(own, system, name)
        if found is None:
            return None
        answers.append(found)
    there = np.logical_and.reduce([a[..., 0] != NONE for a in answers])
    if kind.startswith("average"):
        voted = np.mean([a[..., 1] + 2 * a[..., 2] for a in answers], axis=0) / 100
    else:
        voted = _vote(np.stack([argmax_tier(a) for a in answers]))
    return np.where(there, voted, np.nan)


def _vote(tiers: NDArray[np.int8]) -> Array:
    """Most frequent tier over answers, (C, K); of equally frequent ones the lowest, as for argmax.

    The document does not say how a tied vote is settled; with two answers every disagreement is
    one.
    """
    counts = np.stack([(tiers == t).sum(axis=0) for t in range(3)])
    return counts.argmax(axis=0).astype(np.float64)


@lru_cache(maxsize=256)
def _parts(
    statistics: Statistics,
    panel: str,
    bank: str,
    system: str,
    kind: Kind,
    corrected: bool,
    choices: Choices,
) -> tuple[Parts, Parts] | str:
    """Components from all complaints and in resamples."""
    own = only(choices, DECIDING)
    found = _layout(statistics, panel, bank, system, kind, own)
    if isinstance(found, str):
        return found
    draws, seed = sampling(choices)
    return found.parts, found.resampled(draws, seed, corrected=corrected)


_RESAMPLED = (*DECIDING, *RESAMPLING)


def parts_of(
    statistics: Statistics,
    panel: str,
    bank: str,
    system: str,
    kind: Kind,
    choices: Choices,
) -> tuple[Parts, Parts] | str:
    """Components of one outcome from all complaints and in resamples, or why there are none."""
    corrected = choices.text("noise") == "corrected"
    planned = DECLARATION.planned
    frozen = choices.replace(rule="untied", threshold=planned["threshold"], shift=planned["shift"])
    own = only(frozen, _RESAMPLED)
    return _parts(statistics, panel, bank, system, kind, corrected, own)


def disparity_table(statistics: Statistics, panel: str, choices: Choices) -> pl.DataFrame:
    """Differences of D with the corrected and the registered bootstrap side by side.

    Returns
    -------
    polars.DataFrame
        key, name, hypothesis, bank; one and other (both D, which the study does not print);
        difference; low and high (corrected), registered_low and registered_high; chosen_low and
        chosen_high (as the choice says); ratio and ratio_high (one over the other with its upper
        end, which H4 is judged by; null where the other is zero in some resample); reason.
        Intervals at level 1 - alpha; for H4 at 1 - 2 alpha, since its criterion is one-sided.
    """
    rows = [_row(statistics, panel, c, choices) for c in comparisons(statistics, panel)]
    return pl.DataFrame(rows, schema=_TABLE, orient="row").with_columns(
        pl.col(pl.Float64).fill_nan(None)
    )


_TABLE = {
    **dict.fromkeys(("key", "name", "hypothesis", "bank"), pl.String),
    **dict.fromkeys(
        (
            "one",
            "other",
            "difference",
            "low",
            "high",
            "registered_low",
            "registered_high",
            "chosen_low",
            "chosen_high",
            "ratio",
            "ratio_high",
        ),
        pl.Float64,
    ),
    "reason": pl.String,
}


def _row(
    statistics: Statistics, panel: str, compared: Comparison, choices: Choices
) -> tuple[object, ...]:
    head = (compared.key, compared.name, compared.hypothesis, compared.bank)
    tail = choices.number("alpha") / (1 if compared.hypothesis == "H4" else 2)
    ends: dict[str, tuple[float, float]] = {}
    levels: list[float] = []
    ratio_high: float | None = None
    for noise in ("corrected", "registered"):
        own = choices.replace(noise=noise)
        one, other = (
            parts_of(statistics, panel, compared.bank, system, kind, own)
            for system, kind in (compared.one, compared.other)
        )
        if isinstance(one, str) or isinstance(other, str):
            return (*head, *[None] * 11, one if isinstance(one, str) else other)
        levels = [float(p[0].disparity[0]) for p in (one, other)]
        if one[1].disparity.shape != other[1].disparity.shape:
            return (*head, *levels, *[None] * 9, "They rest on different complaints.")
        draws = one[1].disparity - other[1].disparity
        low, high = np.quantile(draws, [tail, 1 - tail])
        ends[noise] = (float(low), float(high))
        if noise == choices.text("noise") and (other[1].disparity > 0).all():
            ratio_high = float(np.quantile(one[1].disparity / other[1].disparity, 1 - tail))
    chosen = ends[choices.text("noise")]
    ratio = levels[0] / levels[1] if levels[1] > 0 else None
    intervals = (*ends["corrected"], *ends["registered"], *chosen)
    return (*head, *levels, levels[0] - levels[1], *intervals, ratio, ratio_high, "")


def residual_table(statistics: Statistics, panel: str, choices: Choices) -> pl.DataFrame:
    """Residual (complaint x persona) share of Jev's outcomes (H3a, Sec. 4.3).

    Returns
    -------
    polars.DataFrame
        system, system_id, bank, outcome; share (residual over complaint, persona and residual
        variance: the denominator is our reading), low, high; reason.
    """
    tail = choices.number("alpha") / 2
    rows: list[tuple[object, ...]] = []
    for decider in deciders(statistics, panel):
        if statistics.gives_labels(decider.system):
            continue
        for kind in ("argmax", "e_tier"):
            found = parts_of(statistics, panel, decider.bank, decider.system, kind, choices)
            head = (design.system_name(decider.system), decider.system, decider.bank, kind)
            if isinstance(found, str):
                rows.append((*head, None, None, None, found))
                continue
            low, high = np.quantile(found[1].residual_share, [tail, 1 - tail])
            share = float(found[0].residual_share[0])
            rows.append((*head, share, float(low), float(high), ""))
    schema = {
        **dict.fromkeys(("system", "system_id", "bank", "outcome"), pl.String),
        **dict.fromkeys(("share", "low", "high"), pl.Float64),
        "reason": pl.String,
    }
    return pl.DataFrame(rows, schema=schema, orient="row")
