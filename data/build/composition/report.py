"""Recompute the pinned figures of a written panel and list what is off.

This reads the rows back and uses plain formulas, not the search's tables, so
it catches an error in either.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
from scipy.stats import spearmanr

from data.build.composition import diagnostic, pins
from data.build.composition.reference import (
    FORMATS,
    GATES,
    GENDER,
    OUTPUTS,
    PRIMARY,
    REGIMES,
    SLOTS,
    STATES,
    Layout,
)

MIXTURE = np.linspace(0, 1, 11)
POWERS = (1.0, 0.75, 0.5, 0.25, 0.0)


def jsd(q: np.ndarray, p: np.ndarray) -> float:
    """Base-2 Jensen-Shannon divergence (bits) of two vectors of masses."""
    middle = (q + p) / 2
    total = 0.0
    for x in (q, p):
        some = x > 0
        total += 0.5 * float((x[some] * np.log2(x[some] / middle[some])).sum())
    return total


def best_completion(kept: np.ndarray, target: np.ndarray) -> float:
    """Divergence after spreading the missing mass where it lowers it most."""
    low, high = 0.0, 1.0 / target.min()
    for _ in range(200):
        level = (low + high) / 2
        filled = np.maximum(kept, level * target).sum()
        low, high = (level, high) if filled < 1 else (low, level)
    return jsd(np.maximum(kept, low * target), target)


class Rows:
    """Counts of one written panel, by cell."""

    def __init__(self, folder: Path, number: int) -> None:
        self.layout = Layout()
        self.counts: dict[tuple, dict[str, int]] = {}
        table = pq.read_table(folder / f"cells-reconstructed-{number}.parquet")
        for row in table.to_pylist():
            key = tuple(
                row[k] for k in ("model", "regime", "attribute", "context", "format", "role")
            )
            self.counts.setdefault(key, {})[row["category"]] = row["n"]
        evidence = pq.read_table(folder / f"evidence-reconstructed-{number}.parquet")
        self.evidence = evidence.to_pylist()

    def array(self, model: str, regime: str, pair) -> np.ndarray:
        """Category counts of a pair's cells, shape (slots, categories)."""
        return np.array(
            [
                [
                    self.counts[model, regime, pair.attribute, pair.context, *s][a]
                    for a in pair.categories
                ]
                for s in SLOTS
            ]
        )

    def state(self, model: str, regime: str, attribute: str, state: str) -> int:
        """Outputs of an attribute in one non-mapped state."""
        return sum(
            cell[state]
            for key, cell in self.counts.items()
            if key[:3] == (model, regime, attribute)
        )


def recompute(folder: Path, number: int) -> dict[str, float]:
    """Every pinned figure that can be read off the rows, by id."""
    rows = Rows(folder, number)
    out: dict[str, float] = {}
    _states(rows, out)
    _joint(rows, out)
    _gender(rows, out)
    _evidence(rows, out)
    return out


def _states(rows: Rows, out: dict[str, float]) -> None:
    names = {"unspecified": "unspecified", "other_or_mapping": "unmapped", "failure": "failed"}
    pairs = {GENDER: rows.layout.gender_pairs}
    pairs |= {k: [p for p in rows.layout.pairs if p.attribute == k] for k in PRIMARY}
    pooled = []
    for model in rows.layout.models:
        for attribute, scored in pairs.items():
            for regime in REGIMES:
                n = np.concatenate([rows.array(model, regime, p).sum(axis=1) for p in scored])
                stem = f"table17.mapped_output_rate.{regime}.{attribute}"
                for name, function in (("min", np.min), ("median", np.median), ("max", np.max)):
                    out[f"{stem}.{name}.{model}"] = float(function(n / OUTPUTS))
                if attribute == GENDER or regime == "implicit":
                    continue
                pooled.append(n / OUTPUTS)
                total = OUTPUTS * len(n)
                out[f"table19.state.mapped.{attribute}.{model}"] = 100 * n.sum() / total
                for name, state in names.items():
                    lost = rows.state(model, regime, attribute, state)
                    out[f"table19.state.{name}.{attribute}.{model}"] = 100 * lost / total
        lost = sum(rows.state(model, regime, GENDER, "failed") for regime in REGIMES)
        records = OUTPUTS * len(REGIMES) * len(rows.layout.contexts) * len(SLOTS)
        out[f"app_d3.records_passing_validation.{model}"] = records - lost
    out["sec5.mapped_output_rate.p05"] = float(np.percentile(np.concatenate(pooled), 5))


