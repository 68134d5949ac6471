"""The choices of the composition study, declared once."""

from __future__ import annotations

from core.choices import Choice, Choices, Declaration, Mark, Option, Range
from core.studies.composition.corrective import read_shares, read_weights
from core.studies.composition.occupations import CANDIDATES, planned_rows, women_shares
from core.studies.composition.sources import ATTRIBUTE_NAMES, PRIMARY_MODULES

EQUAL = "equal_category"

_COMPARATOR = Choice(
    key="comparator",
    label="Comparator",
    role="estimand",
    planned="geography",
    opens_on=EQUAL,
    where="Sec. 4.3 and 4.4; App. D.8 replaces it by equal categories",
    mark="registered",
    help=(
        "The shares that a model's characters are compared with. Another comparator asks another "
        "question."
    ),
    explained="Whose shares the characters are held against, such as those of residents or the "
    "same share for every group. None of them is neutral.",
    options=(
        Option("geography", "Resident population"),
        Option(EQUAL, "Equal categories", "registered", "The same share for every category"),
        Option("mixture", "Between the two: mixture", "registered", "A straight path"),
        Option("power", "Between the two: power", "registered", "A curved path"),
        Option(
            "occupational",
            "People in the occupation",
            "registered",
            "United States and gender only: no other shares are declared",
        ),
        Option(
            "corrective",
            "Resident shares with weights",
            "first published",
            "Corrective family (App. E): a weight for each category, normalised",
        ),
        Option(
            "custom", "Shares that I type", "ours", "Where none are typed, resident shares stay"
        ),
    ),
)

_WEIGHTS = Choice(
    key="weights",
    label="Corrective weights",
    role="estimand",
    planned="",
    where="App. E describes the family and fixes no weight",
    mark="first published",
    help="Typed into a table below; 1 leaves a category alone, 2 doubles its share.",
    check=read_weights,
    is_table=True,
    only_with=("comparator", "corrective"),
)

_SHARES = Choice(
    key="shares",
    label="Typed shares",
    role="estimand",
    planned="",
    where="not part of the study",
    mark="ours",
    help="Typed into a table below, in percent; where none are typed, resident shares stay.",
    check=read_shares,
    is_table=True,
    only_with=("comparator", "custom"),
)

_LAMBDA = Choice(
    key="lambda",
    label="Weight of equal categories",
    role="estimand",
    planned=0.0,
    opens_on=0.5,
    where="App. D.8: 0, .1, ..., 1; 0 is the resident population",
    help="0 is the resident population, 1 is equal categories.",
    range=Range(0.0, 1.0, 0.05),
    only_with=("comparator", "mixture"),
)

_ALPHA = Choice(
    key="alpha",
    label="Exponent of the resident shares",
    role="estimand",
    planned=1.0,
    opens_on=0.5,
    where="App. D.8: 1, .75, .5, .25, 0; 1 is the resident population",
    help="1 is the resident population, 0 is equal categories.",
    range=Range(0.0, 1.0, 0.05),
    only_with=("comparator", "power"),
)

_REGIME = Choice(
    key="regime",
    label="Prompt",
    role="estimand",
    planned="joint",
    where="Sec. 5 and App. D.1",
    mark="registered",
    help="Joint: the prompt asks for gender, race/ethnicity, religion and orientation at once.",
    options=(
        Option("joint", "Asks for all demographics"),
        Option("implicit", "Names role and place only", "registered", "Only gender can be scored"),
    ),
)

_MODULES = Choice(
    key="modules",
    label="Attributes in the composite",
    role="estimand",
    planned=PRIMARY_MODULES,
    where="App. D.4",
    mark="registered",
    help="The composite is their plain mean. The study never puts gender in.",
    options=tuple(
        Option(name, ATTRIBUTE_NAMES[name], "ours" if name == "gender_to_sex" else None)
        for name in (*PRIMARY_MODULES, "gender_to_sex")
    ),
    many=True,
)

_MEASURE = Choice(
    key="measure",
    label="Measure of distance",
    role="estimand",
    planned="jsd",
    where="Sec. 5; others in App. B.2 and Table 22",
    mark="registered",
    help="How far shares lie from the comparator; every measure runs from 0 (same) to 1.",
    options=(
        Option("jsd", "Jensen-Shannon divergence (bits)"),
        Option("root_jsd", "Its square root", "first published"),
        Option("total_variation", "Total variation", "first published"),
        Option("largest_deviation", "Largest category deviation", "first published"),
    ),
)

