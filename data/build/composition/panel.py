"""Search for the joint-regime primary cells of one panel.

Models are annealed one after another, because mapped counts move too and every
model's counts decide which cells are common. A second round steers the rank
correlations between mapped rate and divergence, which pool all models.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from scipy.stats import rankdata

from data.build.composition import anneal, occupancy, pins, tables
from data.build.composition.reference import GATES, OUTPUTS, PRIMARY, SLOTS, Layout

SEQUENCE = (
    "llama-4-maverick",
    "kimi-k3",
    "gpt-5.6",
    "claude-sonnet-5",
    "qwen3.7-max",
    "gemini-3.5-flash",
)
"""Order of annealing; the pairs whose order on the mixture path is printed follow
each other."""

MOVES = 20_000_000
MOVES_OF = {"gpt-5.6": 60_000_000}
REHEATS = 2
FINISH = (3_000_000, 0.02)
"""A cool run that clears what little a longer one left, before it is repeated."""
REHEAT_HOT = 25.0
RANK_HOT = 4.0
RANK_TRIES = 3
RANK_SLACK = 0.0002
RANKED = ("llama-4-maverick", "qwen3.7-max", "gemini-3.5-flash")
"""Models that carry the rank correlations, the first most of the way: it has cells
with missing outputs in every module."""
POLISHERS = ("kimi-k3", "qwen3.7-max", "gemini-3.5-flash")
POLISH_ROUNDS = 1_500
POLISH = ((8_000, 0.002),)
SETTLED = 4e-4
"""Loss below which a model counts as done: no figure leaves its printed rounding."""
ORDER_GAP = 2e-4
ALIKE, USUAL = 6.0, 3.0
OCCUPANCY_DRAWS = 6


class Demand(Protocol):
    """Adds further pins to a model's windows, for instance to reverse a claim."""

    def __call__(
        self, layout: Layout, joint: Joint, model: str, windows: anneal.Windows
    ) -> None: ...


@dataclass
class Joint:
    """Joint-regime primary cells of all models."""

    failed: np.ndarray
    """Failed records, shape (regimes, models, contexts, slots)."""
    mapped: np.ndarray
    """Mapped counts, shape (models, cells)."""
    cap: np.ndarray
    counts: np.ndarray
    """Category counts, shape (models, cells, widest)."""
    totals: np.ndarray
    """Aggregates of every model, shape (models, aggregates and combined)."""
    losses: dict[str, float] = field(default_factory=dict)


def search(layout: Layout, rng: np.random.Generator, demand: Demand | None = None) -> Joint:
    """Rows of the joint regime that return the printed figures.

    Parameters
    ----------
    demand : callable, optional
        Further pins; a panel that also meets them shows that the printed
        figures do not exclude them.

    Returns
    -------
    Joint
        See `settled`; a search ends early at a model it cannot settle.
    """
    table = tables.build(layout)
    joint = _start(layout, table, rng)
    for model in SEQUENCE:
        _settle(layout, table, joint, model, rng, demand)
        if joint.losses[model] >= SETTLED:
            return joint
    for model in RANKED:
        schedule = [(MOVES, RANK_HOT), FINISH] * RANK_TRIES
        _steer_ranks(layout, table, joint, model, rng, demand, schedule)
    _polish(layout, table, joint, rng, demand)
    return joint


def settled(layout: Layout, joint: Joint) -> bool:
    """Whether every model met its windows and the rank correlations print."""
    table = tables.build(layout)
    met = len(joint.losses) == len(layout.models) and max(joint.losses.values()) < SETTLED
    return met and _rank_gap(table, layout, joint) == 0


def _start(layout: Layout, table: tables.Tables, rng: np.random.Generator) -> Joint:
    for attempt in range(OCCUPANCY_DRAWS):
        failed = occupancy.place_failures(layout, rng)
        try:
            found = occupancy.solve(layout, failed, rng)
            break
        except RuntimeError:
            if attempt == OCCUPANCY_DRAWS - 1:
                raise
    models = len(layout.models)
    counts = np.zeros((models, layout.cells, layout.widest), dtype=np.int64)
    for m in range(models):
        for p, pair in enumerate(layout.pairs):
            likely = np.exp(-table.cost[p, : pair.size])
            a = rng.choice(pair.size, p=likely / likely.sum())
            cells = slice(p * len(SLOTS), (p + 1) * len(SLOTS))
            counts[m, cells, a] = found.mapped[m, cells]
    width = anneal.N_AGGREGATE + len(anneal.COMBINED)
    return Joint(failed, found.mapped, found.cap, counts, np.full((models, width), np.nan))


