"""Arithmetic over printed figures, read as data: nothing in a formula can run code.

A formula names figures in braces: ``{id}`` is a figure's value, ``{id:lower}`` and ``{id:upper}``
its interval ends, and an id with ``*`` the list of all figures it matches, in the order of the
study's file; arithmetic on lists runs element by element. ``x`` is the statistic of the figure
that the formula belongs to. Allowed are numbers, ``+ - * / **``, comparisons, and `FUNCTIONS`;
``holm(list)[i]`` is the i-th adjusted p-value, counted from 0.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any, Literal, cast

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri, stdtr, stdtrit

from core.stats.multiplicity import adjust

End = Literal["value", "lower", "upper"]
Value = NDArray[np.float64]
"""A number (0 dimensions) or a list of numbers (1 dimension)."""

LONGEST = 400
"""Characters a formula may have; keeps its nesting shallow."""

_REFERENCE = re.compile(r"\{([A-Za-z0-9_.*-]+)(?::(lower|upper))?\}")


class FormulaError(ValueError):
    """A formula that cannot be evaluated, with the reason in plain words."""


@dataclass(frozen=True, slots=True)
class Reference:
    """What a formula asks of the figures: an id, or a pattern with ``*``, and which number."""

    pattern: str
    end: End

    def among(self, figure_ids: Iterable[str]) -> list[str]:
        """Return the figures that are meant, in the order given."""
        meant = re.compile(".*".join(map(re.escape, self.pattern.split("*"))))
        return [figure_id for figure_id in figure_ids if meant.fullmatch(figure_id)]

    @property
    def is_list(self) -> bool:
        """Whether it stands for a list of figures."""
        return "*" in self.pattern


Lookup = Callable[[Reference], Value]
"""Gives the number, or the list of numbers, that a reference stands for."""


def _flat(values: tuple[Value, ...]) -> Value:
    return np.concatenate([np.atleast_1d(value) for value in values])


FUNCTIONS: Mapping[str, Callable[..., Value]] = MappingProxyType(
    {
        "min": lambda *values: _flat(values).min(),
        "max": lambda *values: _flat(values).max(),
        "sum": lambda *values: _flat(values).sum(),
        "abs": np.abs,
        "ceil": np.ceil,
        "floor": np.floor,
        "Phi": ndtr,
        "z": ndtri,
        "tcdf": lambda value, df: stdtr(df, value),
        "tinv": lambda level, df: stdtrit(df, level),
        "holm": lambda p: adjust(np.atleast_1d(p), "holm"),
    }
)
ARGUMENTS: Mapping[str, int] = MappingProxyType(
    {"abs": 1, "ceil": 1, "floor": 1, "Phi": 1, "z": 1, "tcdf": 2, "tinv": 2, "holm": 1}
)
"""How many arguments a function takes; those not named take any number."""
_OPERATORS: Mapping[type[ast.AST], Callable[..., Any]] = MappingProxyType(
    {
        ast.Add: operator.add,
        ast.Sub: operator.sub,
        ast.Mult: operator.mul,
        ast.Div: operator.truediv,
        ast.Pow: operator.pow,
        ast.USub: operator.neg,
        ast.Eq: operator.eq,
        ast.Lt: operator.lt,
        ast.LtE: operator.le,
        ast.Gt: operator.gt,
        ast.GtE: operator.ge,
    }
)


@dataclass(frozen=True, slots=True)
class Formula:
    """A formula that has been checked and can be evaluated."""

    text: str
    tree: ast.expr
    references: tuple[Reference, ...]
    """In the order of the text; the n-th one stands in the tree as the name ``_n``."""

    @property
    def is_inequality(self) -> bool:
        """Whether it states a bound rather than a value."""
        return isinstance(self.tree, ast.Compare)

    @property
    def needs_x(self) -> bool:
        """Whether it speaks of its own figure's statistic."""
        return any(isinstance(n, ast.Name) and n.id == "x" for n in ast.walk(self.tree))

    def value(self, lookup: Lookup, x: float | None = None) -> float:
        """Evaluate it to one number; an inequality gives 1 where it holds, else 0.

        Raises
        ------
        FormulaError
            If lists of different lengths meet, something is divided by zero, ``x`` is missing or
            the result is a list.
        """
        return self._number(self.tree, lookup, x)

    def left(self, lookup: Lookup, x: float | None = None) -> float:
        """Evaluate what an inequality bounds: ``x`` where it is in it, else the left side."""
        if self.needs_x and x is not None:
            return x
        return self._number(cast(ast.Compare, self.tree).left, lookup, x)

    def _number(self, tree: ast.expr, lookup: Lookup, x: float | None) -> float:
        names = {f"_{i}": lookup(reference) for i, reference in enumerate(self.references)}
        if x is not None:
            names["x"] = np.asarray(x, dtype=np.float64)
        try:
            with np.errstate(divide="raise", invalid="raise", over="raise"):
                result = np.asarray(_evaluate(tree, names), dtype=np.float64)
        except (ValueError, FloatingPointError, OverflowError) as error:
            raise FormulaError(f"{self.text!r}: {error}") from error
        if result.ndim:
            raise FormulaError(f"{self.text!r} gives a list of {result.size} numbers")
        return float(result)


