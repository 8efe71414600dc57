"""Command injection: texts that a shell runs, and programs, chosen by somebody else.

Kinds of sinks: ``shell`` runs a text in a shell. ``exec`` takes a text or an argument list. ``single`` runs a shell
only when it is given one argument, several are a list of arguments. ``argv`` starts a program without a shell, which
may itself be one (``sh -c``). ``split`` makes an argument list of a text by itself: no shell, but options and, at the
start, another program. ``wrapper`` is called like something that runs commands. ``argv-after-context`` is ``argv`` with
one argument before it, ``options`` (and ``options-after-context``) the same for what becomes an option of the program.
``pipe`` opens a file, or runs a text that begins with ``|``. ``script`` is called like something that starts programs,
and runs a text where it starts a shell with it.
"""

from __future__ import annotations

import re

from devpulse.core.categories import Confidence
from devpulse.core.flow.purposes import Purpose
from devpulse.core.flow.values import HOLE, Level, Taint, Value
from devpulse.core.rules.command_words import is_built, is_script, items_of
from devpulse.core.rules.command_wrappers import is_kept_command, reach_of_wrapper
from devpulse.core.rules.flow_rule import Danger, Use, flow_rule
from devpulse.core.rules.handed_on import field_of, is_set_here, set_to
from devpulse.core.rules.hits import Reach
from devpulse.core.rules.javascript import LANGUAGES
from devpulse.core.rules.option_injection import OPTIONS, mentions_program, reach_of_option
from devpulse.core.rules.pipe_open import PIPE, opens_value, reach_of_pipe
from devpulse.core.rules.stored_fields import level_of
from devpulse.core.rules.wording import Weakness, Wording
from devpulse.core.source import Source
from devpulse.core.text import first_in

WORDING = Wording(
    title="Shell command built from a value",
    description="The value becomes part of a command, so whoever chooses it can run commands of their own.",
    fix="Run the program without a shell and give the value as an argument of its own, or quote it for the shell.",
)
_LOADS = re.compile(r"(?m)^(?:import\b[^(\n]|(?:const|let|var)\b[^\n]{0,200}\brequire\()")
_RUNNERS = re.compile(
    r"child_process|shelljs|execa|spawn['\"]|exec\w*['\"]|promisify|['\"][\w./@-]*(?:shell|process|cmd|command|run)[\w-]*['\"]"
)
_WORDS = re.compile(r"^\ufffc +\ufffc")
"""A program and its words, put together with nothing but a space."""

_IN_SHELL = re.compile(r"^\s*(?:sudo\s+)?(?:/\w+/)*(?:ba|z|da|k)?sh\s+-\w*c\s")
_SHELL = re.compile(r"['\"`](?:/\w+/)*(?:(?:ba|z|da|k)?sh|cmd(?:\.exe)?|powershell|pwsh)['\"`]")
_SCRIPT = re.compile(r"(?i)['\"`](?:-\w?c|/c|-command)['\"`]")
_OWN_SETTING = re.compile(
    r"(?i)config|setting|option|constant|environ|(?:^|[._])(?:conf|cfg|const|env|sys|os|platform|settings?|opts?|flags)\.|"
    r"(?:^|[._])(?:\w*(?:executable|interpreter|binary|bin|exe|tool|root|home|prefix|cwd|dir|directory|folder|basedir|"
    r"version|size|count|num\w*|port|timeout|index|id|pid|uid|gid|level|mode|width|height|fps|rate)|python|shell|"
    r"editor|browser|compiler|cc|cxx|tmp\w*|temp\w*|stem|parent|suffix|__\w+__)$"
)


def _judge(taint: Taint, use: Use) -> Reach | None:  # noqa: PLR0911  (one return for each case)
    kind, value = use.sink.kind, use.value
    if kind.startswith("options"):
        return reach_of_option(taint, use, items_of(use))
    if kind == "pipe":
        return reach_of_pipe(taint, value)
    if use.source.language in LANGUAGES and kind != "script" and "." not in use.sink.pattern and _is_another(use):
        return None
    if kind == "argv" and not value.collection and use.call.arguments[:1] and use.call.arguments[0].value is value:
        return _of_program(taint, use)
    if kind.startswith("argv") or kind == "script" or value.collection:
        return _of_list(taint, use)
    if kind == "single" and len([argument for argument in use.call.arguments if argument.keyword is None]) > 1:
        return None
    if kind == "wrapper":
        return reach_of_wrapper(taint, use)
    certain = kind != "split" or _IN_SHELL.match(value.skeleton or "") is not None
    return _of_text(taint, value, use, certain=use.sink.certain and certain)