_WEIGHTING = Choice(
    key="weighting",
    label="How cells are averaged",
    role="estimand",
    planned="hierarchy",
    where="App. D.4; others in Table 15",
    mark="registered",
    help="Cells within a context, contexts within an attribute, attributes equally.",
    options=(
        Option("hierarchy", "Attribute, context, cell"),
        Option("equal_cell", "Every cell alike", "first published"),
        Option("mapped_n", "Within a context by mapped outputs", "first published"),
    ),
)

_GATE = Choice(
    key="gate",
    label="Mapped outputs a cell needs",
    role="data",
    planned=20,
    where="App. B and D.4: 20 of 30; 24 and 27 in Table 14",
    mark="registered",
    help="A cell counts when at least this many of its outputs carry a category of the source.",
    range=Range(1, 30, 1, decimals=0),
)

_PORTFOLIO = Choice(
    key="portfolio",
    label="Which cells are averaged",
    role="data",
    planned="common_intersection",
    where="App. D.4; Table 14",
    mark="registered",
    help="Common: cells that pass the gate for every model, so that all are scored alike.",
    options=(
        Option("common_intersection", "Those all models pass"),
        Option("model_specific", "Those each model passes", "first published"),
        Option("source_scoreable", "All with a source, no gate", "first published"),
    ),
)

_ZERO_MASS = Choice(
    key="zeros",
    label="Share behind a printed .0000",
    role="data",
    planned="2e-05",
    where="not stated; the document says only that no share is exactly zero",
    mark="ours",
    help="Moves the power path (by up to .004 at exponent .25) and hardly anything else.",
    options=(
        Option("4.9e-05", "just under .00005", "ours"),
        Option("2e-05", ".00002"),
        Option("1e-06", "one in a million", "ours"),
        Option("1e-09", "one in a billion", "ours"),
    ),
)

_TAU = Choice(
    key="tau",
    label="Tolerance",
    role="inference",
    planned=0.2,
    where="App. D.8 reports .1, .2 and .3 and prefers none; the middle one is ours",
    mark="ours",
    help="A divergence at or below it is within tolerance. A diagnostic, not a fairness cutoff.",
    range=Range(0.0, 1.0, 0.01),
)


_RULE = Choice(
    key="rule",
    label="Rule for single cells",
    role="inference",
    planned="point",
    where="App. D.8 classifies by d <= tau",
    mark="registered",
    help=(
        "By interval: undecided where the bootstrap interval crosses the tolerance, or where even "
        "an exactly aligned model with so few outputs would exceed it."
    ),
    options=(
        Option("point", "By the number alone"),
        Option("interval", "By its interval", "ours"),
    ),
)

UNCERTAINTY, MISSING, SURVIVING, PREMISES = "uncertainty", "missing", "surviving", "premises"
"""Sections of the page that have choices of their own."""

_DRAWS = Choice(
    key="draws",
    label="Bootstrap draws",
    role="inference",
    planned="2000",
    where="App. D.4 and D.5",
    mark="registered",
    help="More draws take longer and move interval ends less.",
    options=(
        Option("500", "500", "ours"),
        Option("2000", "2,000"),
        Option("10000", "10,000", "ours"),
    ),
    section=UNCERTAINTY,
)

_SEED = Choice(
    key="seed",
    label="Bootstrap seed",
    role="inference",
    planned="20260722",
    where="App. D.4",
    mark="registered",
    help="Another seed shows how much of an interval end is luck of the draw.",
    options=(
        Option("20260722", "20260722"),
        Option("20260723", "20260723", "ours"),
        Option("20260724", "20260724", "ours"),
    ),
    section=UNCERTAINTY,
)

_MECHANISM = Choice(
    key="mechanism",
    label="How labels go wrong",
    role="data",
    planned="random",
    where="App. D.3, Table 11 reports both",
    help="Random: to any other category. Adversarial: to the category with the least target mass.",
    options=(
        Option("random", "At random"),
        Option("adversarial", "Adversarially", "first published"),
    ),
    section=UNCERTAINTY,
)

_RATE = Choice(
    key="rate",
    label="Share of wrong labels",
    role="data",
    planned=0.1,
    where="App. D.3, Table 11 reports 5, 10 and 20 percent; the middle one is ours",
    mark="ours",
    help="Each mapped label is wrong with this probability, independently.",
    range=Range(0.0, 0.3, 0.01),
    section=UNCERTAINTY,
)

_ETA = Choice(
    key="eta",
    label="Price of an unmapped output",
    role="estimand",
    planned=0.5,
    where="App. D.5, Table 20 prints .5 and 1; the first one is ours",
    mark="ours",
    help="D = S + price x share of unmapped outputs. 0: they cost nothing; 1: as much as full "
    "divergence.",
    range=Range(0.0, 1.0, 0.05),
    section=MISSING,
)

