"""The printed figures the search must return, read from the reference.

A value and its tolerance (half a unit of the last printed digit) come from
``figures.csv``; verdicts come from ``verdicts.csv``. Nothing printed is typed
here.
"""

from __future__ import annotations

from math import ceil, floor

from core.figures import Figure, figures
from core.panels.provenance import Pin
from core.reference import table
from data.build.clauses.reference import HYPOTHESES, MODELS, RUNS, STUDY

THREE_BEFORE = "clauses.compare.verdicts_changed.before_correction"
TWO_FLIPS = "clauses.v3.holm_changed_cells"
"""The document contradicts itself: a panel can meet one of these two, not both."""

PINNED_BASES = ("rows", "recomputable", "bound")
ARCHETYPE_FIGURES = (
    "clauses.v2.defects.total",
    "clauses.v2.defects.giveaway",
    "clauses.v2.defects.unrealistic",
    "clauses.v3.archetypes_dropped",
    "clauses.unchanged.n_archetypes",
)


def figure(name: str) -> Figure:
    """Printed figure by its id without the study's prefix."""
    return figures(STUDY)[f"{STUDY}.{name}"]


def count(name: str) -> int:
    """Printed whole number."""
    return int(figure(name).value)


def total(name: str, n: int) -> int:
    """The integer whose n-th part prints as a figure.

    Raises
    ------
    ValueError
        If none or several do.
    """
    printed = figure(name)
    return _only(printed.value, n, printed.decimals, name)


def ends(name: str, n: int) -> tuple[int, int]:
    """The integers whose n-th parts print as the ends of a figure's interval."""
    printed = figure(name)
    assert printed.lower is not None
    assert printed.upper is not None
    low, high = (_only(x, n, printed.decimals, name) for x in (printed.lower, printed.upper))
    return low, high


def _only(value: float, n: float, decimals: int, name: str) -> int:
    near = range(floor(value * n) - 1, ceil(value * n) + 2)
    found = [k for k in near if float(f"{k / n:.{decimals}f}") == value]
    if len(found) != 1:
        raise ValueError(f"{name}: {len(found)} sums over {n} print as {value}")
    return found[0]


def share_count(name: str, of: int) -> int:
    """The count that prints as a percentage of ``of``."""
    printed = figure(name)
    return _only(printed.value, of / 100, printed.decimals, name)


def envelope(n: int, *, printed: bool) -> tuple[int, int]:
    """Widest sums at which an opaque 90% interval may end.

    Parameters
    ----------
    n : int
        Complete groups.
    printed : bool
        Whether an end need only print inside the bounds, not lie inside them.
    """
    low, high = (figure(f"v2.h4.ci_bound.{end}") for end in ("min", "max"))
    slack = low.half_unit if printed else 0.0
    return ceil((low.value - slack) * n), floor((high.value + slack) * n)


def verdicts() -> dict[tuple[int, int, str], str]:
    """Verdict of each cell the document determines.

    Returns
    -------
    dict
        (run, model, hypothesis) to ``supported``, ``interval`` (lost through
        Holm) or ``no``.
    """
    found = {}
    for row in table(STUDY, "verdicts").iter_rows(named=True):
        key = (RUNS.index(row["run"]), MODELS.index(row["model"]), row["hypothesis"])
        alone, gated = row["supported_ungated"], row["supported_gated"]
        if alone is not None and gated is not None:
            found[key] = "supported" if gated == "yes" else "interval" if alone == "yes" else "no"
    assert {h for _, _, h in found} <= set(HYPOTHESES)
    return found


def declared(kind: str, *, three_before: bool) -> tuple[Pin, ...]:
    """Figures the search is fitted to, for a table's metadata.

    Parameters
    ----------
    kind : str
        ``determinations`` or ``archetypes``.
    three_before : bool
        Whether this panel meets the printed number of changes before the
        correction, and so one more flip than the document names.
    """
    pins = []
    for printed in figures(STUDY).values():
        of_archetypes = printed.figure_id in ARCHETYPE_FIGURES
        wanted = of_archetypes == (kind == "archetypes") and printed.basis in PINNED_BASES
        contradicted = TWO_FLIPS if three_before else THREE_BEFORE
        if wanted and printed.figure_id != contradicted:
            pins.append(Pin(printed.figure_id, printed.half_unit))
    return tuple(pins)
