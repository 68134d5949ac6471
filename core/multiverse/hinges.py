"""Which choices a verdict hinges on: single changes, smallest sets of changes, shares.

A change flips a verdict when the rule gives another answer than in the planned setting. Losing or
gaining a number is no flip here: a specification that cannot be computed says nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from core.basis import Ensemble
from core.choices import Role
from core.claims import Claim, StudyClaims
from core.multiverse.axes import Axis, Values, axes
from core.multiverse.outcomes import CANNOT, STANDS, VERDICTS, Outcomes, decode
from core.multiverse.specs import Specs, star

Flags = NDArray[np.bool_]
Index = NDArray[np.int64]

MOST_CHANGES = 3
"""Largest set of changes that is told."""

ROLE_ORDER: dict[Role, int] = {"inference": 0, "data": 1, "estimand": 2}
"""Choices that keep the question are named before those that ask another one."""


def turns(before: pl.Expr, after: pl.Expr) -> pl.Expr:
    """Say whether a claim stands under one of two verdicts and not under the other."""
    return before.is_in(STANDS) != after.is_in(STANDS)


def still_stands(before: pl.Expr, after: pl.Expr) -> pl.Expr:
    """Say whether a claim stands under both of two verdicts, such as equivalent and both."""
    return before.is_in(STANDS) & after.is_in(STANDS)


def in_order(single: pl.DataFrame) -> pl.DataFrame:
    """Put single changes in the order in which they are told.

    First those that make the claim stand or fall, then those that give it another word; within
    these the choice that the study's page tells of, then the role, then the declared order.
    """
    return single.sort(
        ~turns(pl.col("before"), pl.col("after")),
        ~pl.col("first"),
        pl.col("role").replace_strict(ROLE_ORDER, return_dtype=pl.Int64),
        maintain_order=True,
    )


def axes_of(
    study: StudyClaims[Any, Any],
    claim: Claim | None = None,
    *,
    keys: Sequence[str] | None = None,
    values: Values | None = None,
) -> tuple[Axis, ...]:
    """Make the axes of a study's multiverse.

    Parameters
    ----------
    study
        The study's claims.
    claim
        Leave out what cannot move it, such as a choice that belongs to another part of the study.
    keys
        Choices that vary; None for all that can move a claim.
    values
        Values to look at, over those that the study names.
    """
    wanted = study.moving if keys is None else keys
    moving = [key for key in wanted if claim is None or study.moves(study.declaration[key], claim)]
    return axes(study.declaration, moving, {**study.values, **(values or {})})


@dataclass(frozen=True, eq=False)
class Looked:
    """What every panel of an ensemble says of some claims under many specifications."""

    study: StudyClaims[Any, Any]
    ensemble: Ensemble[Any, Any]
    claims: tuple[Claim, ...]
    specs: Specs
    outcomes: tuple[Outcomes, ...]
    """One a panel; the first is that on the page."""

    @property
    def size(self) -> int:
        """Number of panels, R."""
        return len(self.outcomes)

    def verdicts(self, column: int) -> NDArray[np.int8]:
        """(R, S) codes of the verdicts on one claim."""
        return np.stack([own.verdict[:, column] for own in self.outcomes])

    def kept(self, column: int, panel: int = 0) -> NDArray[np.float64]:
        """(S,) 1 where a panel gives its planned verdict, 0 where another, NaN without either."""
        own, planned = self.outcomes[panel].verdict[:, column], self.specs.planned_row
        if planned is None or own[planned] == CANNOT:
            return np.full(len(own), np.nan)
        return np.where(own == CANNOT, np.nan, (own == own[planned]).astype(np.float64))

    def numbers(self, column: int, what: str) -> list[NDArray[np.float64]]:
        """(S,) numbers of every panel: whether the planned verdict is kept, or the estimate."""
        if what == "verdict":
            return [self.kept(column, panel) for panel in range(self.size)]
        return [found.estimate[:, column] for found in self.outcomes]

    def may_tell(self) -> bool:
        """Say whether anything can be told as a fact: not from one reconstruction alone."""
        return self.size > 1 or not self.ensemble.documented


def look(
    study: StudyClaims[Any, Any],
    ensemble: Ensemble[Any, Any],
    claims: Sequence[Claim],
    specs: Specs,
    *,
    intervals: bool = False,
) -> Looked:
    """Judge claims under many specifications in every panel.

    Parameters
    ----------
    study, ensemble, claims, specs
        What is judged.
    intervals
        Whether a curve is drawn of the first panel, which then gets intervals even where the rule
        looks at none.
    """
    own = tuple(claims)
    found = tuple(study.judge_many(panel, specs, own) for panel in ensemble.statistics)
    if intervals:
        study.put_intervals(ensemble.statistics[0], specs, own, found[0])
    return Looked(study, ensemble, own, specs, found)


@dataclass(frozen=True, eq=False)
class Flip:
    """Where a claim's verdict is another one than planned, (S,)."""

    shown: Flags
    """In the panel on the page."""
    count: Index
    """Panels in which it flips."""
    alike: Flags
    """All panels go from the same verdict to the same verdict."""
    told: Flags
    """It flips, alike in all panels, and the document leaves neither verdict open: it may be told
    as a fact."""


