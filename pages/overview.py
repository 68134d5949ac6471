"""What Hinge is, with its studies as live thumbnails."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from core.charts import composition as charts
from core.charts.marks import Look
from core.panels.provenance import KIND_MEANINGS
from core.studies.composition import sentences, texts
from core.studies.composition import tables as tabulate
from core.studies.composition.choices import DECLARATION
from core.studies.composition.estimate import analyse
from core.verdicts import MARKS
from pages.parts import frame
from pages.parts.panels import catalogue, cell_statistics, get

PAGES = Path(__file__).resolve().parent

st.title("Hinge", anchor=False)
st.header("What does a fairness verdict hinge on?", anchor=False)
st.markdown(
    "An audit of a language model ends in verdicts: within tolerance or outside it, supported or "
    "not. Each rests on choices that somebody made: which comparator, which rows, which measure, "
    "which margin. Hinge holds the results of such audits, lets you swap one choice, and shows at "
    "once which verdicts hold and which flip. No code, no waiting; the planned setting is always "
    "one click away, and every view has a link that restores it exactly."
)

first = catalogue(DECLARATION.study, "cells")[0]
panel = get(DECLARATION.study, "cells", first.hash)
assert panel is not None
statistics = cell_statistics(panel, panel.hash)
opening = DECLARATION.opening
comparison = tabulate.compare(statistics, analyse(statistics, opening))
models = tabulate.with_basis(tabulate.model_table(comparison), None, 1)

left, right = st.columns([3, 2], gap="large")
with left, st.container(border=True):
    frame.title("Who gets generated?", panel, level=3)
    st.markdown(f"**{sentences.opening(models, comparison)}**")
    look = Look(frame.colours(), tuple(comparison.names), comparison.names[0])
    st.vega_lite_chart(
        spec=charts.model_comparison(
            models,
            tau=opening.number("tau"),
            unit=f"Composite {texts.measure_axis(opening)}",
            look=look,
        ).for_page(),
        alt=texts.models_alt(models),
        key="overview-composition",
    )
    st.caption(texts.reading(opening))
    st.page_link(
        PAGES / "composition.py",
        label="Swap the comparator yourself",
        icon=":material/arrow_forward:",
    )
with right:
    st.subheader("How to read a verdict", anchor=False)
    st.markdown(
        "\n".join(
            f"- {mark.symbol} **{verdict.value}**: {mark.meaning}"
            for verdict, mark in MARKS.items()
        )
    )
    st.markdown(
        "Hollow marks are the planned setting, filled ones what you chose, a thin line joins them "
        "and a ring marks a verdict that flipped. A verdict is a rule’s answer under stated "
        "choices; it is never “fair” or “unfair” by itself, and nothing here is legal advice."
    )
    st.subheader("Where numbers come from", anchor=False)
    st.markdown("\n".join(f"- **{kind}**: {text}" for kind, text in KIND_MEANINGS.items()))
    st.page_link(
        PAGES / "panels.py",
        label="See provenance and the ledger, or bring your own results",
        icon=":material/arrow_forward:",
    )
