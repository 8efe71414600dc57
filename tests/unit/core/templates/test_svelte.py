from __future__ import annotations

from tables import for_each
from template_tables import assert_quiet, assert_reported

PATH = "src/Show.svelte"
REPORTED = [
    "<p>{@html user.bio}</p>",
    "<p>{@html $page.url.searchParams.get('q')}</p>",
    "<p>\n{name}\n{@html comment.body} // BAD\n</p>",
    "<p>{@html message}</p>",
]
QUIET = [
    "<p>{user.bio}</p>",
    "<p>{@html DOMPurify.sanitize(user.bio)}</p>",
    "<!-- {@html user.bio} --><p></p>",
    "<p>{@html content}</p>",
    "<script>\nlet message = sanitize(raw);\n</script>\n<p>{@html message}</p>",
]


@for_each(REPORTED)
def test_tags__raw_output_of_data_is_reported(page: str) -> None:
    assert_reported(PATH, page)


@for_each(QUIET)
def test_tags__what_is_harmless_is_quiet(page: str) -> None:
    assert_quiet(PATH, page)
