"""Study 2: brief values, levels and label biases are drawn, then repaired mark by mark."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from data.build.filenames import pins, repair
from data.build.filenames.pins import Window
from data.build.filenames.reference import FAMILIES, HYPOTHESES, JUDGES, LABELS, OWN_LABEL, weights

BRIEFS, TEXTS, CALLS = repair.BRIEFS, repair.TEXTS, repair.CALLS
DF = BRIEFS - 1
REDRAWS = 12
"""Panels drawn at most before the search counts as missed."""
CANDIDATES = 400
"""Draws of a judge's label biases, of which the one with the nearest interval ends is kept."""
BOOTSTRAP = 4_000

CELL_SD = np.array([0.06, 0.22, 0.14])
"""Standard deviation of single marks within a cell, by judge."""

BOUNDS = np.array([[7.0, 9.0], [5.0, 9.0], [7.5, 9.5]])
"""Range of neutral means of each judge: the end ticks of the document's figure."""


@dataclass(frozen=True)
class Plan:
    """What a panel chooses where the document determines nothing.

    Attributes
    ----------
    levels : tuple of float
        Mean of the neutral marks of each judge.
    tilt : tuple of float
        Share of a judge's persistent bias that the unnamed and the version
        label take.
    """

    levels: tuple[float, ...]
    tilt: tuple[float, ...]


class Pins:
    """Windows of every statistic, as arrays over judges."""

    def __init__(self) -> None:
        self.windows = [self._judge(name) for name in JUDGES]
        narrowed = [pins.arrays([w.narrowed() for w in row]) for row in self.windows]
        self.low, self.high, self.scale = (np.array(x) for x in zip(*narrowed, strict=True))
        self.own = np.array([LABELS["2"].index(OWN_LABEL[name]) for name in JUDGES])
        self.quantile = pins.quantile(0.975, DF)

    def _judge(self, name: str) -> list[Window]:
        found = [Window(-np.inf, np.inf, 1.0)] * repair.SIZE
        for h, hypothesis in enumerate(HYPOTHESES["2"]):
            prefix, place = f"table3.{hypothesis.lower()}", h * repair.BLOCK
            printed = pins.figure(f"{prefix}.{name}.estimate")
            found[place + repair.ESTIMATE] = pins.around(printed)
            found[place + repair.ERROR] = pins.standard_error(prefix, name, DF)
            found[place + repair.LOWER] = pins.around(printed, "lower")
            found[place + repair.UPPER] = pins.around(printed, "upper")
            size = pins.size_of_ratio(prefix, name, DF)
            negative = Window(-size.high, -size.low, size.scale)
            found[place + repair.RATIO] = negative if printed.value < 0 else size
            for sign, at in (("positive", repair.UPS), ("negative", repair.DOWNS)):
                count = pins.figure(f"{prefix}.{name}.briefs_{sign}").value
                found[place + at] = Window(count, count, 0.2)
        found[repair.SHARES + repair.CORRECTED] = pins.value(f"table4.llm.corrected.{name}", 0.01)
        # Both readings of a pair of units have to print.
        products = pins.value(f"table4.llm.q3.{name}", 0.01)
        found[repair.SHARES + repair.BY_TEXT] = products
        found[repair.SHARES + repair.BY_BRIEF] = products
        return found

    def missed(self, marks: np.ndarray) -> int:
        """How many statistics do not print as they should."""
        out = repair.statistics(marks, self.own, self.quantile)
        bounds = [pins.arrays(row) for row in self.windows]
        return sum(
            int(((row < low) | (row > high)).sum())
            for row, (low, high, _) in zip(out, bounds, strict=True)
        )


def brief_values(hypothesis: str, judge: str, rng: np.random.Generator) -> np.ndarray:
    """Values of 30 briefs with a printed mean, spread and sign counts."""
    prefix = f"table3.{hypothesis.lower()}.{judge}"
    mean = pins.figure(f"{prefix}.estimate").value
    error = pins.standard_error(f"table3.{hypothesis.lower()}", judge, DF)
    spread = (error.low + error.high) / 2 * np.sqrt(BRIEFS)
    ups, downs = (
        int(pins.figure(f"{prefix}.briefs_{sign}").value) for sign in ("positive", "negative")
    )
    while True:
        skew = rng.choice([-1, 1]) * (1 if rng.random() < 0.9 else 0.3)
        x = skew * rng.gamma(rng.uniform(1.2, 12), size=BRIEFS)
        x = mean + spread * (x - x.mean()) / x.std(ddof=1)
        x[np.argsort(abs(x))[: BRIEFS - ups - downs]] = 0.0
        if (x > 0).sum() == ups and (x < 0).sum() == downs:
            return x


