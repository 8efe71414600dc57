import pytest
from work import assert_work_in_step, calls_made


def in_step(text):
    return [character.upper() for character in text]


def squared(text):
    return [other.upper() for _ in text for other in text]


def test_calls_made__counts_steps_not_time():
    assert calls_made(in_step, "a" * 100) >= 100
    assert calls_made(in_step, "a" * 100) == calls_made(in_step, "b" * 100)


def test_assert_work_in_step__takes_the_one_and_refuses_the_other():
    assert_work_in_step(in_step, lambda size: "a" * size, 500)
    with pytest.raises(AssertionError):
        assert_work_in_step(squared, lambda size: "a" * size, 100)
