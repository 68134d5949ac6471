"""Dates, years and times of day in a text."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from itertools import chain

MONTHS = {
    name: number
    for number, names in enumerate(
        (
            *("january jan", "february feb", "march mar", "april apr", "may may", "june jun"),
            *("july jul", "august aug", "september sept sep", "october oct", "november nov"),
            "december dec",
        ),
        start=1,
    )
    for name in names.split()
}
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")

_MONTH = "|".join(sorted(MONTHS, key=len, reverse=True))
_DAY = r"(?P<day>[0-3]?\d)(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>(?:19|20)\d\d)"

NUMERIC = re.compile(
    r"(?<![\w/.-])(?P<one>\d{1,2}|[Xx]{2})(?P<sep>[/.-])(?P<other>\d{1,2}|[Xx]{2})(?P=sep)"
    r"(?P<year>(?:19|20)?\d\d|[Xx]{2,4})(?![\w/-])"
)
ISO = re.compile(r"(?<![\w/-])(?P<year>(?:19|20)\d\d)-(?P<month>\d\d)-(?P<day>\d\d)(?![\w-])")
DAY_FIRST = re.compile(
    rf"(?<!\w){_DAY}(?: of)? (?P<month>{_MONTH})\b\.?(?:,? {_YEAR})?(?!\w)", re.IGNORECASE
)
MONTH_FIRST = re.compile(
    rf"(?<!\w)(?P<month>{_MONTH})\b\.? {_DAY}(?!\w|[.,]?\d)(?:,? {_YEAR})?", re.IGNORECASE
)
MONTH_YEAR = re.compile(rf"(?<!\w)(?P<month>{_MONTH})\b\.?,?(?: of)? {_YEAR}(?!\w)", re.IGNORECASE)
YEAR = re.compile(
    r"(?<![\w$£€.,/-])(?P<year>(?:19|20)\d\d)(?![\w%]|[.,/-]\d| (?:dollars|USD|percent))"
)
CLOCK = re.compile(
    r"(?<![\w:])(?P<hour>[01]?\d|2[0-3])(?::(?P<minute>[0-5]\d))? ?(?P<half>[ap]\.?m\b\.?)"
    r"|(?<![\w:])(?P<hour24>[01]?\d|2[0-3]):(?P<minute24>[0-5]\d)(?![\w:])",
    re.IGNORECASE,
)
WEEKDAY = re.compile(rf"\b(?:{'|'.join(WEEKDAYS)})s?\b", re.IGNORECASE)


@dataclass(slots=True)
class Dates:
    """What a text says of time."""

    days: Counter[frozenset[str]] = field(default_factory=Counter)
    """Days of the year as month-day, such as 03-05; two readings for a date like 03/05."""
    years: Counter[str] = field(default_factory=Counter)
    others: Counter[str] = field(default_factory=Counter)
    """Months, weekdays and times of day."""
    rest: str = ""
    """The text with all of these blanked, for whoever looks for other numbers."""


def read_dates(text: str) -> Dates:
    """Read every date, year and time of day, and blank them in the rest."""
    found = Dates(rest=text)
    for pattern, take in (
        (ISO, _named),
        (NUMERIC, _numeric),
        (DAY_FIRST, _named),
        (MONTH_FIRST, _named),
        (MONTH_YEAR, _named),
        (CLOCK, _clock),
        (YEAR, _named),
        (WEEKDAY, _weekday),
    ):
        for match in pattern.finditer(found.rest):
            if take(match, found):
                blank = " " * (match.end() - match.start())
                found.rest = found.rest[: match.start()] + blank + found.rest[match.end() :]
    return found


def _named(match: re.Match[str], found: Dates) -> bool:
    parts = match.groupdict()
    month = parts.get("month")
    number = MONTHS.get(month.casefold(), 0) if month and not month.isdigit() else int(month or 0)
    day = int(parts.get("day") or 0)
    # Written small they are a verb more often than a month.
    if day > 31 or number > 12 or month in ("may", "march"):
        return False
    if day and number:
        found.days[frozenset({f"{number:02}-{day:02}"})] += 1
    elif number:
        found.others[f"month {number}"] += 1
    if parts.get("year"):
        found.years[parts["year"]] += 1
    return True


def _numeric(match: re.Match[str], found: Dates) -> bool:
    """Read 04/05/2024, which is the fifth of April to some and the fourth of May to others."""
    one, other, year = match["one"], match["other"], match["year"]
    if one.isdigit() and other.isdigit():
        pairs = ((int(one), int(other)), (int(other), int(one)))
        readings = {f"{m:02}-{d:02}" for m, d in pairs if 1 <= m <= 12 and 1 <= d <= 31}
        if not readings:
            return False
        found.days[frozenset(readings)] += 1
    if year.isdigit():
        found.years[year if len(year) == 4 else f"20{year}"] += 1
    return True


def _clock(match: re.Match[str], found: Dates) -> bool:
    hour = int(match["hour"] or match["hour24"])
    minute = match["minute"] or match["minute24"] or "00"
    if match["half"]:
        if not 1 <= hour <= 12:
            return False
        hour = hour % 12 + (12 if match["half"].lower().startswith("p") else 0)
    found.others[f"{hour:02}:{minute}"] += 1
    return True


def _weekday(match: re.Match[str], found: Dates) -> bool:
    found.others[match[0].casefold().rstrip("s")] += 1
    return True


def day_differences(one: Dates, other: Dates) -> tuple[list[str], list[str]]:
    """Compare days of the year.

    Returns
    -------
    tuple of two lists of str
        Days that only one text has; and days that may be the same, written so that two readings
        are possible.
    """
    left = {day for day in one.days if day not in other.days}
    right = {day for day in other.days if day not in one.days}
    certain: list[str] = []
    open_days: list[str] = []
    for day in sorted(left | right, key=sorted):
        fellows = right if day in left else left
        written = " or ".join(sorted(day))
        alike = [fellow for fellow in fellows if fellow & day]
        (open_days if alike else certain).append(written)
    return certain, open_days


def other_differences(one: Dates, other: Dates) -> list[str]:
    """List years, months, weekdays and times of day that only one text has."""
    pairs = ((one.years, other.years), (one.others, other.others))
    return sorted(set(chain.from_iterable(a.keys() ^ b.keys() for a, b in pairs)))