def neutral_means(plan: Plan, rng: np.random.Generator) -> np.ndarray:
    """Means of the files without a label; each judge's own texts carry H5.

    Returns
    -------
    ndarray of float, shape (judges, briefs, generators)
    """
    excess = [brief_values("H5", name, rng) for name in JUDGES]
    while True:
        quality = rng.normal(0, 0.22, (1, BRIEFS, 3)) + rng.normal(0, 0.15, (1, 1, 3))
        taste = rng.normal(0, 0.18, (3, BRIEFS, 1))
        level = np.array(plan.levels)[:, None, None]
        y = level + quality + taste + rng.normal(0, 0.06, (3, BRIEFS, 3))
        for j in range(3):
            p, q = (i for i in range(3) if i != j)
            fitted = y[j, :, p] + y[j, :, q] + y[p, :, j] + y[q, :, j] - y[p, :, q] - y[q, :, p]
            y[j, :, j] = fitted / 2 + excess[j]
        low, high = BOUNDS.T[:, :, None, None]
        if ((y > low) & (y < high)).all():
            return y


class Biases:
    """Draws of one judge's label biases that return H6, H7 and the corrected share."""

    def __init__(self, j: int, plan: Plan, rng: np.random.Generator) -> None:
        self.j, self.rng, self.tilt = j, rng, plan.tilt[j]
        self.own, self.person = weights("H6", JUDGES[j]), weights("H7", JUDGES[j])
        self.noise = (1 - 1 / repair.LABELS) * CELL_SD[j] ** 2 / CALLS
        self.target = pins.figure(f"table4.llm.corrected.{JUDGES[j]}")
        self.products = pins.figure(f"table4.llm.q3.{JUDGES[j]}")
        self.drawn = rng.multinomial(BRIEFS, np.full(BRIEFS, 1 / BRIEFS), BOOTSTRAP)

    def draw(self) -> np.ndarray | None:
        """Biases (texts, labels); None where the share cannot be reached."""
        h6 = brief_values("H6", JUDGES[self.j], self.rng)
        h7 = brief_values("H7", JUDGES[self.j], self.rng)
        size = abs(h7.mean()) / 2
        profile = -np.sign(self.person) * np.sign(-h7.mean()) * size
        profile += self.rng.normal(0, 0.15 * size, repair.LABELS)
        profile[:2] = self.tilt * size + self.rng.normal(0, 0.2 * size, 2)
        shape = self.rng.normal(0, 1, (BRIEFS, 3, repair.LABELS))
        shape += self.rng.normal(0, 0.3, (BRIEFS, 1, repair.LABELS))

        def at(scale: float) -> np.ndarray:
            x = profile + scale * shape
            x -= x.mean(-1, keepdims=True)
            return self._with_values(x, h6, h7).reshape(TEXTS, repair.LABELS)

        # What is drawn is a straight line in the scale of the context.
        flat, slope = at(0.0), at(1.0) - at(0.0)
        scale = self._scale(flat, slope)
        return None if scale is None else flat + scale * slope

    def _scale(self, flat: np.ndarray, slope: np.ndarray) -> float | None:
        """Scale of the context at which the corrected share prints."""
        wanted = self.target.value / 100
        a, b = flat.mean(0), slope.mean(0)
        terms = (((a**2).mean(), (flat**2).mean(), (1 / TEXTS, 1)),
                 (2 * (a * b).mean(), 2 * (flat * slope).mean(), (0, 0)),
                 ((b**2).mean(), (slope**2).mean(), (0, 0)))  # fmt: skip
        c0, c1, c2 = (p - wanted * t - self.noise * (n[0] - wanted * n[1]) for p, t, n in terms)
        roots = np.roots([c2, c1, c0])
        real = roots[np.isreal(roots)].real
        return float(real[real > 0].min()) if (real > 0).any() else None

    def _with_values(self, x: np.ndarray, h6: np.ndarray, h7: np.ndarray) -> np.ndarray:
        """Change each brief as little as possible so that it has its values of H6 and H7."""
        rows = np.zeros((2, 3, repair.LABELS))
        rows[0, self.j] = self.own
        rows[1] = self.person / 3
        rows = rows.reshape(2, -1)
        flat = x.reshape(BRIEFS, -1)
        miss = np.stack([h6, h7], axis=1) - flat @ rows.T
        return (flat + miss @ np.linalg.solve(rows @ rows.T, rows)).reshape(x.shape)

    def distance(self, x: np.ndarray) -> float:
        """How far a draw's bootstrap interval and products are from the printed ones."""
        by_brief = x.reshape(BRIEFS, 3, -1)
        total = (by_brief**2).sum((1, 2)) / repair.LABELS / 3 - self.noise
        sums = self.drawn @ by_brief.sum(1) / TEXTS
        share = ((sums**2).mean(1) - self.noise / TEXTS) / (self.drawn @ total / BRIEFS)
        ends = 100 * np.quantile(share, [0.025, 0.975])
        whole = (x.sum(0) ** 2).sum()
        pairs = whole - (by_brief.sum(1) ** 2).sum()
        products = pairs / repair.LABELS / (TEXTS * (TEXTS - 3)) / total.mean()
        off = 100 * products - self.products.value
        miss = ends - [self.target.lower, self.target.upper]
        return float(np.hypot(*miss) + 4 * abs(off))

    def best(self) -> np.ndarray:
        """The nearest of many draws."""
        draws = [x for x in (self.draw() for _ in range(CANDIDATES)) if x is not None]
        return min(draws, key=self.distance)


