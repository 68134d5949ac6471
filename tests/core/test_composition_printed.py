"""Printed figures that the search was given, from the rows in plain Python.

Nothing here uses numpy or the project's code: rows, printed figures and resident shares are read
from their files, and every formula is written out again.
"""

from __future__ import annotations

import csv
import json
import math
from collections import Counter, defaultdict
from functools import cache
from pathlib import Path
from statistics import mean, median

import pyarrow.parquet as pq
import pytest

ROOT = Path(__file__).resolve().parents[2]
REFERENCE = ROOT / "data" / "reference" / "composition"
PANELS = sorted((ROOT / "data" / "panels" / "composition").glob("cells-reconstructed-*.parquet"))

PRIMARY = ("race_ethnicity", "religion", "sexual_orientation")
GENDER = "gender_to_sex"
STATES = ("unspecified", "unmapped", "ambiguous", "failed")
BEHIND_A_PRINTED_ZERO = 2e-5

Key = tuple[str, str, str, str, str]
"""regime, attribute, context, format, role"""
Shares = dict[str, float]


def read(name: str) -> list[dict[str, str]]:
    with (REFERENCE / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


MODELS = {row["model_id"]: row["model"] for row in read("models")}
FIGURES = {row["figure_id"].removeprefix("composition."): row for row in read("figures")}


@cache
def residents() -> dict[tuple[str, str], Shares]:
    """Resident shares of every attribute and context, rescaled to sum to one."""
    printed: dict[tuple[str, str], Shares] = defaultdict(dict)
    for row in read("targets"):
        share = float(row["share"]) or BEHIND_A_PRINTED_ZERO
        printed[row["attribute"], row["context"]][row["category"]] = share
    return {
        pair: {name: share / sum(shares.values()) for name, share in shares.items()}
        for pair, shares in printed.items()
    }


@cache
def rows(path: Path) -> dict[str, dict[Key, Counter[str]]]:
    """Outputs by model, cell and category."""
    table: dict[str, dict[Key, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
    for row in pq.read_table(path).to_pylist():
        key = (row["regime"], row["attribute"], row["context"], row["format"], row["role"])
        table[row["model"]][key][row["category"]] += row["n"]
    return table


@cache
def pinned(path: Path) -> set[str]:
    metadata = pq.read_metadata(path).metadata
    pins = json.loads(metadata[b"hinge.pins"])
    return {pin["figure_id"].removeprefix("composition.") for pin in pins}


def mapped(counts: Counter[str]) -> int:
    return sum(n for category, n in counts.items() if category not in STATES)


def bits(p: Shares, q: Shares) -> float:
    """Jensen-Shannon divergence to base 2."""
    total = 0.0
    for name in q:
        a, b = p.get(name, 0.0), q[name]
        for x in (a, b):
            total += x / 2 * math.log2(x / ((a + b) / 2)) if x > 0 else 0.0
    return total


def conditional(counts: Counter[str]) -> Shares:
    n = mapped(counts)
    return {c: count / n for c, count in counts.items() if c not in STATES and count}


def equal(target: Shares) -> Shares:
    return dict.fromkeys(target, 1 / len(target))


def scored(path: Path, attributes: tuple[str, ...] = PRIMARY) -> list[Key]:
    """Joint cells with a declared source."""
    return [
        key
        for key in next(iter(rows(path).values()))
        if key[0] == "joint" and key[1] in attributes and (key[1], key[2]) in residents()
    ]


def passing(path: Path, model: str, gate: int, attributes: tuple[str, ...] = PRIMARY) -> set[Key]:
    counts = rows(path)[model]
    return {key for key in scored(path, attributes) if mapped(counts[key]) >= gate}


def common(path: Path, gate: int, attributes: tuple[str, ...] = PRIMARY) -> set[Key]:
    return set.intersection(*(passing(path, model, gate, attributes) for model in MODELS))


def module_mean(values: dict[Key, float], attribute: str) -> float:
    """Cells alike within a context, contexts alike within the attribute."""
    contexts: dict[str, list[float]] = defaultdict(list)
    for key, value in values.items():
        if key[1] == attribute:
            contexts[key[2]].append(value)
    return mean(mean(cells) for cells in contexts.values())


def composite(values: dict[Key, float]) -> float:
    return mean(module_mean(values, attribute) for attribute in PRIMARY)


def divergences(path: Path, model: str, cells: set[Key], *, to_equal: bool) -> dict[Key, float]:
    table = rows(path)[model]
    found = {}
    for key in cells:
        target = residents()[key[1], key[2]]
        found[key] = bits(conditional(table[key]), equal(target) if to_equal else target)
    return found


def changes(path: Path, model: str, cells: set[Key]) -> dict[Key, float]:
    geo = divergences(path, model, cells, to_equal=False)
    same = divergences(path, model, cells, to_equal=True)
    return {key: abs(same[key] - geo[key]) for key in cells}


def completed(counts: Counter[str], target: Shares) -> tuple[float, float]:
    """Least and largest divergence over ways to spread the unmapped outputs."""
    outputs = counts.total()
    held = {name: counts[name] / outputs for name in target}
    missing = 1 - sum(held.values())
    low, high = 0.0, 1.0
    for _ in range(60):
        level = (low + high) / 2
        total = sum(max(held[name], level * target[name]) for name in target)
        low, high = (level, high) if total < 1 else (low, level)
    best = bits({name: max(held[name], low * target[name]) for name in target}, target)
    worst = max(
        bits({name: held[name] + missing * (name == chosen) for name in target}, target)
        for chosen in target
    )
    return best, worst


def model_of(figure_id: str) -> str:
    return next(model for model in MODELS if figure_id.endswith(f".{model}"))


def condition(figure_id: str) -> dict[str, str]:
    text = FIGURES[figure_id]["condition"]
    return dict(part.split("=", 1) for part in text.split(";") if part)


def composites(path: Path, figure_id: str) -> float:
    """Composites of a model under some portfolio, gate and weighting."""
    model, setting = model_of(figure_id), condition(figure_id)
    gate = 0 if setting["n_gate"] == "none" else int(setting["n_gate"])
    is_common = setting["portfolio"] == "common_intersection"
    cells = common(path, gate) if is_common else passing(path, model, gate)
    if FIGURES[figure_id]["quantity"] == "mean_abs_cell_change":
        return composite(changes(path, model, cells))
    to_equal = FIGURES[figure_id]["quantity"] == "jsd2_composite_equal"
    found = divergences(path, model, cells, to_equal=to_equal)
    if FIGURES[figure_id]["quantity"] == "jsd2_composite_augmented":
        table = rows(path)[model]
        for key in found:
            outputs, target = table[key].total(), residents()[key[1], key[2]]
            state = {name: table[key][name] / outputs for name in target}
            state["not mapped"] = 1 - sum(state.values())
            found[key] = bits(state, {**target, "not mapped": 0.0})
    if setting.get("weighting") == "equal_cell":
        return mean(found.values())
    if setting.get("weighting") == "mapped_n":
        return weighted_by_mapped(path, model, found)
    return composite(found)


def weighted_by_mapped(path: Path, model: str, values: dict[Key, float]) -> float:
    table = rows(path)[model]
    modules = []
    for attribute in PRIMARY:
        contexts: dict[str, list[tuple[int, float]]] = defaultdict(list)
        for key, value in values.items():
            if key[1] == attribute:
                contexts[key[2]].append((mapped(table[key]), value))
        modules.append(
            mean(sum(n * d for n, d in c) / sum(n for n, _ in c) for c in contexts.values())
        )
    return mean(modules)


def of_modules(path: Path, figure_id: str) -> float:
    """One attribute of a model; gender on the cells common for gender."""
    model, attribute = model_of(figure_id), condition(figure_id)["attribute"]
    cells = common(path, 20, (attribute,))
    if FIGURES[figure_id]["quantity"] == "mean_abs_cell_change":
        return module_mean(changes(path, model, cells), attribute)
    return module_mean(divergences(path, model, cells, to_equal=False), attribute)


def changes_of(path: Path, figure_id: str) -> float:
    """Mean absolute change of a cell, of one attribute or of the composite."""
    is_module = "attribute" in condition(figure_id)
    return of_modules(path, figure_id) if is_module else composites(path, figure_id)


def cell_counts(path: Path, figure_id: str) -> float:
    """How many cells count."""
    setting, kind = condition(figure_id), FIGURES[figure_id]["quantity"]
    gate = int(setting.get("n_gate", 0))

    def asked(cells: set[Key]) -> int:
        return sum(
            setting["attribute"] in (key[1], "all") and setting.get("context", key[2]) == key[2]
            for key in cells
        )

    if kind == "source_scoreable_cells":
        return asked(set(scored(path)))
    if kind == "dropped_cells":
        return asked(set(scored(path))) - asked(common(path, gate))
    if "bound" in setting:
        ends = {"min": min, "max": max}[setting["bound"]]
        return ends(asked(passing(path, model, gate)) for model in MODELS)
    return asked(common(path, gate))


def mapped_rates(path: Path, figure_id: str) -> float:
    """Lowest, middle and highest mapped rate of a model's cells."""
    setting, table = condition(figure_id), rows(path)[model_of(figure_id)]
    rates = [
        mapped(counts) / counts.total()
        for key, counts in table.items()
        if key[:2] == (setting["regime"], setting["attribute"]) and key[1:3] in residents()
    ]
    return {"min": min, "median": median, "max": max}[setting["statistic"]](rates)


def states(path: Path, figure_id: str) -> float:
    """Percent of the outputs of an attribute."""
    setting = condition(figure_id)
    if FIGURES[figure_id]["subject"] == "all":
        # Printed for every model and primary attribute at once: the largest has to fit.
        return max(state(path, m, a, setting["state"]) for m in MODELS for a in PRIMARY)
    return state(path, model_of(figure_id), setting["attribute"], setting["state"])


STATE_NAMES = {
    "failure": "failed",
    "other_or_mapping": "unmapped",
    "ambiguous_or_absent_protagonist": "ambiguous",
}


def state(path: Path, model: str, attribute: str, name: str) -> float:
    total: Counter[str] = Counter()
    for key in scored(path, (attribute,)):
        total += rows(path)[model][key]
    found = mapped(total) if name == "mapped" else total[STATE_NAMES.get(name, name)]
    return 100 * found / total.total()


def unmapped_mass(path: Path, figure_id: str) -> float:
    """Completion envelope, average unmapped share, and the score with it as a penalty."""
    model, kind = model_of(figure_id), FIGURES[figure_id]["quantity"]
    table, setting = rows(path)[model], condition(figure_id)
    if kind == "completion_envelope":
        end = ("min", "max").index(setting["bound"])
        return composite(
            {k: completed(table[k], residents()[k[1], k[2]])[end] for k in scored(path)}
        )
    cells = common(path, 20)
    visibility = composite({key: 1 - mapped(table[key]) / table[key].total() for key in cells})
    if kind == "non_mapping_mass":
        return visibility
    score = composite(divergences(path, model, cells, to_equal=False))
    return score + float(setting["eta"]) * visibility


def other_measures(path: Path, figure_id: str) -> float:
    """Total variation and largest category deviation."""
    model, values = model_of(figure_id), {}
    for key in common(path, 20):
        target = residents()[key[1], key[2]]
        shares = conditional(rows(path)[model][key])
        gaps = [abs(shares.get(name, 0.0) - target[name]) for name in target]
        is_total = FIGURES[figure_id]["quantity"] == "total_variation_composite"
        values[key] = sum(gaps) / 2 if is_total else max(gaps)
    return composite(values)


BY_QUANTITY = {
    "common_support_cells": cell_counts,
    "completion_envelope": unmapped_mass,
    "dropped_cells": cell_counts,
    "jsd2_composite_augmented": composites,
    "jsd2_composite_equal": composites,
    "jsd2_composite_geo": composites,
    "jsd2_module_geo": of_modules,
    "mapped_output_rate": mapped_rates,
    "mean_abs_cell_change": changes_of,
    "mean_max_abs_category_deviation": other_measures,
    "model_scoreable_cells": cell_counts,
    "non_mapping_mass": unmapped_mass,
    "portfolio_cells": cell_counts,
    "source_scoreable_cells": cell_counts,
    "state_percent": states,
    "total_variation_composite": other_measures,
    "visibility_penalised_composite": unmapped_mass,
}
TABLES = (2, 12, 13, 14, 15, 17, 18, 19, 20, 21, 22, 26)


def is_asked(figure_id: str, table: int) -> bool:
    figure = FIGURES[figure_id]
    # Ranges of composites over models and bounds are left to the ledger.
    return (
        figure_id.startswith(f"table{table}.")
        and figure["quantity"] in BY_QUANTITY
        and not figure["note"].startswith("lt")
        and not (figure["quantity"] == "jsd2_composite_geo" and figure["subject"] == "all")
    )


WITHOUT_RESIDENTS = (
    "jsd2_composite_equal",
    "mapped_output_rate",
    "non_mapping_mass",
    "state_percent",
)
"""Quantities that resident shares do not enter, which are printed to four decimals only."""


def accepted(figure: dict[str, str]) -> float:
    # A printed 0 percent stands for none: a little is printed as <.1.
    if figure["note"].startswith(("printed as 0", "zero throughout")):
        return 0.0
    is_rounded = figure["quantity"] not in WITHOUT_RESIDENTS and figure["decimals"] == "3"
    return 0.5 * 10.0 ** -int(figure["decimals"]) + 0.0001 * is_rounded + 1e-9


def test_there_are_panels_to_test() -> None:
    assert PANELS


@pytest.mark.parametrize("path", PANELS, ids=lambda path: path.stem)
@pytest.mark.parametrize("table", TABLES)
def test_pinned_figures_come_out_of_the_rows(table: int, path: Path) -> None:
    asked = [figure_id for figure_id in sorted(pinned(path)) if is_asked(figure_id, table)]
    assert asked, "the search was given no figure of this table"
    wrong = {}
    for figure_id in asked:
        found = BY_QUANTITY[FIGURES[figure_id]["quantity"]](path, figure_id)
        printed = float(FIGURES[figure_id]["value"])
        if abs(found - printed) > accepted(FIGURES[figure_id]):
            wrong[figure_id] = (printed, found)
    assert not wrong


@pytest.mark.parametrize("path", PANELS, ids=lambda path: path.stem)
def test_every_cell_holds_thirty_outputs_and_failures_are_whole_records(path: Path) -> None:
    for table in rows(path).values():
        failed: dict[tuple[str, str, str, str], set[int]] = defaultdict(set)
        for key, counts in table.items():
            assert counts.total() == 30
            failed[key[0], key[2], key[3], key[4]].add(counts["failed"])
        assert all(len(numbers) == 1 for numbers in failed.values())
