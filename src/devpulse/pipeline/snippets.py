"""The code around a finding, cut from the texts as they may be shown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice

from devpulse.core.annotated import ShownChange
from devpulse.core.change import FileChange, Side
from devpulse.core.finding import Finding, Step
from devpulse.output.snippets import OtherLine, Snippet
from devpulse.pipeline.texts import ChangeTexts

CONTEXT_LINES = 3
"""Lines before and after a finding."""

MOST_OTHERS = 20
"""Of the other side's lines among a snippet's own; a rewritten file would show all it had in one place."""


def snippet_of(finding: Finding, changes: Mapping[str, FileChange], texts: ChangeTexts) -> Snippet | None:
    """The lines around a finding with what the change did to them; ``None`` when its side has no text to show."""
    change = changes[finding.path]
    shown = texts.shown(change)
    side = shown.side(finding.side)
    if side is None:
        return None
    first = max(1, finding.start_line - CONTEXT_LINES)
    lines = side.lines[first - 1 : finding.end_line + CONTEXT_LINES]
    within = range(first, first + len(lines))
    return Snippet(
        first_line=first,
        lines=lines,
        changed=frozenset(number for number in change.changed(finding.side) if number in within),
        others=tuple(islice(_others(change, finding.side, within, shown), MOST_OTHERS)),
        steps=tuple(_line_of(step, finding, changes, texts) for step in _steps(finding)),
    )


def _others(change: FileChange, side: Side, within: range, shown: ShownChange) -> Iterator[OtherLine]:
    for hunk in change.hunks:
        right = side is Side.RIGHT
        start, length = hunk.span(side)
        if len(hunk.lines) == length:  # the other side has none of its own
            continue
        before = start if length else start + 1  # a side without lines starts at the line before
        for line in hunk.lines:
            own = line.new if right else line.old
            if own is not None:
                before = own + 1
            elif before in within:
                yield OtherLine(before, shown.line(line))


def _steps(finding: Finding) -> tuple[Step, ...]:
    return () if finding.trace is None else finding.trace.all_steps()


def _line_of(step: Step, finding: Finding, changes: Mapping[str, FileChange], texts: ChangeTexts) -> str | None:
    change = changes.get(step.path)
    if change is None:
        return None
    # Another file's steps are told at head: a removed guard's own file is the only one read at base.
    text = texts.shown(change).side(finding.side if step.path == finding.path else Side.RIGHT)
    return None if text is None else text.line(step.line)