def _hierarchy(layout: Layout, values: np.ndarray, kept: np.ndarray) -> np.ndarray:
    """Module means of a cell statistic, shape (3,)."""
    modules = []
    for k in range(len(PRIMARY)):
        means = [
            values[p][kept[p]].mean()
            for p in np.flatnonzero(layout.attribute_of_pair == k)
            if kept[p].any()
        ]
        modules.append(np.mean(means))
    return np.array(modules)


def _cell_statistics(c: np.ndarray, target: np.ndarray) -> dict[str, float]:
    n = c.sum()
    q, kept = c / n, c / OUTPUTS
    equal = np.full(len(target), 1 / len(target))
    path = [jsd(q, (1 - w) * target + w * equal) for w in MIXTURE]
    geo, eq = path[0], path[-1]
    stats = {f"mix{i}": x for i, x in enumerate(path)}
    for alpha in POWERS:
        powered = target**alpha
        stats[f"pow{alpha}"] = jsd(q, powered / powered.sum())
    missing = 1 - n / OUTPUTS
    augmented = jsd(np.append(kept, missing), np.append(target, 0.0))
    worst = max(jsd(kept + missing * u, target) for u in np.eye(len(target)))
    return stats | {
        "change": abs(geo - eq),
        "root": abs(np.sqrt(geo) - np.sqrt(eq)),
        "tv": np.abs(q - target).sum() / 2,
        "max": np.abs(q - target).max(),
        "augmented": augmented,
        "best": best_completion(kept, target) if missing > 0 else geo,
        "worst": worst,
        "missing": missing,
        **{f"T{t}": float((geo <= t) != (eq <= t)) for t in pins.THRESHOLDS},
    }


