"""How many calls a design needs, and what they cost."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from core.choices import Choices
from core.stats.power import calls_per_label, detectable, rounded_up
from core.studies.filenames.contrasts import read_contrast
from core.words import counted

SQUARED_WEIGHTS = {"H1": 5 / 6, "H2": 3 / 2, "H4b": 2.0}
"""k of the study's contrasts with three model labels; H3 and H4 have that of H2."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A design and what it takes."""

    k: float
    """Sum of the contrast's squared weights."""
    calls_per_label: float
    """Not rounded."""
    repetitions: int
    """Calls of each label and text."""
    calls: int
    cost: float
    """In dollars."""
    detectable: float
    """Effect that the rounded design finds with the chosen power."""

    def sentence(self, choices: Choices) -> str:
        """Say the plan in one line."""
        texts, labels, judges = (
            int(choices.number(f"plan_{name}")) for name in ("texts", "labels", "judges")
        )
        cost = f"{self.cost:,.{0 if self.cost >= 10 else 2}f}"
        return (
            f"{counted(self.repetitions, 'call')} of each label, text and judge: "
            f"{self.repetitions:,} × {counted(labels, 'label')} × {counted(texts, 'text')} × "
            f"{counted(judges, 'judge')} = {counted(self.calls, 'call')}, about {cost} dollars."
        )


def plan(choices: Choices) -> Plan | str:
    """Plan a design, or say why none can be made.

    The formula is the study's (footnote 1): ``N = k sigma^2 (z(1 - alpha/2) + z(power))^2 /
    effect^2`` calls of each label over all texts. No adjustment for several tests is in it.
    """
    k = _squared_weights(choices)
    if k is None:
        return "Type a contrast first."
    sigma, alpha, power = (choices.number(f"plan_{n}") for n in ("sigma", "alpha", "power"))
    needed = calls_per_label(k, sigma, choices.number("plan_effect"), alpha, power)
    texts, labels, judges = (
        int(choices.number(f"plan_{name}")) for name in ("texts", "labels", "judges")
    )
    repetitions = rounded_up(needed, texts)
    calls = repetitions * texts * labels * judges
    return Plan(
        k=k,
        calls_per_label=needed,
        repetitions=repetitions,
        calls=calls,
        cost=calls * choices.number("plan_price") / 1000,
        detectable=detectable(k, sigma, repetitions * texts, alpha, power),
    )


def _squared_weights(choices: Choices) -> float | None:
    name = choices.text("plan_contrast")
    if name != "typed":
        return SQUARED_WEIGHTS[name]
    weights = read_contrast(choices.text("contrast"))
    return sum(w * w for w in weights.values()) if weights else None


def effect_curve(choices: Choices) -> pl.DataFrame:
    """Repetitions that smaller and larger effects need, all else as planned for.

    Returns
    -------
    polars.DataFrame
        effect, repetitions, calls, chosen (whether it is the effect chosen).
    """
    chosen = choices.number("plan_effect")
    rows = []
    for effect in sorted({*_EFFECTS, chosen}):
        found = plan(choices.replace(plan_effect=effect))
        if not isinstance(found, str):
            rows.append((effect, found.repetitions, found.calls, effect == chosen))
    names = {
        "effect": pl.Float64,
        "repetitions": pl.Int64,
        "calls": pl.Int64,
        "chosen": pl.Boolean,
    }
    return pl.DataFrame(rows, schema=names, orient="row")


_EFFECTS = (0.02, 0.03, 0.04, 0.05, 0.06, 0.08, 0.1, 0.12, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5)
