"""Characters that make code read differently from what it does: bidirectional controls, invisible letters, tags."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from devpulse.core.categories import Confidence
from devpulse.core.finding import Hit, HitKind
from devpulse.core.hidden import BIDI_MARKS, BIDI_NESTING, BIDI_OVERRIDES, ZERO_WIDTH
from devpulse.core.rules.hits import Weakness, Wording, make_hit
from devpulse.core.source import Rule, Source
from devpulse.core.symbols import Resolver
from devpulse.core.text import split_lines

_WEAKNESS = Weakness("hidden-unicode")
_TAGS = "\U000e0001\U000e0020-\U000e007f"
_SUSPECT = re.compile(
    f"[{BIDI_OVERRIDES}{BIDI_NESTING}{BIDI_MARKS}{ZERO_WIDTH}{_TAGS}\U000e0100-\U000e01ef\u2061-\u2064\u3164\uffa0]"
)
_FLAG = re.compile("\U0001f3f4[\U000e0020-\U000e007e]{1,8}\U000e007f")  # subdivision flags (Unicode emoji sequences)
_RTL = re.compile("[\u0590-\u05ff\u0600-\u06ff\u0700-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_PROSE_EXTENSIONS = frozenset(
    [
        "md",
        "markdown",
        "rst",
        "txt",
        "adoc",
        "po",
        "pot",
        "html",
        "htm",
        "json",
        "yml",
        "yaml",
        "xml",
        "arb",
        "strings",
        "properties",
        "csv",
        "tsv",
        "srt",
        "vtt",
        "xlf",
        "xliff",
        "svg",
    ]
)
_NAMES = {"bidi": "bidirectional control", "invisible": "invisible", "tag": "invisible tag"}


def check(source: Source, resolver: Resolver) -> Iterator[Hit]:  # noqa: ARG001  (the rule's fixed signature)
    """One hit for each run of neighbouring lines with the same kind of character."""
    if not _SUSPECT.search(source.text):
        return
    prose = source.path.rpartition(".")[2].lower() in _PROSE_EXTENSIONS
    open_run: tuple[str, int, int] | None = None
    for number, line in enumerate(split_lines(source.text), start=1):
        kind = _kind_of_line(line, first=number == 1, prose=prose)
        if open_run is not None and (kind != open_run[0] or number - open_run[1] >= 10):
            yield _hit(*open_run)
            open_run = None
        if kind is not None:
            open_run = (kind, open_run[1] if open_run else number, number)
    if open_run is not None:
        yield _hit(*open_run)


def _hit(kind: str, start: int, end: int) -> Hit:
    name = _NAMES[kind]
    wording = Wording(
        title=f"Hidden {name} characters",
        description=f"The text holds {name} characters: it reads differently from what a program takes from it.",
        fix="Remove the characters; where text needs one, write it as an escape such as \\u200e.",
    )
    confidence = Confidence.HIGH if kind != "invisible" else Confidence.MEDIUM
    return make_hit(_WEAKNESS, wording, (start, end), confidence, kind=HitKind.FINDING)


def _kind_of_line(line: str, *, first: bool, prose: bool) -> str | None:
    if not _SUSPECT.search(line):
        return None
    line = _FLAG.sub("", line)
    start = 1 if first and line.startswith("\ufeff") else 0
    right_to_left = bool(_RTL.search(line))
    kinds = {_kind_at(line, m.start(), rtl=right_to_left, prose=prose) for m in _SUSPECT.finditer(line, start)}
    return next((kind for kind in ("bidi", "tag", "invisible") if kind in kinds), None)


def _kind_at(line: str, index: int, *, rtl: bool, prose: bool) -> str | None:
    character = line[index]
    if character in BIDI_OVERRIDES:
        return "bidi"
    if character in BIDI_NESTING:
        return None if rtl and prose else "bidi"
    if character in BIDI_MARKS:
        return None if rtl else "bidi"
    if character >= "\U000e0000":
        return _kind_of_tag(line, index)
    if character in "\u200c\u200d" and _joins_letters(line, index):
        return None
    return "invisible"


def _kind_of_tag(line: str, index: int) -> str | None:
    """A single variation selector after an ideograph is ordinary writing; everything else carries hidden text."""
    before = line[index - 1] if index else ""
    if line[index] >= "\U000e0100" and before and unicodedata.category(before) == "Lo":
        return None
    return "tag"


def _joins_letters(line: str, index: int) -> bool:
    """Whether a joiner stands where scripts and emoji need one: between marks, letters without case, or pictures."""
    before = line[index - 1] if index else ""
    after = line[index + 1] if index + 1 < len(line) else ""
    return _takes_joiner(before) and (
        _takes_joiner(after) or not after or not after.isascii() or line[index] == "\u200c"
    )


def _takes_joiner(character: str) -> bool:
    if not character or character.isascii():
        return False
    return unicodedata.category(character) in ("Lo", "Mn", "Mc", "So", "Sk", "Lm")


RULE = Rule(id="hidden-unicode", category="hidden-unicode", languages=frozenset(), check=check)
