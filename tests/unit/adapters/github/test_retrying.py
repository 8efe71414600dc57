import math

import pytest

from devpulse.adapters.github.retrying import Patience, rate_limit_wait

NOW = 1_000_000.0
PRIMARY = {"x-ratelimit-remaining": "0", "x-ratelimit-reset": "1000010"}


@pytest.mark.parametrize(
    ("status", "headers", "message", "wait"),
    [
        (403, {"retry-after": "7"}, "", 7.0),
        (429, {"retry-after": "7", **PRIMARY}, "", 7.0),
        (403, PRIMARY, "API rate limit exceeded for installation", 11.0),
        (403, {**PRIMARY, "x-ratelimit-reset": "1"}, "API rate limit exceeded", 1.0),
        (403, {}, "You have exceeded a secondary rate limit. Please wait.", 60.0),
        (429, {}, "", 60.0),
        (429, {"retry-after": "soon"}, "", 60.0),
        (403, {"x-ratelimit-remaining": "4", "x-ratelimit-reset": "1000010"}, "Resource not accessible", math.inf),
    ],
)
def test_rate_limit_wait__answers(status, headers, message, wait):
    assert rate_limit_wait(status, headers, message, NOW) == wait


def test_patience__is_spent():
    patience = Patience(3.0)
    assert [patience.take(seconds) for seconds in (2.0, 2.0, 1.0, 0.1, 0.0)] == [True, False, True, False, True]
