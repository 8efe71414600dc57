"""Whether a removed call of a cleaner left its value bare, or whether something else makes the value safe now."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from devpulse.core.categories import Confidence
from devpulse.core.lazy_pattern import lazy
from devpulse.core.rules.changed_runs import Run
from devpulse.core.rules.cleaner_calls import CleanerCall, calls_in, last_part, looks_cleaning, plain_name
from devpulse.core.source import Source
from devpulse.core.text import split_lines

MAX_ADDED = 40
"""Added lines of a place that are compared with each removed one."""

MIN_SAME = 4
_STRING = lazy(r"(?:\b[ubrfUBRF]{1,2})?(?:\"[^\"]*\"|'[^']*')")
_HOLE = lazy(r"[$#]\{|[$]\w|\{\w")
_WORD = lazy(r"\b[A-Za-z_]\w*+(?!\s{0,9}\()")
_ANY_WORD = lazy(r"\w+")
_CONSTANT = lazy(
    r"^(?!_(?:GET|POST|REQUEST|COOKIE|SERVER|FILES)$)(?:[A-Z0-9_]+|(?i:true|false|null|none|nil|undefined))$"
)
_CLASS_CONSTANT = lazy(r"\b[A-Z]\w*(?:::|\.)[A-Z][A-Z0-9_]+\b(?!\s*\()")
_MARKUP = lazy(r"</?[a-z]|href=|value=")
_TARGET = lazy(r"^\s*(?:(?:const|let|var|final|auto|String)\s+)?([$@\w.>\[\]'\"-]{1,80}?)\s*:?=(?![=>~])")
MOVED = 10
"""Lines around a removed call among which an added one of its name is the same call, moved."""
_WRAPPERS = frozenset({"str", "String", "unicode", "text", "get", "toString", "format", "strval", "to_s", "trim"})
TRANSLATES = lazy(r"(?:^|\W)(?:__|_e|_x|_n|_|gettext|u?gettext_lazy|trans|lang|get_string|i18n)\(")
_GIVEN = lazy(
    r"\b(?:request|req|params|_GET|_POST|_REQUEST|_COOKIE|_SERVER|self|this|args|form|query|body|input)\b|@\w|\.\w|->\w|\["
)
_ASKED = lazy(
    r"\$_(?:GET|POST|REQUEST|COOKIE|FILES)\b|\b(?:request|req|params|getParam(?:eter)?|get_input|cookies)\b"
    r"|->(?:input|query|request)\b|\binput->(?:get|post)\b"
)
"""What a request gave, as it is read in the common frameworks."""

_ESCAPE = lazy(r"(?i)^_*escape(?:_?(?:string|text|input|value|data))?$")
_PATHS = lazy(r"(?i)join|open|/['\"]|path|move|save|upload|file\(|dir")
_BOUND = lazy(r"(?i)prepare|bind|\?['\"]\s*,|%s['\"]\s*,|:\w+['\"]\s*,")
_TEMPLATE_HOLE = lazy(r"(?<![$#])\{\s*$|\{\{-?\s*$")
_ERB_HOLE = lazy(r"<%=\s*$")
_ESCAPING = lazy(r"(?i)\.(?:jsx|tsx|js|ts|vue|svelte|html?|jinja2?|j2|njk|twig|hbs|mustache|blade\.php|tmpl|gohtml)$")
_RAW_HOLE = lazy(r"__html\s*:\s*$|\{!!\s*$|\{\{\{\s*$")


@dataclass(frozen=True, slots=True)
class Removal:
    """A call that is gone from the base's lines ``first`` to ``last``."""

    category: str
    first: int
    last: int
    confidence: Confidence


@dataclass(frozen=True, slots=True)
class Cleaned:
    """What calls that look like cleaners deal with in a head text: whole arguments of those in added lines, and the
    names in these, each with its lines. ``added``: the names of those calls, with their lines; ``set``: what a line
    that stood there before gives a cleaned value to, with these lines."""

    arguments: frozenset[str]
    added: dict[str, list[int]]
    names: dict[str, list[int]]
    set: dict[str, list[int]]


def cleaned_in(source: Source) -> Cleaned:
    """The values that a text makes safe."""
    arguments: set[str] = set()
    added: dict[str, list[int]] = {}
    names: dict[str, list[int]] = {}
    given: dict[str, list[int]] = {}
    for number, line in enumerate(split_lines(source.text), 1):
        if len(line) > 1_000 or "(" not in line:
            continue
        for written, _, opened, comma, end in calls_in(line):
            if not looks_cleaning(plain_name(written, source.language)):
                continue
            if number not in source.changed:
                target = _TARGET.match(line)
                given.setdefault(_bare(target[1]) if target else _bare(line[opened:comma]), []).append(number)
                continue
            arguments.add(_bare(line[opened:comma]))
            added.setdefault(_last(written, source), []).append(number)
            for name in _ANY_WORD.findall(line[opened : end - 1]):
                names.setdefault(name, []).append(number)
    return Cleaned(frozenset(arguments), added, names, given)


