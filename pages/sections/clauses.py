"""Sections of the clauses page below its charts; only the open one is drawn."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import polars as pl
import streamlit as st

from core.charts.clauses import deciding_clauses, group_counts
from core.charts.dots import dots
from core.charts.drawing import Drawing
from core.charts.grid import verdict_grid
from core.charts.marks import Look
from core.charts.theme import Palette
from core.mirror import mirror
from core.mirror_items import Item, check, party_a, read_items, render, render_opaque
from core.panels.problems import PanelError
from core.panels.read import Panel
from core.studies.clauses import (
    direction,
    groups,
    history,
    missing,
    reconstructions,
    runs_compared,
    texts,
    unchanged,
)
from core.studies.clauses import influence as influences
from core.studies.clauses import tables as tabulate
from core.studies.clauses.choices import DECLARATION
from core.studies.clauses.estimate import Findings, analyse
from core.studies.clauses.published import PUBLISHED
from core.studies.clauses.reconstructions import Ensemble
from core.studies.clauses.reduce import ClauseStatistics
from core.studies.clauses.tables import Comparison
from core.words import counted, plain
from pages.parts import controls, frame
from pages.parts.panels import clause_statistics
from pages.sections import beside, published

ITEM_MEGABYTES = 5
"""Largest item file."""


@dataclass(frozen=True)
class ClauseView:
    """One view of the study: panel, specification, findings, and what is in focus."""

    panel: Panel
    statistics: ClauseStatistics
    findings: Findings
    comparison: Comparison
    cells: pl.DataFrame
    """The cell table with what stands behind it."""
    ensemble: Ensemble
    names: list[str]
    focus: str
    run: str
    hypothesis: str
    lines: list[str]

    def look(self, colours: Palette) -> Look:
        return Look(colours, tuple(self.names), self.focus)


def _with_history(view: ClauseView, *parts: str) -> str:
    """Join what introduces a section, without the study's history where the rows are others'."""
    history = (texts.RUNS_HISTORY, texts.GROUPS_HISTORY)
    return " ".join(p for p in parts if view.comparison.documented or p not in history)


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
                rows,
                unit=texts.UNIT,
                look=view.look(colours),
                line=margin,
                both_sides=True,
                has_planned=False,
                round_to=0.5,
            ),
            alt_text="Each estimate with the interval that matches its test of equivalence.",
            lines=view.lines,
        )
        st.caption(texts.margin_reading(view.findings.choices))
    with right:
        frame.table(
            tabulate.equivalence_view(table),
            alt_text="How each cell lies to zero and to the margin",
        )
        frame.table_downloads("equivalence", table, view.lines)


def _runs(view: ClauseView) -> None:
    st.markdown(_with_history(view, texts.RUNS_HISTORY, texts.RUNS_INTRO))
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
    choices = view.findings.choices
    table = influences.influence(view.statistics, choices)
    found = influences.hinges(table).filter(pl.col("flips") > 0)
    if found.is_empty():
        st.success("No verdict of the runs shown hinges on a single clause.")
        frame.table_downloads("influence", table, view.lines)
        return
    tiles = influences.tiles(table, view.run)
    if tiles.is_empty():
        st.success(f"No verdict of {plain(view.run)} hinges on a single clause.")
    else:
        frame.chart(
            "influence",
            f"Verdicts of {view.run} without one clause",
            lambda colours: deciding_clauses(tiles, look=view.look(colours)),
            alt_text=texts.influence_alt(tiles, view.run),
            lines=view.lines,
        )
        st.caption(texts.INFLUENCE_READING)
    frame.table(influences.shown(found), alt_text="Verdicts that hinge on a single clause")
    frame.table_downloads("influence", table, view.lines)
    names = found["names"].explode().unique(maintain_order=True).to_list()
    chosen = st.selectbox("Leave out a clause", names)
    longer = influences.add_to_list(choices, chosen)
    st.button(
        f"Leave out {plain(chosen)} everywhere",
        on_click=controls.set_one,
        args=(DECLARATION, "leave_out", longer.text("leave_out")),
    )


def _groups(view: ClauseView) -> None:
    choices, model = view.findings.choices, view.statistics.models[view.names.index(view.focus)]
    st.markdown(_with_history(view, texts.GROUPS_INTRO, texts.GROUPS_HISTORY))
    table = groups.labelling_table(view.ensemble, choices, view.run, model)
    each = groups.asymmetry_table(view.statistics, choices, view.run, model)
    counts = groups.count_table(each)
    if counts.is_empty():
        st.info(f"{plain(view.focus)} has no clause group with both ratings in {plain(view.run)}.")
    else:
        frame.chart(
            "groups",
            f"Clause groups by tilt, {view.focus}, {view.run}",
            lambda colours: group_counts(counts, unit=texts.GROUP_UNIT, look=view.look(colours)),
            alt_text=texts.groups_alt(table),
            lines=view.lines,
        )
        st.caption(texts.GROUPS_READING)
    frame.table_downloads("groups", each, view.lines)
    frame.table(groups.shown(table), alt_text="Tilt by labelling and kind of contract")
    frame.table_downloads("labellings", table, view.lines)
    _families(view)


def _families(view: ClauseView) -> None:
    """Draw the hypothesis in focus for each kind of contract alone, and clause by clause."""
    st.subheader("Each kind of contract alone", anchor=False)
    st.markdown(texts.FAMILIES_READING)
    if not groups.families_of(view.statistics, view.run):
        st.info(f"No clause group in {plain(view.run)} can be told apart by kind of contract.")
        return
    table = groups.family_table(view.ensemble, view.findings.choices, view.run)
    mine = table.filter(pl.col("hypothesis") == view.hypothesis)
    left, right = st.columns(2, gap="large")
    with left:
        frame.chart(
            "families",
            f"{view.hypothesis} by kind of contract, {view.run}",
            lambda colours: dots(
                groups.family_rows(mine),
                unit=texts.UNIT,
                look=view.look(colours),
                line=0.0,
                has_planned=False,
            ),
            alt_text=texts.families_alt(mine),
            lines=view.lines,
        )
    with right:
        st.subheader(plain(f"{view.hypothesis} of each clause, {view.focus}"), anchor=False)
        model = view.statistics.models[view.names.index(view.focus)]
        values = tabulate.group_table(view.comparison, view.run, model, view.hypothesis)
        frame.table(groups.shown_values(values), alt_text=f"{view.hypothesis} of each clause group")
        frame.table_downloads("group-values", values, view.lines)
    frame.table(groups.shown_families(mine), alt_text="Estimates by kind of contract")
    frame.table_downloads("families", table, view.lines)


def _direction(view: ClauseView) -> None:
    st.markdown(texts.DIRECTION_INTRO)
    for column, labels in zip(st.columns(2, gap="large"), direction.KINDS, strict=True):
        with column:
            _direction_under(view, labels)
    if view.comparison.documented:
        st.caption(texts.direction_printed())
    st.subheader("Answers that could not be read", anchor=False)
    for warning in missing.warnings(view.findings):
        st.warning(warning)
    by_condition = st.toggle("By condition")
    rows = missing.missing_table(view.statistics, by_condition=by_condition)
    frame.table(rows, alt_text="Unparseable, repaired and unusable answers")
    frame.table_downloads("missing", rows, view.lines)


def _direction_under(view: ClauseView, labels: str) -> None:
    """Tell the direction answers under one kind of labels."""
    st.subheader(f"Who is said to be favoured, under {labels} labels", anchor=False)
    table = direction.direction_table(view.statistics, labels)
    if table.is_empty():
        st.info(f"The panel has no answers about one-sided clauses under {labels} labels.")
        return
    for row in table.filter(pl.col("model_id") == "").iter_rows(named=True):
        st.markdown(f"- {texts.direction_line(row)}")
    frame.table(
        direction.shown(table),
        alt_text=f"Right and wrong answers, {labels} labels",
        height="content",
    )
    frame.table_downloads(f"direction-{labels}", table, view.lines)
    for run in view.statistics.runs:
        wrong = direction.wrong_archetypes(view.statistics, run, labels)
        if wrong.height:
            st.caption(f"Clauses with wrong answers in {plain(run)}:")
            frame.table(
                direction.shown_wrong(wrong),
                alt_text=f"Clauses with wrong answers in {run}, {labels} labels",
            )


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
    lines = ["Kind: imported", f"Seed of the labels: {seed}"]
    frame.table_downloads("items", rows, lines)
    st.subheader("As they would be sent", anchor=False)
    st.markdown(texts.RENDERED_INTRO)
    rendered = rendered_table(items, seed=int(seed))
    frame.table(rendered, alt_text="Both variants of each item, with roles and with opaque labels")
    frame.table_downloads("rendered", rendered, lines)


def item_table(items: Sequence[Item], *, seed: int) -> pl.DataFrame:
    """Check every item and draw which party it calls Party A."""
    labels = party_a(items, seed=seed)
    rows = [(i.item, i.family, "; ".join(check(i)), labels[i.item, i.family]) for i in items]
    columns = ("item", "family", "what_differs", "party_a")
    return pl.DataFrame(rows, schema=dict.fromkeys(columns, pl.String), orient="row")


def rendered_table(items: Sequence[Item], *, seed: int) -> pl.DataFrame:
    """Write out both variants of every item, with roles and with opaque labels."""
    labels = party_a(items, seed=seed)
    rows = []
    for item in items:
        called_a = labels[item.item, item.family]
        roles, opaque = render(item), render_opaque(item, called_a)
        texts_of = (roles.strong, roles.weak, opaque.strong, opaque.weak)
        rows.append((item.item, item.family, called_a, *texts_of))
    columns = ("item", "family", "party_a", "strong", "weak", "strong_opaque", "weak_opaque")
    return pl.DataFrame(rows, schema=dict.fromkeys(columns, pl.String), orient="row")


def _published(view: ClauseView) -> None:
    published.show(PUBLISHED, view.lines)


def _beside(view: ClauseView) -> None:
    choices = view.findings.choices

    def read(panel: Panel) -> beside.Side:
        statistics = clause_statistics(panel)
        documented = panel.provenance.kind == "reconstructed"
        compared = tabulate.compare(statistics, analyse(statistics, choices), documented=documented)
        alone = Ensemble((statistics,), documented, panel.provenance.pinned_ids)
        cells = reconstructions.with_basis(tabulate.cell_table(compared), alone, choices)
        return beside.Side(panel, compared.names, cells.filter("shown"))

    def draw(side: beside.Side, look: Look) -> Drawing:
        return verdict_grid(tabulate.grid_table(side.rows, view.run), look=look)

    st.caption(f"Drawn is {plain(view.run)}; the table holds every run shown.")
    beside.show(
        DECLARATION,
        beside.Side(view.panel, view.names, view.cells),
        beside.Comparison(
            read,
            draw,
            ("run", "model", "hypothesis"),
            "estimate",
            "Verdicts, planned and now,",
            drawn=lambda rows: rows.filter(pl.col("run") == view.run),
        ),
        choices,
        focus=view.focus,
    )


OF_THE_STUDY = ("What was corrected", "Published only")
"""Sections that tell of the study whatever panel is in use."""

SECTIONS: Mapping[str, Callable[[ClauseView], None]] = {
    "Equivalence": _equivalence,
    "First run against second": _runs,
    "Clause groups": _groups,
    "One clause left out": _influence,
    "Direction and missing answers": _direction,
    "What was corrected": _corrected,
    "Mirror check": _mirror,
    "Published only": _published,
    "Another panel": _beside,
}
