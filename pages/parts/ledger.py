"""The ledger of printed figures, with filters."""

from __future__ import annotations

import polars as pl
import streamlit as st

from core.export import table_file
from core.fidelity import Count, kept_ledger, shares, shipped_numbers, shipped_panels
from core.words import counted, percent

SHOWN = (
    "figure_id",
    "locator",
    "status",
    "basis",
    "pinned",
    "published",
    "recomputed",
    "difference",
    "tolerance",
    "why",
)


@st.cache_resource(show_spinner="Reading the ledger")
def _read(study: str, number: int) -> pl.DataFrame | None:
    return kept_ledger(study, number, shipped_panels(study, number))


def draw(study: str) -> None:
    """Draw the ledger of one reconstruction."""
    st.markdown(
        "One row for each figure that the study prints, beside what the reconstructed rows give. "
        "**Pinned** figures were given to the search that made the rows, so meeting them is by "
        "construction; the others agree, or not, without being fitted."
    )
    numbers = shipped_numbers(study)
    number = numbers[0]
    if len(numbers) > 1:
        number = st.selectbox("Reconstruction", numbers)
    table = _read(study, number)
    if table is None:
        st.warning(
            "The kept ledger was made from other rows than the shipped ones. Make it again with "
            f"`python -m core.fidelity {study} --write`."
        )
        return
    found = shares(table)
    left, middle, right = st.columns(3)
    left.metric(
        "Met by construction", _share(found.by_construction), help=_counts(found.by_construction)
    )
    middle.metric(
        "Agrees without being fitted", _share(found.unfitted), help=_counts(found.unfitted)
    )
    right.metric("Printed figures", f"{table.height:,}", help=_not_counted(table))
    rows = _filtered(table)
    st.caption(f"{counted(rows.height, 'figure')} shown.")
    st.dataframe(
        rows.select(SHOWN),
        hide_index=True,
        height=480,
        alt="Printed figures with what the rows give for each",
    )
    st.download_button(
        "Ledger as CSV",
        data=lambda: table_file(
            rows, [f"Ledger of study {study}, reconstruction {number}"], form="csv"
        ),
        file_name=f"hinge-ledger-{study}-{number}.csv",
        mime="text/csv",
        on_click="ignore",
    )


def _filtered(table: pl.DataFrame) -> pl.DataFrame:
    with st.container(horizontal=True):
        status = st.multiselect("Status", table["status"].unique().sort().to_list())
        basis = st.multiselect("Basis", table["basis"].unique().sort().to_list())
        pinned = st.selectbox("Pinned", ["all", "pinned", "not pinned"])
        text = st.text_input("Figure or place contains", placeholder="Table 21")
    if status:
        table = table.filter(pl.col("status").is_in(status))
    if basis:
        table = table.filter(pl.col("basis").is_in(basis))
    if pinned != "all":
        table = table.filter(pl.col("pinned") == (pinned == "pinned"))
    if text:
        found = pl.col("figure_id") + " " + pl.col("locator")
        table = table.filter(found.str.to_lowercase().str.contains(text.lower(), literal=True))
    return table


def _share(count: Count) -> str:
    return "–" if count.share is None else percent(count.share, 1)


def _counts(count: Count) -> str:
    return (
        f"{count.reproduced:,} of {count.total:,} reproduced, {count.off:,} off, "
        f"{count.not_derivable:,} not derivable"
    )


def _not_counted(table: pl.DataFrame) -> str:
    left_out = table.filter(~pl.col("counted")).height
    return (
        f"{left_out:,} of them do not enter the shares: design numbers, repeats, figures of other "
        "runs and those whose definition the document does not give."
    )
