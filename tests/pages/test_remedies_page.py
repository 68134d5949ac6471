"""The remedies page: its sidebar, its two scales, what it says, and its sections."""

from __future__ import annotations

import re
from typing import Any

import polars as pl
import pytest
from streamlit.testing.v1 import AppTest

from core.choices import Choice, Value
from core.figures import figures
from core.panels.catalogue import shipped
from core.studies.remedies.choices import DECLARATION
from core.studies.remedies.design import CONTRASTS, part_names, system_names
from core.verdicts import Verdict
from pages.sections.remedies import SCALES, SECTIONS
from tests.pages.apps import ROOT, SECONDS, address, captions, charts, run, tables

STUDY = DECLARATION.study
PAGE = ROOT / "pages" / "remedies.py"
ON_THE_PAGE = [c for c in DECLARATION if not c.section and c.only_with is None]
INSTABILITY = re.compile(r"pairs (of guises )?that differ|differ, %")


def opened(**query: str) -> AppTest:
    at = AppTest.from_file(PAGE, default_timeout=SECONDS)
    at.query_params.update(query)
    return run(at)


def widget(at: AppTest, key: str) -> Any:
    choice, name = DECLARATION[key], f"{STUDY}:{key}"
    if choice.range is not None:
        return at.slider(key=name)
    if choice.check is not None:
        return at.text_input(key=name)
    return at.pills(key=name) if choice.many else at.selectbox(key=name)


def move(at: AppTest, key: str, value: Value) -> AppTest:
    widget(at, key).set_value(list(value) if isinstance(value, tuple) else value)
    return run(at)


def another(choice: Choice) -> Value:
    """A value that is not the planned one."""
    if choice.range is not None:
        low = choice.range.low
        return int(low) if choice.is_whole else low
    return next(o.value for o in choice.options if o.value != choice.planned)


def press(at: AppTest, label: str) -> AppTest:
    next(button for button in at.button if button.label == label).click()
    return run(at)


def told(at: AppTest) -> str:
    return "\n".join(element.value for element in at.markdown).replace("\\", "")


def scales(at: AppTest) -> list[pl.DataFrame]:
    """Rows of the charts of gaps and of instability."""
    return [c.data["scales"] for c in charts(at) if "scales" in c.data]


def table_with(at: AppTest, column: str) -> Any:
    return next(t for t in tables(at) if column in t.columns)


@pytest.mark.parametrize("choice", ON_THE_PAGE, ids=lambda choice: choice.key)
def test_each_choice_moves_and_goes_back(choice: Choice) -> None:
    at = opened()
    value = another(choice)
    move(at, choice.key, value)
    assert address(at, DECLARATION)[choice.key] == value
    departs = [c.value for c in at.caption if c.value.startswith("Departs from planned")]
    assert bool(departs) == (not choice.is_part)
    if departs:
        press(at, "Back to planned")
        assert address(at, DECLARATION)[choice.key] == choice.planned
        assert "This is the planned setting." in captions(at)


def test_the_threshold_slider_comes_with_its_rule() -> None:
    at = opened()
    assert not [s for s in at.slider if s.key == f"{STUDY}:threshold"]
    move(at, "rule", "threshold")
    gaps = scales(at)[0]
    move(at, "threshold", 0.6)
    assert address(at, DECLARATION)["threshold"] == 0.6
    now = scales(at)[0]
    of_jev = pl.col("group").str.starts_with(system_names()["jev-1.13.0"])
    assert now.filter(of_jev)["value"].to_list() != gaps.filter(of_jev)["value"].to_list()
    assert now.filter(~of_jev)["value"].to_list() == gaps.filter(~of_jev)["value"].to_list()


def test_the_page_opens_on_printed_figures() -> None:
    at = opened()
    numbers = re.findall(r"\d+\.\d+", at.header[0].value.replace("\\", "").replace("−", "-"))
    printed = {
        f"{f.value:.{f.decimals}f}"
        for f in figures(STUDY).values()
        if f.quantity in ("monetary_rate_gap", "non_unanimous_monetary", "bound_abs_rate_gap_upper")
    }
    bound = f"{float(DECLARATION.planned['gap_bound']):.2f}"  # type: ignore[arg-type]
    assert len(numbers) >= 2
    assert set(numbers) <= {*printed, bound}


