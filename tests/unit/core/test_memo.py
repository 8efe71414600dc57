from __future__ import annotations

from devpulse.core.memo import ENTRY_BYTES, Memo


def test_get__makes_a_value_once():
    made: list[str] = []
    memo: Memo[int] = Memo(10_000)

    def make() -> int:
        made.append("x")
        return 7

    assert [memo.get("k", make, lambda _: 1) for _ in range(3)] == [7, 7, 7]
    assert made == ["x"]


def test_get__keeps_the_recently_used_within_the_limit():
    memo: Memo[str] = Memo(2 * (ENTRY_BYTES + 10))
    made: list[str] = []

    def ask(key: str) -> None:
        def make() -> str:
            made.append(key)
            return key

        memo.get(key, make, lambda _: 10)

    for key in ("a", "b", "a", "c", "a", "b"):
        ask(key)
    assert made == ["a", "b", "c", "b"]


def test_get__a_value_over_the_limit_is_returned_all_the_same():
    memo: Memo[str] = Memo(1)
    assert memo.get("k", lambda: "large", lambda _: 1_000_000) == "large"
    assert memo.get("k", lambda: "again", lambda _: 1) == "large"


def test_get__none_is_a_value():
    memo: Memo[None] = Memo(1_000)
    made: list[int] = []
    for _ in range(2):
        assert memo.get("k", lambda: made.append(1), lambda _: 0) is None
    assert made == [1]


def test_kept__what_is_kept_and_nothing_is_made():
    memo: Memo[str] = Memo(10_000)
    assert memo.kept("k") is None
    memo.get("k", lambda: "value", len)
    assert memo.kept("k") == "value"


def test_kept__does_not_count_as_a_use():
    memo: Memo[str] = Memo(2 * (ENTRY_BYTES + 1))
    for key in ("a", "b"):
        memo.get(key, lambda: "x", len)
    memo.kept("a")
    memo.get("c", lambda: "x", len)
    assert memo.kept("a") is None
    assert memo.kept("b") == "x"
