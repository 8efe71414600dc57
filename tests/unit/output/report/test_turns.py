"""Sizes of requests from a log."""

from __future__ import annotations

import json

from devpulse.output.report.turns import Turn, TurnFigures, by_turn, turns_of_log


def request(step, whole, task="a"):
    return json.dumps({"event": "request", "task": task, "step": step, "whole": whole, "limit": 100})


def test_turns_of_log__those_since_the_last_plan():
    plan = json.dumps({"event": "planned", "tasks": 1})
    text = "\n".join([plan, request(1, 5), plan, request(1, 7), '{"event": "reply"}', request(2, 9), ""])
    assert turns_of_log(text) == (Turn("a", 1, 7, 100), Turn("a", 2, 9, 100))


def test_turns_of_log__passes_over_what_is_not_one():
    torn = ['{"event": "request", "ta', '["event": 1, "event": "request"]', request(1, "many"), request(1, -1)]
    assert turns_of_log("\n".join(torn)) == ()


def test_by_turn__figures_for_each():
    turns = [Turn("a", 1, 5, 100), Turn("b", 1, 9, 100), Turn("a", 2, 20, 100)]
    assert by_turn(turns) == [TurnFigures(1, 2, 5, 9), TurnFigures(2, 1, 20, 20)]
