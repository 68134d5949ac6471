"""The claims of the remedies study: directional gaps, and gaps too small to matter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from core import basis
from core.choices import Choices, Value
from core.claims import JUDGED, Claim, HeldAgainst, StudyClaims
from core.multiverse.outcomes import Codes, Outcomes
from core.multiverse.specs import Specs
from core.stats.resampling import Progress
from core.studies.remedies import estimate, stated
from core.studies.remedies.choices import DECIDING, DECLARATION, RESAMPLING
from core.studies.remedies.contract import STUDY
from core.studies.remedies.design import CONTRAST_KEYS, CONTRASTS
from core.studies.remedies.estimate import QUANTITIES, Findings, analyse, panel_of
from core.studies.remedies.formats import OUTCOMES, SHORT
from core.studies.remedies.many import judge_many
from core.studies.remedies.null import null_verdicts
from core.studies.remedies.reconstructions import Ensemble
from core.studies.remedies.reduce import Statistics
from core.studies.remedies.scales import Decider, deciders
from core.studies.remedies.tables import claim_table, compare, material_table, who
from core.verdicts import Verdict
from core.words import number

NOT_THERE = "This sample has no decisions of this system on these texts."

TIERS = "tiers"
UNITS = {"gap": "pp", "h": "h", "air": "ratio"}
_MATTERS = {
    "gap": "the gap of monetary rates",
    "h": "Cohen’s h of the monetary rates",
    "air": "the impact ratio",
}
_SHORT_QUANTITIES = {"gap": "gap", "h": "h", "air": "impact ratio"}


class RemedyClaims(StudyClaims[Statistics, Findings]):
    """Directional claims of every decider, then its three tests of materiality."""

    declaration = DECLARATION
    ensemble_type = Ensemble
    hinge = "gap_bound"
    searched_a_second = 200
    because = (
        "This claim is told first because this is the largest gap of the held-out complaints "
        "that the document prints."
    )

    def claims(self, statistics: Statistics) -> tuple[Claim, ...]:
        """List the claims about the deciders of the planned sample."""
        panel = panel_of(statistics, DECLARATION.planned)
        who_decides = deciders(statistics, panel)
        found = []
        for decider in who_decides:
            labels = statistics.gives_labels(decider.system)
            for outcome in ("tier",) if labels else ("e_tier", "argmax"):
                found += [_directional(decider, outcome, k, labels) for k in range(len(CONTRASTS))]
        for decider in who_decides:
            for k in range(len(CONTRASTS)):
                labels = statistics.gives_labels(decider.system)
                found += [_material(decider, k, quantity, labels) for quantity in QUANTITIES]
        return tuple(found)

    def main(self, statistics: Statistics) -> Claim:
        """Return whether the education gap of the first system is too small to matter.

        It is the largest gap of the held-out complaints that the document prints.
        """
        claims = self.claims(statistics)
        own = [c for c in claims if c.key.endswith(f"~{CONTRAST_KEYS[1]}~gap")]
        return (own or list(claims))[0]

    def judge(self, statistics: Statistics, choices: Choices) -> pl.DataFrame:
        """Judge gaps in tiers by direction, and gaps of rates by their bounds."""
        comparison = compare(statistics, analyse(statistics, choices))
        directional = claim_table(comparison).select(
            _key("outcome"),
            pl.col("verdict_now").alias("verdict"),
            "estimate",
            "low",
            "high",
            pl.lit(TIERS).alias("unit"),
            "p",
            "p_adjusted",
            "reason",
        )
        material = material_table(comparison).select(
            _key("quantity_id"),
            pl.col("verdict_now").alias("verdict"),
            "estimate",
            pl.col("matching_low").alias("low"),
            pl.col("matching_high").alias("high"),
            pl.col("quantity_id").replace_strict(UNITS, return_dtype=pl.String).alias("unit"),
            pl.col("p_equivalent").alias("p"),
            pl.lit(None).alias("p_adjusted"),
            "reason",
        )
        rows = pl.concat([directional.cast(JUDGED), material.cast(JUDGED)])
        wanted = pl.DataFrame({"claim": [claim.key for claim in self.claims(statistics)]})
        return wanted.join(rows, on="claim", how="left", maintain_order="left").with_columns(
            pl.col("verdict").fill_null(Verdict.CANNOT_COMPUTE.value),
            pl.col("unit").fill_null(""),
            pl.col("reason").fill_null(NOT_THERE),
        )

    def states(
        self,
        ensemble: basis.Ensemble[Statistics, Findings],
        choices: Choices,
        judged: pl.DataFrame,
    ) -> NDArray[np.bool_]:
        """Say which verdicts printed intervals and the text settle."""
        said = [_stated(claim, choices) for claim in self.claims(ensemble.statistics[0])]
        pairs = zip(said, judged["verdict"], strict=True)
        return np.array([one is not None and one == now for one, now in pairs], dtype=np.bool_)

    def beside(
        self, ensemble: basis.Ensemble[Statistics, Findings], choices: Choices, claim: Claim
    ) -> str:
        """Say how unstable single decisions are beside a gap that may be too small to matter."""
        decider, _, what = cell_of(claim)
        found = ensemble.findings(choices)
        if what not in QUANTITIES or decider not in found[0].deciders:
            return ""
        printed = stated.instability(decider, "mixed", choices, ensemble.pins)
        shares = [
            100 * float(own.money[own.deciders.index(decider)].mixed.estimate[0])
            for own in found
            if not own.money[own.deciders.index(decider)].why
        ]
        if not shares:
            return ""
        told = [printed.value] if printed is not None else [min(shares), max(shares)]
        said = " to ".join(dict.fromkeys(f"{number(share, 1)}%" for share in told))
        return (
            f"Beside it, individual instability: in {said} of complaints the style decides whether "
            f"{who(decider)['system']} grants money. A small gap between groups does not bound "
            "this."
        )

    def decided(self, claim: Claim, choices: Choices) -> str:
        """Say what decides a claim, with the error rate and the bound in use."""
        what = cell_of(claim)[2]
        return _inside(what, choices) if what in QUANTITIES else _supported(choices)

    def held_against(
        self, statistics: Statistics, choices: Choices, claim: Claim
    ) -> tuple[HeldAgainst, ...]:
        """List the test of a bound and the test of no difference, of a gap that may be small."""
        what = cell_of(claim)[2]
        if what not in QUANTITIES:
            return ()
        table = material_table(compare(statistics, analyse(statistics, choices)))
        own = table.filter(_key("quantity_id") == claim.key, pl.col("reason") == "")
        if own.is_empty():
            return ()
        row, alpha = own.row(0, named=True), choices.number("alpha")
        key = _BOUNDS[what]
        bound, nothing = (
            DECLARATION[key].say(choices[key]),
            "equal rates" if what == "air" else "zero",
        )
        return (
            HeldAgainst(
                f"the bound of {bound}",
                1 - 2 * alpha,
                row["matching_low"],
                row["matching_high"],
                row["p_equivalent"],
                "that it is inside",
            ),
            HeldAgainst(
                nothing,
                1 - alpha,
                row["low"],
                row["high"],
                row["p_zero"],
                f"that it is not {nothing}",
            ),
        )

    moving = (
        *("sample", *DECIDING, "gate", "family", "alpha"),
        *("gap_bound", "h_bound", "air_bound", *RESAMPLING),
    )
    opening = (
        *("sample", "rule", "order", "gate", "family", "alpha"),
        *("gap_bound", "h_bound", "air_bound", "seed"),
    )

    @property
    def values(self) -> Mapping[str, tuple[Value, ...]]:
        """Values to look at: usual error rates, and bounds on either side of those taken."""
        return {
            "draws": ("500", "2000"),
            "shift": (-1.0, 0.0, 1.0),
            "threshold": (0.15, 0.25, 0.35),
            "alpha": (0.01, 0.025, 0.05, 0.075, 0.1),
            "gap_bound": (0.25, 0.5, 0.75, 1.0, 2.0),
            "h_bound": (0.02, 0.05, 0.1, 0.15, 0.2),
            "air_bound": (0.7, 0.8, 0.85, 0.9, 0.95),
        }

    def judge_many(self, statistics: Statistics, specs: Specs, claims: Sequence[Claim]) -> Outcomes:
        """Judge many specifications; those that differ in their judgement share resamples."""
        return judge_many(statistics, specs, [cell_of(claim) for claim in claims])

    def null_verdicts(
        self,
        statistics: Statistics,
        specs: Specs,
        claim: Claim,
        *,
        permutations: int,
        seed: int,
        progress: Progress | None = None,
    ) -> Codes:
        """Judge a directional claim over complaints with random signs."""
        decider, contrast, what = cell_of(claim)
        own = estimate.Claim(decider, what, contrast)
        return null_verdicts(statistics, specs, own, permutations, seed, progress)

    def why(self, statistics: Statistics, choices: Choices, claim: Claim) -> str:
        """Say why a claim has no verdict."""
        judged = self.judge(statistics, choices)
        return str(judged.filter(pl.col("claim") == claim.key)["reason"][0])


def _stated(claim: Claim, choices: Choices) -> Verdict | None:
    decider, contrast, what = cell_of(claim)
    if what in QUANTITIES:
        return stated.says_material(decider, contrast, what, choices)
    return stated.says_claim(estimate.Claim(decider, what, contrast), choices)


def cell_of(claim: Claim) -> tuple[Decider, int, str]:
    """Return the decider, the position of the contrast, and the outcome or quantity."""
    system, bank, contrast, what = map(_unescaped, claim.key.split("~"))
    return Decider(system, bank), CONTRAST_KEYS.index(contrast), what


def key_of(decider: Decider, contrast: str, what: str) -> str:
    """Join ids; signs that a name of a panel's own might hold are escaped."""
    return "~".join(map(_escaped, (*decider, contrast, what)))


