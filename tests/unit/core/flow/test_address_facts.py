"""What a condition proves of where an address leads, and what calls and comparisons of files and hosts say."""

from __future__ import annotations

from tables import for_each

from devpulse.core.flow.engine import analyse
from devpulse.core.flow.facts import (
    BEGINS_ROOT,
    HOST,
    NAMES_NO_HOST,
    NOTHING,
    Fact,
    Facts,
    is_constant,
    of_call,
    of_comparison,
    same_host,
)
from devpulse.core.flow.purposes import Purpose
from devpulse.core.flow.values import CLEAN, HOLE, Level, Origin, Value, cleaned, tainted, text

HARM = tainted(Origin(1, Level.REQUEST, "x", 1))
OTHER = tainted(Origin(2, Level.REQUEST, "y", 1))
OF_HOST = Value(HARM.taints, HOLE, role=HOST)
LEADS_NOWHERE = Facts((Fact(Purpose.URL, origins=(1,)),))
FEW = Value(fields=(("0", text("a.example")), ("1", text("b.example"))), collection=True)


def begins(prefix: Value) -> Facts:
    return of_call("x.startswith", HARM, [prefix], ("x", None))


def prefixes(*texts: str) -> Value:
    return Value(fields=tuple((str(place), text(each)) for place, each in enumerate(texts)), collection=True)


@for_each(
    (text("https://example.org/"), text("https://example.org:8443/a"), prefixes("http://a.org/", "http://b.org/"))
)
def test_prefix__an_address_with_its_whole_host(prefix: Value) -> None:
    assert begins(prefix) == LEADS_NOWHERE


@for_each(
    (
        text("https://example.org"),
        text("https://"),
        text("http"),
        text("https://user@"),
        prefixes("http://a.org/", "http"),
    )
)
def test_prefix__one_that_leaves_the_host_open(prefix: Value) -> None:
    assert Fact(Purpose.URL, origins=(1,)) not in begins(prefix).if_true


def test_prefix__a_path_of_this_site():
    assert begins(text("/")) == Facts((Fact(BEGINS_ROOT, origins=(1,)),))
    assert begins(text("//")) == Facts((), (Fact(NAMES_NO_HOST, origins=(1,)),))
    assert begins(prefixes("//", "http")) == Facts((), (Fact(Purpose.URL, origins=(1,)),))
    assert begins(text("a")) == NOTHING


def test_prefix__one_that_is_not_constant_proves_nothing():
    assert begins(OTHER) == NOTHING


def test_host__compared_with_anything():
    assert of_comparison("==", OF_HOST, text("example.org"), (None, None)) == LEADS_NOWHERE
    assert of_comparison("!=", OF_HOST, text("example.org"), (None, None)) == LEADS_NOWHERE.negated()
    assert of_comparison("in", OF_HOST, FEW, (None, None)) == LEADS_NOWHERE
    assert of_comparison("in", OF_HOST, OTHER, (None, None)) == NOTHING


def test_host__is_one_of_a_list():
    known = of_call("few.includes", FEW, [OF_HOST], ("few", "host"))
    assert set(LEADS_NOWHERE.if_true) <= set(known.if_true)
    assert of_call("few.includes", OTHER, [OF_HOST], ("few", "host")) == NOTHING


@for_each(
    (
        (OF_HOST, ".example.org", LEADS_NOWHERE),
        (OF_HOST, "example.org", NOTHING),
        (HARM, ".example.org", NOTHING),
    )
)
def test_suffix__the_domain_a_host_is_in(row: tuple[Value, str, Facts]) -> None:
    host, ending, expected = row
    assert of_call("host.endswith", host, [text(ending)], ("host", None)) == expected


def test_equality__a_name_that_is_its_own_last_part():
    part = cleaned(HARM, Purpose.PATH)
    inside = Facts((Fact(Purpose.PATH, origins=(1,)),))
    assert of_comparison("==", part, HARM, (None, None)) == inside
    assert of_comparison("==", HARM, part, (None, None)) == inside
    assert of_comparison("==", part, OTHER, (None, None)) == NOTHING
    assert of_comparison("==", HARM, OTHER, (None, None)) == NOTHING


def test_same_host__of_nothing():
    assert same_host(CLEAN) == ()
    assert is_constant(text("a"))
    assert not is_constant(HARM)


@for_each(
    (
        ("if not q.startswith('/') or q.startswith('//'):\n    abort(1)\n", True),
        ("if not q.startswith('/'):\n    abort(1)\n", False),
        ("if q.startswith('//'):\n    abort(1)\n", False),
        ("if not q.startswith('https://example.org/'):\n    abort(1)\n", True),
        ("if not q.startswith('https://example.org'):\n    abort(1)\n", False),
        ("if q.startswith(('//', 'http')):\n    abort(1)\n", True),
        ("if urlparse(q).netloc != 'example.org':\n    abort(1)\n", True),
        ("if urlparse(q).hostname not in HOSTS:\n    abort(1)\n", True),
        ("if not urlparse(q).hostname.endswith('.example.org'):\n    abort(1)\n", True),
        ("if not urlparse(q).hostname.endswith('example.org'):\n    abort(1)\n", False),
    )
)
def test_analyse__an_address_that_leads_nowhere_else(row: tuple[str, bool]) -> None:
    guard, safe = row
    calls = analyse("python", f"q = request.args['x']\n{guard}sink(q)\n").calls
    (call,) = [call for call in calls if call.callee == "sink"]
    taints = call.arguments[0].value.taints
    assert all(Purpose.URL in taint.cleaned for taint in taints) is safe
