"""A reader's own panel: checked before it is used, shown as text, kept in its session."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import BrowserContext, Dialog, Page, expect

from core.panels.catalogue import shipped
from core.panels.read import read_upload
from core.words import JOINER
from tests.browser.helpers import chart, no_exception, open_page, sentence, settled
from tests.pages import files

PATH = "/who-is-generated"


def badge(page: Page) -> str:
    """The kind beside the title."""
    title = page.get_by_role("main").get_by_role("heading", level=1)
    return title.locator(
        "xpath=ancestor::*[@data-testid='stHorizontalBlock' or @data-testid='stVerticalBlock'][1]"
    ).inner_text()


def bring(page: Page, content: bytes, name: str = "mine.parquet") -> None:
    """Upload a file on the page of panels."""
    page.get_by_role("tab", name="Bring your own").click()
    page.locator("input[type=file]").first.set_input_files(
        {"name": name, "mimeType": "application/octet-stream", "buffer": content}
    )
    settled(page)
    no_exception(page)


def test_a_bad_file_leaves_the_panel_in_use(page: Page) -> None:
    open_page(page, f"{PATH}?tau=0.3")
    said = sentence(page)
    page.get_by_role("link", name="Panels").first.click()
    settled(page)
    bring(page, files.bad()["truncated"])
    expect(page.get_by_role("alert")).to_contain_text("cannot be used")
    page.get_by_role("link", name="Composition").first.click()
    settled(page)
    assert sentence(page) == said
    expect(page.get_by_role("main")).not_to_contain_text("imported")


def test_a_good_file_is_imported_for_this_session_only(
    page: Page, new_context: Callable[..., BrowserContext]
) -> None:
    content = files.one_model()
    hash_ = read_upload(content, "mine").hash
    open_page(page, "/data-and-provenance")
    bring(page, content)
    expect(page.get_by_role("status").filter(has_text="rows of")).to_contain_text(hash_)
    page.get_by_role("link", name="Composition").first.click()
    settled(page)
    assert "imported" in badge(page)
    focus = page.get_by_role("radiogroup", name="Model in focus below").get_by_role("radio")
    expect(focus).to_have_count(1)
    page.get_by_role("button", name="Cite this view").click()
    link = page.get_by_test_id("stCode").first.inner_text().strip()
    assert f"panel={hash_}" in link

    stranger = open_page(new_context().new_page(), "/data-and-provenance")
    expect(stranger.get_by_role("main")).not_to_contain_text(hash_)
    open_page(stranger, link)
    expect(stranger.get_by_role("alert").first).to_contain_text(hash_)
    assert "imported" not in badge(stranger)
    shown = stranger.get_by_role("radiogroup", name="Model in focus below").get_by_role("radio")
    models = shipped("composition", "cells")[0].read().frame["model"].n_unique()
    expect(shown).to_have_count(models)


def as_read(text: str) -> str:
    """Drop the joiner, which takes no room and is there so that nothing is read as markup."""
    return text.replace(JOINER, "")


def test_names_full_of_markup_are_shown_as_they_stand(page: Page) -> None:
    dialogs: list[str] = []

    def note(dialog: Dialog) -> None:
        dialogs.append(dialog.message)
        dialog.dismiss()

    page.on("dialog", note)
    open_page(page, "/data-and-provenance")
    bring(page, files.renamed(files.NASTY, title=files.NASTY[2]), f"{files.NASTY[1]}.parquet")
    page.get_by_role("link", name="Composition").first.click()
    settled(page)
    main = page.get_by_role("main")
    focus = page.get_by_role("radiogroup", name="Model in focus below").get_by_role("radio")
    names = [as_read(text) for text in focus.all_inner_texts()]
    assert sorted(names) == sorted(files.NASTY)
    for position, name in enumerate(names):
        focus.nth(position).click()
        settled(page)
        no_exception(page)
        headings = main.get_by_role("heading", level=3).all_inner_texts()
        assert f"How much changes sides for {name}, by tolerance" in [
            as_read(text) for text in headings
        ]
    chart(page, "Each model against").locator("path[aria-label*='<img']").first.hover()
    expect(page.locator("#vg-tooltip-element")).to_contain_text("<img src=x")
    for stray in ("a[href^='javascript']", "img[src='x']", "img[src='z.png']", ".katex"):
        assert page.locator(stray).count() == 0, stray
    assert page.locator("script", has_text=re.compile(r"^alert\(1\)$")).count() == 0
    assert main.locator("strong, em, del", has_text=re.compile("^(bold|italic|gone)$")).count() == 0
    assert dialogs == []