def flips(looked: Looked, column: int) -> Flip:
    """Compare every specification with the planned one, in every panel."""
    planned = looked.specs.planned_row
    if planned is None:
        raise ValueError("the planned specification is not among those looked at")
    verdicts = looked.verdicts(column)
    before = verdicts[:, [planned]]
    moved = (verdicts != before) & (verdicts != CANNOT) & (before != CANNOT)
    alike = (verdicts == verdicts[0]).all(axis=0) & (before == before[0]).all()
    told = moved[0] & alike & looked.may_tell()
    if looked.ensemble.documented and told.any():
        told &= ~_left_open(looked, column)
    return Flip(moved[0], moved.sum(axis=0), alike, told)


def _left_open(looked: Looked, column: int) -> Flags:
    """Say under which specifications the document leaves the verdict open, or as planned."""
    claim, specs = looked.claims[column], looked.specs
    base = specs.base
    if looked.study.leaves_open(claim, claim.within(base)):
        return np.ones(len(specs), dtype=np.bool_)
    found = np.zeros(len(specs), dtype=np.bool_)
    for axis in specs.axes:
        # What the document says is said of one choice at a time: the gate.
        for choices, rows in specs.groups(axis.keys):
            own = base.replace(**{key: choices[key] for key in axis.keys})
            if looked.study.leaves_open(claim, claim.within(own)):
                found[rows] = True
    return found


def one_at_a_time(looked: Looked) -> pl.DataFrame:
    """Say what each single change from the planned setting does to each claim.

    Returns
    -------
    polars.DataFrame
        One row a claim, choice and value: claim, choice, label, role; planned and value (in words),
        level (position on its axis); before and after (verdicts in the first panel), flips; count
        (panels in which it flips), size; alike (all panels go from the same verdict to the same
        one); told (it may be told as a fact); first (the study's page tells of this choice).
    """
    specs = looked.specs
    single = np.flatnonzero(specs.changed.sum(axis=1) == 1)
    axis_of = specs.changed[single].argmax(axis=1)
    order = np.lexsort((specs.index[single, axis_of], axis_of))
    single, axis_of = single[order], axis_of[order]
    frames = []
    for column, claim in enumerate(looked.claims):
        found = flips(looked, column)
        words = decode(looked.verdicts(column)[0])
        moved = [
            at for at, a in enumerate(axis_of) if looked.study.moves(
                looked.study.declaration[specs.axes[a].key], claim)
        ]  # fmt: skip
        rows = single[moved]
        own = [specs.axes[axis_of[at]] for at in moved]
        levels = [int(specs.index[row, axis_of[at]]) for at, row in zip(moved, rows, strict=True)]
        frames.append(
            pl.DataFrame(
                {
                    "claim": [claim.key] * len(rows),
                    "choice": [axis.key for axis in own],
                    "label": [axis.label for axis in own],
                    "role": [axis.role for axis in own],
                    "planned": [axis.levels[axis.planned].label for axis in own],
                    "value": [
                        axis.levels[level].label for axis, level in zip(own, levels, strict=True)
                    ],
                    "level": levels,
                    "before": [words[specs.planned_row]] * len(rows),
                    "after": words[rows],
                    "flips": found.shown[rows],
                    "count": found.count[rows],
                    "size": [looked.size] * len(rows),
                    "alike": found.alike[rows],
                    "told": found.told[rows],
                    "first": [axis.key == looked.study.hinge for axis in own],
                },
                schema=_SINGLE,
            )
        )
    return pl.concat(frames) if frames else pl.DataFrame(schema=_SINGLE)


