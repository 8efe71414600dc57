"""Every text of the page can be read on every ground it stands on, in both themes (WCAG 2.2, AA)."""

from __future__ import annotations

import re
from importlib.resources import files
from itertools import product

import pytest

TEXT, SHAPE = 4.5, 3.0
CODE_GROUNDS = ("code", "added", "removed", "added-mark", "removed-mark", "mark")
LOOKS = ("ink", "soft", "keyword", "string", "comment", "number", "call", "type")
TONES = ("critical", "high", "medium", "low", "good")
PAIRS = {
    *((one, ground, TEXT) for one, ground in product(LOOKS, CODE_GROUNDS) if (one, ground[-4:]) != ("soft", "mark")),
    *((one, ground, TEXT) for one, ground in product(("ink", "soft", "link", *TONES), ("ground", "card"))),
    ("card", "ink", TEXT),
    *((one, ground, SHAPE) for one, ground in product((*TONES, "edge", "link"), ("ground", "card"))),
    *((one, ground, SHAPE) for one, ground in product(("critical", "high", "medium", "low"), CODE_GROUNDS)),
    ("later", "ground", SHAPE - 0.75),  # beside the link colour, and told in words below
}


def luminance(color: str) -> float:
    channels = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_style__every_pair_has_enough_contrast(theme):
    style = files("devpulse.output.report").joinpath("report.css").read_text(encoding="utf-8")
    found = re.findall(r"--([\w-]+): light-dark\((#\w{6}), (#\w{6})\);", style)
    colors = {name: pair[theme] for name, *pair in found}
    assert len(colors) == len(re.findall(r"light-dark\(", style)), "every colour was read"
    low = {
        f"{one} on {ground}": round(contrast(colors[one], colors[ground]), 2)
        for one, ground, least in PAIRS
        if contrast(colors[one], colors[ground]) < least
    }
    assert low == {}


def test_style__no_colour_stands_outside_the_variables():
    style = files("devpulse.output.report").joinpath("report.css").read_text(encoding="utf-8")
    assert not re.findall(r"#[0-9a-f]{3,8}\b|rgb|hsl", style.split("}", 1)[1])


def test_contrast__known_values():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)
