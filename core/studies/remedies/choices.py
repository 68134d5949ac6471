"""The choices of the remedies study, declared once."""

from __future__ import annotations

from core.choices import Choice, Choices, Declaration, Option, Range
from core.studies.remedies.contract import EXPLORATORY, HOLDOUT, ORDERS, STUDY
from core.studies.remedies.design import (
    POOLED,
    PRIMARY_ORDER,
    auditors,
    bank_name,
    banks,
    system_name,
    systems,
)
from core.studies.remedies.parts import read_attribute_moves, read_term_moves

VARIATION, DISPARITY, CHANNELS, REFERRAL, AUDIT, MITIGATION = (
    "variation",
    "disparity",
    "channels",
    "referral",
    "audit",
    "mitigation",
)
"""Parts of the page that have choices of their own."""

_SAMPLE = Choice(
    key="sample",
    label="Complaints",
    role="estimand",
    planned=HOLDOUT,
    where="Sec. 3.2: confirmatory analyses use the 1,000 held-out complaints",
    mark="registered",
    help="Which sample is analysed. Exploratory complaints were looked at first.",
    options=(
        Option(HOLDOUT, "Held-out, 1,000"),
        Option(EXPLORATORY, "Exploratory, 2,000", "ours"),
        Option(POOLED, "Both pooled, 3,000", "post hoc in the study"),
    ),
)

_SYSTEM = Choice(
    key="system",
    label="System in focus",
    role="estimand",
    is_part=True,
    planned=systems()[0],
    where="Sec. 4.2: the largest gaps are those of GPT-4o-mini",
    mark="registered",
    help="Curves and components are drawn for it; the tables show every system.",
    options=tuple(Option(name, system_name(name)) for name in systems()),
)

_BANK = Choice(
    key="bank",
    label="Texts in focus",
    role="estimand",
    is_part=True,
    planned=banks()[0],
    where="Table 1 prints both",
    mark="registered",
    help="Who rewrote the complaints. Each GPT model decides its own texts only; Jev decides both.",
    options=tuple(Option(name, bank_name(name)) for name in banks()),
)

_OUTCOME = Choice(
    key="outcome",
    label="Jev’s graded outcome",
    role="estimand",
    planned="e_tier",
    where="Sec. 3.1; H2 tests both",
    mark="registered",
    help="Expected tier weighs all three probabilities; the most probable tier throws the rest "
    "away.",
    options=(
        Option("e_tier", "Expected tier"),
        Option("argmax", "Most probable tier", "registered"),
    ),
)

_RULE = Choice(
    key="rule",
    label="Rule that makes Jev’s answer a decision",
    role="estimand",
    planned="matched",
    where="Table 1, rerun with exact matching on 22 October 2026",
    mark="corrected",
    help="Jev gives probabilities; somebody must decide when money is paid. GPT models answer "
    "with a tier, so their rule is their label.",
    options=(
        Option("matched", "Threshold on p2 that pays as often as the GPT model"),
        Option("argmax", "Tier 2 is the most probable", "post hoc in the study"),
        Option("threshold", "Threshold on p2, set by you", "ours"),
        Option(
            "untied",
            "As the first, all tied texts paid",
            "registered",
            "the frozen analyses matched volume only roughly: 9.0 against 8.6 percent",
        ),
        Option("mean6", "As the first, p2 averaged over six orders", "post hoc in the study"),
        Option("majority6", "Most of six orders say tier 2", "post hoc in the study"),
    ),
)

_THRESHOLD = Choice(
    key="threshold",
    label="Threshold on p2",
    role="estimand",
    planned=0.25,
    where="not part of the study; ours is a round number",
    mark="ours",
    help="Texts with at least this probability of a monetary remedy are paid.",
    range=Range(0.01, 1.0, 0.01),
    only_with=("rule", "threshold"),
)

_SHIFT = Choice(
    key="shift",
    label="Volume above the GPT model’s",
    role="estimand",
    planned=0.0,
    where="Sec. 4.3 tries 1 pp less and more",
    mark="corrected",
    help="How many more texts in a hundred are paid than the GPT model pays.",
    range=Range(-5.0, 5.0, 0.1, decimals=1, unit=" pp"),
    only_with=("rule", "matched"),
)

_ORDER = Choice(
    key="order",
    label="Option order",
    role="estimand",
    planned=PRIMARY_ORDER,
    where="Sec. 3.1: primary order o012; the others vary it",
    mark="registered",
    help="In which order Jev was offered the three tiers. Rules over six orders use them all.",
    options=tuple(
        Option(name, ", ".join(name[1:]), None if name == PRIMARY_ORDER else "ours")
        for name in ORDERS
    ),
)

