from __future__ import annotations

from tables import for_each
from template_tables import assert_quiet, assert_reported

PATH = "templates/find.vm"
REPORTED = [
    "<p>$request.getParameter('q')</p>",
    "<p>$esc.html($title) $user.name</p>",
    "<p>$esc.html($a)</p>\n<p>${comment.body}</p> // BAD",
    "<p>$!{request.getParameter('q')}</p>",
]
QUIET = [
    "<p>$esc.html($request.getParameter('q'))</p>",
    "<p>$user.name</p>",
    "## <p>$request.getParameter('q')</p>\n<p></p>",
    "#* $request.getParameter('q') *#<p></p>",
    "#if($request.getParameter('q'))<p></p>#end",
    "<p>$esc.html($a) $user.id</p>",
    "#set($q = $esc.html($request.getParameter('q')))<p>$q</p>",
]


@for_each(REPORTED)
def test_tags__raw_output_of_data_is_reported(page: str) -> None:
    assert_reported(PATH, page)


@for_each(QUIET)
def test_tags__what_is_harmless_is_quiet(page: str) -> None:
    assert_quiet(PATH, page)
