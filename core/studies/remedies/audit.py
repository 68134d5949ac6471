"""Did the rewrites keep the facts, and does instability persist among those that did (Sec. 4.8).

Two auditors compared guises with their source, blind to decisions. Complaints were sampled from two
strata, so rates weigh each stratum by its share of the population; complaints are resampled within
strata.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import polars as pl
from numpy.typing import NDArray

from core.choices import Choices
from core.stats.agreement import cohens_kappa, confusion, observed_agreement
from core.stats.clusters import Sampled, resampled_sums, sampled
from core.stats.instability import mean_pairwise_difference, pairwise_disagreement
from core.studies.remedies import design
from core.studies.remedies.choices import DECIDING, RESAMPLING, only, sampling
from core.studies.remedies.contract import PERSONA, PERSONA_LEVELS, TEXT_KINDS, VERDICTS
from core.studies.remedies.reduce import Statistics, Texts
from core.studies.remedies.rules import decide
from core.studies.remedies.scales import Decider, deciders, graded_kind, outcome, side_means

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]

NO_AUDIT = "The panel has no audit table."
NO_GUISES = "The audit has no rows of guises."
MATERIAL = VERDICTS.index("material")
KEYS = ("complaint", *PERSONA, "edit", "style", "bank", "repeat")

EITHER, BOTH = "either_auditor", "both_auditors"


@dataclass(frozen=True, eq=False)
class GuiseAudit:
    """Audited guises of one bank: A auditors, C complaints, 36 guises."""

    bank: str
    auditors: tuple[str, ...]
    complaints: NDArray[np.int64]
    """(C,) places among the panel's complaints."""
    verdicts: NDArray[np.int8]
    """(A, C, 36) place in `VERDICTS`; -1 without a valid answer."""
    amounts: Flags
    """(C, 36) whether dollar amounts are known to differ."""
    years: Flags
    strata: tuple[NDArray[np.int64], ...]
    """Places of each stratum's complaints."""
    shares: Array
    """Population share of each stratum; they sum to one."""

    @cached_property
    def material(self) -> Flags:
        """(A, C, 36) whether an auditor calls a guise materially changed."""
        return self.verdicts == MATERIAL

    def weighted(self, rows: Array, choices: Choices) -> tuple[Array, Array]:
        """Average complaint-level numbers with the weights of the strata.

        Parameters
        ----------
        rows
            (M, C) without missing values.

        Returns
        -------
        estimate, draws
            (M,) and (M, B), complaints resampled within strata.
        """
        draws, seed = sampling(choices)
        estimate = np.zeros(len(rows))
        total = np.zeros((len(rows), draws))
        for place, (own, share) in enumerate(zip(self.strata, self.shares, strict=True)):
            part = rows[:, own]
            estimate += share * part.mean(axis=1)
            # A stream for each stratum, since strata of one size would share their draws.
            total += share / own.size * resampled_sums(part, draws, seed + place)
        return estimate, total


@lru_cache(maxsize=16)
def guise_audit(statistics: Statistics) -> GuiseAudit | str:
    """Arrange the audited guises, or say why there are none; kept."""
    if statistics.audit is None:
        return NO_AUDIT
    rows = statistics.audit.filter(pl.col("text_kind") == "guise")
    if rows.is_empty():
        return NO_GUISES
    panel, bank = rows.select("panel", "bank").row(0)
    rows = rows.filter((pl.col("panel") == panel) & (pl.col("bank") == bank))
    names = sorted(rows["complaint"].unique().to_list())
    auditors = design.in_order(rows["auditor"].unique().to_list(), design.auditors())
    personas = {persona: k for k, persona in enumerate(design.personas())}
    row = rows["complaint"].replace_strict(names, range(len(names)), return_dtype=pl.Int64)
    column = np.array([personas[p] for p in rows.select(PERSONA).rows()])
    who = rows["auditor"].replace_strict(auditors, range(len(auditors)), return_dtype=pl.Int64)
    verdicts = np.full((len(auditors), len(names), len(personas)), -1, dtype=np.int8)
    codes = rows["verdict"].replace_strict(
        list(VERDICTS), list(range(len(VERDICTS))), default=-1, return_dtype=pl.Int8
    )
    at = (row.to_numpy(), column)
    verdicts[(who.to_numpy(), *at)] = codes.fill_null(-1).to_numpy()
    known = {name: place for place, name in enumerate(statistics.complaints[panel])}
    strata, shares = _strata(rows, names)
    return GuiseAudit(
        bank,
        tuple(auditors),
        np.array([known[name] for name in names], dtype=np.int64),
        verdicts,
        _differs(rows["amounts_match"], at, verdicts.shape[1:]),
        _differs(rows["years_match"], at, verdicts.shape[1:]),
        strata,
        shares,
    )


