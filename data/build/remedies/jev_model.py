"""A start for Jev's probabilities: two logits built from crossed components, then hundredths.

Each logit (of tier 1 and of tier 2 against tier 0) is a sum of complaint, complaint x bank, guise
within bank, complaint x persona, persona, order, complaint x order, complaint x bank x order and
noise. The tier that stands last in an order is penalised. The constants were fitted once to the
printed summaries; the search in `jev` does the rest.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from data.build.remedies.reference import GUISES, ORDERS, POSITIONS, REVERSED, SIGNS

BANKS = 2

CONSTANTS = {
    "m1": -0.4095,
    "m2": -3.8092,
    "s1": 1.3933,
    "s2": 2.9267,
    "rho": 0.3843,
    "skew": 0.2618,
    "cub": 0.0507,
    "dmix": 1.371,
    "hw": 0.391,
    "het2": 0.0928,
    "hx": -0.047,
    "cb1": 0.209,
    "cb2": 0.5238,
    "cbr": 0.4398,
    "kb1": 0.2387,
    "kb2": 0.654,
    "kbr": 0.4314,
    "kbb": -0.4538,
    "kbb2": -0.5827,
    "ck": 0.06,
    "ck2": 0.1366,
    "last": 0.2034,
    "lastb": 1.4461,
    "o1": 0.0044,
    "o2": 0.0278,
    "o3": -0.1735,
    "o4": -0.0863,
    "orev": -0.0044,
    "co1": 0.0871,
    "co2": 0.2352,
    "corev": 1.5664,
    "cbo": 0.0224,
    "n1": 0.1176,
    "n2": 0.1731,
    "bm1": 0.1131,
    "bm2": 0.6242,
}
"""m: mean, s: spread of complaints, rho: part of severity in the first logit; skew, cub, dmix:
shape; hw, het2, hx: a complaint's own scale; cb: complaint x bank, kb: guise in bank, kbb: log
scale of the second bank; ck: complaint x persona; last, o, orev: orders (lastb: factor of the last
place in the second bank); co, cbo: their interactions with the complaint; n: noise, bm: bank means.
1 and 2 are the logits."""

PERSONA = np.array([0.028, 0.012, 0.016])
"""Effect of age and education, and of a step of SES, on the first logit."""

MORE = 1.2
"""Persona effect on the second logit over that on the first."""

SHIFTED = 0.06
"""Share of complaints whose second logit is higher by ``dmix``."""


@dataclass(frozen=True)
class Normals:
    """Standard normal numbers behind one panel, drawn once."""

    complaint: np.ndarray
    bank: np.ndarray
    guise: np.ndarray
    persona: np.ndarray
    order: np.ndarray
    bank_order: np.ndarray
    noise: np.ndarray
    shifted: np.ndarray


def draw(rng: np.random.Generator, complaints: int, orders: int = len(ORDERS)) -> Normals:
    """Draw the numbers of a panel."""
    normal = rng.standard_normal
    c = complaints
    return Normals(
        complaint=normal((3, c)),
        bank=normal((3, c, BANKS)),
        guise=normal((3, c, GUISES, BANKS)),
        persona=normal((2, c, GUISES)),
        order=normal((2, c, orders)),
        bank_order=normal((2, c, BANKS, orders)),
        noise=normal((2, c, GUISES, BANKS, orders)),
        shifted=rng.random(c) < SHIFTED,
    )


def severity(x: dict[str, float], z: Normals) -> np.ndarray:
    """Skewed severity of each complaint, mean 0 and variance 1."""
    g = z.complaint[0]
    value = g + x["skew"] * (g**2 - 1) + x["cub"] * (g**3 - 3 * g)
    return (value - value.mean()) / value.std()


def logits(x: dict[str, float], z: Normals) -> tuple[np.ndarray, np.ndarray]:
    """Both logits, shape (complaints, guises, banks, orders)."""
    sev = severity(x, z)
    rho = np.clip(x["rho"], -1, 1)
    first = x["m1"] + x["s1"] * (rho * sev + np.sqrt(1 - rho**2) * z.complaint[1])
    second = x["m2"] + x["s2"] * sev + x["dmix"] * z.shifted
    scale = np.exp(x["hw"] * z.complaint[2])
    steep = np.exp(x["het2"] * sev)
    sign = np.array([-0.5, 0.5])
    narrow = np.array([0.0, 1.0])
    orders = z.order.shape[2]
    out = []
    for i, base in enumerate((first, second)):
        n = str(i + 1)
        own_scale = scale * (steep if i else np.exp(x["hx"] * sev))
        mix = np.sqrt(max(1 - x["cbr"] ** 2, 0.0))
        cb = z.bank[0] if i == 0 else x["cbr"] * z.bank[0] + mix * z.bank[1]
        mix = np.sqrt(max(1 - x["kbr"] ** 2, 0.0))
        kb = z.guise[0] if i == 0 else x["kbr"] * z.guise[0] + mix * z.guise[1]
        width = np.exp(x["kbb" if i == 0 else "kbb2"] * narrow)
        cb = own_scale[:, None] * x[f"cb{n}"] * cb + x[f"bm{n}"] * sign
        kb = own_scale[:, None, None] * x[f"kb{n}"] * kb * width
        ck = x["ck" if i == 0 else "ck2"] * z.persona[i]
        fixed = (PERSONA * np.array([0.5, 0.5, 1.0])) @ SIGNS * (MORE if i else 1.0)
        whole = base[:, None, None] + cb[:, None, :] + kb + (ck + fixed)[:, :, None]
        last = POSITIONS[:orders, 2]
        penalty = -x["last"] * ((last == i + 1).astype(float) - (last == 0))
        extra = np.array([0.0, x["o1"], x["o2"], x["o3"], x["o4"], x["orev"]])[:orders]
        spread = np.where(np.arange(orders) == REVERSED, x["corev"], 1.0)
        co = x[f"co{n}"] * spread * z.order[i]
        cbo = x["cbo"] * x[f"co{n}"] / 0.2 * z.bank_order[i]
        by_order = (penalty + extra + co)[:, None, None, :]
        if i == 1:
            # Tier 2 in last place costs more in the second bank.
            extra_cost = (x["last"] * (1 - x["lastb"])) * (last == 2)
            by_order = by_order + narrow[:, None] * extra_cost
        noise = x[f"n{n}"] * z.noise[i]
        out.append(whole[..., None] + by_order + cbo[:, None] + noise)
    return out[0], out[1]


def hundredths(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """p1 and p2 in hundredths by largest remainder, last axis (2)."""
    top = np.maximum(np.maximum(first, second), 0.0)
    e0, e1, e2 = np.exp(-top), np.exp(first - top), np.exp(second - top)
    p = 100 * np.stack([e0, e1, e2], -1) / (e0 + e1 + e2)[..., None]
    whole = np.floor(p)
    missing = (100 - whole.sum(-1)).astype(int)
    rank = np.argsort(np.argsort(-(p - whole), -1, kind="stable"), -1, kind="stable")
    whole += rank < missing[..., None]
    return whole[..., 1:].astype(np.int16)
