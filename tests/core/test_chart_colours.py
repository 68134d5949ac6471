"""Colours by the contrast formula of WCAG 2, written out here."""

from __future__ import annotations

import pytest

from core.charts.theme import (
    DARK,
    LIGHT,
    VERDICT_ORDER,
    VERDICT_SHAPES,
    VERDICT_SYMBOLS,
    Palette,
    contrast,
    mixed,
    palette,
)
from core.verdicts import Verdict

BOTH = pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])


def luminance(colour: str) -> float:
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def ratio(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("#000000", "#FFFFFF", 21.0),
        ("#FFFFFF", "#FFFFFF", 1.0),
        # The grey that is usually named as the lightest one to pass 4.5 : 1 on white.
        ("#767676", "#FFFFFF", 4.54),
        # Pure red on white: (1.05) / (.2126 + .05).
        ("#FF0000", "#FFFFFF", 1.05 / 0.2626),
    ],
)
def test_known_contrasts(one: str, other: str, expected: float) -> None:
    assert ratio(one, other) == pytest.approx(expected, abs=0.005)
    assert contrast(one, other) == pytest.approx(ratio(one, other))
    assert contrast(other, one) == pytest.approx(ratio(one, other))


@BOTH
def test_marks_stand_out_from_the_background(colours: Palette) -> None:
    assert len(colours.hues) == len(set(colours.hues)) == 6
    for colour in (*colours.hues, colours.grey):
        assert ratio(colour, colours.background) >= 3, colour


@BOTH
def test_text_can_be_read(colours: Palette) -> None:
    for colour in (colours.text, colours.quiet_text):
        assert ratio(colour, colours.background) >= 4.5
        assert ratio(colour, colours.empty) >= 4.5


@BOTH
def test_the_pale_end_of_a_scale_and_the_grid_stay_behind(colours: Palette) -> None:
    for colour in (colours.empty, colours.grid):
        assert 1 < ratio(colour, colours.background) < 1.5


@BOTH
@pytest.mark.parametrize("position", range(6))
def test_signs_can_be_seen_on_every_shade_of_a_map(colours: Palette, position: int) -> None:
    hue = colours.hues[position]
    turn = colours.ink_turns(hue)
    for percent in range(101):
        shade = mixed(colours.empty, hue, percent / 100)
        ink = colours.background if percent / 100 >= turn else colours.text
        other = colours.text if ink == colours.background else colours.background
        assert ratio(ink, shade) >= 3, f"{shade} at {percent}%"
        assert ratio(ink, shade) >= ratio(other, shade) - 0.05


def test_a_mixture_of_colours_is_worked_channel_by_channel() -> None:
    # 00 and FF: a fifth of 255 is 51, 33 in hexadecimal.
    assert mixed("#000000", "#FF00FF", 0.2) == "#330033"
    assert mixed("#102030", "#405060", 0.0) == "#102030"
    assert mixed("#102030", "#405060", 1.0) == "#405060"


def test_hues_repeat_beyond_six() -> None:
    assert LIGHT.hue(0) == LIGHT.hue(6) == LIGHT.hues[0]


def test_an_unknown_theme_is_light() -> None:
    assert palette("dark") is DARK
    assert palette("light") is palette(None) is palette("sepia") is LIGHT


def test_verdicts_of_one_rule_differ_in_shape_and_symbol() -> None:
    assert [verdict.value for verdict in Verdict] == VERDICT_ORDER
    shapes = dict(zip(VERDICT_ORDER, VERDICT_SHAPES, strict=True))
    rule = ("within", "outside", "undecided", "cannot compute")
    assert len({shapes[verdict] for verdict in rule}) == 4
    assert len({VERDICT_SYMBOLS[verdict] for verdict in rule}) == 4
