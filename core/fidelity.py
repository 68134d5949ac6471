"""The ledger: every printed figure of a study against what a panel's rows give.

``python -m core.fidelity composition`` sums it up; ``--json`` prints every row.
"""

from __future__ import annotations

import argparse
import importlib
import json
import math
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Literal, cast

import numpy as np
import polars as pl

from core.figures import Figure, Panels, PrintedStudy, Recompute, Recomputed, Tolerance, figures
from core.formula import Formula, FormulaError, Reference, Value, parse
from core.panels.read import read_panel
from core.paths import LEDGERS, PANELS

Status = Literal["reproduced", "off", "not derivable"]

STUDIES: Mapping[str, str] = MappingProxyType(
    {
        "clauses": "core.studies.clauses.printed",
        "composition": "core.studies.composition.printed",
        "filenames": "core.studies.filenames.printed",
        "remedies": "core.studies.remedies.printed",
    }
)
"""Modules that recompute a study's figures; imported when they are needed."""

COUNTED_BASES = ("rows", "recomputable", "bound")
PRINTED_INPUTS = ("design", "arithmetic", "other_run")
"""Bases of figures that enter a formula as printed, since a panel's rows do not give them."""

ROUNDING = 1e-9
"""Slack for binary fractions: .0005 is not exactly half a thousandth."""

SCHEMA: Mapping[str, type[pl.DataType]] = MappingProxyType(
    {
        "figure_id": pl.String,
        "locator": pl.String,
        "quantity": pl.String,
        "subject": pl.String,
        "unit": pl.String,
        "basis": pl.String,
        "counted": pl.Boolean,
        "pinned": pl.Boolean,
        "follows": pl.Boolean,
        "published": pl.Float64,
        "published_lower": pl.Float64,
        "published_upper": pl.Float64,
        "recomputed": pl.Float64,
        "recomputed_lower": pl.Float64,
        "recomputed_upper": pl.Float64,
        "difference": pl.Float64,
        "tolerance": pl.Float64,
        "status": pl.String,
        "why": pl.String,
    }
)
"""Columns of a ledger. counted: whether the row enters the shares. pinned: whether the search for
the rows was given the figure. follows: whether it is a formula over figures that it was given."""


def ledger(study: str, panels: Panels, *, draws: bool = False) -> pl.DataFrame:
    """Recompute every printed figure of a study.

    Parameters
    ----------
    study
        One of `STUDIES`.
    panels
        The tables of one panel.
    draws
        Whether to recompute figures that need random draws, which takes seconds; without them
        those rows are not derivable.

    Returns
    -------
    polars.DataFrame
        One row a figure, in the order of the study's file; columns as in `SCHEMA`.
    """
    module = _module(study)
    pinned = frozenset().union(*(panel.provenance.pinned_ids for panel in panels.values()))
    book = _Book(figures(study), module.recompute(panels, draws=draws), pinned)
    rows = [
        _row(figure, book, module.tolerance(figure), figure_id in pinned)
        for figure_id, figure in book.figures.items()
    ]
    return pl.DataFrame(rows, schema=SCHEMA)


def _module(study: str) -> PrintedStudy:
    return cast(PrintedStudy, importlib.import_module(STUDIES[study]))


READING = "reading:"
"""How a reason begins that says which of several meanings of a figure was worked out."""


