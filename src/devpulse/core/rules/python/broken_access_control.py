"""Broken access control in Python: Flask, FastAPI and Django endpoints without a guard, and guards taken away."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from devpulse.core.finding import Hit
from devpulse.core.flow.syntax_nodes import end_line_of, line_of, node_text, short_text
from devpulse.core.languages.python_routes import mentions_route, route_decorator
from devpulse.core.lazy_pattern import lazy
from devpulse.core.rules.access import Endpoint, Guard, is_guard, missing_guards, removed_guards, untied_loads
from devpulse.core.rules.deleted_guards import deleted_guards
from devpulse.core.rules.python.guard_definitions import guards_of
from devpulse.core.rules.python.owned_loads import loads_of
from devpulse.core.source import Rule, Source
from devpulse.core.symbols import Resolver
from devpulse.core.syntax import parse

_VERBS = frozenset({"get", "post", "put", "patch", "delete", "head", "options"})
_NO_ENDPOINTS = frozenset({"require_http_methods", "require_GET", "require_POST", "require_safe", "view_config"})
"""Decorators of views whose path stands elsewhere, so that nothing is known of who may reach them."""

_METHODS = lazy(r"methods\s*=\s*[\[({]([^\])}]*)|(?:api_view|require_http_methods)\(\s*\[([^\]]*)")
_WORD = lazy(r"[A-Za-z]+")
_WHOLE = lazy(
    r"before_request|(?:APIRouter|FastAPI)\([^)]{0,2000}?dependencies\s*=|add_middleware\(\s*\w*Auth|"
    r"method_decorators\s*=|login_manager\.before|@app\.middleware"
)
_CLASS_GUARD = lazy(
    r"(?i)permission_classes|authentication_classes|LoginRequired|PermissionRequired|UserPassesTest|AccessMixin|decorators\s*=|Protected|Secured|permission_required"
)
_CHECK_CALL = lazy(
    r"(?i)(?:^|[.\s(!])(?:check_|require_|verify_|authori[sz]e|ensure_|assert_|enforce_)\w*(?:access|perm|admin|auth|role|owner|user|login|session|token|right)?\w*\(|has_perm|has_role|is_admin|is_authenticated|is_staff|is_superuser|is_anonymous|current_user\.|check_permission|can_\w+\(|session\[?\.?(?:get\()?[\"'](?:user|admin|logged|uid|role)|not_authori|\.role\b|\.owner|owner_id|user_id\s*!=|get_current_user|g\.user|HTTP_403|HTTP_401|PermissionDenied|Forbidden|Unauthorized|abort\(\s*40[13]|status_code\s*=\s*40[13]"
)
_DEPENDS = lazy(r"(?:Depends|Security)\(\s*([\w.]+)")
_DJANGO_SENSITIVE = lazy(
    r"(?i)delete|update|create|edit|add|remove|admin|export|manage|change|save|approve|reject|grant"
)


_AROUND_DEFINITIONS = frozenset({
    "function_definition", "class_definition", "decorated_definition", "block", "if_statement", "elif_clause",
    "else_clause", "try_statement", "except_clause", "except_group_clause", "finally_clause", "with_statement",
    "for_statement", "while_statement", "match_statement", "case_clause", "ERROR",
})  # fmt: skip


def check(source: Source, resolver: Resolver) -> Iterator[Hit]:
    """Endpoints that lack the guard of their neighbours, and guards the change removed, also with a whole file."""
    if source.before is None and not mentions_route(source.text):
        return
    after = endpoints_of(source.text)
    yield from missing_guards(after, guarded_as_a_whole=_WHOLE.search(source.text) is not None)
    yield from untied_loads(after)
    if source.before is not None:
        yield from removed_guards(source, endpoints_of(source.before.text), after)
        yield from deleted_guards(source, guards_of(source.before.text), resolver)


def endpoints_of(text: str) -> list[Endpoint]:
    """Every function with its guards; routes have methods."""
    found: list[Endpoint] = []
    classes: list[tuple[int, tuple[Guard, ...], str]] = []
    decorators: tuple[int, list[Node]] = (-1, [])
    for node in _definitions(parse("python", text).root_node):
        while classes and node.start_byte >= classes[-1][0]:
            classes.pop()
        if node.type == "decorated_definition":
            listed = [child for child in node.named_children if child.type == "decorator"]
            definition = node.child_by_field_name("definition")
            decorators = (definition.id if definition is not None else -1, listed)
        elif node.type == "class_definition":
            own = decorators[1] if decorators[0] == node.id else []
            guards = _class_guards(node, own)
            name = node_text(node.child_by_field_name("name"))
            classes.append((node.end_byte, guards, name))
            found.append(Endpoint(f"class {name}", "", frozenset(), line_of(node), line_of(node), guards))
        elif node.type == "function_definition":
            own = decorators[1] if decorators[0] == node.id else []
            inherited = classes[-1][1] if classes else ()
            owner = classes[-1][2] if classes else ""
            found.append(_endpoint(node, own, owner, inherited=bool(inherited)))
    return found


def _definitions(root: Node) -> Iterator[Node]:
    """Definitions and what they stand in, in the order of the text: expressions, nearly all of a tree, have none."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        yield node
        waiting.extend(child for child in reversed(node.named_children) if child.type in _AROUND_DEFINITIONS)


