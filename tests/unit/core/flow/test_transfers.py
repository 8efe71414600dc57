from __future__ import annotations

from dataclasses import replace

import pytest
from tables import for_each

from devpulse.core.flow.formatting import Passed
from devpulse.core.flow.purposes import Purpose
from devpulse.core.flow.transfers import (
    CHECKS,
    JSON,
    RAW_TEMPLATE,
    RAW_TEMPLATES,
    call_result,
    cleaned_by,
    decides,
    join_paths,
)
from devpulse.core.flow.values import CLEAN, HOLE, Level, Origin, Value, concatenate, tainted, text

HARM = tainted(Origin(1, Level.REQUEST, "x", 1))
OTHER = tainted(Origin(2, Level.REQUEST, "y", 1))
UNSURE = tainted(Origin(3, Level.UNKNOWN, "z", 1))


def result(callee: str, *values: Value, receiver: Value | None = None, **named: Value) -> Value:
    """What a call of these values gives."""
    given = [*(Passed(None, value) for value in values), *(Passed(name, value) for name, value in named.items())]
    return call_result(callee, receiver, given)


@for_each(("int", "len", "Number", "uuid.UUID", "parseInt", "hash", "Math.round", "hashlib.md5().hexdigest", "toFixed"))
def test_call_result__numbers_bring_nothing(callee: str) -> None:
    assert result(callee, HARM) == CLEAN


@for_each(("str", "list", "sorted", "json.loads", "base64.b64decode", "decodeURIComponent", "JSON.parse", "gettext"))
def test_call_result__the_same_in_another_form(callee: str) -> None:
    value = result(callee, HARM)
    assert value.taints == HARM.taints
    assert not value.taints[0].asks


@for_each(
    (
        ("shlex.quote", Purpose.SHELL),
        ("html.escape", Purpose.HTML),
        ("encodeURIComponent", Purpose.PATH),
        ("connection.escapeId", Purpose.SQL),
        ("mysql.escape", Purpose.SQL),
        ("pool.escape", Purpose.SQL),
        ("os.path.basename", Purpose.PATH),
        ("secure_filename", Purpose.PATH),
    )
)
def test_call_result__cleaners(row: tuple[str, Purpose]) -> None:
    callee, purpose = row
    assert result(callee, HARM).taints[0].cleaned == {purpose}


@for_each(("other.escape", "text.escape", "shlex.split", "os.path.dirname"))
def test_call_result__no_cleaners(callee: str) -> None:
    assert all(not taint.cleaned for taint in result(callee, HARM).taints)


@for_each(("open", "db.execute", "queryAll", "logger.info", "render_template", "has_key", "readFileSync"))
def test_call_result__something_fresh(callee: str) -> None:
    assert not result(callee, HARM).taints


def test_call_result__functions_that_nothing_is_known_of_are_asked():
    (taint,) = result("project.shown", HARM).taints
    assert [ask.callee for ask in taint.asks] == ["project.shown"]
    assert result("project.shown", UNSURE) == CLEAN
    assert result("project.check_name", UNSURE).taints[0].origin == UNSURE.taints[0].origin


def test_call_result__methods_of_texts():
    assert result("a.strip", receiver=HARM).taints == HARM.taints
    assert result("a.slice", OTHER, receiver=HARM).taints == HARM.taints  # where to cut comes not into the text
    assert result("table.get", HARM, receiver=CLEAN) == CLEAN
    assert result("table.get", HARM, OTHER, receiver=CLEAN).taints == OTHER.taints


def test_join__texts_and_paths():
    listed = Value(HARM.taints, fields=(("0", text("a")), ("1", HARM)), collection=True, exact=True)
    assert result(".join", listed, receiver=text(", ")).skeleton == f"a, {HOLE}"
    path = result("os.path.join", text("/srv"), HARM)
    assert path.joined
    assert path.taints == HARM.taints
    assert not result("os.path.join", HARM, text("a")).joined
    assert join_paths([Value(path=True), HARM]).path