class _Book:
    """Results of figures, each worked out once; formulas draw on one another's results."""

    def __init__(
        self, figures: Mapping[str, Figure], recompute: Recompute, pinned: frozenset[str]
    ) -> None:
        self.figures = figures
        self._from_rows = recompute
        self._pinned = pinned
        self._results: dict[str, Recomputed] = {}
        self._meant: dict[Reference, tuple[Figure, ...]] = {}

    def result(self, figure: Figure) -> Recomputed:
        """Return what the rows, or a formula over their results, give for a figure."""
        if figure.figure_id not in self._results:
            self._results[figure.figure_id] = self._work_out(figure)
        return self._results[figure.figure_id]

    def _work_out(self, figure: Figure) -> Recomputed:
        match figure.basis:
            case "design":
                return Recomputed(why="a design number: there is nothing to recompute")
            case "other_run":
                return Recomputed(why="another run, whose rows are not part of this panel")
            case "repeat":
                source = self.figures[figure.source]
                return _in_unit(self.result(source), source.unit, figure.unit)
            case "rows":
                return self._from_rows(figure) or Recomputed(why="no way to recompute it")
            case "recomputable":
                return self._from_rows(figure) or self._by_formula(figure)
            case "arithmetic" | "bound":
                return self._by_formula(figure)

    def _by_formula(self, figure: Figure) -> Recomputed:
        formula = parse(figure.formula)
        try:
            x = self._statistic(figure) if formula.needs_x else None
            work = formula.left if formula.is_inequality else formula.value
            return Recomputed(work(self._look_up, x), why=self._where_from(figure, formula))
        except _Missing as missing:
            return Recomputed(why=str(missing))
        except FormulaError as error:
            return Recomputed(math.nan, why=str(error))

    def holds(self, figure: Figure) -> bool:
        """Say whether a bound is met; its result must have a value."""
        formula = parse(figure.formula)
        x = self.result(figure).value if formula.needs_x else None
        return formula.value(self._look_up, x) == 1

    def _statistic(self, figure: Figure) -> float:
        found = self._from_rows(figure) or Recomputed(why="no way to recompute it")
        if found.value is None:
            raise _Missing(found.why)
        return found.value

    def _look_up(self, reference: Reference) -> Value:
        numbers = [self._number(figure, reference) for figure in self._inputs(reference)]
        if not numbers:
            raise FormulaError(f"no figure is called {reference.pattern}")
        return np.asarray(numbers if reference.is_list else numbers[0], dtype=np.float64)

    def _inputs(self, reference: Reference) -> tuple[Figure, ...]:
        if reference not in self._meant:
            meant = reference.among(self.figures)
            self._meant[reference] = tuple(self.figures[figure_id] for figure_id in meant)
        return self._meant[reference]

    def _number(self, figure: Figure, reference: Reference) -> float:
        enters_as_printed = self._original(figure).basis in PRINTED_INPUTS
        given = figure if enters_as_printed else self.result(figure)
        number: float | None = getattr(given, reference.end)
        if number is None:
            raise _Missing(getattr(given, "why", "") or f"{figure.figure_id} has no such end")
        return number

    def _original(self, figure: Figure) -> Figure:
        while figure.basis == "repeat":
            figure = self.figures[figure.source]
        return figure

    def _where_from(self, figure: Figure, formula: Formula) -> str:
        """Say when a formula rests on printed figures instead of rows, or on a reading of ours."""
        inputs = [f for reference in formula.references for f in self._inputs(reference)]
        from_rows = [f for f in inputs if self._original(f).basis not in PRINTED_INPUTS]
        if not from_rows:
            return "from printed figures, not from rows"
        said = dict.fromkeys(self.result(f).why for f in from_rows)
        return "; ".join(why for why in said if why.startswith(READING))

    def follows(self, figure: Figure) -> bool:
        """Say whether a figure is a formula over figures that the search was given."""
        if figure.basis == "repeat":
            original = self._original(figure)
            return original.figure_id in self._pinned or self.follows(original)
        if figure.basis not in ("recomputable", "bound") or not figure.formula:
            return False
        formula = parse(figure.formula)
        if formula.needs_x:
            return False
        given = [
            self._is_given(f, reference)
            for reference in formula.references
            for f in self._inputs(reference)
            if self._original(f).basis not in PRINTED_INPUTS
        ]
        return bool(given) and all(given)

    def _is_given(self, figure: Figure, reference: Reference) -> bool:
        # A search is given values; where it is given ends, its figure is pinned itself.
        if reference.end != "value":
            return False
        return figure.figure_id in self._pinned or self.follows(figure)


def _in_unit(found: Recomputed, unit: str, wanted: str) -> Recomputed:
    """Turn shares into percent and back, where a figure repeats another in another unit."""
    scale = {(True, False): 0.01, (False, True): 100.0}.get(
        (unit == "percent", wanted == "percent"), 1.0
    )
    if scale == 1:
        return found
    value, lower, upper = (
        None if v is None else scale * v for v in (found.value, found.lower, found.upper)
    )
    return Recomputed(value, lower, upper, why=found.why)


class _Missing(Exception):
    """An input of a formula cannot be derived; the message says why."""


