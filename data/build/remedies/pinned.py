"""Which printed figures the searches were given, by table: provenance of a panel."""

from __future__ import annotations

import numpy as np

from core.figures import figures
from core.panels.provenance import Pin
from data.build.remedies import (
    again,
    attributes,
    audit,
    edits,
    exploratory,
    gpt,
    jev,
    jev_ends,
    mitigation,
)
from data.build.remedies.pins import Targets, declare
from data.build.remedies.reference import GUISES, HOLDOUT, STUDY

ATTRIBUTE_FIGURES = (
    *(f"table4.explained.{name}" for name in ("edu", "ses")),
    *(f"sec4_5.ha3.{cue}" for cue in ("recognised", "ambiguous", "difference")),
    *(f"sec4_5.ha4.{family}.{end}" for family in ("delivery", "content") for end in ("min", "max")),
    *(f"sec4_5.ha5.content.{end}" for end in ("min", "max")),
    "sec4_5.ha5.delivery",
    "sec4_5.ha1.eta2_content_max",
    "sec4_7.mh4.eta2_content",
    *(f"sec4_7.mh4.shift.{name}" for name in attributes.SHIFTS),
)

RESCORED_FIGURES = ("sec4_1.tv.rescore", "sec4_1.tier_flip_rescore")

FITTED = ("rows", "recomputable", "bound")
"""What a search can be given; a repeat of another figure counts once."""

PREFIXES = ("sec4_5.ha1.eta2.", "sec4_7.mh4.eta2.", "appd.mh4.eta2.", "appd.pc5.")
"""Starts of the ids of attribute figures that are all given to the search."""


def pins(table: str) -> tuple[Pin, ...]:
    """Figures that a table's search was given."""
    known = figures(STUDY)
    return declare([name for name in PINNED[table]() if known[name].basis in FITTED])


def _decisions() -> list[str]:
    nobody = [np.zeros((HOLDOUT, GUISES), dtype=np.int8)] * 2
    searches: list[Targets] = [
        gpt.mini_targets(),
        gpt.five_targets(),
        *(gpt.pooled_targets(model) for model in range(2)),
        jev.targets(nobody),
        exploratory.targets(nobody),
        edits.jev_targets(0.0141),
        *(edits.kept_targets(system) for system in ("gpt4o", "jev")),
        mitigation.gpt_targets(),
        mitigation.jev_targets(),
    ]
    baseline = ("appd.db2.m0_gap.edu", "sec4_8.db1.tv.jev", "sec4_8.db2.jev.edu")
    more = (
        *edits.GPT_FIGURES,
        *RESCORED_FIGURES,
        *again.FRESH_FIGURES,
        *baseline,
        "sec4_8.db2.jev.age",
        *(f"appd.db2.reduction.{name}.original" for name in ("edu", "ses")),
    )
    # With resamples a search is also given ends that only the registered bootstrap has.
    drawn = [*jev_ends.intervals().names, *exploratory.intervals().names]
    return [name for search in searches for name in search.pinned] + drawn + _ids(more)


def _attributes() -> list[str]:
    named = [name for name, _, _ in attributes.TARGETS]
    starts = tuple(_ids(PREFIXES))
    every = [name for name in figures(STUDY) if name.startswith(starts)]
    return _ids((*named, *ATTRIBUTE_FIGURES)) + every


def _audit() -> list[str]:
    chosen = ("sec4_8.fa3.all.gpt4o", "sec4_8.fa3.all.jev", "sec4_8.screened_gap.ses.all")
    return audit.targets().pinned + audit.intervals().names + _ids((*audit.COUNT_FIGURES, *chosen))


def _ids(names: tuple[str, ...]) -> list[str]:
    return [f"{STUDY}.{name}" for name in names]


PINNED = {"decisions": _decisions, "attributes": _attributes, "audit": _audit}