def _differs(
    match: pl.Series, at: tuple[NDArray[np.int64], NDArray[np.int64]], shape: tuple[int, ...]
) -> Flags:
    found = np.zeros(shape, dtype=np.bool_)
    np.logical_or.at(found, at, ~match.fill_null(value=True).to_numpy())
    return found


def _strata(rows: pl.DataFrame, names: list[str]) -> tuple[tuple[NDArray[np.int64], ...], Array]:
    """Places and population shares of strata; one stratum where none is named."""
    own = rows.group_by("complaint").agg(pl.col("stratum").first(), pl.col("weight").first())
    by_name = {c: (s, w) for c, s, w in own.iter_rows()}
    stratum = [by_name[name][0] or "" for name in names]
    kinds = sorted(set(stratum))
    places = tuple(np.flatnonzero([s == kind for s in stratum]) for kind in kinds)
    weights = [by_name[names[int(p[0])]][1] for p in places]
    if any(w is None for w in weights) or sum(weights) <= 0:
        weights = [p.size for p in places]
    shares = np.array(weights, dtype=np.float64)
    return places, shares / shares.sum()


def _either(found: GuiseAudit) -> Flags:
    """Guises that some auditor calls materially changed, (C, 36)."""
    return np.asarray(found.material.any(axis=0))


def flag_table(statistics: Statistics, choices: Choices) -> pl.DataFrame:
    """Weighted shares of guises that auditors call materially changed (FA2).

    Returns
    -------
    polars.DataFrame
        who (an auditor, either, both, or the exact checks of amounts and years), rate, low, high
        (shares). Empty without audited guises.
    """
    found = guise_audit(statistics)
    if isinstance(found, str):
        return pl.DataFrame(schema=_FLAGS)
    return _flag_table(found, only(choices, ("alpha", *RESAMPLING)))


def _flag_table(found: GuiseAudit, choices: Choices) -> pl.DataFrame:
    flags: dict[str, Flags] = dict(zip(found.auditors, found.material, strict=True))
    flags[EITHER] = _either(found)
    flags[BOTH] = np.asarray(found.material.all(axis=0))
    flags |= {"amounts": found.amounts, "years": found.years}
    rows = np.stack([f.mean(axis=1) for f in flags.values()])
    drawn = sampled(*found.weighted(rows, choices))
    ends = drawn.interval(1 - choices.number("alpha"))
    return pl.DataFrame(
        {"who": list(flags), "rate": drawn.estimate, "low": ends[:, 0], "high": ends[:, 1]},
        schema=_FLAGS,
    ).with_columns(pl.col(pl.Float64).fill_nan(None))


_FLAGS = {"who": pl.String, **dict.fromkeys(("rate", "low", "high"), pl.Float64)}


