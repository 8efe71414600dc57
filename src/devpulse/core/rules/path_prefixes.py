"""Checks in Java that compare paths as texts: ``/data/files-old`` begins with ``/data/files``, and is not inside of it.

``File.getCanonicalPath`` ends without a separator, so that one has to be put behind the folder; ``Path.startsWith``
compares whole names. ``File.getAbsolutePath`` and ``File.getPath`` keep ``..``. https://cwe.mitre.org/data/definitions/22.html
"""

from __future__ import annotations

import re

from tree_sitter import Node

from devpulse.core.categories import Confidence
from devpulse.core.flow.syntax_nodes import node_text, short_text
from devpulse.core.lazy_pattern import lazy
from devpulse.core.rules.sites import JAVA, Form, Site, form_rule
from devpulse.core.rules.wording import Weakness, Wording

WORDING = Wording(
    title="Folder check that a folder beside it passes",
    description="Paths are compared as texts: a folder whose name only begins alike, or a path with `..`, passes.",
    fix="Compare `getCanonicalFile().toPath()` of both with `Path.startsWith`, or put a separator behind the folder.",
)
_STARTS = lazy(r"(?<=\.)startsWith(?=\s*\()")
_RESOLVED = re.compile(r"\.(?:getCanonicalPath|(?:toRealPath|normalize)\(\)\.toString)\(\)$")
_KEEPS_DOTS = re.compile(r"\.get(?:Absolute)?Path\(\)$")
_FOLDER = re.compile(r"\.(?:get(?:Canonical|Absolute)Path|toString)\(\)$")
_RESOLVES = re.compile(r"(?i)canonical|normali[sz]e|toRealPath|cleanPath|simplify|\"\.\.")
_REFUSES = re.compile(r"\bthrow\b|\breturn\s+(?:null|false|Optional\.empty\(\))\s*;")
_NAME = re.compile(r"[A-Za-z_]\w{0,60}")
_CONDITION = frozenset({"parenthesized_expression", "binary_expression", "condition"})
_LONGEST = 400
_DEEPEST = 12
_LONGEST_FUNCTION = 20_000
"""Bytes of a function that is looked at: its text is read for each of its checks."""


def _judge(site: Site) -> Confidence | None:
    if site.call is None or len(site.given) != 1 or not refuses(site.call, _REFUSES):
        return None
    function = site.function
    if function is not None and function.end_byte - function.start_byte > _LONGEST_FUNCTION:
        return None
    path = _meant(site, short_text(site.call.child_by_field_name("object"), _LONGEST))
    folder = _meant(site, site.given[0])
    if _RESOLVED.search(path):
        return Confidence.MEDIUM if _FOLDER.search(folder) and "+" not in folder else None
    keeps_dots = _KEEPS_DOTS.search(path) is not None and not _RESOLVES.search(site.function_text)
    return Confidence.MEDIUM if keeps_dots and _KEEPS_DOTS.search(folder.partition("+")[0].rstrip()) else None


def _meant(site: Site, expression: str) -> str:
    """What a name is set to in the function, if that is one thing and nothing is put behind it."""
    if not _NAME.fullmatch(expression):
        return expression
    setting = re.compile(rf"(?<![\w.]){expression}\s{{0,9}}(\+?)=(?!=)([^;]{{0,300}})")
    found = setting.findall(site.function_text)
    return found[0][1].strip() if len(found) == 1 and not found[0][0] else ""


def refuses(call: Node, leaves: re.Pattern[str]) -> bool:
    """Whether something is refused where the comparison fails; ``leaves``: how the language does it."""
    negated, node = False, call.parent
    for _ in range(_DEEPEST):
        if node is None:
            return False
        if node.type == "unary_expression":
            negated = node_text(node).startswith("!") != negated
        elif node.type == "if_statement":
            refused = short_text(node.child_by_field_name("consequence"), _LONGEST)
            return negated and leaves.search(refused) is not None
        elif node.type not in _CONDITION:
            return False
        node = node.parent
    return False


FORMS = (Form(JAVA, (".startsWith",), _STARTS, _judge, Weakness("path-traversal"), WORDING),)
RULE = form_rule("path-prefixes", "path-traversal", JAVA, FORMS)