def _of_program(taint: Taint, use: Use) -> Reach | None:
    """A text instead of a list: a shell runs it where the call says so by a value that is not constant."""
    shell = use.call.keyword("shell")
    if shell is None or shell.constant is not None or not is_built(use.value):
        return _of_list(taint, use)
    return _of_text(taint, use.value, use, certain=True)


def _of_text(taint: Taint, value: Value, use: Use, *, certain: bool) -> Reach | None:
    """A text that is run: somebody else's as a whole, or with somebody else's part."""
    built = is_built(value) or _WORDS.search(value.skeleton or "") is not None or is_kept_command(taint)
    level = level_of(taint, use.source)
    if level in (Level.REQUEST, Level.ARCHIVE):
        return Reach(taint, Confidence.HIGH if certain else Confidence.MEDIUM)
    if level is Level.LOCAL_INPUT and certain:
        return Reach(taint, Confidence.MEDIUM)
    if not built:
        return None
    if level is Level.UNKNOWN:
        chosen = certain and use.source.language == "python" and _is_chosen(taint, use)
        return Reach(taint, Confidence.MEDIUM if chosen else Confidence.LOW)
    return Reach(taint, Confidence.MEDIUM if certain else Confidence.LOW)


def _is_another(use: Use) -> bool:
    """Whether a bare ``exec`` is none of Node's: the file says what it loads, and nothing of that runs programs."""
    text = use.source.text
    bare = use.sink.pattern == use.call.callee
    return bare and first_in(_LOADS, text) is not None and first_in(_RUNNERS, text) is None


def _is_chosen(taint: Taint, use: Use) -> bool:
    """Whether something read out of an object is no setting of the program, and no field that the file keeps clean."""
    if not taint.origin.member or _OWN_SETTING.search(taint.origin.label) or _is_temporary(taint, use):
        return False
    field = field_of(taint)
    if field is None or not is_set_here(use.source.text, field):
        return True
    known = (item for value in set_to(use.source, field, frozenset(use.function.fields)) for item in value.taints)
    return any(item.origin.level is not Level.UNKNOWN and Purpose.SHELL not in item.cleaned for item in known)


def _is_temporary(taint: Taint, use: Use) -> bool:
    """Whether it is the name of a file that was made to be thrown away."""
    owner, _, name = taint.origin.label.rpartition(".")
    if name != "name" or not owner.isidentifier():
        return False
    made = rf"Temporary\w{{4,20}}\([^\n]{{0,200}}\)\s*as\s+{owner}\b|\b{owner}\s*=\s*[\w.]{{0,20}}Temporary\w+\("
    return first_in(re.compile(made), use.source.text) is not None


def _of_list(taint: Taint, use: Use) -> Reach | None:
    """An argument list is safe, but for a shell's script and for the program itself."""
    items = items_of(use)
    index = next(
        (place for place, item in enumerate(items) if any(known.origin is taint.origin for known in item.taints)), None
    )
    if index is None:
        return None
    level = taint.origin.level
    if is_script(items, index) or (index == 0 and use.sink.kind == "shell"):
        return _of_text(taint, items[index], use, certain=True)
    if use.sink.kind == "shell" and level >= Level.PARAMETER and _joins_words(use, items):
        return Reach(taint, Confidence.HIGH if level is Level.REQUEST else Confidence.MEDIUM)
    program_chosen = index == 0 and use.sink.kind != "script" and items[0].skeleton == HOLE and level is Level.REQUEST
    return Reach(taint, Confidence.HIGH) if program_chosen else None


def _joins_words(use: Use, items: list[Value]) -> bool:
    """Whether the words of a known program become one text for the shell, as Node does it."""
    return use.source.language in LANGUAGES and use.value.collection and bool((items[0].skeleton or HOLE).strip(HOLE))


def _plausible(kind: str, source: Source) -> bool:
    """Whether a file names a program whose options do harm, or opens what is no literal by the bare name."""
    if kind.startswith("options"):
        return mentions_program(source)
    if kind == "pipe":
        return opens_value(source)
    return kind != "script" or (_SHELL.search(source.text) is not None and _SCRIPT.search(source.text) is not None)


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
        handed=True,
        plausible=_plausible,
    )
)