def _row(figure: Figure, book: _Book, tolerance: Tolerance, pinned: bool) -> dict[str, object]:
    found = book.result(figure)
    is_bound = figure.basis == "bound"
    if found.value is None:
        status, why = "not derivable", found.why
    elif is_bound:
        status, why = _judge_bound(figure, book, found.value)
    else:
        status, why = judge(figure, found, tolerance)
    comparable = found.value is not None and not is_bound
    return {
        "figure_id": figure.figure_id,
        "locator": figure.locator,
        "quantity": figure.quantity,
        "subject": figure.subject,
        "unit": figure.unit,
        "basis": figure.basis,
        "counted": figure.basis in COUNTED_BASES and figure.is_defined,
        "pinned": pinned,
        "follows": not pinned and book.follows(figure),
        "published": figure.value,
        "published_lower": figure.lower,
        "published_upper": figure.upper,
        "recomputed": _finite(found.value),
        "recomputed_lower": _finite(found.lower),
        "recomputed_upper": _finite(found.upper),
        "difference": _finite(_minus(found.value, figure.value)) if comparable else None,
        "tolerance": tolerance.value if comparable else None,
        "status": status,
        "why": why,
    }


def _judge_bound(figure: Figure, book: _Book, value: float) -> tuple[Status, str]:
    holds = book.holds(figure)
    answer = "holds" if holds else "does not hold"
    return ("reproduced" if holds else "off"), f"{answer}: {figure.formula}; it is {value:.6g}"


def judge(figure: Figure, found: Recomputed, tolerance: Tolerance) -> tuple[Status, str]:
    """Compare a recomputed value, and both interval ends where there are any, with a figure.

    Returns
    -------
    status, why
        ``reproduced`` only if every number is within its tolerance; otherwise the reason names
        those that are not.
    """
    asked = (
        ("value", figure.value, found.value, tolerance.value),
        ("lower end", figure.lower, found.lower, tolerance.ends),
        ("upper end", figure.upper, found.upper, tolerance.ends),
    )
    missed, is_wide = [], False
    for name, printed, got, allowed in asked:
        if printed is None:
            continue
        if got is None or math.isnan(got):
            missed.append(f"no {name}")
        elif abs(got - printed) > allowed + ROUNDING:
            missed.append(f"{name} differs by {got - printed:+.{figure.decimals + 2}f}")
        else:
            is_wide |= abs(got - printed) > figure.half_unit + ROUNDING
    notes = [*missed, found.why, tolerance.why if is_wide and not missed else ""]
    return ("off" if missed else "reproduced"), "; ".join(note for note in notes if note)


def _minus(found: float | None, printed: float) -> float | None:
    return None if found is None else found - printed


def _finite(value: float | None) -> float | None:
    return None if value is None or math.isnan(value) else value


@dataclass(frozen=True, slots=True)
class Count:
    """How many figures of a group came out which way."""

    reproduced: int
    off: int
    not_derivable: int

    @property
    def total(self) -> int:
        """All figures of the group."""
        return self.reproduced + self.off + self.not_derivable

    @property
    def share(self) -> float | None:
        """Reproduced figures among all, in [0, 1]; None for an empty group."""
        return self.reproduced / self.total if self.total else None


@dataclass(frozen=True, slots=True)
class Shares:
    """What a ledger says in sum, over the figures that count."""

    by_construction: Count
    """Figures that the search was given, and formulas over them."""
    unfitted: Count
    """All others: where they are reproduced, they agree without being fitted."""

    @property
    def all(self) -> Count:
        """Both groups."""
        one, other = self.by_construction, self.unfitted
        return Count(
            one.reproduced + other.reproduced,
            one.off + other.off,
            one.not_derivable + other.not_derivable,
        )


def shares(ledger: pl.DataFrame) -> Shares:
    """Count a ledger's figures by status.

    Counted are figures with basis rows, recomputable or bound whose definition the document
    gives; a repeat counts once, with the figure it repeats, and a design number not at all.
    """
    counted = ledger.filter("counted")
    given = pl.col("pinned") | pl.col("follows")
    return Shares(_count(counted.filter(given)), _count(counted.filter(~given)))


def _count(rows: pl.DataFrame) -> Count:
    by_status = dict(rows.group_by("status").len().iter_rows())
    statuses: tuple[Status, ...] = ("reproduced", "off", "not derivable")
    return Count(*(by_status.get(status, 0) for status in statuses))


