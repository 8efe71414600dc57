"""Statements among removed lines that checked or cleaned a value, read without a parser: a change has only pieces."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from devpulse.core.lazy_pattern import lazy
from devpulse.core.rules.changed_runs import Run
from devpulse.core.rules.cleaner_calls import cleaner_calls
from devpulse.core.source import Source

MAX_CONDITION = 8
"""Lines of a condition, and lines to the exit that it leads to."""

MAX_LINE = 400
MAX_WORDS = 30
_SET = lazy(r"^\s*(?:(?:const|let|var|final|auto|String)\s+)?([$@\w][\w.$>\[\]'\"-]{0,80}?)\s*:?=(?![=>~])\s*(\S.*)$")
_CAST = lazy(r"\(\s*int(?:eger)?\s*\)|\b(?:intval|absint|parseInt|Number|int|Integer\.parseInt|floatval)\s*\(")
_REPLACED = lazy(r"(?:\bpreg_replace|\bstr_replace|\bre\.sub|\.replace(?:All)?|\.gsub|\bReplaceAll)\b!?\s*\(")
_OF_PATHS = lazy(r"\.\.|\\\.|[\"']/|\\/")
_OF_PAGES = lazy(r"<|javascript|&lt;|on\\w")
_OF_LITERALS = lazy(r"''|\\'|[\"']'|'\"")
_CALL = lazy(r"^\s*(?:await\s+|\$?this(?:->|\.)|self\.|@)?([A-Za-z_][\w:\\>.$-]{0,80})\s*\((.{1,300})\)\s*;?\s*$")
_VALIDATES = lazy(r"(?i)(?:^|_)(?:check|valid|verif|ensure|sanit|clean|guard)|(?:Check|Valid|Verif|Ensure|Sanit|Clean)")
_OTHERS = lazy(
    r"(?i)token|nonce|csrf|auth|login|perm|capab|admin|role|session|license|update|version|cache|mock|tests?$|dirty|clean_?up"
)
"""Checks that other rules know, or that are of something else."""

_IF = lazy(r"^\s*(?:\}\s*)?(?:else\s*|el)?if\b(?!\s+__name__)")
_EXITS = lazy(
    r"\b(?:throw|return|exit|die|raise|abort|continue|reject|halt|panic|wp_die|sys\.exit|fail|error)\b"
    r"|=\s*(?:0|null|None|nil|false|''|\"\")\s*;?\s*$"
)
_PATH_CHECK = lazy(
    r"\.\.|realpath|(?i:canonical)|\bis_?[aA]bs|\bisAbsolute|abspath|commonpath|relative_to|IsLocal\(|(?i:traversal)"
    r"|(?:[sS]tarts_?[wW]ith|HasPrefix|strpos|indexOf|contains|includes)\s*\(.{0,80}(?i:path|dir|folder|file|root|base)"
    r"|(?i:path|dir|folder|file|root|base|entry)\w*(?:\(\))?\.(?:[sS]tarts_?[wW]ith|contains|includes|indexOf)\s*\("
)
_HOST_CHECK = lazy(
    r"(?i)localhost|127\.0\.0|loopback|link_?local|is_?private|private_?(?:ip|addr|net|range)|is_?internal|allowed_?hosts?"
    r"|FILTER_VALIDATE_IP|blocked_?(?:hosts?|ips?)|is_?allowed_?(?:url|host)|169\.254"
)
_ADDRESS_CHECK = lazy(
    r"(?i)is_?safe_?(?:url|redirect)|url_has_allowed|is_?(?:local|relative)_?url|same_?origin|netloc|[\"']//[\"']"
)
_VALUE_CHECK = lazy(
    r"preg_match|\bre\.(?:full)?match|\.(?:full)?match(?:es|\?)?\s*\(|\.test\s*\(|in_array|\bis_numeric|ctype_|is_int\b"
    r"|isinstance\(.{0,60}\b(?:int|str|float)\b|isdigit|isalnum|\.includes\s*\(|\bMatchString\(|=~"
    r"|(?i:is_?valid|validate|white_?list|allowed?_?\w*list|allow_?list)"
)
ACCESS = "broken-access-control"
_ASKS = lazy(
    r"(?i)(?:\b|_|->|\.)(?:allow|permit|can_?(?:edit|view|access|delete|manage|read|write)"
    r"|has_?(?:access|permission|role|right)|is_?(?:admin|owner|staff|allowed|authori[sz]ed|permitted|superuser)"
    r"|current_user_can|authori[sz]e|check_?access)\w*"
)
_KEYWORD = lazy(r"^\}?(?:else)?(?:el)?if")
_JOINED = lazy(r"\s*(?:&&|\band\b)\s*", 2)
_WORD = lazy(r"[A-Za-z_]\w*(?!\w*\s*\()")
_QUOTED = lazy(r"[\"']([A-Za-z_][\w-]{1,60})[\"']")
_COMMON = frozenset({
    "if", "else", "elif", "not", "and", "or", "in", "is", "null", "none", "true", "false", "nil", "undefined",
    "return", "isset", "empty", "this", "self", "php", "len", "typeof", "new", "instanceof", "continue", "throw",
    "raise", "exit", "die", "array", "string", "str", "int", "let", "const", "var", "void", "get", "set", "i", "j",
    "k", "_GET", "_POST", "_REQUEST", "_SERVER", "_COOKIE",
})  # fmt: skip
_COMMENT = ("#", "//", "*", "/*", "<!--", "--")


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


def dropped_in(removed: Sequence[tuple[int, str]], before: Source) -> Iterator[Dropped]:
    """The statements among consecutive removed lines that made a value safe or refused it."""
    for index, (number, line) in enumerate(removed):
        if len(line) > MAX_LINE or line.lstrip().startswith(_COMMENT):
            continue
        if _IF.match(line):
            found = _guard(removed[index : index + MAX_CONDITION])
        else:
            found = _cleaning(number, line, before) or _call(number, line)
        if found is not None and found.words:
            yield found


def weakened_in(run: Run) -> Iterator[Dropped]:
    """Conditions that stand there again without the part that asked what somebody may do."""
    added = frozenset(_condition(line) for _, line in run.added)
    for number, line in run.removed:
        if len(line) > MAX_LINE or not _ASKS.search(line) or not _JOINED.search(line):
            continue
        parts = _JOINED.split(line)
        for index, part in enumerate(parts):
            rest = parts[:index] + parts[index + 1 :]
            if index == len(parts) - 1 and not part.rstrip().endswith(("{", ":", ")", ";")):
                continue
            if _ASKS.search(part) and _condition("&&".join(rest)) in added:
                yield Dropped(number, number, ACCESS, frozenset({"if"}), line)
                break


def _condition(line: str) -> str:
    """A condition without white space, its keyword and brackets, which a part may take with it."""
    bare = _bare(_JOINED.sub("&&", line)).replace("(", "").replace(")", "").rstrip("{:")
    return _KEYWORD.sub("", bare)


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
    if match is None or not _VALIDATES.search(match[1]) or _OTHERS.search(match[1]):
        return None
    words = frozenset(_QUOTED.findall(match[2])) or frozenset(_WORD.findall(match[2]))
    return Dropped(number, number, "", words - _COMMON, line)


def _guard(lines: Sequence[tuple[int, str]]) -> Dropped | None:
    """A condition with an exit behind it."""
    leaves = next((index for index, (_, line) in enumerate(lines) if _EXITS.search(line)), None)
    if leaves is None:
        return None
    text = "\n".join(line for _, line in lines[: leaves + 1])
    condition = text[: match.start()] if (match := _EXITS.search(text)) else text
    category = _checked(condition)
    if category is None:
        return None
    found = dict.fromkeys((*_WORD.findall(condition), *_QUOTED.findall(condition)))
    words = frozenset(word for word in list(found)[:MAX_WORDS] if word not in _COMMON)
    return Dropped(lines[0][0], lines[leaves][0], category, words, text)


def _checked(condition: str) -> str | None:
    """What a condition keeps from happening; empty where only the use tells, ``None`` where it is no such check."""
    if _OTHERS.search(condition):
        return None
    kinds = (
        (_HOST_CHECK, "ssrf"),
        (_PATH_CHECK, "path-traversal"),
        (_ADDRESS_CHECK, "open-redirect"),
        (_VALUE_CHECK, ""),
    )
    return next((category for pattern, category in kinds if pattern.search(condition)), None)


def _bare(text: str) -> str:
    return "".join(text.split())