@cache
def parse(text: str) -> Formula:
    """Check a formula.

    Raises
    ------
    FormulaError
        If it holds anything but the arithmetic this module allows, naming what it is.
    """
    if len(text) > LONGEST:
        raise FormulaError(f"a formula of {len(text)} characters; at most {LONGEST} are read")
    references: list[Reference] = []

    def name(match: re.Match[str]) -> str:
        references.append(Reference(match[1], cast(End, match[2] or "value")))
        return f" _{len(references) - 1} "

    written = _REFERENCE.sub(name, text).strip()
    known = {"x", *(f"_{i}" for i in range(len(references)))}
    try:
        tree = ast.parse(written, mode="eval").body
        _check(tree, known)
    except FormulaError as error:
        raise FormulaError(f"{error} in {text!r}") from error
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise FormulaError(f"{text!r} is not a formula") from error
    return Formula(text, tree, tuple(references))


def _check(node: ast.AST, known: set[str]) -> None:
    """Refuse everything that `_evaluate` does not handle."""
    match node:
        case ast.Constant(value=value) if type(value) in (int, float):
            return
        case ast.Name(id=name) if name in known:
            return
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
            parts = [left, right]
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            parts = [operand]
        case ast.Compare(left=left, ops=ops, comparators=rest) if all(
            type(op) in _OPERATORS for op in ops
        ):
            parts = [left, *rest]
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if name in FUNCTIONS:
            if not args:
                raise FormulaError(f"{name} of nothing")
            if len(args) != ARGUMENTS.get(name, len(args)):
                raise FormulaError(f"{name} of {len(args)} arguments")
            parts = args
        case ast.Subscript(
            value=ast.Call(func=ast.Name(id="holm")) as called, slice=ast.Constant(value=place)
        ) if type(place) is int:
            parts = [called]
        case _:
            raise FormulaError(f"{ast.unparse(node)[:80]!r} is not allowed")
    for part in parts:
        _check(part, known)


def _evaluate(node: ast.AST, names: Mapping[str, Value]) -> Value:
    match node:
        case ast.Constant(value=value):
            return np.asarray(value, dtype=np.float64)
        case ast.Name(id=name):
            if name not in names:
                raise ValueError("the figure's own statistic is missing")
            return names[name]
        case ast.BinOp(left=left, op=op, right=right):
            result = _OPERATORS[type(op)](_evaluate(left, names), _evaluate(right, names))
            return cast(Value, result)
        case ast.UnaryOp(op=op, operand=operand):
            return cast(Value, _OPERATORS[type(op)](_evaluate(operand, names)))
        case ast.Call(func=ast.Name(id=name), args=args):
            return FUNCTIONS[name](*(_evaluate(argument, names) for argument in args))
        case ast.Subscript(value=called, slice=ast.Constant(value=place)):
            values = _evaluate(called, names)
            if cast(int, place) >= values.size:
                raise ValueError(f"there are only {values.size} adjusted p-values")
            return np.asarray(values[cast(int, place)])
        case ast.Compare(left=left, ops=ops, comparators=rest):
            sides = [_evaluate(side, names) for side in (left, *rest)]
            holds = [
                _OPERATORS[type(op)](a, b) for a, op, b in zip(sides, ops, sides[1:], strict=False)
            ]
            return np.all(holds, axis=0).astype(np.float64)
    raise AssertionError(f"parse let {ast.dump(node)} through")
