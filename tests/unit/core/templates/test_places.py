from __future__ import annotations

from tables import for_each
from work import assert_work_in_step

from devpulse.core.templates import format_of
from devpulse.core.templates.places import placed

PLACES = [
    ("<p>{{ a }}</p>", "text"),
    ("{{ a }}", "text"),
    ("<p title='{{ a }}'>", "attribute"),
    ("<p title={{ a }}>", "unquoted"),
    ("<a href='/b?c={{ a }}'>", "attribute"),
    ("<a href='{{ a }}'>", "address"),
    ("<a href=/b/{{ a }}>", "unquoted"),
    ("<a onclick='f({{ a }})'>", "handler"),
    ("<p {{ a }}>", "attribute"),
    ("<p {% if b %}title='{{ a }}'{% endif %}>", "attribute"),
    ("<script>var b = {{ a }};</script>", "script"),
    ('<script>var b = "{{ a }}";</script>', "quoted in script"),
    ("<script>var c = 'd', b = {{ a }};</script>", "script"),
    ("<SCRIPT>b</SCRIPT>{{ a }}", "text"),
    ("<script src='{{ a }}'></script>", "address"),
    ("<script type='text/template'><p>{{ a }}</p></script>", "text"),
    ("<style>p { width: {{ a }} }</style>", "style"),
    ("<!-- {{ a }} -->", "comment"),
    ("<!-- b --><p>{{ a }}</p>", "text"),
    ("<c:out value='{{ a }}'/>", "elsewhere"),
    ("1 < 2 {{ a }}", "text"),
    ("<p title='>'>{{ a }}</p>", "text"),
    ("<p title='{{ a }}", "attribute"),
]


@for_each(PLACES)
def test_placed__says_where_an_output_stands(row: tuple[str, str]) -> None:
    page, wanted = row
    assert [str(place) for _, place in placed(page, list(format_of("jinja").tags(page)))] == [wanted]


def test_placed__takes_work_in_step_with_the_page() -> None:
    def work(page: str) -> None:
        list(placed(page, list(format_of("jinja").tags(page))))

    for bait in ("<a b='{{ c }}'>", "<script>'{{ c }}", "<a {{ c }}", "<!-- {{ c }}", "<p title={{ c }}"):
        assert_work_in_step(work, lambda size, bait=bait: bait * size, 200)  # type: ignore[misc]
