"""The choices of the filenames study, declared once."""

from __future__ import annotations

from collections.abc import Collection

from core.choices import Choice, Choices, Declaration, Option, Range
from core.studies.filenames.contrasts import read_contrast
from core.studies.filenames.design import (
    FAMILY_NAMES,
    GENRE_NAMES,
    GENRES,
    STUDY,
    documents,
    families,
    label_name,
    labels,
)

_STUDY = Choice(
    key="study",
    label="Study",
    role="estimand",
    is_part=True,
    planned="1",
    where="Sec. Human-written Texts; Sec. Bias Decomposition for study 2",
    mark="registered",
    help="Each study has its own texts and hypotheses; they are never pooled.",
    options=(
        Option("1", "1: four texts by one person", help="H1 to H4b"),
        Option("2", "2: 90 texts by three models", "registered", "H5 to H7"),
    ),
)

LABELS = {"1": "labels", "2": "labels_2"}
"""Key of the choice that says which labels count, by study: they have not the same ones."""


def _labels(study: str, where: str) -> Choice:
    return Choice(
        key=LABELS[study],
        label="Labels that count",
        role="data",
        planned=labels(study),
        where=where,
        mark="registered",
        help="What the file's name says. A hypothesis that needs a label left out cannot be "
        "computed; label variance is taken over the labels that count.",
        options=tuple(Option(name, label_name(name)) for name in labels(study)),
        many=True,
        only_with=("study", study),
    )


_DOCUMENTS = Choice(
    key="documents",
    label="Texts that count",
    role="data",
    planned=documents(),
    where="Sec. Experiment, Pipeline: all four",
    mark="registered",
    help="The regression pools the ticked texts, each with an effect of its own.",
    options=tuple(Option(name, name) for name in documents()),
    many=True,
    only_with=("study", "1"),
)

_GENRES = Choice(
    key="genres",
    label="Genres that count",
    role="data",
    planned=GENRES,
    where="Sec. Bias Decomposition: ten briefs in each of three genres",
    mark="registered",
    help="Briefs of the ticked genres are the units.",
    options=tuple(Option(name, GENRE_NAMES[name]) for name in GENRES),
    many=True,
    only_with=("study", "2"),
)

_AUTHORS = Choice(
    key="authors",
    label="Authors that count",
    role="data",
    planned=families(),
    where="Sec. Bias Decomposition: three models wrote to each brief",
    mark="registered",
    help="H5 needs the texts of all judges' makers; H6 the judge's own texts; H7 averages over "
    "those that are there.",
    options=tuple(Option(name, FAMILY_NAMES[name]) for name in families()),
    many=True,
    only_with=("study", "2"),
)

_ERRORS = Choice(
    key="errors",
    label="Standard errors",
    role="inference",
    planned="HC3",
    where="Table 1: HC3, not clustered",
    mark="registered",
    explained="HC3 says how sure an effect is if the same texts were marked again; clustered by "
    "text, how sure it is for other texts, which a few texts can hardly tell.",
    help="How uncertainty is read off the calls. HC errors allow each label its own spread. "
    "Clustered by text asks whether the effect holds for other texts too; with four texts it is "
    "a poor guide.",
    options=(
        Option("HC3", "HC3"),
        Option("HC2", "HC2", "ours"),
        Option("HC1", "HC1", "ours"),
        Option("HC0", "HC0", "ours"),
        Option("classical", "Classical", "ours", "one spread for all calls"),
        Option("cluster", "Clustered by text", "ours", "t with one degree less than texts"),
    ),
    only_with=("study", "1"),
)

_GATE = Choice(
    key="gate",
    label="Adjustment for several tests",
    role="inference",
    planned="holm",
    where="Table 1: Holm",
    mark="registered",
    help="Several tests are several chances of a lucky hit.",
    options=(
        Option("holm", "Holm"),
        Option("none", "None", "ours"),
        Option("bonferroni", "Bonferroni", "ours"),
        Option("bh", "Benjamini-Hochberg", "ours", "bounds the share of false finds instead"),
    ),
)