def shipped_panels(study: str, number: int) -> Panels:
    """Read the tables of one shipped reconstruction.

    Raises
    ------
    FileNotFoundError
        If there is no such reconstruction, naming the ones there are.
    """
    if number not in shipped_numbers(study):
        known = ", ".join(map(str, shipped_numbers(study))) or "none"
        raise FileNotFoundError(f"no reconstruction {number} of {study}; there is: {known}")
    paths = {
        name: PANELS / study / f"{name}-reconstructed-{number}.parquet"
        for name in _module(study).TABLES
    }
    return {name: read_panel(path) for name, path in paths.items() if path.is_file()}


def shipped_numbers(study: str) -> list[int]:
    """Numbers of the shipped reconstructions."""
    first = _module(study).TABLES[0]
    paths = (PANELS / study).glob(f"{first}-reconstructed-*.parquet")
    return sorted(int(path.stem.rpartition("-")[2]) for path in paths)


def ledger_path(study: str, number: int) -> Path:
    """Where the ledger of a shipped reconstruction is kept."""
    return LEDGERS / study / f"reconstructed-{number}.csv"


def kept_ledger(study: str, number: int, panels: Panels) -> pl.DataFrame | None:
    """Read the kept ledger of a shipped reconstruction, draws included.

    Returns
    -------
    polars.DataFrame or None
        As `ledger`; None if there is none, or if it was made from other rows.
    """
    path = ledger_path(study, number)
    if not path.is_file():
        return None
    first = path.read_text(encoding="utf-8").partition("\n")[0]
    if first != _stamp(panels):
        return None
    return pl.read_csv(path, schema=SCHEMA, comment_prefix="#").with_columns(
        pl.col(pl.String).fill_null("")
    )


def shipped_ledger(study: str, number: int) -> pl.DataFrame:
    """Return the ledger of a shipped reconstruction: the kept one, else one without draws."""
    panels = shipped_panels(study, number)
    kept = kept_ledger(study, number, panels)
    return ledger(study, panels) if kept is None else kept


def keep_ledger(study: str, number: int, panels: Panels, table: pl.DataFrame) -> Path:
    """Write the ledger of a shipped reconstruction, stamped with the checksums of its rows."""
    path = ledger_path(study, number)
    path.parent.mkdir(parents=True, exist_ok=True)
    rounded = table.with_columns(pl.col(pl.Float64).round(9))
    path.write_text(f"{_stamp(panels)}\n{rounded.write_csv()}", encoding="utf-8")
    return path


def _stamp(panels: Panels) -> str:
    return "# " + ", ".join(f"{name} {panels[name].hash}" for name in sorted(panels))


def summary(table: pl.DataFrame) -> str:
    """Sum a ledger up in plain words, with every counted figure that is off."""
    result = shares(table)
    lines = [
        f"{table.height} printed figures, {result.all.total} of them counted",
        f"met by construction: {_say(result.by_construction)}",
        f"agrees without being fitted: {_say(result.unfitted)}",
    ]
    for row in table.filter(pl.col("status") == "off").iter_rows(named=True):
        lines.append(f"off: {row['figure_id']}: {row['published']:g} printed; {row['why']}")
    return "\n".join(lines)


def _say(count: Count) -> str:
    words = f"{count.reproduced} of {count.total} reproduced, {count.off} off"
    return words + (f", {count.not_derivable} not derivable" if count.not_derivable else "")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; the result is the exit code."""
    parser = argparse.ArgumentParser(prog="python -m core.fidelity", description=__doc__)
    parser.add_argument("study", choices=sorted(STUDIES))
    parser.add_argument("--json", action="store_true", help="print every row as JSON")
    parser.add_argument("--panel", type=int, default=1, metavar="N", help="which reconstruction")
    parser.add_argument("--no-draws", action="store_true", help="leave out what takes seconds")
    parser.add_argument(
        "--write", action="store_true", help="keep the ledger of every shipped reconstruction"
    )
    options = parser.parse_args(arguments)
    if options.write:
        for number in shipped_numbers(options.study):
            panels = shipped_panels(options.study, number)
            table = ledger(options.study, panels, draws=True)
            print(keep_ledger(options.study, number, panels, table))
        return 0
    try:
        panels = shipped_panels(options.study, options.panel)
    except FileNotFoundError as error:
        parser.error(str(error))
    table = ledger(options.study, panels, draws=not options.no_draws)
    if options.json:
        json.dump(table.to_dicts(), sys.stdout, ensure_ascii=False, indent=1)
        print()
    else:
        print(summary(table))
    return 0


if __name__ == "__main__":
    sys.exit(main())
