"""Names from a file are shown as they stand: nothing in them is read as markup, and nothing runs.

Streamlit reads Markdown in most of what it shows, so what may stand there is the escaped name. Only
the places listed here take text as it is; a browser test sees that they do.
"""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from core.words import plain
from pages.sections import SECTIONS
from tests.pages import files
from tests.pages.apps import all_texts, charts, open_app, run, switch

AS_IT_IS = (
    # A specification and what it draws: the chart grammar knows no markup.
    "vega_lite_chart.spec",
    "vega_lite_chart.alt",
    "arrow_data_frame.alt",
    "dataframe.alt",
    # The list of a select box and the text of a code block.
    "selectbox.options",
    "selectbox.raw_value",
    "code.code_text",
    # What a widget remembers.
    "button_group.raw_values",
    ".id",
    ".element_id",
    ".key",
)


def marked_up(at: AppTest) -> list[tuple[str, str]]:
    """Places where a name stands unescaped although markup would be read there."""
    return [
        (place, text)
        for place, text in all_texts(at)
        if not place.endswith(AS_IT_IS)
        for name in files.NASTY[:-1]
        if name in text
    ]


@pytest.fixture
def at() -> AppTest:
    """The app with a panel in use whose names are full of markup."""
    at = switch(open_app(), "panels")
    content = files.renamed(files.NASTY, title=files.NASTY[0] + files.NASTY[2] + files.NASTY[3])
    at.file_uploader[0].set_value((f"{files.NASTY[3]}.parquet".replace("/", ""), content, ""))
    run(at)
    assert at.success
    return at


def test_panels_page_shows_names_as_text(at: AppTest) -> None:
    assert marked_up(at) == []


@pytest.mark.parametrize("focus", files.NASTY)
def test_composition_page_shows_names_as_text(at: AppTest, focus: str) -> None:
    switch(at, "composition")
    at.pills(key="composition:focus").set_value(focus)
    at.session_state["composition-tables"] = True
    run(at)
    assert marked_up(at) == []
    assert any(focus in chart.alt for chart in charts(at))
    assert any(plain(focus) in text for _, text in all_texts(at))


@pytest.mark.parametrize("section", SECTIONS)
def test_sections_show_names_as_text(at: AppTest, section: str) -> None:
    switch(at, "composition")
    at.pills(key="composition:section").set_value(section)
    run(at)
    for button in [b for b in at.button if "(about" in b.label]:
        button.click()
    run(at)
    assert marked_up(at) == []


def test_the_chart_data_carry_the_names_unchanged(at: AppTest) -> None:
    switch(at, "composition")
    models = next(chart.data["models"] for chart in charts(at) if "models" in chart.data)
    assert set(models["model"]) == set(files.NASTY)


def test_a_focus_in_a_link_is_text_too(at: AppTest) -> None:
    switch(at, "composition")
    at.query_params.update({"tau": "0.3", "focus": files.NASTY[2], "cell": files.NASTY[3]})
    run(at)
    assert marked_up(at) == []
