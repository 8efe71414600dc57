"""Options smuggled into a program: an argument of its own is still an option where it begins with a dash.

``git log <revision>`` runs no shell, but ``--output=/etc/cron.d/x`` writes a file, ``--upload-pack=…`` runs a command.
"""

from __future__ import annotations

import re

from devpulse.core.categories import Confidence
from devpulse.core.flow.values import HOLE, Level, Taint, Value
from devpulse.core.rules.flow_rule import Use
from devpulse.core.rules.hits import Reach
from devpulse.core.rules.wording import Wording
from devpulse.core.source import Source

OPTIONS = Wording(
    title="Value can become an option of a program",
    description="A value that begins with `-` is taken as an option; with those, programs write files or run commands.",
    fix="Put `--` (git: `--end-of-options`) before the value, or refuse one that begins with `-`.",
)
_PROGRAM = re.compile(r"(?:^|/)(?:git|hg|svn|ssh|scp|rsync|tar|zip|find|curl|wget)$")
_MENTIONED = re.compile(r"[\"'](?:/usr/bin/)?(?:git|hg|svn|ssh|scp|rsync|tar|zip|find|curl|wget)[\"']")
_VERSIONED = re.compile(r"(?:^|/)(?:git|hg|svn)$")
_HARMLESS_COMMAND = frozenset(
    {"config", "commit", "init", "cat-file", "hash-object", "update-index", "notes", "add", "rm"}
)
_ENDS_OPTIONS = frozenset({"--", "--end-of-options"})
_ALONE = re.compile(
    r"^--?(?:q|f|v|n|r|a|all|bare|mirror|quiet|verbose|force|no-[\w-]+|oneline|prune|tags|recursive|hard|soft|stat|raw|"
    r"detach|heads|p|[\w-]+=.*)$"
)
"""Options that take nothing behind them: what follows is an argument."""

_REVISION = re.compile(
    r"(?i)^(?:\w*_)?(?:ref|refs|ref_?name|branch|branch_?name|rev|revision|commit|commit_?id|commit_?ish|sha|tree_?ish|treeish|"
    r"tag|tag_?name|remote|url|uri|repo_?url|clone_?url|remote_?url|object|objectish|version|since|from|to|base|head)$"
)
_STARTS = re.compile(r"(?:HasPrefix|startswith|startsWith|start_with\?|starts_with\?)$")


def mentions_program(source: Source) -> bool:
    """Whether a file names one of the programs."""
    return _MENTIONED.search(source.text) is not None


def reach_of_option(taint: Taint, use: Use, items: list[Value]) -> Reach | None:
    """How sure it is that a value among the words of a command can be an option of the program."""
    program = items[0].skeleton or "" if items else ""
    places = (place for place, item in enumerate(items) if any(known.origin is taint.origin for known in item.taints))
    index = next(places, 0)
    if index < 1 or _PROGRAM.search(program) is None or not _is_free(items, index):
        return None
    if any(word.skeleton in _HARMLESS_COMMAND for word in items[1:index]) or _is_looked_at(taint, use):
        return None
    if taint.origin.level is Level.REQUEST:
        return Reach(taint, Confidence.HIGH if _VERSIONED.search(program) else Confidence.MEDIUM)
    told = taint.origin.level is Level.PARAMETER and _REVISION.match(taint.origin.label)
    return Reach(taint, Confidence.MEDIUM) if told and _VERSIONED.search(program) else None


def _is_free(items: list[Value], index: int) -> bool:
    """Whether a word begins with the value, and the program still looks for options there."""
    item, before = items[index], [word.skeleton or "" for word in items[1:index]]
    if item.joined or item.resolved or not (item.skeleton or HOLE).startswith(HOLE):
        return False
    if any(word in _ENDS_OPTIONS for word in before):
        return False
    last = before[-1] if before else ""
    return not last.startswith("-") or _ALONE.match(last) is not None


def _is_looked_at(taint: Taint, use: Use) -> bool:
    """Whether the function asks what the value begins with."""
    for call in use.function.calls:
        if not _STARTS.search(call.callee):
            continue
        values = [call.receiver, *(argument.value for argument in call.arguments)]
        if any(known.origin is taint.origin for value in values if value is not None for known in value.taints):
            return True
    return False
