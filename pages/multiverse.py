"""What a verdict hinges on: many specifications at once."""

from __future__ import annotations

from urllib.parse import urlencode

import polars as pl
import streamlit as st

from core import claims
from core.charts import multiverse as charts
from core.charts.marks import Look
from core.charts.theme import Palette
from core.multiverse import curve as curves
from core.multiverse import hinges, shown, smallest, words
from core.multiverse.components import components, table
from core.multiverse.null import calibrate
from core.multiverse.setup import opening
from core.studies import about
from core.verdicts import MARKS, Verdict
from core.words import plain
from pages.parts import frame, jobs, looking, tables
from pages.parts import hinges as kept
from pages.parts.panels import in_use, reduced

WHOLE = (0, 100)
PART = "multiverse:part"

looking.restore_study()
head = st.container()
name = looking.draw_study()
study, told = claims.of(name), about.study(name)
used = in_use(name, told.table, link=looking.panel_in_link(name))
panel = used.panel
statistics = reduced(panel).statistics[0]
known = study.everything(statistics)
with head:
    frame.title("What does it hinge on?", panel)
if not known:
    st.warning("This panel has no claims to judge.")
    st.stop()
documented = panel.provenance.kind == "reconstructed"
main = study.opening_claim(statistics, documented=documented)
repairs = looking.restore(study, known, main)
frame.notices_of(used, repairs)

place = st.container()
picked = looking.draw_claims(study, known) or (main.key,)
by_key = {claim.key: claim for claim in known}
claim = by_key[picked[0]]
setup = looking.with_claims(looking.draw_choices(study, claim), picked)
with st.spinner(words.judging(setup.size(study), len(reduced(panel).statistics))):
    singles = kept.single_changes_of(panel, [by_key[key] for key in picked])
    looked = kept.look(panel, setup, by_key)
verdict = words.planned_verdict(looked, 0)
is_open = documented and study.leaves_open(claim, claim.within(study.declaration.planned))
lines = shown.export_lines(looked, panel)


def look(colours: Palette) -> Look:
    return Look(colours, (claim.title,), claim.title)


with place:
    st.header(plain(words.opening(claim, verdict, singles, is_open=is_open)), anchor=False)
    # Where the document leaves a verdict open there is none to keep.
    kept_in = "" if is_open else words.kept_sentence(looked, 0)
    st.markdown(plain(f"{kept_in} {words.sample_sentence(looked)}".strip()))
    beside = study.beside(looked.ensemble, claim.within(study.declaration.planned), claim)
    if beside:
        st.markdown(plain(beside))
    if verdict == Verdict.CANNOT_COMPUTE:
        no_verdict = study.why(statistics, claim.within(study.declaration.planned), claim)
        st.info(plain(f"Why there is no verdict as planned: {no_verdict}"))
    st.markdown(plain(shown.explained(claim, study, is_main=claim == main, documented=documented)))
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        query = setup.to_query(study, panel=panel.hash)
        base = (st.context.url or "").split("?")[0]
        frame.cite(
            f"{base}?{urlencode(query, doseq=True)}",
            "This link restores study, panel, claims, choices and their values:",
        )
        own_page = f"{told.path}?{urlencode(shown.page_query(study, claim, panel.hash))}"
        st.markdown(f"[The claim on “{told.title}”]({own_page})")
    st.caption(plain(words.NOT_REPLICATIONS))


def draw_smallest(mine: pl.DataFrame) -> None:
    """Say how many changes it takes; search two and three of them when asked to."""
    sets = pl.concat([hinges.single_sets(mine), hinges.smallest_sets(looked, 0)])
    searched = None
    said = st.container()
    if not (sets["told"] & (sets["changes"] == 1)).any():
        values = smallest.values_to_try(study, setup.by_choice)
        count = smallest.count(study, claim, values)
        searched = jobs.find_or_offer(
            jobs.kept(panel),
            f"{panel.sha256}:smallest:{setup.to_json()}",
            lambda progress: smallest.search(
                study,
                kept.ensemble_of(panel),
                claim,
                values=values,
                sizes=smallest.BEYOND_ONE,
                progress=progress,
            ),
            label=shown.SEARCH,
            seconds=shown.search_seconds(study, count, looked.size),
        )
    if searched is not None:
        sets = pl.concat([hinges.single_sets(mine), searched.sets])
    found = shown.smallest_known(sets)
    with said:
        st.markdown(plain(shown.smallest_sentence(found, mine.height, searched)))
        if found.height and found["changes"][0] > 1:
            frame.table(shown.smallest(found), alt_text="The smallest sets of changes")
            left_out = shown.smallest_left(found)
            if left_out:
                st.caption(left_out)