_FAMILY = Choice(
    key="family",
    label="Tests adjusted together",
    role="inference",
    planned="judges",
    where="stated for Table 3; for Table 1 worked out from its p-values",
    mark="first published",
    help="The more tests stand together, the smaller a p-value has to be. Studies stay apart.",
    options=(
        Option("judges", "All judges, one hypothesis"),
        Option("hypotheses", "All hypotheses of a judge", "ours"),
        Option("all", "All hypotheses of all judges", "ours"),
    ),
)

_ALPHA = Choice(
    key="alpha",
    label="Alpha",
    role="inference",
    planned=0.05,
    where="Footnote 1 and below Table 1",
    mark="registered",
    help="Two-sided error rate. It sets the verdicts and the intervals: 95% at .05.",
    range=Range(0.005, 0.2, 0.005, decimals=3),
)

_POWER = Choice(
    key="power",
    label="Power of the detectable effect",
    role="inference",
    planned=0.8,
    where="Tables 1 and 3, column MDE80",
    mark="first published",
    help="The detectable effect is what the test would find with this probability.",
    range=Range(0.5, 0.99, 0.01),
)

_CONTRAST = Choice(
    key="contrast",
    label="Typed contrast",
    role="estimand",
    planned="",
    where="not part of the study",
    mark="ours",
    help="One weight a label; the weights sum to zero. The claim is that it lies above zero.",
    check=read_contrast,
    section="contrast",
)

_PAIRS = Choice(
    key="pairs",
    label="Different units are",
    role="estimand",
    planned="texts",
    where="“different units” in Table 4; for study 2 not said whether texts or briefs",
    mark="ours",
    help="Which pairs of texts enter the between-unit products of study 2.",
    options=(
        Option("texts", "Different texts"),
        Option("briefs", "Texts of different briefs", "ours"),
    ),
    only_with=("study", "2"),
    section="shares",
)

_DRAWS = Choice(
    key="draws",
    label="Resamples",
    role="inference",
    planned="2000",
    where="Table 4",
    mark="first published",
    help="Resamples of texts, in study 2 of briefs.",
    options=(
        Option("500", "500", "ours"),
        Option("2000", "2,000"),
        Option("10000", "10,000", "ours"),
    ),
    section="shares",
)

_SEED = Choice(
    key="seed",
    label="Seed",
    role="inference",
    planned="20261103",
    where="not stated; ours is the date on the paper",
    mark="ours",
    help="Another seed shows how much of an interval is luck of the draw.",
    options=(
        Option("20261103", "20261103"),
        Option("20261027", "20261027", "ours"),
        Option("20261029", "20261029", "ours"),
    ),
    section="shares",
)

PLANNER = "planner"

_PLAN_CONTRAST = Choice(
    key="plan_contrast",
    label="Contrast to plan for",
    role="estimand",
    planned="H4b",
    where="Sec. Experiment, Pilot: H4b needs most, so it set the 152 repetitions",
    mark="registered",
    help="The sum of its squared weights says how noisy it is.",
    options=(
        Option("H1", "H1 (k = 5/6)"),
        Option("H2", "H2, H3 or H4 (k = 3/2)"),
        Option("H4b", "H4b (k = 2)"),
        Option("typed", "The typed contrast", "ours"),
    ),
    section=PLANNER,
)

_PLAN_SIGMA = Choice(
    key="plan_sigma",
    label="Spread of single calls",
    role="inference",
    planned=0.536,
    where="Sec. Experiment, Pilot: residual standard deviation",
    mark="registered",
    help="Standard deviation of calls of the same kind, in points.",
    range=Range(0.01, 3.0, 0.001, decimals=3, unit=" points"),
    section=PLANNER,
)

