"""Parts of the remedies page below its sentences; only the open one is drawn."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import polars as pl
import streamlit as st

from core.charts.drawing import Drawing
from core.charts.grid import verdict_grid
from core.charts.marks import Look
from core.charts.remedies import look_of, scales
from core.panels.read import Panel
from core.studies.remedies import reconstructions, section_texts, shown, texts
from core.studies.remedies import tables as tabulate
from core.studies.remedies.choices import DECLARATION
from core.studies.remedies.claims import CLAIMS, of_decider
from core.studies.remedies.estimate import analyse
from core.studies.remedies.published import PUBLISHED
from core.studies.remedies.reconstructions import Ensemble
from core.views.remedies import gaps_chart, instability_chart
from pages.parts import controls, frame, hinge_notes
from pages.parts.panels import remedy_statistics
from pages.parts.remedy_view import RemedyView, warn
from pages.sections import beside, published, remedies_rules, remedies_texts, remedies_variation

QUANTITIES = tuple(section_texts.QUANTITIES)
ROUND_TO = 0.05
"""Steps of the ends of the axes of h and of the ratio."""


def _scales(view: RemedyView) -> None:
    left, right = st.columns(2, gap="large")
    with left:
        frame.explained(gaps_chart(view.material, view.findings), view.lines)
    with right:
        frame.explained(instability_chart(view.instability, view.findings), view.lines)
    st.markdown(texts.TWO_SCALES)
    frame.table(
        shown.both_scales(view.both, view.material, view.instability),
        alt_text="Both scales of every decider",
    )
    if view.ensemble.documented:
        st.caption(section_texts.BASIS_SIGNS)
    hinge_notes.draw(view.panel, CLAIMS.claims(view.statistics), of_decider(view.focus, "gap"))
    warn("scales")


def _materiality(view: RemedyView) -> None:
    st.markdown(texts.MATERIALITY)
    quantity = controls.view(DECLARATION, "quantity", QUANTITIES, default="gap")
    st.pills(
        "Judged by",
        QUANTITIES,
        format_func=section_texts.QUANTITIES.__getitem__,
        required=True,
        key=controls.key_of(DECLARATION, "quantity"),
        wrap=True,
    )
    bound = view.choices.number(f"{quantity}_bound")
    claims = reconstructions.claims_with_basis(
        tabulate.claim_table(view.comparison), view.ensemble, view.choices
    )
    grid = shown.claim_grid(claims)
    left, right = st.columns(2, gap="large")
    with left:
        if quantity == "gap":
            frame.explained(gaps_chart(view.material, view.findings), view.lines)
        else:
            frame.chart(
                "material",
                f"{section_texts.QUANTITIES[quantity]} against its bound",
                lambda colours: scales(
                    shown.gap_rows(view.material, quantity),
                    unit=section_texts.AXES[quantity],
                    look=view.look(colours),
                    round_to=ROUND_TO,
                    line=bound,
                    both_sides=quantity != "air",
                ),
                alt_text=section_texts.gaps_alt(view.material, quantity),
                lines=view.lines,
            )
        st.caption(section_texts.tests_reading(view.choices, quantity))
    with right:
        frame.chart(
            "claims",
            "Directional claims (H2), planned → now",
            lambda colours: verdict_grid(
                grid, look=look_of(colours, *shown.coloured(grid), focus=grid["model"][0])
            ),
            alt_text=section_texts.claims_alt(claims),
            lines=view.lines,
        )
        st.caption(section_texts.claims_reading(view.choices))
    frame.table(shown.tests(view.material, quantity), alt_text="Three tests of every gap")
    frame.table_downloads("materiality", view.material, view.lines)
    frame.table(shown.claims(claims), alt_text="Directional claims with raw and adjusted p")
    frame.table_downloads("claims", claims, view.lines)


def _published(view: RemedyView) -> None:
    published.show(PUBLISHED, view.lines)


def _beside(view: RemedyView) -> None:
    choices = view.choices

    def read(panel: Panel) -> beside.Side:
        statistics = remedy_statistics(panel)
        findings = analyse(statistics, choices)
        alone = Ensemble(
            (statistics,), panel.provenance.kind == "reconstructed", panel.provenance.pinned_ids
        )
        table = tabulate.material_table(tabulate.compare(statistics, findings))
        rows = reconstructions.material_with_basis(table, alone, choices)
        names = shown.names(findings.deciders)
        return beside.Side(panel, names, rows.filter(pl.col("quantity_id") == "gap"))

    def draw(side: beside.Side, look: Look) -> Drawing:
        return verdict_grid(shown.gap_grid(side.rows), look=look)

    mine = view.material.filter(pl.col("quantity_id") == "gap")
    beside.show(
        DECLARATION,
        beside.Side(view.panel, shown.names(view.findings.deciders), mine),
        beside.Comparison(
            read, draw, ("decider", "contrast"), "estimate", "Words of each gap, planned and now,"
        ),
        choices,
        focus=shown.name(view.focus),
    )


SCALES, PUBLISHED_ONLY = "Two scales", "Published only"
"""What the page opens on, and the part that holds no rows."""

SECTIONS: Mapping[str, Callable[[RemedyView], None]] = {
    SCALES: _scales,
    "Materiality": _materiality,
    "Rules": remedies_rules.rules,
    "Sources of variation": remedies_variation.variation,
    "Disparity D": remedies_variation.disparity,
    "Same complaint apart": remedies_variation.apart,
    "Referral": remedies_rules.referral,
    "Fact edits": remedies_texts.edits,
    "Mitigation": remedies_texts.mitigation,
    "Channels": remedies_texts.channels,
    "Audit": remedies_texts.audit,
    "Registration": remedies_texts.registration,
    PUBLISHED_ONLY: _published,
    "Another panel": _beside,
}
