"""The choices of the composition study, declared once."""

from __future__ import annotations

from core.choices import Choice, Choices, Declaration, Option, Range
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
    ),
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
        *(_occupation(role) for role, rows in CANDIDATES.items() if len(rows) > 1),
        _REGIME,
        _MODULES,
        _MEASURE,
        _WEIGHTING,
        _PORTFOLIO,
        _GATE,
        _ZERO_MASS,
        _TAU,
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
