"""Work spread over several machines."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devpulse.core.sharding import Shard, spread

WEIGHTS = st.dictionaries(st.text(max_size=6), st.integers(0, 10_000), max_size=60)


def test_parse__a_shard_and_back():
    assert Shard.parse("2/4") == Shard(2, 4)
    assert str(Shard(2, 4)) == "2/4"


@pytest.mark.parametrize("text", ["0/4", "5/4", "x/4", "2", "", "2/4/8", "-1/2"])
def test_parse__no_shard(text):
    with pytest.raises(ValueError):  # noqa: PT011  (int's own message, or ours)
        Shard.parse(text)


@given(WEIGHTS, st.integers(1, 12))
def test_spread__each_name_once_and_no_shard_above_the_bound(weights, shards):
    placed = spread(weights, shards)
    assert set(placed) == set(weights)
    assert set(placed.values()) <= set(range(1, shards + 1))
    loads = [sum(weights[name] for name in placed if placed[name] == number) for number in range(1, shards + 1)]
    heaviest = max(weights.values(), default=0)
    assert max(loads) * shards <= sum(weights.values()) + (shards - 1) * heaviest


@given(WEIGHTS, st.integers(1, 12), st.randoms(use_true_random=False))
def test_spread__does_not_depend_on_the_order(weights, shards, rng):
    names = list(weights)
    rng.shuffle(names)
    assert spread({name: weights[name] for name in names}, shards) == spread(weights, shards)


def test_spread__equal_weights_fall_evenly():
    placed = spread(dict.fromkeys("abcdefgh", 5), 4)
    assert sorted(placed.values()) == [1, 1, 2, 2, 3, 3, 4, 4]
