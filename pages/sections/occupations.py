"""Women and men in US stories against residents, the workforce and halves."""

from __future__ import annotations

import streamlit as st

from core.charts.dots import dots
from core.choices import Choices
from core.studies.composition import further
from core.studies.composition import section_texts as texts
from core.studies.composition.choices import DECLARATION
from core.studies.composition.occupational_posterior import Posterior, posterior
from core.studies.composition.texts import occupation_note
from pages.parts import controls, frame, jobs
from pages.parts.view import View


def _posterior(view: View, choices: Choices) -> Posterior:
    """Draw the posterior once for these choices."""
    store, key = jobs.kept(view.panel), f"{view.panel.sha256}:posterior:{choices}"
    found = store.get(key)
    if not isinstance(found, Posterior):
        with st.spinner("Drawing 100,000 times from each posterior"):
            found = posterior(view.statistics, choices)
        store.put(key, found)
    return found


NOTHING_MAPPED = (
    "Cannot compute: no text of these roles in the United States says its character’s gender in "
    "words that fit a category."
)


def draw(view: View) -> None:
    st.markdown(texts.occupation_intro(view.choices))
    st.markdown(occupation_note())
    used = texts.occupation_choices(view.choices)
    found = _posterior(view, used)
    if further.posterior_role_rows(found, view.focus_index).is_empty():
        st.info(NOTHING_MAPPED)
        return
    left, right = st.columns(2, gap="large")
    with left:
        frame.chart(
            "occupations",
            "All six roles together",
            lambda colours: dots(
                further.posterior_rows(found, view.names),
                unit="Divergence, bits; 0 = same shares",
                look=view.look(colours),
            ),
            alt_text=texts.posterior_alt(found, view.names),
            lines=view.lines,
        )
    with right:
        frame.chart(
            "roles",
            f"Role by role, {view.focus}",
            lambda colours: dots(
                further.posterior_role_rows(found, view.focus_index),
                unit="Divergence, bits; 0 = same shares",
                look=view.look(colours),
            ),
            alt_text=f"Divergence of {view.focus} from three comparators, role by role.",
            lines=view.lines,
        )
    st.caption(texts.posterior_line(found))
    keys = [c.key for c in DECLARATION if c.key.startswith("occ_")]
    if view.choices.text("comparator") != "occupational":
        with st.expander("Which row of the labour statistics stands for each role"):
            controls.place(DECLARATION, *keys)
    rows = further.posterior_table(found, view.names)
    frame.table(rows, alt_text="Posterior medians and 95% intervals")
    frame.table_downloads("occupations", rows, view.lines)