def windows_of(layout: Layout, joint: Joint, model: str) -> anneal.Windows:
    """Windows of every printed figure that concerns one model."""
    windows = anneal.Windows()
    for name, template in pins.BY_MODEL.items():
        windows.pin(name, *pins.figure(template, model=model).window())
    for name, template in pins.BY_RANGE.items():
        _pin_range(windows, name, template, pins.BEARERS[name], model)
    for tau in pins.THRESHOLDS:
        bearers = [m if t == tau else None for m, t in pins.THRESHOLD_BEARERS]
        _pin_range(windows, f"threshold_{tau}", pins.THRESHOLD_RANGE, bearers, model, 100.0)
    _pin_order(layout, joint, model, windows)
    return windows


def _pin_range(windows, name, template, bearers, model, scale=1.0) -> None:
    low = [x / scale for x in pins.figure(template, end="min").window()]
    high = [x / scale for x in pins.figure(template, end="max").window()]
    windows.pin(name, low[0], high[1])
    if bearers[0] == model:
        windows.pin(name, *low)
    if bearers[1] == model:
        windows.pin(name, *high)


def _pin_order(layout: Layout, joint: Joint, model: str, windows) -> None:
    """Keep the printed order of models at the first two mixture steps."""
    printed = {m: pins.figure(pins.BY_MODEL["geo"], model=m).value for m in layout.models}
    before = sorted(layout.models, key=printed.get)
    swapped = list(before)
    for first, second in pins.ORDER_SWAPS:
        i, j = swapped.index(first), swapped.index(second)
        swapped[i], swapped[j] = second, first
    change = round(pins.figure(pins.ORDER_CHANGE).value * 10)
    for step, order in ((change - 1, before), (change, swapped)):
        name = f"mixture_{step}"
        for m, other in enumerate(layout.models):
            reached = joint.totals[m, anneal.index(name)]
            if other == model or np.isnan(reached):
                continue
            if order.index(model) < order.index(other):
                windows.pin(name, -np.inf, reached - ORDER_GAP)
            else:
                windows.pin(name, reached + ORDER_GAP, np.inf)


def _anneal(layout, table, joint, model, windows, lookup, rng, schedule) -> None:
    """Anneal a model by each (moves, hot) of a schedule; keep the best result.

    Every try starts from the best so far, and a settled model ends the schedule.
    """
    m = layout.models.index(model)
    best = None
    for moves, hot in schedule:
        loss, total = anneal.run(
            layout, table, joint.mapped, m, joint.counts[m], joint.cap[m], windows,
            lookup, moves=moves, hot=hot, seed=int(rng.integers(2**31)),
            alike=ALIKE, usual=USUAL,
        )  # fmt: skip
        if best is None or loss < best[0]:
            best = loss, total, joint.counts[m].copy(), joint.mapped[m].copy()
        joint.counts[m], joint.mapped[m] = best[2], best[3]
        if best[0] < SETTLED:
            break
    joint.losses[model] = best[0]
    joint.totals[m] = best[1][: joint.totals.shape[1]]


def _settle(layout, table, joint, model, rng, demand) -> None:
    windows = windows_of(layout, joint, model)
    if demand is not None:
        demand(layout, joint, model, windows)
    moves = MOVES_OF.get(model, MOVES)
    schedule = [(moves, anneal.HOT), FINISH] + [(moves, REHEAT_HOT), FINISH] * REHEATS
    _anneal(layout, table, joint, model, windows, anneal.Ranking(), rng, schedule)


def scores(table: tables.Tables, layout: Layout, joint: Joint) -> np.ndarray:
    """Divergence from the geography target of every cell, shape (models, cells)."""
    out = np.zeros(joint.mapped.shape)
    for p, pair in enumerate(layout.pairs):
        cells = slice(p * len(SLOTS), (p + 1) * len(SLOTS))
        n = joint.mapped[:, cells]
        for a in range(pair.size):
            c = joint.counts[:, cells, a]
            out[:, cells] += table.terms[table.offset[p] + a, n, c, 0]
    return out


