"""The words of a command: what a call starts, and whether one of them is the script of a shell."""

from __future__ import annotations

import re

from devpulse.core.flow.values import HOLE, Value
from devpulse.core.rules.flow_rule import Use

_SHELL = re.compile(r"(?i)^(?:.*[/\\])?(?:(?:ba|z|da|k|a|c|tc|fi)?sh|cmd|powershell|pwsh)(?:\.exe)?$")
_SCRIPT_FLAG = re.compile(r"(?i)^(?:-\w*c|/c|/k|-command|-encodedcommand)$")
_REMOTE = re.compile(r"^(?:.*/)?(?:ssh|su|runuser|xterm|watch)$")
_PROGRAM_WITH_WORDS = rf"^[^\S\n]*[\w.+~@/\\-]+[^\S\n]+(?![=(])[^\n]*{HOLE}"
_PROGRAM_IN_VALUE = rf"^{HOLE}+[^\S\n]+[-\w./{HOLE}]"
_COMMAND = re.compile(f"{_PROGRAM_WITH_WORDS}|{_PROGRAM_IN_VALUE}")


def is_built(value: Value) -> bool:
    """Whether a text has constant parts around its values."""
    return value.skeleton is not None and value.skeleton.strip(HOLE + " \n") != ""


def is_command_line(value: Value) -> bool:
    """Whether a text is a program with words behind it."""
    return _COMMAND.search(value.skeleton or "") is not None


def items_of(use: Use) -> list[Value]:
    """The words of the command: lists among the arguments stand for their items."""
    given = [argument.value for argument in use.call.arguments if argument.keyword is None]
    whole = given if any(value is use.value for value in given) else [use.value]
    if use.sink.kind.endswith("after-context") and whole is given:
        whole = given[1:]
    return [item for value in whole for item in (_listed(value) if value.collection else [value])]


def _listed(value: Value) -> list[Value]:
    return [item for key, item in value.fields if key.isdigit()]


def is_script(items: list[Value], index: int) -> bool:
    """Whether an item is what a shell is told to run."""
    words = [item.skeleton or "" for item in items[:index]]
    if any(map(_SHELL.match, words)) and any(map(_SCRIPT_FLAG.match, words)):
        return True
    if words and _REMOTE.match(words[0]) and is_built(items[index]) and is_command_line(items[index]):
        return True  # one word that is a command line: what runs it at the other end is a shell
    text = items[index].skeleton or ""
    return bool(words) and _SHELL.match(words[0]) is not None and text.startswith(("-c ", "/c ", "/C "))