_TIE_SEED = Choice(
    key="tie_seed",
    label="Seed that breaks ties",
    role="data",
    planned="20261022",
    where="seeded in the study, seed not stated; ours is the date of the rerun",
    mark="ours",
    help="Some 86 to 196 texts share the probability at the threshold: a draw decides which of "
    "them are paid. Another seed shows how much hangs on it.",
    options=(
        Option("20261022", "20261022"),
        Option("20261019", "20261019", "ours"),
        Option("20261020", "20261020", "ours"),
        Option("20261021", "20261021", "ours"),
    ),
)

_GATE = Choice(
    key="gate",
    label="Adjustment for several tests",
    role="inference",
    planned="bh",
    where="Sec. 3.4: Benjamini-Hochberg within the directional family",
    mark="registered",
    help="Twelve directional tests are twelve chances of a lucky hit.",
    options=(
        Option("bh", "Benjamini-Hochberg"),
        Option("none", "None", "ours"),
        Option("holm", "Holm", "ours", "bounds the chance of any false find"),
    ),
)

_FAMILY = Choice(
    key="family",
    label="Tests adjusted together",
    role="inference",
    planned="h2",
    where="size not printed; twelve contrasts are reported for H2",
    mark="ours",
    help="H2’s twelve tests of Jev stand together, those of the GPT models by themselves.",
    options=(
        Option("h2", "Jev’s twelve; GPT models apart"),
        Option("all", "All of all systems", "ours"),
        Option("decider", "Each system, texts and outcome", "ours"),
    ),
)

_ALPHA = Choice(
    key="alpha",
    label="Alpha",
    role="inference",
    planned=0.05,
    where="not printed; 95% intervals are",
    mark="ours",
    help="Two-sided error rate. It sets verdicts and intervals: 95% at .05, and 90% for the "
    "interval that matches a test of equivalence.",
    range=Range(0.005, 0.2, 0.005, decimals=3),
)

_GAP_BOUND = Choice(
    key="gap_bound",
    label="Largest gap that does not matter",
    role="inference",
    planned=1.0,
    where="Sec. 3.4, 4.2: 1 pp",
    mark="post hoc in the study",
    help="In percentage points of the monetary rate. The bound was chosen after the results.",
    explained="How large a gap between styles may be and still count as too small to matter. "
    "Somebody has to set this bound; here it was set after the results were known.",
    range=Range(0.05, 5.0, 0.05, unit=" pp"),
)

_H_BOUND = Choice(
    key="h_bound",
    label="Largest Cohen’s h that does not matter",
    role="inference",
    planned=0.2,
    where="Sec. 3.4, 4.2: 0.20, Cohen’s “small”",
    mark="post hoc in the study",
    help="Effect size of two rates; it weighs a point more where rates are low.",
    range=Range(0.005, 0.5, 0.005, decimals=3),
)

_AIR_BOUND = Choice(
    key="air_bound",
    label="Impact ratio to stay above",
    role="inference",
    planned=0.8,
    where="Sec. 3.4, 4.2: 0.80, and 0.90 as the stricter one",
    mark="post hoc in the study",
    help="0.80 is borrowed from employment selection; smaller differences can be adverse impact, "
    "and staying above it is no legal clearance.",
    range=Range(0.5, 0.99, 0.01),
)

_DRAWS = Choice(
    key="draws",
    label="Resamples",
    role="inference",
    planned="2000",
    where="Sec. 3.8 for the mitigation; elsewhere not stated",
    mark="registered",
    help="Resamples of whole complaints: all guises of one move together.",
    options=(
        Option("500", "500", "ours"),
        Option("2000", "2,000"),
        Option("5000", "5,000", "ours"),
    ),
)

_SEED = Choice(
    key="seed",
    label="Seed of the resamples",
    role="inference",
    planned="20261019",
    where="not stated; ours is the date of the confirmatory run",
    mark="ours",
    help="Another seed shows how much of an interval is luck of the draw.",
    options=(
        Option("20261019", "20261019"),
        Option("20261021", "20261021", "ours"),
        Option("20261022", "20261022", "ours"),
    ),
)

_COMPONENT_OUTCOME = Choice(
    key="component_outcome",
    label="Outcome whose variation is taken apart",
    role="estimand",
    planned="p2",
    where="App. C prints terms for p2 and parts for both",
    mark="post hoc in the study",
    help="Jev’s probability of a monetary remedy, or its expected tier.",
    options=(
        Option("p2", "Probability of tier 2"),
        Option("e_tier", "Expected tier", "post hoc in the study"),
    ),
    section=VARIATION,
)

_MOVES = Choice(
    key="moves",
    label="Terms counted elsewhere",
    role="estimand",
    planned="",
    where="App. C, five parts; the printed interval of rewrite models also holds KxB",
    mark="post hoc in the study",
    help="Moves a term to another part, such as KxB:rewrite_model.",
    check=read_term_moves,
    section=VARIATION,
)