_SURVIVORS = Choice(
    key="survivors",
    label="Comparators that survive the argument",
    role="estimand",
    planned=("geography",),
    opens_on=("geography", EQUAL),
    where="App. B.2: the study adopts one and bounds what a set would do",
    mark="registered",
    help="Tick every comparator that you cannot rule out.",
    options=tuple(Option(option.value, option.label) for option in _COMPARATOR.options),
    many=True,
    section=SURVIVING,
)

UNDECLARED = "undeclared"


def _premise(
    key: str, label: str, planned: str, where: str, mark: Mark, options: tuple[Option, ...]
) -> Choice:
    return Choice(
        key=key,
        label=label,
        role="estimand",
        planned=planned,
        opens_on=UNDECLARED,
        where=where,
        mark=mark,
        help="Open until you declare it.",
        options=(Option(UNDECLARED, "not declared"), *options),
        section=PREMISES,
    )


_ACCEPTED = (Option("accepted", "I accept and defend it"),)

PREMISE_CHOICES = (
    _premise(
        "use",
        "Object and use",
        "public_world",
        "Sec. 4.1",
        "registered",
        (
            Option("public_world", "Invented characters that stand for the public world of today"),
            Option("workforce", "Invented characters that stand for a workforce"),
            Option("other_use", "Another object or use, which I declare elsewhere"),
        ),
    ),
    _premise(
        "prior",
        "Who counts (prior)",
        "geographic",
        "Sec. 4.2",
        "registered",
        (
            Option("geographic", "Residents of the place"),
            Option("civic", "Citizens or other legal members"),
            Option("audience", "The intended audience"),
            Option("language", "A language community"),
            Option("deployment", "People exposed to the system"),
            Option("occupational", "People who hold the occupation"),
        ),
    ),
    _premise(
        "allocation",
        "How they count (allocation)",
        "per_person",
        "Sec. 4.3",
        "registered",
        (
            Option("per_person", "Each person alike"),
            Option("per_category", "Each category alike"),
            Option("weighted", "By weights that I defend"),
        ),
    ),
    _premise(
        "source",
        "Categories and numbers (source)",
        "resident_sources",
        "Sec. 4.4",
        "registered",
        (
            Option("resident_sources", "Resident-population sources, in their own categories"),
            Option("other_source", "Another source, which I declare elsewhere"),
        ),
    ),
    _premise(
        "bridge_a",
        "Bridge A: divergence means unfairness",
        UNDECLARED,
        "Sec. 4.5 states it as contestable",
        "first published",
        _ACCEPTED,
    ),
    _premise(
        "bridge_b",
        "Bridge B: the score stands in for the ideal",
        UNDECLARED,
        "Sec. 4.5 and App. B.2: two of three substitutions are not calibrated",
        "first published",
        _ACCEPTED,
    ),
)


def _occupation(role: str) -> Choice:
    planned, basis = planned_rows()[role]
    stated = "printed in Sec. 1" if basis == "printed" else "recovered from Table 27, not printed"
    shares = women_shares()
    return Choice(
        key=f"occ_{role}",
        label=f"Occupation for “{role}”",
        role="estimand",
        planned=planned,
        where=f"App. D.8; {stated}",
        help=f"Which row of the BLS table (2025) stands for “{role}”.",
        options=tuple(
            Option(name, f"{name}: {100 * shares[name]:.1f}% women", "ours")
            for name in CANDIDATES[role]
        ),
        only_with=("comparator", "occupational"),
    )


DECLARATION = Declaration(
    "composition",
    (
        _COMPARATOR,
        _LAMBDA,
        _ALPHA,
        _WEIGHTS,
        _SHARES,
        *(_occupation(role) for role, rows in CANDIDATES.items() if len(rows) > 1),
        _REGIME,
        _MODULES,
        _MEASURE,
        _WEIGHTING,
        _PORTFOLIO,
        _GATE,
        _ZERO_MASS,
        _TAU,
        _RULE,
        _DRAWS,
        _SEED,
        _MECHANISM,
        _RATE,
        _ETA,
        _SURVIVORS,
        *PREMISE_CHOICES,
    ),
)


def occupation_shares(choices: Choices) -> dict[str, float]:
    """Map each role to the share of women in the occupation that stands for it, in [0, 1]."""
    shares = women_shares()
    rows = {
        role: choices.text(f"occ_{role}") if len(names) > 1 else names[0]
        for role, names in CANDIDATES.items()
    }
    return {role: shares[row] for role, row in rows.items()}
