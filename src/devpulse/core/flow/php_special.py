"""Functions of PHP and its frameworks whose calls are a condition, a source, or depend on what they are given."""

from __future__ import annotations

import re
from collections.abc import Callable

from devpulse.core.flow.operations import Argument, Call, Compare, Constant, Name, Operation
from devpulse.core.flow.php_functions import like
from devpulse.core.flow.php_texts import constant_text
from devpulse.core.flow.syntax_nodes import node_text

Arguments = tuple[Argument, ...]
_STREAMS = re.compile(r"(?i)^php://(?:input|stdin)")
_NUMERIC_FILTER = re.compile(r"(?i)FILTER_(?:VALIDATE_(?:INT|FLOAT|BOOL(?:EAN)?|IP)|SANITIZE_NUMBER_\w+)$")
_NO_CLASSES = re.compile(r"(?i)allowed_classes['\"]\s*=>\s*+(?!true)")
_HTML_FILTER = re.compile(r"FILTER_SANITIZE_(?:FULL_SPECIAL_CHARS|SPECIAL_CHARS|STRING|STRIPPED|ENCODED)$")
_FROM_CLIENT = re.compile(r"(?i)HTTP_\w+|REQUEST_URI|QUERY_STRING|PHP_SELF|PATH_INFO")

_SAFE_PARAMETER = re.compile(r"PARAM_(?!RAW|NOTAGS|TEXT$|CLEANHTML|URL|PATH)\w+$")
"""Moodle's types of input that leave nothing to do harm with."""


def _member(_callee: str, arguments: Arguments) -> Operation | None:
    return Compare("in", arguments[0].node, arguments[1].node) if len(arguments) > 1 else None


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


SPECIAL: dict[str, Callable[[str, Arguments], Operation | None]] = {
    **dict.fromkeys(("in_array", "array_key_exists", "key_exists"), _member),
    "isset": _is_set,
    **dict.fromkeys(("file_get_contents", "fopen", "file", "readfile"), _stream),
    "apply_filters": _hooked,
    "getenv": _from_environment,
    **dict.fromkeys(("unserialize", "igbinary_unserialize"), _data_alone),
    **dict.fromkeys(("optional_param", "required_param"), _parameter),
    **dict.fromkeys(("filter_input", "filter_var"), _filtered),
    **dict.fromkeys(("add_query_arg", "remove_query_arg"), _with_query),
    "curl_setopt": _curl_option,
    "curl_setopt_array": _curl_options,
}
"""By the function's name; ``None`` of one means that this call is like any other. Each is given arguments."""