def test_both_scales_stand_side_by_side() -> None:
    gaps, instability = scales(opened())
    assert gaps["group"].unique().to_list().sort() == instability["group"].unique().to_list().sort()
    assert gaps.height == gaps["group"].n_unique() * len(CONTRASTS)
    assert instability["low"].drop_nulls().min() >= 0  # type: ignore[operator]


def test_one_part_is_drawn_at_a_time() -> None:
    drawn = {part: {c.alt for c in charts(opened(section=part))} for part in (SCALES, "Rules")}
    assert all(drawn.values())
    assert not drawn[SCALES] & drawn["Rules"]
    assert {c.alt for c in charts(opened())} == drawn[SCALES]


@pytest.mark.parametrize(
    ("part", "view"),
    [("Materiality", "quantity"), ("Channels", "contrast"), ("nothing", "section")],
)
def test_a_setting_that_is_not_there_is_told_where_a_part_has_it(part: str, view: str) -> None:
    at = opened(**{"section": part, view: "elsewhere"})
    assert any("elsewhere" in warning.value for warning in at.warning)
    assert at.query_params.get(view) != "elsewhere"


@pytest.mark.parametrize("section", SECTIONS)
def test_no_word_of_a_gap_without_instability(section: str) -> None:
    at = opened(section=section)
    for shown in tables(at):
        if "the gap is" in shown.columns:
            assert any(INSTABILITY.search(name) for name in shown.columns)


@pytest.mark.parametrize("section", SECTIONS)
def test_each_section_has_headings_in_words(section: str) -> None:
    at = opened(section=section)
    assert at.query_params.get("section", SCALES) == section
    headings = {name for shown in tables(at) for name in shown.columns}
    assert not [name for name in headings if name.endswith(" id") or name in {"estimator", "key"}]
    values = [v for shown in tables(at) for v in shown.to_numpy().ravel() if isinstance(v, str)]
    assert not [v for v in values if v in {"e_tier", "old_minus_young", "either_auditor"}]
    if section == "Another panel" and len(shipped(STUDY, "decisions")) > 1:
        assert re.search(r"differ in \d+ of 12 verdicts", told(at))


def test_the_bound_decides_what_is_practically_zero() -> None:
    small = {Verdict.EQUIVALENT.value, Verdict.BOTH.value}
    for bound, wanted in ((5.0, True), (0.05, False)):
        at = opened(section="Materiality", gap_bound=str(bound))
        words = scales(at)[0]["verdict_now"]
        assert all((word in small) == wanted for word in words)
        assert set(scales(at)[0]["flip"]) <= {True, False}


@pytest.mark.parametrize("quantity", ["gap", "h", "air"])
def test_materiality_has_three_tests_of_each_quantity(quantity: str) -> None:
    at = opened(section="Materiality", quantity=quantity)
    shown = table_with(at, "p: outside it")
    assert len(shown) == scales(at)[0].height
    assert {"p: not zero", "p: inside the bound"} <= set(shown.columns)
    claims = table_with(at, "tests in family")
    assert set(claims["tests in family"]) == {6, 12}


def test_a_gate_changes_the_adjusted_p_values_only() -> None:
    raw = {}
    for gate in ("none", "holm"):
        claims = table_with(opened(section="Materiality", gate=gate), "tests in family")
        raw[gate] = (list(claims["p"]), list(claims["p adjusted"]))
    assert raw["none"][0] == raw["holm"][0] == raw["none"][1]
    assert raw["holm"][1] != raw["none"][1]


def test_match_the_volume() -> None:
    at = opened(section="Rules", rule="threshold", threshold="0.9", system="jev-1.13.0")
    button = next(b for b in at.button if b.label.startswith("Match the volume of"))
    press(at, button.label)
    chosen = address(at, DECLARATION)
    assert (chosen["rule"], chosen["shift"]) == ("matched", 0.0)
    rules = table_with(at, "answers used")
    paid = dict(zip(rules["rule"].str.removesuffix(" •"), rules["paid"], strict=True))
    assert paid["Its label"] == paid[DECLARATION["rule"].say("matched")]
    press(at, "Set the threshold by hand")
    assert address(at, DECLARATION)["rule"] == "threshold"
    by_hand = float(address(at, DECLARATION)["threshold"])  # type: ignore[arg-type]
    assert by_hand == widget(at, "threshold").value
    assert 0 < by_hand < 0.9


