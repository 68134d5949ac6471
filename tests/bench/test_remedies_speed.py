"""Times of the remedies study, on rows of the study's size drawn for the purpose."""

from __future__ import annotations

from statistics import median

import numpy as np

from core.choices import Choices
from core.stats.clusters import resampled_sums
from core.stats.components import components, reduce_layout, resampled_components
from core.studies.remedies import (
    audit,
    channels,
    curve,
    disparity,
    edits,
    mitigation,
    recognition,
    referral,
    variation,
)
from core.studies.remedies.choices import DECLARATION
from core.studies.remedies.design import CONTRASTS
from core.studies.remedies.estimate import analyse
from core.studies.remedies.reduce import Statistics, reduce_remedies
from core.studies.remedies.scales import Decider, deciders
from core.studies.remedies.tables import compare, material_table, scale_table
from tests.bench.test_composition_draws import machine
from tests.bench.test_filenames_speed import Work, times
from tests.core.remedy_panels import JEV, MINI, attributes_of, audit_of, with_experiments

PLANNED = DECLARATION.planned
COUNT = 1000
JEV_ON_MINI, ON_OWN = Decider(JEV, MINI), Decider(MINI, MINI)


def sized(low: float, step: float, decimals: int, key: str, choices: Choices, i: int) -> Choices:
    """Move a slider to its i-th place."""
    return choices.replace(**{key: round(low + step * i, decimals)})


def judgement(statistics: Statistics) -> list[tuple[str, float, int, Work]]:
    """Moves that leave resamples alone: 2 ms."""

    def move(low: float, step: float, decimals: int, key: str) -> Work:
        return lambda i: analyse(statistics, sized(low, step, decimals, key, PLANNED, i % 30))

    gates = ("none", "holm", "bh")
    return [
        ("another alpha", 2, 40, move(0.005, 0.005, 3, "alpha")),
        ("another bound on the gap", 2, 40, move(0.05, 0.05, 2, "gap_bound")),
        ("another bound on h", 2, 40, move(0.005, 0.005, 3, "h_bound")),
        ("another bound on AIR", 2, 40, move(0.5, 0.01, 2, "air_bound")),
        ("another gate", 2, 30, lambda i: analyse(statistics, PLANNED.replace(gate=gates[i % 3]))),
    ]


def sliders(statistics: Statistics) -> list[tuple[str, float, int, Work]]:
    """Moves that need new estimates: 10 ms."""
    threshold = PLANNED.replace(rule="threshold")
    found = variation.variation(statistics, "holdout", JEV, PLANNED)
    assert not isinstance(found, str)
    screens = (("claude-opus-5.5",), ("gpt-5.2", "amounts"), ("claude-opus-5.5", "years"))
    terms = ("KxB", "KxO", "CxKxO", "B", "O")

    def at_threshold(i: int) -> object:
        choices = sized(0.05, 0.01, 2, "threshold", threshold, i)
        return compare(statistics, analyse(statistics, choices))

    def at_shift(i: int) -> object:
        return analyse(statistics, sized(-2.0, 0.1, 1, "shift", PLANNED, i))

    def referred(i: int) -> object:
        return referral.referral_table(
            statistics, "holdout", JEV_ON_MINI, PLANNED.replace(referral=1 + i % 60)
        )

    def recognised(i: int) -> object:
        choices = sized(0.3, 0.01, 2, "recognised", PLANNED, i)
        return recognition.recognised(statistics, ON_OWN, CONTRASTS[1], choices)

    def moved(i: int) -> object:
        moves = f"{terms[i % 5]}:complaint_persona_bank"
        return variation.part_table(found, PLANNED.replace(moves=moves))

    def screened(i: int) -> object:
        choices = PLANNED.replace(screen=screens[i % 3])
        return audit.screened(statistics, ON_OWN, choices)

    def families(i: int) -> object:
        place = ("structure", "content")[i % 2]
        choices = PLANNED.replace(families=f"grammar:{place}")
        return channels.channel_table(statistics, ON_OWN, choices)

    return [
        ("threshold: both banks, all verdicts", 10, 40, at_threshold),
        ("volume of the matched threshold", 10, 40, at_shift),
        ("share referred", 10, 40, referred),
        ("threshold of recognition", 10, 40, recognised),
        ("a variance term moved", 10, 40, moved),
        ("who counts in the audit", 10, 30, screened),
        ("an attribute moved", 10, 30, families),
    ]


def sections(statistics: Statistics) -> list[tuple[str, float, int, Work]]:
    """Tables and curves, once their resamples are there: 20 ms."""
    who = deciders(statistics, "holdout")
    comparison = compare(statistics, analyse(statistics, PLANNED))
    noises = ("corrected", "registered")
    return [
        ("the two scales as a table", 10, 20, lambda _: scale_table(comparison.current)),
        ("materiality as a table", 10, 20, lambda _: material_table(comparison)),
        (
            "curve over all thresholds",
            10,
            20,
            lambda _: curve.threshold_curve(statistics, "holdout", JEV_ON_MINI, PLANNED),
        ),
        (
            "all rules",
            20,
            20,
            lambda _: curve.rule_table(statistics, "holdout", who, PLANNED),
        ),
        ("edits", 20, 20, lambda _: edits.effect_table(statistics, PLANNED)),
        ("mitigation", 20, 20, lambda _: mitigation.arm_table(statistics, PLANNED)),
        (
            "D with both bootstraps",
            20,
            20,
            lambda i: disparity.disparity_table(
                statistics, "holdout", PLANNED.replace(noise=noises[i % 2])
            ),
        ),
    ]


def test_speed_of_the_remedies_study() -> None:
    rows, scores, audited = (
        with_experiments(1, COUNT),
        attributes_of(1, COUNT),
        audit_of(1, 40),
    )
    statistics = reduce_remedies(rows, scores, audited)
    answers = np.random.default_rng(1).integers(0, 101, (COUNT, 36, 2, 6)).astype(np.float64)
    cells = answers[:, :, 0, 0].T.copy()

    def crossed(i: int) -> object:
        layout = reduce_layout(answers)
        return components(layout), resampled_components(layout, 300, i)

    work = [
        (f"reduce {rows.height:,} rows", 3000.0, 2, lambda _: reduce_remedies(rows)),
        ("15 components of 432,000 answers, 300 resamples", 1000.0, 5, crossed),
        ("36 group rates, 2,000 resamples", 200.0, 5, lambda i: resampled_sums(cells, 2000, i)),
        *judgement(statistics),
        *sliders(statistics),
        *sections(statistics),
    ]
    print(f"\n{machine()}; median, milliseconds")
    print(f"{'what':<50}{'aim':>8}{'median':>9}{'worst':>9}")
    slow = []
    for what, aim, repeats, call in work:
        taken = times(call, repeats)
        print(f"{what:<50}{aim:>8.1f}{median(taken):>9.2f}{max(taken):>9.2f}")
        if median(taken) > aim:
            slow.append(what)
    assert not slow
