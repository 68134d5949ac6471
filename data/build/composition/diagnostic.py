"""Female counts of the six U.S. stories behind the occupational diagnostic.

The printed row of a model holds the median and both ends of four posterior
summaries. A search over counts on approximate quantiles proposes candidates;
exact quantiles decide.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from scipy.special import betaincinv
from scipy.stats import norm

from data.build.composition import pins
from data.build.composition.reference import (
    GENDER,
    OUTPUTS,
    ROLES,
    SLOTS,
    Layout,
    read_rows,
)

CONTEXT, FORMAT = "USA", "story"
NODES = 4_001
STARTS, STEPS = 800, 6_000
CANDIDATES = 120
FINE_NODES = 40_000
BINS = 1 << 16
STEP = 2 * len(ROLES) / BINS
LEVELS = (0.5, 0.025, 0.975)
MISSING = 2
SHORTFALL = 0.5
"""Cost of an output without a mapped gender, against misfits in print units."""
TIE = 0.02
"""The same once exact quantiles have replaced the approximation."""


def cells(layout: Layout) -> tuple[int, list[int]]:
    """Context and slots of the diagnostic's cells, in the order of ROLES."""
    return layout.contexts.index(CONTEXT), [SLOTS.index((FORMAT, r)) for r in ROLES]


def occupational_shares() -> np.ndarray:
    """Women's share of each role's occupation, shape (roles,)."""
    rows = {r["role"]: r["percent_women"] for r in read_rows("occupational_planned")}
    return np.array([float(rows[role]) / 100 for role in ROLES])


def female_targets(layout: Layout) -> np.ndarray:
    """Female share of each context's population, shape (contexts,)."""
    return np.array([p.target[p.categories.index("female")] for p in layout.gender_pairs])


def divergence(share: np.ndarray, target: np.ndarray | float) -> np.ndarray:
    """Base-2 Jensen-Shannon divergence of two two-way shares (bits)."""
    total = 0.0
    for q, p in ((share, target), (1 - share, 1 - target)):
        middle = (q + p) / 2
        with np.errstate(divide="ignore", invalid="ignore"):
            own = np.where(q > 0, q * np.log2(q / middle), 0.0)
        total = total + 0.5 * (own + p * np.log2(p / middle))
    return total


