"""The text of one inline comment."""

from __future__ import annotations

from devpulse.core.anchor import evidence_lines
from devpulse.core.change import Side
from devpulse.core.finding import Finding, Step
from devpulse.core.secrets.placeholders import MARKER
from devpulse.output.characters import clip, visible
from devpulse.output.comments.marker import finding_marker, finding_opening
from devpulse.output.comments.place import Place
from devpulse.output.coverage import plural
from devpulse.output.guidance import category_of, cwe_url
from devpulse.output.markdown import block, code, prose, text
from devpulse.output.paths import display_path

MAX_CHARACTERS = 65_000
"""The most a comment of either kind may have, below GitHub's 65,536. Every part of an inline comment has a limit of its
own, chosen so that even text of which each character is escaped to eight stays below this."""

_TITLE_LIMIT = 200
_DESCRIPTION_LIMIT = 3_000
_FIX_LIMIT = 1_500
_PATH_LIMIT = 150
_NOTE_LIMIT = 150
_STEPS_SHOWN = 6
_SUGGESTION_LIMIT = 4_000
_STARS = "*" * 8
"""What redaction leaves of a value that is too short for its marker."""


def render_comment(finding: Finding, place: Place) -> str:
    """The comment on a finding in Markdown, its last line the marker; ``place`` is where it will stand.

    Raises:
        ValueError: the finding's fingerprint is not made of hex digits.
    """
    title = text(clip(visible(finding.title), _TITLE_LIMIT))
    kind = text(category_of(finding.category).title)
    cwe = "" if finding.cwe is None else f" ([CWE-{finding.cwe}]({cwe_url(finding.cwe)}))"
    removed = " · about the removed code" if finding.side is Side.LEFT else ""
    whole = (place.start_line, place.end_line) == (finding.start_line, finding.end_line)
    parts = [
        f"{finding_opening(finding.severity)}{title}**",
        f"{kind}{cwe} · {finding.confidence} confidence · found by a {finding.source}{removed}",
        _paragraph(finding.description, _DESCRIPTION_LIMIT),
        _trace(finding),
        f"**How to fix.** {_paragraph(finding.fix, _FIX_LIMIT)}" if finding.fix.strip() else "",
        suggestion_block(finding) if whole else _reach(finding),
        _how_to_accept(finding),
        finding_marker(finding.fingerprint, finding.source),
    ]
    return "\n\n".join(part for part in parts if part)


def _reach(finding: Finding) -> str:
    lines = f"lines {finding.start_line} to {finding.end_line}"
    return f"The code it is about spans {lines}, some of them outside the diff."


def suggestion_block(finding: Finding) -> str:
    """A block that GitHub can apply to exactly the lines of the comment, or nothing.

    Left out where it would not be the very code: on removed or redacted lines, when showing it safely
    would change a character, when it is too long, and when it changes nothing.
    """
    code_text = (finding.suggestion or "").removesuffix("\n")
    if not code_text.strip() or len(code_text) > _SUGGESTION_LIMIT or finding.side is not Side.RIGHT:
        return ""
    if _is_redacted(finding.evidence) or _is_redacted(code_text):
        return ""
    if evidence_lines(code_text) == evidence_lines(finding.evidence):
        return ""
    shown = block(code_text, "suggestion")
    _, _, inside = shown.partition("\n")
    return shown if inside.rpartition("\n")[0] == code_text else ""


def _is_redacted(value: str) -> bool:
    return MARKER.search(value) is not None or _STARS in value


def _paragraph(value: str, limit: int) -> str:
    return prose(clip(visible(value), limit))


def _trace(finding: Finding) -> str:
    """The way of the value; of a long one the beginning and where it does harm."""
    if finding.trace is None:
        return ""
    steps = finding.trace.all_steps()
    if len(steps) <= _STEPS_SHOWN:
        lines = [f"{number}. {_step(step)}" for number, step in enumerate(steps, start=1)]
        return "\n".join(["How the value gets there:\n", *lines])
    first = [f"{number}. {_step(step)}" for number, step in enumerate(steps[: _STEPS_SHOWN - 1], start=1)]
    left = plural(len(steps) - _STEPS_SHOWN, "more step")
    return "\n".join(["How the value gets there:\n", *first, f"\n… {left}, and at last: {_step(steps[-1])}"])


def _step(step: Step) -> str:
    place = code(f"{clip(visible(display_path(step.path)), _PATH_LIMIT)}:{step.line}")
    note = " ".join(visible(step.note).split())
    return f"{place} {prose(clip(note, _NOTE_LIMIT))}"


def _how_to_accept(finding: Finding) -> str:
    rule = code(f'- {{fingerprint: "{finding.fingerprint}", reason: why}}')
    return f"<sub>Accepted or wrong? List {rule} under {code('ignore')} in {code('.devpulse.yml')} of the base.</sub>"
