"""Routes and guards of Java: Spring, JAX-RS, servlets and Jenkins' web methods."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from devpulse.core.flow.syntax_nodes import end_line_of, line_of, node_text, parts_of, short_text, walk
from devpulse.core.knowledge import access_words
from devpulse.core.rules.access import Endpoint, Guard
from devpulse.core.rules.access_control.actions import is_single
from devpulse.core.rules.access_control.bodies import body_guards, mentions
from devpulse.core.rules.access_control.checking import AccessCheck
from devpulse.core.source import Rule, Source
from devpulse.core.symbols import Resolver
from devpulse.core.syntax import parse

_WORDS = access_words("java")
_CLASSES = frozenset({"class_declaration", "interface_declaration", "record_declaration"})
_SPRING = re.compile(r"(Get|Post|Put|Patch|Delete|Request)Mapping")
_JAX_RS = frozenset({"GET", "POST", "PUT", "PATCH", "DELETE"})
_SERVLET = re.compile(r"do(Get|Post|Put|Patch|Delete)")
_STAPLER = re.compile(r"do[A-Z]\w*")
_STAPLER_READS = re.compile(r"do(?:Check|Fill|AutoComplete|Index|Get|Show|View|Help)")
_STAPLER_TYPES = re.compile(
    r"Stapler(?:Request|Response)|@QueryParameter|@AncestorInPath|@DataBoundConstructor|@POST\b"
)
_MAPPED = re.compile(r"RequestMethod\.(\w+)|\b(GET|POST|PUT|PATCH|DELETE)\b")
_PATH = re.compile(r'"([^"]*)"')
_CALLER_PARAMETER = re.compile(
    r"@(?:AuthenticationPrincipal|CurrentUser|LoginUser|Auth|SessionAttribute|CurrentSecurityContext)\b|\b(?:Principal|Authentication|SecurityContext|HttpSession)\b"
)
_OWN = re.compile(r"#\w+|returnObject|(?i:owner|self)")
_MATCHERS = re.compile(r"\.(?:request|ant|mvc|regex|path|security)Matchers?\(|\.anyRequest\(|\.anyExchange\(")
_CHAINED = re.compile(r"has(?:Any)?(?:Role|Authority|Permission)s?|authenticated|fullyAuthenticated|denyAll|access")
_ROUTES = re.compile(r"@\w+Mapping\b|@Path\b|\bdo(?:Post|Put|Delete)\b|\bStapler|@QueryParameter")


def read(source: Source, resolver: Resolver) -> list[Endpoint]:  # noqa: ARG001  (the fixed signature)
    """Every method and class with its guards; a guard of the class guards its methods."""
    classes: list[tuple[int, Endpoint, bool]] = []
    found: list[Endpoint] = []
    checking = re.compile(r"(?!)")
    for node in walk(parse("java", source.text)):
        while classes and node.start_byte >= classes[-1][0]:
            classes.pop()
        if node.type in _CLASSES:
            marks = _annotations(node)
            name = node_text(node.child_by_field_name("name"))
            line = line_of(node)
            own = Endpoint(f"class {name}", _path(marks), frozenset(), line, line, tuple(_guards(marks)), group=name)
            classes.append((node.end_byte, own, any(_is_open(mark) for mark in marks)))
            found.append(own)
            checking = _checking_methods(node)
        elif node.type == "method_declaration" and classes:
            found.append(_endpoint(node, classes[-1][1], checking, opened=classes[-1][2]))
    return found


def _checking_methods(node: Node) -> re.Pattern[str]:
    """Calls of methods of this class that hold a check."""
    body = node.child_by_field_name("body")
    names = [
        node_text(method.child_by_field_name("name"))
        for method in parts_of(body)
        if method.type == "method_declaration" and body_guards(method.child_by_field_name("body"), _WORDS)
    ]
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, names))})\(") if names else re.compile(r"(?!)")


def _annotations(node: Node) -> list[Node]:
    modifiers = next((child for child in node.children if child.type == "modifiers"), None)
    return [child for child in parts_of(modifiers) if child.type.endswith("annotation")]


def _name(mark: Node) -> str:
    return node_text(mark.child_by_field_name("name")).rpartition(".")[2]


def _guards(marks: list[Node]) -> Iterator[Guard]:
    for mark in marks:
        if _WORDS.marks.fullmatch(_name(mark)) and not _is_open(mark):
            text = short_text(mark, 160)
            yield Guard(text, line_of(mark), end_line_of(mark), personal=_OWN.search(text) is not None)


def _is_open(mark: Node) -> bool:
    arguments = node_text(mark.child_by_field_name("arguments"))
    return _WORDS.open.fullmatch(_name(mark)) is not None or re.search(r"permitAll|isAnonymous", arguments) is not None


def _is_mapping(mark: Node) -> bool:
    return _name(mark) == "Path" or _SPRING.fullmatch(_name(mark)) is not None


def _path(marks: list[Node]) -> str:
    for mark in marks:
        if _is_mapping(mark):
            found = _PATH.search(node_text(mark))
            return found.group(1) if found else ""
    return ""


def _endpoint(node: Node, owner: Endpoint, checking: re.Pattern[str], *, opened: bool) -> Endpoint:
    marks, body = _annotations(node), node.child_by_field_name("body")
    name, text = node_text(node.child_by_field_name("name")), node_text(body)
    parameters = node_text(node.child_by_field_name("parameters"))
    guards = [*_guards(marks), *(_chain_guards(body) if _MATCHERS.search(text) else body_guards(body, _WORDS))]
    if owner.guards:
        guards.append(Guard(owner.name, line_of(node), line_of(node)))
    mentioned = mentions(text, _WORDS)
    route, named = _path(marks), line_of(node.child_by_field_name("name") or node)
    return Endpoint(
        name=f"{owner.group}.{name}",
        route=f"{owner.route.rstrip('/')}/{route.lstrip('/')}" if route else owner.route,
        methods=_methods(name, marks, parameters, node_text(node)[:400]),
        start_line=min([line_of(mark) for mark in marks if _is_mapping(mark)], default=named),
        end_line=named,
        guards=tuple(guards),
        group=owner.group,
        excused=opened
        or any(map(_is_open, marks))
        or _CALLER_PARAMETER.search(parameters) is not None
        or mentioned > 0
        or checking.search(text) is not None
        or body is None,
        single="{" in route or is_single(name),
        mentions=len(guards) + mentions(node_text(node), _WORDS),
    )


def _chain_guards(body: Node | None) -> Iterator[Guard]:
    """``.requestMatchers("/admin/**").hasRole("ADMIN")`` of a filter chain."""
    for node in walk(body) if body is not None else ():
        name = node.child_by_field_name("name") if node.type == "method_invocation" else None
        if name is not None and _CHAINED.fullmatch(node_text(name)):
            matcher = short_text((node.child_by_field_name("object") or node).child_by_field_name("arguments"), 120)
            text = f"{matcher} {node_text(name)}{short_text(node.child_by_field_name('arguments'), 120)}"
            yield Guard(text, line_of(name), end_line_of(node))


def _methods(name: str, marks: list[Node], parameters: str, head: str) -> frozenset[str]:
    """The methods of a route; a mapping without one takes all of them, most of all reading."""
    for mark in marks:
        spring = _SPRING.fullmatch(_name(mark))
        if spring and spring.group(1) != "Request":
            return frozenset({spring.group(1).upper()})
        if spring:
            listed = _MAPPED.findall(node_text(mark.child_by_field_name("arguments")))
            return frozenset(one or other for one, other in listed) or frozenset({"GET"})
        if _name(mark) in _JAX_RS and not _STAPLER_TYPES.search(parameters):
            return frozenset({_name(mark)})
    servlet = _SERVLET.fullmatch(name)
    if servlet and "HttpServletRe" in parameters:
        return frozenset({servlet.group(1).upper()})
    if _STAPLER.fullmatch(name) and _STAPLER_TYPES.search(head) and "public" in head.partition("(")[0]:
        return frozenset({"GET" if _STAPLER_READS.match(name) else "POST"})
    return frozenset()


RULE = Rule(
    id="java-broken-access-control",
    category="broken-access-control",
    languages=frozenset({"java"}),
    check=AccessCheck(read, _ROUTES),
)
