"""The settings that count in a step that merges."""

from __future__ import annotations

from devpulse.main.action_shards import settings_of_step
from devpulse.options import FlagValue
from devpulse.settings import Settings


def test_settings_of_step__a_merge_clears_and_stops_nothing():
    given: dict[str, FlagValue] = {"fresh": True, "stop-after": "1"}
    merge = settings_of_step(Settings.load({**given, "command": "merge"}, {}))
    assert (merge.fresh, merge.stop_after) == (False, None)
    action = settings_of_step(Settings.load({**given, "command": "action"}, {}))
    assert (action.fresh, action.stop_after) == (True, 1)
