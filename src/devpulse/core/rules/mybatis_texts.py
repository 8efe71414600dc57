"""SQL of MyBatis in annotations: ``${name}`` puts a value into the text, where ``#{name}`` would bind it.

https://mybatis.org/mybatis-3/sqlmap-xml.html#string-substitution
"""

from __future__ import annotations

import re

from tree_sitter import Node

from devpulse.core.categories import Confidence
from devpulse.core.flow.syntax_nodes import node_text
from devpulse.core.lazy_pattern import lazy
from devpulse.core.rules.sites import JAVA, Form, Site, form_rule
from devpulse.core.rules.wording import Weakness, Wording

WORDING = Wording(
    title="Value substituted into SQL by MyBatis",
    description="`${…}` makes the value a part of the statement, so whoever chooses it can change what the query does.",
    fix="Write `#{…}`, which binds the value; take names of columns and tables from a fixed list.",
)
_ANNOTATION = lazy(r"(?<=@)(?:Select|Update|Insert|Delete)(?=\s*\()")
_SUBSTITUTED = re.compile(r"\$\{\s*([\w.]{1,80})\s*\}")
_OWN = re.compile(r"(?i)^ew\.|^(?:table|tbl)_?(?:name|prefix)?$|schema|tenant|prefix|suffix|customSqlSegment|^_")
"""What the library or the program puts there itself."""

_TEXT = re.compile(r"^(?:String|Object|[A-Z]\w*(?:Dto|DTO|Query|Param\w*|Request|Vo|VO|Bo|Req)|Map\b.*)$")
_LONGEST = 6_000


def _judge(site: Site) -> Confidence | None:
    annotation = _above(site.node, "annotation")
    method = _above(annotation, "method_declaration") if annotation is not None else None
    if annotation is None or method is None or annotation.end_byte - annotation.start_byte > _LONGEST:
        return None
    names = [name for name in _SUBSTITUTED.findall(node_text(annotation)) if not _OWN.search(name)]
    kinds = _kinds(method)
    return Confidence.MEDIUM if any(_is_text(name, kinds) for name in names) else None


def _is_text(name: str, kinds: dict[str, str]) -> bool:
    """Whether a parameter of the method that a name stands for can be any text."""
    first, dot, _ = name.partition(".")
    kind = kinds.get(first)
    if kind is None:  # a member of the only parameter
        return len(kinds) == 1 and _TEXT.match(next(iter(kinds.values()))) is not None
    return bool(dot) or _TEXT.match(kind) is not None


MAX_PARAMETERS = 40
"""Parameters of a method that are looked at, for each of its statements."""


def _kinds(method: Node) -> dict[str, str]:
    """The parameters with their types, under the names that the statement uses for them."""
    listed = method.child_by_field_name("parameters")
    found = {}
    for node in listed.named_children[:MAX_PARAMETERS] if listed is not None else ():
        named = re.search(r"@Param\(\s*\"(\w+)\"", node_text(node))
        name = named.group(1) if named is not None else node_text(node.child_by_field_name("name"))
        found[name] = node_text(node.child_by_field_name("type"))
    return found


def _above(node: Node, kind: str) -> Node | None:
    above: Node | None = node
    for _ in range(8):
        above = above.parent if above is not None else None
        if above is not None and above.type == kind:
            return above
    return None


FORMS = (Form(JAVA, ("${",), _ANNOTATION, _judge, Weakness("sql-injection"), WORDING),)
RULE = form_rule("mybatis-texts", "sql-injection", JAVA, FORMS)
