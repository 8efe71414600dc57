"""Functions of PHP and its frameworks whose calls are a condition, a source, or depend on what they are given."""

from __future__ import annotations

import re
from collections.abc import Callable

from tree_sitter import Node

from devpulse.core.flow.operations import Argument, Assign, Call, Compare, Constant, Member, Name, Operation
from devpulse.core.flow.php_functions import like
from devpulse.core.flow.php_texts import constant_text
from devpulse.core.flow.syntax_nodes import node_text

Arguments = tuple[Argument, ...]
_STREAMS = re.compile(r"(?i)^php://(?:input|stdin)")
_NUMERIC_FILTER = re.compile(r"(?i)FILTER_(?:VALIDATE_(?:INT|FLOAT|BOOL(?:EAN)?|IP)|SANITIZE_NUMBER_\w+)$")
_NO_CLASSES = re.compile(r"(?i)allowed_classes['\"]\s*=>\s*+(?!true)")
_HTML_FILTER = re.compile(r"FILTER_SANITIZE_(?:FULL_SPECIAL_CHARS|SPECIAL_CHARS|STRING|STRIPPED|ENCODED)$")
_FROM_CLIENT = re.compile(r"(?i)HTTP_\w+|REQUEST_URI|QUERY_STRING|PHP_SELF|PATH_INFO")

_CASES = frozenset({"strtolower", "strtoupper", "mb_strtolower", "mb_strtoupper", "ucfirst", "lcfirst"})

_DEFAULTS = frozenset({"shortcode_atts", "wp_parse_args"})
_REQUEST_TABLE = re.compile(r"\$_(?:GET|POST|REQUEST|COOKIE)")
_KEEPS = re.compile(r"EXTR_(?:SKIP|PREFIX_ALL|IF_EXISTS)")

_SAFE_PARAMETER = re.compile(r"PARAM_(?!RAW|NOTAGS|TEXT$|CLEANHTML|URL|PATH)\w+$")
"""Moodle's types of input that leave nothing to do harm with."""


def _member(_callee: str, arguments: Arguments) -> Operation | None:
    return Compare("in", uncased(arguments[0].node), arguments[1].node) if len(arguments) > 1 else None


def uncased(node: Node) -> Node:
    """What is in a list in one case of its letters is one of the list's in any: ``in_array(strtolower($way), …)``.

    Any other node is given back as it is.
    """
    inner = node.child_by_field_name("arguments") if node.type == "function_call_expression" else None
    told = inner is not None and node_text(node.child_by_field_name("function")).lower() in _CASES
    given = inner.named_children[0].named_children if told and inner is not None and inner.named_children else []
    return given[0] if len(given) == 1 else node


def _holds(_callee: str, arguments: Arguments) -> Operation | None:
    """``str_contains($text, 'part')``; of a part that is not constant nothing is known."""
    known = len(arguments) == 2 and constant_text(arguments[1].node) is not None
    return Compare("in", arguments[1].node, arguments[0].node) if known else None


def _without_folders(callee: str, arguments: Arguments) -> Operation | None:
    """A replacement that leaves no slash leaves a name without folders, as ``basename`` does."""
    if len(arguments) < 2:
        return None
    of_characters = callee == "strtr"
    subject = arguments[0] if of_characters else arguments[-1]
    searched = arguments[1 if of_characters else 0].node
    put = searched if len(arguments) == 2 else arguments[2 if of_characters else 1].node
    taken = [constant_text(item[0]) or "" for item in _items(searched)]
    left = [constant_text(item[-1]) for item in _items(put)]
    leaves = any(text is None or "/" in text for text in left)
    whole = any("/" in text for text in taken) if of_characters and len(arguments) == 3 else "/" in taken
    kept = leaves or not whole or len(arguments) > 3
    return None if kept else Call("basename", None, (subject,), like("basename"))


def _items(node: Node) -> list[list[Node]]:
    """The texts that are looked for or put in: one, or the items of a table with their keys."""
    if node.type != "array_creation_expression":
        return [[node]]
    return [item.named_children for item in node.named_children if item.named_children]


def _is_set(_callee: str, arguments: Arguments) -> Operation | None:
    if len(arguments) != 1 or arguments[0].node.type != "subscript_expression":
        return None
    parts = arguments[0].node.named_children
    return Compare("in", parts[1], parts[0]) if len(parts) == 2 and constant_text(parts[1]) is None else None


def _stream(_callee: str, arguments: Arguments) -> Operation | None:
    stream = _STREAMS.match(constant_text(arguments[0].node) or "")
    return Name(stream.group().lower()) if stream is not None else None


def _hooked(callee: str, arguments: Arguments) -> Operation | None:
    """What follows the value only tells the filters more."""
    return Call(callee, None, arguments[1:2], "str") if len(arguments) > 1 else None


def _from_environment(_callee: str, arguments: Arguments) -> Operation | None:
    sent = _FROM_CLIENT.fullmatch(constant_text(arguments[0].node) or "")
    return Name("header from the client") if sent is not None else None


def _data_alone(_callee: str, arguments: Arguments) -> Operation | None:
    limited = len(arguments) > 1 and _NO_CLASSES.search(node_text(arguments[1].node))
    return Call("json_decode", None, arguments[:1], like("json_decode")) if limited else None


def _parameter(_callee: str, arguments: Arguments) -> Operation:
    safe = _SAFE_PARAMETER.search(node_text(arguments[-1].node))
    return Constant(None) if safe is not None else Name("get_query_var")