def solve(layout: Layout, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Female and mapped counts of every model, shape (models, roles) each.

    Mapped counts below thirty are allowed down to the printed smallest rate,
    at a small cost.
    """
    geo = female_targets(layout)[layout.contexts.index(CONTEXT)]
    posterior = Posterior(geo)
    moments = _moments(geo, occupational_shares())
    female, mapped = [], []
    for model in layout.models:
        lowest = pins.figure(
            pins.MAPPED_RATE, regime="implicit", attribute=GENDER,
            statistic="min", model=model,
        ).value  # fmt: skip
        proposals = _propose(
            moments, _printed(model), norm.ppf(LEVELS), round(lowest * OUTPUTS),
            STARTS, STEPS, int(rng.integers(2**31)),
        )  # fmt: skip
        y, n = _choose(proposals, posterior, _printed(model))
        female.append(y)
        mapped.append(n)
    return np.array(female), np.array(mapped)


class Posterior:
    """Posterior of the four columns by convolving roles on a grid.

    A column is the mean over six independent roles, so its distribution is the
    convolution of the roles' own. This has no simulation error, which matters:
    the printed ends come from draws and are themselves uncertain by .0002.
    """

    def __init__(self, geo: float) -> None:
        self.geo = geo
        self.known: dict[tuple[int, int, int], np.ndarray] = {}

    def transform(self, role: int, female: int, mapped: int) -> np.ndarray:
        """Fourier transform of one role's four columns, shape (4, BINS / 2 + 1)."""
        key = role, female, mapped
        if key not in self.known:
            nodes = (np.arange(FINE_NODES) + 0.5) / FINE_NODES
            theta = betaincinv(female + 0.5, mapped - female + 0.5, nodes)
            columns = _columns(theta, self.geo, occupational_shares()[role])
            self.known[key] = np.fft.rfft([_binned(x) for x in columns])
        return self.known[key]

    def summary(self, female: np.ndarray, mapped: np.ndarray) -> np.ndarray:
        """Median and 95% ends of the four columns, shape (4, 3)."""
        product = np.prod(
            [
                self.transform(r, int(y), int(n))
                for r, (y, n) in enumerate(zip(female, mapped, strict=True))
            ],
            axis=0,
        )
        mass = np.cumsum(np.fft.irfft(product, BINS), axis=1)
        ends = np.arange(BINS) + 0.5
        roles = len(female)
        return np.array([np.interp(LEVELS, m, ends) * STEP / roles - 1 for m in mass])


def _binned(values: np.ndarray) -> np.ndarray:
    """Probability of values in [-1, 1] on the grid, split between two bins each."""
    position = (values + 1) / STEP
    low = np.floor(position).astype(np.int64)
    part = position - low
    mass = np.bincount(low, 1 - part, BINS) + np.bincount(low + 1, part, BINS)
    return mass / len(values)


def _choose(proposals, posterior, printed) -> tuple[np.ndarray, np.ndarray]:
    """Counts whose posterior prints best, after single steps from the best proposal.

    The approximation is weakest at full cells, so every proposal is also tried
    with all outputs mapped.
    """
    roles = len(ROLES)

    def cost(x: np.ndarray) -> float:
        short = (OUTPUTS - x[roles:]).sum()
        return misfit(posterior.summary(x[:roles], x[roles:]), printed) + TIE * short

    ranked = proposals[np.argsort(proposals[:, -1], kind="stable"), :-1].astype(np.int64)
    first = np.unique(ranked, axis=0, return_index=True)[1]
    tried = [np.full(2 * roles, OUTPUTS)]
    for x in ranked[np.sort(first)[:CANDIDATES]]:
        full = x.copy()
        full[:roles] += OUTPUTS - x[roles:]
        full[roles:] = OUTPUTS
        tried += [x, full]
    best = min(tried, key=cost)
    least = cost(best)
    improved = True
    while improved and least > 0:
        improved = False
        for x in _neighbours(best, roles):
            value = cost(x)
            if value < least:
                best, least, improved = x, value, True
                break
    return best[:roles], best[roles:]


def _neighbours(x: np.ndarray, roles: int) -> list[np.ndarray]:
    """Counts one output away in one role, with the same outputs mapped or all."""
    found = []
    for r in range(roles):
        for shift in (1, -1):
            for n in (x[roles + r], OUTPUTS):
                trial = x.copy()
                trial[r] += shift
                trial[roles + r] = n
                if 0 <= trial[r] <= n:
                    found.append(trial)
    return found


def misfit(reached: np.ndarray, printed: np.ndarray) -> float:
    """Squared excess over half a printed unit, summed over a model's row."""
    over = np.maximum(np.abs(reached - printed) / 0.0005 - 1, 0)
    return float((over**2).sum())


def _columns(theta, geo, occupation) -> list[np.ndarray]:
    from_geo, from_occ = divergence(theta, geo), divergence(theta, occupation)
    gap = from_occ - from_geo
    return [from_geo, from_occ, gap, np.abs(gap)]


def _printed(model: str) -> np.ndarray:
    rows = [
        pins.figure(pins.OCCUPATIONAL, column=column, model=model)
        for column in pins.OCCUPATIONAL_COLUMNS
    ]
    return np.array([[f.value, f.lower, f.upper] for f in rows])


def _moments(geo: float, occupation: np.ndarray) -> np.ndarray:
    """First three cumulants by mapped count, role, female count and column.

    Shape (MISSING + 1, roles, 31, 4, 3); the first axis is outputs missing.
    """
    nodes = (np.arange(NODES) + 0.5) / NODES
    columns = len(pins.OCCUPATIONAL_COLUMNS)
    out = np.zeros((MISSING + 1, len(occupation), OUTPUTS + 1, columns, 3))
    for missing in range(MISSING + 1):
        n = OUTPUTS - missing
        for y in range(n + 1):
            theta = betaincinv(y + 0.5, n - y + 0.5, nodes)
            for r, share in enumerate(occupation):
                for j, x in enumerate(_columns(theta, geo, share)):
                    centred = x - x.mean()
                    out[missing, r, y, j] = (
                        x.mean(), (centred**2).mean(), (centred**3).mean(),
                    )  # fmt: skip
    return out


@njit(cache=True)
def _approximate(y, n, moments, printed, z):
    """Misfit of counts, with quantiles from three cumulants."""
    roles = y.size
    loss = 0.0
    for r in range(roles):
        loss += SHORTFALL * (30 - n[r])
    for j in range(moments.shape[3]):
        mean, var, third = 0.0, 0.0, 0.0
        for r in range(roles):
            cumulants = moments[30 - n[r], r, y[r], j]
            mean += cumulants[0] / roles
            var += cumulants[1] / roles**2
            third += cumulants[2] / roles**3
        spread = np.sqrt(var)
        skew = third / spread**3
        for i in range(z.size):
            x = mean + spread * (
                z[i] + (z[i] ** 2 - 1) * skew / 6 - (2 * z[i] ** 3 - 5 * z[i]) * skew**2 / 36
            )
            over = abs(x - printed[j, i]) / 0.0005 - 0.5
            if over > 0:
                loss += over**2
    return loss


@njit(cache=True)
def _propose(moments, printed, z, lowest, starts, steps, seed):
    """Best counts of every annealed start, shape (starts, 2 * roles + 1).

    Columns: female counts, mapped counts, misfit.
    """
    np.random.seed(seed)
    roles = moments.shape[1]
    out = np.zeros((starts, 2 * roles + 1))
    state = np.zeros(2 * roles, np.int64)
    old = state.copy()
    y, n = state[:roles], state[roles:]
    for start in range(starts):
        n[:] = 30
        for r in range(roles):
            y[r] = np.random.randint(31) if start > 0 else 30
        loss = _approximate(y, n, moments, printed, z)
        out[start, :-1] = state
        out[start, -1] = loss
        for step in range(steps):
            heat = 200.0 * (1 - step / steps) ** 3 + 1e-3
            old[:] = state
            a, b = np.random.randint(roles), np.random.randint(roles)
            y[a] += np.random.randint(-4, 5)
            if np.random.random() < 0.5:
                y[b] += np.random.randint(-4, 5)
            if np.random.random() < 0.2:
                n[b] = np.random.randint(lowest, 31)
            inside = 0 <= y[a] <= n[a] and 0 <= y[b] <= n[b]
            new = _approximate(y, n, moments, printed, z) if inside else np.inf
            if new < loss or np.random.random() < np.exp((loss - new) / heat):
                loss = new
                if loss < out[start, -1]:
                    out[start, :-1] = state
                    out[start, -1] = loss
            else:
                state[:] = old
    return out