_SINGLE = {
    **dict.fromkeys(("claim", "choice", "label", "role", "planned", "value"), pl.String),
    "level": pl.Int64,
    **dict.fromkeys(("before", "after"), pl.String),
    "flips": pl.Boolean,
    **dict.fromkeys(("count", "size"), pl.Int64),
    **dict.fromkeys(("alike", "told", "first"), pl.Boolean),
}


def single_changes(
    study: StudyClaims[Any, Any],
    ensemble: Ensemble[Any, Any],
    claims: Sequence[Claim] | None = None,
) -> pl.DataFrame:
    """Say what every single change does to some claims of a study, as `one_at_a_time`.

    Parameters
    ----------
    study, ensemble
        The study's claims, and the panels that are asked.
    claims
        None for every claim but orders; a few take a part of the time, since only what can move
        them is tried.
    """
    wanted = study.claims(ensemble.statistics[0]) if claims is None else claims
    keys = [
        key
        for key in study.moving
        if any(study.moves(study.declaration[key], claim) for claim in wanted)
    ]
    specs = star(study.declaration.planned, axes_of(study, keys=keys))
    return one_at_a_time(look(study, ensemble, wanted, specs))


def single_sets(single: pl.DataFrame) -> pl.DataFrame:
    """Write one claim's single changes that flip its verdict as `smallest_sets` does."""
    flips = single.filter((pl.col("count") > 0) | pl.col("flips"))
    verdicts = pl.col("before"), pl.col("after")
    return in_order(flips).select(
        pl.lit(1, dtype=pl.Int64).alias("changes"),
        (pl.col("label") + ": " + pl.col("value")).alias("change"),
        *("after", "count", "size", "told"),
        turns(*verdicts).alias("turns"),
        still_stands(*verdicts).alias("stands"),
    )


def least(sets: pl.DataFrame) -> pl.DataFrame:
    """Keep the sets of the fewest changes: of those that may be told, where there are any."""
    surely = sets.filter("told") if sets["told"].any() else sets
    return surely.filter(pl.col("changes") == pl.col("changes").min())


def smallest_sets(looked: Looked, column: int, *, most: int = 40) -> pl.DataFrame:
    """Find the smallest sets of changes, up to three, that flip a verdict.

    Parameters
    ----------
    looked
        Specifications to search; sets that are not among them are not found.
    column
        Position of the claim.
    most
        Rows to return.

    Returns
    -------
    polars.DataFrame
        changes (how many), change (in words), after (the verdict), count, size, told; turns (the
        claim stands where it fell, or the reverse), stands (it stands as before). Sets that may be
        told come first, and of these the ones that make the claim stand or fall.
    """
    specs, found = looked.specs, flips(looked, column)
    size = specs.changed.sum(axis=1)
    rows = np.flatnonzero((found.shown | found.told) & (size <= MOST_CHANGES))
    told = rows[found.told[rows]]
    kept = told if told.size else rows
    if kept.size:
        kept = np.unique(kept[size[kept] == size[kept].min()])
        _, first = np.unique(specs.index[kept], axis=0, return_index=True)
        kept = kept[np.sort(first)]
    words = decode(looked.verdicts(column)[0])
    verdicts = pl.lit(str(words[specs.planned_row])), pl.col("after")
    found_sets = pl.DataFrame(
        {
            "changes": size[kept],
            "change": [_in_words(specs, row) for row in kept],
            "after": words[kept],
            "count": found.count[kept],
            "size": [looked.size] * len(kept),
            "told": found.told[kept],
        },
        schema={
            "changes": pl.Int64,
            "change": pl.String,
            "after": pl.String,
            "count": pl.Int64,
            "size": pl.Int64,
            "told": pl.Boolean,
        },
    ).with_columns(turns=turns(*verdicts), stands=still_stands(*verdicts))
    return found_sets.sort("turns", descending=True, maintain_order=True).head(most)