def level_flags(statistics: Statistics) -> pl.DataFrame:
    """Unweighted shares of guises flagged by either auditor, by persona level.

    Returns
    -------
    polars.DataFrame
        factor, level, rate, flagged, guises.
    """
    found = guise_audit(statistics)
    rows = []
    if not isinstance(found, str):
        either = _either(found)
        for factor, levels in PERSONA_LEVELS.items():
            for level in levels:
                own = either[:, design.in_level(factor, level)]
                rows.append((factor, level, float(own.mean()), int(own.sum()), own.size))
    schema = {
        "factor": pl.String,
        "level": pl.String,
        "rate": pl.Float64,
        "flagged": pl.Int64,
        "guises": pl.Int64,
    }
    return pl.DataFrame(rows, schema=schema, orient="row")


def other_flags(statistics: Statistics, kind: str, choices: Choices) -> pl.DataFrame:
    """Shares of standardised or edited texts that auditors flag (FA1, FA5).

    Standardised texts: mean over complaints with the weights of their strata. Edits: plain shares
    of texts, since edits are known to be material and serve to check the auditors.

    Returns
    -------
    polars.DataFrame
        who, rate, low, high (shares), texts.
    """
    pairs = _pairs(statistics, kind)
    schema = {**_FLAGS, "texts": pl.Int64}
    if pairs is None:
        return pl.DataFrame(schema=schema)
    auditors, table = pairs
    flags = {a: table[a].to_numpy() == MATERIAL for a in auditors}
    stacked = np.stack(list(flags.values()))
    flags |= {EITHER: stacked.any(axis=0), BOTH: stacked.all(axis=0)}
    weights = _text_weights(table, weighted=kind == "standardised")
    draws, seed = sampling(choices)
    names, place = np.unique(table["complaint"].to_numpy(), return_inverse=True)
    rows = []
    for who, own in flags.items():
        parts = np.zeros((2, names.size))
        np.add.at(parts[0], place, own * weights)
        np.add.at(parts[1], place, weights)
        rate = float(parts[0].sum() / parts[1].sum())
        low = high = None
        if names.size > 1:
            totals = resampled_sums(parts, draws, seed)
            tail = choices.number("alpha") / 2
            low, high = map(float, np.quantile(totals[0] / totals[1], [tail, 1 - tail]))
        rows.append((who, rate, low, high, own.size))
    return pl.DataFrame(rows, schema=schema, orient="row")


def _text_weights(table: pl.DataFrame, *, weighted: bool) -> Array:
    """Weight of each text: its stratum's share spread over the stratum's texts."""
    if not weighted or table["weight"].null_count():
        return np.ones(table.height)
    size = table.select(pl.len().over("stratum")).to_series().to_numpy()
    return np.asarray(table["weight"].to_numpy() / size)


def _pairs(statistics: Statistics, kind: str) -> tuple[tuple[str, ...], pl.DataFrame] | None:
    """One row a text with a column for each auditor's verdict; texts that all could judge.

    Parameters
    ----------
    kind
        One of `TEXT_KINDS`, or all.
    """
    if statistics.audit is None:
        return None
    rows = statistics.audit.filter(pl.col("valid"))
    if kind in TEXT_KINDS:
        rows = rows.filter(pl.col("text_kind") == kind)
    if rows.is_empty():
        return None
    auditors = tuple(design.in_order(rows["auditor"].unique().to_list(), design.auditors()))
    coded = rows.with_columns(
        code=pl.col("verdict").replace_strict(
            list(VERDICTS), list(range(len(VERDICTS))), return_dtype=pl.Int64
        )
    )
    wide = coded.pivot("auditor", index=[*KEYS, "stratum", "weight"], values="code").drop_nulls(
        list(auditors)
    )
    return (auditors, wide) if wide.height else None


