"""Names, axis titles, captions and alternative texts of the clauses page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from core import legends
from core.choices import Choices
from core.columns import rows_with, texts
from core.figures import figures
from core.limits import Limits
from core.reference import table
from core.studies.clauses.choices import DECLARATION, method_of
from core.studies.clauses.design import RUN_NAMES, STUDY
from core.studies.clauses.hypotheses import CLAIMS, chosen
from core.studies.clauses.runs_compared import FACTOR_NAMES
from core.studies.clauses.unchanged import Paired
from core.words import counted, listed, number, p_value, percent, plain, signed, visible

GROUP_UNIT = "Points; above 0 = against the stronger"
UNIT = "Points; above 0 = tilt against the stronger party"

LIMITS = Limits(
    always=(
        "Whether a clause is fair, or lawful: ratings are a model’s numbers on a scale, and there"
        " is no ground truth. Nothing here is legal advice.",
    ),
    of_document=(
        "What the eight conditions, H3 and H5 are exactly: the document names them and prints "
        "results. Definitions marked “ours” are readings that fit the printed numbers.",
        "What H5 found: no H5 verdict is stated anywhere, so all eight are hatched and left out "
        "of every count.",
        "That the second run confirms the first: it is no independent preregistration, the "
        "clauses were edited after the first, and the two are never pooled.",
        "Which clauses carry a tilt: the per-clause claim was withdrawn and not retested.",
        "What single ratings were: the study prints means and verdicts, and many sets of ratings "
        "return them.",
    ),
)
"""What the page says it does not show."""

HOLM_IN_WORDS = (
    "Five claims are tested for each model. Testing five times gives five chances to be lucky, "
    "so **Holm’s rule** asks more of each: the smallest p-value must be below a fifth of the "
    "level, the next below a quarter, and so on. The first one that misses its bar **stops the "
    "ladder**, and it and every later one count as not supported, even where its own interval "
    "lies above zero. That is why a verdict can vanish although its numbers did not change."
)

HOLM_HISTORY = (
    "Holm was registered, was not applied at first publication, and was applied in the correction "
    "of 29 July 2026."
)

OF_THE_STUDY = "This part is about the study; the panel in use is another one."


NO_RUN = (
    "The panel has no run among those chosen, so there is nothing to show. Choose another under "
    "Runs shown."
)


def not_in_panel(names: Sequence[str]) -> str:
    """Name the clauses that were to be left out and are not there."""
    verb = "is" if len(names) == 1 else "are"
    shown = [plain(name if len(name) <= 60 else f"{name[:60]}…") for name in names[:10]]
    if len(names) > 10:
        shown.append(f"{len(names) - 10:,} more")
    return f"{listed(shown)} {verb} not left out: the panel has no clause of that name."


def no_ladder(model: str, run: str) -> str:
    """Say why a model has no ladder in a run."""
    return f"{plain(model)} was not asked in {plain(run)}, so there are no tests to put in order."


def ladder_title(family: str) -> str:
    """Title of the ladder: whose tests stand on it."""
    return f"Holm’s ladder, {family}"


def run_title(run: str) -> str:
    """Title of one run's verdicts."""
    return RUN_NAMES.get(run, run)


HATCHED = "Hatched: the document does not state or determine this verdict."


def matrix_reading(choices: Choices, cells: pl.DataFrame) -> str:
    """Say how to read the verdicts of some cells; marks that are not there are left out."""
    gate = DECLARATION["gate"].say(choices["gate"])
    return (
        f"Left, hollow: planned setting. Right, filled: now, with adjustment for several tests: "
        f"{gate}. {legends.marks(cells, hatched=HATCHED)}"
    )


def claims_text() -> str:
    """List what each hypothesis claims."""
    return "\n".join(f"- **{name}**: {claim}" for name, claim in CLAIMS.items())


def hypotheses_key() -> str:
    """Say in one paragraph what the names of the hypotheses stand for."""
    named = " ".join(f"{name}: {claim[0].lower()}{claim[1:]}." for name, claim in CLAIMS.items())
    return f"{named} Tilt: how much less fair, in points of the rating."


def formulas(choices: Choices) -> str:
    """List the formula behind each hypothesis under the chosen readings."""
    pairs = zip(CLAIMS, chosen(choices), strict=True)
    return "\n".join(f"- **{name}**: `{contrast.formula}`" for name, contrast in pairs)


