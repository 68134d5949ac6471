"""Templates with two role slots: both variants of each item, and labels that tell nothing.

A template names its slots ``{A}`` and ``{B}``; its wording favours the party in slot A. The strong
variant puts the stronger party there, the weak variant the weaker one, and nothing else may differ
between them, byte for byte.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from core.mirror import mirror
from core.panels.problems import PanelError, Problem
from core.stats.resampling import Drawing

SLOTS = ("A", "B")
OPAQUE_LABELS = ("Party A", "Party B")

COLUMNS = ("item", "family", "template", "strong", "weak")
GIVEN = ("text_strong", "text_weak")
"""Optional columns: the texts that are to be sent, to be held against the rendered ones."""

MAX_ITEMS = 5_000
MAX_CHARACTERS = 20_000
"""Most items in a file, and most characters in a field."""

_SLOT = re.compile(r"\{([^{}]*)\}")


@dataclass(frozen=True, slots=True)
class Item:
    """One clause of one family of contracts, as a template."""

    item: str
    family: str
    template: str
    strong: str
    """What the stronger party is called."""
    weak: str
    """What the weaker party is called."""
    given: tuple[str, str] | None = None
    """Texts of the strong and the weak variant that are to be sent, if the file has them."""


@dataclass(frozen=True, slots=True)
class Rendered:
    """Both variants of an item."""

    strong: str
    weak: str
    strong_slots: tuple[tuple[int, int], ...]
    """Where the slots lie in the strong variant, in bytes of UTF-8: start and end."""
    weak_slots: tuple[tuple[int, int], ...]


def read_items(text: str) -> tuple[Item, ...]:
    """Read an item file: CSV with the columns of `COLUMNS`, and those of `GIVEN` if it has them.

    Raises
    ------
    PanelError
        With every problem found: columns that are missing, empty or overlong fields, items that are
        there twice, templates whose slots are not just A and B.
    """
    reader = csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline=""))
    header = tuple(reader.fieldnames or ())
    missing = [name for name in COLUMNS if name not in header]
    if missing:
        raise PanelError(
            Problem(name, "", "no such column", "an item file has it", "Add the column.")
            for name in missing
        )
    items: list[Item] = []
    problems: list[Problem] = []
    for number, row in enumerate(_rows(reader), start=1):
        if number > MAX_ITEMS:
            found, most = f"more than {MAX_ITEMS:,} items", f"at most {MAX_ITEMS:,}"
            problems.append(Problem("", "", found, most, "Split the file."))
            break
        faults = _row_faults(row, number)
        problems += faults
        if not faults:
            items.append(_item(row, header))
    problems += _repeated(items)
    if problems:
        raise PanelError(problems)
    return tuple(items)


def _rows(reader: csv.DictReader[str]) -> Iterator[dict[str, str | None]]:
    try:
        yield from reader
    except csv.Error as error:
        found = f"a line that cannot be read ({error})"
        raise PanelError([Problem("", "", found, "CSV in UTF-8", "Write it again.")]) from error


def _item(row: Mapping[str, str | None], header: Sequence[str]) -> Item:
    item, family, template, strong, weak = (row[name] or "" for name in COLUMNS)
    has_texts = set(GIVEN) <= set(header)
    given = (row[GIVEN[0]] or "", row[GIVEN[1]] or "") if has_texts else None
    return Item(item, family, template, strong, weak, given)


def _row_faults(row: Mapping[str, str | None], number: int) -> list[Problem]:
    problems = []
    for name in COLUMNS:
        value = row[name] or ""
        if not value.strip() or len(value) > MAX_CHARACTERS:
            found = "nothing" if not value.strip() else f"{len(value):,} characters"
            expected = f"text of at most {MAX_CHARACTERS:,} characters"
            problems.append(Problem(name, f"{number:,}", found, expected, "Correct the field."))
    if problems:
        return problems
    template = row["template"] or ""
    return [
        Problem(
            "template", f"{number:,}", found, "each of {A} and {B}, and no other brace", "Mend it."
        )
        for found in slot_faults(template)
    ]


def _repeated(items: Sequence[Item]) -> list[Problem]:
    seen: set[tuple[str, str]] = set()
    problems = []
    for item in items:
        key = item.item, item.family
        if key in seen:
            found = f"{item.item[:60]!r} in {item.family[:60]!r} twice"
            problems.append(Problem("item", "", found, "each item once in a family", "Remove one."))
        seen.add(key)
    return problems


def slot_faults(template: str) -> list[str]:
    """Say what is wrong with a template's slots; empty when nothing is."""
    names = _SLOT.findall(template)
    faults = [f"no slot {{{slot}}}" for slot in SLOTS if slot not in names]
    faults += [f"a slot {{{name[:40]}}}" for name in dict.fromkeys(names) if name not in SLOTS]
    if re.search(r"[{}]", _SLOT.sub("", template)):
        faults.append("a single brace")
    return faults