def _escaped(name: str) -> str:
    return name.replace("%", "%25").replace("~", "%7E")


def _unescaped(name: str) -> str:
    return name.replace("%7E", "~").replace("%25", "%")


def of_decider(decider: Decider, what: str) -> list[str]:
    """Return the keys of one decider's claims about an outcome or quantity."""
    return [key_of(decider, contrast, what) for contrast in CONTRAST_KEYS]


def _key(what: str) -> pl.Expr:
    columns = (pl.col(c) for c in ("system_id", "bank_id", "key", what))
    escaped = (
        own.str.replace_all("%", "%25", literal=True).str.replace_all("~", "%7E", literal=True)
        for own in columns
    )
    return pl.concat_str(*escaped, separator="~").alias("claim")


_BOUNDS = {quantity: f"{quantity}_bound" for quantity in QUANTITIES}


def _supported(choices: Choices) -> str:
    adjusted = "" if choices["gate"] == "none" else ", adjusted for the claims tested together,"
    return (
        "It is supported where the interval of the gap, over whole complaints, lies above zero and "
        f"the p-value{adjusted} is below {DECLARATION['alpha'].say(choices['alpha'])}."
    )


def _inside(quantity: str, choices: Choices) -> str:
    key = _BOUNDS[quantity]
    bound = DECLARATION[key].say(choices[key])
    if quantity == "air":
        return (
            "It stands where the interval that matches its one-sided test, over whole complaints, "
            f"lies above {bound}: “equivalent”, or “both” where equal rates are left out as well."
        )
    return (
        "It stands where the interval that matches two one-sided tests, over whole complaints, "
        f"lies within {bound} of zero: “equivalent”, or “both” where zero is left out as well. "
        "Both words mean inside the bound."
    )


