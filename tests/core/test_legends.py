"""The words under a chart explain every mark that is on it, and no other."""

from __future__ import annotations

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from core import legends
from core.basis import SIGNS, Basis
from core.verdicts import MARKS, PLANNED_OPPOSITE, Verdict

ROWS = st.lists(
    st.tuples(st.sampled_from(Verdict), st.sampled_from(Verdict), st.booleans()), min_size=1
)


def table(rows: list[tuple[Verdict, Verdict, bool]]) -> pl.DataFrame:
    return pl.DataFrame(
        [(str(one), str(two), one != two, varies) for one, two, varies in rows],
        schema=["verdict_planned", "verdict_now", "flip", "varies"],
        orient="row",
    )


@given(ROWS)
def test_what_is_on_a_chart_is_explained_and_nothing_else(
    rows: list[tuple[Verdict, Verdict, bool]],
) -> None:
    said = legends.marks(table(rows))
    seen = {verdict for row in rows for verdict in row[:2]}
    for verdict, mark in MARKS.items():
        explained = f"{mark.symbol} {verdict.value} ({mark.meaning})" in said
        assert explained == (verdict in seen)
    assert (PLANNED_OPPOSITE in said) == any(row[0] == Verdict.OPPOSITE for row in rows)
    assert (legends.RING in said) == any(row[0] != row[1] for row in rows)
    assert (legends.HATCHED in said) == any(row[2] for row in rows)


@given(st.lists(st.sampled_from(["", *Basis])))
def test_signs_after_numbers_are_explained_where_they_stand(bases: list[str]) -> None:
    said = legends.signs(pl.Series(bases, dtype=pl.String))
    for basis, sign in SIGNS.items():
        assert (sign.strip() in said) == (basis in bases)