def render(item: Item) -> Rendered:
    """Fill the slots for both variants.

    Raises
    ------
    ValueError
        If the template's slots are not just A and B.
    """
    faults = slot_faults(item.template)
    if faults:
        raise ValueError(f"template of {item.item!r} has {'; '.join(faults)}")
    strong, strong_slots = _fill(item.template, {"A": item.strong, "B": item.weak})
    weak, weak_slots = _fill(item.template, {"A": item.weak, "B": item.strong})
    return Rendered(strong, weak, strong_slots, weak_slots)


def _fill(template: str, names: Mapping[str, str]) -> tuple[str, tuple[tuple[int, int], ...]]:
    parts, slots, at, size = [], [], 0, 0
    for slot in _SLOT.finditer(template):
        between, name = template[at : slot.start()], names[slot[1]]
        start = size + len(between.encode())
        size = start + len(name.encode())
        slots.append((start, size))
        parts += [between, name]
        at = slot.end()
    return "".join([*parts, template[at:]]), tuple(slots)


def outside(text: str, slots: Sequence[tuple[int, int]]) -> bytes:
    """Cut the slots out of a text: the bytes that both variants must share, slots as a zero."""
    raw, parts, at = text.encode(), [], 0
    for start, end in slots:
        parts.append(raw[at:start])
        at = end
    return b"\0".join([*parts, raw[at:]])


def check(item: Item) -> list[str]:
    """Find everything that makes the two variants of an item differ outside the roles.

    Returns
    -------
    list of str
        Reasons in plain words; empty when the pair is a fair mirror. Given texts must be the
        rendered ones; the wording must hold no word that stays behind when the roles swap.
    """
    faults = slot_faults(item.template)
    if faults:
        return [f"the template has {fault}" for fault in faults]
    both = render(item)
    reasons = []
    if outside(both.strong, both.strong_slots) != outside(both.weak, both.weak_slots):
        reasons.append("the variants differ outside the slots")
    for name, text, wanted in zip(
        ("strong", "weak"), item.given or (), (both.strong, both.weak), strict=False
    ):
        if text != wanted:
            reasons.append(
                f"the {name} variant differs from the template {_difference(text, wanted)}"
            )
    swap = mirror(both.strong, (item.strong, item.weak))
    reasons += [found.sentence() for found in swap.obstacles]
    if swap.is_lossless and swap.swapped != both.weak:
        reasons.append("a role’s name stands outside the slots")
    return reasons


def _difference(text: str, wanted: str) -> str:
    """Say where two texts first differ, in bytes."""
    one, other = text.encode(), wanted.encode()
    at = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), None)
    at = min(len(one), len(other)) if at is None else at
    found = one[at : at + 20].decode(errors="replace") or "its end"
    expected = other[at : at + 20].decode(errors="replace") or "its end"
    return f"at byte {at:,}: {found!r} instead of {expected!r}"


def party_a(items: Sequence[Item], *, seed: int) -> dict[tuple[str, str], str]:
    """Decide by seed which party each item calls Party A, balanced within its family.

    Parameters
    ----------
    items
        In any order.
    seed
        Each family has a stream of its own.

    Returns
    -------
    dict
        From (item, family) to ``strong`` or ``weak``. Half of a family's items go each way; of an
        odd number, such as 35, one way has one more: 18 and 17, and chance decides which.
    """
    families = {item.family for item in items}
    streams = Drawing(1, seed, "family").streams([(family,) for family in families])
    assigned: dict[tuple[str, str], str] = {}
    for (family,), stream in streams.items():
        names = sorted({item.item for item in items if item.family == family})
        first = stream.permutation(["strong", "weak"])
        labels = stream.permutation([str(first[i % 2]) for i in range(len(names))])
        assigned |= {(name, family): str(label) for name, label in zip(names, labels, strict=True)}
    return assigned


def render_opaque(item: Item, called_a: str) -> Rendered:
    """Fill the slots with Party A and Party B.

    Parameters
    ----------
    item
        The template; its roles are not shown.
    called_a
        Which party is Party A: ``strong`` or ``weak``.
    """
    strong, weak = OPAQUE_LABELS if called_a == "strong" else OPAQUE_LABELS[::-1]
    return render(Item(item.item, item.family, item.template, strong, weak))
