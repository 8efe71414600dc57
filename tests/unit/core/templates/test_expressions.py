from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from tables import for_each

from devpulse.core.templates.expressions import parse_expression
from devpulse.core.templates.nodes import Kind, Node
from devpulse.core.templates.tokens import Syntax

SCRIPT = Syntax()
PHP = Syntax(joins=frozenset({"."}))
RUBY = Syntax(joins=frozenset({"+"}), commands=",", ruby=True)
JINJA = Syntax(joins=frozenset({"+", "~"}), filters="|")
FREEMARKER = Syntax(filters="?")
HELPERS = Syntax(joins=frozenset(), commands=" ")


def shape(node: Node) -> str:
    """A node in short: names of what is written, calls with brackets, alternatives with bars."""
    inner = [shape(part) for part in node.parts]
    before = f"{shape(node.receiver)}." if node.receiver is not None else ""
    if node.kind is Kind.CALL:
        return f"{before}{node.name}({', '.join(inner)})"
    if node.kind in (Kind.EITHER, Kind.LIST) or inner:
        return "(" + " | ".join(inner) + ")"
    return {Kind.PLAIN: "0", Kind.UNKNOWN: "?", Kind.TEXT: f"'{node.name}'"}.get(node.kind, before + node.name)


SHAPES = [
    (SCRIPT, "a.b['c'].d", "a.b.c.d"),
    (SCRIPT, "a[i]", "a."),
    (SCRIPT, "f(a, 'b').c()", "f(a, 'b').c()"),
    (SCRIPT, "a ? b : c", "(b | c)"),
    (SCRIPT, "a || b && c", "(a | c)"),
    (SCRIPT, "a + 'x' + b", "(a | 'x' | b)"),
    (SCRIPT, "a - b", "0"),
    (SCRIPT, "a === b ? 'x' : c", "('x' | c)"),
    (SCRIPT, "!a", "0"),
    (SCRIPT, "a?.b ?? c", "(a.b | c)"),
    (SCRIPT, "`x ${a.b}`", "(a.b)"),
    (SCRIPT, "new Html(a)", "Html(a)"),
    (SCRIPT, "(String) a.b", "a.b"),
    (SCRIPT, "a b", "(a | ?)"),
    (PHP, "$a->b . 'x'", "($a.b | 'x')"),
    (PHP, "(int) $a", "0"),
    (PHP, "$a['b'] ?? 'c'", "($a.b | 'c')"),
    (PHP, '"x $a->b y {$c}"', "($a.b | $c)"),
    (PHP, "A::b($c)", "A::b($c)"),
    (PHP, "f(['k' => $v])", "f(($v))"),
    (RUBY, "raw params[:q]", "raw(params.q)"),
    (RUBY, "@a.b.html_safe", "@a.b.html_safe"),
    (RUBY, "t('x', name: @a.b)", "t('x', @a.b)"),
    (RUBY, "a if b", "a"),
    (RUBY, "a.empty? ? b : c", "(b | c)"),
    (RUBY, '"x #{h(a)} y"', "(h(a))"),
    (RUBY, "link_to raw(a), b", "link_to(raw(a), b)"),
    (JINJA, "a.b|default('x')|safe", "a.b.default('x').safe()"),
    (JINJA, "a ~ b|e", "(a | b.e())"),
    (JINJA, "a|date:'Y'|safe", "a.date('Y').safe()"),
    (JINJA, "a if b is defined else c", "(a | c)"),
    (FREEMARKER, "a.b?html", "a.b.html()"),
    (FREEMARKER, "a!'x'", "(a | 'x')"),
    (HELPERS, "f a.b c=d", "f(a.b, d)"),
    (HELPERS, "a.b", "a.b"),
]


@for_each(SHAPES)
def test_parse_expression__reads(row: tuple[Syntax, str, str]) -> None:
    syntax, text, wanted = row
    assert shape(parse_expression(text, syntax)) == wanted


DEEP = ("(", "!", "a.", "new ", "f(", "a ? ", "[{", "a|b", "a!", "a b=(c ", "a, ")


@for_each(DEEP)
def test_parse_expression__deep_ones_end(text: str) -> None:
    for syntax in (SCRIPT, PHP, RUBY, JINJA, FREEMARKER, HELPERS):
        assert isinstance(parse_expression(text * 1200, syntax), Node)


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet="ab.$@#{}()[]|:?!'\"`,+-~ =&\n", max_size=40))
def test_parse_expression__any_text(text: str) -> None:
    for syntax in (SCRIPT, PHP, RUBY, JINJA, FREEMARKER, HELPERS):
        assert isinstance(parse_expression(text, syntax), Node)
