"""Study 1: where a judge's search starts, what it must meet, and how it runs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.optimize import least_squares

from core.figures import figures
from core.reference import table
from data.build.filenames import marks, pins
from data.build.filenames.pins import Window
from data.build.filenames.reference import (
    DOCUMENTS,
    HYPOTHESES,
    LABELS,
    OWN_LABEL,
    STUDY,
    rivals,
    weights,
)

BOOK = DOCUMENTS.index("Book")
STARTS = 30
"""Least squares starts at most."""
SOLVED = 0.2
"""Cost at which a start is good enough."""
RESTARTS = 20
"""Searches at most before a judge's panel counts as missed."""
REHEATS, FEW = 2, 6
"""How often a search with so few misses or fewer goes on from a lower heat."""

RAREST = 1e-5
"""Share below which a mark counts as no less plausible."""

CELL_SD = {"gpt-6.1-sol": 0.13, "claude-sonnet-5.5": 0.25, "gemini-4-argon": 0.27}
"""Standard deviation of the marks within a cell that the search starts from."""

RIVAL_SPLIT = {
    "claude-sonnet-5.5": {"Assignment": 0.10, "Book": 0.58, "Chess": 0.036, "Cournot": 0.025},
    "gemini-4-argon": {"Assignment": 0.06, "Book": 0.39, "Chess": -0.06, "Cournot": 0.12},
}
"""Difference between the two rival labels from which the search starts.

The printed variance shares fix it up to one common sign, which a panel chooses.
"""

SONNET_LEVELS = {"Assignment": 4.54, "Book": 4.73, "Chess": 5.55, "Cournot": 3.67}
"""Document means at which this judge's pins can be met; Chess has to be the highest."""


@dataclass(frozen=True)
class Plan:
    """What a panel chooses where the document determines nothing.

    Attributes
    ----------
    levels : dict
        Mean mark of each document, by judge.
    sign : int
        Which of the two rival labels is the higher one.
    """

    levels: dict[str, dict[str, float]]
    sign: int