_COMPONENT_DRAWS = Choice(
    key="component_draws",
    label="Resamples of the components",
    role="inference",
    planned="300",
    where="App. C",
    mark="post hoc in the study",
    help="All components are estimated again in each.",
    options=(
        Option("300", "300"),
        Option("1000", "1,000", "ours"),
        Option("2000", "2,000", "ours"),
    ),
    section=VARIATION,
)

_NOISE = Choice(
    key="noise",
    label="Noise taken off in resamples",
    role="inference",
    planned="corrected",
    where="App. B, committed on 20 October 2026, after the results",
    mark="corrected",
    help="Copies of a complaint carry the same noise. The registered bootstrap took off about "
    "half of it, so its intervals sit too high.",
    options=(
        Option("corrected", "That of the copies"),
        Option("registered", "As if all complaints differed", "registered"),
    ),
    section=DISPARITY,
)

_REFERRAL = Choice(
    key="referral",
    label="Share referred to people",
    role="estimand",
    planned=20,
    where="Sec. 4.3, H5",
    mark="registered",
    help="The most uncertain texts, by normalised entropy of Jev’s answer.",
    range=Range(1, 60, 1, decimals=0, unit="%"),
    section=REFERRAL,
)

_FAMILIES = Choice(
    key="families",
    label="Attributes counted elsewhere",
    role="estimand",
    planned="",
    where="Table 4: delivery, structure, content",
    mark="registered",
    help="Moves an attribute to another family, such as grammar:structure.",
    check=read_attribute_moves,
    section=CHANNELS,
)

_RECOGNISED = Choice(
    key="recognised",
    label="Probability from which a guise is recognised",
    role="estimand",
    planned=0.60,
    where="Sec. 3.5",
    mark="registered",
    help="Jev’s probability of the level that the guise imitates. All others are ambiguous, those "
    "taken for the wrong level too.",
    range=Range(0.3, 0.95, 0.01),
    section=CHANNELS,
)

_MITIGATION_RULE = Choice(
    key="style_rule",
    label="Jev’s monetary decision in each style",
    role="estimand",
    planned="argmax",
    where="not stated; the printed 2.3% is near that of the most probable tier",
    mark="ours",
    help="How a probability becomes a decision before three styles vote.",
    options=(
        Option("argmax", "Tier 2 is the most probable"),
        Option("frozen", "The matched threshold of unstyled texts", "ours"),
    ),
    section=MITIGATION,
)

_SCREEN = Choice(
    key="screen",
    label="What a guise has to pass",
    role="data",
    planned=(*auditors(), "amounts"),
    where="Sec. 3.9: no valid auditor says material, and dollar amounts agree",
    mark="registered",
    help="Guises that fail any of these are left out of the screened instability.",
    options=(
        *(Option(name, system_name(name)) for name in auditors()),
        Option("amounts", "Same dollar amounts"),
        Option("years", "Same years", "ours"),
    ),
    many=True,
    section=AUDIT,
)

DECLARATION = Declaration(
    STUDY,
    (
        _SAMPLE,
        _SYSTEM,
        _BANK,
        _OUTCOME,
        _RULE,
        _THRESHOLD,
        _SHIFT,
        _ORDER,
        _TIE_SEED,
        _GATE,
        _FAMILY,
        _ALPHA,
        _GAP_BOUND,
        _H_BOUND,
        _AIR_BOUND,
        _DRAWS,
        _SEED,
        _COMPONENT_OUTCOME,
        _MOVES,
        _COMPONENT_DRAWS,
        _NOISE,
        _REFERRAL,
        _FAMILIES,
        _RECOGNISED,
        _MITIGATION_RULE,
        _SCREEN,
    ),
)

DECIDING = ("rule", "threshold", "shift", "order", "tie_seed")
"""Choices that say which texts are paid."""

RESAMPLING = ("draws", "seed")
"""Choices that say how complaints are resampled."""


def only(choices: Choices, keys: tuple[str, ...]) -> Choices:
    """Keep the values of some choices: the key of work that only these touch."""
    return choices.without([key for key, _ in choices.values if key not in keys])


def sampling(choices: Choices) -> tuple[int, int]:
    """Return the number of resamples and their seed."""
    return int(choices.text("draws")), int(choices.text("seed"))


def planned_for(choices: Choices) -> Choices:
    """Return the planned setting with the system and texts that are looked at."""
    return DECLARATION.planned.replace(system=choices["system"], bank=choices["bank"])


def is_planned(choices: Choices) -> bool:
    """Say whether everything that moves a verdict is as planned."""
    return not DECLARATION.departures(choices)