def _class_guards(node: Node, decorators: list[Node]) -> tuple[Guard, ...]:
    parts = [*decorators]
    bases, body = node.child_by_field_name("superclasses"), node.child_by_field_name("body")
    parts += bases.named_children if bases is not None else []
    parts += (
        [child for child in body.named_children if child.type == "expression_statement"] if body is not None else []
    )
    texts = [(part, short_text(part, 120)) for part in parts]
    return tuple(
        Guard(text, line_of(part), end_line_of(part))
        for part, text in texts
        if _CLASS_GUARD.search(text) or (part.type == "decorator" and is_guard(text))
    )


def _endpoint(node: Node, decorators: list[Node], owner: str, *, inherited: bool) -> Endpoint:
    name = node_text(node.child_by_field_name("name"))
    texts = [short_text(decorator, 300) for decorator in decorators]
    guards = [
        Guard(_decorator_name(text), line_of(decorator), end_line_of(decorator))
        for decorator, text in zip(decorators, texts, strict=True)
        if (is_guard(_decorator_name(text)) or "dependencies=" in text.replace(" ", ""))
        and (route_decorator(text) is None or "dependencies" in text)
    ]
    guards += _parameter_guards(node)
    guards += _body_guards(node)
    if inherited:
        guards.append(Guard(f"class {owner}", line_of(node), line_of(node)))
    route, methods = _route(name, texts, node, guarded=bool(guards))
    start = line_of(decorators[0]) if decorators else line_of(node)
    qualified = f"{owner}.{name}" if owner else name
    loads = loads_of(node, guards) if methods else ()
    return Endpoint(qualified, route, methods, start, max(line_of(node), start), tuple(guards), loads=loads)


def _decorator_name(text: str) -> str:
    return " ".join(text.lstrip("@").split())


def _route(name: str, decorators: list[str], node: Node, *, guarded: bool) -> tuple[str, frozenset[str]]:
    """Path and methods of a route; a Django view is one by its first parameter and its name."""
    for text in decorators:
        found = route_decorator(text)
        if found is None or found.word in _NO_ENDPOINTS:
            continue
        listed = _METHODS.search(text)
        if listed:
            methods = frozenset(word.upper() for word in _WORD.findall(listed.group(1) or listed.group(2) or ""))
        else:
            methods = frozenset({found.word.upper() if found.word in _VERBS else "GET"})
        return found.path, methods
    parameters = node.child_by_field_name("parameters")
    first = node_text(parameters.named_children[0]) if parameters is not None and parameters.named_children else ""
    if (
        first.split(":")[0] == "request"
        and not name.startswith(("test", "_"))
        and (guarded or _DJANGO_SENSITIVE.search(name))
    ):
        return "", frozenset({"POST"})
    return "", frozenset()


def _parameter_guards(node: Node) -> list[Guard]:
    parameters = node.child_by_field_name("parameters")
    guards = []
    for child in parameters.named_children if parameters is not None else []:
        text = short_text(child, 200)
        depends = _DEPENDS.search(text)
        if depends and (
            is_guard(depends.group(1))
            or "Security(" in text
            or re.search(r"(?i)user|admin|principal", depends.group(1))
        ):
            guards.append(Guard(f"{depends.group()})", line_of(child), end_line_of(child)))
    return guards


def _body_guards(node: Node) -> list[Guard]:
    """Checks among the statements of the body: a call that raises, or an early exit for those who may not."""
    body = node.child_by_field_name("body")
    guards = []
    for statement in body.named_children[:40] if body is not None else []:
        if statement.type not in ("expression_statement", "if_statement", "assignment", "assert_statement"):
            continue
        condition = statement.child_by_field_name("condition") if statement.type == "if_statement" else statement
        text = short_text(condition, 200)
        consequence = short_text(statement.child_by_field_name("consequence"), 200)
        if statement.type == "if_statement":
            found = _CHECK_CALL.search(text) is not None or _refuses(consequence)
        else:
            found = _CHECK_CALL.search(text) is not None and "=" not in text.split("(")[0]
        if found:
            guards.append(Guard(text, line_of(statement), end_line_of(statement)))
    return guards


def _refuses(consequence: str) -> bool:
    return (
        re.search(
            r"(?i)abort\(\s*40[13]|HTTP_40[13]|status_code\s*=\s*40[13]|,\s*40[13]\b|PermissionDenied|Forbidden|Unauthorized|PermissionError|login",
            consequence,
        )
        is not None
    )


RULE = Rule(
    id="python-broken-access-control", category="broken-access-control", languages=frozenset({"python"}), check=check
)
