"""Further demands on the rows, to see whether the pins exclude them.

A claim is written ``MODEL:STATISTIC[@CELLS] <= VALUE`` (or ``>=``). CELLS is
``attribute/context/format/role`` with ``*`` for any, and the statistic is then
the mean over the matching common cells. VALUE is a number or another
``MODEL:STATISTIC``, for example ``kimi-k3:mixture_3 >= llama-4-maverick:mixture_3``
or ``gpt-5.6:change@religion/EGY/*/* >= 0.3``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from data.build.composition import anneal
from data.build.composition.panel import Joint
from data.build.composition.reference import GATES, SLOTS, Layout

GRAMMAR = re.compile(
    r"^(?P<model>[^:\s]+):(?P<statistic>[\w.]+)(?:@(?P<cells>\S+))?"
    r"\s*(?P<sign><=|>=)\s*(?P<value>\S+)$"
)
GAP = 2e-4
"""Distance kept between two compared statistics."""


@dataclass(frozen=True)
class Claim:
    """One parsed claim; calling it adds its windows."""

    model: str
    statistic: str
    cells: str | None
    sign: str
    value: str

    def __call__(self, layout: Layout, joint: Joint, model: str, windows: anneal.Windows) -> None:
        """Pin the claim for the model about to be annealed."""
        if ":" in self.value:
            self._compare(layout, joint, model, windows)
        elif model == self.model:
            low, high = _side(self.sign, float(self.value))
            if self.cells is None:
                windows.pin(self.statistic, low, high)
            else:
                weight = cell_weights(layout, joint, self.cells)
                windows.pin_extra(weight, self.statistic, low, high)

    def _compare(self, layout, joint, model, windows) -> None:
        """Bound whichever of two models is annealed later by the other's value."""
        other, statistic = self.value.split(":")
        turned = {"<=": ">=", ">=": "<="}[self.sign]
        for own, name, against, theirs, sign in (
            (self.model, self.statistic, other, statistic, self.sign),
            (other, statistic, self.model, self.statistic, turned),
        ):
            reached = joint.totals[layout.models.index(against), anneal.index(theirs)]
            if model == own and not np.isnan(reached):
                windows.pin(name, *_side(sign, reached, GAP))


def parse(text: str) -> Claim:
    """Read a claim, see the module docstring."""
    match = GRAMMAR.match(text.strip())
    if match is None:
        raise ValueError(f"claim {text!r} is not MODEL:STATISTIC[@CELLS] <= VALUE")
    return Claim(**match.groupdict())


def cell_weights(layout: Layout, joint: Joint, cells: str) -> np.ndarray:
    """Equal weights on the common cells a pattern matches, shape (cells,)."""
    wanted = cells.split("/")
    if len(wanted) != 4:
        raise ValueError(f"cells {cells!r} are not attribute/context/format/role")
    names = [(p.attribute, p.context, *slot) for p in layout.pairs for slot in SLOTS]
    common = joint.mapped.min(axis=0) >= GATES[0]
    hit = np.array(
        [all(w in ("*", x) for w, x in zip(wanted, name, strict=True)) for name in names]
    )
    if not (hit & common).any():
        raise ValueError(f"no common cell matches {cells!r}")
    return (hit & common) / (hit & common).sum()


def _side(sign: str, value: float, gap: float = 0.0) -> tuple[float, float]:
    return (-np.inf, value - gap) if sign == "<=" else (value + gap, np.inf)
