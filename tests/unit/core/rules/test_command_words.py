"""What counts as a command line, and as the script of a shell."""

from __future__ import annotations

import pytest

from devpulse.core.flow.values import HOLE, Value
from devpulse.core.rules.command_words import is_built, is_command_line, is_script


def _said(template: str) -> Value:
    return Value(skeleton=template.replace("?", HOLE))


@pytest.mark.parametrize("line", ["rm -r ?", "/usr/bin/env python ?", "? --version", "? ?"])
def test_is_command_line(line: str) -> None:
    assert is_command_line(_said(line))


@pytest.mark.parametrize("line", ["?", "name?", "size = ?", "f (?)", "rm -r x"])
def test_is_command_line__anything_else(line: str) -> None:
    assert not is_command_line(_said(line))


def test_is_built__constant_parts() -> None:
    assert is_built(_said("rm ?"))
    assert not is_built(_said("? ?"))


@pytest.mark.parametrize(
    "words",
    [("bash", "-c", "?"), ("cmd.exe", "/c", "?"), ("ssh", "rm -r ?"), ("sh", "-c rm ?"), ("pwsh", "-Command", "?")],
)
def test_is_script(words: tuple[str, ...]) -> None:
    assert is_script([_said(word) for word in words], len(words) - 1)


@pytest.mark.parametrize("words", [("bash", "?"), ("git", "-c", "?"), ("ssh", "?"), ("rm", "-r ?")])
def test_is_script__an_argument(words: tuple[str, ...]) -> None:
    assert not is_script([_said(word) for word in words], len(words) - 1)
