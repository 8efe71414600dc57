"""Code injection: values that are run as code of the program, or as a template of its template engine.

Kinds of sinks: ``code`` runs a text. ``template`` takes a text as a template, which can run code. ``expression`` takes
a small language that can be made to run code. ``dynamic`` calls or loads what a text names. ``timer`` runs a text when
it is given one instead of a function. ``freemarker`` and ``thymeleaf`` are templates if the file names that
engine; ``interpolator``, ``ognl`` and ``other language`` run a text if it names those. ``view`` is the name of a view
whose fragment is an expression.
"""

from __future__ import annotations

import re

from devpulse.core.categories import Confidence
from devpulse.core.flow.values import HOLE, Level, Taint
from devpulse.core.rules.command_words import is_built
from devpulse.core.rules.flow_rule import Danger, Use, flow_rule
from devpulse.core.rules.hits import Reach
from devpulse.core.rules.wording import Weakness, Wording
from devpulse.core.source import Source
from devpulse.core.text import first_in

CODE = Wording(
    title="Value run as code",
    description="The value is run as code, so whoever chooses it runs code of their own in this program.",
    fix="Do not run texts as code: parse the value, or choose what to do from a fixed table.",
)
TEMPLATE = Wording(
    title="Value used as a template",
    description="The value becomes part of a template, so whoever chooses it can make the engine run code.",
    fix="Keep the template constant and hand the value over as one of its variables.",
)
DYNAMIC = Wording(
    title="Value names what is called",
    description="The value decides which function or class is used, so whoever chooses it can reach any of them.",
    fix="Look the name up in a fixed table of what may be used.",
)
_ENGINE = re.compile(r"(?i)engine|shell|script|interpreter|jexl|redis|eval\w*\(\)")
"""What a result has in its making on which ``eval`` is called, where it runs a text."""

_SIMPLE = "SimpleEvaluationContext"
_NAMED = {
    "freemarker": re.compile(r"freemarker"),
    "thymeleaf": re.compile(r"emplateEngine|hymeleaf"),
    "interpolator": re.compile(r"(?i)interpolator"),
    "ognl": re.compile(r"(?i)ognl"),
    "other language": re.compile(r"(?i)python|jython|ruby|scripting"),
}
_CODE = frozenset({"code", "interpolator", "ognl", "other language"})
_TEMPLATE = re.compile(r"(?i)te?mpl|tpl")
_CONFIGURED = re.compile(r"^(?:set|with|doSet)(?:[A-Z]\w*)?Expression\w*$|^expression$|^[A-Z]\w+$")
"""A method or constructor by which a program says what expression is to be run."""

_WEAKNESS = Weakness("code-injection")
_EVAL = re.compile(r"(?:^|\.)eval$")
_READ = re.compile(
    r"\beval\(\s*[\w.]+(?:\([^()\n]*\))?\.(?:read|readline|recv|text|content|decode|get_payload|getvalue)\b"
)
_READ_FROM_REQUEST = re.compile(r"(?i)\$_|(?:\$?this\.)?\$?(?:http_?)?(?:req(?:uest)?|input)\b|php://|filter_input")
_SANDBOX = re.compile(r"Sandboxed")
_OF_FILE = re.compile(r"__FILE__|,\s*\w*(?:path|file(?:name)?)\s*(?:[,)]|$)")
"""What Ruby's evaluators are told of the file that the code belongs to: a program makes or keeps such code itself."""

_RENDERERS = re.compile(r"(?:^|\.)(?:Template|from_string)$")
_GENERATES = re.compile(r"(?i)chat_?template|prompt|(?:^|_)user_|template_(?:str|string|text)$")
_TEMPLATES = Weakness("code-injection", cwe=1336)

_RUBY_TEMPLATES = re.compile(r"\b(?:ERB|Erubis?|Haml|Slim|Tilt)\b|\binline(?::|\s*+=>)")
"""In Ruby, what makes templates; nearly every page renders others."""


def _judge(taint: Taint, use: Use) -> Reach | None:  # noqa: PLR0911  (one return for each case)
    level, kind, value = taint.origin.level, use.sink.kind, use.value
    if value.collection or (use.call.callee == ".eval" and not _ENGINE.search(use.text)):
        return None
    if use.call.method == "parseExpression" and any(_SIMPLE in call.callee for call in use.function.calls):
        return None  # it knows no types and no constructors
    if use.call.callee == ".Parse" and not _TEMPLATE.search(use.text):
        return None
    if kind in ("dynamic", "timer", "view"):
        asked = level is Level.REQUEST and (kind == "dynamic" or is_built(value))
        if use.call.callee == "variable_call":  # the rest of a route's address is mostly given by a program's own table
            asked = asked and not is_built(value) and _READ_FROM_REQUEST.match(taint.origin.label) is not None
        asked = asked and (kind != "view" or "::" in (value.skeleton or "").partition(HOLE)[0])
        return Reach(taint, Confidence.MEDIUM) if asked else None
    if level in (Level.REQUEST, Level.ARCHIVE):
        return Reach(taint, Confidence.HIGH if use.sink.certain else Confidence.MEDIUM)
    if level is Level.UNKNOWN:
        evaluated = use.source.language == "python" and _EVAL.search(use.call.callee) and taint.origin.member
        return Reach(taint, Confidence.MEDIUM) if evaluated else None
    return _of_caller(taint, use) if use.sink.certain else None


def _of_caller(taint: Taint, use: Use) -> Reach:
    kind = use.sink.kind
    if kind == "code" and use.source.language == "ruby" and _OF_FILE.search(use.text.partition("\n")[0]):
        return Reach(taint, Confidence.LOW)
    sure = is_built(use.value) or (kind in _CODE and not _CONFIGURED.search(use.call.scope.name))
    if kind == "template" and use.source.language == "python":
        sure = sure or _is_open(taint, use)
    return Reach(taint, Confidence.MEDIUM if sure else Confidence.LOW)


def _is_open(taint: Taint, use: Use) -> bool:
    """Whether a caller's text becomes a template of an engine that nothing in the file fences in."""
    renders = _RENDERERS.search(use.call.callee) and _GENERATES.search(taint.origin.label)
    return bool(renders) and not first_in(_SANDBOX, use.source.text)


def _always(use: Use) -> Confidence | None:
    """Python's ``eval`` of what a file or a connection gives, which no name on the way says anything of."""
    skeleton = use.value.skeleton
    if use.source.language != "python" or (skeleton is not None and HOLE not in skeleton):
        return None
    return Confidence.MEDIUM if _EVAL.search(use.call.callee) and _READ.search(use.text) else None


def _plausible(kind: str, source: Source) -> bool:
    """Whether a file names the library whose methods are called like many others."""
    named = _RUBY_TEMPLATES if kind == "template" and source.language == "ruby" else _NAMED.get(kind)
    return named is None or named.search(source.text) is not None


RULE = flow_rule(
    Danger(
        _WEAKNESS,
        CODE,
        _judge,
        kinds=(
            *((kind, _TEMPLATES, TEMPLATE) for kind in ("template", "freemarker", "thymeleaf", "view")),
            ("dynamic", _WEAKNESS, DYNAMIC),
        ),
        handed=True,
        always=_always,
        plausible=_plausible,
    )
)
