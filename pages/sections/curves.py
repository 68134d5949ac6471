"""Composites along a path of comparators, and what changes sides as the tolerance moves."""

from __future__ import annotations

import streamlit as st

from core.charts import composition as charts
from core.studies.composition import texts
from core.studies.composition.paths import Curves, curves
from core.studies.composition.thresholds import step_frame
from pages.parts import frame
from pages.parts.basis import Behind
from pages.parts.view import View


def draw(view: View, others: Behind) -> None:
    """Draw the path beside the changes by tolerance."""
    path = curves(view.findings, view.names)
    if path.lines.is_empty():
        st.info(texts.NO_CURVES)
        return
    left, right = st.columns(2, gap="large")
    with left:
        _path(view, path, others)
    with right:
        _tolerance(view, others)


def _path(view: View, path: Curves, others: Behind) -> None:
    frame.chart(
        "path",
        "From resident-population shares to equal shares",
        lambda colours: charts.path(
            path.lines,
            path.crossings,
            position=path.position,
            reversed_axis=path.path == "power",
            x_title=texts.PATH_AXES[path.path],
            y_title=f"Composite {view.unit}",
            look=view.look(colours),
        ),
        alt_text=texts.path_alt(path),
        lines=view.lines,
    )
    said = texts.swaps(path, others.swap_counts(path), others.size, view.ties)
    st.caption(f"{said}\n\n{texts.zero_note(view.choices)}" if path.path == "power" else said)


def _tolerance(view: View, others: Behind) -> None:
    steps = step_frame(view.findings, view.names, view.focus)
    frame.chart(
        "tolerance",
        f"How much changes sides for {view.focus}, by tolerance",
        lambda colours: charts.threshold_curves(
            steps,
            tau=view.tau,
            unit=f"Tolerance: {view.unit}",
            names=texts.threshold_names(view.choices),
            look=view.look(colours),
        ),
        alt_text=texts.threshold_alt(view.models, view.focus, view.choices),
        lines=view.lines,
    )
    shares = others.shares_changed(view.models, view.focus_index)
    st.caption(texts.share_changed(shares, view.focus, view.choices))