def _dolibarr(_callee: str, arguments: Arguments) -> Operation:
    """Dolibarr's reader takes out signs that do harm but for a few kinds of its second argument."""
    kind = constant_text(arguments[1].node) if len(arguments) > 1 else ""
    return Name("get_query_var") if kind in ("none", "nohtml", "restricthtml") else Constant(None)


def _filtered(callee: str, arguments: Arguments) -> Operation | None:
    filters = [node_text(argument.node) for argument in arguments]
    if any(map(_NUMERIC_FILTER.match, filters)):
        return Call(callee, None, arguments[:1], "isdigit") if callee == "filter_var" else Constant(None)
    if any(map(_HTML_FILTER.search, filters)):
        return Call("htmlspecialchars", None, arguments[:1], "html.escape")
    return Call(callee, None, arguments, "str") if callee == "filter_var" else None


def _with_query(callee: str, arguments: Arguments) -> Operation:
    """WordPress's address with another query: of the address that comes last, without one of the page itself."""
    first = arguments[0].node.type
    pairs = callee == "add_query_arg" and first != "array_creation_expression"
    if len(arguments) > (2 if pairs else 1) or (first == "variable_name" and len(arguments) > 1):
        return Call(callee, None, arguments[-1:], "str")
    return Name("current.path")


def _curl_option(callee: str, arguments: Arguments) -> Operation | None:
    """The option of a request that names its address; any other changes nothing here."""
    known = node_text(arguments[1].node) if len(arguments) > 1 else ""
    other = known.startswith("CURLOPT_") and known != "CURLOPT_URL"
    return Call("curl_option" if other else callee, None, arguments)


def _curl_options(callee: str, arguments: Arguments) -> Operation | None:
    table = arguments[-1].node
    for item in table.named_children if table.type == "array_creation_expression" else []:
        parts = item.named_children
        if len(parts) > 1 and node_text(parts[0]) == "CURLOPT_URL":
            return Call(callee, None, (arguments[0], Argument(parts[0]), Argument(parts[-1])))
    return None


def _extracted(callee: str, arguments: Arguments) -> Operation | None:
    """Variables made of all that a request sent; other tables have names that the program chose."""
    given = arguments[0].node
    if names_of_table(given):  # ``extract(shortcode_atts(array('size' => ''), $atts))`` makes ``$size``
        return Assign(given, given)
    whole = _REQUEST_TABLE.fullmatch(node_text(arguments[0].node)) is not None
    kept = len(arguments) > 1 and _KEEPS.search(node_text(arguments[1].node)) is not None
    return None if whole and not kept else Call(f"{callee}_table", None, arguments)


def names_of_table(call: Node) -> list[Node]:
    """The texts that name the fields of a table whose defaults a call is given first; none for other nodes."""
    known = call.type == "function_call_expression" and node_text(call.child_by_field_name("function")) in _DEFAULTS
    listed = call.child_by_field_name("arguments") if known else None
    first = listed.named_children[0] if listed is not None and listed.named_children else None
    table = first.named_children[-1] if first is not None and first.type == "argument" else None
    if table is None or table.type != "array_creation_expression":
        return []
    items = (item.named_children for item in table.named_children)
    keys = (parts[0] for parts in items if len(parts) > 1 and constant_text(parts[0]) is not None)
    return [key.named_children[0] for key in keys if key.named_children]


def _as_text(callee: str, arguments: Arguments) -> Operation | None:
    """``print_r($value, true)`` gives back what it would print."""
    given_back = len(arguments) > 1 and node_text(arguments[1].node).lower() not in ("false", "0")
    return Call(f"{callee}_text", None, arguments[:1], "str") if given_back else None


def _downloaded(_callee: str, arguments: Arguments) -> Operation | None:
    """CodeIgniter reads the file when it is not given the content."""
    content = node_text(arguments[1].node).lower() if len(arguments) > 1 else "null"
    return None if content == "null" else Call("download_content", None, arguments)


def _part_of_address(_callee: str, arguments: Arguments) -> Operation | None:
    """``parse_url($address, PHP_URL_HOST)`` is its host alone."""
    if len(arguments) != 2 or not node_text(arguments[1].node).endswith("PHP_URL_HOST"):
        return None
    return Member(arguments[0].node, "host")


SPECIAL: dict[str, Callable[[str, Arguments], Operation | None]] = {
    "parse_url": _part_of_address,
    **dict.fromkeys(("in_array", "array_key_exists", "key_exists"), _member),
    "isset": _is_set,
    "str_contains": _holds,
    **dict.fromkeys(("str_replace", "str_ireplace", "strtr"), _without_folders),
    **dict.fromkeys(("file_get_contents", "fopen", "file", "readfile"), _stream),
    "apply_filters": _hooked,
    "getenv": _from_environment,
    "extract": _extracted,
    "force_download": _downloaded,
    "print_r": _as_text,
    **dict.fromkeys(("unserialize", "igbinary_unserialize"), _data_alone),
    **dict.fromkeys(("optional_param", "required_param"), _parameter),
    **dict.fromkeys(("filter_input", "filter_var"), _filtered),
    **dict.fromkeys(("add_query_arg", "remove_query_arg"), _with_query),
    "GETPOST": _dolibarr,
    "curl_setopt": _curl_option,
    "curl_setopt_array": _curl_options,
}
"""By the function's name; ``None`` of one means that this call is like any other. Each is given arguments."""
