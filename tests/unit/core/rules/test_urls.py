from __future__ import annotations

from tables import for_each

from devpulse.core.flow.values import Level, Origin, Value, concatenate, tainted, text
from devpulse.core.rules.urls import chooses_host, is_same_site, may_stand_later, stands_later

HARM = tainted(Origin(1, Level.REQUEST, "request.args['x']", 1))
OWN = tainted(Origin(2, Level.UNKNOWN, "settings.base", 1))
OTHER = tainted(Origin(3, Level.REQUEST, "request.args['y']", 1))
SEARCH = tainted(Origin(4, Level.REQUEST, "window.location.search", 1))


def built(*parts: Value | str) -> Value:
    """A text put together."""
    return concatenate([text(part) if isinstance(part, str) else part for part in parts])


@for_each(
    (
        (HARM,),
        ("http://", HARM),
        ("https://", HARM, ".example.org/"),
        ("https://example.org", HARM),
        ("https://user@", HARM),
        ("//", HARM),
        (HARM, "://", OTHER),
        (" https:", HARM),
    )
)
def test_chooses_host(parts: tuple[Value | str, ...]) -> None:
    assert chooses_host(built(*parts))


@for_each(
    (
        ("https://example.org/", HARM),
        ("https://example.org?x=", HARM),
        ("https://example.org#", HARM),
        ("//example.org/", HARM),
        (HARM, "://example.org/", OTHER),
        ("/users/", HARM),
        ("../", HARM),
        ("?next=", HARM),
        ("#", HARM),
        ("users/", HARM),
        ("show.php?x=", HARM),
        ("https://example.org", SEARCH),
    )
)
def test_chooses_host__one_that_is_chosen_already(parts: tuple[Value | str, ...]) -> None:
    assert not chooses_host(built(*parts))


def test_chooses_host__what_is_no_text_may_be_anything():
    assert chooses_host(Value(HARM.taints))


def later(parts: tuple[Value | str, ...], code: str) -> bool:
    return may_stand_later(HARM.taints[0], built(*parts), code)


@for_each(
    (
        ((OWN, "/", HARM), "settings.base + '/' + request.args['x']"),
        (("http://", OWN, "/", HARM), "'http://' + settings.base + '/' + request.args['x']"),
        ((OTHER, "/", HARM), "request.args['y'] + '/' + request.args['x']"),
    )
)
def test_may_stand_later(row: tuple[tuple[Value | str, ...], str]) -> None:
    assert later(*row)


@for_each(
    (
        ((HARM, "/", OTHER), "get(request.args['x'] + '/' + request.args['y'])"),
        ((HARM, "/users"), "request.args['x'] + '/users'"),
        ((OWN, HARM), "settings.base + request.args['x']"),
        (("http://", HARM, "/", OWN), "get('http://' + request.args['x'] + '/' + settings.base)"),
    )
)
def test_may_stand_later__it_begins_the_address(row: tuple[tuple[Value | str, ...], str]) -> None:
    assert not later(*row)


@for_each(
    (
        ((OWN, "/show/", HARM), "settings.base + '/show/' + request.args['x']", True),
        ((OWN, "?x=", HARM), "settings.base + '?x=' + request.args['x']", True),
        ((OWN, "/", HARM), "settings.base + '/' + request.args['x']", False),
        ((HARM, "/show/", OWN), "request.args['x'] + '/show/' + settings.base", False),
        ((OWN, HARM), "settings.base + request.args['x']", False),
        ((HARM, "/show"), "request.args['x'] + '/show'", False),
    )
)
def test_stands_later__behind_what_ends_the_host(row: tuple[tuple[Value | str, ...], str, bool]) -> None:
    parts, code, expected = row
    assert stands_later(HARM.taints[0], built(*parts), code) is expected


@for_each(("request.path", "request.full_path", "request.get_full_path()", "req.originalUrl", "path_info"))
def test_is_same_site(label: str) -> None:
    assert is_same_site(label)


@for_each(("request.args['path']", "request.url", "request.path_params", "xpath"))
def test_is_same_site__what_may_name_another_host(label: str) -> None:
    assert not is_same_site(label)
