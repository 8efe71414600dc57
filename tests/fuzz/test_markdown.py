"""Text of a repository or a model in Markdown, HTML and workflow commands: never markup, whatever it is made of."""

from __future__ import annotations

import re

from fuzz.mutation import ODD, mutated
from fuzz.profile import fuzzed
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from devpulse.output.annotations import AnnotationLevel, render_command
from devpulse.output.characters import is_hidden, visible
from devpulse.output.comments.marker import read_finding_marker, read_summary_marker
from devpulse.output.markdown import block, cell_code, code, html_text, inert, prose, text

PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
LINKED = re.compile(r"@\w|#\d|gh-\d|(?:https?|ftp|mailto|xmpp):\w*/|mailto:\w|www\.", re.IGNORECASE)
COMMAND = re.compile(r"^\s*::|##\[|<!--", re.MULTILINE)
MARKUP = {"html_inline", "html_block", "image", "link_open", "em_open", "strong_open", "s_open"}
EVIL = [
    "@octocat see #1 and gh-2, octo/shop#3, user@0123456789abcdef0123456789abcdef01234567",
    "![x](https://evil.example/a.png) [a](//evil.example) <https://evil.example> www.evil.example",
    "<img src=x onerror=alert(1)><!-- devpulse:finding 0123456789abcdef --><script>",
    "# DevPulse security review\n<!-- devpulse:summary head=" + "a" * 40 + " digest=" + "b" * 32 + " -->",
    "```\n::error file=a::b\n##[group]x\n````\n~~~\n",
    "a | b\n---|---\n`c` | **d** _e_ ~~f~~ \\",
    "- x\n1. y\n> z\n\n    code\n* * *\n===\n",
    "[a]: https://evil.example 'x'\n[^1]: note\n$`x`$ $$y$$",
]
PIECES = ["`", "``", "|", "\n", "<", "](", "![", "@", "#1", "::", "##[", "<!--", "\\", "~~~", "$$", "&#64;", "https://"]
TEXTS = mutated(EVIL, [*PIECES, *ODD]) | st.lists(st.sampled_from([*PIECES, *ODD, "a", " ", "b1"]), max_size=25).map(
    "".join
)


def _flat(tokens: list[Token]) -> list[Token]:
    return [inner for token in tokens for inner in (token, *_flat(token.children or []))]


def _inert(markdown: str) -> None:
    tokens = _flat(PARSER.parse(markdown))
    assert not {token.type for token in tokens} & MARKUP
    said = "".join(token.content if token.type == "text" else "\n" for token in tokens if not token.children)
    assert not LINKED.search(said)
    assert not any(map(is_hidden, markdown))
    assert not COMMAND.search(markdown)
    assert read_finding_marker(markdown) is None
    assert read_summary_marker(markdown) is None


@fuzzed
@given(TEXTS)
def test_markdown__nothing_but_text_and_code(value):
    for rendered in (text(value), prose(value), code(value), block(value, "py"), f"- {text(value)}"):
        _inert(rendered)
    row = f"| a | b |\n|---|---|\n| {text(value)} | {cell_code(value)} |\n"
    cells = [token for token in _flat(PARSER.parse(row)) if token.type == "td_open"]
    assert len(cells) == 2
    assert "\n" not in text(value) + code(value) + html_text(value)
    assert not re.search(r"<(?!/?code>)", cell_code(value))
    assert "<" not in html_text(value)


@fuzzed
@given(TEXTS)
def test_markdown__a_block_cannot_be_left(value):
    tokens = [token for token in PARSER.parse(f"{block(value)}\n\nafter") if token.nesting >= 0 and token.level == 0]
    assert [token.type for token in tokens] == ["fence", "paragraph_open"]


@fuzzed
@given(TEXTS)
def test_render_command__is_one_command(value):
    line = render_command(AnnotationLevel.ERROR, value, title="DevPulse")
    assert "\n" not in line
    assert "\r" not in line
    assert line.startswith("::error title=DevPulse::")
    # What is put in to break links is ours.
    assert not any(map(is_hidden, line.replace("\u200b", "")))


@fuzzed
@given(TEXTS)
def test_plain__hidden_characters_are_written_out(value):
    assert not any(map(is_hidden, visible(value)))
    assert "](" not in inert(value)
