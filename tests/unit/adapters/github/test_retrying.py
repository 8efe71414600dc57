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


def test_patience__no_wait_goes_beyond_the_end_of_the_run():
    now = [50.0]
    patience = Patience(90.0, clock=lambda: now[0])
    assert patience.take(20.0)
    patience.end_in(10.0)
    assert [patience.take(seconds) for seconds in (11.0, 10.0, 9.0)] == [False, True, True]
    now[0] += 8.0
    assert [patience.take(seconds) for seconds in (3.0, 1.0)] == [False, True]
    now[0] += 60.0
    assert not patience.take(0.1)
