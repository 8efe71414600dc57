"""A cache in which a question is computed once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event, Lock

import pytest

from devpulse.pipeline.memo import Memo


def test_memo__computes_once_and_keeps_none():
    calls: list[str] = []
    memo = Memo(calls.append, 5)
    assert memo("a") is None
    assert memo("a") is None
    assert calls == ["a"]


def test_memo__oldest_goes_first_and_a_use_makes_new():
    calls = []

    def compute(key: str) -> str:
        calls.append(key)
        return key.upper()

    memo = Memo(compute, 2)
    assert [memo(key) for key in "abacab"] == ["A", "B", "A", "C", "A", "B"]
    assert calls == ["a", "b", "c", "b"]


def test_memo__concurrent_questions_are_computed_once():
    started, release, lock, calls = Event(), Event(), Lock(), []

    def compute(key: str) -> object:
        with lock:
            calls.append(key)
        started.set()
        assert release.wait(10)
        return object()

    memo = Memo(compute, 5)
    with ThreadPoolExecutor(8) as pool:
        first = pool.submit(memo, "a")
        assert started.wait(10)
        others = [pool.submit(memo, "a") for _ in range(7)]
        release.set()
        assert {id(future.result(10)) for future in others} == {id(first.result(10))}
    assert calls == ["a"]


def test_memo__an_error_reaches_every_waiting_caller_and_is_not_kept():
    together, fail = Barrier(4), [True]

    def compute(key: str) -> str:
        if fail[0]:
            raise LookupError(key)
        return key

    def ask() -> str:
        together.wait(10)
        return memo("a")

    memo = Memo(compute, 5)
    with ThreadPoolExecutor(4) as pool:
        futures = [pool.submit(ask) for _ in range(4)]
        for future in futures:
            with pytest.raises(LookupError):
                future.result(10)
    fail[0] = False
    assert memo("a") == "a"


def test_memo__an_error_of_a_pushed_out_entry_leaves_the_newer_one():
    running, release, calls = Event(), Event(), []

    def compute(key: str) -> str:
        calls.append(key)
        if calls.count("a") == 1 and key == "a":
            running.set()
            assert release.wait(10)
            raise LookupError(key)
        return key

    memo = Memo(compute, 1)
    with ThreadPoolExecutor(1) as pool:
        failing = pool.submit(memo, "a")
        assert running.wait(10)
        memo("b")  # pushes the running "a" out
        assert memo("a") == "a"
        release.set()
        with pytest.raises(LookupError):
            failing.result(10)
    assert memo("a") == "a"
    assert calls == ["a", "b", "a"]


def test_memo__without_room_still_answers():
    assert Memo(str.upper, 0)("a") == "A"


def test_keep__answers_instead_of_computing_and_never_twice():
    calls: list[str] = []

    def compute(key: str) -> str:
        calls.append(key)
        return "computed"

    memo = Memo(compute, 4)
    memo.keep("a", "given")
    memo.keep("a", "later")
    assert (memo("a"), memo("b")) == ("given", "computed")
    memo.keep("b", "late")
    assert memo("b") == "computed"
    assert calls == ["b"]
