"""The log of a run."""

from __future__ import annotations

import json
from datetime import datetime

import pytest
from builders import MemorySink

from devpulse.adapters.run_log import LOG, MAX_VALUE_CHARACTERS, JsonLinesLog
from devpulse.core.digests import Digests
from devpulse.core.redaction import Redactor

TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


def _row(mask=lambda text: text, **values):
    sink = MemorySink()
    JsonLinesLog(sink, mask).record("event", **values)
    text = sink.files[LOG]
    assert text.count("\n") == 1
    return json.loads(text)


def test_record__time_event_task_step_and_values():
    row = _row(task="db-1", step=2, tokens=3, context="ab", forced=True, nothing=None, part=0.5)
    assert datetime.fromisoformat(row.pop("time")).tzinfo is not None
    assert row == {
        "event": "event", "task": "db-1", "step": 2, "tokens": 3, "context": "ab", "forced": True, "nothing": None,
        "part": 0.5,
    }  # fmt: skip


def test_record__no_empty_task_or_step():
    assert set(_row()) == {"time", "event"}


@pytest.mark.parametrize("value", ["x" * 5_000, ["x" * 5_000], {"a": "x" * 5_000}])
def test_record__long_values_are_cut_and_say_how_long_they_were(value):
    cut = _row(value=value)["value"]
    assert len(cut) < MAX_VALUE_CHARACTERS + 30
    assert cut.endswith("characters)")
    assert _row(value="x" * MAX_VALUE_CHARACTERS)["value"] == "x" * MAX_VALUE_CHARACTERS


@pytest.mark.parametrize("before", [0, 150, 175, 190, 199, 300])
@pytest.mark.parametrize("wrap", [lambda text: text, lambda text: [text], lambda text: {"a": {"b": text}}])
def test_record__masks_before_it_cuts(before, wrap):
    row = _row(Redactor().mask, value=wrap("." * before + " " + TOKEN))
    assert TOKEN[:8] not in json.dumps(row)


@pytest.mark.parametrize("value", ["two\nlines", "caf\udce9", 'quo"te', "\u2028\u202e", {"path": "a\nb"}, {1, 2}])
def test_record__any_value_stays_one_valid_line(value):
    row = _row(path=value)
    assert "path" in row
    json.dumps(row).encode("ascii")


def test_record__digests_of_messages_are_written_whole():
    digests = Digests(f"u:{number:016x}" for number in range(100))
    assert _row(messages=digests)["messages"] == list(digests)
    assert isinstance(_row(messages=tuple(digests))["messages"], str)
