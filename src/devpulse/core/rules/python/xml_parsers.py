"""Which parser a Python call uses, and whether that resolves external entities: each call is asked by itself."""

from __future__ import annotations

import re

from devpulse.core.imports import imported_callee
from devpulse.core.rules.flow_rule import Use
from devpulse.core.text import lines_of

_GIVEN = re.compile(r"\bparser\s*=\s*([A-Za-z_][\w.]*)(?!\()|,\s*([A-Za-z_][\w.]*)\s*,?\s*\)")
_MADE_HERE = re.compile(r"\b(?:ETCompat)?XMLParser\(")
_MADE = r"\s*(?::[^=\n]{0,60})?=\s*(?:[\w.]+\.)?(?:XMLParser|ETCompatXMLParser)\("
_SAFE = re.compile(r"resolve_entities\s*=\s*(?:False|[\"']internal)")
_INSIDE = 400
"""Characters after the bracket of a parser's constructor in which its options stand."""

_TOLD_NOT = re.compile(r"(?:feature_external_[gp]es|external-(?:general|parameter)-entities[\"'])\s*,\s*(?:False|0)\b")
_TOLD_TO = re.compile(r"(?:feature_external_[gp]es|external-(?:general|parameter)-entities[\"'])\s*,\s*(?:True|1)\b")


def is_harmless(use: Use) -> bool:
    """Whether a call is another library's that resolves nothing, or its function hardens the parser."""
    imported = imported_callee("python", use.source.text, use.call.callee)
    if "defused" in imported or imported.startswith("xml.etree"):
        return True
    if use.sink.kind == "resolves":
        return _SAFE.search(use.text) is not None
    if use.sink.kind != "told":
        return False
    first = min(call.start_line for call in use.function.calls)
    body = "\n".join(lines_of(use.source.text)[first - 1 : use.call.end_line])
    return _TOLD_NOT.search(body) is not None and not is_told_to(body)


def is_told_to(text: str) -> bool:
    """Whether code tells a parser of the standard library to resolve external entities."""
    return _TOLD_TO.search(text) is not None


def is_of_lxml(use: Use) -> bool:
    """Whether a call is surely one of lxml, which resolves entities unless it is told not to."""
    return imported_callee("python", use.source.text, use.call.callee).startswith("lxml.")


def has_open_parser(use: Use) -> bool:
    """Whether the parser that a call is given was made here and resolves entities."""
    if _MADE_HERE.search(use.text):
        return _SAFE.search(use.text) is None
    given = _GIVEN.search(use.text)
    if given is None:
        return False
    name = given.group(1) or given.group(2)
    before = "\n".join(lines_of(use.source.text)[: use.call.start_line])
    made = list(re.finditer(rf"(?<![\w.]){re.escape(name)}{_MADE}", before))
    if not made:
        return False
    options = before[made[-1].end() : made[-1].end() + _INSIDE].split("\n\n")[0]
    return _SAFE.search(_closed(options)) is None


def _closed(text: str) -> str:
    """The text up to the bracket that closes what is open at its start."""
    depth = 1
    for index, character in enumerate(text):
        depth += {"(": 1, ")": -1}.get(character, 0)
        if not depth:
            return text[:index]
    return text
