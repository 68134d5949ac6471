"""Who is paid: turning a system's answers into monetary decisions.

A system that answers with a tier is taken at its word. One that answers with probabilities needs a
rule (Table 1, Sec. 3.9); a threshold may be set so that it pays as often as the label system whose
texts it decides.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from core.choices import Choices
from core.stats.ties import ranks_from_top
from core.studies.remedies import design
from core.studies.remedies.choices import DECIDING, only
from core.studies.remedies.contract import GUISE, HUNDREDTHS
from core.studies.remedies.reduce import NONE, Hundredths, Statistics, Texts
from core.studies.remedies.ties import precedence

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]

NO_ANSWERS = "The panel has no answers of this system on these texts."
NO_LABELS = "No system answers these texts with a tier, so there is no volume to match."
ONE_ORDER = "The rule needs several option orders; the panel has one."


@dataclass(frozen=True, eq=False)
class Decisions:
    """Monetary decisions of one system on a set of texts."""

    paid: Flags
    """(C, K)."""
    there: Flags
    """(C, K) whether there is a decision; without one nothing is paid."""
    why: str = ""
    """Why there is none at all; empty where there are some."""

    @property
    def rate(self) -> float:
        """Share of the decisions that are monetary; NaN without any."""
        total = self.there.sum()
        return float(self.paid.sum() / total) if total else float("nan")


def missing(texts: Texts, statistics: Statistics, why: str) -> Decisions:
    """No decision at all."""
    width = len(design.personas()) if texts.edit == GUISE else 1
    none = np.zeros((statistics.size(texts.panel), width), dtype=np.bool_)
    return Decisions(none, none, why)


def primary(statistics: Statistics, texts: Texts, system: str, choices: Choices) -> str | None:
    """Return the chosen order, or the only one there is; None where it is not in the panel."""
    orders = statistics.orders(texts, system)
    wanted = choices.text("order")
    return wanted if wanted in orders else orders[0] if len(orders) == 1 else None


def decide(statistics: Statistics, texts: Texts, system: str, choices: Choices) -> Decisions:
    """Say which of a set of texts a system pays; kept.

    Parameters
    ----------
    statistics
        A reduced panel.
    texts
        A set of texts. Thresholds are set once, on the guises of record of its panel and bank, and
        carried over to edited and styled texts, of which those at the threshold are not paid (a
        reading: the document does not say).
    system
        Who decides; its rule counts only where it answers with probabilities.
    choices
        The specification.
    """
    if statistics.gives_labels(system):
        return _by_label(statistics, texts, system)
    return _by_rule(statistics, texts, system, only(choices, DECIDING))


@lru_cache(maxsize=64)
def _by_label(statistics: Statistics, texts: Texts, system: str) -> Decisions:
    tiers = statistics.tier(texts, system)
    if tiers is None:
        return missing(texts, statistics, NO_ANSWERS)
    return Decisions(tiers == design.MONETARY, tiers != NONE)


@lru_cache(maxsize=512)
def _by_rule(statistics: Statistics, texts: Texts, system: str, choices: Choices) -> Decisions:
    match choices.text("rule"):
        case "argmax":
            return _by_argmax(statistics, texts, system, choices)
        case "threshold":
            level = round(HUNDREDTHS * choices.number("threshold"))
            return _from_score(statistics, texts, system, choices, level)
        case "majority6":
            return _by_majority(statistics, texts, system)
        case _:
            return _by_matched_cut(statistics, texts, system, choices)


def _by_argmax(statistics: Statistics, texts: Texts, system: str, choices: Choices) -> Decisions:
    order = primary(statistics, texts, system, choices)
    found = None if order is None else statistics.probability(texts, system, order)
    if found is None:
        return missing(texts, statistics, NO_ANSWERS)
    return Decisions(argmax_tier(found) == design.MONETARY, found[..., 0] != NONE)


def argmax_tier(probabilities: Hundredths) -> NDArray[np.int8]:
    """Most probable tier, (C, K); of equally probable ones the lowest, -1 without an answer.

    The document gives no rule for equal probabilities.
    """
    tiers = probabilities.argmax(axis=-1).astype(np.int8)
    tiers[probabilities[..., 0] == NONE] = NONE
    return tiers


def _by_majority(statistics: Statistics, texts: Texts, system: str) -> Decisions:
    """More than half of the orders; with six, four or more, so that three against three is no."""
    orders = statistics.orders(texts, system)
    if len(orders) < 2:
        return missing(texts, statistics, ONE_ORDER if orders else NO_ANSWERS)
    votes = _votes(statistics, texts, system)
    there = votes >= 0
    return Decisions((2 * votes > len(orders)) & there, there)


@lru_cache(maxsize=64)
def _votes(statistics: Statistics, texts: Texts, system: str) -> NDArray[np.int16]:
    """Orders under which tier 2 is the most probable, (C, K); -1 where an order is missing."""
    total, there = 0, True
    for order in statistics.orders(texts, system):
        found = statistics.probability(texts, system, order)
        assert found is not None
        total = total + (argmax_tier(found) == design.MONETARY)
        there = there & (found[..., 0] != NONE)
    return np.where(there, total, NONE).astype(np.int16)


def scores(
    statistics: Statistics, texts: Texts, system: str, choices: Choices
) -> NDArray[np.int16] | None:
    """Return what thresholds are set on: p2 in hundredths, or its sum over orders for mean6.

    (C, K), -1 without an answer; None where the panel has no such answers.
    """
    if choices.text("rule") == "mean6":
        if len(statistics.orders(texts, system)) < 2:
            return None
        return _summed(statistics, texts, system)
    order = primary(statistics, texts, system, choices)
    found = None if order is None else statistics.probability(texts, system, order)
    return None if found is None else found[..., design.MONETARY]


@lru_cache(maxsize=64)
def _summed(statistics: Statistics, texts: Texts, system: str) -> NDArray[np.int16]:
    parts = []
    for order in statistics.orders(texts, system):
        found = statistics.probability(texts, system, order)
        assert found is not None
        parts.append(found[..., design.MONETARY])
    stacked = np.stack(parts)
    total = stacked.sum(axis=0, dtype=np.int16)
    return np.where((stacked == NONE).any(axis=0), NONE, total).astype(np.int16)


def _by_matched_cut(
    statistics: Statistics, texts: Texts, system: str, choices: Choices
) -> Decisions:
    frozen = Texts(texts.panel, texts.bank)
    ranked = _ranked(statistics, frozen, system, _for_ranks(choices))
    target = matched_count(statistics, frozen, system, choices)
    if isinstance(ranked, str) or isinstance(target, str):
        return missing(texts, statistics, ranked if isinstance(ranked, str) else str(target))
    if choices.text("rule") == "untied":
        return _from_score(statistics, texts, system, choices, ranked.lowest(target))
    if texts == frozen:
        there = ranked.scores != NONE
        return Decisions((ranked.ranks < target) & there, there)
    # Other texts have no place in the queue: those at the threshold itself are not paid.
    return _from_score(statistics, texts, system, choices, ranked.lowest(target) + 1)


def _from_score(
    statistics: Statistics, texts: Texts, system: str, choices: Choices, score: int
) -> Decisions:
    """Pay texts with at least a score."""
    found = scores(statistics, texts, system, choices)
    if found is None:
        return missing(texts, statistics, NO_ANSWERS)
    there = found != NONE
    return Decisions((found >= score) & there, there)


@dataclass(frozen=True, eq=False)
class Ranked:
    """Guises of one bank in passing order."""

    scores: NDArray[np.int16]
    ranks: NDArray[np.int64]
    """(C, K) from the highest score; texts without an answer come last."""
    descending: NDArray[np.int16]
    """Scores in that order."""

    def lowest(self, count: int) -> int:
        """Return the lowest score that is paid when so many texts are."""
        if count <= 0:
            return int(self.descending[0]) + 1
        return int(self.descending[min(count, self.descending.size) - 1])


def _for_ranks(choices: Choices) -> Choices:
    """Keep what a place in the queue depends on: of rules, whether one order counts or all."""
    own = only(choices, ("rule", "order", "tie_seed"))
    return own if own.text("rule") == "mean6" else own.replace(rule="matched")


@lru_cache(maxsize=64)
def _ranked(statistics: Statistics, texts: Texts, system: str, choices: Choices) -> Ranked | str:
    found = scores(statistics, texts, system, choices)
    if found is None:
        return ONE_ORDER if choices.text("rule") == "mean6" else NO_ANSWERS
    ranks = ranks_from_top(found, text_draws(statistics, texts, int(choices.text("tie_seed"))))
    return Ranked(found, ranks, -np.sort(-found.ravel()))


def matched_count(statistics: Statistics, texts: Texts, system: str, choices: Choices) -> int | str:
    """Count the texts to pay so that a label system's share is matched; or why there is none.

    The label system is the one that wrote the texts, else the first that decided them. The shift
    counts for the matched threshold only.
    """
    labels = [s for s in statistics.systems(texts) if statistics.gives_labels(s)]
    if not labels:
        return NO_LABELS
    model = texts.bank if texts.bank in labels else labels[0]
    tiers = statistics.tier(texts, model)
    found = scores(statistics, texts, system, choices)
    if tiers is None or found is None:
        return NO_ANSWERS
    given = int((tiers != NONE).sum())
    share = int((tiers == design.MONETARY).sum()) / max(given, 1)
    if choices.text("rule") == "matched":
        share += choices.number("shift") / 100
    there = int((found != NONE).sum())
    return min(max(round(share * there), 0), there)


@lru_cache(maxsize=64)
def text_draws(statistics: Statistics, texts: Texts, seed: int) -> Array:
    """Draw the number in (0, 1) that breaks a text's ties, (C, K).

    It is the text's place in the queue of its panel, so it stays whatever the bank and the rule.
    """
    width = len(design.personas()) if texts.edit == GUISE else 1
    parts = []
    for panel in statistics.members(texts.panel):
        size = len(statistics.complaints[panel])
        parts.append((precedence(size, width, seed) + 0.5) / (size * width))
    return np.concatenate(parts)
