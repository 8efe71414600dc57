from __future__ import annotations

from tables import for_each
from template_tables import assert_quiet, assert_reported

PATH = "Views/Find.cshtml"
REPORTED = [
    '<p>@Html.Raw(Request.Query["q"])</p>',
    "<p>@Html.Raw(Model.Comment.Text)</p>",
    "<p>@(new HtmlString(user.Name))</p>",
    "<p>@((MarkupString)user.Bio)</p>",
    "<p>\n@user.Name\n@Html.Raw(user.Name) // BAD\n</p>",
    '@{ var q = Request.Query["q"]; }<p>@Html.Raw(q)</p>',
]
QUIET = [
    '<p>@Request.Query["q"]</p>',
    '<p>@Html.Raw(HttpUtility.HtmlEncode(Request.Query["q"]))</p>',
    "@* <p>@Html.Raw(user.Name)</p> *@",
    '<p>@Html.Raw("<br>")</p>',
    "<p>@Html.Raw(Model.Content)</p>",
    "<p>@Html.Raw(sanitizer.Sanitize(user.Bio))</p>",
    "<p>@Html.Raw(page.Html)</p>",
]


@for_each(REPORTED)
def test_tags__raw_output_of_data_is_reported(page: str) -> None:
    assert_reported(PATH, page)


@for_each(QUIET)
def test_tags__what_is_harmless_is_quiet(page: str) -> None:
    assert_quiet(PATH, page)
