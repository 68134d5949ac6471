"""What the five panels do differently where the document leaves a choice.

The document states no verdict of H5 beyond its being the same in both runs,
contradicts itself on H3 of GPT-5.1 in v3, and does not say which model's tilt
is not larger in the individual families.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from data.build.clauses import pins
from data.build.clauses.reference import HYPOTHESES, MODELS, RUNS, model

DISPUTED = (RUNS.index("v3"), model("gpt-5.1"), "H3")
"""Supported on the interval alone if three verdicts changed before the correction."""


@dataclass(frozen=True)
class Pattern:
    """Choices of one panel."""

    seed: int
    h5_supported: tuple[str, ...]
    """Models whose H5 is supported, in both runs."""
    b2b_larger: str
    """The model whose tilt is larger between businesses."""
    third_flip: bool = False
    """Whether Holm takes a third verdict from v3, as the printed "three to six" needs."""
    asked: tuple[tuple[tuple[int, int, str], str], ...] = ()
    """Verdicts asked for beyond the document's, to see whether the pins exclude them."""

    def wanted(self) -> dict[tuple[int, int, str], str]:
        """Verdict of every cell: (run, model, hypothesis) to verdict."""
        found = pins.verdicts()
        found[DISPUTED] = "interval" if self.third_flip else "no"
        for run in range(len(RUNS)):
            for m, name in enumerate(MODELS):
                found[run, m, "H5"] = "supported" if name in self.h5_supported else "no"
        found.update(self.asked)
        return found

    def ahead(self, run: int, m: int, hypothesis: str) -> int:
        """Hypotheses that are certain to have a smaller p than this one."""
        wanted = self.wanted()
        first = {"H1": ("H4", "H5"), "H2": ("H4", "H5"), "H3": ("H1", "H2", "H4", "H5")}
        others = first.get(hypothesis, ("H4",))
        if wanted[run, m, hypothesis] == "interval":
            others = tuple(h for h in HYPOTHESES if h != hypothesis)
        return sum(wanted[run, m, h] == "supported" for h in others)

    def asking(self, run: int, m: int, hypothesis: str, verdict: str) -> Pattern:
        """The same pattern with another verdict of one cell; of H5, in both runs alike."""
        runs = range(len(RUNS)) if hypothesis == "H5" else (run,)
        return replace(self, asked=tuple(((r, m, hypothesis), verdict) for r in runs))


PATTERNS = {
    1: Pattern(11, h5_supported=(), b2b_larger="gemini-3.1-flash-lite"),
    2: Pattern(12, h5_supported=MODELS, b2b_larger="gemini-3.1-flash-lite"),
    3: Pattern(
        13,
        h5_supported=("claude-sonnet-5", "gemini-3.1-pro-preview"),
        b2b_larger="gemini-3.1-pro-preview",
        third_flip=True,
    ),
    4: Pattern(14, h5_supported=(), b2b_larger="claude-sonnet-5"),
    5: Pattern(15, h5_supported=MODELS, b2b_larger="gemini-3.1-pro-preview"),
}
"""Panels 1 and 4 fail H5, 2 and 5 support it, 3 mixes and adds the third flip."""
