from __future__ import annotations

import sys
from dataclasses import replace
from importlib import import_module

import pytest
from embedded_pages import hits_in
from hypothesis import given, settings
from hypothesis import strategies as st

from devpulse.core.change import Side
from devpulse.core.embedded import _HOSTS, HOST_ENDINGS, embedded_in
from devpulse.core.finding import HitKind
from devpulse.core.languages import language_of
from devpulse.core.rules import stopped_early
from devpulse.core.source import Source

FLAW = "<script>document.write(location.hash)</script>\n"
HOSTILE = (
    "<script>", "<script ", '<script "', "</script", "<!--", "<!-- -->", "<%", "<% } %>", "<%= a %>", "<%--", "<?",
    "{{", "{{a}", "{%", "{# a ", "{!! a", "[[${a", "{@html {a}", " v-html='a'", ' onclick="', "---\n", "<a:b <%= x %>",
)  # fmt: skip


def _source(path: str, text: str) -> Source:
    return Source(path, language_of(path), text, frozenset({1}))


def test_embedded_in__both_sides():
    before = replace(_source("old.html", "<p>\n<script>a()</script>"), changed=frozenset({2}), complete=False)
    source = replace(_source("a.html", "<script lang='ts'>b()</script>"), before=before)
    typescript, javascript = embedded_in(source).sources
    assert (typescript.path, typescript.language, typescript.changed) == ("a.html", "typescript", frozenset({1}))
    assert typescript.text.strip() == "b();"
    assert typescript.before is not None
    assert typescript.before.text == ""
    assert (javascript.language, javascript.text) == ("javascript", "")
    assert javascript.before is not None
    assert javascript.before.text.split() == ["a();"]
    assert (javascript.before.path, javascript.before.changed) == ("old.html", frozenset({2}))
    assert not javascript.before.complete


@pytest.mark.parametrize("path", ["a.py", "a.js", "a.md", "a.json", "html", "a.html/b", "Makefile", ".gitignore"])
def test_embedded_in__other_files_have_none(path):
    assert embedded_in(_source(path, FLAW)).sources == ()


def test_embedded_in__names_are_no_matter_of_case():
    assert len(embedded_in(_source("INDEX.HTML", FLAW)).sources) == 1


def test_hosts__each_is_a_module():
    for host in set(_HOSTS.values()):
        assert callable(import_module(f"devpulse.core.embedded.{host}").parts_of)
    assert set(_HOSTS) == set(HOST_ENDINGS)


def test_hosts__other_files_load_none(monkeypatch):
    for name in [name for name in sys.modules if name.startswith("devpulse.core.embedded.")]:
        monkeypatch.delitem(sys.modules, name)
    embedded_in(_source("a.py", FLAW))
    assert not any(name.startswith("devpulse.core.embedded.") for name in sys.modules)


@pytest.mark.slow
@pytest.mark.parametrize("host", sorted(set(_HOSTS.values())))
def test_hosts__take_hostile_texts_in_one_look(host):
    # Whatever takes time that grows with the square of the text takes minutes with these.
    parts_of = import_module(f"devpulse.core.embedded.{host}").parts_of
    for part in HOSTILE:
        text = part * (200_000 // len(part))
        for masked in parts_of(text).texts.values():
            assert len(masked) == len(text)


def test_run_rules__one_hit_where_two_readings_tell_the_same():
    page = '<script>a = "<%= request.getParameter("a") %>"; b.innerHTML = location.hash</script>'
    (hit,) = hits_in("src/a.jsp", page)
    assert (hit.category, hit.start_line) == ("cross-site-scripting", 1)


def test_run_rules__rules_of_any_text_read_the_page_once():
    page = "<script>key = 'AKIAZ7QHX3WPLK5RTVBN'</script>"
    (hit,) = hits_in("src/a.html", page)
    assert (hit.category, hit.kind) == ("hardcoded-secret", HitKind.FINDING)


def test_run_rules__nothing_is_suggested_in_a_page():
    page = "<% exec('ls ' + req.query.a) %>\n<script>exec('ls ' + location.hash)</script>"
    hits = hits_in("src/a.ejs", page)
    assert "command-injection" in {hit.category for hit in hits}
    assert not any(hit.suggestion for hit in hits)


def test_run_rules__traces_are_of_the_page():
    page = "<p>\n<script>\n  const note = location.hash;\n  box.innerHTML = note;\n</script>"
    (hit,) = hits_in("src/a.html", page)
    assert hit.trace is not None
    assert {(step.path, step.line) for step in hit.trace.all_steps()} == {("src/a.html", 3), ("src/a.html", 4)}
    (output,) = hits_in("src/a.jsp", '<p>\n<%= request.getParameter("a") %>')
    assert output.trace is not None
    assert output.trace.sink.note == "is put into the page as it is"


def test_run_rules__an_escape_that_was_removed():
    before = "<script>\nconst note = escapeHtml(location.hash);\nbox.innerHTML = note;\n</script>"
    after = "<script>\nconst note = location.hash;\nbox.innerHTML = note;\n</script>"
    hits = hits_in("src/a.html", after, before)
    assert {(hit.side, hit.start_line) for hit in hits} == {(Side.LEFT, 2), (Side.RIGHT, 3)}


def test_stopped_early__what_is_left_out_is_told():
    packed = "<script>" + "a=1;" * 6_000 + "</script>"
    assert stopped_early(_source("a.html", packed))
    assert stopped_early(_source("a.vue", packed))
    assert not stopped_early(_source("a.html", FLAW))
    assert not stopped_early(_source("a.html", packed.replace(";", ";\n")))


@settings(max_examples=30)
@given(st.text(max_size=60))
def test_run_rules__any_script_is_read(code):
    hits_in("src/a.html", f"<script>{code}</script>")
