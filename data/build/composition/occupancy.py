"""How many outputs of each joint-regime cell are mapped.

Failed records are placed first, because one failed record is missing from
every attribute. Mapped counts are then found attribute by attribute with
simulated annealing on the total violation of the printed counts.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit

from data.build.composition import pins
from data.build.composition.reference import (
    GATES,
    OUTPUTS,
    PRIMARY,
    SLOTS,
    Layout,
    read_rows,
)

MOVES = 1_500_000
STARTS = 6
HOT, COLD = 3.0, 0.03
SHARE_OF_UNMAPPED = 0.75
"""Most of the unmapped mass religion and orientation may take, race has the rest."""
MASS_UNIT = 3000.0
"""Violation units per unit of unmapped mass, so .0003 counts like one output."""


@dataclass(frozen=True)
class Occupancy:
    """Outputs of every joint cell by state.

    Arrays are shaped (models, cells) over primary cells, except ``failed``,
    which is (regimes, models, contexts, slots).
    """

    failed: np.ndarray
    mapped: np.ndarray
    cap: np.ndarray
    """Most outputs a cell can map: its outputs less its failures."""


def place_failures(layout: Layout, rng: np.random.Generator) -> np.ndarray:
    """Put the unresolved records into cells.

    GPT's are all joint and all in contexts scored on every primary attribute:
    one Brazil cell loses 27 and another cell four (gate 27 needs a second cell
    at or below 26); the rest are singletons. Claude and Gemini keep as many
    joint failures as Table 19 leaves room for; what remains is implicit.

    Returns
    -------
    ndarray of int, shape (regimes, models, contexts, slots)
    """
    shape = (2, len(layout.models), len(layout.contexts), len(SLOTS))
    failed = np.zeros(shape, dtype=np.int64)
    groups = _context_groups(layout)
    brazil = layout.contexts.index("BRA")

    def single(regime: int, model: str, contexts: list[int], count: int = 1) -> None:
        m = layout.models.index(model)
        free = [(c, s) for c in contexts for s in range(len(SLOTS)) if not failed[:, m, c, s].any()]
        c, s = free[rng.integers(len(free))]
        failed[regime, m, c, s] = count

    single(0, "gpt-5.6", [brazil], 27)
    single(0, "gpt-5.6", [c for c in groups["all"] if c != brazil], 4)
    for _ in range(5):
        single(0, "gpt-5.6", groups["all"])
    single(0, "claude-sonnet-5", groups["religion"])
    for _ in range(2):
        single(1, "claude-sonnet-5", groups["every"])
    single(0, "gemini-3.5-flash", groups["all"])
    for _ in range(2):
        single(0, "gemini-3.5-flash", groups["religion"])
    single(0, "gemini-3.5-flash", groups["none"])
    for _ in range(3):
        single(1, "gemini-3.5-flash", groups["every"])
    return failed


def failed_by_cell(layout: Layout, failed: np.ndarray) -> np.ndarray:
    """Failed records of every primary cell of one regime, shape (models, cells)."""
    return failed[:, layout.context_of_pair].reshape(len(failed), layout.cells)


def _context_groups(layout: Layout) -> dict[str, list[int]]:
    scored = {c: set() for c in range(len(layout.contexts))}
    for k, c in zip(layout.attribute_of_pair, layout.context_of_pair, strict=True):
        scored[int(c)].add(PRIMARY[k])
    return {
        "every": list(scored),
        "all": [c for c, names in scored.items() if len(names) == len(PRIMARY)],
        "religion": [c for c, names in scored.items() if names == {"religion"}],
        "none": [c for c, names in scored.items() if not names],
    }


def solve(layout: Layout, failed: np.ndarray, rng: np.random.Generator) -> Occupancy:
    """Mapped counts that meet every printed count of the joint regime.

    Parameters
    ----------
    failed : ndarray of int, shape (regimes, models, contexts, slots)

    Returns
    -------
    Occupancy
    """
    cap = OUTPUTS - failed_by_cell(layout, failed[0])
    mapped = cap.copy()
    mass = np.zeros(len(layout.models))
    low, high = mass_windows(layout)
    for attribute in ("religion", "sexual_orientation", "race_ethnicity"):
        cells = np.flatnonzero(layout.attribute_of_cell == PRIMARY.index(attribute))
        last = attribute == "race_ethnicity"
        problem = _problem(layout, attribute, cap[:, cells])
        problem["mass_low"] = low - mass if last else np.zeros_like(mass)
        problem["mass_high"] = (high if last else SHARE_OF_UNMAPPED * high) - mass
        done = np.setdiff1d(np.arange(layout.cells), cells)
        problem["tail"] = _tail(mapped[:, done]) if last else np.zeros(3, np.int64)
        found = _anneal(problem, cap[:, cells], rng)
        mapped[:, cells] = found
        common = found.min(axis=0) >= GATES[0]
        mass += (1 - found / OUTPUTS)[:, common] @ problem["weight"][common]
    return Occupancy(failed, mapped, cap)


def mass_windows(layout: Layout) -> tuple[np.ndarray, np.ndarray]:
    """Unmapped mass V each model may have, shape (models,) twice.

    Three printed figures bound it: V, S + V/2 and S + V with S in its window.
    The middle half of what is feasible leaves the later search some room.
    """
    low, high = [], []
    for model in layout.models:
        s = pins.figure(pins.BY_MODEL["geo"], model=model).window()
        v = pins.figure(pins.BY_MODEL["unmapped"], model=model).window()
        half = pins.figure(pins.BY_MODEL["penalised_half"], model=model).window()
        one = pins.figure(pins.BY_MODEL["penalised_one"], model=model).window()
        grid_s = np.linspace(*s, 201)[:, None]
        grid_v = np.linspace(*v, 401)[None, :]
        inside = (
            (grid_s + grid_v / 2 >= half[0])
            & (grid_s + grid_v / 2 <= half[1])
            & (grid_s + grid_v >= one[0])
            & (grid_s + grid_v <= one[1])
        )
        possible = grid_v[0, inside.sum(axis=0) > 0.2 * inside.sum(axis=0).max()]
        quarter = (possible[-1] - possible[0]) / 4
        low.append(possible[0] + quarter)
        high.append(possible[-1] - quarter)
    return np.array(low), np.array(high)


def _tail(mapped: np.ndarray) -> np.ndarray:
    """Counts behind the pooled 5th percentile: below it, up to it, cells."""
    lowest = round(pins.figure(pins.LOWEST_RATES).value * OUTPUTS)
    return np.array([(mapped < lowest).sum(), (mapped <= lowest).sum(), lowest])


def _problem(layout: Layout, attribute: str, cap: np.ndarray) -> dict:
    """Everything the printed counts ask of one attribute's cells."""
    pairs = [i for i, p in enumerate(layout.pairs) if p.attribute == attribute]
    retained, named = _portfolio(layout, attribute, pairs)
    sums = [_sum_window(layout, m, attribute, cap[m]) for m in range(len(cap))]
    rates = {
        statistic: [
            pins.figure(
                pins.MAPPED_RATE,
                regime="joint",
                attribute=attribute,
                statistic=statistic,
                model=model,
            ).value
            for model in layout.models
        ]
        for statistic in ("min", "median")
    }
    weight = np.repeat(1 / retained, len(SLOTS)) / len(pairs) / len(PRIMARY)
    return {
        "pair": np.repeat(np.arange(len(pairs)), len(SLOTS)),
        "retained": retained,
        "named": named,
        "sum_low": np.array([s[0] for s in sums]),
        "sum_high": np.array([s[1] for s in sums]),
        "minimum": np.rint(np.array(rates["min"]) * OUTPUTS).astype(np.int64),
        "centre": np.rint(np.array(rates["median"]) * 2 * OUTPUTS).astype(np.int64),
        "common": np.array([retained.sum(), *_common(attribute)]).astype(np.int64),
        "spread": _spread(attribute),
        "weight": weight,
    }


