"""Findings that a comment in the code accepts; one that the change itself brings does not count unless allowed to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from devpulse.core.anchor import LineIndex, evidence_lines
from devpulse.core.change import FileChange, Side
from devpulse.core.finding import Finding, FindingStatus
from devpulse.core.ignore_comments import find_ignore, rest_of_ignore
from devpulse.core.languages import language_of
from devpulse.core.rules.injection_phrases import orders_in
from devpulse.core.syntax import innermost, parse
from devpulse.core.text import normalise_space
from devpulse.errors import ParseLimitReached
from devpulse.pipeline.file_review import outline_of
from devpulse.pipeline.texts import ChangeTexts


def suppressed_inline(finding: Finding, change: FileChange, texts: ChangeTexts, *, allow_new: bool) -> Finding:
    """The finding, suppressed where a comment at its code accepts it.

    Unless ``allow_new``, the same comment must have stood at the same code in the base: at the same occurrence of the
    evidence in the same symbol, which is what a fingerprint says. A secret must be the same as well. Removed code
    cannot be accepted in this way.
    """
    head = texts.shown(change).side(Side.RIGHT)
    if head is None or finding.side is not Side.RIGHT or finding.status is FindingStatus.UNANCHORED:
        return finding
    if allow_new and _is_the_comment_itself(finding, head.lines):
        return replace(finding, status=FindingStatus.SUPPRESSED, reason="it is an ignore comment, and new ones count")
    comment = find_ignore(head.lines, finding.start_line, finding.end_line, finding.category)
    if comment is None:
        return finding
    if not _is_code_comment(change.path, head.lines, finding.start_line + comment.offset, comment.column):
        return finding
    if not allow_new and (
        _is_another_secret(finding, change) or not _stood_before(finding, change, texts, comment.offset)
    ):
        return finding
    return replace(finding, status=FindingStatus.SUPPRESSED, reason=f"ignored by a comment: {comment.reason}")


def _is_code_comment(path: str, lines: Sequence[str], number: int, column: int) -> bool:
    """Whether a place is in a comment, as far as the language is known: a text that reads like one accepts nothing."""
    language = language_of(path)
    if language is None:
        return True
    text = "\n".join(lines)
    place = len("\n".join((*lines[: number - 1], lines[number - 1][:column])).encode("utf-8", errors="replace"))
    try:
        node = parse(language, text).root_node.descendant_for_byte_range(place, place + 1)
    except ParseLimitReached:
        return False
    return node is not None and "comment" in node.type


def _is_another_secret(finding: Finding, change: FileChange) -> bool:
    """Whether the change writes the lines of a secret anew: two secrets of a kind are shown alike."""
    lines = range(finding.start_line, finding.end_line + 1)
    return finding.category == "hardcoded-secret" and any(
        not hunk.changed(Side.RIGHT).isdisjoint(lines) for hunk in change.hunks
    )


def _is_the_comment_itself(finding: Finding, lines: Sequence[str]) -> bool:
    """Whether what was found to give orders to a reviewer is no more than an ignore comment."""
    if finding.category != "prompt-injection" or finding.start_line != finding.end_line:
        return False
    rest = rest_of_ignore(lines[finding.start_line - 1])
    return rest is not None and not any(orders_in(rest))


def _stood_before(finding: Finding, change: FileChange, texts: ChangeTexts, offset: int) -> bool:
    shown = texts.shown(change)
    head, base = shown.side(Side.RIGHT), shown.side(Side.LEFT)
    if head is None or base is None or change.base is None:
        return False
    wanted = evidence_lines("\n".join(head.lines[finding.start_line - 1 : finding.end_line]))
    if not wanted:
        return False
    here = _places(wanted, head.lines, change, texts, Side.RIGHT, finding.symbol)
    before = _places(wanted, base.lines, change, texts, Side.LEFT, finding.symbol)
    if finding.start_line not in here or len(before) <= here.index(finding.start_line):
        return False
    then = before[here.index(finding.start_line)] + offset
    return then >= 1 and normalise_space(base.lines[then - 1]) == normalise_space(
        head.lines[finding.start_line + offset - 1]
    )


def _places(
    wanted: Sequence[str], lines: Sequence[str], change: FileChange, texts: ChangeTexts, side: Side, symbol: str | None
) -> list[int]:
    """Where the code stands in the symbol, in order."""
    outline = outline_of(change, texts)(side)
    names = ((place, innermost(outline, place)) for place in LineIndex(lines).places(wanted))
    return [place for place, around in names if (around.qualified_name if around else None) == symbol]
