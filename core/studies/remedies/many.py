"""Many specifications of the remedies study at once.

Resampling is shared by all that pay the same texts and draw the same complaints; their judgement is
done by the functions that judge one.
"""

from __future__ import annotations

from typing import cast

import numpy as np
from numpy.typing import NDArray

from core.multiverse.outcomes import Outcomes, empty
from core.multiverse.specs import Specs
from core.stats.clusters import Sampled
from core.stats.multiplicity import Method
from core.studies.remedies.choices import DECIDING, RESAMPLING
from core.studies.remedies.design import CONTRASTS
from core.studies.remedies.estimate import (
    QUANTITIES,
    Claim,
    adjusted_p,
    bound_of,
    ends_of,
    families_of,
    gaps_of,
    graded_claims,
    panel_of,
    sampled_quantity,
    words_of,
)
from core.studies.remedies.reduce import Statistics
from core.studies.remedies.scales import Decider, deciders, money
from core.studies.remedies.tables import QUANTITY_SCALE
from core.verdicts import directional

Array = NDArray[np.float64]
Index = NDArray[np.int64]
Cell = tuple[Decider, int, str]
"""Decider, position of the contrast, outcome or quantity."""

EXPENSIVE = ("sample", *DECIDING, *RESAMPLING)
"""Choices that change which texts are paid, or the resamples."""


def judge_many(statistics: Statistics, specs: Specs, cells: list[Cell]) -> Outcomes:
    """Judge many specifications.

    Parameters
    ----------
    statistics
        A reduced panel.
    specs
        The specifications.
    cells
        The K claims.

    Returns
    -------
    Outcomes
        Of gaps of rates the interval is the one that matches a test of equivalence, in percentage
        points; a claim about a decider that a sample has not got cannot be computed.
    """
    found = empty(len(specs), len(cells))
    columns = {
        what: [(k, own) for k, own in enumerate(cells) if own[2] == what] for what in QUANTITIES
    }
    graded = [(k, own) for k, own in enumerate(cells) if own[2] not in QUANTITIES]
    for _, rows in specs.groups(("sample", "order", *RESAMPLING)):
        if graded:
            _judge_directional(statistics, specs, rows, found, graded)
    for _, rows in specs.groups(EXPENSIVE):
        for quantity, own in columns.items():
            if own:
                _judge_material(statistics, specs, rows, found, quantity, own)
    return found


def _judge_directional(
    statistics: Statistics,
    specs: Specs,
    rows: Index,
    found: Outcomes,
    cells: list[tuple[int, Cell]],
) -> None:
    first = specs.choices(int(rows[0]))
    with found.timed("resampling"):
        panel = panel_of(statistics, first)
        claims, graded = graded_claims(statistics, panel, deciders(statistics, panel), first)
        gaps, p = gaps_of(graded)
    with found.timed("judging"):
        place = {claim: i for i, claim in enumerate(claims)}
        wanted = [(k, place.get(Claim(d, what, c))) for k, (d, c, what) in cells]
        columns = np.array([k for k, i in wanted if i is not None], dtype=np.int64)
        at = np.array([i for _, i in wanted if i is not None], dtype=np.int64)
        ways = list(specs.groups(("gate", "family"), rows))
        which = specs.places([members for _, members in ways])
        adjusted = np.empty((len(ways), p.size))
        for way, (own, _) in enumerate(ways):
            families = families_of(statistics, claims, own)
            adjusted[way] = adjusted_p(p, families, cast(Method, own.text("gate")))[0]
        for own, members in specs.groups(("alpha",), rows):
            alpha = own.number("alpha")
            low, high = gaps.interval(1 - alpha).T
            words = directional(low[at], high[at], adjusted[:, at], alpha)
            found.put(members, columns, words[which[members]], gaps.estimate[at], low[at], high[at])


def _judge_material(
    statistics: Statistics,
    specs: Specs,
    rows: Index,
    found: Outcomes,
    quantity: str,
    cells: list[tuple[int, Cell]],
) -> None:
    first = specs.choices(int(rows[0]))
    with found.timed("resampling"):
        panel = panel_of(statistics, first)
        asked = {d for _, (d, _, _) in cells}
        who = tuple(d for d in deciders(statistics, panel) if d in asked)
        paid = tuple(money(statistics, panel, decider, first) for decider in who)
        numbers, _ = sampled_quantity(paid, quantity)
    with found.timed("judging"):
        wanted = [(k, d, c) for k, (d, c, _) in cells if d in who]
        columns = np.array([k for k, _, _ in wanted], dtype=np.int64)
        at = np.array([who.index(d) * len(CONTRASTS) + c for _, d, c in wanted], dtype=np.int64)
        own = Sampled(numbers.estimate[at], numbers.ordered[at])
        scale = QUANTITY_SCALE[quantity]
        alphas = list(specs.groups(("alpha",), rows))
        bounds = list(specs.groups((f"{quantity}_bound",), rows))
        ends = np.stack([ends_of(own, choices.number("alpha")) for choices, _ in alphas], axis=1)
        limits = np.array([bound_of(quantity, choices) for choices, _ in bounds])
        words = words_of(quantity, ends, limits[:, None, None])
        level = specs.places([members for _, members in alphas])[rows]
        limit = specs.places([members for _, members in bounds])[rows]
        low, high = scale * ends[2, level], scale * ends[3, level]
        found.put(rows, columns, words[limit, level], scale * own.estimate, low, high)
