"""Prototype pollution: objects that are merged, or set by a path, under keys that may lead to what all objects share.

``target["__proto__"]`` is no member of an object but the prototype of all of them. Who chooses the keys of a merged
object, or the path under which a value is set, gives every object of the program members of his own.
"""

from __future__ import annotations

import re
from functools import lru_cache

from tree_sitter import Node

from devpulse.core.categories import Confidence
from devpulse.core.flow.javascript import FUNCTIONS
from devpulse.core.flow.syntax_nodes import node_text
from devpulse.core.lazy_pattern import lazy
from devpulse.core.rules.sites import JAVASCRIPT, Form, Site, form_rule
from devpulse.core.rules.wording import Weakness, Wording
from devpulse.core.text import first_in

WORDING = Wording(
    title="Keys can reach the prototype of all objects",
    description="Under the key `__proto__` or `constructor` the value is set for every object of the program.",
    fix="Refuse the keys `__proto__`, `constructor` and `prototype`, or collect into `Object.create(null)` or a `Map`.",
)
_MERGED = lazy(
    r"(?<![\w$.])(?:[\w$]{1,40}\.){0,3}([\w$]{1,60})\(\s*(?:true,\s*)?([\w$]{1,40})\[([\w$]{1,40})\]\s*"
    r"(?:\|\|\s*\{\}\s*)?,\s*[\w$.]{1,60}(?:\[\3\]|\.slice\(\d?\)|\(\d?\))?\s*[,)]"
)
"""A function given the same member of two objects, or a member and another value."""

_DESCENDS = lazy(r"(?<![\w$.])([\w$]{1,40})\s*=\s*\1\[([^\]\n]{1,40})\]")
_GUARDS = lazy(r"(?i)__proto__|pollut|(?:un)?safe_?(?:key|prop|path)|is_?(?:un)?safe|dangerous_?key|proto_?key")
_GUARDED = re.compile(
    r"['\"](?:constructor|prototype)['\"]|Object\.create\(\s*null|new Map\(|isPlainObject|Object\.freeze|allowed|"
    r"\.(?:includes|has|test)\(\s*(?:key|k|prop|name|part|segment)\w*\s*\)"
)
_KEYS = re.compile(
    r"(?i)path|pointer|keys?$|props?|propert|segments?|parts?|accessor|field|name$|tokens?|route|selector|namespace"
)
_SETS_NUMBER = re.compile(r"^\s*(?:\d+|[\w$.]*length(?:\s*-\s*1)?|[ijn])\s*$")
_LONGEST = 6_000
"""Characters of a function that is looked at."""

_MAX_CLIMB = 60


def _function_of(site: Site) -> Node | None:
    """The function around that is no argument of a call, as those that run for each key are."""
    node: Node | None = site.node
    for _ in range(_MAX_CLIMB):
        node = node.parent if node is not None else None
        if node is None:
            return None
        if node.type in FUNCTIONS and (node.parent is None or node.parent.type != "arguments"):
            return node if node.end_byte - node.start_byte <= _LONGEST else None
    return None


def _name_of(function: Node) -> str:
    name = function.child_by_field_name("name")
    holder = function.parent
    if name is None and holder is not None:
        name = next((found for field in ("name", "left", "key") if (found := holder.child_by_field_name(field))), None)
    return node_text(name)[-80:].rpartition(".")[2]


def _parameters(function: Node) -> list[str]:
    listed = function.child_by_field_name("parameters") or function.child_by_field_name("parameter")
    return re.findall(r"[\w$]+", node_text(listed)[:400])


def _is_guarded(site: Site, target: str, text: str) -> bool:
    own = rf"\b{re.escape(target)}\.hasOwnProperty\(|hasOwn\w*(?:\.call)?\(\s*{re.escape(target)}\b"
    return (
        first_in(_GUARDS, site.source.text) is not None
        or _GUARDED.search(text) is not None
        or re.search(own, text) is not None
    )


@lru_cache(maxsize=16)
def _sets(text: str, target: str, key: str) -> bool:
    return re.search(rf"(?<![\w$.]){re.escape(target)}\[{re.escape(key)}\]\s*+=(?!=)", text) is not None


@lru_cache(maxsize=16)
def _loops_over(text: str, key: str) -> bool:
    """Whether a function runs for each key: a loop, a callback, or keys by their numbers."""
    word = re.escape(key)
    return any(
        re.search(pattern, text)
        for pattern in (
            rf"\bfor\s*+\(\s*+(?:(?:var|let|const)\s++)?(?:\[\s*+)?{word}\b",
            rf"\(\s*+\[?{word}\b[^()]{{0,40}}\)\s*+(?:=>|\{{)|\b{word}\s*+=>",
            rf"(?<![\w$.]){word}\s*+=\s*+[\w$]{{1,80}}+\[",
        )
    )


def _of_merge(site: Site) -> Confidence | None:
    """A function that calls itself for what two objects have under the same key, and sets the rest in one of them."""
    called, target, key = site.match.groups()
    function = _function_of(site)
    if function is None or called != _name_of(function):
        return None
    text, given = node_text(function), _parameters(function)
    target_word = re.escape(target)
    sets, loops = _sets(text, target, key), _loops_over(text, key)
    aliased = re.search(rf"(?<![\w$.]){target_word}\s*=\s*(?:arguments|{'|'.join(map(re.escape, given)) or '-'})", text)
    descends = "slice(" in site.match.group() and any(map(_KEYS.search, given))
    if descends and not sets:
        sets = re.search(rf"(?<![\w$.]){target_word}\[[\w$\[\]]{{1,40}}\]\s*=(?!=)", text) is not None
    if not sets or not (loops or descends) or (target not in given and not aliased) or _is_guarded(site, target, text):
        return None
    return Confidence.MEDIUM


def _of_path(site: Site) -> Confidence | None:
    """A function that goes down into an object by the parts of a path, and sets what it is given at the end of it."""
    target, index = site.match.groups()
    function = _function_of(site)
    if function is None or index[:1] in "'\"`" or _SETS_NUMBER.match(index):
        return None
    text, given = node_text(function), _parameters(function)
    if not (any(map(_KEYS.search, given)) or ".split(" in text) or not re.search(
        r"\b(?:for|while|forEach|reduce)\b", text
    ):
        return None
    word, names = re.escape(target), "|".join((*map(re.escape, given), "value", "val", "newValue"))
    sets = re.search(
        rf"(?<![\w$.]){word}\[[^=\n]{{1,60}}\]\s*=\s*(?:[\w$.]+\(\s*)?(?:{names})\b(?!\s*\[)|"
        rf"\b(?:assign\w*|set\w*|defineProperty)\(\s*{word}\s*,",
        text,
    )
    made = ".split(" in text and re.search(rf"(?<![\w$.]){word}\s*=\s*[\w$.]+\s*[,;\n]", text)
    from_given = target in given or re.search(rf"(?<![\w$.]){word}\s*=\s*(?:this\b|{names})\b(?!\.length)", text)
    if not sets or not (from_given or made) or _is_guarded(site, target, text):
        return None
    return Confidence.MEDIUM


_WEAKNESS = Weakness("other", 1321)
FORMS = (
    Form(JAVASCRIPT, ("], ", "],"), _MERGED, _of_merge, _WEAKNESS, WORDING),
    Form(JAVASCRIPT, ("]",), _DESCENDS, _of_path, _WEAKNESS, WORDING),
)
RULE = form_rule("prototype-pollution", "other", JAVASCRIPT, FORMS)