def _portfolio(layout: Layout, attribute: str, pairs: list[int]) -> tuple[np.ndarray, np.ndarray]:
    """Retained cells of each context and the models named for the loss."""
    rows = {r["context"]: r for r in read_rows("portfolio") if r["attribute"] == attribute}
    labels = {r["model_id"]: r["labels_in_document"].split("|") for r in read_rows("models")}
    retained, named = [], []
    for i in pairs:
        row = rows[layout.pairs[i].context]
        retained.append(int(row["retained"]))
        reason = row["main_reason"]
        named.append(
            [any(f"({x}" in reason or f"{x})" in reason for x in labels[m]) for m in layout.models]
        )
    return np.array(retained), np.array(named)


def _common(attribute: str) -> list[int]:
    return [
        int(pins.figure(f"table14.cells.common_intersection.n{g}.{attribute}").value)
        for g in GATES[1:]
    ]


def _spread(attribute: str) -> np.ndarray:
    """Smallest and largest per-model cell count at each gate, shape (3, 2)."""
    ends = []
    for gate in GATES:
        stem = (
            f"table12.model_scoreable_cells.{attribute}"
            if gate == GATES[0]
            else f"table14.cells.model_specific.n{gate}.{attribute}"
        )
        ends.append([int(pins.figure(f"{stem}.{end}").value) for end in ("min", "max")])
    return np.array(ends)


