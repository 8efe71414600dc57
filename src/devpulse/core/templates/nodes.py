"""What an expression of a template is made of."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


class Kind(StrEnum):
    """Kinds of nodes."""

    TEXT = "text"  # a literal; parts are the values in it
    PLAIN = "plain"  # numbers, comparisons, arithmetic
    NAME = "name"
    MEMBER = "member"
    CALL = "call"
    EITHER = "either"  # one of the parts, or all of them joined
    LIST = "list"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Node:
    """A value. ``name`` is what is called or read, ``receiver`` what of; ``index`` tells ``a[b]`` from ``a.b``."""

    kind: Kind
    name: str = ""
    receiver: Node | None = None
    parts: tuple[Node, ...] = field(default=())
    index: bool = False

    def path(self) -> str:
        """Names from the outermost receiver on, with dots between them."""
        names = [self.name]
        node = self.receiver
        while node is not None and node.kind in (Kind.NAME, Kind.MEMBER, Kind.CALL):
            names.append(node.name)
            node = node.receiver
        return ".".join(reversed(names))
