"""What the tests of code in pages share: marked lines of pages, and what every masked text has to be."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from textwrap import dedent

from hypothesis import strategies as st
from rule_tables import MemoryResolver

from devpulse.core.categories import Confidence
from devpulse.core.embedded.masking import OUTPUT, Parts
from devpulse.core.finding import Hit
from devpulse.core.languages import language_of
from devpulse.core.rules import run_rules
from devpulse.core.source import Source

_MARKS = ("// BAD", "<!-- BAD -->", "{/* BAD */}")
_ADDED = frozenset(f"{OUTPUT};()={{}}>&<\"'_ ")
_FRAGMENTS = (
    "<script>", "<script lang='ts'>", '<script type="application/json">', "</script>", "<SCRIPT >", "<script", "<!--",
    "-->", "<%", "%>", "<%=", "<%==", "<%-", "-%>", "<%!", "<%@ page %>", "<%--", "--%>", "<%#", "<%%", "<?php", "<?=",
    "?>", "---", '"', "'", "{{ a }}", "{{", "}}", "{% if a %}", "{%", "%}", "{#", "#}", "{!! b !!}", "${c}", "[[${d}]]",
    "{@html e}", "{@html", ' v-html="f"', " v-html='", " set:html={g}", " onclick=\"h('&quot;')\"", " onload='",
    "i = 1;",
    "// j", "# k", "do |l|", "\n", "\r\n", " ", "\t", "\u00e4", "\U0001f600", "\u2028", ">", "<", "</", "}", "if (m) {",
    "else", "<c:if test='n'>", "</c:if>", "=", "&amp;",
)  # fmt: skip

PAGES = st.lists(st.sampled_from(_FRAGMENTS), max_size=30).map("".join)
"""Pages of any kind, hardly any of them right."""


def assert_masked(parts_of: Callable[[str], Parts], page: str) -> None:
    """Every masked text has the length and the lines of the page, and of its characters only what stands there."""
    for masked in parts_of(page).texts.values():
        assert len(masked) == len(page)
        for own, there in zip(masked, page, strict=True):
            assert (own == "\n") == (there == "\n")
            assert own == there or own in _ADDED, (own, there)


def masked_texts(parts_of: Callable[[str], Parts], page: str) -> dict[tuple[str, str], str]:
    """The masked texts of a page, each without the white space that its lines end in."""
    texts = parts_of(dedent(page)).texts
    return {kind: "\n".join(line.rstrip() for line in text.split("\n")).strip() for kind, text in texts.items()}


def hits_in(path: str, page: str, before: str | None = None) -> tuple[Hit, ...]:
    """The hits of a file, of which lines count as changed that are not on both sides: all of them without a base."""
    text, base = dedent(page), dedent(before or "")
    old = None
    if before is not None:
        old = Source(path, language_of(path), base, _others(base, text))
    return run_rules(Source(path, language_of(path), text, _others(text, base), before=old), MemoryResolver())


def _others(text: str, side: str) -> frozenset[int]:
    kept = set(side.split("\n"))
    return frozenset(number for number, line in enumerate(text.split("\n"), 1) if line not in kept)


def posted(path: str, page: str) -> list[int]:
    """The first lines of what the rules over code post of a file at the default thresholds."""
    hits = (hit for hit in hits_in(path, page) if hit.rule_id != "template-output")
    return sorted(hit.start_line for hit in hits if hit.confidence is not Confidence.LOW)


def marked(page: str) -> list[int]:
    """The lines that end in a comment which says ``BAD``."""
    return [number for number, line in enumerate(dedent(page).split("\n"), 1) if line.rstrip().endswith(_MARKS)]


def assert_all(path: str, pages: Sequence[str]) -> None:
    """Each page has findings on its marked lines, and on no other."""
    for page in pages:
        assert posted(path, page) == marked(page), page