drawn = curves.curve(looked, 0)
part = looking.take_click(PART, WHOLE)
shaded = None if part == WHOLE else part
if drawn.drawn and drawn.matrix.height:
    frame.chart(
        "curve",
        f"{claim.title}: every estimate, from the lowest",
        lambda colours: charts.curve(
            drawn.points,
            drawn.planned,
            unit=shown.unit(claim, looked),
            line=words.CLAIM_LINE[claim.rule],
            part=shaded,
            look=look(colours),
        ),
        alt_text=shown.curve_alt(drawn, claim),
        lines=lines,
        select=charts.PICK,
    )
    st.caption(plain(shown.curve_reading(drawn, looked, claim)))
    looking.draw_part(PART, WHOLE, drawn.planned["place"].to_list())
    inside = st.container()
    if shaded:
        with inside:
            st.subheader("What this part has in common", anchor=False)
            st.markdown(plain(shown.part_sentence(looked, 0, part)))
            frame.table(
                shown.in_common(curves.in_common(looked, 0, part)),
                alt_text="Values that are more or less frequent there than on the whole curve",
            )
    order = curves.rows_of(looked)
    frame.chart(
        "choices",
        "The values beneath: stronger where more of the specifications above have them",
        lambda colours: charts.choices_beneath(
            drawn.matrix, order, part=shaded, look=look(colours)
        ),
        alt_text=shown.matrix_alt(drawn),
        lines=lines,
    )
elif not drawn.drawn:
    st.info("No specification gives an estimate of this claim.")

left, right = st.columns(2, gap="large")
with left:
    st.subheader("Single changes that flip the verdict", anchor=False)
    mine = singles.filter(pl.col("claim") == claim.key)
    for heading, rows in shown.flip_tables(mine, looked.size):
        st.markdown(f"**{plain(heading)}**")
        if rows.is_empty():
            st.markdown("None of those that were looked at.")
        else:
            frame.table(rows, alt_text=heading)
    st.caption(plain(shown.flips_reading(mine, looked.size)))
    st.subheader("The smallest set of changes that flips it", anchor=False)
    if verdict == Verdict.CANNOT_COMPUTE or is_open:
        st.markdown("As planned there is no verdict that could flip.")
    else:
        draw_smallest(mine)
with right:
    what = st.segmented_control(
        "What varies",
        ["verdict", "estimate"],
        format_func={"verdict": "The verdict", "estimate": "The estimate"}.__getitem__,
        default="verdict",
        required=True,
        key="multiverse:what",
    )
    varied = [components(looked.specs, values) for values in looked.numbers(0, str(what))]
    found = varied[0]
    parts = shown.bars([table(looked.specs, own) for own in varied])
    if parts["total"].null_count() < parts.height:
        frame.chart(
            "hinges",
            f"Which choice moves the {what}",
            lambda colours: charts.hinge_bars(parts, what=str(what), look=look(colours)),
            alt_text=shown.bars_alt(parts),
            lines=lines,
        )
    else:
        st.subheader(f"Which choice moves the {what}", anchor=False)
        st.markdown(f"The {what} is the same in every specification, so there is nothing to share.")
    st.caption(plain(shown.bars_reading(found, looked, str(what))))
    st.subheader("Verdicts over the set", anchor=False)
    counts = hinges.verdict_counts(looked, 0)
    frame.table(shown.verdicts(counts, looked.size), alt_text="Verdicts counted")
    st.caption(shown.verdicts_reading(looked.size))
    why = hinges.reasons(looked, 0)
    if why.height:
        frame.table(shown.why(why), alt_text="Why specifications have no verdict")
st.caption(plain(words.ANOTHER_QUESTION))

if study.can_calibrate(claim) and verdict != Verdict.CANNOT_COMPUTE:
    st.subheader("If there were nothing to find", anchor=False)
    st.caption(plain(shown.CALIBRATE_INTRO))
    null = jobs.find_or_offer(
        jobs.kept(panel),
        f"{panel.sha256}:null:{setup.to_json()}",
        lambda progress: calibrate(study, statistics, claim, looked.specs, progress=progress),
        label=shown.CALIBRATE,
        seconds=15,
    )
    if null is not None:
        st.markdown(plain(shown.calibration_sentence(null)))

if len(picked) > 1:
    st.subheader("The claims side by side", anchor=False)
    frame.table(shown.claims_table(looked, singles), alt_text="Every picked claim and its hinge")

tables.levels(
    {
        "Specifications": lambda: curves.specification_table(looked, 0),
        "Single changes": lambda: singles.filter(pl.col("claim").is_in(picked)),
    },
    name="multiverse",
    lines=lines,
)
with st.expander("How to read this page"):
    seen = [MARKS[Verdict(word)] for word in counts["verdict"]]
    st.markdown("\n".join(f"- {plain(text)}" for text in shown.reading(seen)))
looking.finish(study, setup, panel.hash, opening(study, main))