def removals(run: Run, text: str, calls: Sequence[CleanerCall], cleaned: Cleaned, source: Source) -> Iterator[Removal]:
    """The calls whose value stands bare in the head, one for each line of the base; ``text`` is where they stand."""
    added = frozenset(_windows([line for _, line in run.added[:MAX_ADDED]]))
    plain = [line for _, line in run.added[:MAX_ADDED]]
    told: set[int] = set()
    for call in calls:
        start, end = text.rfind("\n", 0, call.start) + 1, text.find("\n", call.end)
        end = len(text) if end < 0 else end
        own = [other for other in calls if start <= other.start and other.end <= end]
        first = run.removed[0][0] + text.count("\n", 0, start)
        if first in told or _still_safe(call, own, text, run, cleaned, source):
            continue
        exact = bool(added.intersection(_without(text, start, end, call, own)))
        if exact and call.rest and last_part(call.name) == "prepare":
            continue
        if exact or any(_is_loose(text[start:end], call, start, line, source) for line in plain):
            told.add(first)
            last = first + text.count("\n", start, end)
            yield Removal(
                call.category,
                first,
                last,
                _confidence(call, text[start : call.start] + text[call.end : end], exact=exact),
            )


def _still_safe(
    call: CleanerCall, own: list[CleanerCall], text: str, run: Run, cleaned: Cleaned, source: Source
) -> bool:
    value = call.first if last_part(call.name) != "prepare" else call.rest
    names = values_of(value)
    if not names or TRANSLATES.search(value):
        return True
    if any(other.start < call.start and call.end < other.end for other in own) or _begins_clean(call.first, source):
        return True
    if _is_escaped_anyway(text[max(0, call.start - 40) : call.start], source.path) or _is_other_way(call, text, run):
        return True
    here = run.added[0][0]
    near = any(abs(line - here) <= MAX_ADDED for line in cleaned.names.get(_key(value), ()))
    near = near or any(here - MAX_ADDED <= line < here for line in cleaned.set.get(_bare(call.first), ()))
    last = last_part(call.name)
    again = sum(here - MOVED <= line <= run.added[-1][0] + MOVED for line in cleaned.added.get(last, ()))
    return near or _bare(call.first) in cleaned.arguments or again >= max(1, text.count(f"{last}("))


def _is_other_way(call: CleanerCall, text: str, run: Run) -> bool:
    """Whether the value is bound to the statement now, or goes to no shell any more."""
    added = "\n".join(line for _, line in run.added)
    if call.category == "sql-injection" and _BOUND.search(added) and "prepare" not in call.name:
        return True
    return call.category == "command-injection" and "shell=True" in text and "shell=True" not in added


def _is_escaped_anyway(before: str, path: str) -> bool:
    """Whether what follows a text is output that a template escapes by itself."""
    if _TEMPLATE_HOLE.search(before):
        return not _RAW_HOLE.search(before) and _ESCAPING.search(path) is not None
    return _ERB_HOLE.search(before) is not None and path.endswith((".erb", ".ejs"))


def _begins_clean(argument: str, source: Source) -> bool:
    found = next(calls_in(argument), None)
    return found is not None and found[1] == 0 and looks_cleaning(plain_name(found[0], source.language))


def _without(text: str, start: int, end: int, call: CleanerCall, own: list[CleanerCall]) -> Iterator[str]:
    """The lines of a call without it, and without any of the cleaners in them."""
    yield _bare(text[start : call.start] + call.first + text[call.end : end])
    shorter = text[start:end]
    for other in sorted(own, key=lambda each: -each.start):
        shorter = shorter[: other.start - start] + other.first + shorter[other.end - start :]
    yield _bare(shorter)


def _is_loose(removed: str, call: CleanerCall, start: int, line: str, source: Source) -> bool:
    prefix = _bare(removed[: call.start - start])
    if len(prefix) < MIN_SAME or not _bare(line).startswith(prefix):
        return False
    written = {_last(each[0], source) for each in calls_in(line)}
    known = {_last(each[0], source) for each in calls_in(removed)}
    if any(map(looks_cleaning, written)) or written - known - _WRAPPERS:
        return False
    value = call.rest if last_part(call.name) == "prepare" else call.first
    rest = _bare(line)[len(prefix) :]
    words = [word for word in _ANY_WORD.findall(value) if word not in _WRAPPERS]
    present = frozenset(_ANY_WORD.findall(rest))
    kept = sum(word in present for word in words)
    return 3 * kept >= 2 * len(words) > 0 and any(name in present for name in values_of(value))


def _confidence(call: CleanerCall, around: str, *, exact: bool) -> Confidence:
    clear = {"path-traversal": _PATHS, "cross-site-scripting": _MARKUP}.get(call.category)
    if call.weak and not (exact and (_is_plain_escape(call) or _ASKED.search(call.first))):
        told = exact and clear is not None and clear.search(around)
        return Confidence.MEDIUM if told else Confidence.LOW
    return Confidence.MEDIUM if exact or _GIVEN.search(call.first) else Confidence.LOW


def _is_plain_escape(call: CleanerCall) -> bool:
    return call.category == "cross-site-scripting" and _ESCAPE.search(last_part(call.name)) is not None


def _last(written: str, source: Source) -> str:
    return last_part(plain_name(written, source.language))


def values_of(expression: str) -> list[str]:
    """The names of an expression that are no constants, strings or calls."""
    bare = _STRING.sub(lambda found: found.group() if _HOLE.search(found.group()) else '""', expression)
    bare = _CLASS_CONSTANT.sub('""', bare)
    return [name for name in _WORD.findall(bare) if not _CONSTANT.search(name)]


def _key(value: str) -> str:
    """What a value is known by: the last word of it."""
    words = [word for word in _ANY_WORD.findall(value) if word not in _WRAPPERS and not word.isdigit()]
    return words[-1] if words else ""


def _windows(lines: list[str]) -> Iterator[str]:
    """Each line, and each two and three that follow each other, without white space."""
    for size in (1, 2, 3):
        for first in range(len(lines) - size + 1):
            yield _bare("".join(lines[first : first + size]))


def _bare(text: str) -> str:
    return "".join(text.split())
