from __future__ import annotations

import pytest
from tables import for_each

from devpulse.core.rules.template_values import Reading, Writes, declared_safe, written
from devpulse.core.templates import format_of
from devpulse.core.templates.expressions import parse_expression
from devpulse.core.templates.tokens import Syntax

NOTHING, UNKNOWN, DATA, REQUEST = Writes

VALUES = [
    ("erb", "params[:q]", REQUEST),
    ("erb", "params[:q].to_i", NOTHING),
    ("erb", "request.referer", REQUEST),
    ("erb", "params.require(:a)[:b]", REQUEST),
    ("erb", "@note.title", DATA),
    ("erb", "@note.title.truncate(3)", DATA),
    ("erb", "@note.created_at", NOTHING),
    ("erb", "@post.content", UNKNOWN),
    ("erb", "@comment.content", DATA),
    ("erb", "site.title", UNKNOWN),
    ("erb", "helper(@note.title)", UNKNOWN),
    ("erb", "markdown(params[:q])", UNKNOWN),
    ("erb", "number_to_currency(params[:q])", NOTHING),
    ("erb", "flash[:alert]", DATA),
    ("erb", "t('.a', b: @user.name)", DATA),
    ("erb", "t('.a_html', b: @user.name)", NOTHING),
    ("blade", "$_SERVER['DOCUMENT_ROOT']", NOTHING),
    ("blade", "$_SERVER['PHP_SELF']", REQUEST),
    ("blade", "$request->user()->name", DATA),
    ("blade", "$request->colour", REQUEST),
    ("blade", "$request->ip()", UNKNOWN),
    ("blade", "session('error')", DATA),
    ("blade", "e($_GET['a'])", NOTHING),
    ("blade", "$user->getUrl()", UNKNOWN),
    ("jinja", "request.args.get('q')", REQUEST),
    ("jinja", "request.user.first_name", DATA),
    ("jinja", "items|length", NOTHING),
    ("jinja", "error", DATA),
    ("jinja", "chart", UNKNOWN),
    ("jinja", "platform.name", DATA),
    ("jinja", "field.label", UNKNOWN),
    ("jinja", "product.description", UNKNOWN),
    ("jinja", "talk.description", DATA),
    ("ejs", "JSON.parse(req.body)", UNKNOWN),
    ("ejs", "location.hash", REQUEST),
    ("ejs", "location.name", DATA),
    ("jsp", "param.q", REQUEST),
    ("jinja", "param.name", DATA),
    ("jsp", "request.getAttribute(\"message\")", DATA),
    ("jsp", "request.getServerName()", UNKNOWN),
    ("razor", "Model.Request.Url", UNKNOWN),
    ("razor", "Context.Request.Query[\"a\"]", REQUEST),
    ("ejs", "a." * 80 + "name", DATA),
]  # fmt: skip


@for_each(VALUES)
def test_written__says_what_a_value_is(row: tuple[str, str, Writes]) -> None:
    name, expression, wanted = row
    syntax = format_of(name).syntax
    assert written(parse_expression(expression, syntax), Reading(syntax, {})) is wanted


def test_written__looks_up_what_the_template_sets() -> None:
    syntax = format_of("jinja").syntax
    reading = Reading(syntax, {"who": "request.args.who", "safe_who": "who|e", "a": "b", "b": "a"})
    assert written(parse_expression("who", syntax), reading) is REQUEST
    assert written(parse_expression("safe_who", syntax), reading) is NOTHING
    assert written(parse_expression("a", syntax), reading) is UNKNOWN


SAFE = [
    ("erb", "raw(a)", 1),
    ("erb", "a.html_safe + raw(b) + c", 2),
    ("erb", "sanitize(raw(a))", 0),
    ("jinja", "f(a|safe)", 1),
    ("jinja", "a|safe|escape", 0),
    ("razor", "Html.Raw(a)", 1),
    ("erb", "a", 0),
]


@for_each(SAFE)
def test_declared_safe__finds_the_values(row: tuple[str, str, int]) -> None:
    name, expression, wanted = row
    assert len(list(declared_safe(parse_expression(expression, format_of(name).syntax)))) == wanted


def test_written__what_code_of_the_page_holds_is_told_by_data_flow():
    syntax = Syntax(requests=frozenset({"param"}))
    names = {"q": 'request.getParameter("q")', "p": "param.p", "title": "post.title"}
    traced = Reading(syntax, names, traced=True)

    told = {name: written(parse_expression(name, syntax), traced) for name in names}
    assert told == {"q": Writes.UNKNOWN, "p": Writes.REQUEST, "title": Writes.DATA}
    assert written(parse_expression("q", syntax), Reading(syntax, names)) is Writes.REQUEST


@pytest.mark.parametrize("call", ["html_entity_decode(e(q))", "urldecode(e(q))", "base64_decode(q)", "unescape(h(q))"])
def test_written__what_takes_back_a_cleaner_cleans_nothing(call):
    reading = Reading(Syntax(requests=frozenset({"q"})), {})

    assert written(parse_expression(call, reading.syntax), reading) is Writes.REQUEST
    assert written(parse_expression("base64_encode(q)", reading.syntax), reading) is Writes.NOTHING
