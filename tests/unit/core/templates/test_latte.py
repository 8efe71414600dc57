from __future__ import annotations

from tables import for_each
from template_tables import assert_quiet, assert_reported

PATH = "app/find.latte"
REPORTED = [
    "<p>{$user->name|noescape}</p>",
    "<p>{$_GET['q']|noescape}</p>",
    "<p>\n{$name}\n{$comment->body|truncate:30|noescape} // BAD\n</p>",
    "<p>{='<b>' . $user->name . '</b>'|noescape}</p>",
]
QUIET = [
    "<p>{$user->name}</p>",
    "<p>{$content|noescape}</p>",
    "{* {$user->name|noescape} *}<p></p>",
    "<p>{$user->bio|stripHtml|noescape}</p>",
    "<p>{_'hello'|noescape}</p>",
    "<p>{$html|noescape}</p>",
]


@for_each(REPORTED)
def test_tags__raw_output_of_data_is_reported(page: str) -> None:
    assert_reported(PATH, page)


@for_each(QUIET)
def test_tags__what_is_harmless_is_quiet(page: str) -> None:
    assert_quiet(PATH, page)
