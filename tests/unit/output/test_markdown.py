"""Hostile text stays text, whatever it is put into."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token
from report_strategies import HOSTILE, hostile_text

from devpulse.output.characters import is_hidden, visible
from devpulse.output.markdown import block, cell_code, code, fence_for, html_text, inert, prose, text

PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
LINKED = re.compile(r"@\w|#\d|gh-\d|(?:https?|ftp|mailto|xmpp):\w*/|mailto:\w|www\.", re.IGNORECASE)
COMMAND = re.compile(r"^\s*::|##\[|<!--", re.MULTILINE)
MARKUP = {"html_inline", "html_block", "image", "link_open", "em_open", "strong_open", "s_open"}
EVERYTHING = "".join(HOSTILE)


def _flat(tokens: list[Token]) -> list[Token]:
    return [inner for token in tokens for inner in (token, *_flat(token.children or []))]


def _parse(markdown: str) -> list[Token]:
    return _flat(PARSER.parse(markdown))


def _types(markdown: str) -> set[str]:
    return {token.type for token in _parse(markdown)}


def _prose_of(tokens: list[Token]) -> str:
    """What GitHub looks for links in: everything but code."""
    return "".join(token.content if token.type == "text" else "\n" for token in tokens if not token.children)


def _assert_inert(markdown: str) -> None:
    assert not _types(markdown) & MARKUP
    assert not LINKED.search(_prose_of(_parse(markdown)))
    assert not any(map(is_hidden, markdown))
    assert not COMMAND.search(markdown)


@example(EVERYTHING)
@given(hostile_text)
def test_text__is_one_plain_line_alone_in_a_list_and_in_a_heading(value):
    escaped = text(value)
    assert "\n" not in escaped
    _assert_inert(escaped)
    assert _types(escaped) <= {"paragraph_open", "paragraph_close", "inline", "text", "text_special"}
    _assert_inert(f"- {escaped}\n- x")
    _assert_inert(f"# {escaped}")


@example(EVERYTHING)
@given(hostile_text)
def test_text__reads_as_what_was_put_in(value):
    shown = _prose_of(_parse(f"x {text(value)}")).replace("\u200b", "")
    assert shown.split() == ["x", *visible(value).split()]


@pytest.mark.parametrize("wrap", [text, cell_code])
@given(value=hostile_text)
def test_cells__a_row_keeps_its_cells(wrap, value):
    tokens = _parse(f"| a | b |\n| --- | --- |\n| {wrap(value)} | end |\n")
    assert [token.type for token in tokens].count("td_open") == 2
    html = [token.content for token in tokens if token.type in MARKUP]
    assert html == ([] if wrap is text else ["<code>", "</code>"])
    assert not LINKED.search(_prose_of(tokens))


@example(EVERYTHING)
@given(hostile_text)
def test_prose__holds_paragraphs_and_code_only(value):
    escaped = prose(value)
    assert not any(map(is_hidden, escaped))
    assert not COMMAND.search(escaped)
    allowed = {"paragraph_open", "paragraph_close", "inline", "text", "text_special", "code_inline"}
    assert _types(escaped) <= allowed | {"softbreak", "hardbreak"}
    assert not LINKED.search(_prose_of(_parse(escaped)))


@pytest.mark.parametrize("show", [code, block, prose, text, html_text])
def test_code__markers_and_commands_are_broken_in_raw_text(show):
    assert not COMMAND.search(show("`::error::x ##[error]y <!-- devpulse -->`"))


@pytest.mark.parametrize(
    ("value", "markdown"),
    [
        ("Use `execute(sql, args)`.", "Use `execute(sql, args)`."),
        ("`@name` and @name", "`@name` and @&#8203;name"),
        ("one\ntwo\n\nthree", "one  \ntwo\n\nthree"),
        ("a_b _c_", r"a_b \_c\_"),
        ("- item", r"\- item"),
        ("1. item", r"1\. item"),
        ("odd ` tick", r"odd \` tick"),
    ],
)
def test_prose__known_texts(value, markdown):
    assert prose(value) == markdown


@given(hostile_text.filter(lambda value: visible(value).strip()))
def test_code__is_one_code_span_with_the_text(value):
    tokens = [token for token in _parse(f"x {code(value)} y") if token.type == "code_inline"]
    assert len(tokens) == 1
    assert "".join(tokens[0].content.split()) == "".join(visible(value).split())


def test_code__nothing_for_nothing():
    assert code(" \n") == ""


@example("```\n````\n<!-- x -->\n::error::x\n  ::set-output name=a::b")
@given(hostile_text)
def test_block__is_one_fence_with_the_text(value):
    markdown = f"before\n\n{block(value, 'python')}\n\nafter"
    tokens = _parse(markdown)
    assert [token.type for token in tokens if token.type == "fence"] == ["fence"]
    assert not {token.type for token in tokens} & MARKUP
    assert _prose_of([token for token in tokens if token.type == "text"]) == "beforeafter"
    assert not COMMAND.search(markdown)
    assert not any(map(is_hidden, markdown))


@given(st.text("`a\n", max_size=30))
def test_fence_for__is_longer_than_any_run(content):
    assert fence_for(content) not in content


@example(EVERYTHING)
@given(hostile_text)
def test_html_text__holds_no_tags_and_no_links(value):
    escaped = html_text(value)
    assert not re.search(r"[<>\n]", escaped)
    assert not LINKED.search(escaped.replace("&#8203;", "\u200b"))


@given(hostile_text)
def test_inert__links_are_broken_and_code_is_not(value):
    quiet = inert(value)
    assert not LINKED.search(quiet)
    assert "](" not in quiet
    assert inert("rows[0] @ x < y") == "rows[0] @\u200b x < y"
