"""Routes and guards of PHP: Laravel, Symfony, WordPress, and scripts that check their session themselves."""

from __future__ import annotations

import re
from collections.abc import Mapping

from tree_sitter import Node

from devpulse.core.flow.syntax_nodes import line_of, node_text, walk
from devpulse.core.knowledge import access_words
from devpulse.core.rules.access import Endpoint
from devpulse.core.rules.access_control.bodies import body_guards, mentions
from devpulse.core.rules.access_control.checking import AccessCheck
from devpulse.core.rules.access_control.laravel_routes import route_of
from devpulse.core.rules.access_control.php_controllers import ControllerClass, controller_of, method_endpoint
from devpulse.core.rules.access_control.wordpress import Hooked, hooked_functions, rest_routes
from devpulse.core.source import Rule, Source
from devpulse.core.symbols import Resolver
from devpulse.core.syntax import parse

_WORDS = access_words("php")
_ROUTES = re.compile(
    r"\bRoute::|\bclass\s+\w*Controller\b|extends\s+\w*Controller\b|wp_ajax_|admin_post_|register_rest_route"
)
_FUNCTIONS = frozenset({"function_definition", "method_declaration"})


def read(source: Source, resolver: Resolver) -> list[Endpoint]:  # noqa: ARG001  (the fixed signature)
    """Every route, function and the script itself, with their guards."""
    tree = parse("php", source.text)
    hooked = hooked_functions(source.text)
    checking = _checking_functions(tree.root_node)
    found = [_script(tree.root_node)]
    classes: list[tuple[int, ControllerClass]] = []
    for node in walk(tree):
        while classes and node.start_byte >= classes[-1][0]:
            classes.pop()
        if node.type == "class_declaration":
            owner = controller_of(node)
            classes.append((node.end_byte, owner))
            found.append(owner.endpoint)
        elif node.type in _FUNCTIONS:
            owner_here = classes[-1][1] if classes else None
            if owner_here is not None and owner_here.is_controller:
                found.append(method_endpoint(node, owner_here, checking))
            else:
                found.append(_function(node, owner_here, hooked, checking))
        elif node.type in ("member_call_expression", "scoped_call_expression"):
            route = route_of(node)
            if route is not None:
                found.append(route)
    return [*found, *rest_routes(tree.root_node, source.text)]


def _script(root: Node) -> Endpoint:
    statements = [child for child in root.named_children if child.type.endswith("_statement")]
    text = "\n".join(node_text(statement) for statement in statements)
    guards = tuple(body_guards(root, _WORDS))
    return Endpoint("script", "", frozenset(), 1, 1, guards, mentions=len(guards) + mentions(text, _WORDS))


def _checking_functions(root: Node) -> re.Pattern[str]:
    """Calls of functions of this file that hold a check."""
    names = {
        node_text(node.child_by_field_name("name"))
        for node in walk(root)
        if node.type in _FUNCTIONS and body_guards(node.child_by_field_name("body"), _WORDS)
    }
    return re.compile(rf"\b(?:{'|'.join(sorted(map(re.escape, names)))})\s*\(") if names else re.compile(r"(?!)")


def _function(
    node: Node, owner: ControllerClass | None, hooked: Mapping[str, Hooked], checking: re.Pattern[str]
) -> Endpoint:
    """A plain function; one that WordPress calls for a request is a route."""
    name, body = node_text(node.child_by_field_name("name")), node.child_by_field_name("body")
    text, line = node_text(body), line_of(node)
    hook = hooked.get(name)
    guards = tuple(body_guards(body, _WORDS))
    mentioned = mentions(text, _WORDS)
    return Endpoint(
        name=f"{owner.name}.{name}" if owner is not None else name,
        route=hook.action if hook is not None else "",
        methods=hook.methods if hook is not None else frozenset(),
        start_line=line,
        end_line=line,
        guards=guards,
        group="hooks",
        excused=mentioned > 0 or checking.search(text) is not None or (hook is not None and _is_open(hook, text)),
        mentions=mentioned + len(guards),
    )


def _is_open(hook: Hooked, text: str) -> bool:
    """Whether a handler is for everybody, or shows things only to who got a nonce from a page of the site."""
    return hook.public or ("POST" not in hook.methods and "nonce" in text)


RULE = Rule(
    id="php-broken-access-control",
    category="broken-access-control",
    languages=frozenset({"php"}),
    check=AccessCheck(read, _ROUTES),
)
