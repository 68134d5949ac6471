"""The choices of the clauses study, declared once."""

from __future__ import annotations

import re
from urllib.parse import quote, unquote

from core.choices import Choice, Choices, Declaration, Option, Range
from core.studies.clauses.design import (
    CONFIRMATORY,
    DESCRIPTIVE,
    FAMILIES,
    FAMILY_NAMES,
    RUN_NAMES,
    RUNS,
    STUDY,
)

LONGEST_LIST = 4_000
"""Characters that a typed list of clauses may have."""

INTERVAL_ALONE = "interval"
"""The gate that is always open: what the first publication used."""


def read_names(text: str) -> tuple[str, ...]:
    """Read a list of clauses: names separated by commas, each once, in the order given.

    A sign that a name holds is written as in a web address (``%2C`` for a comma).

    Raises
    ------
    ValueError
        If the list is too long or names nothing between two commas.
    """
    if len(text) > LONGEST_LIST:
        raise ValueError(f"the list has {len(text):,} characters; at most {LONGEST_LIST:,} fit")
    if not text.strip():
        return ()
    names = [unquote(name.strip()) for name in text.split(",")]
    if "" in names:
        raise ValueError("two commas follow each other: nothing is named between them")
    return tuple(dict.fromkeys(names))


def write_name(name: str) -> str:
    """Write one clause's name for such a list; reading it gives the name again."""
    return _WRITTEN.sub(lambda found: quote(found[0], safe=""), name)


_WRITTEN = re.compile(r"[%,\x00-\x1f\x7f]|^\s|\s$")
"""What would not come back from a list as it is."""


_RUNS = Choice(
    key="runs",
    label="Runs shown",
    role="estimand",
    planned=RUNS,
    where="Sec. Results and Sec. Replication: each run is analysed alone",
    mark="first published",
    help="v2 came first; v3 asked again with mended clauses and the reasoning before the score. "
    "Runs are never pooled.",
    options=(
        Option("v2", RUN_NAMES["v2"], "registered"),
        Option("v3", RUN_NAMES["v3"], "post hoc in the study"),
    ),
    many=True,
)

_FAMILIES = Choice(
    key="families",
    label="Kinds of contract",
    role="estimand",
    planned=CONFIRMATORY,
    where="Sec. Replication names two confirmatory families; B2B is descriptive",
    mark="registered",
    help="Clause groups of the ticked kinds are pooled. Between businesses neither party is "
    "declared the stronger one.",
    options=tuple(
        Option(name, FAMILY_NAMES[name], help="descriptive only" if name == DESCRIPTIVE else "")
        for name in FAMILIES
    ),
    many=True,
)

_H3 = Choice(
    key="h3",
    label="What H3 means",
    role="estimand",
    planned="both_labels",
    where="the document gives a name only, “weak-party-label localization”",
    mark="ours",
    help="Three readings of one name; the document prints results and no definition.",
    options=(
        Option(
            "both_labels",
            "Rise of the weak-favouring wording less fall of the other",
            help="with both labels against none",
        ),
        Option(
            "one_label",
            "Tilt with the weaker party’s label less tilt with the stronger’s",
            "ours",
            "needs two conditions that the document leaves open",
        ),
        Option("weak_rise", "Rise of the weak-favouring wording alone", "ours"),
    ),
)

_H5 = Choice(
    key="h5",
    label="What H5 means",
    role="estimand",
    planned="opaque",
    where="not described; its missing answers are counted in two represented conditions",
    mark="ours",
    help="How much fairer a clause is rated when it favours the party that the model represents.",
    options=(
        Option("opaque", "Under opaque labels"),
        Option("role", "Under role labels", "ours"),
        Option("role_minus_opaque", "Role labels less opaque ones", "ours"),
    ),
)

_ARCHETYPES = Choice(
    key="archetypes",
    label="Clauses that count",
    role="data",
    planned="all",
    where="Sec. Methods and Sec. Replication: all of a run’s clauses",
    mark="registered",
    help="18 of 35 clauses held a giveaway sentence, 6 were unrealistic or confounded. Which ones "
    "is not printed.",
    options=(
        Option("all", "All of the run’s clauses"),
        Option("no_giveaway", "Without those with a giveaway sentence", "ours"),
        Option("no_unrealistic", "Without the unrealistic or confounded", "ours"),
        Option("no_defect", "Without either defect", "ours"),
        Option("unchanged", "Only those that v3 left unchanged", "post hoc in the study"),
    ),
)

_LEAVE_OUT = Choice(
    key="leave_out",
    label="Clauses left out by name",
    role="data",
    planned="",
    where="not part of the study",
    mark="ours",
    help="Names separated by commas; a clause is left out in every kind of contract. Write a comma "
    "within a name as %2C.",
    check=read_names,
)

_MISSING = Choice(
    key="missing",
    label="Missing ratings",
    role="data",
    planned="complete",
    where="Sec. Results: nothing is imputed or asked again",
    mark="registered",
    help="Complete cases: a clause counts for a hypothesis when every rating it needs is there. "
    "Worst case: each missing rating is set to 0 or 10, whichever is worse for either end.",
    options=(
        Option("complete", "Complete cases"),
        Option("worst_case", "Worst-case bounds", "ours"),
    ),
)

