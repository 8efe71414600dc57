from __future__ import annotations

from tables import for_each

from devpulse.core.rules import template_names as names

NAMES = [
    (names.HARMLESS, "id user_id userId created_at isAdmin MAX_SIZE empty? count", "body about bad secret"),
    (names.TEXTS, "name first_name firstName errorMessage bio", "context id html surname_id"),
    (names.PLAIN_TEXTS, "q message searchQuery user_name", "progress_message filePermissions help_text page_title"),
    (names.MARKUP, "body_html content svgIcon markeddown_text rendered_body", "title platform description"),
    (names.CLEANERS, "h e escapeHtml strip_tags sanitize_html esc_html to_json", "help raw upper translate"),
    (names.TRANSPARENT, "raw upper nl2br join", "escape render markdown"),
    (names.REQUEST, "request.args.q _GET.q req.query.q $route.query.q", "request.user.name requests.args req.user"),
    (names.TRANSLATES, "t __ trans $t", "title text transform"),
]


@for_each(NAMES)
def test_names__mean_what_they_say(row) -> None:
    pattern, ours, others = row
    for name in ours.split():
        assert pattern.search(name), name
    for name in others.split():
        assert not pattern.search(name), name
