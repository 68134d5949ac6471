"""What a live check found: the answer, the spread, the calls behind it, and its downloads."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import polars as pl
import streamlit as st

from core.charts.dots import dots
from core.charts.drawing import Drawing
from core.charts.marks import Look
from core.charts.theme import Palette
from core.live import shown
from core.live.character import CharacterResult
from core.live.clause import ClauseResult, is_same_instrument
from core.live.compared import against
from core.live.complaint import ComplaintResult
from core.live.facts.check import NOT_CHECKED
from core.live.filename import FilenameResult
from core.live.instrument import VERSIONS, generator
from core.live.named import question_name
from core.live.rows import collected, models_of, panel_bytes
from core.studies.composition.choices import DECLARATION as COMPOSITION
from core.words import counted, number, plain
from pages.parts import controls, frame, panels

STUDY_OF = {
    "clause": "clauses",
    "complaint": "remedies",
    "filename": "filenames",
    "character": "composition",
}


def draw(result: Any) -> None:
    """Show a result, how it was got, and its downloads."""
    instrument = result.check.instrument
    if not any(outcome.reply for outcome in result.outcomes):
        _what_failed(result)
        _calls(result)
        return
    DRAWN[instrument](result)
    _what_failed(result)
    st.subheader("How it was got", anchor=False)
    lines = shown.about_calls(result.outcomes, now=time.time())
    st.markdown("\n".join(f"- {plain(line)}" for line in lines))
    st.caption(shown.ANECDOTE)
    _calls(result)
    _downloads(result)


def _what_failed(result: Any) -> None:
    lines = shown.failures(result.outcomes)
    if lines:
        st.warning("\n".join(f"- {plain(line)}" for line in lines))


def _chart(
    name: str, title: str, rows: pl.DataFrame, unit: str, alt_text: str, **more: Any
) -> None:
    if rows.is_empty():
        return

    def build(colours: Palette) -> Drawing:
        look = Look(colours, ("model",), "model")
        return dots(rows, unit=unit, look=look, has_planned=False, **more)

    frame.chart(name, title, build, alt_text=alt_text, lines=[shown.ANECDOTE])


def _in_words(rows: pl.DataFrame) -> str:
    return "; ".join(
        f"{row['row']}, {row['series']}: {number(row['value'], 2)}"
        for row in rows.iter_rows(named=True)
    )


def _clause(result: ClauseResult) -> None:
    st.header(plain(shown.clause_headline(result)), anchor=False)
    st.markdown(plain(shown.clause_basis(result)))
    left, right = st.columns(2, gap="large")
    points, gaps = shown.clause_points(result), shown.clause_gaps(result)
    with left:
        _chart(
            "live-ratings",
            "Ratings of both variants",
            points,
            "Fairness rating, 0 to 10; higher = fairer to both",
            _in_words(points),
            round_to=1.0,
        )
        st.caption("Marks are means, bars run from the lowest to the highest repeat.")
    with right:
        known = gaps.drop_nulls("value").with_columns(series=pl.lit("asymmetry"))
        _chart(
            "live-gaps",
            "Asymmetry",
            known,
            "Asymmetry, points; right = less fair when they favour the first",
            _in_words(known),
            line=0.0,
            round_to=0.5,
        )
        st.caption(shown.OPAQUE)
    frame.table(
        gaps.rename({"row": "asymmetry", "low": "95% from", "high": "to"}),
        alt_text="Asymmetries with their intervals over repeats",
    )
    frame.table(shown.clause_ratings(result), alt_text="Every presentation with its ratings")
    _among_groups(result)


def _among_groups(result: ClauseResult) -> None:
    """Say where the asymmetry lies among groups asked alike, and what the study prints."""
    st.subheader("Beside other clauses", anchor=False)
    known = panels.available("clauses", "determinations")
    alike = []
    for panel_hash in known:
        panel = panels.get("clauses", "determinations", panel_hash)
        if panel is not None and is_same_instrument(result.check, panel.provenance):
            alike.append(panel)
    if not alike:
        st.markdown("No collected or imported panel was asked in this way, so nothing ranks here.")
    for panel in alike:
        st.markdown(plain(shown.clause_rank(result, panel)))
    with st.expander("What the study prints"):
        st.markdown(
            "The study’s wording differs from Hinge’s, and its rows are not published: only its "
            "printed means over clause groups are shown, and this clause is not ranked among them."
        )
        frame.table(shown.printed_asymmetries(), alt_text="Printed asymmetries under role names")


def _complaint(result: ComplaintResult) -> None:
    st.header(plain(shown.complaint_headline(result)), anchor=False)
    if result.check.style:
        pairs = result.pairs(result.check.style)
        st.markdown(
            f"Once written in style {result.check.style}, {pairs.differing} of "
            f"{counted(pairs.total, 'pair')} differ on money."
        )
    frame.table(shown.complaint_versions(result), alt_text="Decision on every version")
    st.caption("\n".join(f"- {plain(name)}" for name in shown.guise_names(result.check.guises)))
    st.caption(
        f"Compared by rule: amounts, counts, dates, years and negations. Not compared: "
        f"{NOT_CHECKED}. Guises are a model’s stereotypes of how people write, and not people."
    )
    with st.expander("The rewrites and what changed in them"):
        for name, text, notes in shown.complaint_notes(result):
            st.markdown(f"**{plain(name)}**")
            st.text(text)
            for note in notes:
                st.caption(plain(note))
    audits = shown.complaint_audits(result)
    if not audits.is_empty():
        st.subheader("What the auditor says", anchor=False)
        frame.table(audits, alt_text="The auditor’s verdict on every guise")


def _filename(result: FilenameResult) -> None:
    st.header(plain(shown.filename_headline(result)), anchor=False)
    points = shown.filename_points(result)
    _chart(
        "live-labels",
        "Difference from the neutral file name",
        points,
        "Mark minus neutral mark, points; right = higher mark",
        _in_words(points),
        line=0.0,
        round_to=0.25,
    )
    st.caption("Bars are 95% intervals (Welch) over repeats of these very prompts.")
    frame.table(shown.filename_marks(result), alt_text="Marks under every label")


def _character(result: CharacterResult) -> None:
    st.header(plain(shown.character_headline(result)), anchor=False)
    if result.check.by_hand:
        st.info("By hand, whose words the evidence is was not asked: it is unverified.")
    left, right = st.columns(2, gap="large")
    with left:
        st.subheader("What the texts say", anchor=False)
        frame.table(shown.character_counts(result), alt_text="Categories and texts")
        st.caption(
            "Characters are coded by words in the texts; they are not people. Unspecified: the "
            "text does not say it. Unmapped: the words fit no category of the source."
        )
    with right:
        st.subheader("Beside a comparator", anchor=False)
        _comparator(result)
    with st.expander("The texts, and the words that count"):
        for text, traits in shown.character_texts(result):
            st.text(text)
            frame.table(traits, alt_text="What the text says of its main character")


def _comparator(result: CharacterResult) -> None:
    choice = COMPOSITION["comparator"]
    options = {option.value: option.label for option in choice.options}
    picked = st.selectbox(
        "Comparator",
        list(options),
        format_func=options.__getitem__,
        key="live:comparator",
        persist_state="session",
    )
    base = st.session_state.get(controls.key_of(COMPOSITION, "_shown")) or COMPOSITION.opening
    changed: dict[str, Any] = {"comparator": picked}
    for key in ("lambda", "alpha"):
        part = COMPOSITION[key]
        if part.only_with == ("comparator", picked) and part.range is not None:
            changed[key] = st.slider(
                part.label,
                float(part.range.low),
                float(part.range.high),
                float(base.number(key)),
                float(part.range.step),
                key=f"live:{key}",
                persist_state="session",
            )
    if picked in ("corrective", "custom"):
        st.caption("The table that you typed on the composition page is used.")
    if not result.characters:
        st.markdown("No text was read to its end.")
        return
    table = against(result, base.replace(**changed))
    frame.table(
        table.rename({"divergence": "divergence, bits"}), alt_text="Divergence from the comparator"
    )
    st.caption("Jensen-Shannon divergence among texts that say it; 0 = the same shares.")


DRAWN: dict[str, Callable[[Any], None]] = {
    "clause": _clause,
    "complaint": _complaint,
    "filename": _filename,
    "character": _character,
}


def _calls(result: Any) -> None:
    """Show the raw request and reply of any call."""
    instrument = result.check.instrument
    if not any(outcome.raw or outcome.request for outcome in result.outcomes):
        return
    section = st.expander(
        "Raw requests and replies", on_change="rerun", key=f"live:raw:{instrument}"
    )
    if not section.open:
        return
    with section:
        picked = st.selectbox(
            "Call",
            range(len(result.outcomes)),
            format_func=lambda at: _call_name(result, at),
            key=f"live:call:{instrument}",
        )
        outcome = result.outcomes[picked]
        source = "from the cache" if outcome.from_cache else "fresh"
        came = f", {shown.when(outcome.at)}" if outcome.at else ""
        st.caption(f"{outcome.state}, {source}{came}, {outcome.seconds:.1f} s")
        one, other = st.columns(2)
        with one:
            st.markdown("Request, without address and key")
            st.code(shown.request_text(outcome), language=None, wrap_lines=True)
        with other:
            st.markdown("Reply as it came")
            st.code(outcome.raw or "(none)", language=None, wrap_lines=True)


def _call_name(result: Any, at: int) -> str:
    question = result.outcomes[at].question
    return f"{at + 1}. {question_name(result.check, question)}, repeat {question.repeat + 1}"


def _downloads(result: Any) -> None:
    """Offer the rows in the study's shape, and everything as JSON."""
    instrument = result.check.instrument
    study = STUDY_OF[instrument]
    st.subheader("Take it with you", anchor=False)
    with st.container(horizontal=True, gap="small"):
        for name, rows in result.tables().items():
            if rows.is_empty():
                continue
            st.download_button(
                f"{name.capitalize()} as parquet",
                data=partial(panel_of, result, name),
                file_name=f"{name}-collected-live.parquet",
                mime="application/vnd.apache.parquet",
                on_click="ignore",
                key=f"live:parquet:{instrument}:{name}",
            )
        st.download_button(
            "Everything as JSON",
            data=lambda: json.dumps(result.as_record(), indent=2, ensure_ascii=False),
            file_name=f"live-{instrument}.json",
            mime="application/json",
            on_click="ignore",
            key=f"live:json:{instrument}",
        )
    st.caption(
        f"The parquet has the row shape of the study “{study}” and the kind collected: it can be "
        "brought to the panels page. The JSON holds every prompt and reply, your text among them."
    )


def panel_of(result: Any, table: str) -> bytes:
    """Return rows of a result as a panel file in the study's shape, kind collected."""
    check = result.check
    manner = "typed" if getattr(check, "typed", False) else getattr(check, "order", "written")
    about = collected(
        STUDY_OF[check.instrument],
        table,
        model=", ".join(models_of(result.outcomes)) or check.model,
        generator=generator(check.instrument, manner),
        title=f"Live check of one {check.instrument}, instrument {VERSIONS[check.instrument]}",
    )
    return panel_bytes(result.tables()[table], about)