def _in_words(specs: Specs, row: int) -> str:
    """Name the changes of a specification."""
    return "; ".join(
        f"{specs.axes[at].label}: {specs.axes[at].levels[specs.index[row, at]].label}"
        for at in np.flatnonzero(specs.changed[row])
    )


@dataclass(frozen=True, slots=True)
class Share:
    """How a set of specifications answers a claim, in one panel."""

    kept: int
    """Specifications that give the planned verdict."""
    stands: int
    """Specifications under which the claim stands."""
    known: int
    """Specifications with a verdict; the others count nowhere."""
    size: int

    @property
    def share(self) -> float:
        """Share of those with a verdict that give the planned one; NaN without any."""
        return self.kept / self.known if self.known else float("nan")


def shares(looked: Looked, column: int, *, question: str = "all") -> list[Share]:
    """Count in each panel how many specifications give the planned verdict.

    Parameters
    ----------
    looked
        The specifications; the planned one and those near it, which a sample adds, do not count.
    column
        Position of the claim.
    question
        ``all``; or ``planned`` for those in which every choice of role `estimand` is as planned,
        so that the same question is asked.
    """
    kept = np.zeros(len(looked.specs), dtype=np.bool_)
    kept[looked.specs.described] = True
    if question == "planned":
        asks = [axis.role == "estimand" for axis in looked.specs.axes]
        kept &= ~looked.specs.changed[:, asks].any(axis=1)
    found = []
    for panel, own in enumerate(looked.outcomes):
        same = looked.kept(column, panel)[kept]
        stands = int(np.nansum(own.holds[kept, column]))
        known = int(own.is_known[kept, column].sum())
        found.append(Share(int(np.nansum(same)), stands, known, int(kept.sum())))
    return found


def verdict_counts(looked: Looked, column: int) -> pl.DataFrame:
    """Count the verdicts on a claim in every panel.

    Returns
    -------
    polars.DataFrame
        verdict, count (specifications of the first panel); low, high (smallest and largest share
        over all panels, of the specifications with a verdict; null for those without). Verdicts
        that some panel gives, the most frequent of the first one first.
    """
    codes = looked.verdicts(column)[:, looked.specs.described]
    counts = np.stack([np.bincount(own, minlength=len(VERDICTS)) for own in codes])
    known = np.delete(counts, CANNOT, axis=1).sum(axis=1)
    # A panel without any verdict has no shares.
    share = counts[known > 0] / known[known > 0, None]
    nothing = np.full(len(VERDICTS), np.nan)
    low, high = (share.min(axis=0), share.max(axis=0)) if len(share) else (nothing, nothing)
    given = pl.col("verdict") != VERDICTS[CANNOT]
    frame = pl.DataFrame(
        {"verdict": list(VERDICTS), "count": counts[0], "low": low, "high": high}
    ).with_columns(pl.when(given).then(pl.col("low", "high")))
    return frame.filter(pl.Series(counts.any(axis=0))).sort(
        "count", descending=True, maintain_order=True
    )


def reasons(looked: Looked, column: int, *, most: int = 200) -> pl.DataFrame:
    """Say why specifications of the first panel have no verdict on a claim.

    Specifications that differ in their judgement only have the same reason as a rule, so one of
    each kind of rows is asked, up to a limit.

    Returns
    -------
    polars.DataFrame
        reason, count (specifications); the most frequent first, those beyond the limit last.
    """
    specs, claim = looked.specs, looked.claims[column]
    missing = np.flatnonzero(looked.outcomes[0].verdict[:, column] == CANNOT)
    missing = missing[missing < len(specs) - specs.chosen]
    statistics = looked.ensemble.statistics[0]
    keys = [a.key for a in specs.axes if a.role != "inference" or a.key == "interval"]
    groups = list(specs.groups({k for a in specs.axes if a.key in keys for k in a.keys}, missing))
    counts: dict[str, int] = {}
    for choices, rows in groups[:most]:
        why = looked.study.why(statistics, choices, claim)
        counts[why] = counts.get(why, 0) + len(rows)
    rows_of = sorted(counts.items(), key=lambda pair: -pair[1])
    left = sum(len(rows) for _, rows in groups[most:])
    if left:
        rows_of.append(("others, whose reason was not looked up one by one", left))
    return pl.DataFrame(rows_of, schema={"reason": pl.String, "count": pl.Int64}, orient="row")
