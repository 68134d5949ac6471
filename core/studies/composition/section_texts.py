"""Introductions, captions and alternative texts of the page's further sections."""

from __future__ import annotations

from collections.abc import Sequence

from core.choices import Choices
from core.studies.composition.choices import DECLARATION
from core.studies.composition.estimate import Findings
from core.studies.composition.kept import Reference, Uncertainty
from core.studies.composition.missing_mass import MissingMass
from core.studies.composition.occupational_posterior import Posterior
from core.studies.composition.places import inseparable_pairs
from core.studies.composition.surviving import Surviving
from core.studies.composition.texts import RESIDENT, comparator_name
from core.words import counted, listed, number, percent, plain, span

UNCERTAINTY_INTRO = (
    "The **bootstrap** draws each cell’s mapped outputs again and scores them. It holds prompts, "
    "labels, targets and the choice of cells fixed, so it shows sampling noise only. Divergences "
    "are biased upward by it, so a score can lie below its own interval. The **exactly aligned "
    "model** is a reference: how large a score would be by chance if shares were those of the "
    "comparator. **Wrong labels** shows what extraction errors would do."
)

WRONG_LABELS_NOTE = (
    "Not covered: labels that were missed or invented, and errors that lean towards the target. "
    "The study prints ranges over models for 5, 10 and 20 percent (Table 11)."
)

MISSING_INTRO = (
    "A composition is taken among the outputs that carry a category of the source. The others say "
    "nothing, carry another label, or failed. **Completion** asks how near to or far from the "
    "comparator every cell could come if they were spread over its categories: a best and a worst "
    "case, not an interval of uncertainty. **A category of their own** counts them as something "
    "the comparator has none of. **The price** adds a penalty you set."
)

SURVIVING_INTRO = (
    "Whoever cannot rule out a comparator has a set of scores, not one. Tick the comparators that "
    "survive the argument; a verdict is **determinate** only if it is the same under all of them. "
    "Only cells in which each of them is defined count."
)

BOUND_NOTE = (
    "On the root scale (square root of the divergence) two scores of one cell differ by no more "
    "than the distance between the comparators, the diameter (App. B.2). root_bound averages the "
    "cells’ diameters with the same weights as root_spread, the actual difference. Neither is on "
    "the scale of the composites in bits."
)

PREMISES_INTRO = (
    "A divergence is a distance from declared shares. To read it as a statement about fairness "
    "takes four commitments and two bridge premises, each declared by you and open to dispute. "
    "Hinge does not declare them for you."
)


def intervals_alt(findings: Findings, drawn: Uncertainty, names: Sequence[str]) -> str:
    """Alternative text of the composites with intervals."""
    parts = [
        f"{name}: {number(score)}, from {number(low)} to {number(high)}"
        for name, score, (low, high) in zip(
            names, findings.chosen_composite, drawn.chosen, strict=True
        )
    ]
    return "Composite against the chosen comparator with 95% interval. " + "; ".join(parts) + "."


def separable_line(findings: Findings, drawn: Uncertainty, names: Sequence[str]) -> str:
    """Say which models the draws cannot tell apart, under either comparator."""
    parts = []
    for label, scores, kept in (
        (RESIDENT, findings.planned_composite, drawn.kept_resident),
        (comparator_name(findings.choices), findings.chosen_composite, drawn.kept_chosen),
    ):
        pairs = inseparable_pairs(scores, kept, names)
        if pairs:
            said = [f"{plain(a)} and {plain(b)} ({percent(share)})" for a, b, share in pairs]
            parts.append(f"against the {label}: {listed(said)}")
    if not parts:
        return "Every two models are separable: at least 95% of shared draws keep their order."
    return (
        "Not separable, so neither is ranked above the other (share of shared draws that keep the "
        f"order): {'; '.join(dict.fromkeys(parts))}."
    )


def reference_line(reference: Reference, names: Sequence[str], choices: Choices) -> str:
    """Say what an exactly aligned model would score."""
    low, median, high = reference.quantiles
    return (
        f"A model whose outputs follow {comparator_name(choices)} exactly would score "
        f"{span(list(median), 3)} (median over {counted(len(names), 'model')}’ numbers of outputs; "
        f"central 99%: {number(min(low))} to {number(max(high))}). 20,000 draws, seed 20260724."
    )


def missing_alt(found: MissingMass, names: Sequence[str]) -> str:
    """Alternative text of the scores with unmapped outputs."""
    parts = [
        f"{name}: {number(s)}, completions {number(best)} to {number(worst)}"
        for name, s, best, worst in zip(
            names, found.conditional, found.best, found.worst, strict=True
        )
    ]
    return "Score of each model and its best and worst completion. " + "; ".join(parts) + "."


def envelope_line(found: MissingMass, names: Sequence[str]) -> str:
    """Say which scores lie outside their own completion envelope, and why that is no error."""
    parts = []
    for side, outside in (
        ("above", found.conditional > found.worst),
        ("below", found.conditional < found.best),
    ):
        who = [plain(name) for name, out in zip(names, outside, strict=True) if out]
        if who:
            verb, own = ("lies", "its own") if len(who) == 1 else ("lie", "their own")
            scores = "score" if len(who) == 1 else "scores"
            parts.append(f"The {scores} of {listed(who)} {verb} {side} {own} completion envelope. ")
    if not parts:
        return "Every score lies inside its completion envelope."
    return "".join(parts) + (
        "That is no error: the score averages the cells that count, the envelope every cell with "
        "a source."
    )


def occupation_intro(choices: Choices) -> str:
    """Introduce the occupational diagnostic, by the declared use."""
    if choices.text("use") == "workforce":
        standing = "You declare a workforce use, so people in the occupation can be the target."
    else:
        standing = (
            "People in an occupation are a descriptive comparator here: they become a target only "
            "for a declared workforce use (see Premises)."
        )
    return (
        "Women among the characters of US stories that name only role and place, against women "
        f"among residents, among people in the occupation, and one half. {standing}"
    )


def occupation_choices(choices: Choices) -> Choices:
    """Keep only the choices that the occupational diagnostic depends on: the key of its draws."""
    own = {c.key: choices[c.key] for c in DECLARATION if c.key.startswith("occ_")}
    return DECLARATION.planned.replace(**own, zeros=choices["zeros"])


def posterior_alt(found: Posterior, names: Sequence[str]) -> str:
    """Alternative text of the occupational diagnostic."""
    parts = [
        f"{name}: residents {number(summary[0, 0])}, occupation {number(summary[1, 0])}"
        for name, summary in zip(names, found.overall, strict=True)
    ]
    return "Median divergence over six roles. " + "; ".join(parts) + "."


def posterior_line(found: Posterior) -> str:
    """Say how the posterior was drawn."""
    return (
        "Median and central 95% of a Beta(y + .5, n − y + .5) posterior of each role’s share of "
        f"women; roles count alike. {found.drawing.sentence()}. No adjustment for multiplicity."
    )


def surviving_lines(found: Surviving, names: Sequence[str]) -> list[str]:
    """Say for each model what all surviving comparators agree on."""
    lines = []
    for m, name in enumerate(names):
        low, high = found.interval[m]
        if low != low:
            lines.append(f"{plain(name)}: cannot compute under every ticked comparator.")
            continue
        words = listed(list(dict.fromkeys(found.verdicts[:, m].tolist())))
        state = "**determinate**" if found.determinate[m] else "**not determinate**"
        lines.append(
            f"{plain(name)}: {number(low)} to {number(high)}; {state} ({words}); cells with "
            f"{percent(float(found.determinate_share[m]))} of the weight are determinate."
        )
    return lines