def _directional(decider: Decider, outcome: str, contrast: int, labels: bool) -> Claim:
    name, styles = who(decider), CONTRASTS[contrast].styles
    return Claim(
        study=STUDY,
        key=key_of(decider, CONTRAST_KEYS[contrast], outcome),
        title=f"{name['decider']}: {SHORT[CONTRASTS[contrast].name]}, {OUTCOMES[outcome]}",
        sentence=f"{name['system']} gives texts in {styles[0]} a higher {OUTCOMES[outcome]} than "
        f"texts in {styles[1]} ({name['bank']}).",
        rule="superiority",
        unit=TIERS,
        decided=_supported(DECLARATION.planned),
        group=f"{CONTRAST_KEYS[contrast]}, {'tier' if labels else outcome}",
        status="secondary" if labels else "confirmatory",
        part=(("system", decider.system), ("bank", decider.bank)),
        unmoved=(*_BOUNDS.values(), *(DECIDING if labels else _RULES)),
    )


_RULES = tuple(key for key in DECIDING if key != "order")
"""Choices that make a probability a decision; the order of the options moves the answer itself."""


def _material(decider: Decider, contrast: int, quantity: str, labels: bool) -> Claim:
    name, styles = who(decider), CONTRASTS[contrast].styles
    return Claim(
        study=STUDY,
        key=key_of(decider, CONTRAST_KEYS[contrast], quantity),
        title=f"{name['decider']}: {SHORT[CONTRASTS[contrast].name]}, "
        f"{_SHORT_QUANTITIES[quantity]} small",
        sentence=f"For {name['system']}, {_MATTERS[quantity]} between texts in {styles[0]} and in "
        f"{styles[1]} stays inside its bound ({name['bank']}).",
        rule="margin",
        unit=UNITS[quantity],
        decided=_inside(quantity, DECLARATION.planned),
        group=f"{CONTRAST_KEYS[contrast]}, {quantity}",
        status="post hoc",
        part=(("system", decider.system), ("bank", decider.bank)),
        view=(("section", "Materiality"), ("quantity", quantity)),
        unmoved=(
            *("gate", "family"),
            *(bound for own, bound in _BOUNDS.items() if own != quantity),
            *(DECIDING if labels else ()),
        ),
    )


CLAIMS = RemedyClaims()
