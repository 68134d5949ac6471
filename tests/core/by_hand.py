"""The composition study's formulas in plain Python: rows, dictionaries and loops.

Nothing here uses numpy or the project's own arithmetic, so that it can be set against them. What is
not there is None.
"""

from __future__ import annotations

import csv
import math
import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from statistics import mean

REFERENCE = Path(__file__).resolve().parents[2] / "data" / "reference" / "composition"
STATES = ("unspecified", "unmapped", "ambiguous", "failed")
ATTRIBUTES = ("gender_to_sex", "race_ethnicity", "religion", "sexual_orientation")
COLUMNS = ("model", "regime", "attribute", "context", "format", "role", "category", "n")

Key = tuple[str, str, str, str, str]
"""regime, attribute, context, format, role"""
Shares = dict[str, float]
Row = tuple[str, str, str, str, str, str, str, int]
Values = dict[Key, float]


def read(name: str) -> list[dict[str, str]]:
    with (REFERENCE / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@cache
def sources() -> dict[tuple[str, str], dict[str, float]]:
    """Printed shares by attribute and context."""
    found: dict[tuple[str, str], dict[str, float]] = defaultdict(dict)
    for row in read("targets"):
        found[row["attribute"], row["context"]][row["category"]] = float(row["share"])
    return dict(found)


@cache
def women() -> dict[str, float]:
    """Share of women in the occupation that the study took for each role."""
    rows = [row for row in read("occupational_bls") if row["year"] == "2025"]
    percent = {row["occupation"]: row["percent_women"] for row in rows}
    return {
        row["role"]: float(percent[row["occupation"]]) / 100 for row in read("occupational_planned")
    }


def counted(rows: Iterable[Row]) -> dict[str, dict[Key, Counter[str]]]:
    """Outputs by model, cell and category."""
    table: dict[str, dict[Key, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
    for model, regime, attribute, context, form, role, category, n in rows:
        table[model][regime, attribute, context, form, role][category] += n
    return table


def resident(key: Key, zero_mass: float = 2e-5) -> Shares | None:
    printed = sources().get((key[1], key[2]))
    if printed is None:
        return None
    filled = {name: share if share > 0 else zero_mass for name, share in printed.items()}
    return {name: share / sum(filled.values()) for name, share in filled.items()}


def comparator(name: str, key: Key, setting: float = 0.0, zero_mass: float = 2e-5) -> Shares | None:
    shares = resident(key, zero_mass)
    if shares is None:
        return None
    size = len(shares)
    if name == "geography":
        return shares
    if name == "equal_category":
        return dict.fromkeys(shares, 1 / size)
    if name == "mixture":
        return {c: (1 - setting) * share + setting / size for c, share in shares.items()}
    if name == "power":
        raised = {c: share**setting for c, share in shares.items()}
        return {c: value / sum(raised.values()) for c, value in raised.items()}
    assert name == "occupational"
    if key[1:3] != ("gender_to_sex", "USA") or key[4] not in women():
        return None
    return {"female": women()[key[4]], "male": 1 - women()[key[4]]}


def mapped(counts: Counter[str], key: Key) -> int:
    """Outputs with a category of the cell's source."""
    source = sources().get((key[1], key[2]), {})
    return sum(n for category, n in counts.items() if category in source)


def distance(measure: str, p: Shares, q: Shares) -> float:
    if measure == "total_variation":
        return sum(abs(p[name] - q[name]) for name in q) / 2
    if measure == "largest_deviation":
        return max(abs(p[name] - q[name]) for name in q)
    bits = 0.0
    for name in q:
        middle = (p[name] + q[name]) / 2
        for share in (p[name], q[name]):
            bits += share / 2 * math.log2(share / middle) if share > 0 else 0.0
    return bits if measure == "jsd" else math.sqrt(max(bits, 0.0))


def cell_distance(measure: str, counts: Counter[str], key: Key, q: Shares | None) -> float | None:
    total = mapped(counts, key)
    if q is None or not total:
        return None
    return distance(measure, {name: counts[name] / total for name in q}, q)


def portfolio(
    table: Mapping[str, Mapping[Key, Counter[str]]],
    keys: Sequence[Key],
    targets: Mapping[Key, Shares | None],
    *,
    kind: str,
    gate: int,
) -> dict[str, set[Key]]:
    """Cells that count, by model."""
    needed = 1 if kind == "source_scoreable" else gate
    passing = {
        model: {
            key
            for key in keys
            if targets[key] is not None and mapped(cells.get(key, Counter()), key) >= needed
        }
        for model, cells in table.items()
    }
    if kind == "common_intersection":
        common = set.intersection(*passing.values())
        return dict.fromkeys(passing, common)
    return passing


def _average(values: Values, weights: Mapping[Key, float]) -> float:
    total = sum(weights[key] for key in values)
    return sum(weights[key] * value for key, value in values.items()) / total


def by_context(
    values: Values, weighting: str, sizes: Mapping[Key, int]
) -> dict[tuple[str, str], float]:
    """Means within contexts; `sizes` are the mapped counts."""
    groups: dict[tuple[str, str], Values] = defaultdict(dict)
    for key, value in values.items():
        groups[key[1], key[2]][key] = value
    weights = sizes if weighting == "mapped_n" else dict.fromkeys(values, 1.0)
    return {pair: _average(group, weights) for pair, group in groups.items()}


def by_attribute(values: Values, weighting: str, sizes: Mapping[Key, int]) -> dict[str, float]:
    if weighting == "equal_cell":
        cells: dict[str, list[float]] = defaultdict(list)
        for key, value in values.items():
            cells[key[1]].append(value)
        return {attribute: mean(found) for attribute, found in cells.items()}
    contexts: dict[str, list[float]] = defaultdict(list)
    for (attribute, _), value in by_context(values, weighting, sizes).items():
        contexts[attribute].append(value)
    return {attribute: mean(found) for attribute, found in contexts.items()}


def composite(
    values: Values, weighting: str, sizes: Mapping[Key, int], modules: Sequence[str]
) -> float | None:
    """Released only when every chosen attribute keeps a cell."""
    attributes = by_attribute(values, weighting, sizes)
    if not modules or any(name not in attributes for name in modules):
        return None
    if weighting == "equal_cell":
        return mean(value for key, value in values.items() if key[1] in modules)
    return mean(attributes[name] for name in modules)


CONTEXTS = ("USA", "BRA", "AUS", "CHN", "EGY", "MARS")
"""Race is scored in two of them, religion in four, orientation in three, nothing in the last."""


def random_rows(seed: int, *, outputs: int = 30) -> list[Row]:
    """Make a small panel with gaps: some cells, contexts and categories are not there at all."""
    pick = random.Random(seed)
    models = pick.sample(["kimi-k3", "gpt-5.6", "zebra", "a model"], pick.randint(1, 3))
    contexts = pick.sample(CONTEXTS, pick.randint(2, 5))
    roles = pick.sample(["ceo", "nurse", "pilot"], pick.randint(1, 2))
    rows: list[Row] = []
    for model in models:
        for regime in ("joint", "implicit"):
            for context in contexts:
                for form in ("story", "character"):
                    for role in roles:
                        if pick.random() < 0.12:
                            continue
                        failed = pick.choice([0, 0, 0, 2])
                        for attribute in ATTRIBUTES:
                            rows += _cell(
                                pick,
                                (model, regime, attribute, context, form, role),
                                outputs=outputs,
                                failed=failed,
                            )
    return rows


def _cell(
    pick: random.Random, key: tuple[str, str, str, str, str, str], *, outputs: int, failed: int
) -> list[Row]:
    names = [*sources().get((key[2], key[3]), {"anything": 1.0}), *STATES[:3]]
    likely = [pick.random() ** 3 for _ in names[:-3]] + [pick.random() * 0.3 for _ in range(3)]
    drawn = Counter(pick.choices(names, likely, k=outputs - failed))
    drawn["failed"] = failed
    return [(*key, name, n) for name, n in drawn.items()]
