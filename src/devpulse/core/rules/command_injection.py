"""Command injection: texts that a shell runs, and programs, chosen by somebody else.

Kinds of sinks: ``shell`` runs a text in a shell. ``exec`` takes a text or an argument list. ``single`` runs a shell
only when it is given one argument, several are a list of arguments. ``argv`` starts a program without a shell, which
may itself be one (``sh -c``). ``split`` makes an argument list of a text by itself: no shell, but options and, at the
start, another program. ``wrapper`` is called like something that runs commands. ``argv-after-context`` is ``argv`` with
one argument before it, ``options`` (and ``options-after-context``) the same for what becomes an option of the program.
``pipe`` opens a file, or runs a text that begins with ``|``.
"""

from __future__ import annotations

import re

from devpulse.core.categories import Confidence
from devpulse.core.flow.values import HOLE, Level, Taint, Value
from devpulse.core.rules.flow_rule import Danger, Use, flow_rule
from devpulse.core.rules.hits import Reach, Weakness, Wording
from devpulse.core.rules.option_injection import OPTIONS, mentions_program, reach_of_option
from devpulse.core.rules.stored_fields import level_of
from devpulse.core.source import Source

WORDING = Wording(
    title="Shell command built from a value",
    description="The value becomes part of a command, so whoever chooses it can run commands of their own.",
    fix="Run the program without a shell and give the value as an argument of its own, or quote it for the shell.",
)
PIPE = Wording(
    title="File name that can be a command",
    description="Ruby's `open` runs what it is given as a shell command when that begins with `|`.",
    fix="Open files with `File.open` and addresses with `URI.open`.",
)
_OPENS = re.compile(r"(?<![\w.:@])(?:Kernel\.)?open(?:\(|[^\S\n])[^\S\n]*[@\w]")
_NODE = frozenset({"javascript", "typescript", "tsx"})
_LOADS = re.compile(r"(?m)^(?:import\b[^(\n]|(?:const|let|var)\b[^\n]{0,200}\brequire\()")
_RUNNERS = re.compile(
    r"child_process|shelljs|execa|spawn['\"]|exec\w*['\"]|promisify|['\"][\w./@-]*(?:shell|process|cmd|command|run)[\w-]*['\"]"
)
_SHELL = re.compile(r"(?i)^(?:.*[/\\])?(?:(?:ba|z|da|k|a|c|tc|fi)?sh|cmd|powershell|pwsh)(?:\.exe)?$")
_SCRIPT_FLAG = re.compile(r"(?i)^(?:-\w*c|/c|/k|-command|-encodedcommand)$")
_COMMAND = re.compile(r"^[^\S\n]*[\w.+~@/\\-]+[^\S\n]+(?![=(])[^\n]*\ufffc|^\ufffc[^\S\n]+[-\w./\ufffc]")
_WORDS = re.compile(r"^\ufffc +\ufffc")
"""A program and its words, put together with nothing but a space."""

_PROSE = re.compile(r"^[^\S\n]*(?:[A-Z][a-z]+|[\w-]+:)\s|\w[.!?]\s*$|(?i:^\s*(?:select|insert|update|delete)\b)")


def _judge(taint: Taint, use: Use) -> Reach | None:  # noqa: PLR0911  (one return for each case)
    kind, value = use.sink.kind, use.value
    if kind.startswith("options"):
        return reach_of_option(taint, use, _items(use))
    if kind == "pipe":
        return _of_pipe(taint, value)
    if use.source.language in _NODE and "." not in use.sink.pattern and _is_another(use):
        return None
    if kind.startswith("argv") or value.collection:
        return _of_list(taint, use)
    if kind == "single" and len([argument for argument in use.call.arguments if argument.keyword is None]) > 1:
        return None
    if kind == "wrapper":
        return _of_wrapper(taint, value)
    return _of_text(taint, value, level_of(taint, use.source), certain=use.sink.certain and kind != "split")


def _of_text(taint: Taint, value: Value, level: Level, *, certain: bool) -> Reach | None:
    """A text that is run: somebody else's as a whole, or with somebody else's part."""
    built = is_built(value) or _WORDS.search(value.skeleton or "") is not None
    if level in (Level.REQUEST, Level.ARCHIVE):
        return Reach(taint, Confidence.HIGH if certain else Confidence.MEDIUM)
    if level is Level.LOCAL_INPUT and certain:
        return Reach(taint, Confidence.MEDIUM)
    if not built:
        return None
    if level is Level.UNKNOWN:
        return Reach(taint, Confidence.LOW)
    return Reach(taint, Confidence.MEDIUM if certain else Confidence.LOW)