def agreement_table(statistics: Statistics) -> pl.DataFrame:
    """How far the first two auditors agree (FA6), by kind of text and over all.

    Returns
    -------
    polars.DataFrame
        kind, texts; agreement and kappa on the material flag, kappa_3 on the three verdicts (null
        where one class only was given).
    """
    rows = []
    for kind in (*TEXT_KINDS, "all"):
        pairs = _pairs(statistics, kind)
        if pairs is None or len(pairs[0]) < 2:
            continue
        one, other = (pairs[1][a].to_numpy() for a in pairs[0][:2])
        flags = confusion(
            (one == MATERIAL).astype(np.int64), (other == MATERIAL).astype(np.int64), 2
        )
        three = confusion(one, other, len(VERDICTS))
        rows.append(
            (kind, one.size, observed_agreement(flags), cohens_kappa(flags), cohens_kappa(three))
        )
    schema = {
        "kind": pl.String,
        "texts": pl.Int64,
        **dict.fromkeys(("agreement", "kappa", "kappa_3"), pl.Float64),
    }
    return pl.DataFrame(rows, schema=schema, orient="row").with_columns(
        pl.col(pl.Float64).fill_nan(None)
    )


def passing(found: GuiseAudit, screen: tuple[str, ...]) -> Flags:
    """Say which guises pass the screen, (C, 36).

    Parameters
    ----------
    screen
        Auditors whose valid verdicts count, and the exact checks amounts and years.
    """
    failed = np.zeros(found.amounts.shape, dtype=np.bool_)
    for auditor, flags in zip(found.auditors, found.material, strict=True):
        if auditor in screen:
            failed |= flags
    if "amounts" in screen:
        failed |= found.amounts
    if "years" in screen:
        failed |= found.years
    return ~failed


@dataclass(frozen=True, eq=False)
class Screened:
    """Instability and gaps of one decider among all guises and among those that pass."""

    decider: Decider
    passing: float
    """Mean number of guises that pass, of 36."""
    differ: Sampled
    """(3,) pairwise monetary disagreement: all, passing, their ratio."""
    mpad: Sampled
    """(3,) the same of the graded outcome."""
    gaps: Sampled
    """(9,) graded gaps: all, passing, difference, three contrasts each."""
    money_gaps: Sampled
    """(9,) the same of monetary decisions, as shares."""
    departing: tuple[float, float]
    """Share flagged by either auditor among guises that depart from their complaint's more frequent
    decision, and among the others; NaN where there are none."""


def screened(statistics: Statistics, decider: Decider, choices: Choices) -> Screened | str:
    """Compare guises that pass the screen with all (FA3, FA4), or say why it cannot be done; kept.

    Complaints with fewer than two passing guises enter neither side of a ratio (a reading).
    """
    keys = ("outcome", "screen", *DECIDING, *RESAMPLING)
    return _screened(statistics, decider, only(choices, keys))


@lru_cache(maxsize=64)
def _screened(statistics: Statistics, decider: Decider, choices: Choices) -> Screened | str:
    found = guise_audit(statistics)
    if isinstance(found, str):
        return found
    texts = Texts(statistics.main_panel, found.bank)
    made = decide(statistics, texts, decider.system, choices)
    kind = graded_kind(statistics, decider.system, choices)
    values = outcome(statistics, texts, decider.system, kind, choices)
    if values is None or made.why:
        return made.why or "The panel has no answers of this system on the audited texts."
    own = values[found.complaints]
    paid = made.paid[found.complaints].astype(np.float64)
    there = made.there[found.complaints] & ~np.isnan(own)
    passed = passing(found, choices.many("screen")) & there
    enough = passed.sum(axis=1) >= 2
    money = [
        pairwise_disagreement((paid * mask).sum(axis=1), mask.sum(axis=1))
        for mask in (there, passed)
    ]
    spread = [mean_pairwise_difference(np.where(mask, own, np.nan)) for mask in (there, passed)]
    either = _either(found)
    return Screened(
        decider,
        float(passed.sum(axis=1).mean()),
        _ratio(found, money, enough, choices),
        _ratio(found, spread, enough, choices),
        _gaps(found, own, there, passed, choices),
        _gaps(found, paid, there, passed, choices),
        _departing(paid, there, either),
    )


