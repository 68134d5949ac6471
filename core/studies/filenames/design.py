"""What the study's design fixes: judges, labels, texts, hypotheses and their names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from types import MappingProxyType

import polars as pl

from core.reference import table

STUDY = "filenames"

HYPOTHESES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {"1": ("H1", "H2", "H3", "H4", "H4b"), "2": ("H5", "H6", "H7")}
)
CUSTOM = "custom"
"""Name of the contrast that a reader types."""

SHORT_CLAIMS: Mapping[str, str] = MappingProxyType(
    {
        "H1": "model labels below no label and Sergey",
        "H2": "own label above rival labels",
        "H3": "rival labels below no label",
        "H4": "Chen below Sergey and no label",
        "H4b": "Chen below Sergey",
        "H5": "own text above prediction, no label",
        "H6": "own label above rival labels, own texts",
        "H7": "model labels below human names",
        CUSTOM: "the typed contrast above zero",
    }
)
"""What each hypothesis predicts, in a few words; a judge's own label is that of its maker."""

PREDICTED: Mapping[str, int] = MappingProxyType(
    {"H1": -1, "H2": 1, "H3": -1, "H4": -1, "H4b": -1, "H5": 1, "H6": 1, "H7": -1, CUSTOM: 1}
)
"""Sign of the contrast that each hypothesis predicts."""

SECONDARY = ("H4b",)
"""Hypotheses that the study calls secondary; the others are confirmatory."""

LABEL_NAMES: Mapping[str, str] = MappingProxyType(
    {
        "neutral": "no label",
        "v2": "_v2",
        "chatgpt": "ChatGPT",
        "claude": "Claude",
        "gemini": "Gemini",
        "sergey": "Sergey",
        "chen": "Chen",
        "catherine": "Catherine",
    }
)

GENRES = ("academic", "general_essay", "report")
GENRE_NAMES: Mapping[str, str] = MappingProxyType(
    {"academic": "academic", "general_essay": "general essay", "report": "report"}
)

FAMILY_NAMES: Mapping[str, str] = MappingProxyType(
    {"openai": "OpenAI", "anthropic": "Anthropic", "google": "Google", "human": "a person"}
)


@cache
def judge_names() -> Mapping[str, str]:
    """Map judge ids to the names that the study prints, in the study's order."""
    return {row["judge"]: row["display_name"] for row in _judges()}


@cache
def short_names() -> Mapping[str, str]:
    """Map judge ids to the short names that the study's text uses."""
    return {row["judge"]: row["other_names_used"].split("; ")[0] for row in _judges()}


@cache
def families() -> tuple[str, ...]:
    """Makers of the judges, in their order; they also wrote the texts of study 2."""
    return tuple(row["family"] for row in _judges())


def _judges() -> list[dict[str, str]]:
    return [row for row in table(STUDY, "judges").to_dicts() if row["role"] == "judge"]


@cache
def labels(study: str = "") -> tuple[str, ...]:
    """Labels in the study's order: of one of the two studies, or of both."""
    rows = table(STUDY, "labels")
    return tuple((rows.filter(pl.col(f"study_{study}") == "1") if study else rows)["label"])


@cache
def documents() -> tuple[str, ...]:
    """Texts of study 1 in the study's order."""
    return tuple(table(STUDY, "documents")["document"])


@cache
def briefs() -> Mapping[str, str]:
    """Map briefs of study 2 to their short descriptions, in the study's order."""
    return dict(table(STUDY, "briefs").select("brief_id", "short_description").iter_rows())


def label_name(label: str) -> str:
    """Name a label as in a sentence; one that the study does not know keeps its own name."""
    return LABEL_NAMES.get(label, label)


def family_name(family: str) -> str:
    """Name a maker; one that the study does not know keeps its own name."""
    return FAMILY_NAMES.get(family, family)


def in_order(values: Sequence[str], known: Sequence[str]) -> list[str]:
    """Sort names: those that the study knows in its order, others after them by name."""
    present = set(values)
    return [v for v in known if v in present] + sorted(present - set(known))
