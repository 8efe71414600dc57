"""``shard.json``, written on one machine and read on another."""

from __future__ import annotations

import json
from dataclasses import replace
from decimal import Decimal

import pytest

from devpulse.core.messages import Usage
from devpulse.core.sharding import Shard
from devpulse.output.shard_v1 import ShardRecord, parse_shard, render_shard

BEGUN = ShardRecord(Shard(2, 4), "a" * 64, "b" * 40, "offline")
ENDED = replace(
    BEGUN,
    ended=True,
    results={"a.py-1": "c" * 64},
    usage=Usage(3, 1_000, 500, 200, 100, Decimal("0.000123")),
    model_down="HTTP 503",
)


@pytest.mark.parametrize("record", [BEGUN, ENDED, replace(BEGUN, head=None)])
def test_parse_shard__gives_what_was_rendered(record):
    read = parse_shard(render_shard(record))
    assert replace(read, results=dict(read.results)) == replace(record, results=dict(record.results))


@pytest.mark.parametrize(
    "change",
    [
        {"schema": "devpulse.shard/2"},
        {"number": 5},
        {"number": 0},
        {"of": 10_000},
        {"change": "x"},
        {"change": "a" * 64 + "\n"},
        {"ended": "yes"},
        {"results": {"a": "../etc"}},
        {"engine": "<b>"},
        {"more": 1},
        {"usage": {}},
    ],
)
def test_parse_shard__refuses_what_no_shard_writes(change):
    document = json.loads(render_shard(BEGUN)) | change
    with pytest.raises(ValueError):  # noqa: PT011  (pydantic's, or the shard's own)
        parse_shard(json.dumps(document))


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "[" * 10_000])
def test_parse_shard__torn(text):
    with pytest.raises(ValueError):  # noqa: PT011  (as above)
        parse_shard(text)
