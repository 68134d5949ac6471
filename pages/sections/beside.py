"""Another panel of the study beside the one in use, under the same choices."""

from __future__ import annotations

import streamlit as st

from core.charts import composition as charts
from core.charts.marks import Look
from core.studies.composition import tables as tabulate
from core.studies.composition.choices import DECLARATION
from core.studies.composition.estimate import analyse
from core.words import plain
from pages.parts import controls, frame
from pages.parts.panels import available, cell_statistics, get
from pages.parts.view import View


def draw(view: View) -> None:
    study = DECLARATION.study
    names = {h: n for h, n in available(study, "cells").items() if h != view.panel.hash}
    if not names:
        st.info("There is no other panel of this study. Bring one on the panels page.")
        return
    chosen = controls.view(DECLARATION, "beside", list(names), default=next(iter(names)))
    st.selectbox(
        "Panel to set beside this one",
        list(names),
        format_func=lambda value: f"{names[value]} ({value})",
        key=controls.key_of(DECLARATION, "beside"),
    )
    other = get(study, "cells", chosen)
    assert other is not None
    statistics = cell_statistics(other)
    comparison = tabulate.compare(statistics, analyse(statistics, view.choices))
    models = tabulate.with_basis(tabulate.model_table(comparison), None, 1)
    all_names = tuple(dict.fromkeys([*view.names, *comparison.names]))
    left, right = st.columns(2, gap="large")
    for column, panel, rows in ((left, view.panel, view.models), (right, other, models)):
        with column:
            frame.chart(
                f"beside-{panel.hash}",
                f"{panel.name} ({panel.provenance.kind})",
                lambda colours, rows=rows: charts.model_comparison(  # type: ignore[misc]
                    rows,
                    tau=view.tau,
                    unit=f"Composite {view.unit}",
                    look=Look(colours, all_names, view.focus),
                ),
                alt_text="Composite of each model in one of two panels.",
                lines=view.lines,
            )
    differences = tabulate.panel_differences(view.models, models)
    differing = differences.filter("verdict_differs").height
    st.markdown(
        f"{plain(view.panel.name)} and {plain(other.name)} differ in {differing} of "
        f"{differences.height} composite verdicts."
    )
    frame.table(differences, alt_text="Scores and verdicts of both panels")
    frame.table_downloads("beside", differences, view.lines)
