from __future__ import annotations

from pathlib import Path

import pytest
from rule_tables import MemoryResolver, make_source, run
from tables import for_each
from template_tables import assert_quiet, assert_reported, confidences
from work import assert_time_in_step

from devpulse.core.change import Side
from devpulse.core.rules import run_rules, stopped_early
from devpulse.core.rules.template_output import MAX_TAGS, RULE
from devpulse.core.templates import _FORMATS, NAMES
from devpulse.core.templates.base import MAX_EXPRESSION

SURE = [
    ("a.html.erb", "<p><%= raw params[:q] %></p>", "high"),
    ("a.html.erb", "<p><%= raw @note.title %></p>", "medium"),
    ("a.html.erb", "<p><%= raw @post.content %></p>", "low"),
    ("a.html.erb", "<!-- <%= raw @note.title %> -->\n<p>", "low"),
    ("a.html.erb", "<!-- <%= raw params[:q] %> -->\n<p>", "high"),
    ("a.erb", "<p><%= params[:q] %></p>", "medium"),
    ("a.html", "<p title={{ request.args.q }}>{{ 1|safe }}</p>", "medium"),
    ("a.html", "<p title={{ user.name }}>{{ 1|safe }}</p>", "low"),
    ("a.html", "<script>var a = {{ user.name }};</script>", "low"),
    ("a.html", "<script>var a = {{ request.args.q }};</script>", "high"),
    ("a.html", "<p onclick=\"f('{{ request.args.q }}')\">{{ 1|safe }}</p>", "high"),
    ("a.html", "<script>var a = {{ data|safe }};</script>", "low"),
    ("a.ejs", "<script>var a = <%- JSON.stringify(state) %>;</script>", "medium"),
    ("a.ejs", "<script>var a = <%- JSON.stringify(req.body) %>;</script>", "high"),
    ("a.ejs", "<script>var a = <%- JSON.stringify(sizes) %>;</script>", "low"),
    ("a.tpl", "<p>{$smarty.get.q}</p>", "medium"),
]

REPORTED = [(path, page) for path, page, sure in SURE if sure != "low"]
QUIET = [
    *((path, page) for path, page, sure in SURE if sure == "low"),
    ("a.html.erb", "<p><%= params[:q] %></p>"),
    ("a.html.erb", "<p><%= raw h(params[:q]) %></p>"),
    ("a.html.erb", "<p><%= @note.title %></p>"),
    ("a.html.erb", "<!-- <%= params[:q] %> -->\n<p>"),
    ("a.erb", "<p><%= h params[:q] %></p>"),
    ("a.html", "<p title='{{ request.args.q }}'>{{ 1|safe }}</p>"),
    ("a.html", "<script>var a = {{ request.args.q|tojson }};</script>"),
    ("a.html", '<p onclick="f({{ request.args.q|int }})">{{ 1|safe }}</p>'),
    ("a.ejs", "<script>var a = <%- serialize(state) %>;</script>"),
    ("a.tpl", "<p>{$smarty.get.q|escape}</p>"),
]


@for_each(REPORTED)
def test_check__reports(row: tuple[str, str]) -> None:
    assert_reported(*row)


@for_each(QUIET)
def test_check__is_quiet(row: tuple[str, str]) -> None:
    assert_quiet(*row)


@for_each(SURE)
def test_check__how_sure_it_is(row: tuple[str, str, str]) -> None:
    path, page, wanted = row
    assert confidences(path, page) == [wanted]


def test_check__tells_all_lines_of_a_tag_and_one_finding_a_line() -> None:
    hits = run(
        RULE, "<p>\n<%= raw(\n  @note.title\n) %><%= raw params[:a] %></p>\n<%= raw @user.bio %>", path="a.html.erb"
    )
    assert [(hit.start_line, hit.end_line) for hit in hits] == [(2, 4), (4, 4), (5, 5)]
    assert {(hit.category, hit.cwe, hit.rule_id, hit.side) for hit in hits} == {
        ("cross-site-scripting", 79, "template-output", Side.RIGHT)
    }
    assert len(run(RULE, "<p><%= raw params[:a] %><%= raw params[:b] %></p>", path="a.html.erb")) == 1


def test_check__each_kind_of_place_has_its_words() -> None:
    pages = [
        "<p>{{ request.args.q|safe }}</p>",
        "<script>var a = {{ request.args.q }};</script>",
        "<p onclick=\"f('{{ request.args.q }}')\">{{ 1|safe }}</p>",
        "<p title={{ request.args.q }}>{{ 1|safe }}</p>",
    ]
    assert len({hit.title for page in pages for hit in run(RULE, page, path="a.html")}) == len(pages)


def test_check__other_files_are_nothing_to_it() -> None:
    for path in ("a.py", "a.php", "a.txt", "a.js"):
        assert run(RULE, "<p>{{ request.args.q|safe }}{!! $_GET['q'] !!}</p>", path=path) == []


def test_check__templates_of_tests_are_unsure() -> None:
    source = make_source("<p><%= raw params[:q] %></p>", path="spec/views/a.html.erb")
    assert [hit.confidence.value for hit in run_rules(source, MemoryResolver())] == ["low"]


def test_stopped__says_when_something_was_left_out() -> None:
    many, long = "<p>" + "{{ a|safe }}" * (MAX_TAGS + 1), "<p>{{ a|safe }}{{ " + "a" * MAX_EXPRESSION + "b|safe }}"
    assert [stopped_early(make_source(page, path="a.html")) for page in (many, long, "<p>{{ a|safe }}")] == [
        True,
        True,
        False,
    ]
    assert not stopped_early(make_source(many, path="a.txt"))


@pytest.mark.parametrize(
    ("path", "page"),
    [
        ("a.vue", '<template><p v-html="{}"></p></template>'),
        ("a.html", '<p th:utext="${{{}}}"></p>'),
        ("a.pug", "p!= {}"),
        ("a.haml", "%p!= {}"),
        ("a.slim", "p == {}"),
    ],
)
def test_stopped__an_expression_that_is_too_long_is_told(path: str, page: str) -> None:
    assert stopped_early(make_source(page.format("a" * (MAX_EXPRESSION + 1)), path=path))
    assert not stopped_early(make_source(page.format("a"), path=path))


def test_check__escaped_where_it_was_raw_is_quiet() -> None:
    for name in NAMES:
        ending = _FORMATS[name][0][0]
        assert_quiet(f"a{ending}", "<p>hello</p>")


BAITS = ["{{", "<%=", "{%", "${", "{!!", "{{{", '<a b="', "<script>", "<!--", "#{", "{$x|", "\n", "{{ x|safe }}", "[("]


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_check__takes_time_in_step_with_the_text(name: str) -> None:
    endings, words = _FORMATS[name]

    def work(text: str) -> None:
        run(RULE, text, path=f"a{endings[0]}")

    for bait in BAITS:
        start = f"<p>{' '.join(words)}\n"
        assert_time_in_step(work, lambda size, bait=bait, start=start: start + bait * (size // len(bait)), 40_000)  # type: ignore[misc]


def test_check__stands_alone() -> None:
    """The formats know nothing of rules."""
    import devpulse.core.templates as package  # noqa: PLC0415  (only its place is asked for)

    for module in Path(package.__file__).parent.glob("*.py"):
        assert "core.rules" not in module.read_text(encoding="utf-8")
