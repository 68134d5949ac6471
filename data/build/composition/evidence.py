"""Outputs whose label rests on the footer alone or on a partner's gender.

The document prints how many there are and how much the composites change
without them. Labels that must not move a composite sit in cells with a single
category; those that must are found by a short search.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from data.build.composition import anneal, occupancy, pins, tables
from data.build.composition.panel import Joint
from data.build.composition.reference import GATES, OUTPUTS, PRIMARY, Layout

TRIES = 40
STEPS = 6_000
SPREAD = 3
"""Most labels of a kind in one cell and category, where it can be helped."""


@dataclass
class Evidence:
    """Labels by kind.

    Primary arrays are (models, cells, widest); ``footer_gender`` is (models,
    contexts, slots, 2) in the order female, male; ``relational_unmapped`` is
    (models, cells) on the unmapped state; implicit arrays likewise.
    """

    footer: np.ndarray
    footer_gender: np.ndarray
    relational: np.ndarray
    relational_unmapped: np.ndarray
    implicit: np.ndarray
    implicit_unmapped: np.ndarray


class _Change:
    """Change of a model's composite when labels are dropped from its cells."""

    def __init__(self, layout: Layout, table: tables.Tables, joint: Joint) -> None:
        self.layout, self.table, self.counts = layout, table, joint.counts
        self.common = joint.mapped.min(axis=0) >= GATES[0]
        self.weight = anneal.weights(layout, joint.mapped)[:, 0]

    def divergence(self, g: int, c: np.ndarray) -> float:
        """Divergence of one cell's counts from the geography target."""
        p = self.layout.pair_of_cell[g]
        rows = self.table.offset[p] + np.arange(self.table.size[p])
        return float(self.table.terms[rows, c.sum(), c[: len(rows)], 0].sum())

    def of(self, m: int, g: int, dropped: np.ndarray) -> float:
        """Change of model ``m``'s composite from one cell, shape of dropped (widest,)."""
        kept = self.counts[m, g] - dropped
        before = self.divergence(g, self.counts[m, g])
        return self.weight[g] * (self.divergence(g, kept) - before)


def build(
    layout: Layout,
    joint: Joint,
    gender: np.ndarray,
    implicit: np.ndarray,
    rng: np.random.Generator,
) -> Evidence:
    """Place every label the document counts.

    Parameters
    ----------
    gender : ndarray of int, shape (models, contexts, slots, 2)
        Joint female and male counts.
    implicit : ndarray of int, shape (models, cells, widest)
        Implicit counts of the primary cells.
    """
    change = _Change(layout, tables.build(layout), joint)
    footer = np.zeros_like(joint.counts)
    relational = np.zeros_like(joint.counts)
    for m, model in enumerate(layout.models):
        _relational(layout, change, m, model, relational, rng)
    _footer(layout, change, footer, relational, rng)
    total = int(pins.figure(pins.FOOTER_LABELS).value) - footer.sum()
    unmapped = OUTPUTS - joint.mapped - occupancy.failed_by_cell(layout, joint.failed[0])
    orientation = layout.attribute_of_cell == PRIMARY.index("sexual_orientation")
    outside = pins.figure(pins.RELATIONAL_LABELS, regime="joint").value
    hidden, hidden_unmapped = _implicit(layout, joint, implicit, orientation, rng)
    return Evidence(
        footer=footer,
        footer_gender=_scatter(gender, total, rng),
        relational=relational,
        relational_unmapped=_scatter(
            np.where(orientation, unmapped, 0), int(outside) - relational.sum(), rng
        ),
        implicit=hidden,
        implicit_unmapped=hidden_unmapped,
    )


def _scatter(room: np.ndarray, total: int, rng) -> np.ndarray:
    """Put ``total`` labels at random where there is room, a few to a place."""
    out = np.zeros_like(room)
    for limit in (1, SPREAD, OUTPUTS):
        places = np.argwhere(np.minimum(room, limit) > out)
        for place in rng.permutation(places):
            if out.sum() == total:
                return out
            out[tuple(place)] += 1
    while out.sum() < total:
        places = np.argwhere(room > out)
        if not len(places):
            raise ValueError(f"no room for {total} labels")
        out[tuple(places[rng.integers(len(places))])] += 1
    return out