_PLAN_EFFECT = Choice(
    key="plan_effect",
    label="Effect to find",
    role="inference",
    planned=0.1,
    where="Sec. Experiment, Pilot",
    mark="registered",
    help="The smallest effect that would matter, in points.",
    range=Range(0.01, 1.0, 0.01, unit=" points"),
    section=PLANNER,
)

_PLAN_ALPHA = Choice(
    key="plan_alpha",
    label="Alpha",
    role="inference",
    planned=0.05,
    where="Footnote 1",
    mark="registered",
    help="Two-sided error rate of the plan, without adjustment for several tests.",
    range=Range(0.005, 0.2, 0.005, decimals=3),
    section=PLANNER,
)

_PLAN_POWER = Choice(
    key="plan_power",
    label="Power",
    role="inference",
    planned=0.9,
    where="Footnote 1",
    mark="registered",
    help="Probability of finding the effect if it is there.",
    range=Range(0.5, 0.99, 0.01),
    section=PLANNER,
)


def _size(key: str, label: str, planned: int, high: int, where: str) -> Choice:
    return Choice(
        key=key,
        label=label,
        role="data",
        planned=planned,
        where=where,
        mark="registered",
        help="Multiplies the calls.",
        range=Range(1, high, 1, decimals=0),
        section=PLANNER,
    )


_PLAN_PRICE = Choice(
    key="plan_price",
    label="Price of 1,000 calls",
    role="data",
    planned=3.3,
    where="about 36 dollars for 10,944 calls in study 1",
    mark="first published",
    help="In dollars.",
    range=Range(0.0, 200.0, 0.1, unit=" dollars"),
    section=PLANNER,
)

DECLARATION = Declaration(
    STUDY,
    (
        _STUDY,
        _labels("1", "Sec. Experiment, Pipeline"),
        _labels("2", "Sec. Bias Decomposition: two more than in study 1"),
        _DOCUMENTS,
        _GENRES,
        _AUTHORS,
        _ERRORS,
        _GATE,
        _FAMILY,
        _ALPHA,
        _POWER,
        _CONTRAST,
        _PAIRS,
        _DRAWS,
        _SEED,
        _PLAN_CONTRAST,
        _PLAN_SIGMA,
        _PLAN_EFFECT,
        _PLAN_ALPHA,
        _PLAN_POWER,
        _size("plan_texts", "Texts", 4, 500, "Sec. Experiment, Pipeline"),
        _size("plan_labels", "Labels", 6, 50, "Sec. Experiment, Pipeline"),
        _size("plan_judges", "Judges", 3, 50, "Sec. Experiment, Pipeline"),
        _PLAN_PRICE,
    ),
)

SCOPE = ("study", *LABELS.values(), "documents", "genres", "authors")
"""Choices that say which rows count."""


def planned_for(choices: Choices) -> Choices:
    """Return the planned setting of the study that is looked at."""
    return DECLARATION.planned.replace(study=choices["study"])


def is_planned(choices: Choices) -> bool:
    """Say whether everything that moves a verdict is as planned; the study is not a departure."""
    return not DECLARATION.departures(choices)


def for_page(choices: Choices) -> Choices:
    """Return the specification with the choices of sections as planned: they move no verdict."""
    planned = {choice.key: choice.planned for choice in DECLARATION if choice.section}
    return choices.replace(**planned)


def departs(choices: Choices, keys: Collection[str]) -> bool:
    """Say whether some of these choices differ from the planned setting and have an effect."""
    return any(choice.key in keys for choice, _ in DECLARATION.departures(choices))


def adjustments(choices: Choices) -> list[Choices]:
    """Vary the adjustment and the tests adjusted together; without one, no family counts."""
    gates = ("none", *(o.value for o in _GATE.options if o.value != "none"))
    families = [option.value for option in _FAMILY.options]
    return [
        choices.replace(gate=gate, family=family)
        for gate in gates
        for family in (families if gate != "none" else families[:1])
    ]
