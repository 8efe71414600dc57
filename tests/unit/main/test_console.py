"""What a run shows: when in colors, and to whom."""

import pytest

from devpulse.main.console import is_colored


@pytest.mark.parametrize(
    ("color", "environ", "terminal", "colored"),
    [
        ("auto", {}, True, True),
        ("auto", {}, False, False),
        ("auto", {"NO_COLOR": "1"}, True, False),
        ("auto", {"NO_COLOR": ""}, True, True),
        ("auto", {"TERM": "dumb"}, True, False),
        ("auto", {"FORCE_COLOR": "1"}, False, True),
        ("auto", {"FORCE_COLOR": "1", "NO_COLOR": "1"}, True, False),
        ("always", {"NO_COLOR": "1"}, False, True),
        ("never", {"FORCE_COLOR": "1"}, True, False),
    ],
)
def test_is_colored__what_was_asked_for_goes_first(color, environ, terminal, colored):
    assert is_colored(color, environ, terminal=terminal) is colored
