"""From rows to counts, against a plain count of the rows."""

from __future__ import annotations

from collections import Counter

import numpy as np
import polars as pl
import pytest

from core.studies.composition.reduce import CELL, CellStatistics, reduce_cells
from core.studies.composition.sources import STATES
from tests.core import by_hand


def frame(rows: list[by_hand.Row]) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=list(by_hand.COLUMNS), orient="row")


def check(statistics: CellStatistics, rows: list[by_hand.Row]) -> None:
    table = by_hand.counted(rows)
    keys = list(statistics.cells.iter_rows())
    assert sorted(statistics.models) == sorted(table)
    assert set(keys) == {key for cells in table.values() for key in cells}
    assert len(keys) == len(set(keys))
    for m, model in enumerate(statistics.models):
        for g, key in enumerate(keys):
            counts = table[model].get(key, Counter())
            support = list(by_hand.sources().get((key[1], key[2]), {}))
            assert list(statistics.supports[g]) == support
            named = [counts[name] for name in support]
            beyond = statistics.counts.shape[-1] - len(named)
            assert statistics.counts[m, g].tolist() == named + [0] * beyond
            assert statistics.states[m, g].tolist() == [counts[name] for name in STATES]
            other = sum(n for name, n in counts.items() if name not in (*support, *STATES))
            assert statistics.other[m, g] == other
            assert statistics.outputs[m, g] == counts.total()
            assert statistics.mapped[m, g] == sum(named)


@pytest.mark.parametrize("seed", range(8))
def test_counts_are_those_of_the_rows(seed: int) -> None:
    rows = by_hand.random_rows(seed)
    check(reduce_cells(frame(rows)), rows)


def test_the_order_of_the_rows_and_their_splitting_do_not_matter() -> None:
    rows = by_hand.random_rows(4)
    whole = reduce_cells(frame(rows))
    halves = [(*row[:-1], part) for row in rows for part in (row[-1] // 2, -(-row[-1] // 2))]
    mixed = frame(halves).sample(fraction=1, shuffle=True, seed=1)
    for other in (reduce_cells(mixed), reduce_cells(mixed.lazy())):
        assert other.models == whole.models
        assert other.cells.equals(whole.cells)
        for name in ("counts", "states", "other"):
            assert np.array_equal(getattr(other, name), getattr(whole, name))


def test_the_studys_models_come_first_and_in_its_order() -> None:
    printed = [row["model_id"] for row in by_hand.read("models")]
    rows = [
        (model, "joint", "religion", "USA", "story", "ceo", "Christian", 30)
        for model in ("zebra", *reversed(printed), "another")
    ]
    assert reduce_cells(frame(rows)).models == (*printed, "another", "zebra")


def test_a_model_without_rows_for_a_cell_has_no_outputs_there() -> None:
    rows = [
        ("a", "joint", "religion", "USA", "story", "ceo", "Christian", 30),
        ("b", "joint", "religion", "USA", "story", "nurse", "Christian", 30),
    ]
    assert reduce_cells(frame(rows)).outputs.tolist() == [[30, 0], [0, 30]]


def test_a_state_is_no_category_even_where_no_source_is_declared() -> None:
    rows = [
        ("m", "joint", "religion", "MARS", "story", "ceo", name, n)
        for name, n in (("unmapped", 4), ("Christian", 6))
    ]
    found = reduce_cells(frame(rows))
    assert found.states[0, 0].tolist() == [0, 4, 0, 0]
    assert (found.other[0, 0], found.mapped[0, 0], found.outputs[0, 0]) == (6, 0, 10)


def test_each_regime_holds_its_own_cells_and_is_kept() -> None:
    rows = by_hand.random_rows(6)
    statistics = reduce_cells(frame(rows))
    for regime in ("joint", "implicit"):
        part = statistics.in_regime(regime)
        assert part is statistics.in_regime(regime)
        assert part.models == statistics.models
        of_regime = by_hand.counted([row for row in rows if row[1] == regime])
        assert set(part.cells.iter_rows()) == {key for cells in of_regime.values() for key in cells}
        assert part.outputs.sum() == sum(row[-1] for row in rows if row[1] == regime)


def test_cells_are_sorted_alike_for_every_panel() -> None:
    statistics = reduce_cells(frame(by_hand.random_rows(9)))
    order = statistics.cells.select(CELL)
    contexts = list(dict.fromkeys(context for _, context in by_hand.sources()))

    def rank(row: tuple[str, ...]) -> tuple[object, ...]:
        regime, attribute, context, form, role = row
        known = contexts.index(context) if context in contexts else len(contexts)
        return (
            ("joint", "implicit").index(regime),
            by_hand.ATTRIBUTES.index(attribute),
            known,
            ("story", "character").index(form),
            ("ceo", "doctor", "engineer", "nurse", "teacher", "cleaner", "pilot").index(role),
        )

    ranks = [rank(row) for row in order.iter_rows()]
    assert ranks == sorted(ranks)
