"""Formulas over figures: what they compute, and that nothing else gets through."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from core.formula import LONGEST, FormulaError, Reference, parse

FIGURES: dict[str, tuple[float, float, float]] = {
    "t.a.gpt-5.6": (1.0, 0.5, 1.5),
    "t.a.qwen3.7-max": (4.0, 3.0, 5.0),
    "t.b.gpt-5.6": (2.0, 1.0, 3.0),
    "t.b.qwen3.7-max": (8.0, 7.0, 9.0),
    "t.c": (10.0, 9.0, 11.0),
}


def look_up(reference: Reference) -> NDArray[np.float64]:
    at = ("value", "lower", "upper").index(reference.end)
    found = [FIGURES[name][at] for name in reference.among(FIGURES)]
    return np.array(found if reference.is_list else found[0])


@pytest.mark.parametrize(
    ("formula", "value"),
    [
        ("100/2", 50),
        ("2 + 3*4 - 6/3", 12),
        ("-{t.c} + 1", -9),
        ("{t.a.gpt-5.6}*{t.b.gpt-5.6}", 2),
        ("{t.c:lower}", 9),
        ("max({t.a.*:upper})", 5),
        ("sum({t.b.*})", 10),
        ("min({t.a.*}, {t.b.*})", 1),
        # (1 + 2)/3 and (4 + 8)/3, element by element.
        ("max(({t.a.*} + {t.b.*})/3)", 4),
        ("max(abs({t.a.*} - {t.b.*}))", 4),
        # A comparison counts as 1 or 0.
        ("12*(min({t.b.*}) >= 2)", 12),
        ("12*(min({t.b.*}) > 2)", 0),
        ("12*(min({t.b.*}) == 2)", 12),
        ("2*0.5**{t.c}", 1 / 512),
        ("ceil(35/2) - floor(35/2)", 1),
        # Quantiles as printed tables have them.
        ("Phi(1.96)", 0.9750021),
        ("z(0.975)", 1.959964),
        ("tinv(0.975, 29)", 2.045230),
        ("tcdf(2.045230, 29)", 0.975),
        # Of two tests the smaller p-value is doubled.
        ("holm({t.a.*}/100)[0]", 0.02),
        ("holm({t.a.*}/100)[1]", 0.04),
        ("holm({t.b.*}/100)[0]", 0.04),
    ],
)
def test_values_by_hand(formula: str, value: float) -> None:
    assert parse(formula).value(look_up) == pytest.approx(value)


@pytest.mark.parametrize(
    ("formula", "x", "holds", "bounded"),
    [
        ("0 < x < 0.1", 0.05, True, 0.05),
        ("0 < x < 0.1", 0.0, False, 0.0),
        ("0 < x < 0.1", 0.1, False, 0.1),
        ("x <= 0.1", 0.1, True, 0.1),
        ("abs(x) < 0.1", -0.05, True, -0.05),
        ("abs(x) < 0.1", -0.2, False, -0.2),
        ("{t.c}/{t.b.gpt-5.6} > 4", None, True, 5),
        ("{t.c}/{t.b.gpt-5.6} > 5", None, False, 5),
    ],
)
def test_bounds_by_hand(formula: str, x: float | None, holds: bool, bounded: float) -> None:
    parsed = parse(formula)
    assert parsed.is_inequality
    assert bool(parsed.value(look_up, x)) is holds
    assert parsed.left(look_up, x) == pytest.approx(bounded)


def test_a_star_takes_figures_in_the_order_of_the_file() -> None:
    assert Reference("t.*.gpt-5.6", "value").among(FIGURES) == ["t.a.gpt-5.6", "t.b.gpt-5.6"]
    # A dot is a dot: nothing else may stand in its place.
    assert Reference("t.a.gpt-5.6", "value").among(["t.a.gpt-5x6"]) == []


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os').system('true')",
        "open('x')",
        "eval('1')",
        "().__class__",
        "x.real",
        "x[0]",
        "{t.a.*}[0]",
        "holm({t.a.*})[x]",
        "holm({t.a.*})['a']",
        "holm({t.a.*})[0:1]",
        "holm({t.a.*})[-1]",
        "max({t.a.*})[0]",
        "abs(1, 2)",
        "tinv(0.975)",
        "[x for x in (1, 2)]",
        "lambda: 1",
        "(y := 1)",
        "1 if x else 2",
        "x and 1",
        "not x",
        "x in {1}",
        "1 << 9",
        "7 // 2",
        "7 % 2",
        "'text'",
        "f'{x}'",
        "True",
        "None",
        "1j",
        "max",
        "max()",
        "max(1, key=2)",
        "max(*x)",
        "print(1)",
        "y + 1",
        "_1 + 1",
        "{t c}",
        "{t.c",
        "{t.c}{t.c}",
        "{t.c:middle}",
        "1; 2",
        "x = 1",
        "import os",
        "",
        "(" * 150 + "1" + ")" * 150 + "(",
    ],
)
def test_anything_but_arithmetic_is_refused(text: str) -> None:
    with pytest.raises(FormulaError):
        parse(text)


def test_a_very_long_formula_is_refused_before_it_is_read() -> None:
    with pytest.raises(FormulaError, match="characters"):
        parse("1" + "+1" * LONGEST)


@pytest.mark.parametrize(
    "text",
    [
        "{t.a.*}",
        "{t.a.*} + {t.*}",
        "1/0",
        "{t.c}/(1 - 1)",
        "x",
        "9" * 390,
        "9**9**9",
        "holm({t.a.*})",
        "holm({t.a.*})[2]",
        "(0 - 1)**0.5",
    ],
)
def test_what_has_no_value_says_so(text: str) -> None:
    with pytest.raises(FormulaError):
        parse(text).value(look_up)


def test_the_deepest_formula_that_fits_can_be_evaluated() -> None:
    assert parse("-" * (LONGEST - 2) + "1").value(look_up) == 1