def _joint(rows: Rows, out: dict[str, float]) -> None:
    layout = rows.layout
    models = layout.models
    counts = {m: [rows.array(m, "joint", p) for p in layout.pairs] for m in models}
    n = np.array([[c.sum(axis=1) for c in counts[m]] for m in models])
    common = {g: n.min(axis=0) >= g for g in GATES}
    everything = np.ones_like(common[GATES[0]])
    for g in GATES:
        per_model = [(n[m] >= g) for m in range(len(models))]
        for k, attribute in enumerate(PRIMARY):
            inside = layout.attribute_of_pair == k
            own = [x[inside].sum() for x in per_model]
            stem = (
                f"table12.model_scoreable_cells.{attribute}"
                if g == GATES[0]
                else f"table14.cells.model_specific.n{g}.{attribute}"
            )
            out[f"{stem}.min"], out[f"{stem}.max"] = min(own), max(own)
            if g > GATES[0]:
                out[f"table14.cells.common_intersection.n{g}.{attribute}"] = common[g][inside].sum()
    for p, pair in enumerate(layout.pairs):
        key = f"table13.retained_cells.{pair.attribute}.{pair.context.lower()}"
        out[key] = common[GATES[0]][p].sum()
    ranges: dict[str, list[float]] = {}
    paths, powers, pooled = {}, {}, {k: ([], []) for k in PRIMARY}
    for m, model in enumerate(models):
        cells = [
            [_cell_statistics(c, p.target) for c in x]
            for p, x in zip(layout.pairs, counts[model], strict=True)
        ]
        stat = {s: np.array([[c[s] for c in pair] for pair in cells]) for s in cells[0][0]}
        geo = stat["mix0"]
        agg = {s: _hierarchy(layout, x, common[20]) for s, x in stat.items()}
        comp = {s: x.mean() for s, x in agg.items()}
        for k, attribute in enumerate(PRIMARY):
            out[f"table21.module.{attribute}.{model}"] = agg["mix0"][k]
            out[f"table26.mean_abs_cell_change.{attribute}.{model}"] = agg["change"][k]
            inside = (layout.attribute_of_pair == k)[:, None] & common[20]
            pooled[attribute][0].append(n[m][inside])
            pooled[attribute][1].append(geo[inside])
        out[f"table2.geo_composite.{model}"] = comp["mix0"]
        out[f"table2.equal_composite.{model}"] = comp["mix10"]
        out[f"table2.mean_abs_cell_change.{model}"] = comp["change"]
        for g in GATES:
            own = _hierarchy(layout, geo, n[m] >= g).mean()
            ranges.setdefault(f"table14.geo_composite.model_specific.n{g}", []).append(own)
            if g == GATES[0]:
                out[f"table15.geo_composite.model_specific.{model}"] = own
            else:
                out[f"table18.geo_composite.n{g}.{model}"] = _hierarchy(
                    layout, geo, common[g]
                ).mean()
        out[f"table15.geo_composite.equal_cell.{model}"] = geo[common[20]].mean()
        weighted = [
            np.average(geo[p][common[20][p]], weights=n[m][p][common[20][p]])
            for p in range(len(layout.pairs))
        ]
        out[f"table15.geo_composite.mapped_n.{model}"] = np.mean(
            [np.mean(np.array(weighted)[layout.attribute_of_pair == k]) for k in range(3)]
        )
        out[f"table18.augmented_composite.{model}"] = comp["augmented"]
        out[f"table20.geo_composite_all_cells.{model}"] = _hierarchy(layout, geo, everything).mean()
        for end, name in (("min", "best"), ("max", "worst")):
            out[f"table20.completion_envelope.{end}.{model}"] = _hierarchy(
                layout, stat[name], everything
            ).mean()
        out[f"table20.non_mapping_mass.{model}"] = comp["missing"]
        out[f"table20.visibility_penalised.eta0.5.{model}"] = comp["mix0"] + comp["missing"] / 2
        out[f"table20.visibility_penalised.eta1.{model}"] = comp["mix0"] + comp["missing"]
        out[f"table22.total_variation.{model}"] = comp["tv"]
        out[f"table22.mean_max_abs_deviation.{model}"] = comp["max"]
        ranges.setdefault("app_b2.mean_abs_cell_change_root", []).append(comp["root"])
        ranges.setdefault("app_d8.mixture_reduction", []).append(comp["mix0"] - comp["mix1"])
        ranges.setdefault("sec5.threshold_change_share", []).extend(
            100 * comp[f"T{t}"] for t in pins.THRESHOLDS
        )
        paths[model] = [comp[f"mix{i}"] for i in range(11)]
        powers[model] = [comp[f"pow{a}"] for a in POWERS]
        ranges.setdefault("app_d8.mixture_argmin", []).append(MIXTURE[int(np.argmin(paths[model]))])
    for stem, values in ranges.items():
        if stem.endswith("n20"):
            continue
        out[f"{stem}.min"], out[f"{stem}.max"] = min(values), max(values)
    lowest = {POWERS[int(np.argmin(x))] for x in powers.values()}
    out["app_d8.power_argmin"] = lowest.pop() if len(lowest) == 1 else np.nan
    out["app_d8.order_change_lambda"] = _order_change(paths)
    for attribute, (rate, score) in pooled.items():
        rho = spearmanr(np.concatenate(rate), np.concatenate(score)).statistic
        out[f"fig6.spearman.{attribute}"] = float(rho)


def _order_change(paths: dict[str, list[float]]) -> float:
    """First mixture weight at which exactly the stated pairs change order."""
    before = sorted(paths, key=lambda m: paths[m][0])
    for step in range(1, 11):
        order = sorted(paths, key=lambda m: paths[m][step])
        if order == before:
            continue
        swapped = list(before)
        for first, second in pins.ORDER_SWAPS:
            i, j = swapped.index(first), swapped.index(second)
            swapped[i], swapped[j] = second, first
        return step / 10 if order == swapped else np.nan
    return np.nan


