"""Complaints with random signs: data in which no style fares better."""

from __future__ import annotations

from typing import cast

import numpy as np
from numpy.typing import NDArray

from core.choices import Choices
from core.multiverse.null import flipped_moments, signs
from core.multiverse.outcomes import Codes, encode
from core.multiverse.specs import Specs
from core.stats.bootstrap_bca import t_greater, t_interval
from core.stats.multiplicity import Method
from core.stats.resampling import Progress
from core.studies.remedies.design import CONTRASTS
from core.studies.remedies.estimate import (
    Claim,
    adjusted_p,
    families_of,
    graded_claims,
    panel_of,
)
from core.studies.remedies.reduce import Statistics, Texts
from core.studies.remedies.scales import deciders, gap_rows, outcome, usable
from core.verdicts import directional

Array = NDArray[np.float64]


def null_verdicts(
    statistics: Statistics,
    specs: Specs,
    claim: Claim,
    permutations: int,
    seed: int,
    progress: Progress | None,
) -> Codes:
    """Judge one directional claim in the data and in permutations without effects, (P + 1, S).

    All gaps of a complaint change their sign together, whoever decides it. Intervals and p-values
    are Student's t.
    """
    codes = encode(np.full((permutations + 1, len(specs)), "cannot compute"))
    members = sorted(statistics.complaints)
    flips = {
        panel: signs(permutations, (len(statistics.complaints[panel]),), seed + place)
        for place, panel in enumerate(members)
    }
    done = 0
    for choices, rows in specs.groups(("sample", "order")):
        claims, moments = _moments(statistics, choices, flips)
        if claim in claims:
            at_claim = claims.index(claim)
            for own, at in specs.groups(("gate", "family", "alpha"), rows):
                words = _judged(statistics, own, claims, *moments)
                codes[:, at] = encode(words[:, at_claim])[:, None]
        done += len(rows)
        if progress:
            progress(done, len(specs))
    return codes


def _moments(
    statistics: Statistics, choices: Choices, flips: dict[str, Array]
) -> tuple[tuple[Claim, ...], tuple[Array, Array, NDArray[np.int64]]]:
    """Claims, and means, deviations and numbers of their gaps: (P, N), (P, N), (N,)."""
    panel = panel_of(statistics, choices)
    claims, _ = graded_claims(statistics, panel, deciders(statistics, panel), choices)
    joined = np.concatenate([flips[own] for own in statistics.members(panel)], axis=1)
    found = []
    for claim in claims[:: len(CONTRASTS)]:
        texts = Texts(panel, claim.decider.bank)
        values = outcome(statistics, texts, claim.decider.system, claim.outcome, choices)
        gaps = np.full((len(CONTRASTS), joined.shape[1]), np.nan)
        if values is not None:
            kept = usable(~np.isnan(values))
            gaps[:, kept] = gap_rows(values[kept])
        found.append(flipped_moments(joined, gaps))
    mean, spread = (np.concatenate([own[i] for own in found], axis=1) for i in (0, 1))
    return claims, (mean, spread, np.concatenate([own[2] for own in found]))


def _judged(
    statistics: Statistics,
    choices: Choices,
    claims: tuple[Claim, ...],
    mean: Array,
    spread: Array,
    n: NDArray[np.int64],
) -> NDArray[np.str_]:
    """Judge every claim of every permutation, (P, N)."""
    alpha, count = choices.number("alpha"), np.broadcast_to(n, mean.shape)
    ends = t_interval(mean, spread, count, 1 - alpha)
    above = t_greater(mean, spread, count)
    p = 2 * np.minimum(above, 1 - above)
    families = families_of(statistics, claims, choices)
    adjusted = adjusted_p(p, families, cast(Method, choices.text("gate")))[0]
    return directional(ends[..., 0], ends[..., 1], adjusted, alpha)
