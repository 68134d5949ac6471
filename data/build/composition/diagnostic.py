"""Female counts of the six U.S. stories behind the occupational diagnostic.

The printed row of a model holds the median and both ends of four posterior
summaries. A search over counts on approximate quantiles proposes candidates;
posterior draws decide.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from scipy.special import betaincinv
from scipy.stats import norm

from data.build.composition import pins
from data.build.composition.reference import OUTPUTS, ROLES, SLOTS, Layout, read_rows

CONTEXT, FORMAT = "USA", "story"
NODES = 4_001
STARTS, STEPS = 400, 6_000
CANDIDATES = 12
CHECK_DRAWS = 100_000
LEVELS = (0.5, 0.025, 0.975)


def cells(layout: Layout) -> tuple[int, list[int]]:
    """Context and slots of the diagnostic's cells, in the order of ROLES."""
    return layout.contexts.index(CONTEXT), [SLOTS.index((FORMAT, r)) for r in ROLES]


def occupational_shares() -> np.ndarray:
    """Women's share of each role's occupation, shape (roles,)."""
    rows = {r["role"]: r["percent_women"] for r in read_rows("occupational_planned")}
    return np.array([float(rows[role]) / 100 for role in ROLES])


def female_targets(layout: Layout) -> np.ndarray:
    """Female share of each context's population, shape (contexts,)."""
    return np.array(
        [p.target[p.categories.index("female")] for p in layout.gender_pairs]
    )


def divergence(share: np.ndarray, target: np.ndarray | float) -> np.ndarray:
    """Base-2 Jensen-Shannon divergence of two two-way shares (bits)."""
    total = 0.0
    for q, p in ((share, target), (1 - share, 1 - target)):
        middle = (q + p) / 2
        with np.errstate(divide="ignore", invalid="ignore"):
            own = np.where(q > 0, q * np.log2(q / middle), 0.0)
        total = total + 0.5 * (own + p * np.log2(p / middle))
    return total


def solve(layout: Layout, rng: np.random.Generator) -> np.ndarray:
    """Female counts out of thirty, shape (models, roles).

    The printed range of the U.S. CEO share bounds the CEO count.
    """
    geo = female_targets(layout)[layout.contexts.index(CONTEXT)]
    moments = _moments(geo, occupational_shares())
    floor = round(pins.figure(pins.CEO_SHARE, end="min").value / 100 * OUTPUTS)
    lowest = np.zeros(len(ROLES), dtype=np.int64)
    lowest[ROLES.index("ceo")] = floor
    uniform = rng.uniform(size=(len(ROLES), CHECK_DRAWS))
    found = []
    for model in layout.models:
        printed = _printed(model)
        proposals = _propose(
            moments, printed, norm.ppf(LEVELS), lowest, STARTS, STEPS,
            int(rng.integers(2**31)),
        )  # fmt: skip
        ranked = proposals[np.argsort(proposals[:, -1], kind="stable")]
        counts = np.unique(ranked[:, :-1].astype(np.int64), axis=0, return_index=True)[1]
        best = ranked[np.sort(counts)[:CANDIDATES], :-1].astype(np.int64)
        misfits = [misfit(summary(y, geo, uniform), printed) for y in best]
        found.append(best[int(np.argmin(misfits))])
    return np.array(found)


def summary(female: np.ndarray, geo: float, uniform: np.ndarray) -> np.ndarray:
    """Posterior median and 95% ends of the four printed columns, shape (4, 3).

    Parameters
    ----------
    female : ndarray of int, shape (roles,)
    geo : float
        Female share of the resident population.
    uniform : ndarray, shape (roles, draws)
        Uniform draws mapped through each role's Beta(y + 1/2, n - y + 1/2).
    """
    y = female[:, None]
    theta = betaincinv(y + 0.5, OUTPUTS - y + 0.5, uniform)
    columns = _columns(theta, geo, occupational_shares()[:, None])
    means = [column.mean(axis=0) for column in columns]
    return np.array([np.quantile(mean, LEVELS) for mean in means])


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
    """First three cumulants by role, count and column, shape (6, 31, 4, 3)."""
    nodes = (np.arange(NODES) + 0.5) / NODES
    out = np.zeros((len(occupation), OUTPUTS + 1, len(pins.OCCUPATIONAL_COLUMNS), 3))
    for y in range(OUTPUTS + 1):
        theta = betaincinv(y + 0.5, OUTPUTS - y + 0.5, nodes)
        for r, share in enumerate(occupation):
            for j, x in enumerate(_columns(theta, geo, share)):
                centred = x - x.mean()
                out[r, y, j] = x.mean(), (centred**2).mean(), (centred**3).mean()
    return out


@njit(cache=True)
def _approximate(y, moments, printed, z):
    """Misfit of counts, with quantiles from three cumulants."""
    roles = y.size
    loss = 0.0
    for j in range(moments.shape[2]):
        mean, var, third = 0.0, 0.0, 0.0
        for r in range(roles):
            mean += moments[r, y[r], j, 0] / roles
            var += moments[r, y[r], j, 1] / roles**2
            third += moments[r, y[r], j, 2] / roles**3
        spread = np.sqrt(var)
        skew = third / spread**3
        for i in range(z.size):
            x = mean + spread * (
                z[i]
                + (z[i] ** 2 - 1) * skew / 6
                - (2 * z[i] ** 3 - 5 * z[i]) * skew**2 / 36
            )
            over = abs(x - printed[j, i]) / 0.0005 - 0.5
            if over > 0:
                loss += over**2
    return loss


@njit(cache=True)
def _propose(moments, printed, z, lowest, starts, steps, seed):
    """Annealed counts of every start with their misfit, shape (starts, 7)."""
    np.random.seed(seed)
    roles = moments.shape[0]
    top = moments.shape[1] - 1
    out = np.zeros((starts, roles + 1))
    y = np.zeros(roles, np.int64)
    for start in range(starts):
        for r in range(roles):
            y[r] = np.random.randint(lowest[r], top + 1) if start > 0 else top
        loss = _approximate(y, moments, printed, z)
        out[start, :roles] = y
        out[start, roles] = loss
        for step in range(steps):
            heat = 200.0 * (1 - step / steps) ** 3 + 1e-3
            a, b = np.random.randint(roles), np.random.randint(roles)
            old_a, old_b = y[a], y[b]
            shift = np.random.randint(1, 5)
            y[a] += shift if np.random.random() < 0.5 else -shift
            if np.random.random() < 0.5:
                y[b] += np.random.randint(-4, 5)
            inside = lowest[a] <= y[a] <= top and lowest[b] <= y[b] <= top
            new = _approximate(y, moments, printed, z) if inside else np.inf
            if new < loss or np.random.random() < np.exp((loss - new) / heat):
                loss = new
                if loss < out[start, roles]:
                    out[start, :roles] = y
                    out[start, roles] = loss
            else:
                y[b] = old_b
                y[a] = old_a
    return out