def state_windows(
    layout: Layout, model: str, attribute: str, failed: int
) -> dict[str, tuple[int, int]]:
    """Counts that print as Table 19's shares, given the failures placed."""
    row = next(
        r
        for r in read_rows("nonmapping_states")
        if r["model_id"] == model and r["attribute"] == attribute
    )
    total = int(row["outputs"])

    def window(column: str, bound: str | None = None) -> tuple[int, int]:
        text = row[f"{column}_percent"]
        bounded = bound is not None and row[bound] == "true"
        return pins.count_window(float(text), len(text.partition(".")[2]), total, bounded)

    return {
        "mapped": window("mapped"),
        "unspecified": window("unspecified"),
        "unmapped": window("other_or_mapping", "other_or_mapping_is_upper_bound"),
        "outside": (total - failed, total - failed),
    }


def _sum_window(layout: Layout, m: int, attribute: str, cap: np.ndarray) -> tuple[int, int]:
    failed = int((OUTPUTS - cap).sum())
    states = state_windows(layout, layout.models[m], attribute, failed)
    others_low = states["unspecified"][0] + states["unmapped"][0]
    others_high = states["unspecified"][1] + states["unmapped"][1]
    reach = states["outside"][0]
    low = max(states["mapped"][0], reach - others_high)
    high = min(states["mapped"][1], reach - others_low)
    if low > high:
        raise ValueError(f"no mapped total for {layout.models[m]} {attribute}")
    return low, high


