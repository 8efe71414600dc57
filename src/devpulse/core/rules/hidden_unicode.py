"""Characters that make code read differently from what it does: bidirectional controls, invisible letters, tags,
variation selectors, and letters of other scripts that look like Latin ones; in the text and in the file's name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from devpulse.core.categories import Confidence
from devpulse.core.finding import Hit, HitKind
from devpulse.core.lazy_pattern import lazy
from devpulse.core.rules.disguised_names import disguised_lines, is_disguised_path
from devpulse.core.rules.invisible import Deceit, has_right_to_left, has_suspects, worst_of_line
from devpulse.core.rules.wording import Weakness, Wording, make_hit
from devpulse.core.source import Rule, Source
from devpulse.core.symbols import Resolver
from devpulse.core.text import split_lines

_WEAKNESS = Weakness("hidden-unicode")
_PROSE_EXTENSIONS = frozenset(
    {
        "md", "markdown", "rst", "txt", "adoc", "po", "pot", "html", "htm", "json", "yml", "yaml", "xml", "arb",
        "strings", "properties", "csv", "tsv", "srt", "vtt", "xlf", "xliff", "svg", "ftl", "resx", "stringsdict",
    }
)  # fmt: skip
_CONFIDENCE = {
    Deceit.BIDI: Confidence.HIGH,
    Deceit.TAG: Confidence.HIGH,
    Deceit.INVISIBLE: Confidence.MEDIUM,
    Deceit.MARK: Confidence.LOW,
}
_LONGEST = 10
_HIDDEN_END = lazy(r"\r(?=[^\r\n])")


def check(source: Source, resolver: Resolver) -> Iterator[Hit]:  # noqa: ARG001  (the rule's fixed signature)
    """One hit for each run of neighbouring lines with the same kind of character, and one for the file's name."""
    if source.before is None or source.before.path != source.path:
        yield from _name_hits(source)
    yield from _line_end_hits(source)
    if source.text.isascii() or _is_image(source):
        return
    extension = source.path.rpartition(".")[2].lower()
    prose = extension in _PROSE_EXTENSIONS and source.language is None
    if has_suspects(source.text):
        for kind, start, end in _runs(_kinds(source.text, prose=prose)):
            yield make_hit(_WEAKNESS, _wording(kind), (start, end), _CONFIDENCE[kind], kind=HitKind.FINDING)
    for number in disguised_lines(source.text, source.language, extension):
        yield make_hit(_WEAKNESS, _DISGUISED, (number, number), Confidence.HIGH, kind=HitKind.FINDING)


def _is_image(source: Source) -> bool:
    """Whether a file that looks like text is a small image with a long description, whose format has such marks."""
    return source.path.lower().endswith(".png") and source.text.startswith("\ufffdPNG\r\n\x1a\n")


def hides_in_name(path: str) -> bool:
    """Whether a file's name holds characters that make it read as another."""
    hidden = worst_of_line(path, first=False, prose=False, rtl=has_right_to_left(path))
    return hidden is not None or is_disguised_path(path)


def _name_hits(source: Source) -> Iterator[Hit]:
    if hides_in_name(source.path) and source.text:
        line = min(source.changed, default=1)
        yield make_hit(_WEAKNESS, _NAME, (line, line), Confidence.HIGH, kind=HitKind.FINDING)


def _line_end_hits(source: Source) -> Iterator[Hit]:
    """Carriage returns in the middle of lines of code, where the language's own reader begins a new one."""
    if source.language is None or "\n" not in source.text.rstrip():
        return  # a file that has no other line ends is merely old
    last = 0
    for match in islice(_HIDDEN_END.finditer(source.text), _LONGEST):
        line = source.text.count("\n", 0, match.start()) + 1
        if line != last:
            yield make_hit(_WEAKNESS, _LINE_END, (line, line), Confidence.MEDIUM, kind=HitKind.FINDING)
        last = line


def _kinds(text: str, *, prose: bool) -> Iterator[tuple[int, Deceit | None]]:
    """What hides on each line. A translation is judged as a whole: not every message has a letter of its script."""
    translated = prose and has_right_to_left(text)
    for number, line in enumerate(split_lines(text), start=1):
        rtl = translated or has_right_to_left(line)
        yield number, worst_of_line(line, first=number == 1, prose=prose, rtl=rtl)


def _runs(kinds: Iterable[tuple[int, Deceit | None]]) -> Iterator[tuple[Deceit, int, int]]:
    """Runs of neighbouring lines of one kind, with their first and last line."""
    run: tuple[Deceit, int, int] | None = None
    for number, kind in kinds:
        if run is not None and (kind is not run[0] or number - run[1] >= _LONGEST):
            yield run
            run = None
        if kind is not None:
            run = (kind, run[1] if run else number, number)
    if run is not None:
        yield run


def _wording(kind: Deceit) -> Wording:
    name = kind.value if kind is Deceit.MARK else f"{kind.value} character"
    return Wording(
        title=f"Hidden {name}s",
        description=f"The text holds {name}s: it reads differently from what a program takes from it.",
        fix="Remove the characters; where text needs one, write it as an escape such as \\u200e.",
    )


_DISGUISED = Wording(
    title="Name with look-alike letters",
    description="A name holds letters of another script, or variants of Latin letters, that read as plain ones: it "
    "is not the name that it seems to be.",
    fix="Write the name with letters of one script.",
)
_LINE_END = Wording(
    title="Carriage return inside a line",
    description="What follows it shows as part of the line, or hides it, and is a line of its own to a program: a "
    "comment may hold code.",
    fix="Write a line feed, or \\r inside a text.",
)
_NAME = Wording(
    title="Deceptive characters in the file's name",
    description="The name of this file holds characters that do not show, reorder it, or only look like Latin letters: "
    "it reads as the name of another file.",
    fix="Rename the file, with visible letters of one script.",
)

RULE = Rule(id="hidden-unicode", category="hidden-unicode", languages=frozenset(), check=check)
