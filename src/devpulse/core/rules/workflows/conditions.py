"""What the condition of a job or step says of who can start it: it holds only if it holds on each of its ways."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from devpulse.core.lazy_pattern import lazy

_MAX_DEPTH = 20
_MAX_LENGTH = 4_000
_TEXT = re.compile(r"'[^']{0,300}'|[()]|\|\||&&")
_OWN = lazy(
    r"\bhead\.repo\.full_name\s*==\s*github\.repository\b|\bgithub\.repository\s*==\s*[\w.]+\.head\.repo\.full_name\b|"
    r"\bhead_repository\.full_name\s*==\s*github\.repository\b|\bhead\.repo\.fork\s*==\s*false\b|"
    r"^!\s*[\w.]+\.head\.repo\.fork$|\bpull_request\.merged(?:\s*==\s*true)?$"
)
"""Only pull requests from the repository itself, which need the right to write, or those that somebody merged."""

_NO_FORK = lazy(r"^!\s*[\w.]+\.head\.repo\.fork$")
"""The one thing that is asked for by its opposite; any other negation says who may not, so that all others may."""

_OTHER_EVENT = lazy(
    r"\bgithub\.event_name\s*==\s*'(?:push|pull_request|schedule|workflow_dispatch|workflow_call|release|merge_group|"
    r"repository_dispatch|create|delete|deployment)'|"
    r"\bgithub\.event_name\s*!=\s*'(?:pull_request_target|workflow_run|issues|issue_comment)'|"
    r"\bworkflow_run\.event\s*==\s*'(?!pull_request)"
)
_ASKED = lazy(
    r"^contains\s*\(.{0,400}(?:label|actor|login|association)|\blabel\.name\s*==|\bauthor_association\s*==|"
    r"\b(?:triggering_)?actor\s*==|\.login\s*==|permission"
)


def is_kept_inside(condition: str) -> bool:
    """Whether nobody from outside can start what the condition guards with something that was not merged."""
    return _holds(condition, lambda part: bool(_OWN.search(part)) or of_other_event(part))


def of_other_event(condition: str) -> bool:
    """Whether what the condition guards runs for no event of outsiders that has rights."""
    return _holds(condition, lambda part: bool(_OTHER_EVENT.search(part)))


def asks_who(condition: str) -> bool:
    """Whether the condition asks who it was, or for a label that somebody with rights has to give."""
    return _holds(condition, lambda part: bool(_ASKED.search(part)) or bool(_OWN.search(part)))


def _holds(condition: str, judge: Callable[[str], bool], depth: int = 0) -> bool:
    """Whether each way through a condition has a part of which ``judge`` is true."""
    text = _bare(condition[:_MAX_LENGTH].lower())
    ways = list(_split(text, "||"))
    if len(ways) == 1:
        parts = list(_split(text, "&&"))
        if len(parts) == 1:
            return judge(text) if not text.startswith("!") or _NO_FORK.search(text) else False
        return depth < _MAX_DEPTH and any(_holds(part, judge, depth + 1) for part in parts)
    return depth < _MAX_DEPTH and all(_holds(way, judge, depth + 1) for way in ways)


def _bare(text: str) -> str:
    """A condition without white space, ``${{ }}``, quotes of YAML and brackets around it."""
    text = text.strip().strip('"').removeprefix("${{").removesuffix("}}").strip()
    while text.startswith("(") and text.endswith(")") and _closes_at_end(text):
        text = text[1:-1].strip()
    return text


def _closes_at_end(text: str) -> bool:
    depth = 0
    for found in _TEXT.finditer(text):
        depth += (found[0] == "(") - (found[0] == ")")
        if depth == 0 and found[0] == ")":
            return found.end() == len(text)
    return False


def _split(text: str, sign: str) -> Iterator[str]:
    """The parts of a condition between signs that stand in no brackets and no text."""
    depth = start = 0
    for found in _TEXT.finditer(text):
        depth += (found[0] == "(") - (found[0] == ")")
        if found[0] == sign and depth == 0:
            yield text[start : found.start()]
            start = found.end()
    yield text[start:]