def _anneal(problem: dict, cap: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    start = _start(problem, cap, rng)
    arguments = [
        problem[key]
        for key in (
            "pair",
            "retained",
            "named",
            "sum_low",
            "sum_high",
            "minimum",
            "centre",
            "common",
            "spread",
            "weight",
            "mass_low",
            "mass_high",
            "tail",
        )
    ]
    for _ in range(STARTS):
        found, loss = _search(start.copy(), cap, *arguments, MOVES, int(rng.integers(2**31)))
        if loss < 1e-9:
            return found
    raise RuntimeError(f"no feasible mapped counts, violation {loss:.3f}")


def _start(problem: dict, cap: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Full cells, with the losses where the document names the model for them."""
    n = cap.copy()
    for m in range(len(cap)):
        for p, lost in enumerate(len(SLOTS) - problem["retained"]):
            if not problem["named"][p, m]:
                continue
            cells = rng.choice(np.flatnonzero(problem["pair"] == p), lost, replace=False)
            floor = problem["minimum"][m]
            low = rng.integers(floor, GATES[0], size=lost)
            n[m, cells] = np.minimum(n[m, cells], low)
    return n


@njit(cache=True)
def _violation(
    n,
    pair,
    retained,
    named,
    sum_low,
    sum_high,
    minimum,
    centre,
    common,
    spread,
    weight,
    mass_low,
    mass_high,
    tail,
):
    models, cells = n.shape
    gates = (20, 24, 27)
    loss = 0.0
    lowest = np.full(cells, 99)
    fewest = np.full(3, 9999)
    most = np.zeros(3, np.int64)
    below, upto = tail[0], tail[1]
    for m in range(models):
        hist = np.zeros(31, np.int64)
        total = 0
        for g in range(cells):
            hist[n[m, g]] += 1
            total += n[m, g]
            lowest[g] = min(lowest[g], n[m, g])
        loss += max(0, sum_low[m] - total) + max(0, total - sum_high[m])
        seen, least, first, second = 0, -1, -1, -1
        counts = np.zeros(3, np.int64)
        for v in range(31):
            if hist[v] == 0:
                continue
            if least < 0:
                least = v
            seen += hist[v]
            if first < 0 and seen >= cells // 2:
                first = v
            if second < 0 and seen >= cells // 2 + 1:
                second = v
            for k in range(3):
                if v >= gates[k]:
                    counts[k] += hist[v]
            if v < tail[2]:
                below += hist[v]
            if v <= tail[2]:
                upto += hist[v]
        loss += abs(least - minimum[m]) + abs(first + second - centre[m])
        for k in range(3):
            fewest[k] = min(fewest[k], counts[k])
            most[k] = max(most[k], counts[k])
    for k in range(3):
        loss += abs(fewest[k] - spread[k, 0]) + abs(most[k] - spread[k, 1])
    if tail[2] > 0:
        # The 5th percentile of 1,584 rates lies between order statistics 79 and 80.
        loss += max(0, below - 79) + max(0, 81 - upto)
    kept = np.zeros(len(retained), np.int64)
    common24, common27 = 0, 0
    for g in range(cells):
        p = pair[g]
        kept[p] += lowest[g] >= 20
        common24 += lowest[g] >= 24
        common27 += lowest[g] >= 27
        if lowest[g] < 20:
            explained = True
            for m in range(models):
                if named[p, m]:
                    explained = False
            for m in range(models):
                if named[p, m] and n[m, g] < 20:
                    explained = True
            loss += 0.0 if explained else 1.0
    for p in range(len(retained)):
        loss += 2 * abs(kept[p] - retained[p])
    loss += abs(common24 - common[1]) + abs(common27 - common[2])
    for m in range(models):
        mass = 0.0
        for g in range(cells):
            if lowest[g] >= 20:
                mass += weight[g] * (1 - n[m, g] / 30)
        loss += MASS_UNIT * (max(0.0, mass_low[m] - mass) + max(0.0, mass - mass_high[m]))
    return loss


@njit(cache=True)
def _search(
    n,
    cap,
    pair,
    retained,
    named,
    sum_low,
    sum_high,
    minimum,
    centre,
    common,
    spread,
    weight,
    mass_low,
    mass_high,
    tail,
    moves,
    seed,
):
    np.random.seed(seed)
    models, cells = n.shape
    loss = _violation(
        n,
        pair,
        retained,
        named,
        sum_low,
        sum_high,
        minimum,
        centre,
        common,
        spread,
        weight,
        mass_low,
        mass_high,
        tail,
    )
    for step in range(moves):
        if loss < 1e-9:
            break
        heat = HOT * (COLD / HOT) ** (step / moves)
        m = np.random.randint(models)
        a = np.random.randint(cells)
        b = np.random.randint(cells)
        old_a, old_b = n[m, a], n[m, b]
        kind = np.random.randint(4)
        if kind == 0:
            n[m, a] = np.random.randint(minimum[m], 31)
        elif kind == 1:
            n[m, a] = old_a + np.random.randint(-3, 4)
        elif kind == 2:
            n[m, a], n[m, b] = old_b, old_a
        else:
            shift = np.random.randint(1, 4)
            n[m, a] = old_a + shift
            n[m, b] = n[m, b] - shift
        inside = minimum[m] <= n[m, a] <= cap[m, a] and minimum[m] <= n[m, b] <= cap[m, b]
        if inside:
            new = _violation(
                n,
                pair,
                retained,
                named,
                sum_low,
                sum_high,
                minimum,
                centre,
                common,
                spread,
                weight,
                mass_low,
                mass_high,
                tail,
            )
            if new <= loss or np.random.random() < np.exp((loss - new) / heat):
                loss = new
                continue
        n[m, b] = old_b
        n[m, a] = old_a
    return n, loss