def matrix_alt(cells: pl.DataFrame, run: str) -> str:
    """Alternative text of one run's verdict matrix."""
    rows = rows_with(cells, run=run, is_open=False)
    told = [f"{row['model']} {row['hypothesis']}" for row in rows if row["flip"]]
    stand = sum(row["supported"] for row in rows)
    return (
        f"Verdicts of {run}: {counted(stand, 'claim')} of {len(rows)} "
        f"stand. Differing from the planned setting: {listed(told) or 'none'}."
    )


def forest_alt(cells: pl.DataFrame, run: str) -> str:
    """Alternative text of one run's estimates."""
    parts = [
        f"{row['model']} {row['hypothesis']}: {visible(row['estimate'], 2)}"
        for row in rows_with(cells, run=run)
        if row["estimate"] is not None
    ]
    return f"Estimates of {run} with the interval that decides. " + "; ".join(parts) + "."


def forest_reading(choices: Choices) -> str:
    """Say which interval is drawn, and that it is not adjusted."""
    adjusted = method_of(choices) is not None
    text = (
        f"{DECLARATION['interval'].say(choices['interval'])} interval; for H4 the narrower one "
        "that matches its test of equivalence (90% for a level of 5%)."
    )
    return text + (
        " Intervals are not adjusted for several tests; p-values are." if adjusted else ""
    )


def ladder_reading(steps: pl.DataFrame, choices: Choices) -> str:
    """Say in words where Holm's ladder stops and what that takes away."""
    stop = steps.filter("stops")
    lost = steps.filter(pl.col("supported_alone") & ~pl.col("rejected") & ~pl.col("alone_is_open"))[
        "test"
    ].to_list()
    if stop.is_empty():
        return "Every test passes its bar, so the ladder does not stop."
    row = stop.row(0, named=True)
    p = "it could not run, so it counts as 1" if row["p"] is None else f"p {row['p']:.4f}"
    text = (
        f"The ladder stops at step {row['step']}, {plain(row['test'])}: {p} is not below "
        f"{row['threshold']:.4f}. It and all later tests do not pass."
    )
    if lost:
        text += f" By its interval alone {listed([plain(t) for t in lost])} would be supported."
    if choices.text("gate") != "holm":
        text += " The chosen gate is another one; the ladder shows what Holm’s would do."
    return text


def ladder_alt(steps: pl.DataFrame) -> str:
    """Alternative text of the ladder."""
    parts = [
        f"{r['test']}: p {'none' if r['p'] is None else format(r['p'], '.4f')} against "
        f"{r['threshold']:.4f}"
        for r in steps.iter_rows(named=True)
    ]
    return "Holm’s ladder. " + "; ".join(parts) + "."


EQUIVALENCE_INTRO = (
    "“No difference found” is not “no difference”. A test of equivalence asks whether the "
    "estimate lies inside a margin you call too small to matter: two one-sided tests, of which "
    "the larger p-value counts, and the interval shown is the one that matches them. The "
    "smallest margin is the one at which a cell would just pass."
)

RUNS_HISTORY = (
    "The second run asked again with edited clauses, fewer of them, and the reasoning before the "
    "score."
)

RUNS_INTRO = (
    "A verdict can change because the estimate moved, because there are fewer clauses, "
    "because they scatter more, or because another test of the family moved the gate. Each is "
    "switched alone, from either run, and averaged over all 24 orders; the averages add up to "
    "the change exactly."
)

INFLUENCE_INTRO = (
    "Each clause is left out in turn, in every kind of contract, and every verdict is given again. "
    "Shown are the verdicts that one clause decides."
)

INFLUENCE_READING = (
    "A mark: without this clause the verdict becomes the one of its shape; hover for both. No "
    "mark: the verdict stays."
)


def influence_alt(tiles: pl.DataFrame, run: str) -> str:
    """Alternative text of the chart of clauses that decide."""
    parts = [
        f"{cell}: {counted(rows.height, 'clause')} ({listed(rows['archetype'].to_list())})"
        for (cell,), rows in tiles.group_by("cell", maintain_order=True)
    ]
    return f"Verdicts of {run} that one clause decides. {'; '.join(parts) or 'None'}."


GROUPS_INTRO = (
    "The tilt is a mean over clause groups. Here is what it is a mean of: for each labelling and "
    "kind of contract, how many clause groups are rated less fair when they favour the stronger "
    "party (above 0) or the weaker one (below 0)."
)

GROUPS_HISTORY = (
    "Which clause has which tilt is not printed, and the study withdrew its claim about kinds of "
    "clauses."
)

GROUPS_READING = (
    "A circle: so many clause groups with this asymmetry. A bar: their mean. Under opaque labels "
    "the parties are called Party A and Party B."
)

