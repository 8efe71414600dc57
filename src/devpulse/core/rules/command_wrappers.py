"""Functions of projects that are called like what runs commands, and whether a text given to one is a command."""

from __future__ import annotations

import re
from functools import lru_cache

from devpulse.core.categories import Confidence
from devpulse.core.flow.values import HOLE, Level, Taint
from devpulse.core.rules.command_words import is_built, is_command_line
from devpulse.core.rules.flow_rule import Use
from devpulse.core.rules.hits import Reach

_SPLITS = re.compile(r"(?i)(?:^|[._])(?:m|module|ansible\w*)\.run_command$")
"""Ansible's own: a text is split into words, and no shell sees it unless the call says so."""

_STARTS = re.compile(r"\.run_command\(|\bPopen\(|\bsubprocess\.|\bshlex\.split\(|create_subprocess_exec\(")
_RUNS_TEXT = re.compile(
    r"shell\s*=\s*(?!False|None)|\bos\.(?:system|popen)|getoutput|exec_command|[bz]sh\b|ssh|create_subprocess_shell"
)
_BODY = 4_000
"""Characters of a function that are read for how it starts programs."""

_OF_PROTOCOL = re.compile(r"\\r|\r|^\s*[A-Z]{2,}\b")
"""A command of a protocol like SMTP, whose lines end with a carriage return or begin with a word in capitals."""

_PROSE = re.compile(r"^[^\S\n]*(?:[A-Z][a-z]+|[\w-]+:)\s|\w[.!?]\s*$|(?i:^\s*(?:select|insert|update|delete)\b)")
_SAYS_SO = re.compile(r"(?:^|[._])_*(?:\w+_)?(?:CMD|COMMAND)(?:_\w+)?\.format$")
"""A constant that is kept elsewhere, called like a command line, and filled with a value."""


def reach_of_wrapper(taint: Taint, use: Use) -> Reach | None:
    """What is called like a runner of commands runs one if the text looks like a command line."""
    value = use.value
    skeleton = value.skeleton or ""
    if is_kept_command(taint):
        return Reach(taint, Confidence.MEDIUM) if taint.origin.level >= Level.PARAMETER else None
    if not is_built(value) or not is_command_line(value) or _PROSE.search(skeleton):
        return None
    if _OF_PROTOCOL.search(skeleton):
        return None
    if use.source.language == "python" and (_SPLITS.search(use.call.callee) or _is_without_shell(use)):
        return Reach(taint, Confidence.LOW)
    if taint.origin.level is Level.UNKNOWN:
        told = taint.origin.member and use.source.language == "python"
        return Reach(taint, Confidence.MEDIUM if told else Confidence.LOW)
    return Reach(taint, Confidence.MEDIUM, firm=not skeleton.startswith(HOLE))


def is_kept_command(taint: Taint) -> bool:
    """Whether a value was put into a command line that stands somewhere else: ``REBOOT_COMMAND.format(host)``."""
    return any(_SAYS_SO.search(ask.callee) for ask in taint.asks)


def _is_without_shell(use: Use) -> bool:
    """Whether the file has the very function, and starts programs in it without a shell."""
    owner, _, name = use.call.callee.rpartition(".")
    return owner in ("", "self", "cls") and _has_no_shell(use.source.text, name)


@lru_cache(maxsize=64)
def _has_no_shell(text: str, name: str) -> bool:
    found = re.search(rf"(?m)^([ \t]*+)(?:async[ ]+)?def {re.escape(name)}\(", text)
    if found is None:
        return False
    rest = text[found.end() : found.end() + _BODY]
    end = re.search(rf"\n{found.group(1)}[^\s)\]]", rest)
    body = rest[: end.start()] if end is not None else rest
    return _STARTS.search(body) is not None and _RUNS_TEXT.search(body) is None