def first_marks(means: np.ndarray, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Marks in tenths around means, and the sums they are held to.

    Returns
    -------
    marks : ndarray of int, shape (judges, texts, labels, calls)
    aim : ndarray of int, shape (judges, texts, labels)
    """
    aim = np.rint(10 * CALLS * means).astype(np.int64)
    noise = rng.normal(0, 1, (*means.shape, CALLS)) * 10 * CELL_SD[:, None, None, None]
    marks = np.rint(10 * means[..., None] + noise).astype(np.int64)
    marks = _towards_round(marks, rng)
    while (short := aim - marks.sum(-1)).any():
        for cell in np.argwhere(short):
            marks[(*cell, rng.integers(CALLS))] += np.sign(short[tuple(cell)])
    return np.clip(marks, 0, 100), aim


def _towards_round(marks: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Move a part of the marks that end in 1, 4, 6 or 9 to the round mark beside them."""
    last = marks % 10
    towards = np.where(np.isin(last, (1, 6)), -1, np.where(np.isin(last, (4, 9)), 1, 0))
    return marks + towards * (rng.random(marks.shape) < 0.35)


def draw(plan: Plan, rng: np.random.Generator) -> np.ndarray:
    """Means of every judge, text and label before any repair."""
    neutral = neutral_means(plan, rng).reshape(len(JUDGES), TEXTS, 1)
    bias = np.stack([Biases(j, plan, rng).best() for j in range(len(JUDGES))])
    return neutral + bias - bias[:, :, :1]


STAGES = (
    (2_000_000, 30.0, 0.02, 6.0),
    (1_000_000, 0.02, 0.0003, 2.0),
    (1_000_000, 0.0003, 0.00002, 0.4),
)
"""Moves, temperature at both ends, weight of the aims."""


def search(plan: Plan, seed: int) -> tuple[np.ndarray, int]:
    """Find marks that meet every pin of study 2.

    Returns
    -------
    marks : ndarray of int, shape (judges, texts, labels, calls)
        In tenths; texts are ordered by brief, then by the family that wrote them.
    missed : int
        Pins that do not print.
    """
    wanted = Pins()
    best: tuple[int, np.ndarray] | None = None
    for attempt in range(REDRAWS):
        rng = np.random.default_rng([seed, 2, attempt])
        marks, aim = first_marks(draw(plan, rng), rng)
        for moves, hot, cold, stiff in STAGES:
            repair.anneal(
                marks, wanted.own, aim, 10 * CELL_SD, wanted.quantile, wanted.low, wanted.high,
                wanted.scale, moves, hot, cold, stiff, int(rng.integers(0, 2**31)),
            )  # fmt: skip
        missed = wanted.missed(marks)
        if best is None or missed < best[0]:
            best = missed, marks
        if missed == 0:
            break
    assert best is not None
    assert len(FAMILIES) == len(JUDGES)
    return best[1], best[0]