def ranking(layout: Layout, joint: Joint, divergence: np.ndarray) -> anneal.Ranking:
    """Standardised pooled midranks as lookup tables."""
    result = anneal.Ranking()
    common = joint.mapped.min(axis=0) >= GATES[0]
    grid = np.linspace(0, 1, anneal.RANK_GRID)
    for k in range(len(PRIMARY)):
        cells = common & (layout.attribute_of_cell == k)
        n, d = joint.mapped[:, cells].ravel(), divergence[:, cells].ravel()
        rate_rank, score_rank = rankdata(n), rankdata(d)
        scale = np.sqrt(len(n))
        for value in range(OUTPUTS + 1):
            position = (n < value).sum() + ((n == value).sum() + 1) / 2
            result.of_rate[k, value] = (position - rate_rank.mean()) / rate_rank.std()
        position = np.array([(d < x).sum() + ((d == x).sum() + 1) / 2 for x in grid])
        result.of_score[k] = (position - score_rank.mean()) / score_rank.std()
        result.of_rate[k] /= scale
        result.of_score[k] /= scale
    return result


def rank_correlations(layout: Layout, joint: Joint, divergence: np.ndarray) -> np.ndarray:
    """Spearman correlation of mapped count and divergence by module, shape (3,)."""
    common = joint.mapped.min(axis=0) >= GATES[0]
    out = []
    for k in range(len(PRIMARY)):
        cells = common & (layout.attribute_of_cell == k)
        ranks = [rankdata(x[:, cells].ravel()) for x in (joint.mapped, divergence)]
        out.append(np.corrcoef(*ranks)[0, 1])
    return np.array(out)


def _steer_ranks(layout, table, joint, model, rng, demand, schedule) -> None:
    """Anneal a model again with the pooled rank correlations as further pins."""
    m = layout.models.index(model)
    divergence = scores(table, layout, joint)
    lookup = ranking(layout, joint, divergence)
    reached = rank_correlations(layout, joint, divergence)
    windows = windows_of(layout, joint, model)
    if demand is not None:
        demand(layout, joint, model, windows)
    common = joint.mapped.min(axis=0) >= GATES[0]
    grid = np.linspace(0, 1, anneal.RANK_GRID)
    for k, attribute in enumerate(PRIMARY):
        cells = np.flatnonzero(common & (layout.attribute_of_cell == k))
        own = lookup.of_rate[k, joint.mapped[m, cells]] @ np.interp(
            divergence[m, cells], grid, lookup.of_score[k]
        )
        printed = pins.figure(pins.SPEARMAN, attribute=attribute).value
        wanted = own + printed - reached[k]
        windows.pin(f"rank.{attribute}", wanted - RANK_SLACK, wanted + RANK_SLACK)
    _anneal(layout, table, joint, model, windows, lookup, rng, schedule)


def _rank_gap(table: tables.Tables, layout: Layout, joint: Joint) -> float:
    """How far the rank correlations are from printing, in tolerances; 0 if they do."""
    reached = rank_correlations(layout, joint, scores(table, layout, joint))
    printed = [pins.figure(pins.SPEARMAN, attribute=k) for k in PRIMARY]
    return sum(
        max(abs(x - f.value) / f.tolerance - pins.FIT_SHARE, 0.0)
        for x, f in zip(reached, printed, strict=True)
    )


def _polish(layout, table, joint, rng, demand) -> None:
    """Short cool runs until the ranks print, each kept only if it helps.

    The rank lookup is exact only for small steps, so the gap is measured anew
    after every run.
    """
    gap = _rank_gap(table, layout, joint)
    for turn in range(POLISH_ROUNDS):
        if gap == 0:
            return
        model = POLISHERS[turn % len(POLISHERS)]
        m = layout.models.index(model)
        before = joint.counts[m].copy(), joint.mapped[m].copy(), joint.totals[m].copy()
        loss = joint.losses[model]
        _steer_ranks(layout, table, joint, model, rng, demand, POLISH)
        reached = _rank_gap(table, layout, joint)
        if reached < gap and joint.losses[model] < max(SETTLED, loss):
            gap = reached
        else:
            joint.counts[m], joint.mapped[m], joint.totals[m] = before
            joint.losses[model] = loss
