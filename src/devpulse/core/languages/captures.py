"""Finding the nodes of some kinds at the speed of the parser: a query looks at all others without making objects."""

from __future__ import annotations

from functools import cache

from tree_sitter import Language, Node, Query, QueryCursor

_NAME = "found"


def nodes_of(root: Node, grammar: Language, kinds: frozenset[str]) -> list[Node]:
    """The named nodes of these kinds below and including ``root``, each before those in it, in the order of the text.
    Two of the same place come in any order.

    Kinds that the grammar does not have are passed over.
    """
    query = _query(grammar, kinds)
    if query is None:
        return []
    found = QueryCursor(query).captures(root).get(_NAME, [])
    return sorted(found, key=lambda node: (node.start_byte, -node.end_byte))


@cache
def kinds_in(grammar: Language) -> frozenset[str]:
    """The kinds of named nodes that a grammar has."""
    visible = (
        grammar.node_kind_for_id(number)
        for number in range(grammar.node_kind_count)
        if grammar.node_kind_is_named(number) and grammar.node_kind_is_visible(number)
    )
    return frozenset(kind for kind in visible if kind is not None)


@cache
def _query(grammar: Language, kinds: frozenset[str]) -> Query | None:
    known = sorted(kinds & kinds_in(grammar))
    return Query(grammar, f"[{' '.join(f'({kind})' for kind in known)}] @{_NAME}") if known else None
