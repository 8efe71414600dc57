"""The runner's side of its contract with a step, after GitHub's documentation: how it reads what a step gives."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Command:
    """A workflow command as the runner understands it."""

    name: str
    properties: dict[str, str]
    message: str


def parse_command(line: str) -> Command | None:
    """The command on a line of output, ``None`` when the line is only text."""
    found = re.fullmatch(r"::([A-Za-z_-]+)(?: ([^\n]*?))?::(.*)", line.strip(), re.DOTALL)
    if found is None:
        return None
    name, given, message = found.groups()
    pairs = (pair.partition("=") for pair in (given or "").split(",") if "=" in pair)
    properties = {key.strip(): _unescaped(value, {**_DATA, "%3A": ":", "%2C": ","}) for key, _, value in pairs}
    return Command(name, properties, _unescaped(message, _DATA))


def commands_in(output: str) -> list[Command]:
    """All commands of a step's output, in order."""
    return [command for line in output.split("\n") if (command := parse_command(line)) is not None]


def parse_outputs(text: str) -> dict[str, str]:
    """The outputs in a ``GITHUB_OUTPUT`` file; what the runner would refuse is a ``ValueError``."""
    outputs: dict[str, str] = {}
    lines = iter(text.split("\n"))
    for line in lines:
        if not line:
            continue
        name, plain, value = line.partition("=")
        key, long, delimiter = line.partition("<<")
        if long and (not plain or len(key) < len(name)):
            outputs[key] = _until(delimiter, lines)
        elif plain:
            outputs[name] = value
        else:
            raise ValueError(f"not an assignment: {line!r}")
    return outputs


_DATA = {"%0D": "\r", "%0A": "\n", "%25": "%"}


def _unescaped(text: str, escapes: dict[str, str]) -> str:
    return re.sub("|".join(escapes), lambda found: escapes[found.group()], text)


def _until(delimiter: str, lines: Iterator[str]) -> str:
    kept: list[str] = []
    for line in lines:
        if line == delimiter:
            return "\n".join(kept)
        kept.append(line)
    raise ValueError(f"the delimiter {delimiter!r} does not come again")