class Judge:
    """Pins and kernel arguments of one judge."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.w = np.array([weights(h, name) for h in HYPOTHESES["1"]])
        self.sets, self.chances = marks.multisets()
        self.z = pins.quantile(0.975, np.inf)
        self.lowest, highest = (
            round(pins.figure(f"scores.study1.range.{name}.{end}").value * marks.TENTHS)
            for end in ("min", "max")
        )
        self.marks = highest - self.lowest + 1
        self.low, self.high, self.scale = pins.arrays([w.narrowed() for w in self.windows])

    @cached_property
    def favourites(self) -> np.ndarray:
        """Which marks are printed as the most frequent ones."""
        found = np.zeros(self.marks, dtype=np.bool_)
        for figure in figures(STUDY).values():
            if figure.quantity == "most_frequent_score" and figure.subject == self.name:
                found[round(figure.value * marks.TENTHS) - self.lowest] = True
        return found

    @cached_property
    def tails(self) -> np.ndarray:
        """Ends of the windows of the printed range of single calls, in order."""
        ends = [pins.value(f"scores.study1.within_cell_95.{self.name}.{e}") for e in ("min", "max")]
        low, high = (w.narrowed() for w in ends)
        return np.array([low.low, low.high, high.low, high.high])

    @cached_property
    def cells(self) -> np.ndarray:
        """Document and label of the two cells whose mean is printed."""
        labels = LABELS["1"]
        cournot = DOCUMENTS.index("Cournot")
        return np.array([[cournot, labels.index(x)] for x in ("neutral", "claude")])

    @cached_property
    def windows(self) -> list[Window]:
        """What each statistic must be; everything where nothing is printed."""
        found = [Window(-np.inf, np.inf, 1.0)] * marks.SIZE
        for h, hypothesis in enumerate(HYPOTHESES["1"]):
            self._table1(found, h, f"table1.{hypothesis.lower()}")
            for d, document in enumerate(DOCUMENTS):
                self._table2(found, h * marks.DOCS + d, hypothesis.lower(), document.lower())
        self._shares(found)
        self._ranges(found)
        if self.favourites.any():
            self._sonnet(found)
        return found

    def _table1(self, found: list[Window], h: int, prefix: str) -> None:
        printed = pins.figure(f"{prefix}.{self.name}.estimate")
        found[marks.ESTIMATE + h] = pins.around(printed)
        found[marks.LOWER + h] = pins.around(printed, "lower")
        found[marks.UPPER + h] = pins.around(printed, "upper")
        found[marks.ERROR + h] = pins.standard_error(prefix, self.name, np.inf)
        size = pins.size_of_ratio(prefix, self.name)
        negative = Window(-size.high, -size.low, size.scale)
        found[marks.RATIO + h] = negative if printed.value < 0 else size

    def _table2(self, found: list[Window], place: int, hypothesis: str, document: str) -> None:
        name = f"table2.{hypothesis}.{self.name}.{document}"
        printed = pins.figure(f"{name}.estimate")
        found[marks.DOC_ESTIMATE + place] = pins.around(printed)
        found[marks.DOC_ERROR + place] = pins.value(f"{name}.se")
        # A star stands for p below 1%: z above 2.576.
        star = pins.at_least(2.6, 0.1) if pins.starred(printed) else pins.at_most(2.55, 0.1)
        found[marks.DOC_RATIO + place] = star

    def _shares(self, found: list[Window]) -> None:
        corrected = pins.figure(f"table4.human.corrected.{self.name}")
        products = pins.figure(f"table4.human.q3.{self.name}")

        def window(end: str) -> Window:
            # corrected = 1/D + (1 - 1/D) Q3 for D documents, in percent.
            part = 1 - 1 / marks.DOCS
            first = pins.around(corrected, end, 0.01)
            low, high = ((x - 1 / marks.DOCS) / part for x in (first.low, first.high))
            return pins.around(products, end, 0.01).both(Window(low, high, first.scale / part))

        found[marks.PRODUCTS] = window("value")
        for i, end in enumerate(("lower", "lower", "upper", "upper")):
            found[marks.PRODUCT_ENDS + i] = window(end)
        found[marks.PERSISTENT] = pins.value(f"decomp.study1.persistent_sd.{self.name}")
        found[marks.CONTEXT] = pins.value(f"decomp.study1.context_sd.{self.name}")

    def _ranges(self, found: list[Window]) -> None:
        largest = pins.value(f"scores.study1.largest_label_difference.{self.name}")
        found[marks.BOOK_RANGE] = largest
        found[marks.OTHER_RANGE] = pins.at_most(largest.low - 0.01, 0.01)
        # The interpolated 2.5% point lies between the 92nd and the 93rd smallest deviation.
        inside = int(0.025 * (marks.DOCS * marks.LABELS * marks.CALLS - 1)) + 2
        outside = inside - 2
        for tail, most, least in ((0, outside, inside), (3, outside, inside)):
            nearer = 1 if tail == 0 else 2
            found[marks.TAILS + tail] = pins.at_most(most)
            found[marks.TAILS + nearer] = pins.at_least(least)
        found[marks.ENDS] = found[marks.ENDS + 1] = pins.at_least(1)

    def _sonnet(self, found: list[Window]) -> None:
        found[marks.FAVOURITES] = pins.value(
            f"scores.study1.frequent_values_share.{self.name}", 0.01
        )
        found[marks.FAVOURITES + 1] = pins.at_least(1)
        found[marks.GAP] = pins.value(f"scores.study1.document_mean_gap.{self.name}")
        found[marks.GAP_SHARE] = pins.value(
            f"scores.study1.largest_label_difference_share_of_gap.{self.name}", 0.01
        )
        for place, label in ((marks.CELL_ONE, "neutral"), (marks.CELL_TWO, "claude")):
            for i, statistic in enumerate(("mean", "sd")):
                name = f"delivery.openrouter_prompt.{label}.{statistic}"
                found[place + i] = pins.value(name)

    def missed(self, counts: np.ndarray) -> int:
        """How many statistics do not print as they should."""
        low, high, _ = pins.arrays(self.windows)
        out = self.statistics(counts)
        return int(((out < low) | (out > high)).sum())

    def statistics(self, counts: np.ndarray) -> np.ndarray:
        """Every statistic of the counts."""
        return marks.statistics(counts, self.lowest, self.favourites, self.tails, *self._fixed)

    @property
    def _fixed(self) -> tuple:
        return (self.w, self.z, self.sets, self.chances, marks.END_LEVELS, BOOK, self.cells)

    def smooth(self, mean: np.ndarray, squares: np.ndarray) -> np.ndarray:
        """Statistics of means and sums of squares alone; zero elsewhere."""
        out = np.zeros(marks.SIZE)
        marks.smooth_statistics(mean, squares, *self._fixed, out)
        return out

    def anneal(
        self,
        counts: np.ndarray,
        base: np.ndarray,
        *,
        moves: int,
        pull: tuple[float, float],
        plausible: float,
        seed: int,
    ) -> float:
        """Run the kernel on counts, in place."""
        return marks.anneal(
            counts, self.lowest, 0.3 if self.favourites.any() else 0.0, base, self.favourites,
            self.tails, *self._fixed, self.low, self.high, self.scale,
            moves, *pull, plausible, seed,
        )  # fmt: skip


def effects(judge: Judge, plan: Plan) -> np.ndarray:
    """Means of documents and labels from which a judge's search starts.

    Returns
    -------
    ndarray of float, shape (documents, labels)
    """
    rows = table(STUDY, "recovered_cell_means").to_dicts()
    solved = {
        (r["document"], r["label_group"]): float(r["effect_vs_neutral"])
        for r in rows
        if r["judge"] == judge.name and r["effect_vs_neutral"] is not None
    }
    labels = LABELS["1"]
    first, second = rivals(judge.name)
    mean = np.zeros((marks.DOCS, marks.LABELS))
    for d, document in enumerate(DOCUMENTS):
        half = plan.sign * RIVAL_SPLIT.get(judge.name, {}).get(document, 0.0) / 2
        mean[d, labels.index(OWN_LABEL[judge.name])] = solved[document, "own"]
        mean[d, first] = solved[document, "rival_mean"] + half
        mean[d, second] = solved[document, "rival_mean"] - half
        for person in ("sergey", "chen"):
            mean[d, labels.index(person)] = solved[document, person]
        mean[d] += plan.levels[judge.name][document] - mean[d].mean()
    return mean


def start(judge: Judge, plan: Plan, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Solve means and variances for the pins that depend on nothing else.

    Returns
    -------
    mean, variance : ndarray of float, shape (documents, labels)
    """
    solve = _Solver(judge)
    best = None
    for _ in range(STARTS):
        moved = effects(judge, plan) + rng.normal(0, 0.01, (marks.DOCS, marks.LABELS))
        if judge.name not in RIVAL_SPLIT:
            moved[:, rivals(judge.name)] += np.outer(rng.normal(0, 0.05, marks.DOCS), [1, -1])
        spread = np.log(CELL_SD[judge.name] ** 2) + rng.normal(0, 0.2, moved.shape)
        found = solve(np.concatenate([moved.ravel(), spread.ravel()]))
        if best is None or found.cost < best.cost:
            best = found
        if best.cost < SOLVED:
            break
    return _unpack(best.x)


