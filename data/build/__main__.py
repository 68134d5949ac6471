"""Rebuild the reconstructed panels: ``python -m data.build STUDY``."""

from __future__ import annotations

import argparse
import sys
from importlib import import_module
from pathlib import Path

from data.build.together import built

PANELS = Path(__file__).resolve().parents[1] / "panels"
STUDIES = ("composition", "clauses", "filenames", "remedies")


def main(argv: list[str] | None = None) -> int:
    """Build the panels asked for; 1 if a search did not meet its pins."""
    parser = argparse.ArgumentParser(prog="python -m data.build", description=__doc__)
    parser.add_argument("study", choices=STUDIES)
    parser.add_argument("--panels", type=int, nargs="+", metavar="N", help="default: all")
    parser.add_argument("--out", type=Path, help="default: data/panels/STUDY")
    parser.add_argument(
        "--reverse",
        metavar="CLAIM",
        help="also ask for rows on which CLAIM holds; needs --out",
    )
    options = parser.parse_args(argv)
    if options.reverse and options.out is None:
        parser.error("--reverse needs --out: such rows are never shipped")
    study = import_module(f"data.build.{options.study}")
    folder = options.out or PANELS / options.study
    if options.reverse:
        met = study.reverse(options.reverse, (options.panels or [1])[0], folder)
    else:
        met = built(study.__name__, options.panels or list(study.SEEDS), folder)
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