FAMILIES_READING = (
    "Each kind of contract alone, under the chosen definitions; intervals are not adjusted. "
    "Software service between businesses is **descriptive** in the study: neither party is "
    "declared the stronger one, so no hypothesis is tested there and no verdict is given."
)


def groups_alt(table: pl.DataFrame) -> str:
    """Alternative text of the counts of clause groups."""
    parts = [
        f"{r['labels']}, {r['family']}: mean {number(r['mean'], 2)} over "
        f"{counted(r['groups'], 'group')}"
        for r in table.drop_nulls("mean").iter_rows(named=True)
    ]
    return "Asymmetry of clause groups. " + "; ".join(parts) + "."


def families_alt(table: pl.DataFrame) -> str:
    """Alternative text of the estimates by kind of contract."""
    parts = [
        f"{r['model']}, {r['family']}: {visible(r['estimate'], 2)}"
        for r in table.drop_nulls("estimate").iter_rows(named=True)
    ]
    return "Estimates by kind of contract. " + "; ".join(parts) + "."


DIRECTION_INTRO = (
    "Models were also asked which party a clause favours. A wrong answer names the other party or "
    "neither. The sign test asks whether wrong answers lean to one party more than chance would. "
    "In the tables, “stronger” and “weaker” count wrong answers by the party they name."
)


def direction_line(row: Mapping[str, Any]) -> str:
    """Say where the wrong answers of one run lean, with the exact sign test.

    Parameters
    ----------
    row
        A row of `direction.direction_table`.
    """
    run, wrong, calls = plain(row["run"]), row["wrong"], counted(row["calls"], "answer")
    if wrong == 0:
        return f"In {run}, none of {calls} is wrong."
    strong, weak = row["wrong_strong"], row["wrong_weak"]
    neither = wrong - strong - weak
    text = (
        f"In {run}, {wrong:,} of {calls} {'is' if wrong == 1 else 'are'} wrong: the stronger party "
        f"is named in {strong:,}, the weaker one in {weak:,}"
        f"{f', neither in {neither:,}' if neither else ''}."
    )
    if row["p"] is not None:
        text += f" Exact sign test, two-sided: p = {p_exact(row['p'])}."
    return text


def p_exact(p: float) -> str:
    """Write an exact p-value: as printed, to three decimals, and in full where that cuts it."""
    full = f"{p:.6f}".rstrip("0")
    return p_value(p) if len(full) <= len("0.000") else f"{p_value(p)} ({full})"


DIRECTION_PRINTED = (
    "The study prints the wrong answers and the sign test of role labels in both runs. Of opaque "
    "labels it prints only that models were right between {low} and {high} percent of the time in "
    "v2; who was wrong there is one possibility."
)


def direction_printed() -> str:
    """Say what of the direction answers the study prints."""
    low, high = (
        figures(STUDY)[f"clauses.v2.direction_accuracy.opaque.{end}"] for end in ("min", "max")
    )
    return DIRECTION_PRINTED.format(low=f"{low.value:g}", high=f"{high.value:g}")


CORRECTED_INTRO = (
    "What the authors published, withdrew and corrected, in order. The first run asked for the "
    "score before the reasoning; the claim that this did not matter was withdrawn, as was the "
    "claim that some kinds of clauses carry the tilt."
)


def changelog() -> pl.DataFrame:
    """Publication, withdrawals and corrections, as the study dates them."""
    return table("clauses", "changelog")


def margin_reading(choices: Choices) -> str:
    """Say how to read the chart of equivalence."""
    margin = DECLARATION["margin"].say(choices["margin"])
    return (
        f"Dashed: the margin of {margin} on either side of zero. "
        "Equivalent: the whole interval lies between them. These words are not adjusted for "
        "several tests."
    )


def change_lines(rows: pl.DataFrame) -> list[str]:
    """Say for each changed verdict which factor moved it most, and where the t form disagrees."""
    lines = []
    for (model, name), cell in rows.group_by("model", "hypothesis", maintain_order=True):
        first = cell.row(0, named=True)
        line = (
            f"**{plain(str(model))} {name}**: {first['verdict_first']} → "
            f"{first['verdict_second']}; {_what_changed_it(cell)}."
        )
        if not first["agrees"]:
            line += " The t form and the bootstrap verdict disagree here."
        lines.append(line)
    return lines


