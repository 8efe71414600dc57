"""Places in code that a rule looks for by name, with what their surroundings say: for rules that need no data flow.

A rule brings `Form` values: a pattern of the text, and a question asked for each place it matches in code. Nothing is
parsed where no word of a form stands in the text. The syntax of all languages is known here by the names of their
nodes, which is all a new language adds.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from tree_sitter import Node

from devpulse.core.categories import Confidence
from devpulse.core.finding import Hit
from devpulse.core.flow.syntax_nodes import end_line_of, node_text, short_text
from devpulse.core.lazy_pattern import lazy
from devpulse.core.rules.wording import Weakness, Wording, make_hit
from devpulse.core.source import Rule, Source
from devpulse.core.symbols import Resolver
from devpulse.core.syntax import parse
from devpulse.core.text import bytes_at

MAX_PLACES = 4_000
"""Places looked at for one form in one file."""

_LEAST_STOPPED = 8 * MAX_PLACES
"""Characters below which no text has so many places."""

MAX_LINES = 10
MAX_CLIMB = 80
MAX_LINE = 400
_TEXT_LIMIT = 6_000

PYTHON = frozenset({"python"})
JAVASCRIPT = frozenset({"javascript", "typescript", "tsx"})
JAVA = frozenset({"java"})
GO = frozenset({"go"})
PHP = frozenset({"php"})
RUBY = frozenset({"ruby"})
LANGUAGES = PYTHON | JAVASCRIPT | JAVA | GO | PHP | RUBY

CALLS = frozenset(
    {
        "call", "call_expression", "new_expression", "method_invocation", "object_creation_expression",
        "function_call_expression", "member_call_expression", "nullsafe_member_call_expression",
        "scoped_call_expression", "composite_literal", "explicit_constructor_invocation",
    }
)  # fmt: skip
_NAMING = {
    "assignment": "left", "augmented_assignment": "left", "variable_declarator": "name",
    "assignment_expression": "left", "short_var_declaration": "left", "assignment_statement": "left",
    "var_spec": "name", "const_spec": "name", "pair": "key", "keyword_argument": "name", "keyed_element": "key",
    "property_element": "name", "field_definition": "property", "public_field_definition": "property",
    "operator_assignment": "left", "const_element": "name", "named_expression": "name",
}  # fmt: skip
"""Nodes that give a value a name, with the field the name stands in."""

FUNCTIONS = frozenset(
    {
        "function_definition", "function_declaration", "method_definition", "method_declaration", "method",
        "singleton_method", "constructor_declaration", "generator_function_declaration", "function_expression",
    }
)  # fmt: skip
_CONDITIONALS = frozenset(
    {"if_statement", "if", "unless", "elsif", "conditional_expression", "ternary_expression", "if_modifier",
     "unless_modifier", "conditional", "elif_clause", "else_if_clause"}
)  # fmt: skip
_NO_CODE = lazy(r"comment|string|heredoc|regex|^text$|^program$|^[\"'`]")
_TEXT = lazy(r"string|^[\"'`]")
_BLOCKS = lazy(r"block|body|^module$|^program$|source_file|statement_list|_list$")
_PLAIN_NAME = lazy(r"\$?[A-Za-z_]\w{0,40}")
_SPLIT = lazy(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|\W+")


def as_words(name: str) -> str:
    """A name as lower case words between underscores: ``_reset_token_`` for ``user.resetToken`` is found by both."""
    return "_" + _SPLIT.sub("_", name).lower().strip("_") + "_"


@dataclass(frozen=True)
class Site:
    """A match in code. ``node`` is the innermost node where it begins."""

    source: Source
    node: Node
    match: re.Match[str]
    form: Form

    @cached_property
    def _above(self) -> list[Node]:
        nodes: list[Node] = []
        node: Node | None = self.node
        while node is not None and len(nodes) < MAX_CLIMB:
            nodes.append(node)
            node = node.parent
        return nodes

    @cached_property
    def call(self) -> Node | None:
        """The call whose name the match begins in."""
        for node in self._above[1:8]:
            if node.type in CALLS:
                arguments = argument_list(node)
                return node if arguments is None or arguments.start_byte > self.node.start_byte else None
        return None

    @cached_property
    def arguments(self) -> str:
        """The arguments of the call on one line, without their parentheses."""
        text = short_text(argument_list(self.call), 1_000) if self.call is not None else ""
        return text[1:-1] if text[:1] in ("(", "{") else text

    @cached_property
    def given(self) -> list[str]:
        """Each argument of the call on one line."""
        arguments = argument_list(self.call) if self.call is not None else None
        children = arguments.named_children if arguments is not None else []
        return [short_text(child, 400) for child in children if "comment" not in child.type]

    @cached_property
    def function(self) -> Node | None:
        """The named function around."""
        return next((node for node in self._above if node.type in FUNCTIONS and _name(node)), None)

    @cached_property
    def function_name(self) -> str:
        """Its name; empty outside."""
        return node_text(self.function.child_by_field_name("name")) if self.function is not None else ""

    @cached_property
    def function_text(self) -> str:
        """The text of the function around, or of what stands around the place in the file."""
        if self.function is not None:
            return node_text(self.function)[:_TEXT_LIMIT]
        start = self.match.start()
        return self.source.text[max(start - 1_500, 0) : start + 1_500]

    def meant(self, expression: str) -> str:
        """What a plain name was last set to before the place, on one line; any other expression itself.

        Empty where nothing is known: the name is a parameter, or something in between may have filled it.
        """
        if not _PLAIN_NAME.fullmatch(expression):
            return expression
        name = re.escape(expression)
        setting = re.compile(rf"(?m)(?<![\w.$]){name}\s*(?::\s*\w[\w\[\]]*\s*)?:?=(?![=>])([^\n;]*)")
        found = list(setting.finditer(self._before))
        if found:
            used = re.search(rf"(?<![\w.$]){name}(?!\w)", self._before[found[-1].end() :])
            return "" if used else found[-1].group(1).strip()
        constant = setting.search(self.source.text) if expression.isupper() else None
        return constant.group(1).strip() if constant is not None else ""

    @cached_property
    def _before(self) -> str:
        """The text of the function up to the place."""
        end = self.match.start()
        lines = self.source.text[max(end - _TEXT_LIMIT, 0) : end].split("\n")
        rows = self.node.start_point[0] - (self.function.start_point[0] if self.function is not None else 0)
        return "\n".join(line for line in lines[-rows - 1 :] if not line.lstrip().startswith(("//", "#")))

    @cached_property
    def owner(self) -> Node | None:
        """The class around."""
        return next((node for node in self._above if node.type.startswith("class") and _name(node)), None)

    @cached_property
    def class_name(self) -> str:
        """Its name; empty outside."""
        return _name(self.owner) if self.owner is not None else ""

    @cached_property
    def named(self) -> list[str]:
        """What the result is called: targets, keys, and the calls it is handed to, from the inside."""
        names: list[str] = []
        for node in self._above:
            if node.type in FUNCTIONS and _name(node):
                break
            field = _NAMING.get(node.type)
            if field is not None:
                names.append(short_text(node.child_by_field_name(field), 80))
            elif node.type == "array_element_initializer" and len(node.named_children) > 1:
                names.append(short_text(node.named_children[0], 80))
            elif node.type in CALLS and node is not self.call and self._stands_in_arguments(node):
                names.append(callee_text(node))
        return names

    @cached_property
    def chained(self) -> str:
        """The arguments of the calls that follow on the result: ``make(...).update(data).digest()``."""
        calls = (node for node in self._above if node.type in CALLS and node is not self.call)
        return " ".join(short_text(argument_list(node), 300) for node in calls if not self._stands_in_arguments(node))

    def _stands_in_arguments(self, call: Node) -> bool:
        arguments = argument_list(call)
        return arguments is not None and arguments.start_byte <= self.node.start_byte

    @cached_property
    def conditions(self) -> str:
        """The conditions under which the place runs, within its function."""
        found = []
        inner = self.node
        for node in self._above[1:]:
            condition = node.child_by_field_name("condition") if node.type in _CONDITIONALS else None
            if condition is not None and condition != inner:
                found.append(short_text(condition, 200))
            if node.type in FUNCTIONS and _name(node):
                break
            inner = node
        return " ".join(found)

    @cached_property
    def statement(self) -> Node:
        """The statement around."""
        kept = self.node
        for node in self._above[1:]:
            if _BLOCKS.search(node.type) and node.type not in ("argument_list", "expression_list"):
                break
            kept = node
        return kept

    def option(self, name: str) -> str | None:
        """What is given for a keyword, or a key of an options table, in lower case; ``None`` when it is not there."""
        found = re.search(rf"(?<![\w.]):?[\"']?{name}[\"']?\s*(?:=>|[:=])(?!=)\s*([^,)}}\]]+)", self.arguments)
        return found.group(1).strip().lower() if found else None

    @property
    def lines(self) -> tuple[int, int]:
        """The lines from the match to the end of its call, or of its own node."""
        line = self.node.start_point[0] + 1
        end = self.call if self.call is not None else self.node
        return line, max(line, min(end_line_of(end), line + MAX_LINES - 1))


Judge = Callable[[Site], Confidence | None]
"""Says how sure a place is a flaw, or ``None``."""


@dataclass(frozen=True, slots=True)
class Form:
    """One form of a flaw in some languages.

    ``words`` are tried first, as plain text; ``pattern`` then gives the places, each beginning with a name in code.
    ``near``: what the line of the place must have besides.
    """

    languages: frozenset[str]
    words: tuple[str, ...]
    pattern: re.Pattern[str]
    judge: Judge
    weakness: Weakness
    wording: Wording
    near: re.Pattern[str] | None = None

    def is_named_in(self, text: str) -> bool:
        """Whether a text has one of the words, without which nothing in it can match."""
        return any(map(text.__contains__, self.words))


@dataclass(frozen=True, slots=True)
class Surely:
    """The judgement of a form whose every place is a flaw, as sure as is said."""

    confidence: Confidence

    def __call__(self, site: Site) -> Confidence:  # noqa: ARG002  (the fixed signature)
        """The same for each place."""
        return self.confidence


@dataclass(frozen=True, slots=True)
class FormCheck:
    """The check of a rule that is made of forms: one hit a line, the first form that applies."""

    forms: tuple[Form, ...]

    def __call__(self, source: Source, resolver: Resolver) -> Iterator[Hit]:  # noqa: ARG002  (the fixed signature)
        """Hits in the order of the forms."""
        seen: set[int] = set()
        for form in self.forms:
            if source.language not in form.languages or not form.is_named_in(source.text):
                continue  # most are: a generator for each would be made in vain
            for site in sites(form, source):
                if site.lines[0] in seen:
                    continue
                confidence = form.judge(site)
                if confidence is not None:
                    seen.add(site.lines[0])
                    yield make_hit(form.weakness, form.wording, site.lines, confidence)

    def stopped(self, source: Source) -> bool:
        """Whether a form has more places in a file than are looked at."""
        return len(source.text) >= _LEAST_STOPPED and any(too_many(form, source) for form in self.forms)


def form_rule(rule_id: str, category: str, languages: frozenset[str], forms: tuple[Form, ...]) -> Rule:
    """A rule of forms alone."""
    check = FormCheck(forms)
    return Rule(rule_id, category, languages, check, check.stopped)


def sites(form: Form, source: Source) -> Iterator[Site]:
    """The places of a form in the code of a file, not those in comments and texts."""
    text = source.text
    if source.language not in form.languages:
        return
    found = list(islice(_places(form, text), MAX_PLACES))
    if not found:
        return
    root = parse(source.language, text).root_node
    for match, byte in zip(found, bytes_at(text, [match.start() for match in found]), strict=True):
        node = root.descendant_for_byte_range(byte, byte + 1)
        if node is not None and _is_code(node, byte):
            yield Site(source, node, match, form)


def too_many(form: Form, source: Source) -> bool:
    """Whether a form has more places in a file than are looked at."""
    text = source.text
    if len(text) < _LEAST_STOPPED or source.language not in form.languages:
        return False
    places = _places(form, text)
    return next(islice(places, MAX_PLACES, None), None) is not None


def _places(form: Form, text: str) -> Iterator[re.Match[str]]:
    """Where a form's pattern matches, in code or not."""
    if form.is_named_in(text):
        for match in form.pattern.finditer(text):
            if form.near is None or form.near.search(text, *_line(text, match.start())):
                yield match


