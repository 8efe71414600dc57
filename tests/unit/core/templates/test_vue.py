from __future__ import annotations

from tables import for_each
from template_tables import assert_quiet, assert_reported

PATH = "src/Show.vue"
REPORTED = [
    '<p v-html="$route.query.q"></p>',
    '<p v-html="comment.body"/>',
    "<p v-html='user.bio'></p>",
    '<p>\n<b v-text="name"></b>\n<b v-html="user.name"></b> // BAD\n</p>',
    '<p v-html="message"></p>',
    "<p v-html=\"'<b>' + user.name + '</b>'\"></p>",
    '<p v-html="this.searchQuery"></p>',
]
QUIET = [
    '<p v-html="description"></p>',
    '<p v-html="props.label"></p>',
    '<p v-html="photo.preformatted.description"></p>',
    '<p v-html="strip(user.name)"></p>',
    '<p v-text="$route.query.q"></p>',
    '<p v-html="sanitize(comment.body)"></p>',
    "<p v-html=\"$t('hello')\"></p>",
    '<!-- <p v-html="user.name"></p> --><p></p>',
    '<p v-html="html"></p>',
    '<p v-html="message"></p>\n<script>\ncomputed: { message() { return DOMPurify.sanitize(this.raw) } }\n</script>',
    '<p v-html="DOMPurify.sanitize(user.bio)"></p>',
    '<p v-html="icon.svg"></p>',
    '<p v-html="link.label"></p>',
]


@for_each(REPORTED)
def test_tags__raw_output_of_data_is_reported(page: str) -> None:
    assert_reported(PATH, page)


@for_each(QUIET)
def test_tags__what_is_harmless_is_quiet(page: str) -> None:
    assert_quiet(PATH, page)