def _what_changed_it(cell: pl.DataFrame) -> str:
    """Name the factor that carries most of one cell's change in the t form."""
    change = float(cell["share"].sum())
    if abs(change) < NO_CHANGE:
        return "the t form shows no change to explain"
    parts = dict(zip(cell["factor"], (cell["share"] / change).to_list(), strict=True))
    factor, part = max(parts.items(), key=lambda pair: pair[1])
    if all(abs(other) < NO_CHANGE for name, other in parts.items() if name != factor):
        return f"because of {FACTOR_NAMES[factor]} alone"
    how = "mostly" if round(part, 2) > 0.5 else "first of all"
    return f"{how} because of {FACTOR_NAMES[factor]}, which carries {percent(part)} of the change"


NO_CHANGE = 1e-9

SWITCHES_READING = (
    "Each row switches one thing alone: “v2 with it” is v2’s verdict with v3’s value, “v3 with it” "
    "v3’s verdict with v2’s."
)


def switches(rows: pl.DataFrame) -> pl.DataFrame:
    """Show the single switches of some cells, as a reader needs them."""
    change = pl.col("share").sum().over("model", "hypothesis")
    part = pl.when(change.abs() > NO_CHANGE).then(pl.col("share") / change)
    shares = rows.select(share_of_the_change=part).to_series()
    return rows.select(
        "model",
        "hypothesis",
        pl.col("factor").replace(FACTOR_NAMES).alias("switched"),
        pl.col("value_first").alias("in_v2"),
        pl.col("value_second").alias("in_v3"),
        pl.col("switched_first").alias("v2_with_it"),
        pl.col("switched_second").alias("v3_with_it"),
        texts(shares, percent, missing=""),
        pl.col("agrees").alias("forms_agree"),
    )


def unchanged_line(found: Paired) -> str:
    """Say how far unchanged clauses moved between the runs."""
    low, high = found.interval
    moved = signed(float(found.change.estimate[0]))
    text = (
        f"Under {found.labels} labels, {counted(found.units.height, 'unchanged clause')} moved "
        f"from {number(found.first, 3)} to {number(found.second, 3)} (change "
        f"{moved}, 95% interval {number(low)} to {number(high)}). A change of up to "
        f"{number(found.not_excluded)} is not excluded"
        f"{_of_the_first(found)}."
    )
    if found.labels == "opaque":
        text += (
            " H2 is the tilt under role labels less this one, so its fall alone widens H2: part of "
            "an H2 in the second run comes from the control."
        )
    return text


def _of_the_first(found: Paired) -> str:
    """Set what is not excluded against the first run's tilt, where there is a tilt to speak of."""
    if found.labels != "role" or found.first <= 0:
        return ""
    return f", {percent(found.not_excluded / found.first)} of the tilt in the first run"


def printed_change(labels: str) -> str:
    """Say what the document prints for the change of unchanged clauses."""
    name = {"role": "labeled", "opaque": "opaque"}[labels]
    printed = figures(STUDY)[f"clauses.unchanged.{name}.change"]
    text = f"The document prints {signed(printed.value)}"
    if printed.lower is not None and printed.upper is not None:
        text += f", interval {number(printed.lower)} to {number(printed.upper)}"
    return (
        f"{text}. The change is fitted; its interval also depends on the single ratings, which the "
        "document does not print."
    )


def control_note(found: Paired) -> str:
    """Say beside H2 how far its control moved between the runs, on unchanged clauses."""
    moved = float(found.change.estimate[0])
    effect = "widens" if moved < 0 else "narrows"
    return (
        "H2 is the tilt under role labels less that under opaque ones, its control. On "
        f"{counted(found.units.height, 'unchanged clause')} the control moved by "
        f"{signed(moved)} from the first run to the second, which by itself {effect} H2."
    )


ONE_POSSIBILITY = (
    "The study prints few of the numbers below; those that it does not print are one possibility "
    "among many sets of ratings that return its printed figures."
)

MIRROR_INTRO = (
    "The study compares a clause with itself after its parties have changed places. That is fair "
    "only if nothing but the names differs. Paste a clause and name its two roles: the check says "
    "whether a swap is lossless and which words stand in the way. Nothing is sent anywhere."
)

ITEMS_INTRO = (
    "Or check a whole item file: CSV with the columns `item`, `family`, `template`, `strong` and "
    "`weak`, and, if you have them, `text_strong` and `text_weak`. A template names its two slots "
    "`{A}` and `{B}`. Both variants are made from it, and nothing outside the slots may differ, "
    "byte for byte. Which party is called Party A is drawn by seed, balanced within each family."
)

RENDERED_INTRO = (
    "Both variants of each item, once with the roles’ names and once with Party A and Party B in "
    "their place. Which party is Party A follows the draw above and is the same in both variants."
)

MIRROR_EXAMPLE = (
    "The Landlord may enter the premises without notice. The Tenant must give thirty days’ notice "
    "before any visit."
)
