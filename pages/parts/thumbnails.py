"""The front door's cards: one choice of each study to swap, and what that does at once."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from core.panels.read import Panel
from core.stories.data import stories
from core.studies.reduced import Reduced
from core.views.every import STUDIES
from core.views.front import Swap
from core.words import plain
from pages.parts import frame
from pages.parts.panels import catalogue, get, reduced, statistics_of

PAGES = Path(__file__).resolve().parent.parent


@st.fragment
def draw(swap: Swap) -> None:
    """Draw a card; a swap draws it anew, and nothing else on the page."""
    own = swap.study
    panel = _first(swap)
    frame.title(own.title, panel, level=3)
    st.caption(own.asks)
    value = st.segmented_control(
        plain(swap.label),
        swap.values,
        format_func=swap.choice.say,
        default=swap.values[1],
        required=True,
        key=f"overview-{own.name}-{swap.key}",
    )
    choices = swap.choices(value)
    found = Reduced(panel, (statistics_of(panel),)) if swap.is_alone else reduced(panel)
    card = STUDIES[own.name].card(found, choices)
    st.markdown(f"**{card.sentence.replace('**', '')}**")
    st.markdown(swap.decides)
    st.vega_lite_chart(
        spec=card.chart.build(frame.colours()).for_page(),
        alt=card.chart.title,
        key=f"overview-{own.name}",
    )
    st.caption(f"{card.chart.reading} {card.key}".strip())
    with st.container(horizontal=True):
        st.page_link(
            PAGES / f"{own.name}.py",
            label="Open this view",
            icon=":material/tune:",
            query_params=STUDIES[own.name].declaration.to_link(choices, panel=panel.hash),
        )
        st.page_link(
            PAGES / "stories.py",
            label="Take the tour",
            icon=":material/tour:",
            query_params={"story": _story_of(own.name)},
        )


def _first(swap: Swap) -> Panel:
    own = swap.study
    panel = get(own.name, own.table, catalogue(own.name, own.table)[0].hash)
    assert panel is not None
    return panel


def _story_of(study: str) -> str:
    """Find the story that is about one study alone."""
    return next(key for key, story in stories().items() if story.studies == (study,))
