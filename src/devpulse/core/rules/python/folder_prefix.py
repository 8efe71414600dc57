"""Checks in Python that compare paths as texts: ``/srv/files-old`` begins with ``/srv/files``, and is not inside of it.

``os.path.abspath`` and ``realpath`` end without a separator, so that one has to be put behind the folder;
``os.path.commonprefix`` compares character by character, ``commonpath`` names.
https://docs.python.org/3/library/os.path.html, https://cwe.mitre.org/data/definitions/22.html
"""

from __future__ import annotations

import re
from functools import lru_cache

from tree_sitter import Node

from devpulse.core.categories import Confidence
from devpulse.core.flow.syntax_nodes import node_text, short_text
from devpulse.core.lazy_pattern import lazy
from devpulse.core.rules.sites import PYTHON, Form, Site, form_rule
from devpulse.core.rules.wording import Weakness, Wording

WORDING = Wording(
    title="Folder check that a folder beside it passes",
    description="Paths are compared as texts: a folder whose name only begins alike passes as well.",
    fix="Compare with `os.path.commonpath` or `Path.is_relative_to`, or put `os.sep` behind the folder.",
)
_STARTS = lazy(r"(?<=\.)startswith(?=\s?\()")
_COMMON = lazy(r"commonprefix(?=\s?\()")
_RESOLVED = re.compile(r"(?i)(?:abs|real|norm|canonical)_?path|resolve")
_FOLDER = re.compile(
    r"(?i)(?:^|[._])(?:root|base|dir|directory|folder|storage|home|prefix|jail|parent)(?:_?(?:dir|path|folder|root))?$"
)
_NAME = re.compile(r"[A-Za-z_][\w.]{0,80}")
_SEPARATED = re.compile(r"(?i)sep\b|[/\\]+[\"']\s?\)?$|,\s?[brf]{0,2}[\"']{2}\s?\)$")
_ASKS = re.compile(r"(?i)path|safe|within|inside|contain|valid|sub|child|below|under|allow|bad|outside|travers")
_REFUSES = re.compile(
    r"\b(?:raise|abort|return(?:\s+(?:None|False|self\.\w*error\w*\(|\w*(?:[eE]rror|[nN]ot_?[fF]ound|40\d)\w*))?|continue)\b"
)
_CONDITION = frozenset({"parenthesized_expression", "boolean_operator", "comparison_operator"})
_LONGEST = 400
_DEEPEST = 12
_LONGEST_FUNCTION = 20_000
"""Bytes of a function that is looked at: its text is read for each of its checks."""


def _of_prefix(site: Site) -> Confidence | None:
    call = site.call
    if call is None or len(site.given) != 1 or not _is_short(site):
        return None
    owner = call.child_by_field_name("function")
    path = short_text(owner.child_by_field_name("object") if owner is not None else None, _LONGEST)
    folder = site.given[0]
    if not _is_resolved(path, site) or not _is_bare_folder(folder, site):
        return None
    return Confidence.MEDIUM if _refuses(call, site) else None


def _of_common(site: Site) -> Confidence | None:
    """What two paths begin with alike, compared with one of them."""
    call, text = site.call, site.function_text
    if call is None or not _is_short(site) or re.search(r"\bsep\b", text) or not _RESOLVED.search(text):
        return None
    above = call.parent
    if above is not None and above.type == "comparison_operator":
        compared = True
    else:
        name = (
            short_text(above.child_by_field_name("left"), 80)
            if above is not None and above.type == "assignment"
            else ""
        )
        compared = (
            bool(name)
            and re.search(rf"(?<![\w.]){re.escape(name)}\s?[!=]=|[!=]=\s?{re.escape(name)}\b", text) is not None
        )
    return Confidence.MEDIUM if compared else None


def _is_short(site: Site) -> bool:
    function = site.function
    return function is not None and function.end_byte - function.start_byte <= _LONGEST_FUNCTION


def _is_resolved(path: str, site: Site) -> bool:
    """Whether a path is the whole of one, without ``..``: else the check fails for other reasons."""
    if _RESOLVED.search(path):
        return True
    return _NAME.fullmatch(path) is not None and any(map(_RESOLVED.search, _settings(path, site.function_text)))


def _is_bare_folder(folder: str, site: Site) -> bool:
    """Whether a folder surely has no separator behind it."""
    if _SEPARATED.search(folder) or "+" in folder:
        return False
    if not _NAME.fullmatch(folder):
        return _RESOLVED.search(folder.partition("(")[0]) is not None
    found = _settings(folder, site.function_text)
    if any(_SEPARATED.search(text) or "+" in text for text in found) or _is_lengthened(folder, site.function_text):
        return False
    if found:
        return all(map(_RESOLVED.search, found))
    return _FOLDER.search(folder) is not None and "prefix" not in folder


@lru_cache(maxsize=8)
def _settings(name: str, function: str) -> list[str]:
    """All that a name is set to in a function, as far as the line goes: asked once for all checks in it."""
    setting = re.compile(rf"(?<![\w.]){re.escape(name)}\s?(?::[^=\n]{{1,60}})?=(?!=)([^\n]{{0,300}})")
    return [text.strip() for text in setting.findall(function)]


@lru_cache(maxsize=8)
def _is_lengthened(folder: str, function: str) -> bool:
    """Whether a function puts something behind a folder, or asks how that ends."""
    name = re.escape(folder)
    asked = rf"(?<![\w.]){name}(?:\s?\+|\.(?:endswith|rstrip)\()|len\({name}\)|\]\s?[!=]=\s?(?:os\.)?(?:path\.)?sep\b"
    return re.search(asked, function) is not None


def _refuses(call: Node, site: Site) -> bool:
    """Whether something is refused where the comparison fails, or the answer is what the function is asked for."""
    negated, inner, node = False, call, call.parent
    for _ in range(_DEEPEST):
        if node is None:
            return False
        if node.type == "not_operator":
            negated = not negated
        elif node.type == "return_statement":
            return _ASKS.search(site.function_name) is not None
        elif node.type == "if_statement":
            return inner == node.child_by_field_name("condition") and _is_refused(node, negated=negated)
        elif node.type not in _CONDITION:
            return False
        inner, node = node, node.parent
    return False


def _is_refused(node: Node, *, negated: bool) -> bool:
    """Whether the branch for a path outside ends there; where there is none, what follows the condition does."""
    if negated:
        return _REFUSES.match(_last_statement(node.child_by_field_name("consequence"))) is not None
    other = node.child_by_field_name("alternative")
    if other is not None:
        return (
            other.type == "else_clause" and re.search(r"\b(?:raise|abort)\b", node_text(other)[:_LONGEST]) is not None
        )
    following = node.next_named_sibling
    return following is not None and following.type == "raise_statement"


def _last_statement(block: Node | None) -> str:
    """The last statement of a block, where it is left."""
    children = [child for child in (block.named_children if block is not None else []) if child.type != "comment"]
    return short_text(children[-1], _LONGEST) if children else ""


_WEAKNESS = Weakness("path-traversal")
FORMS = (
    Form(PYTHON, (".startswith",), _STARTS, _of_prefix, _WEAKNESS, WORDING),
    Form(PYTHON, ("commonprefix",), _COMMON, _of_common, _WEAKNESS, WORDING),
)
RULE = form_rule("python-folder-prefix", "path-traversal", PYTHON, FORMS)