class _Solver:
    """Least squares on misses: coarsely without the variance shares, then with them, finely."""

    def __init__(self, judge: Judge) -> None:
        self.judge = judge
        self.places = np.arange(marks.TAILS)

    def __call__(self, first: np.ndarray):
        x = first
        for last, coarse, hold, steps in (
            (marks.PRODUCTS, 5, 0.02, 40),
            (marks.TAILS, 5, 0.02, 40),
            (marks.TAILS, 1, 0.005, 60),
        ):
            found = least_squares(
                self._residuals, x, max_nfev=steps, args=(first, last, coarse, hold)
            )
            x = found.x
        return found

    def _residuals(
        self, x: np.ndarray, first: np.ndarray, last: int, coarse: float, hold: float
    ) -> np.ndarray:
        mean, variance = _unpack(x)
        out = self.judge.smooth(mean, variance * (marks.CALLS - 1))[:last]
        low, high, scale = (a[:last] for a in (self.judge.low, self.judge.high, self.judge.scale))
        miss = np.maximum(np.maximum(low - out, out - high), 0) / (scale * coarse)
        return np.concatenate([miss, hold * (x - first)])


def _unpack(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    mean, spread = np.split(x, 2)
    shape = (marks.DOCS, marks.LABELS)
    return mean.reshape(shape), np.exp(np.clip(spread, -8, 1)).reshape(shape)


def taste(judge: Judge, rng: np.random.Generator) -> np.ndarray:
    """Logarithm of how much a judge likes each mark: round ones, and printed favourites."""
    tenths = (judge.lowest + np.arange(judge.marks)) % 10
    liked = np.isin(tenths, (0, 5)) * 0.6 + np.isin(tenths, (2, 8)) * 0.4
    return liked + 4.0 * judge.favourites + rng.normal(0, 0.3, judge.marks)


def tilted(base: np.ndarray, lowest: int, mean: float, variance: float) -> np.ndarray:
    """Most plausible shares of marks under a taste that have a mean and variance."""
    x = (lowest + np.arange(base.size)) / marks.TENTHS - mean

    def shares(tilt: np.ndarray) -> np.ndarray:
        logits = base + tilt[0] * x + tilt[1] * x**2
        raw = np.exp(logits - logits.max())
        return raw / raw.sum()

    def miss(tilt: np.ndarray) -> np.ndarray:
        p = shares(tilt)
        return np.array([p @ x * 10, (p @ x**2 - variance) * 20])

    found = least_squares(miss, np.array([0.0, -0.5 / variance]), x_scale=[1.0, 10.0], max_nfev=80)
    return shares(found.x)


def counted(shares: np.ndarray) -> np.ndarray:
    """Whole counts of a cell's calls nearest to shares."""
    wanted = shares * marks.CALLS
    counts = np.floor(wanted).astype(np.int64)
    short = marks.CALLS - counts.sum()
    counts[np.argsort(counts - wanted, kind="stable")[:short]] += 1
    return counts


def _run(judge: Judge, counts: np.ndarray, base: np.ndarray, rng: np.random.Generator) -> int:
    """Anneal counts in place, again from a lower heat while a few pins are left.

    Returns
    -------
    int
        How many pins do not print.
    """
    for weight in (0.03, *[2.0] * REHEATS):
        first, second = (int(x) for x in rng.integers(0, 2**31, 2))
        pull = (weight, 300)
        judge.anneal(counts, base, moves=3_000_000, pull=pull, plausible=0.3, seed=first)
        judge.anneal(counts, base, moves=500_000, pull=(300, 1e5), plausible=0.05, seed=second)
        missed = judge.missed(counts)
        if missed == 0 or missed > FEW:
            break
    return missed


def search(name: str, plan: Plan, seed: int) -> tuple[np.ndarray, Judge, bool]:
    """Find counts of marks that meet every pin of a judge.

    Returns
    -------
    counts : ndarray of int, shape (documents, labels, marks)
    judge : Judge
    met : bool
        Whether every pin prints.
    """
    judge = Judge(name)
    best: tuple[int, np.ndarray] | None = None
    for attempt in range(RESTARTS):
        rng = np.random.default_rng([seed, attempt])
        mean, variance = start(judge, plan, rng)
        liked = taste(judge, rng)
        cells = [
            tilted(liked, judge.lowest, m, v)
            for m, v in zip(mean.ravel(), variance.ravel(), strict=True)
        ]
        shape = (marks.DOCS, marks.LABELS, judge.marks)
        counts = np.reshape([counted(p) for p in cells], shape)
        base = np.log(np.maximum(np.reshape(cells, shape), RAREST))
        missed = _run(judge, counts, base, rng)
        if best is None or missed < best[0]:
            best = missed, counts
        if missed == 0:
            break
    assert best is not None
    return best[1], judge, best[0] == 0
