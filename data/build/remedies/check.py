"""Print what was aimed at and what the rows give: ``python -m data.build.remedies.check``.

The values come from the study's own analysis of the written files, not from the search.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from core.figures import figures
from core.panels.read import read_panel
from core.paths import PANELS
from core.studies.remedies import printed
from data.build.remedies.reference import STUDY

TABLES = ("decisions", "attributes", "audit")


def report(folder: Path, number: int) -> tuple[int, int]:
    """Print each pinned figure of a panel; how many are met, and how many there are."""
    panels = {t: read_panel(folder / f"{t}-reconstructed-{number}.parquet") for t in TABLES}
    pinned = frozenset().union(*(panel.provenance.pinned_ids for panel in panels.values()))
    recompute = printed.recompute(panels, draws=True)
    met = 0
    for figure in figures(STUDY).values():
        if figure.figure_id not in pinned:
            continue
        found, allowed = recompute(figure), printed.tolerance(figure)
        value = None if found is None else found.value
        ends = (
            ()
            if found is None
            else zip((found.lower, found.upper), (figure.lower, figure.upper), strict=True)
        )
        good = value is not None and abs(value - figure.value) <= allowed.value * (1 + 1e-9)
        wide = [
            f"{got:.4g} for {end:.4g}"
            for got, end in ends
            if got is not None and end is not None and abs(got - end) > allowed.ends * (1 + 1e-9)
        ]
        met += good and not wide
        word = "met" if good and not wide else "value met, ends not" if good else "not met"
        got = "nothing" if value is None else f"{value:.5g}"
        print(f"{word:20} {figure.figure_id}: {figure.value:g}, got {got} {'; '.join(wide)}")
    print(f"panel {number}: {met} of {len(pinned)} pinned figures met")
    return met, len(pinned)


def main() -> None:
    """Report on the panels of a folder."""
    parser = argparse.ArgumentParser(
        prog="python -m data.build.remedies.check", description=__doc__
    )
    parser.add_argument("numbers", type=int, nargs="*", default=[1, 2, 3])
    parser.add_argument("--folder", type=Path, default=PANELS / STUDY)
    options = parser.parse_args()
    for number in options.numbers:
        report(options.folder, number)


if __name__ == "__main__":
    main()