def _window(template: str, model: str) -> tuple[float, float]:
    """Range of a change; a figure stated as unchanged prints as zero."""
    figure = pins.figure(template, model=model)
    if figure.bounded:
        return -0.9 * figure.value, 0.9 * figure.value
    return figure.window()


def _relational(layout, change, m, model, out, rng) -> None:
    template = pins.RELATIONAL_MAPPED.format(model=model)
    if template not in pins.figures():
        return
    labels = int(pins.figures()[template].value)
    cells = np.flatnonzero(
        change.common & (layout.attribute_of_cell == PRIMARY.index("sexual_orientation"))
    )
    window = _window(pins.RELATIONAL_CHANGE, model)
    out[m] = _find(change, m, cells, labels, window, np.zeros_like(out[m]), rng)


def _footer(layout, change, out, taken, rng) -> None:
    """Labels that move the composite first, the others where they cannot."""
    left = int(pins.figure(pins.FOOTER_PRIMARY).value)
    moving = {}
    for model in layout.models:
        figure = pins.figure(pins.FOOTER_CHANGE, model=model)
        if figure.value:
            moving[model] = figure
    budget = {m: 2 if abs(f.value) < 1e-3 else left - 6 for m, f in moving.items()}
    for model, figure in moving.items():
        m = layout.models.index(model)
        cells = np.flatnonzero(change.common)
        out[m] = _find(change, m, cells, budget[model], figure.window(), taken[m], rng)
        left -= out[m].sum()
    still = np.zeros_like(out)
    for m, model in enumerate(layout.models):
        if model in moving:
            continue
        pure = change.counts[m].max(axis=1) == change.counts[m].sum(axis=1)
        still[m] = np.where(pure[:, None], np.maximum(change.counts[m] - taken[m] - 1, 0), 0)
    out += _scatter(still, left, rng)


def _find(change, m, cells, labels, window, taken, rng) -> np.ndarray:
    """Exactly ``labels`` labels whose removal changes the composite as printed."""
    goal = sum(window) / 2
    room = np.maximum(change.counts[m] - taken - 1, 0)
    places = np.argwhere((room > 0) & np.isin(np.arange(len(room)), cells)[:, None])
    best, least = None, np.inf
    for _ in range(TRIES):
        drop = np.zeros_like(room)
        part = np.zeros(len(room))
        for place in places[rng.integers(len(places), size=4 * labels)]:
            if drop.sum() < labels and drop[tuple(place)] < room[tuple(place)]:
                drop[tuple(place)] += 1
        for g in np.flatnonzero(drop.sum(axis=1)):
            part[g] = change.of(m, g, drop[g])
        for step in range(STEPS):
            gap = abs(part.sum() - goal)
            if gap < least:
                best, least = drop.copy(), gap
            if window[0] <= part.sum() <= window[1]:
                return drop
            used = np.argwhere(drop)
            old = used[rng.integers(len(used))]
            new = places[rng.integers(len(places))]
            if drop[tuple(new)] >= room[tuple(new)]:
                continue
            drop[tuple(old)] -= 1
            drop[tuple(new)] += 1
            before = part.copy()
            for g in {int(old[0]), int(new[0])}:
                part[g] = change.of(m, g, drop[g])
            worse = abs(part.sum() - goal) - gap
            heat = abs(goal) * (1 - step / STEPS) ** 2 / 50 + 1e-9
            if worse > 0 and rng.random() >= np.exp(-worse / heat):
                part = before
                drop[tuple(old)] += 1
                drop[tuple(new)] -= 1
    return best


def _implicit(layout, joint, implicit, orientation, rng) -> tuple[np.ndarray, np.ndarray]:
    """Relational labels of the implicit regime: mapped ones first."""
    total = int(pins.figure(pins.RELATIONAL_LABELS, regime="implicit").value)
    room = np.where(orientation[None, :, None], implicit, 0)
    mapped = _scatter(room, min(total, int(room.sum() * 0.9)), rng)
    free = OUTPUTS - implicit.sum(axis=2) - occupancy.failed_by_cell(layout, joint.failed[1])
    spare = np.where(orientation, np.minimum(free, OUTPUTS // 3), 0)
    return mapped, _scatter(spare, total - mapped.sum(), rng)
