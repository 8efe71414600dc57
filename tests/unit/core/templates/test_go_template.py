from __future__ import annotations

from tables import for_each
from template_tables import assert_quiet, assert_reported

PATH = "templates/find.tmpl"
REPORTED = [
    "<p>{{ .User.Name | safeHTML }}</p>",
    "<p>{{ safeHTML .Comment.Body }}</p>",
    "<p>\n{{ .User.Bio }}\n{{ .User.Bio | safeHTML }} // BAD\n</p>",
]
QUIET = [
    "<p>{{ .User.Name }}</p>",
    "<p>{{ .Content | safeHTML }}</p>",
    "{{/* .User.Name | safeHTML */}}<p></p>",
    "<p>{{ .Site.Params.title | safeHTML }}</p>",
    "<p>{{ .User.Bio | sanitize | safeHTML }}</p>",
]


@for_each(REPORTED)
def test_tags__raw_output_of_data_is_reported(page: str) -> None:
    assert_reported(PATH, page)


@for_each(QUIET)
def test_tags__what_is_harmless_is_quiet(page: str) -> None:
    assert_quiet(PATH, page)
