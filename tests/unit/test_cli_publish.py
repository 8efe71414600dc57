from dataclasses import replace
from typing import Any

from devpulse.cli import run
from devpulse.cli.actions import PROGRAM


def test_publish__is_the_action_with_its_command():
    asked: list[Any] = []

    def action(request: Any) -> int:
        asked.append(request.flags)
        return 0

    actions = replace(PROGRAM, action=action)
    assert run(["publish", "--from", "incoming", "--max-comments", "3"], actions) == 0
    assert asked[0]["command"] == "publish"
    assert (asked[0]["from"], asked[0]["max-comments"]) == ("incoming", "3")
