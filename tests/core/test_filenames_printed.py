"""Printed figures that the search was given, from the rows in plain Python, and the ledger.

The first part uses neither numpy nor the project's code: rows and printed figures are read from
their files, and every formula is written out again.
"""

from __future__ import annotations

import csv
import hashlib
import json
import math
from collections import defaultdict
from fractions import Fraction
from functools import cache
from pathlib import Path
from statistics import NormalDist, mean, stdev

import pyarrow.parquet as pq
import pytest

from core.fidelity import ledger, shares, shipped_panels

ROOT = Path(__file__).resolve().parents[2]
REFERENCE = ROOT / "data" / "reference" / "filenames"
FOLDER = ROOT / "data" / "panels" / "filenames"
PANELS = sorted(FOLDER.glob("scores-reconstructed-*.parquet"))
NUMBERS = [int(path.stem.rpartition("-")[2]) for path in PANELS]
NAMES = [path.stem for path in PANELS]

LABELS = ("neutral", "chatgpt", "claude", "gemini", "sergey", "chen")
MODELS = {"openai": "chatgpt", "anthropic": "claude", "google": "gemini"}
PEOPLE = ("sergey", "chen", "catherine")


def read(name: str) -> list[dict[str, str]]:
    with (REFERENCE / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


FIGURES = {row["figure_id"].removeprefix("filenames."): row for row in read("figures")}
JUDGES = {row["judge"]: row["family"] for row in read("judges") if row["role"] == "judge"}
DOCUMENTS = [row["document"] for row in read("documents")]

Cells = dict[tuple[str, str, str], list[float]]


@cache
def cells(path: Path) -> dict[str, Cells]:
    """Marks by study, then by judge, text and label."""
    found: dict[str, Cells] = {"1": defaultdict(list), "2": defaultdict(list)}
    for row in pq.read_table(path).to_pylist():
        found[row["study"]][row["judge"], row["text"], row["label"]].append(row["score"])
    return found


def meets(name: str, value: float, end: str = "value") -> None:
    row = FIGURES[name]
    half = 0.5 * 10 ** -int(row["decimals"])
    assert abs(value - float(row[end])) <= half + 1e-9, f"{name}: {value} printed {row[end]}"


def weights(hypothesis: str, judge: str) -> dict[str, float]:
    for row in read("hypotheses"):
        if (row["hypothesis"], row["judge"]) == (hypothesis, judge):
            return {
                key.removeprefix("w_"): float(Fraction(value).limit_denominator(12))
                for key, value in row.items()
                if key.startswith("w_") and float(value)
            }
    raise KeyError(hypothesis)


def squares(values: list[float]) -> float:
    middle = math.fsum(values) / len(values)
    return math.fsum((v - middle) ** 2 for v in values)


def holm(p: dict[str, float]) -> dict[str, float]:
    adjusted, least = {}, 0.0
    for step, judge in enumerate(sorted(p, key=lambda name: p[name])):
        least = max(least, min(1.0, (len(p) - step) * p[judge]))
        adjusted[judge] = least
    return adjusted


def pooled(path: Path, hypothesis: str, judge: str) -> tuple[float, float]:
    """Estimate and HC3 standard error of study 1, from the normal equations of the design."""
    marks = cells(path)["1"]
    mean_of = {
        (d, x): math.fsum(marks[judge, d, x]) / len(marks[judge, d, x])
        for d in DOCUMENTS
        for x in LABELS
    }
    by_label = {x: mean(mean_of[d, x] for d in DOCUMENTS) for x in LABELS}
    by_text = {d: mean(mean_of[d, x] for x in LABELS) for d in DOCUMENTS}
    grand = mean(by_label.values())
    calls = 152
    leverage = 1 / (6 * calls) + 1 / (4 * calls) - 1 / (24 * calls)
    estimate = variance = 0.0
    for label, w in weights(hypothesis, judge).items():
        estimate += w * by_label[label]
        squared = sum(
            squares(marks[judge, d, label])
            + calls * (mean_of[d, label] - by_text[d] - by_label[label] + grand) ** 2
            for d in DOCUMENTS
        )
        variance += w * w * squared / (4 * calls) ** 2 / (1 - leverage) ** 2
    return estimate, math.sqrt(variance)


@pytest.mark.parametrize("path", PANELS, ids=NAMES)
def test_table_1(path: Path) -> None:
    normal = NormalDist()
    factor = normal.inv_cdf(1 - 0.05 / 6) + normal.inv_cdf(0.8)
    for hypothesis in ("H1", "H2", "H3", "H4", "H4b"):
        p = {}
        for judge in JUDGES:
            estimate, error = pooled(path, hypothesis, judge)
            start = f"table1.{hypothesis.lower()}.{judge}"
            meets(f"{start}.estimate", estimate)
            meets(f"{start}.estimate", estimate - normal.inv_cdf(0.975) * error, "lower")
            meets(f"{start}.estimate", estimate + normal.inv_cdf(0.975) * error, "upper")
            meets(f"{start}.se", error)
            meets(f"{start}.mde80", factor * error)
            p[judge] = 2 * normal.cdf(-abs(estimate) / error)
        for judge, value in holm(p).items():
            row = FIGURES[f"table1.{hypothesis.lower()}.{judge}.p_holm"]
            if row["note"] == "lt":
                assert value < float(row["value"])
            else:
                meets(f"table1.{hypothesis.lower()}.{judge}.p_holm", value)


@pytest.mark.parametrize("path", PANELS, ids=NAMES)
def test_table_2_with_its_stars(path: Path) -> None:
    marks = cells(path)["1"]
    for judge in JUDGES:
        for document in DOCUMENTS:
            for hypothesis in ("H1", "H2", "H3", "H4", "H4b"):
                given = weights(hypothesis, judge)
                estimate = sum(w * mean(marks[judge, document, x]) for x, w in given.items())
                variance = sum(
                    w * w * squares(marks[judge, document, x]) / 151**2 for x, w in given.items()
                )
                start = f"table2.{hypothesis.lower()}.{judge}.{document.lower()}"
                meets(f"{start}.estimate", estimate)
                meets(f"{start}.se", math.sqrt(variance))
                p = 2 * NormalDist().cdf(-abs(estimate) / math.sqrt(variance))
                assert (p < 0.01) == FIGURES[f"{start}.estimate"]["note"].startswith("star")


@pytest.mark.parametrize("path", PANELS, ids=NAMES)
def test_spread_of_marks(path: Path) -> None:
    marks = cells(path)["1"]
    for judge in JUDGES:
        own = {key: values for key, values in marks.items() if key[0] == judge}
        every = [v for values in own.values() for v in values]
        assert len(every) == 3648
        meets(f"scores.study1.range.{judge}.min", min(every))
        meets(f"scores.study1.range.{judge}.max", max(every))
        deviations = sorted(v - mean(values) for values in own.values() for v in values)
        for level, end in ((0.025, "min"), (0.975, "max")):
            place = level * (len(deviations) - 1)
            low, part = int(place), place - int(place)
            value = deviations[low] + part * (deviations[low + 1] - deviations[low])
            meets(f"scores.study1.within_cell_95.{judge}.{end}", value)
        widths = {
            d: max(mean(own[judge, d, x]) for x in LABELS)
            - min(mean(own[judge, d, x]) for x in LABELS)
            for d in DOCUMENTS
        }
        assert max(widths, key=lambda d: widths[d]) == "Book"
        meets(f"scores.study1.largest_label_difference.{judge}", widths["Book"])
    sonnet = [
        v for (judge, _, _), values in marks.items() if judge == "claude-sonnet-5.5" for v in values
    ]
    counts = sorted(((sonnet.count(v), v) for v in set(sonnet)), reverse=True)[:3]
    assert sorted(v for _, v in counts) == [3.5, 4.5, 5.8]
    name = "scores.study1.frequent_values_share.claude-sonnet-5.5"
    meets(name, 100 * sum(n for n, _ in counts) / len(sonnet))


def briefs(path: Path) -> tuple[dict[tuple[str, str, str, str], float], list[str]]:
    """Cell means of study 2 by judge, brief, author and label."""
    found, names = {}, set()
    for (judge, text, label), values in cells(path)["2"].items():
        assert len(values) == 12
        brief, _, author = text.rpartition("-")
        found[judge, brief, author, label] = mean(values)
        names.add(brief)
    return found, sorted(names)


def brief_values(path: Path, hypothesis: str, judge: str) -> list[float]:
    means, names = briefs(path)
    own = JUDGES[judge]
    others = [family for family in JUDGES.values() if family != own]
    rivals = [MODELS[family] for family in others]

    def value(b: str) -> float:
        if hypothesis == "H6":
            rival = mean(means[judge, b, own, x] for x in rivals)
            return means[judge, b, own, MODELS[own]] - rival
        if hypothesis == "H7":
            return mean(
                mean(means[judge, b, a, x] for x in MODELS.values())
                - mean(means[judge, b, a, x] for x in PEOPLE)
                for a in JUDGES.values()
            )
        p, q = (j for j in JUDGES if j != judge)

        def y(j: str, author: str) -> float:
            return means[j, b, JUDGES[author], "neutral"]

        fitted = y(judge, p) + y(judge, q) + y(p, judge) + y(q, judge) - y(p, q) - y(q, p)
        return y(judge, judge) - fitted / 2

    return [value(b) for b in names]


@pytest.mark.parametrize("path", PANELS, ids=NAMES)
def test_table_3(path: Path) -> None:
    t = 2.0452296421327034
    for hypothesis in ("H5", "H6", "H7"):
        for judge in JUDGES:
            values = brief_values(path, hypothesis, judge)
            assert len(values) == 30
            estimate, error = mean(values), stdev(values) / math.sqrt(30)
            start = f"table3.{hypothesis.lower()}.{judge}"
            meets(f"{start}.estimate", estimate)
            meets(f"{start}.estimate", estimate - t * error, "lower")
            meets(f"{start}.estimate", estimate + t * error, "upper")
            meets(f"{start}.se", error)
            meets(f"{start}.briefs_positive", sum(v > 1e-9 for v in values))
            meets(f"{start}.briefs_negative", sum(v < -1e-9 for v in values))


@pytest.mark.parametrize("path", PANELS, ids=NAMES)
@pytest.mark.parametrize("study", ["1", "2"])
def test_table_4(path: Path, study: str) -> None:
    marks = cells(path)[study]
    for judge in JUDGES:
        texts = sorted({text for who, text, _ in marks if who == judge})
        labels = sorted({label for who, _, label in marks if who == judge})
        bias, noise = [], 0.0
        for text in texts:
            means = [mean(marks[judge, text, x]) for x in labels]
            bias.append([m - mean(means) for m in means])
            errors = [
                stdev(marks[judge, text, x]) ** 2 / len(marks[judge, text, x]) for x in labels
            ]
            noise += (1 - 1 / len(labels)) * mean(errors) / len(texts)
        total = mean(mean(b * b for b in row) for row in bias) - noise
        pooled_bias = [mean(column) for column in zip(*bias, strict=True)]
        persistent = mean(b * b for b in pooled_bias) - noise / len(texts)
        products = math.fsum(
            mean(a * b for a, b in zip(one, other, strict=True))
            for i, one in enumerate(bias)
            for k, other in enumerate(bias)
            if i != k
        ) / (len(texts) * (len(texts) - 1))
        kind = "human" if study == "1" else "llm"
        meets(f"table4.{kind}.corrected.{judge}", 100 * persistent / total)
        meets(f"table4.{kind}.q3.{judge}", 100 * products / total)
        if study == "1":
            meets(f"decomp.study1.persistent_sd.{judge}", math.sqrt(persistent))
            meets(f"decomp.study1.context_sd.{judge}", math.sqrt(total - persistent))


@pytest.mark.parametrize("path", PANELS, ids=NAMES)
def test_checksums_and_pins(path: Path) -> None:
    sums = dict(
        reversed(line.split("  "))
        for line in (FOLDER / "SHA256SUMS").read_text(encoding="utf-8").splitlines()
    )
    assert sums[path.name] == hashlib.sha256(path.read_bytes()).hexdigest()
    pins = json.loads(pq.read_schema(path).metadata[b"hinge.pins"])
    assert len(pins) > 250
    for pin in pins:
        row = FIGURES[pin["figure_id"].removeprefix("filenames.")]
        assert pin["tolerance"] == 0.5 * 10 ** -int(row["decimals"])


@pytest.mark.parametrize("number", NUMBERS)
def test_the_ledger(number: int) -> None:
    table = ledger("filenames", shipped_panels("filenames", number), draws=True)
    assert table.height == len(FIGURES) == 370
    found = shares(table)
    assert found.all.total == 265
    assert found.all.share is not None
    assert found.all.share >= 0.95
    assert found.by_construction.off == 0
    off = table.filter((table["status"] == "off") & table["counted"])["figure_id"].to_list()
    # The printed formula with the printed spread gives 151.
    assert off == ["filenames.power.reps.h4b"]


def test_reconstructions_differ_where_the_document_says_nothing() -> None:
    def gap(path: Path, judge: str) -> float:
        marks = cells(path)["1"]
        one, other = (x for family, x in MODELS.items() if family != JUDGES[judge])
        return mean(mean(marks[judge, d, one]) - mean(marks[judge, d, other]) for d in DOCUMENTS)

    assert len(PANELS) == 3
    for judge in ("claude-sonnet-5.5", "gemini-4-argon"):
        signs = {math.copysign(1, gap(path, judge)) for path in PANELS}
        assert signs == {-1.0, 1.0}
