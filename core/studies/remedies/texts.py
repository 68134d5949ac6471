"""What the remedies page says: introductions, limits, and where the source contradicts itself."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from core.limits import Limits
from core.words import listed, number

TWO_SCALES = (
    "Signed: do guises of one style fare better on average? Unsigned: does the same complaint get "
    "another answer in another guise, whichever way? A gap can be practically zero because changes "
    "in one direction cancel those in the other, so a small gap does not bound instability; and an "
    "unstable system need not lean to any group, so instability does not bound the gap."
)

MATERIALITY = (
    "Three questions about the same gap. Is it zero? Is it too small to matter (inside the bound)? "
    "Is it large enough to matter (outside)? Each has its own test, and a gap can be both real and "
    "small. The bounds were chosen after the results were known."
)

RULES = (
    "Jev gives probabilities, and somebody must decide when money is paid. Rate, disagreement, "
    "gaps and the effect of facts move together with that rule, so rules are comparable only at "
    "the same volume."
)

VARIATION = (
    "Complaint x persona x bank x order, one answer each. The variation between complaints is left "
    "out, since complaints should differ. What remains is split into parts; which part a term "
    "belongs to is a decision, and you can move terms."
)

DISPARITY = (
    "D is the spread of the 36 persona effects that all complaints share, relative to the spread "
    "among complaints, both without noise. Only differences of D are printed in the study."
)

EDITS = (
    "One fact is changed and all else is kept. The fact span is the answer to the strengthened "
    "text less that to the weakened one; beside it stands the largest gap between guises."
)

MITIGATION = (
    "Every complaint is first rewritten into a standard style, then decided. A standardised text "
    "never replaces the original: the original stays on file and decides in doubt."
)

AVERAGING = (
    "Part of the fall from one style to the mean of three is mechanical: averaging three answers "
    "lowers differences even where style does nothing."
)

CHANNELS = (
    "A gap goes with a family of properties as far as texts of the two styles differ in them and "
    "they go with the answer. The parts add up to the gap exactly, whatever their order. Nobody "
    "changed one property alone, so this describes and does not show causes."
)

RECOGNISED = (
    "Is the gap larger where a reader can tell the style? The subset is chosen after the rewrite, "
    "so other differences may come along."
)

AUDIT = (
    "Two models compared each guise with its source. Flag rates weigh both strata of complaints by "
    "their share. The auditors agree little beyond chance, so who counts matters."
)

REFERRAL = (
    "The most uncertain answers go to people. Shown is which styles they would come from. Which "
    "measure and test the study used is not stated; these are ours."
)

REGISTRATION = (
    "All 30 hypotheses with what was registered, what came out, and whether the numbers here are "
    "recomputed from rows."
)

LIMITS = Limits(
    always=(
        "Whether a remedy was right: there is no ground truth, so differences are not called "
        "errors or bias.",
        "How people of a group would fare: guises are a model’s idea of how young or old, rich or"
        " poor people write. No complainant was asked.",
        "Whether a gap is lawful: .80 is a benchmark borrowed from employment selection, and "
        "smaller differences can be adverse impact. Nothing here is legal advice.",
        "That small gaps mean small instability: the two scales answer different questions.",
        "What caused a gap: properties of texts go together, and none was changed alone.",
    ),
    of_document=(
        "That a model decides better than another: the two GPT models decide their own texts "
        "only, so differences between them mix the decider with the writer.",
        "Which of order, noise and complaint the order variance belongs to, how high D is, or how"
        " any single complaint was decided: the document does not print them, and rows that meet "
        "its figures differ in them.",
    ),
)
"""What the page says it does not show."""


@dataclass(frozen=True, slots=True)
class Caveat:
    """A statement of the source that is withdrawn, inconsistent or ambiguous."""

    place: str
    """Section of the page that it belongs to."""
    says: str
    """What the document says, and where."""
    reading: str
    """The corrected reading, or the one that is used here."""


CAVEATS: tuple[Caveat, ...] = (
    Caveat(
        "variation",
        "Sec. 3.3 speaks of 15 within-complaint terms; the table of App. C lists 14.",
        "There are 15 effects with the one between complaints and 14 without it.",
    ),
    Caveat(
        "variation",
        "The interval [42.2, 51.5] printed for rewrite-model differences also holds KxB, which "
        "belongs to another part; that for order and noise holds the persona-order terms.",
        "Intervals here follow the terms that are in a part; with KxB moved the part is the one in "
        "print, and its interval that of these rows.",
    ),
    Caveat(
        "variation",
        "The headline 1.6 percent for personas has no interval.",
        "It is the sum of K and CxK; its interval here is ours.",
    ),
    Caveat(
        "mitigation",
        "The abstract gives 96 to 102 percent retention to one standard style and GPT-4o-mini.",
        "One style gives 0.99 (GPT-4o-mini) and 1.02 (Jev); 0.96 is the mean of three styles.",
    ),
    Caveat(
        "scales",
        "“Every monetary-rate gap within 0.5 pp” (Sec. 1, 4.2); Sec. 5.2 says below.",
        "It holds for all 1,000 held-out complaints. On their first 500, GPT-4o-mini has gaps of "
        "0.63 and 0.80 pp.",
    ),
    Caveat(
        "mitigation",
        "Standardising removes 94 and 87 percent of the gaps.",
        "That is in tiers. In monetary rates the printed gaps fall by 78 and 47 percent.",
    ),
    Caveat(
        "disparity",
        "H3b and H6 are confirmatory, with the corrected interval.",
        "The corrected bootstrap was committed on 20 October 2026, after the results of 19 "
        "October: a confirmatory label with a post hoc interval. App. B has both.",
    ),
    Caveat(
        "disparity",
        "H4’s criterion is a ratio; the printed results are differences.",
        "Their sign is read as averaging minus voting; the level of the second interval is "
        "inferred.",
    ),
    Caveat(
        "disparity",
        "Pooled, GPT-5-mini: −0.005 stands at the lower end of its registered interval "
        "[−0.005, 0.007].",
        "The corrected interval, [−0.010, 0.006], has it inside.",
    ),
    Caveat(
        "variation",
        "App. B calls H1 a persona-specific share of total variation.",
        "It is a relative excess of distances; the main text denies the other reading.",
    ),
    Caveat(
        "registration",
        "Sec. 3.7 has two amendments, the timeline three entries (1, 2a, 2b). Amendment 1, 4,000 "
        "complaints for H6, was not carried out after a review of materiality.",
        "H6 is inconclusive and was not extended.",
    ),
    Caveat(
        "rules",
        "Frozen analyses match volume only roughly (9.0 against 8.6 percent); Table 1 matches it "
        "exactly.",
        "Both rules are among the choices; exact matching is the corrected one.",
    ),
    Caveat(
        "rules",
        "Jev’s non-unanimous shares 10.0 and 12.6 percent are printed without saying for which "
        "texts, and 3.0 and 3.5 percent without saying for which shift of volume.",
        "12.6 is read as the texts of GPT-4o-mini, 3.0 as the lower volume; a search could reverse "
        "the first, so it varies.",
    ),
    Caveat(
        "mitigation",
        "Jev’s pairwise disagreement is 3.3, 2.3 and 3.3 in three samples; its rule is not named "
        "in two of them.",
        "2.3 is read as the most probable tier, 3.3 as the matched threshold.",
    ),
    Caveat(
        "edits",
        "The ratio for Jev is printed as 75; 1.06 over 0.014 is 76.",
        "Rounding of the inputs covers it. For GPT-5-mini, 387 implies a largest gap of 0.0033 "
        "tier, which is not printed.",
    ),
    Caveat(
        "edits",
        "69 percent moved up, for Jev’s most probable tier in Sec. 4.6 and for GPT-5-mini in "
        "Table 3.",
        "Both are kept as printed; it may be a coincidence.",
    ),
    Caveat(
        "channels",
        "Persona shares of attributes differ between the whole panel (0.73, 0.71, 0.58) and the "
        "first 500 complaints (0.72, 0.70, 0.55).",
        "Two samples; the texts of the first set are not named.",
    ),
    Caveat(
        "channels",
        "79 percent of the education gap is explained, but the printed parts sum to 81.",
        "Rounding of the parts decides.",
    ),
    Caveat(
        "scales",
        "The two GPT models decide only their own rewrites.",
        "Differences between them mix decider and writer; compare each with Jev on its own texts.",
    ),
    Caveat(
        "audit",
        "Eight kinds of difference in Sec. 3.9, nine in the auditors’ form.",
        "The form adds “other”.",
    ),
)


def caveats(place: str) -> tuple[Caveat, ...]:
    """List what to know in one section of the page."""
    return tuple(caveat for caveat in CAVEATS if caveat.place == place)


def scales_alt(scales: pl.DataFrame) -> str:
    """Alternative text of the two scales."""
    parts = [
        f"{r['decider']}: largest gap {number(r['largest_gap'], 2)} pp, guises differ "
        f"{number(r['differ'], 1)}%"
        for r in scales.drop_nulls(["largest_gap", "differ"]).iter_rows(named=True)
    ]
    return "Signed gaps beside individual instability. " + "; ".join(parts) + "."


def verdicts_alt(rows: pl.DataFrame) -> str:
    """Alternative text of a verdict grid."""
    told = [f"{r['decider']}, {r['contrast']}" for r in rows.filter("flip").iter_rows(named=True)]
    return (
        f"Verdicts of {rows['decider'].n_unique()} deciders. Differing from the planned setting: "
        f"{listed(told) or 'none'}."
    )
