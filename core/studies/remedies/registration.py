"""The registration ledger: every hypothesis with its criterion, its result, and what the app does.

Status labels are the study's own: C confirmatory, E exploratory, descriptive; none where the
document prints none.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import polars as pl

from core.reference import table
from core.studies.remedies.contract import STUDY

RECOMPUTED: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "H1": ("yes", "ratio of means over complaints; the document does not say which ratio"),
        "H2": ("yes", "three contrasts, two outcomes, two banks, Benjamini-Hochberg"),
        "H3a": ("yes", "over complaint, persona and residual variance: our denominator"),
        "H3b": ("yes", "difference of D, with both bootstraps"),
        "H4": ("partly", "differences of D; the criterion is a ratio that is not printed, and how "
               "a tied vote is settled is not said"),
        "H5": ("partly", "referral rates by contrast; the document’s own test is not defined"),
        "H6": ("yes", "difference of D, with both bootstraps"),
        "H-A1": ("yes", "persona share of each attribute; the bound is not printed"),
        "H-A2": ("yes", "Gelbach contributions by family"),
        "H-A3": ("yes", "gaps where the cue is recognised and where it is not"),
        "H-A4": ("yes", "R2 within complaints; which targets give the printed ends is not said"),
        "H-A5": ("yes", "R2 within complaints"),
        "PC1": ("yes", "paired effect of strengthened facts"),
        "PC2": ("yes", "paired effect of weakened facts"),
        "PC3": ("yes", "paired effect of amounts times ten; exploratory"),
        "PC4": ("yes", "fact span over the largest persona gap"),
        "PC5": ("yes", "shifts of attributes; which spread they are divided by is a reading"),
        "MH1": ("yes", "reduction with its interval, and what is left of the gap"),
        "MH2": ("yes", "difference of MPAD, M0 less M1"),
        "MH3": ("yes", "retained share of the fact span"),
        "MH4": ("yes", "correlations of complaint means; persona shares under both arms"),
        "MH5": ("yes", "difference of MPAD, M1 less M2; averaging alone lowers it"),
        "FA1": ("yes", "share of known edits that are flagged"),
        "FA2": ("yes", "flag rates weighted by stratum"),
        "FA3": ("yes", "instability among passing guises over that among all"),
        "FA4": ("yes", "flag rates of departing guises; which flag is not said"),
        "FA5": ("yes", "flag rates of standardised texts"),
        "FA6": ("yes", "agreement and Cohen’s kappa"),
        "DB1": ("yes", "same answers, mean difference, total variation"),
        "DB2": ("yes", "reduction with fresh decisions"),
    }
)  # fmt: skip
"""Whether the app recomputes a hypothesis's numbers from rows, and by which reading."""

_LEDGER = "Ledger of printed figures"
"""A part of the panels page; the others are parts of the study's page."""

NUMBERS_IN: Mapping[str, str] = MappingProxyType(
    {
        "H3b": "Disparity D",
        "H5": "Referral",
        "H-A1": _LEDGER,
        "PC3": "Fact edits",
        "PC5": _LEDGER,
        "MH4": _LEDGER,
        **dict.fromkeys(("FA2", "FA3", "FA4", "FA5", "FA6"), "Audit"),
        "DB1": "Mitigation",
    }
)
"""Where the recomputed numbers of a hypothesis stand for which the document prints no rule."""

STATUS_NAMES: Mapping[str, str] = MappingProxyType(
    {"C": "confirmatory", "E": "exploratory", "C (estimation)": "confirmatory, estimation"}
)


def registration_table() -> pl.DataFrame:
    """One row a hypothesis, in the study's order.

    Returns
    -------
    polars.DataFrame
        hypothesis, group, status, registration (which of five), statement, measure, criterion,
        result, section, note; recomputed (yes, partly or no), reading; numbers_in (the part of the
        page with its numbers, where no rule is printed; empty else).
    """
    rows = []
    for row in table(STUDY, "hypotheses").iter_rows(named=True):
        done, reading = RECOMPUTED.get(row["hypothesis_id"], ("no", ""))
        label = row["claim_label"]
        rows.append(
            {
                "hypothesis": row["hypothesis_id"],
                "group": row["family"].replace("_", " "),
                "status": STATUS_NAMES.get(label, label) if label else "no label printed",
                "registration": row["preregistration"],
                "statement": row["statement"],
                "measure": row["measure"],
                "criterion": row["decision_criterion"],
                "result": row["result_status"],
                "section": row["section"],
                "note": row["note"] or "",
                "recomputed": done,
                "reading": reading,
                "numbers_in": NUMBERS_IN.get(row["hypothesis_id"], ""),
            }
        )
    return pl.DataFrame(rows)


def chronology_table() -> pl.DataFrame:
    """List what was registered, run, corrected and decided, in order (App. B).

    Returns
    -------
    polars.DataFrame
        when (UTC), kind, event, hypotheses.
    """
    return table(STUDY, "chronology").select(
        when=pl.col("date_utc") + " " + pl.col("time_utc"),
        kind=pl.col("kind").str.replace_all("_", " "),
        event="event",
        hypotheses=pl.col("hypotheses").fill_null(""),
    )
