"""Values that an answer holds only as a number, or within JSON: neither can bring a tag."""

from __future__ import annotations

import re

from devpulse.core.flow.formatting import NUMERIC
from devpulse.core.flow.values import Taint
from devpulse.core.rules.built_pages import TAG
from devpulse.core.rules.flow_rule import Use

_FORMATS = frozenset({"fmt.Fprintf", ".printf", ".format"})
_VERB = re.compile(r"%(?:\d+\$)?[-+#0 ,(]*(?:\d+|\*)?(?:\.\d*)?([a-zA-Z%])")
_NOT_TEXT = NUMERIC | frozenset("btcpUu")
_JSON = re.compile(r"^\s*(?:\{\s*\"|\[\s*[\{\"])")
_TO_JSON = re.compile(
    r"(?i)(?:to|as|encode|marshal|write|dump)_?\w{0,20}json|json_?(?:bytes|string|encode|text|value)\w{0,10}$"
)


def is_encoded(taint: Taint, use: Use) -> bool:
    """Whether a value goes into an answer as a number, or into one that is JSON."""
    if use.source.language == "php":
        return use.sink.pattern == "printf" and _is_formatted(use)
    if use.source.language not in ("go", "java"):
        return False
    if any(_TO_JSON.search(ask.callee.rpartition(".")[2]) for ask in taint.asks):
        return True
    if use.sink.pattern not in _FORMATS:
        return False
    return _is_formatted(use)


def _is_formatted(use: Use) -> bool:
    given = [argument.value for argument in use.call.arguments]
    first = next((place for place, value in enumerate(given) if "%" in (value.skeleton or "")), None)
    own = next((place for place, value in enumerate(given) if value is use.value), None)
    if first is None or own is None or own <= first:
        return False
    template = given[first].skeleton or ""
    if _JSON.match(template) and TAG.search(template) is None:
        return True
    verbs = [verb for verb in _VERB.findall(template) if verb not in "%n"]
    place = own - first - 1
    return place < len(verbs) and verbs[place] in _NOT_TEXT
