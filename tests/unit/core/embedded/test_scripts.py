from __future__ import annotations

import pytest

from devpulse.core.embedded.scripts import MAX_CODE, is_packed, script_parts, scripts_in, without_placeholders


def _found(page: str) -> list[tuple[str, str]]:
    return [(script.language, page[script.start : script.end]) for script in scripts_in(page)]


@pytest.mark.parametrize(
    ("tag", "language"),
    [
        ("<script>", "javascript"),
        ("<SCRIPT>", "javascript"),
        ('<script type="module">', "javascript"),
        ("<script type='text/javascript' async>", "javascript"),
        ("<script type=application/javascript>", "javascript"),
        ('<script language="JavaScript">', "javascript"),
        ('<script type="text/babel">', "javascript"),
        ('<script setup lang="ts">', "typescript"),
        ("<script lang='tsx'>", "tsx"),
        ('<script nonce="a>b">', "javascript"),
        ('<script data-type="x" data-src="y">', "javascript"),
        ('<script type="application/json">', ""),
        ('<script type="application/ld+json">', ""),
        ('<script type="importmap">', ""),
        ('<script type="text/template">', ""),
        ('<script type="text/x-handlebars" id="a">', ""),
        ('<script type="x-shader/x-vertex">', ""),
        ('<script src="a.js">', ""),
        ("<script src=a.js>", ""),
        ('<script data-a="src=b.js">', "javascript"),
        ('<script lang="coffee">', ""),
    ],
)
def test_scripts_in__says_the_language(tag, language):
    assert _found(f"<p>{tag}a = 1</script></p>") == [(language, "a = 1")]


def test_scripts_in__leaves_comments_and_other_elements():
    page = "<!-- <script>a</script> --><scripts>b</scripts><script>c</script ><script>d</script>"
    assert [text for _, text in _found(page)] == ["c", "d"]


@pytest.mark.parametrize("page", ["<script>a = 1", "<script", "<!-- <script>a</script>", "<script a='", "</script>"])
def test_scripts_in__without_an_end_there_is_none(page):
    assert _found(page) == []


def test_scripts_in__a_script_in_a_text_of_a_script_begins_none():
    assert _found("<script>a = '<script>' + b</script>") == [("javascript", "a = '<script>' + b")]


def test_script_parts__scripts_of_one_language_are_one_text():
    page = "<script>a()</script>\n<script lang='ts'>b()</script><script>\nc()</script>"
    texts = script_parts(page).texts
    assert texts["javascript", "page"] == " " * 8 + "a();" + " " * 8 + "\n" + " " * 38 + "\nc();        "
    assert texts["typescript", "page"].strip() == "b();"


def test_script_parts__handlers_are_functions():
    page = """<a onclick="go(&quot;x&quot;, 'y')" href="#"><b ONLOAD='f("&#39;")'>"""
    (text,) = script_parts(page).texts.values()
    assert "".join(text.split()) == """;()=>{go("x",'y')};()=>{f("'")}"""


@pytest.mark.parametrize("page", ["", "<p>on = 'x'</p>", "<p data-on='x()'>", "<p>a once='x'", "<p on='x'>"])
def test_script_parts__no_code(page):
    assert script_parts(page).texts == {}


def test_script_parts__minified_scripts_are_skipped():
    page = "<script>" + "a=1;" * 6_000 + "</script><script>b()</script>"
    parts = script_parts(page)
    assert parts.skipped
    assert [text.strip() for text in parts.texts.values()] == ["b();"]


def test_script_parts__no_more_than_the_most():
    page = f"<script>{'a = 1;' * 10}\n</script>" * (MAX_CODE // 60)
    parts = script_parts(page)
    assert parts.skipped
    assert MAX_CODE - 1_000 < sum(len("".join(text.split())) * 61 // 41 for text in parts.texts.values()) <= MAX_CODE


def test_is_packed__by_length_and_lines():
    assert not is_packed("a = 1\n" * 5_000)
    assert not is_packed("a=1;" * 1_000)
    assert is_packed("a=1;" * 6_000)


@pytest.mark.parametrize(
    ("code", "plain"),
    [
        ("a = {{ b }};", "a = _______;"),
        ("a = {{ {'b': 1}|tojson }};", "a = _____________________;"),
        ("a = {{{ b }}};", "a = _________;"),
        ("a = {!! $b !!};", "a = __________;"),
        ("a = [[${b}]];", "a = ________;"),
        ("{% if a %}b{% endif %}", "          b           "),
        ("{% trans\n 'a' %}b", "        \n       b"),
        ("{# note #}b", "          b"),
        ("'{{ a }}'", "'/______'"),
        ("item{{ id }}_x", "item_________x"),
    ],
)
def test_without_placeholders__leaves_what_parses(code, plain):
    assert without_placeholders(code) == plain


@pytest.mark.parametrize("code", ["a = {b: {c: 1}}", "a = [[1, 2], [3]]", "`${a}`", "class A { #b = 1 }", "{{", "{% a"])
def test_without_placeholders__leaves_code(code):
    assert without_placeholders(code) == code


@pytest.mark.parametrize("before", ['<p title="<!--">', "<!-->", "<!--->", "{# <!-- #}", "<!-- a --><!-- b -->"])
def test_scripts_in__what_opens_no_comment_hides_nothing(before):
    assert _found(f"{before}<script>a = 1</script>") == [("javascript", "a = 1")]


@pytest.mark.parametrize("before", ["<!--", "<p>1 > 0<!-- ", "<p><!-- <p>", "<p>1 < 2 <!-- "])
def test_scripts_in__of_a_comment_are_none(before):
    assert _found(f"{before}<script>a = 1</script>") == []
