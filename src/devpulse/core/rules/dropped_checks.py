"""Statements among removed lines that checked or cleaned a value, read without a parser: a change has only pieces."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from devpulse.core.lazy_pattern import lazy
from devpulse.core.rules.changed_runs import Run
from devpulse.core.rules.check_kinds import is_other_check, kind_of
from devpulse.core.rules.cleaner_calls import cleaner_calls
from devpulse.core.rules.escape_comparison import values_of
from devpulse.core.source import Source

MAX_CONDITION = 8
"""Lines of a condition, and lines to the exit that it leads to."""

MAX_LINE = 400
MAX_WORDS = 30
MAX_STEPS = 3
"""Removed lines that a value is followed through to what is left of it."""

_MADE = lazy(
    r"^\s*(?:(?:const|let|var|val|final|auto|[A-Z][\w.<>]{0,40}|(?:\w{1,20}\.){1,6}[A-Z]\w{0,40})\s+)?\$?(\w{1,60})\s*:?=(?![=>~])\s*(\S.*)$"
)
_PACKAGES = lazy(
    r"\b(?:os|path|filepath|strings|java|org|util|utils|helpers?|http)(?:\.[a-z]\w{0,30}){0,6}(?=\.[A-Za-z])"
)
_BLOCK = lazy(r"\{[ \t]*$|:[ \t]*$", 8)
_OF_FILES = lazy(r"(?i)path|file_?name|traversal|directory")
_SET = lazy(r"^\s*(?:(?:const|let|var|final|auto|String)\s+)?([$@\w][\w.$>\[\]'\"-]{0,80}?)\s*:?=(?![=>~])\s*(\S.*)$")
_CAST = lazy(r"\(\s*int(?:eger)?\s*\)|\b(?:intval|absint|parseInt|Number|int|Integer\.parseInt|floatval)\s*\(")
_REPLACED = lazy(r"(?:\bpreg_replace|\bstr_replace|\bre\.sub|\.replace(?:All)?|\.gsub|\bReplaceAll)\b!?\s*\(")
_OF_PATHS = lazy(r"\.\.|\\\.|[\"']/|\\/")
_OF_PAGES = lazy(r"<|javascript|&lt;|on\\w")
_OF_LITERALS = lazy(r"''|\\'|[\"']'|'\"")
_CALL = lazy(r"^\s*(?:await\s+|\$?this(?:->|\.)|self\.|@)?([A-Za-z_][\w:\\>.$-]{0,80})\s*\((.{1,300})\)\s*;?\s*$")
_VALIDATES = lazy(r"(?i)(?:^|_)(?:check|valid|verif|ensure|sanit|clean|guard)|(?:Check|Valid|Verif|Ensure|Sanit|Clean)")
_IF = lazy(r"^\s*(?:\}\s*)?(?:else\s*|el)?if\b(?!\s+__name__)")
_EXITS = lazy(
    r"\b(?:throw|return|exit|die|raise|abort|continue|reject|halt|panic|wp_die|sys\.exit|fail|error)\b"
    r"|=\s{0,9}(?:0|null|None|nil|false|''|\"\")\s{0,9};?\s{0,9}$"
)
_WORD = lazy(r"\b[A-Za-z_]\w*+(?!\s{0,9}\()")
_QUOTED = lazy(r"[\"']([A-Za-z_][\w-]{1,60})[\"']")
_COMMON = frozenset({
    "if", "else", "elif", "not", "and", "or", "in", "is", "null", "none", "true", "false", "nil", "undefined",
    "return", "isset", "empty", "this", "self", "php", "len", "typeof", "new", "instanceof", "continue", "throw",
    "raise", "exit", "die", "array", "string", "str", "int", "let", "const", "var", "void", "get", "set", "i", "j",
    "k", "err", "error", "ok", "ctx", "_GET", "_POST", "_REQUEST", "_SERVER", "_COOKIE",
})  # fmt: skip
COMMENT = ("#", "//", "*", "/*", "<!--", "--")


@dataclass(frozen=True, slots=True)
class Dropped:
    """A removed statement from the base's lines ``first`` to ``last``. ``category`` is empty where only the use tells
    what it was for; ``words`` are the names and keys of what it looked at; ``text`` is the statement.
    """

    first: int
    last: int
    category: str
    words: frozenset[str]
    text: str


def dropped_in(run: Run, before: Source) -> Iterator[Dropped]:
    """The statements among the removed lines that made a value safe or refused it."""
    removed, made = run.removed, _made_of(run)
    kept = frozenset(_bare(line) for _, line in run.added)
    for index, (number, line) in enumerate(removed):
        if len(line) > MAX_LINE or line.lstrip().startswith(COMMENT):
            continue
        if _IF.match(line):
            part = [each for each in removed[index : index + MAX_CONDITION] if len(each[1]) <= MAX_LINE]
            found = _guard(part) or _unwrapped(part, kept)
        else:
            found = _cleaning(number, line, before) or _call(number, line)
        if found is not None and found.words:
            yield replace(found, words=_traced(found.words, made))


def _made_of(run: Run) -> dict[str, frozenset[str]]:
    """What each name that the removed lines give a value to is made of."""
    made: dict[str, frozenset[str]] = {}
    for _, line in run.removed:
        match = _MADE.match(line) if len(line) <= MAX_LINE else None
        if match is not None:
            values = frozenset(values_of(_PACKAGES.sub("", match[2]))) - _COMMON
            if match[1] not in values:
                made.setdefault(match[1], values)
    return made


def _traced(words: frozenset[str], made: dict[str, frozenset[str]]) -> frozenset[str]:
    """The words, and those that the values of removed names came from."""
    found, last = words, words
    for _ in range(MAX_STEPS):
        last = frozenset(word for name in last for word in made.get(name, ())) - found
        found |= frozenset(sorted(last)[:MAX_WORDS])
    return found


def _cleaning(number: int, line: str, before: Source) -> Dropped | None:
    """``name = clean(name)``, and the same with a cast or a replacement."""
    match = _SET.match(line)
    if match is None:
        return None
    target, value = _bare(match[1]), match[2]
    words = frozenset(_WORD.findall(target)[-1:]) - _COMMON
    if target not in _bare(value) or words.isdisjoint(_WORD.findall(value)):
        return None
    call = next((call for call in cleaner_calls(value, before) if target in _bare(call.first)), None)
    if call is not None:
        return Dropped(number, number, call.category, words, line)
    if _CAST.search(value):
        return Dropped(number, number, "", words, line)
    if not _REPLACED.search(value):
        return None
    kinds = ((_OF_PATHS, "path-traversal"), (_OF_PAGES, "cross-site-scripting"), (_OF_LITERALS, "sql-injection"))
    category = next((name for pattern, name in kinds if pattern.search(value)), "")
    return Dropped(number, number, category, words, line) if category or "^" in value else None


def _call(number: int, line: str) -> Dropped | None:
    """A check that is a statement of its own and ends the program or raises an error where it fails."""
    match = _CALL.match(line)
    if match is None or not _VALIDATES.search(match[1]) or is_other_check(match[1]):
        return None
    words = frozenset(_QUOTED.findall(match[2])) or frozenset(_WORD.findall(match[2]))
    category = "path-traversal" if _OF_FILES.search(match[1]) else ""
    return Dropped(number, number, category, words - _COMMON, line)


def _guard(lines: Sequence[tuple[int, str]]) -> Dropped | None:
    """A condition with an exit behind it."""
    leaves = next((index for index, (_, line) in enumerate(lines) if _EXITS.search(line)), None)
    if leaves is None:
        return None
    text = "\n".join(line for _, line in lines[: leaves + 1])
    condition = text[: match.start()] if (match := _EXITS.search(text)) else text
    condition = condition[: match.start()] if (match := _BLOCK.search(condition)) else condition
    category = kind_of(condition)
    if category is None:
        return None
    return Dropped(lines[0][0], lines[leaves][0], category, words_of(condition), text)


def _unwrapped(lines: Sequence[tuple[int, str]], kept: frozenset[str]) -> Dropped | None:
    """A condition whose block stands there without it."""
    block = next((index for index, (_, line) in enumerate(lines) if _BLOCK.search(line)), None)
    if block is None or not any(
        _bare(line) in kept for _, line in lines[block + 1 : block + 3] if len(_bare(line)) > 1
    ):
        return None
    condition = "\n".join(line for _, line in lines[: block + 1])
    category = kind_of(condition)
    return Dropped(lines[0][0], lines[block][0], category, words_of(condition), condition) if category else None


def words_of(condition: str) -> frozenset[str]:
    """The names and keys of what a condition looks at."""
    found = dict.fromkeys((*_WORD.findall(_PACKAGES.sub("", condition)), *_QUOTED.findall(condition)))
    return frozenset(word for word in list(found)[:MAX_WORDS] if word not in _COMMON)


def _bare(text: str) -> str:
    return "".join(text.split())
