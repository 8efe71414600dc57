from __future__ import annotations

import pytest

from devpulse.core.flow.patterns import Shape, kept_by, shape_of


@pytest.mark.parametrize(
    ("pattern", "whole", "specials"),
    [
        ("^[a-z0-9_]+$", True, ""),
        (r"\A\w+\Z", True, ""),
        (r"^[\w.-]+$", True, ".-"),
        ("^[a-z]+", False, ""),
        ("[a-z]+$", False, ""),
        ("^a|b$", False, ""),
        ("^(?:a|b)$", True, ""),
        (r"^\d{4}-\d{2}$", True, "-"),
        (r"^[^/]+$", True, None),
        ("^.+$", True, None),
        (r"^\S+$", True, None),
        (r"^a\.b$", True, "."),
        (r"^[ -/]+$", True, "".join(map(chr, range(32, 48)))),
        (r"(?i)^[\s]+$", True, " \t\n"),
        (r"^[\W]$", True, None),
        (r"^a\$", False, "$"),
        (r"^\x27$", True, "'"),
        ("^[a", False, None),
    ],
)
def test_shape_of(pattern: str, whole: bool, specials: str | None):
    assert shape_of(pattern) == Shape(whole, None if specials is None else frozenset(specials))


def test_shape_of__anchored_by_the_way_it_is_applied():
    assert shape_of("[a-z]+", anchored=(True, True)).whole
    assert not shape_of("[a-z]+", anchored=(True, False)).whole


@pytest.mark.parametrize(
    ("pattern", "kept"),
    [
        (r"[^\w]", ""),
        ("[^a-z0-9.-]+", ".-"),
        ("/[^a-z ]/i", " "),
        (r"([^\]a])", "]"),
        ("[a-z]", None),
        ("[^a-z]b", None),
        (r"[^\S]", None),
        ("'", None),
    ],
)
def test_kept_by(pattern: str, kept: str | None):
    assert kept_by(pattern) == (frozenset(kept) if kept is not None else None)