def test_a_term_moves_and_the_shares_still_sum() -> None:
    at = opened(section="Sources of variation")
    before = table_with(at, "share now")
    terms = table_with(at, "component before truncation")
    at.selectbox(key="remedies-moves-what").set_value("CxKxB")
    at.selectbox(key="remedies-moves-where").set_value("rewrite_model")
    press(at, "Move")
    assert address(at, DECLARATION)["moves"] == "CxKxB:rewrite_model"
    after = table_with(at, "share now")
    assert "with the study’s terms" in after.columns

    def share(shown: Any, part: str) -> float:
        return float(dict(zip(shown["part"], shown["share now"], strict=True))[part].strip("%"))

    moved = dict(zip(terms["term"], terms["share"], strict=True))["CxKxB"]
    name = part_names()["rewrite_model"]
    gained = share(after, name) - share(before, name)
    assert gained == pytest.approx(float(moved.strip("%")), abs=0.11)
    assert sum(share(after, p) for p in after["part"]) == pytest.approx(100, abs=0.3)
    home = next(k for k, v in part_names().items() if v == _part_of(terms, "CxKxB"))
    at.selectbox(key="remedies-moves-where").set_value(home)
    press(at, "Move")
    assert address(at, DECLARATION)["moves"] == ""


def _part_of(terms: Any, term: str) -> str:
    return str(dict(zip(terms["term"], terms["part"], strict=True))[term])


def test_a_property_moves_and_the_parts_still_add_up() -> None:
    at = opened(section="Channels", families="grammar:structure")
    rows = table_with(at, "gap by")
    for _, own in rows.groupby("gap by"):
        gap = float(own["gap, tiers"].iloc[0].replace("−", "-"))
        parts = sum(float(v.replace("−", "-")) for v in own["tiers"])
        assert parts == pytest.approx(gap, abs=0.0003)
    assert any("(moved)" in part for part in rows["part"])


@pytest.mark.parametrize(
    ("section", "key"),
    [
        ("Sources of variation", "component_outcome"),
        ("Sources of variation", "component_draws"),
        ("Disparity D", "noise"),
        ("Referral", "referral"),
        ("Mitigation", "style_rule"),
        ("Channels", "recognised"),
    ],
)
def test_choices_of_sections_are_in_the_address(section: str, key: str) -> None:
    at = opened(section=section)
    value = another(DECLARATION[key])
    move(at, key, value)
    assert address(at, DECLARATION)[key] == value
    assert "Last change" not in told(at)


def test_who_counts_in_the_audit() -> None:
    at = opened(section="Audit")
    before = table_with(at, "has to pass")
    move(at, "screen", ("years",))
    after = table_with(at, "has to pass")
    assert len(after) > len(before)
    assert address(at, DECLARATION).many("screen") == ("years",)


def test_all_hypotheses_are_listed() -> None:
    at = opened(section="Registration")
    assert len(table_with(at, "recomputed here")) == 30
    assert "30 hypotheses" in told(at)


def test_both_bootstraps_stand_beside_each_other() -> None:
    shown = table_with(opened(section="Disparity D"), "as registered")
    rows = shown[shown["hypothesis"] == "H6"]
    assert len(rows)
    assert all(a != b for a, b in zip(rows["corrected"], rows["as registered"], strict=True))


def test_the_table_of_downloads_opens() -> None:
    at = opened()
    at.session_state["remedies-tables"] = True
    run(at)
    assert any("Every" not in str(t.columns) for t in tables(at))


def test_what_the_study_cannot_say_is_said() -> None:
    at = opened()
    assert any(e.label == "What this study cannot say" for e in at.expander)
    assert "no ground truth" in told(at)


def test_the_headline_follows_the_bound() -> None:
    # Printed: 0.47 pp with an interval from 0.09 to 0.84.
    at = opened()
    assert "inside 1.00 pp" in at.header[0].value
    assert "not shown to be inside 0.50 pp" in move(at, "gap_bound", 0.5).header[0].value
