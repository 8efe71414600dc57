"""What an expression of a template is made of."""

from __future__ import annotations

from devpulse.core.templates.nodes import Kind, Node


def test_path__goes_through_calls_and_indexes() -> None:
    call = Node(Kind.CALL, "b", Node(Kind.NAME, "a"))
    assert Node(Kind.MEMBER, "c", Node(Kind.MEMBER, "d", call, index=True)).path() == "a.b.d.c"


def test_path__ends_at_what_has_no_name() -> None:
    assert Node(Kind.MEMBER, "b", Node(Kind.LIST)).path() == "b"
