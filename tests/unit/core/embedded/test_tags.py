from __future__ import annotations

import re

import pytest

from devpulse.core.embedded.masking import Canvas
from devpulse.core.embedded.tags import MAX_TAGS, keep_code, tags_in, without_comment, without_tags


def test_tags_in__code_without_marks():
    text = "a<%= b -%>c<%-- <% d %> --%><%e%><% f"
    tags = tags_in(text, ("--", "="), "-")
    assert [(tag.mark, text[tag.first : tag.last]) for tag in tags] == [("=", " b "), ("--", " <% d %> "), ("", "e")]
    assert [text[tag.start : tag.end] for tag in tags] == ["<%= b -%>", "<%-- <% d %> --%>", "<%e%>"]


@pytest.mark.parametrize("text", ["", "<%", "<% a", "%>", "<%-- a %>", "<%%"])
def test_tags_in__without_an_end_there_is_none(text):
    assert tags_in(text, ("--", "=")) == []


def test_tags_in__empty_tags():
    assert [(tag.first, tag.last) for tag in tags_in("<%%><%-%>", ("-",), "-")] == [(2, 2), (7, 7)]


def test_tags_in__stops_at_the_most():
    assert len(tags_in("<%a%>" * (MAX_TAGS + 1), ())) == MAX_TAGS


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("<%a%><%b%>", "  a ;  b ;"),
        ("<%if (a) {%><%} else {%>", "  if (a) { ;  } else { ;"),
        ("<%}%><% else {%>", "  }     else { ;"),
        ("<%switch (a) {%><%case 1:%>", "  switch (a) {    case 1: ;"),
    ],
)
def test_keep_code__ends_statements_that_do_not_go_on(text, code):
    canvas, tags = Canvas(text), tags_in(text, ())
    for tag, after in zip(tags, [*tags[1:], None], strict=True):
        keep_code(canvas, text, tag, after, text[tag.first : tag.last])
    assert canvas.masked() == code


def test_without_comment__of_the_last_line():
    pattern = re.compile(r"//[^\n\"]*$")
    assert without_comment("a(); // b", pattern) == "a();     "
    assert without_comment("// a\nb()", pattern) == "// a\nb()"
    assert without_comment('a("// b")', pattern) == 'a("// b")'


def test_without_tags__names_for_what_is_put_out():
    page = "a <%= b %> '<%= c %>' <% d\ne %> <?= f ?> <?php echo g; ?> <?php h"
    plain = "a ________ '/_______'     \n     ________ ________________        "
    assert without_tags(page) == plain


def test_without_tags__without_an_end():
    assert without_tags("a <% b") == "a <% b"
    assert without_tags("a <b>") == "a <b>"