def _of_pipe(taint: Taint, value: Value) -> Reach | None:
    """What begins with somebody else's value can begin with ``|``."""
    if value.collection or value.joined or value.resolved or not (value.skeleton or HOLE).startswith(HOLE):
        return None
    level = taint.origin.level
    if level in (Level.REQUEST, Level.ARCHIVE):
        return Reach(taint, Confidence.HIGH)
    return Reach(taint, Confidence.LOW if level is Level.UNKNOWN else Confidence.MEDIUM)


def _is_another(use: Use) -> bool:
    """Whether a bare ``exec`` is none of Node's: the file says what it loads, and nothing of that runs programs."""
    text = use.source.text
    bare = use.sink.pattern == use.call.callee
    return bare and _LOADS.search(text) is not None and _RUNNERS.search(text) is None


def _of_wrapper(taint: Taint, value: Value) -> Reach | None:
    """What is called like a runner of commands runs one if the text looks like a command line."""
    skeleton = value.skeleton or ""
    if not is_built(value) or not _COMMAND.search(skeleton) or _PROSE.search(skeleton):
        return None
    if taint.origin.level is Level.UNKNOWN:
        return Reach(taint, Confidence.MEDIUM if taint.origin.member else Confidence.LOW)
    return Reach(taint, Confidence.MEDIUM, firm=not skeleton.startswith(HOLE))


def _of_list(taint: Taint, use: Use) -> Reach | None:
    """An argument list is safe, but for a shell's script and for the program itself."""
    items = _items(use)
    index = next(
        (place for place, item in enumerate(items) if any(known.origin is taint.origin for known in item.taints)), None
    )
    if index is None:
        return None
    level = taint.origin.level
    if _is_script(items, index) or (index == 0 and use.sink.kind == "shell"):
        return _of_text(taint, items[index], level_of(taint, use.source), certain=True)
    if use.sink.kind == "shell" and level >= Level.PARAMETER and _joins_words(use, items):
        return Reach(taint, Confidence.HIGH if level is Level.REQUEST else Confidence.MEDIUM)
    program_chosen = index == 0 and items[0].skeleton == HOLE and level is Level.REQUEST
    return Reach(taint, Confidence.HIGH) if program_chosen else None


def _joins_words(use: Use, items: list[Value]) -> bool:
    """Whether the words of a known program become one text for the shell, as Node does it."""
    return use.source.language in _NODE and use.value.collection and bool((items[0].skeleton or HOLE).strip(HOLE))


def _items(use: Use) -> list[Value]:
    """The words of the command: lists among the arguments stand for their items."""
    given = [argument.value for argument in use.call.arguments if argument.keyword is None]
    whole = given if any(value is use.value for value in given) else [use.value]
    if use.sink.kind.endswith("after-context") and whole is given:
        whole = given[1:]
    return [item for value in whole for item in (_listed(value) if value.collection else [value])]


def _listed(value: Value) -> list[Value]:
    return [item for key, item in value.fields if key.isdigit()]


def _is_script(items: list[Value], index: int) -> bool:
    """Whether an item is what a shell is told to run."""
    words = [item.skeleton or "" for item in items[:index]]
    if any(map(_SHELL.match, words)) and any(map(_SCRIPT_FLAG.match, words)):
        return True
    text = items[index].skeleton or ""
    return bool(words) and _SHELL.match(words[0]) is not None and text.startswith(("-c ", "/c ", "/C "))


def is_built(value: Value) -> bool:
    """Whether a text has constant parts around its values."""
    return value.skeleton is not None and value.skeleton.strip(HOLE + " \n") != ""


def _plausible(kind: str, source: Source) -> bool:
    """Whether a file names a program whose options do harm, or opens what is no literal by the bare name."""
    if kind.startswith("options"):
        return mentions_program(source)
    if kind == "pipe":
        return _OPENS.search(source.text) is not None and "def open" not in source.text
    return True


RULE = flow_rule(
    Danger(
        Weakness("command-injection"),
        WORDING,
        _judge,
        (
            ("options", Weakness("command-injection", 88), OPTIONS),
            ("options-after-context", Weakness("command-injection", 88), OPTIONS),
            ("pipe", Weakness("command-injection"), PIPE),
        ),
        plausible=_plausible,
    )
)
