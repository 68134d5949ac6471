"""Numbers and names as a reader sees them."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence

import polars as pl

from core.columns import texts

_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>()#+\-.!|$~:&])")

_UNSEEN = re.compile("[\u202a-\u202e\u2066-\u2069\x00-\x08\x0b-\x1f\x7f-\x9f]")
"""Signs that turn the direction of what follows, so that a name could put on another name's looks,
and control characters other than tab and new line."""
_REREAD = re.compile(
    r"https?:(?=//)|www(?=\.)|\S(?=@)"  # becomes a link
    r"|:(?=material/|streamlit:)"  # becomes an icon
    r"|(?<!\S)[<>~-](?=[->=](?!\S))",  # becomes an arrow, a dash or a sign of comparison
    re.IGNORECASE,
)
"""What Streamlit looks for once more in the finished text, where escapes are gone."""

TINY = 1e-12
"""Smaller numbers are what is left of zero after sums of rounded numbers."""

JOINER = "\u2060"
"""Takes no room and keeps two signs from being read together."""


def plain(text: str) -> str:
    """Escape text that came from a file or a model, so that it is shown and never interpreted."""
    seen = _UNSEEN.sub("", text)
    apart = _REREAD.sub(lambda found: found[0] + JOINER, seen)
    return _MARKDOWN.sub(r"\\\1", apart)


def number(value: float, decimals: int = 3) -> str:
    """Write a number with a true minus sign, or a dash where there is none."""
    if math.isnan(value):
        return "–"
    # Adding zero turns a rounded -0.000 into 0.000.
    return f"{round(value, decimals) + 0.0:.{decimals}f}".replace("-", "−")


def visible(value: float, decimals: int = 3) -> str:
    """Write a number so that one other than zero never looks like plain zero.

    It gets up to two more digits; one that is smaller still keeps its sign before the zeros.
    """
    if math.isnan(value) or abs(value) < TINY:
        return number(value, decimals)
    for digits in range(decimals, decimals + 3):
        if round(value, digits):
            return number(value, digits)
    return f"{'−' if value < 0 else '+'}{number(0.0, decimals)}"


def signed(value: float, decimals: int = 3) -> str:
    """Write a change with its sign."""
    text = number(value, decimals)
    return f"+{text}" if value > 0 and text.strip("0.") != "" else text


def percent(share: float, decimals: int = 0) -> str:
    """Write a share as a percentage."""
    return "–" if math.isnan(share) else f"{number(100 * share, decimals)}%"


def p_value(p: float) -> str:
    """Write a p-value to three decimals; one that would print as zero as '<0.001'."""
    return "<0.001" if p < 0.001 else number(p)


def with_p_values(frame: pl.DataFrame) -> pl.DataFrame:
    """Write the columns p and p_adjusted of a table as words; missing ones stay missing."""
    names = [name for name in ("p", "p_adjusted") if name in frame.columns]
    return frame.with_columns(texts(frame[name], p_value) for name in names) if names else frame


def span(values: Sequence[float], decimals: int = 2) -> str:
    """Write the range of some values: one number when they print alike, else 'low to high'."""
    low, high = number(min(values), decimals), number(max(values), decimals)
    return low if low == high else f"{low} to {high}"


def printed_names(ids: Sequence[str], printed: Mapping[str, str]) -> list[str]:
    """Name ids as a study prints them; others keep their own name.

    A panel may hold one under its id and under its printed name: then all keep their own.
    """
    names = [printed.get(own, own) for own in ids]
    return names if len(set(names)) == len(names) else list(ids)


def listed(names: Sequence[str]) -> str:
    """Join names as in a sentence."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"


def lowered(label: str) -> str:
    """Write a label within a sentence: its first letter is small, unless it begins with a name."""
    first, _, _ = label.partition(" ")
    is_name = first.endswith("’s") or not first[1:].islower()
    return label if is_name and len(first) > 1 else label[:1].lower() + label[1:]


def counted(count: int, thing: str, things: str | None = None) -> str:
    """Write a count with its noun."""
    return f"{count:,} {thing if count == 1 else things or thing + 's'}"


_MARKS = re.compile(rf"\\([\\`*_{{}}\[\]<>()#+\-.!|$~:&])|\*\*|`|{JOINER}")


def unmarked(text: str) -> str:
    """Write a sentence made for a page as bare text: bold signs and the escapes of `plain` go.

    What was escaped stays as it is, so text from a file reads the same in both.
    """
    return _MARKS.sub(lambda found: found[1] or "", text)


def as_planned(sentence: str) -> str:
    """Say of a sentence that it is about the planned setting; nothing of none."""
    return f"In the planned setting: {sentence}" if sentence else ""