def test_node_join__leaves_no_steps_inside():
    assert result("node_join", text("/srv"), HARM).resolved
    assert not result("path.join", text("/srv"), HARM).resolved


@for_each(
    (
        ("a path", concatenate([text("/a/"), HARM]), OTHER, f"{HOLE}/a/{HOLE}"),
        ("a whole address", HARM, text("https://example.org"), HOLE),
        ("of another host", concatenate([text("//"), HARM]), text("https://example.org"), HOLE),
    )
)
def test_node_url__where_the_host_comes_from(row: tuple[str, Value, Value, str]) -> None:
    _, path, base, skeleton = row
    assert result("node_url", path, base).skeleton == skeleton


def test_node_url__the_address_of_the_request_itself_chooses_no_host():
    own = tainted(Origin(4, Level.REQUEST, "request.nextUrl", 1))
    path = concatenate([text("/a/"), HARM])
    assert result("node_url", path, own) == path


def test_resolve__paths_without_steps():
    assert result("os.path.realpath", HARM).resolved
    assert result("path.resolve", text("/srv"), HARM).joined
    assert result("p.resolve", receiver=replace(HARM, path=True)).resolved


def test_splitext__an_ending_has_no_folder():
    stem, ending = (result("os.path.splitext", HARM).field(key) for key in ("0", "1"))
    assert stem is not None
    assert not stem.taints[0].cleaned
    assert ending is not None
    assert ending.taints[0].cleaned == {Purpose.PATH}


def test_replace__a_mark_in_a_constant_text():
    placed = result("page.replace", text("NAME"), HARM, receiver=text("<b>NAME</b>"))
    assert placed.skeleton == f"<b>{HOLE}</b>"
    assert placed.taints[0].origin == HARM.taints[0].origin


def test_quote__of_addresses_keeps_slashes():
    assert not result("urllib.parse.quote", HARM).taints[0].cleaned


@pytest.mark.parametrize(("callee", "role"), [("os.path.commonpath", "commonpath"), ("tar.getmembers", "members")])
def test_call_result__roles(callee: str, role: str):
    assert result(callee, HARM).role == role


def test_dumps__is_json_until_it_is_changed():
    value = result("json.dumps", HARM)
    assert value.role == JSON
    assert result("json.dumps", text("a")).role != JSON
    assert result("json.dumps", HARM, cls=tainted(Origin(5, Level.UNKNOWN, "HtmlEncoder", 1))).role != JSON
    assert result("a.replace", text("<"), text("&lt;"), receiver=value).role != JSON


def test_templates__of_an_engine_that_does_not_escape():
    engine = result("jinja2.Environment")
    assert engine.role == RAW_TEMPLATES
    assert result("jinja2.Environment", autoescape=Value(constant=True)).role != RAW_TEMPLATES
    assert result("jinja2.Environment", autoescape=Value(constant=False)).role == RAW_TEMPLATES
    assert result("engine.get_template", text("page.html"), receiver=engine).role == RAW_TEMPLATE
    assert result("engine.get_template", text("mail.txt.j2"), receiver=engine) == CLEAN
    assert result("engine.get_template", text("page.html"), receiver=CLEAN).role != RAW_TEMPLATE


def test_cleaned_by__each_purpose():
    assert cleaned_by(frozenset(), None, [Passed(None, HARM)]) is None
    value = cleaned_by(frozenset({Purpose.HTML, Purpose.SQL}), HARM, [])
    assert value is not None
    assert value.taints[0].cleaned == {Purpose.HTML, Purpose.SQL}


@for_each(
    ("is_safe", "sanitize_name", "checkPath", "verify_host", "isLocal", "ensure_inside", "same_origin", "allowed")
)
def test_checks__names(name: str) -> None:
    assert CHECKS.search(name)


@for_each(("localize", "locale", "local_storage", "ensure_folder_exists", "ensure_connected", "shown", "get_name"))
def test_checks__other_names(name: str) -> None:
    assert not CHECKS.search(name)


def test_decides__what_a_name_says():
    assert decides("normaliseName")
    assert decides("quoted")
    assert not decides("shown")
