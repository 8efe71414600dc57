from __future__ import annotations

from tables import for_each
from template_tables import assert_quiet, assert_reported

PATH = "templates/find.html"
REPORTED = [
    '<p th:utext="${param.q}"></p>',
    '<p th:utext="${user.name}"></p>',
    "<p>[(${comment.body})]</p>",
    '<p data-th-utext="*{user.bio}"></p>',
    "<p th:utext=\"'Hello ' + ${name}\"></p>",
    '<p th:utext="#{hello(${user.name})}"></p>',
    '<p>\n<b th:text="${user.name}"></b>\n<b th:utext="${user.name}"></b> // BAD\n</p>',
]
QUIET = [
    '<p th:text="${param.q}"></p>',
    '<p th:utext="${#strings.escapeXml(param.q)}"></p>',
    '<p th:utext="#{hello}"></p>',
    "<p>[[${param.q}]]</p>",
    '<p th:utext="${post.content}"></p>',
    '<!-- <p th:utext="${param.q}"></p> --><p></p>',
    '<p th:utext="${html}"></p>',
    '<p th:utext="@{/a}"></p>',
    "<p>see [(a)]</p>",
]


@for_each(REPORTED)
def test_tags__raw_output_of_data_is_reported(page: str) -> None:
    assert_reported(PATH, page)


@for_each(QUIET)
def test_tags__what_is_harmless_is_quiet(page: str) -> None:
    assert_quiet(PATH, page)
