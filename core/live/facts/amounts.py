"""Amounts of money, shares and counts in a text, whether in digits or in words."""

from __future__ import annotations

import re
from collections import Counter
from decimal import Decimal, InvalidOperation

_TO_NINETEEN = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
UNITS = {word: number for number, word in enumerate(_TO_NINETEEN.split())}
TENS = {word: 10 * number for number, word in enumerate(_TENS.split(), start=2)}
SCALES = {"hundred": 100, "thousand": 1_000, "million": 1_000_000}
COUNTS = {"twice": 2, "thrice": 3, "dozen": 12}

CURRENCIES = {
    "USD": ("$", "usd", "dollar", "dollars", "buck", "bucks"),
    "GBP": ("£", "gbp", "pound", "pounds"),
    "EUR": ("€", "eur", "euro", "euros"),
}
_CODE = {name: code for code, names in CURRENCIES.items() for name in names}
_AFTER = "|".join(sorted((n for n in _CODE if n.isalpha()), key=len, reverse=True))

_SCALE = r"(?: ?(?P<scale>k|m|thousand|million|hundred)\b)?"
NUMBER = re.compile(
    rf"(?<![\w.,])(?:(?P<before>[$£€]|USD|GBP|EUR) ?)?(?P<number>\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?"
    rf"|\d+(?:\.\d+)?){_SCALE}(?: ?(?P<percent>%|percent\b|per cent\b|pct\b)"
    rf"|[ -]?(?P<after>{_AFTER})\b|[ -]?(?P<cents>cents?)\b)?",
    re.IGNORECASE,
)
_WORDS = "|".join((*UNITS, *TENS, *SCALES))
SPELLED = re.compile(
    rf"(?<!\w)(?P<words>(?:a (?=hundred|thousand|million))?"
    rf"(?:{_WORDS})(?:(?:[ -]| and )(?:{_WORDS}))*)"
    rf"(?:[ -](?P<after>{_AFTER})\b|[ -](?P<cents>cents?)\b|[ -](?P<percent>percent|per cent)\b"
    rf"|(?P<times> times?\b))?(?![\w-])",
    re.IGNORECASE,
)
COUNTED = re.compile(rf"(?<!\w)(?:{'|'.join(COUNTS)})(?!\w)", re.IGNORECASE)

MASKED = re.compile(r"(?<!\w)[Xx*]{2,}[\dXx*-]*(?!\w)")
"""Redacted digits, which are no fact."""

Amount = tuple[str, Decimal]
"""Unit (a currency, ``percent`` or ``number``) and value."""


def read_amounts(text: str) -> Counter[Amount]:
    """Count every amount of a text whose dates are blanked already."""
    text = MASKED.sub(" ", text)
    found: Counter[Amount] = Counter()
    rest = list(text)
    for match in NUMBER.finditer(text):
        value = _digits(match["number"], match["scale"])
        if value is not None:
            found[_unit(match, value)] += 1
        rest[match.start() : match.end()] = " " * (match.end() - match.start())
    spelled = "".join(rest)
    for match in SPELLED.finditer(spelled):
        value = Decimal(_number_in_words(match["words"]))
        # One is mostly no count: one of them, no one, one day.
        if value != 1 or any(match[name] for name in ("after", "cents", "percent", "times")):
            found[_unit(match, value)] += 1
    for match in COUNTED.finditer(spelled):
        found["number", Decimal(COUNTS[match[0].casefold()])] += 1
    return found


def _digits(number: str, scale: str | None) -> Decimal | None:
    try:
        value = Decimal(number.replace(",", ""))
    except InvalidOperation:
        return None
    factor = {"k": 1_000, "m": 1_000_000, **SCALES}.get((scale or "").casefold(), 1)
    return (value * factor).normalize()


def _unit(match: re.Match[str], value: Decimal) -> Amount:
    parts = match.groupdict()
    if parts.get("cents"):
        return "USD", (value / 100).normalize()
    if parts.get("percent"):
        return "percent", value.normalize()
    code = _CODE.get((parts.get("before") or parts.get("after") or "").casefold(), "number")
    return code, value.normalize()


def _number_in_words(words: str) -> int:
    total = part = 0
    for word in re.findall(r"[a-z]+", words.casefold()):
        if word in ("a", "and"):
            continue
        if word == "hundred":
            part = max(part, 1) * 100
        elif word in SCALES:
            total, part = total + max(part, 1) * SCALES[word], 0
        else:
            part += UNITS.get(word, TENS.get(word, 0))
    return total + part


def written(amount: Amount) -> str:
    """Write an amount as a reader does."""
    unit, value = amount
    number = f"{value:,f}"
    return {"percent": f"{number}%", "number": number}.get(unit, f"{number} {unit}")
