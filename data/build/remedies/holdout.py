"""Decisions on the holdout: both GPT models, Jev, the coupling of the two, and their resamples."""

from __future__ import annotations

import numpy as np

from core.studies.remedies.ties import take_highest
from data.build.remedies import coupling, gpt, jev, jev_model

MODULES = (
    *("holdout", "gpt", "gpt_ends", "jev", "jev_features", "jev_ends", "jev_model"),
    *("coupling", "anneal", "numbers", "pins", "reference", "resampled"),
)
"""Modules that the result depends on."""


def solve(seed: int, mixed: tuple[str, ...] = jev.MORE_MIXED) -> dict[str, np.ndarray]:
    """Tiers of the two GPT models and Jev's hundredths, by name.

    Parameters
    ----------
    seed : int
    mixed : tuple of str, optional
        Which bank gets the larger printed share of mixed decisions, see `jev.MORE_MIXED`.
    """
    tiers = []
    for model in range(2):
        found, missed = gpt.holdout(model, np.random.default_rng([seed, 1, model]))
        print(f"  GPT model {model + 1}, holdout: {len(missed)} windows missed", flush=True)
        tiers.append(found)
    rng = np.random.default_rng([seed, 2])
    scores = jev.solve(tiers, jev_model.CONSTANTS, rng, mixed)
    severity = scores[:, :, :, :, 1].mean((1, 2, 3))
    coupled = []
    for b, name in enumerate(("gpt4o", "gpt5")):
        one = scores[:, :, b, 0, 1].astype(np.int64)
        paid = take_highest(one, int((tiers[b] == 2).sum()), jev.places())
        figure = f"sec4_3.diff.{name}_minus_threshold"
        coupled.append(coupling.couple(tiers[b], severity, paid, figure, seed * 10 + b))
    scores, tiers = jev.refined(scores, coupled, rng, mixed)
    return {"gpt4o": tiers[0], "gpt5": tiers[1], "jev": scores}