def _gender(rows: Rows, out: dict[str, float]) -> None:
    layout = rows.layout
    means = {}
    for regime in REGIMES:
        counts = {m: [rows.array(m, regime, p) for p in layout.gender_pairs] for m in layout.models}
        n = np.array([[c.sum(axis=1) for c in counts[m]] for m in layout.models])
        common = n.min(axis=0) >= GATES[0]
        for model in layout.models:
            d = [
                [jsd(c / c.sum(), p.target) for c in x]
                for p, x in zip(layout.gender_pairs, counts[model], strict=True)
            ]
            means[regime, model] = np.mean(
                [np.array(x)[k].mean() for x, k in zip(d, common, strict=True)]
            )
    for model in layout.models:
        out[f"table21.module.gender_to_sex.{model}"] = means["joint", model]
    implicit = [means["implicit", m] for m in layout.models]
    out["sec5.implicit_gender_to_sex.min"] = min(implicit)
    out["sec5.implicit_gender_to_sex.max"] = max(implicit)
    usa = next(p for p in layout.gender_pairs if p.context == diagnostic.CONTEXT)
    woman = usa.categories.index("female")
    ceo = []
    posterior = diagnostic.Posterior(usa.target[woman])
    for model in layout.models:
        c = rows.array(model, "implicit", usa)
        slot = SLOTS.index((FORMATS[1], "ceo"))
        ceo.append(100 * c[slot, woman] / c[slot].sum())
        _, slots = diagnostic.cells(layout)
        y, total = c[slots, woman], c[slots].sum(axis=1)
        found = posterior.summary(y, total)
        for j, column in enumerate(pins.OCCUPATIONAL_COLUMNS):
            for end, x in zip(("", ":lower", ":upper"), found[j], strict=True):
                out[f"table27.{column}.{model}{end}"] = x
    out["fig1.generated_female_share.min"] = min(ceo)
    out["fig1.generated_female_share.max"] = max(ceo)


def _evidence(rows: Rows, out: dict[str, float]) -> None:
    layout = rows.layout
    footer = [r for r in rows.evidence if r["evidence"] == "footer_only"]
    relational = [r for r in rows.evidence if r["evidence"] == "relational"]
    out["app_d3.metadata_only_labels"] = sum(r["n"] for r in footer)
    out["app_d3.metadata_only_labels.primary"] = sum(
        r["n"] for r in footer if r["attribute"] in PRIMARY
    )
    for regime in REGIMES:
        out[f"app_d3.relational_orientation_labels.{regime}"] = sum(
            r["n"] for r in relational if r["regime"] == regime
        )
    mapped = [r for r in relational if r["regime"] == "joint" and r["category"] not in STATES]
    for model in layout.models:
        own = sum(r["n"] for r in mapped if r["model"] == model)
        if f"app_d3.relational_orientation_labels.joint_mapped.{model}" in pins.figures():
            out[f"app_d3.relational_orientation_labels.joint_mapped.{model}"] = own
    for name, dropped in (("metadata_only_removed", footer), ("relational_removed", mapped)):
        for model in layout.models:
            out[f"app_d3.composite_change.{name}.{model}"] = _change(rows, model, dropped)


def _change(rows: Rows, model: str, dropped: list[dict]) -> float:
    layout = rows.layout
    n = np.array(
        [[rows.array(m, "joint", p).sum(axis=1) for p in layout.pairs] for m in layout.models]
    )
    common = n.min(axis=0) >= GATES[0]
    before, after = np.zeros(common.shape), np.zeros(common.shape)
    for p, pair in enumerate(layout.pairs):
        c = rows.array(model, "joint", pair)
        kept = c.copy()
        for r in dropped:
            if (r["model"], r["attribute"], r["context"]) == (model, pair.attribute, pair.context):
                kept[
                    SLOTS.index((r["format"], r["role"])), pair.categories.index(r["category"])
                ] -= r["n"]
        before[p] = [jsd(x / x.sum(), pair.target) for x in c]
        after[p] = [jsd(x / x.sum(), pair.target) for x in kept]
    return float(_hierarchy(layout, after - before, common).mean())


def residuals(folder: Path, number: int) -> list[tuple[str, float, float, float]]:
    """Figures outside their tolerance: id, printed, recomputed, tolerance.

    A figure printed as a bound is off when the bound does not hold.
    """
    reached = recompute(folder, number)
    off = []
    for key, x in reached.items():
        name, _, end = key.partition(":")
        figure = pins.figures().get(name)
        if figure is None:
            continue
        value = getattr(figure, end) if end else figure.value
        if figure.bounded:
            inside = 0 < x < value if name.startswith("table19") else abs(x) < value
        elif "composite_change" in name and value == 0:
            limit = 5e-5 if "metadata" in name else 5e-6
            inside = abs(x) < limit
        else:
            inside = abs(x - value) <= figure.tolerance + 1e-9
        if not inside:
            off.append((key, value, x, figure.tolerance))
    return off


def missing(folder: Path, number: int) -> list[str]:
    """Pinned figures that this report does not recompute (repeats and sums)."""
    reached = {key.partition(":")[0] for key in recompute(folder, number)}
    wanted = pins.pinned()
    return [i for i in (*wanted["cells"], *wanted["evidence"]) if i not in reached]
