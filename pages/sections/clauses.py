"""Sections of the clauses page below its charts; only the open one is drawn."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import polars as pl
import streamlit as st

from core.charts.dots import dots
from core.charts.marks import Look
from core.charts.theme import Palette
from core.mirror import mirror
from core.mirror_items import Item, check, party_a, read_items
from core.panels.problems import PanelError
from core.panels.read import Panel
from core.studies.clauses import direction, history, missing, runs_compared, texts, unchanged
from core.studies.clauses import tables as tabulate
from core.studies.clauses.choices import DECLARATION
from core.studies.clauses.estimate import Findings
from core.studies.clauses.influence import add_to_list, hinges, influence
from core.studies.clauses.reconstructions import Ensemble
from core.studies.clauses.reduce import ClauseStatistics
from core.studies.clauses.tables import Comparison
from core.words import counted, plain
from pages.parts import controls, frame

ITEM_MEGABYTES = 5
"""Largest item file."""


@dataclass(frozen=True)
class ClauseView:
    """One view of the study: panel, specification, findings, and what is in focus."""

    panel: Panel
    statistics: ClauseStatistics
    findings: Findings
    comparison: Comparison
    ensemble: Ensemble
    names: list[str]
    focus: str
    run: str
    hypothesis: str
    lines: list[str]

    def look(self, colours: Palette) -> Look:
        return Look(colours, tuple(self.names), self.focus)


def _equivalence(view: ClauseView) -> None:
    st.markdown(texts.EQUIVALENCE_INTRO)
    table = tabulate.equivalence_table(view.comparison).filter(pl.col("run") == view.run)
    rows = tabulate.equivalence_rows(table)
    left, right = st.columns(2, gap="large")
    with left:
        margin = view.findings.choices.number("margin")
        frame.chart(
            "equivalence",
            f"Interval against the margin, {view.run}",
            lambda colours: dots(
                rows, unit=texts.UNIT, look=view.look(colours), line=margin, both_sides=True
            ),
            alt_text="Each estimate with the interval that matches its test of equivalence.",
            lines=view.lines,
        )
        st.caption(texts.margin_reading(view.findings.choices))
    with right:
        shown = table.rename({"smallest": "smallest_margin"}).drop("run", "claim", "shown")
        first = ("model", "hypothesis", "word", "smallest_margin", "estimate")
        shown = shown.select(*first, pl.exclude(*first))
        frame.table(shown, alt_text="How each cell lies to zero and to the margin")
        frame.table_downloads("equivalence", table, view.lines)


def _runs(view: ClauseView) -> None:
    st.markdown(texts.RUNS_INTRO)
    st.caption(runs_compared.APPROXIMATION)
    table = runs_compared.compare_runs(view.comparison)
    if table.is_empty():
        st.info("The panel does not hold both runs with numbers to compare.")
        return
    changed = table.filter("changed")
    st.subheader("Verdicts that changed, and what changed them", anchor=False)
    for line in texts.change_lines(changed):
        st.markdown(f"- {line}")
    if changed.is_empty():
        st.info("No claim stands in one run only.")
    else:
        st.caption(texts.SWITCHES_READING)
        frame.table(texts.switches(changed), alt_text="Each single switch and its average share")
    frame.table_downloads("runs", table, view.lines)
    st.subheader("Clauses whose text did not change", anchor=False)
    for labels in ("role", "opaque"):
        found = unchanged.paired(view.statistics, view.findings.choices, labels)
        if isinstance(found, str):
            st.info(found)
            continue
        st.markdown(texts.unchanged_line(found))
        if view.comparison.documented:
            st.caption(texts.printed_change(labels))
        frame.table(
            unchanged.unchanged_table(found), alt_text=f"Unchanged clauses, {labels} labels"
        )


def _influence(view: ClauseView) -> None:
    st.markdown(texts.INFLUENCE_INTRO)
    table = influence(view.statistics, view.findings.choices)
    found = hinges(table).filter(pl.col("flips") > 0)
    if found.is_empty():
        st.success("No verdict of the runs shown hinges on a single clause.")
    else:
        frame.table(found, alt_text="Verdicts that hinge on a single clause")
        names = found["names"].explode().unique(maintain_order=True).to_list()
        chosen = st.selectbox("Leave out a clause", names)
        st.button(
            f"Leave out {plain(chosen)} everywhere",
            on_click=controls.set_one,
            args=(
                DECLARATION,
                "leave_out",
                add_to_list(view.findings.choices, chosen).text("leave_out"),
            ),
        )
    frame.table_downloads("influence", table, view.lines)


def _direction(view: ClauseView) -> None:
    left, right = st.columns(2, gap="large")
    with left:
        st.subheader("Who is said to be favoured, under role labels", anchor=False)
        st.markdown(texts.DIRECTION_INTRO)
        frame.table(
            direction.direction_table(view.statistics, "role"), alt_text="Right and wrong answers"
        )
        wrong = direction.wrong_archetypes(view.statistics, "v2")
        if wrong.height:
            st.caption("Clauses with wrong answers in v2:")
            frame.table(wrong, alt_text="Clauses with wrong answers in v2")
    with right:
        st.subheader("Answers that could not be read", anchor=False)
        for warning in missing.warnings(view.findings):
            st.warning(warning)
        by_condition = st.toggle("By condition")
        rows = missing.missing_table(view.statistics, by_condition=by_condition)
        frame.table(rows, alt_text="Unparseable, repaired and unusable answers")
        frame.table_downloads("missing", rows, view.lines)


def _corrected(view: ClauseView) -> None:
    st.badge("published", color="green")
    st.markdown(texts.CORRECTED_INTRO)
    rows = texts.changelog()
    frame.table(rows, alt_text="Publication, withdrawals and corrections by date")
    frame.table_downloads("changelog", rows, [*view.lines, "Kind: published"])
    st.subheader("Where the document contradicts itself", anchor=False)
    st.markdown("\n".join(f"- **{c.topic}.** {plain(c.text)}" for c in history.CONTRADICTIONS))
    frame.table(history.contradiction_table(), alt_text="Printed figures behind each contradiction")


def _mirror(view: ClauseView) -> None:
    del view
    st.markdown(texts.MIRROR_INTRO)
    left, right = st.columns(2, gap="large")
    with left:
        text = st.text_area("Clause", texts.MIRROR_EXAMPLE, height=180, key="mirror:text")
        one, two = st.columns(2)
        first = one.text_input("One role", "Landlord", key="mirror:one")
        second = two.text_input("The other role", "Tenant", key="mirror:two")
    found = mirror(text, (first, second))
    with right:
        if found.is_lossless:
            st.success("Swapping the roles is lossless: only their names change.")
        else:
            st.error("Swapping the roles is not lossless. What stands in the way:")
        for obstacle in (*found.obstacles, *found.notes):
            st.markdown(f"- {plain(obstacle.sentence())}")
        st.caption("With the roles swapped")
        st.code(found.swapped, language=None, wrap_lines=True)
    _items()


def _items() -> None:
    """Check a file of templates."""
    st.subheader("A file of items", anchor=False)
    st.markdown(texts.ITEMS_INTRO)
    one, two = st.columns([3, 1])
    file = one.file_uploader("Item file", type=["csv"], max_upload_size=ITEM_MEGABYTES)
    seed = two.number_input("Seed of the labels", 0, 2**31, 1, key="mirror:seed")
    if file is None:
        return
    try:
        items = read_items(file.getvalue().decode("utf-8"))
    except UnicodeDecodeError:
        st.error("The file is not in UTF-8, so it cannot be read.")
        return
    except PanelError as error:
        st.error(f"{counted(len(error.problems), 'thing')} to mend in the file:")
        found = [problem.sentence() for problem in error.problems]
        frame.table(pl.DataFrame({"problem": found}), alt_text="Every problem found in the file")
        return
    rows = item_table(items, seed=int(seed))
    faulty = rows.filter(pl.col("what_differs") != "").height
    if faulty:
        st.error(f"{counted(faulty, 'item')} of {rows.height:,} cannot be mirrored as they stand.")
    elif rows.height:
        st.success(f"All {counted(rows.height, 'item')} are the same outside the slots.")
    frame.table(rows, alt_text="Each item, what differs between its variants, and its Party A")
    frame.table_downloads("items", rows, ["Kind: imported", f"Seed of the labels: {seed}"])


def item_table(items: Sequence[Item], *, seed: int) -> pl.DataFrame:
    """Check every item and draw which party it calls Party A."""
    labels = party_a(items, seed=seed)
    rows = [(i.item, i.family, "; ".join(check(i)), labels[i.item, i.family]) for i in items]
    columns = ("item", "family", "what_differs", "party_a")
    return pl.DataFrame(rows, schema=dict.fromkeys(columns, pl.String), orient="row")


SECTIONS: Mapping[str, Callable[[ClauseView], None]] = {
    "Equivalence": _equivalence,
    "First run against second": _runs,
    "One clause left out": _influence,
    "Direction and missing answers": _direction,
    "What was corrected": _corrected,
    "Mirror check": _mirror,
}