_REPAIRS = Choice(
    key="repairs",
    label="Answers that had to be repaired",
    role="data",
    planned="as_run",
    where="Sec. Methods: two repair steps for one model, from cached bytes, in v2",
    mark="post hoc in the study",
    help="Some answers could be read only after mending their punctuation.",
    options=(
        Option("as_run", "Those that the study repaired count"),
        Option("none", "None counts", "ours"),
        Option("all", "Those that it could have repaired count too", "ours"),
    ),
)

_INTERVAL = Choice(
    key="interval",
    label="Interval",
    role="inference",
    planned="bca",
    where="Sec. Results; for the 90% interval the type is not stated",
    mark="registered",
    help="BCa corrects a bootstrap interval for bias and skew.",
    options=(
        Option("bca", "BCa bootstrap"),
        Option("percentile", "Percentile bootstrap", "ours"),
        Option("student", "Student’s t", "ours"),
    ),
)

_P = Choice(
    key="p",
    label="p-value",
    role="inference",
    planned="two_sided",
    where="the document says “bootstrap p” and no more",
    mark="ours",
    help="One-sided counts resamples at or below zero only, so it can never find the opposite.",
    options=(
        Option("two_sided", "Bootstrap, two-sided"),
        Option("one_sided", "Bootstrap, one-sided", "ours"),
        Option("permutation", "Sign-flip permutation, two-sided", "ours"),
    ),
)

_DRAWS = Choice(
    key="draws",
    label="Resamples",
    role="inference",
    planned="10000",
    where="not stated; 5,000 are needed for an adjusted p below .001",
    mark="ours",
    help="More resamples move ends and p-values less from seed to seed.",
    options=(
        Option("2000", "2,000", "ours"),
        Option("10000", "10,000"),
        Option("50000", "50,000", "ours"),
    ),
)

_SEED = Choice(
    key="seed",
    label="Seed",
    role="inference",
    planned="20260723",
    where="not stated; ours is the day of first publication",
    mark="ours",
    help="Another seed shows how much of a verdict is luck of the draw.",
    options=(
        Option("20260723", "20260723"),
        Option("20260728", "20260728", "ours"),
        Option("20260729", "20260729", "ours"),
    ),
)

_GATE = Choice(
    key="gate",
    label="Adjustment for several tests",
    role="inference",
    planned="holm",
    where=(
        "registered, left out at first publication (23 July 2026), applied in the correction of "
        "29 July 2026"
    ),
    mark="registered",
    help="Five hypotheses are five chances of a lucky hit. With a gate a claim needs a small "
    "enough adjusted p-value as well as its interval.",
    explained="Testing five claims gives five chances of a lucky hit. Holm’s rule asks more of "
    "each for it; switched off, each claim is judged as if it were the only one.",
    options=(
        Option("holm", "Holm"),
        Option(
            INTERVAL_ALONE, "Off: the interval alone", "first published", "no p-value is looked at"
        ),
        Option("none", "p-value without adjustment", "ours"),
        Option("hochberg", "Hochberg", "ours"),
        Option("bonferroni", "Bonferroni", "ours"),
        Option("bh", "Benjamini-Hochberg", "ours", "bounds the share of false finds instead"),
    ),
)

_TESTS = Choice(
    key="tests",
    label="Tests adjusted together",
    role="inference",
    planned="model",
    where="Sec. Results: the five hypotheses within a model",
    mark="registered",
    help="The more tests stand together, the smaller a p-value has to be. Runs stay apart.",
    options=(
        Option("model", "The five hypotheses of a model"),
        Option("hypothesis", "One hypothesis in all models", "ours"),
        Option("all", "All hypotheses of all models", "ours"),
    ),
)

_ALPHA = Choice(
    key="alpha",
    label="Alpha",
    role="inference",
    planned=0.05,
    where="Sec. Results",
    mark="registered",
    help="Error rate. It sets the gate and both intervals: 95% and, for equivalence, 90% at .05.",
    range=Range(0.005, 0.2, 0.005, decimals=3),
)

_MARGIN = Choice(
    key="margin",
    label="Margin of equivalence",
    role="inference",
    planned=0.5,
    where="Sec. Results: plus and minus 0.5 points",
    mark="registered",
    help="Largest mean difference that counts as practically zero, in points of the scale.",
    range=Range(0.05, 1.5, 0.05, unit=" points"),
)

DECLARATION = Declaration(
    STUDY,
    (
        _RUNS,
        _FAMILIES,
        _H3,
        _H5,
        _ARCHETYPES,
        _LEAVE_OUT,
        _MISSING,
        _REPAIRS,
        _GATE,
        _TESTS,
        _ALPHA,
        _MARGIN,
        _INTERVAL,
        _P,
        _DRAWS,
        _SEED,
    ),
)

JUDGEMENT = ("runs", "gate", "tests", "alpha", "margin", "interval", "p")
"""Choices that leave the resamples alone: moving them judges the same draws anew."""

RESAMPLING = ("draws", "seed")
"""Choices that leave the contrasts of clause groups alone."""


def method_of(choices: Choices) -> str | None:
    """Return the method of adjustment, or None when the interval alone decides."""
    gate = choices.text("gate")
    return None if gate == INTERVAL_ALONE else gate


def with_known_names(choices: Choices, known: tuple[str, ...]) -> tuple[list[str], list[str]]:
    """Split the clauses that are left out by name into those a panel has and those it has not."""
    names = read_names(choices.text("leave_out"))
    return [n for n in names if n in known], [n for n in names if n not in known]