def _ratio(found: GuiseAudit, pair: list[Array], enough: Flags, choices: Choices) -> Sampled:
    """All, passing and passing over all, of complaints with enough guises."""
    rows = np.stack([*(np.where(enough, p, 0.0) for p in pair), enough.astype(np.float64)])
    rows = np.nan_to_num(rows)
    estimate, draws = found.weighted(rows, choices)
    with np.errstate(invalid="ignore", divide="ignore"):
        values = [
            np.stack([part[0] / part[2], part[1] / part[2], part[1] / part[0]])
            for part in (estimate, draws)
        ]
    return sampled(values[0], values[1])


def _gaps(
    found: GuiseAudit, values: Array, there: Flags, passed: Flags, choices: Choices
) -> Sampled:
    """Weighted gaps among all and among passing guises, and all less passing, (9,)."""
    gaps = []
    for mask in (there, passed):
        means = side_means(np.where(mask, values, 0.0), mask)
        gaps.append(means[0] - means[1])
    rows = np.concatenate([*gaps, gaps[0] - gaps[1]])
    complete = ~np.isnan(rows).any(axis=0)
    filled = np.concatenate([np.where(complete, rows, 0.0), complete[None].astype(np.float64)])
    estimate, draws = found.weighted(filled, choices)
    return sampled(estimate[:-1] / estimate[-1], draws[:-1] / draws[-1])


def _departing(paid: Array, there: Flags, flagged: Flags) -> tuple[float, float]:
    hits, count = (paid * there).sum(axis=1), there.sum(axis=1)
    majority = hits * 2 > count
    # Without a more frequent decision nothing departs from it.
    clear = hits * 2 != count
    departs = (paid != majority[:, None]) & there & clear[:, None]
    agrees = (paid == majority[:, None]) & there & clear[:, None]
    shares = [float(flagged[m].mean()) if m.any() else float("nan") for m in (departs, agrees)]
    return shares[0], shares[1]


def audited_deciders(statistics: Statistics) -> tuple[Decider, ...]:
    """List who decided the audited guises."""
    found = guise_audit(statistics)
    if isinstance(found, str):
        return ()
    return tuple(d for d in deciders(statistics, statistics.main_panel) if d.bank == found.bank)


def screen_table(statistics: Statistics, choices: Choices) -> pl.DataFrame:
    """Screened instability as a function of which auditors count: one row a decider and screen.

    Returns
    -------
    polars.DataFrame
        system, system_id, screen (in words), screen_id, chosen; passing (guises of 36); all and
        screened (pairwise monetary disagreement, shares), ratio, low, high; mpad_ratio; reason.
    """
    found = guise_audit(statistics)
    if isinstance(found, str):
        return pl.DataFrame(schema=_SCREENS)
    level = 1 - choices.number("alpha")
    chosen = choices.many("screen")
    options = [*((a, "amounts") for a in found.auditors), (*found.auditors, "amounts")]
    if chosen not in options:
        options.append(chosen)
    rows: list[tuple[object, ...]] = []
    for decider in audited_deciders(statistics):
        for screen in options:
            own = screened(statistics, decider, choices.replace(screen=screen))
            name = " + ".join(design.system_name(s) for s in screen)
            head = (design.system_name(decider.system), decider.system, name, "+".join(screen),
                    screen == chosen)  # fmt: skip
            if isinstance(own, str):
                rows.append((*head, *[None] * 7, own))
                continue
            low, high = own.differ.interval(level)[2]
            rows.append((*head, own.passing, *own.differ.estimate, low, high,
                         own.mpad.estimate[2], ""))  # fmt: skip
    return pl.DataFrame(rows, schema=_SCREENS, orient="row").with_columns(
        pl.col(pl.Float64).fill_nan(None)
    )


_SCREENS = {
    **dict.fromkeys(("system", "system_id", "screen", "screen_id"), pl.String),
    "chosen": pl.Boolean,
    **dict.fromkeys(
        ("passing", "all", "screened", "ratio", "low", "high", "mpad_ratio"), pl.Float64
    ),
    "reason": pl.String,
}
