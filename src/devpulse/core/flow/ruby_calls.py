"""Calls of Ruby: with and without arguments, parentheses and blocks."""

from __future__ import annotations

from tree_sitter import Node

from devpulse.core.flow.operations import (
    Abandon,
    Argument,
    Call,
    Collect,
    Compare,
    Member,
    Name,
    Operation,
    Same,
)
from devpulse.core.flow.ruby_functions import FILLING, ROUTES, like
from devpulse.core.flow.ruby_texts import key_of
from devpulse.core.flow.syntax_nodes import node_text
from devpulse.core.flow.tables import words
from devpulse.core.flow.transfers import decides

BLOCKS = frozenset({"block", "do_block"})
ITERATING = frozenset(
    words("""
        each map collect select filter reject flat_map filter_map each_with_index each_with_object each_pair each_value
        each_key each_entry each_slice each_cons each_line each_char each_byte find detect find_all find_index any? all?
        none? one? sort_by min_by max_by group_by partition inject reduce sum times upto downto step loop find_each
        find_in_batches in_batches each_row each_entry cycle zip take_while drop_while map! select! reject! delete_if
        keep_if transform_values transform_keys to_h uniq count tally each_index
    """)
)
"""Methods whose block runs for each of the items."""

_MAPPING = frozenset(words("map collect flat_map filter_map sum transform_values map! each_with_object to_h"))
"""Methods that give what their block gives."""

_PASSING = frozenset(words("then yield_self transaction synchronize fetch"))
_DEFINING = frozenset(
    words("""
        lambda proc define_method scope before_action after_action around_action rescue_from task before after describe
        context it specify let subject helpers define_singleton_method
    """)
)
"""Methods that keep their block for later."""

_MEMBERSHIP = frozenset({"include?", "member?", "key?", "has_key?", "cover?", "in?", "exclude?"})
_WITHOUT = frozenset(
    words("constantize safe_constantize call save read new all run execute open eval to_proc close load")
)
"""Methods that are calls also without arguments."""

_MATCHES = frozenset({"match?", "match", "=~"})
_RAISING = frozenset({"raise", "fail"})
_NAMED_REQUESTS = frozenset({"Rack::Request.new", "ActionDispatch::Request.new", "Sinatra::Request.new"})


def method_of(node: Node) -> str:
    """The name of the method that a call calls."""
    return node_text(node.child_by_field_name("method")) or "call"


def block_of(node: Node) -> Node | None:
    """The block of a call that runs in it, at once or for each item; not one that is kept for later."""
    block = node.child_by_field_name("block")
    receiver = node.child_by_field_name("receiver")
    kept = method_of(node) in _DEFINING or (receiver is not None and receiver.text == b"Proc")
    return block if not kept else None


def is_route(node: Node) -> bool:
    """``get "/x/:id" do |id|``."""
    return method_of(node) in ROUTES and node.child_by_field_name("receiver") is None


def argument_nodes(node: Node) -> list[Node]:
    """What a call or a return is given, but for the block."""
    listed = node.child_by_field_name("arguments")
    if listed is None:
        listed = next((child for child in node.named_children if child.type == "argument_list"), None)
    return [child for child in listed.named_children if child.type != "comment"] if listed is not None else []


def arguments_of(node: Node) -> tuple[Argument, ...]:
    """The arguments of a call."""
    found: list[Argument] = []
    for child in argument_nodes(node):
        if child.type == "pair":
            key, value = child.child_by_field_name("key"), child.child_by_field_name("value")
            found.append(Argument(value or key or child, node_text(key).strip(":'\"") or None))
        elif child.type != "block_argument":
            found.append(Argument(child, spread=child.type == "splat_argument"))
    return tuple(found)


def callee_text(node: Node) -> str:
    """The dotted text of what a call calls; of a chain over calls only the last name, with a leading dot."""
    receiver = node.child_by_field_name("receiver")
    if receiver is None:
        return method_of(node)
    return f"{key_of(receiver) or ''}.{method_of(node)}"


def is_member(node: Node) -> bool:
    """Whether a call without arguments reads a member, as far as its name tells."""
    method = method_of(node)
    plain = node.child_by_field_name("arguments") is None and node.child_by_field_name("block") is None
    known = method in _WITHOUT or like(callee_text(node)) or decides(method)
    return plain and not known and method.isidentifier()


def call_of(node: Node) -> Operation | None:
    """The operation of a call; some are conditions, members, or give what their block gives."""
    receiver, method = node.child_by_field_name("receiver"), method_of(node)
    if receiver is None and method in _RAISING:
        return Abandon()
    arguments = arguments_of(node)
    if arguments and is_route(node) and (body := block_body(block_of(node))) is not None:
        return Call("route_answer", None, (*arguments, Argument(body, "answer")))
    if receiver is None:
        return Call(method, None, arguments, like(method))
    special = _special(node, receiver, method, arguments)
    if special is not None:
        return special
    callee = callee_text(node)
    fills = receiver if method in FILLING and arguments else None
    return Call(callee, receiver, arguments, like(callee), fills)


def _special(node: Node, receiver: Node, method: str, arguments: tuple[Argument, ...]) -> Operation | None:
    if method in _MEMBERSHIP and len(arguments) == 1:
        item, holder = (receiver, arguments[0].node) if method == "in?" else (arguments[0].node, receiver)
        return Compare("not in" if method == "exclude?" else "in", item, holder)
    if method in _MATCHES and len(arguments) == 1:
        return match_of(method, receiver, arguments[0].node)
    made = receiver.type == "call" and callee_text(receiver) in _NAMED_REQUESTS
    if made and method in ("params", "GET", "POST", "query_string", "cookies", "path_info"):
        return Name("Rack.Request.params")
    body = block_body(block_of(node))
    if body is not None and method in _MAPPING:
        return Collect(((None, body),), open=True)
    if body is not None and method in _PASSING:
        return Same(body)
    return Member(receiver, method) if is_member(node) else None


def match_of(method: str, left: Node, right: Node) -> Operation:
    """``text =~ pattern``, ``pattern.match?(text)``: a call on the text."""
    if left.type in ("regex", "constant", "scope_resolution"):
        left, right = right, left
    return Call(f"{key_of(left) or ''}.{method}", left, (Argument(right),), "subject_match")


def block_body(block: Node | None) -> Node | None:
    """What a block consists of."""
    return block.child_by_field_name("body") if block is not None else None
