from __future__ import annotations

from tables import for_each
from template_tables import assert_quiet, assert_reported

PATH = "templates/find.tpl"
REPORTED = [
    "<p>{$smarty.get.q}</p>",
    "<p>{$user.name nofilter}</p>",
    "<p>{$smarty.request.q nofilter}</p>",
    "<p>\n{$name|escape}\n{$error nofilter} // BAD\n</p>",
]
QUIET = [
    "<p>{$smarty.get.q|escape}</p>",
    "<p>{$smarty.get.q|escape:'html'}</p>",
    "<p>{$user.name}</p>",
    "<p>{l s='Hello'} {$smarty.get.q}</p>",
    "{* {$smarty.get.q} *}<p></p>",
    "{literal}{$smarty.get.q}{/literal}<p></p>",
    "{$q = $smarty.get.q}<p></p>",
    "<p>{$content nofilter}</p>",
    "<p>{$smarty.server.REQUEST_URI|@urlencode}</p>",
]


@for_each(REPORTED)
def test_tags__raw_output_of_data_is_reported(page: str) -> None:
    assert_reported(PATH, page)


@for_each(QUIET)
def test_tags__what_is_harmless_is_quiet(page: str) -> None:
    assert_quiet(PATH, page)