def _line(text: str, at: int) -> tuple[int, int]:
    """Where the line around a place begins and ends; of a very long one the part around it."""
    end = text.find("\n", at, at + MAX_LINE)
    start = text.rfind("\n", max(at - MAX_LINE, 0), at) + 1
    return max(start, at - MAX_LINE), at + MAX_LINE if end < 0 else end


def _is_code(node: Node, byte: int) -> bool:
    """Whether a match is no part of a comment or text; it may begin with a text that is a key."""
    if not _NO_CODE.search(node.type):
        return True
    if not _TEXT.search(node.type) or node.start_byte != byte:
        return False
    parent = node.parent
    return parent is None or not _TEXT.search(parent.type) or parent.start_byte == byte


def argument_list(call: Node) -> Node | None:
    """The arguments of a call, or the fields of a literal that stands for one."""
    found = call.child_by_field_name("arguments") or call.child_by_field_name("body")
    return found or next((child for child in call.named_children if child.type in ("arguments", "argument_list")), None)


def callee_text(call: Node) -> str:
    """What a call calls, as it is written, on one line."""
    arguments = argument_list(call)
    text = short_text(call, 160)
    if arguments is None:
        return text
    length = arguments.start_byte - call.start_byte
    return text[:length].rstrip("( ")[-80:]


def _name(node: Node) -> str:
    return node_text(node.child_by_field_name("name"))
