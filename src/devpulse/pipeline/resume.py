"""Stored work: under which key a finished task is kept, and when a stored one may stand."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any

from devpulse import __version__
from devpulse.core.change import Hunk
from devpulse.core.lookup import Lookup, RecordingResolver, question
from devpulse.core.packed_lines import signed
from devpulse.core.prompt import digest
from devpulse.core.review import ReviewTask
from devpulse.core.symbols import Resolver
from devpulse.core.tool_specs import TOOLS
from devpulse.errors import ToolDenied
from devpulse.pipeline.texts import RawText
from devpulse.pipeline.tools import ToolBox
from devpulse.ports import ReviewModel

ENTRY_VERSION = 1
_TOOL_NAMES = frozenset(spec.name for spec in TOOLS)


@dataclass(frozen=True, slots=True)
class KeyParts:
    """What every key of a run shares: engine, settings that matter, and the build: a digest of the program, which
    covers rules, redaction, prompts and tools."""

    model: ReviewModel
    max_steps: int
    window: int
    verify: bool
    build: str
    model_sums_up: bool = False

    def key(self, task: ReviewTask, system: str, base: RawText | None, head: RawText | None) -> str:
        """64 hex digits that change with anything the review of this task depends on in its own file.

        ``system`` is the system prompt as rendered for it, with the project's own text."""
        parts = {
            "entry": ENTRY_VERSION,
            "build": [__version__, self.build],
            "system": system,
            "tools": _tools_digest(),
            "engine": [self.model.name, self.model.version],
            "settings": [self.max_steps, self.window, self.verify, self.model_sums_up],
            "path": [task.change.path, task.change.previous_path],
            "part": [task.part, task.parts],
            "hunks": [_hunk_parts(hunk) for hunk in task.hunks],
            "base": None if base is None else digest(base.text, 64),
            "head": None if head is None else digest(head.text, 64),
        }
        return digest(json.dumps(parts, sort_keys=True), 64)


@cache
def _tools_digest() -> str:
    return digest(json.dumps([asdict(spec) for spec in TOOLS], sort_keys=True), 64)


def _hunk_parts(hunk: Hunk) -> list[Any]:
    return [(hunk.old_start, hunk.old_length, hunk.new_start, hunk.new_length), signed(hunk.lines)]


def lookups_json(lookups: Iterable[Lookup]) -> list[list[str]]:
    """Look-ups as they are stored."""
    return [[lookup.question, lookup.answer] for lookup in lookups]


def still_valid(entry: dict[str, Any], resolver: Resolver, tools: ToolBox) -> bool:
    """Whether every look-up of a stored task still gives the same answer today."""
    recording = RecordingResolver(resolver)
    try:
        return all(_answer(asked, recording, tools) == answer for asked, answer in entry["lookups"])
    except (AttributeError, TypeError, ValueError, LookupError):
        return False  # an entry of another shape: redone like any stale one


def _answer(asked: str, recording: RecordingResolver, tools: ToolBox) -> str:
    name, arguments = json.loads(asked)
    if name in _TOOL_NAMES:
        try:
            return digest(tools.answer(name, arguments))
        except ToolDenied as denied:
            return digest(f"DENIED: {denied}")
    recording.ask_again(asked)
    answers = {lookup.question: lookup.answer for lookup in recording.lookups()}
    return answers[question(name, **arguments)]
