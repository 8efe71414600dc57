from __future__ import annotations

import pytest
from tables import for_each

from devpulse.core.flow.engine import analyse, analyse_call
from devpulse.core.flow.formatting import Passed
from devpulse.core.flow.records import Elsewhere
from devpulse.core.flow.values import Level, Origin, Place, tainted, text

INTO_FUNCTIONS = [
    ("def h(x):\n    sink(x)\ndef v():\n    h(request.args['x'])", True),
    ("def v():\n    h(request.args['x'])\ndef h(x):\n    sink(x)", True),
    ("def v():\n    h('a')\ndef h(x):\n    sink(x)", False),
    ("def v():\n    sink(h(request.args['x']))\ndef h(x):\n    return 'a' + x", True),
    ("def v():\n    sink(h(request.args['x']))\ndef h(x):\n    return 'a'", False),
    ("def v():\n    sink(h())\ndef h():\n    return request.args['x']", True),
    ("def v():\n    a(request.args['x'])\ndef a(x):\n    b(x)\ndef b(y):\n    sink(y)", True),
    ("class A:\n    def v(self):\n        self.h(request.args['x'], 1)\n    def h(self, x, n):\n        sink(x)", True),
    (
        "class A:\n    def v(self):\n        self.h(1, request.args['x'])\n    def h(self, x, n):\n        sink(x)",
        False,
    ),
    ("def h(*args, **kw):\n    sink(args[1])\ndef v():\n    h(1, request.args['x'])", True),
    ("def h(*args, **kw):\n    sink(args[0])\ndef v():\n    h(1, request.args['x'])", False),
    ("def h(*args, **kw):\n    sink(kw['q'])\ndef v():\n    h(1, q=request.args['x'])", True),
    ("def h(*args, **kw):\n    sink(kw['p'])\ndef v():\n    h(1, p=2, q=request.args['x'])", False),
    ("def h(x, flag=False):\n    if flag:\n        sink(x)\ndef v():\n    h(request.args['x'])\n", False),
    ("def h(x, flag=False):\n    if flag:\n        sink(x)\ndef v():\n    h(request.args['x'], flag=True)\n", True),
    ("def v():\n    def h(x):\n        sink(x)\n    h(request.args['x'])", True),
    ("def h(n, x):\n    if n:\n        h(n - 1, x)\n    sink(x)\ndef v():\n    h(3, request.args['x'])", True),
    (
        (
            "def h(x):\n    if x not in ('a', 'b'):\n        raise ValueError\ndef v():\n"
            "    q = request.args['x']\n    h(q)\n    sink(q)"
        ),
        False,
    ),
    (
        (
            "def ok(x):\n    return x in ('a', 'b')\ndef v():\n    q = request.args['x']\n"
            "    if not ok(q):\n        return\n    sink(q)"
        ),
        False,
    ),
    (
        (
            "def ok(x):\n    if x in ('a', 'b'):\n        return True\n    return False\n"
            "def v():\n    q = request.args['x']\n    if not ok(q):\n        return\n    sink(q)"
        ),
        False,
    ),
    (
        (
            "def ok(x):\n    if x in ('a', 'b'):\n        return True\n    return True\ndef v():\n"
            "    q = request.args['x']\n    if not ok(q):\n        return\n    sink(q)"
        ),
        True,
    ),
    (
        (
            "def die():\n    raise ValueError\ndef v():\n    q = request.args['x']\n"
            "    if q not in ('a',):\n        die()\n    sink(q)"
        ),
        False,
    ),
]
INTO_FUNCTIONS_OF_TYPESCRIPT = [
    ("const h = (x) => { sink(x); }; app.get('/', (req, res) => { h(req.query.x); });", True),
    ("app.get('/', (req, res) => { h(req.query.x); }); function h(x) { sink(x); }", True),
    ("app.get('/', (req, res) => { h('a'); }); function h(x) { sink(x); }", False),
    ("class A { v(req) { this.h(req.query.x); } h(x) { sink(x); } }", True),
    ("function h({ a, b }) { sink(b); } function v(req) { h({ a: 1, b: req.query.x }); }", True),
    ("function h({ a, b }) { sink(a); } function v(req) { h({ a: 1, b: req.query.x }); }", False),
]


def reaches(language: str, code: str) -> bool:
    calls = [call for call in analyse(language, code).calls if call.callee == "sink"]
    return any(t.origin.level >= 3 for call in calls for a in call.arguments for t in a.value.taints)


@pytest.mark.parametrize(("code", "expected"), INTO_FUNCTIONS)
def test_analyse__into_functions(code: str, expected: bool):
    assert reaches("python", code) is expected


@pytest.mark.parametrize(("code", "expected"), INTO_FUNCTIONS_OF_TYPESCRIPT)
def test_analyse__into_functions_of_typescript(code: str, expected: bool):
    assert reaches("typescript", code) is expected


def test_analyse__says_which_calls_a_record_came_through():
    code = "def a(x):\n    b(x)\ndef b(y):\n    sink(y)\ndef v():\n    a(request.args['q'])\n"
    (call,) = [call for call in analyse("python", code).calls if call.via and call.callee == "sink"]
    assert [(site.callee, site.line) for site in call.via] == [("a", 6), ("b", 2)]
    assert (call.start_line, call.scope.name) == (4, "b")


def test_analyse__a_private_function_is_not_distrusted_when_its_callers_are_seen():
    private = "def _h(x):\n    sink(x)\ndef v():\n    _h('a')\n"
    (call,) = [call for call in analyse("python", private).calls if call.callee == "sink"]
    assert not call.arguments[0].value.taints
    for more in ("register(_h)\n", "def w(y):\n    _h(y)\n"):
        calls = [call for call in analyse("python", private + more).calls if call.callee == "sink"]
        assert any(t.origin.level is Level.PARAMETER for call in calls for t in call.arguments[0].value.taints)


def test_analyse__the_trail_goes_in_and_out():
    code = "def h(x):\n    y = x + 'a'\n    return y\nq = request.args['q']\nr = h(q)\nsink(r)\n"
    (call,) = [call for call in analyse("python", code).calls if call.callee == "sink"]
    mark = call.arguments[0].value.taints[0].trail
    notes = []
    while mark is not None:
        notes.append((mark.line, mark.note))
        mark = mark.before
    assert (5, "into h()") in notes
    assert (2, "put into a text") in notes


def test_analyse__a_function_called_often_records_its_calls_once():
    helper = "def h(x):\n    sink(x)\n" + "h(request.args['a'])\n" * 300
    assert len([call for call in analyse("python", helper).calls if call.callee == "sink"]) == 2


GIVEN = (Passed(None, tainted(Origin(7, Level.REQUEST, "q", 3))),)


def test_analyse_call__what_comes_back_and_what_is_reached():
    body = 'def build(name):\n    run(name)\n    return "SELECT a FROM t WHERE n = \'" + name + "\'"\n'
    called = analyse_call("python", body, "lib.build", GIVEN, line=40)
    assert called is not None
    (taint,) = called.value.taints
    assert (taint.origin.id, taint.place) == (7, Place.QUOTED)
    (call,) = called.calls
    assert (call.callee, call.start_line, call.elsewhere) == ("run", 40, Elsewhere("", 2, "run"))


def test_analyse_call__what_cannot_be_evaluated():
    assert analyse_call("python", "x = 1\n", "f", GIVEN) is None
    assert analyse_call("nothing", "", "f", GIVEN) is None
    called = analyse_call("python", "def f(x):\n    raise ValueError(x)\n", "f", GIVEN)
    assert called is not None
    assert not called.returns
    constant = analyse_call("python", "def f(x):\n    return 1\n", "f", (Passed(None, text("a")),))
    assert constant is not None
    assert not constant.value.taints


SETTERS = [
    ("python", "def v(x):\n    r.headers['Location'] = x", "r.headers.Location="),
    ("python", "def v(x):\n    r['Location'] = 'a' + x", "r.Location="),
    ("python", "def v(x):\n    self.page.title = x", "self.page.title="),
    ("python", "def v(x):\n    find('a').title = x", ".title="),
    ("javascript", "function v(x) { document.getElementById('a').innerHTML += x; }", ".innerHTML="),
    ("javascript", "function v(x) { el.innerHTML = x; }", "el.innerHTML="),
    ("java", "class A { void v(String x) { this.page.title = x; } }", "this.page.title="),
    ("php", "<?php function v($x) { $page->title = $x; }", "page.title="),
]


@pytest.mark.parametrize(("language", "code", "callee"), SETTERS, ids=[item[2] + item[0] for item in SETTERS])
def test_assign__setting_a_member_is_a_call(language: str, code: str, callee: str) -> None:
    (call,) = [call for call in analyse(language, code).calls if call.sets]
    assert call.callee.replace("$", "") == callee
    assert [argument.value.taints[0].origin.label.lstrip("$") for argument in call.arguments] == ["x"]


@pytest.mark.parametrize("code", ["r.title = 'a'", "def v(x):\n    y = x", "def v(x):\n    r[0] = x"])
def test_assign__constants_names_and_places_are_no_setters(code: str) -> None:
    assert not [call for call in analyse("python", code).calls if call.sets]


def test_return__has_its_lines() -> None:
    (item,) = analyse("python", "def f(x):\n    y = 1\n    return (\n        x\n    )").returns
    assert (item.start_line, item.end_line) == (3, 5)


ANSWERS = [
    ("python", "@app.route('/a')\ndef a():\n    return request.args['x']", ["route.return"]),
    ("python", "@app.route('/a')\ndef a():\n    return 'fixed'", []),
    ("python", "def a():\n    return request.args['x']", []),
    ("python", "@app.get('/a/{x}')\ndef a(x):\n    return x", []),
    ("python", "@app.get('/a/{x}', response_class=HTMLResponse)\ndef a(x):\n    return x", ["HTMLResponse.return"]),
    ("python", "@app.get('/a')\ndef a():\n    return request.args['x']", ["flask.return"]),
    ("python", "@cherrypy.expose\ndef a(self, x):\n    return x", ["expose.return"]),
    (
        "java",
        '@Controller class A { @GetMapping("/a") String a(@RequestParam String x) { return x; } }',
        ["Controller.return"],
    ),
]


@pytest.mark.parametrize(("language", "code", "callees"), ANSWERS, ids=range(len(ANSWERS)))
def test_return__of_a_route_is_a_call(language: str, code: str, callees: list[str]) -> None:
    assert [call.callee for call in analyse(language, code).calls if call.returns] == callees


_ROUTES = {
    "python": "@app.route('/a')\ndef a():\n    x = {call}\n    sink(x)\n",
    "javascript": "app.get('/a', (req, res) => {{\n  const x = {call};\n  sink(x);\n}});\n",
    "go": "func a(w http.ResponseWriter, r *http.Request) {{\n\tx := {call}\n\tsink(x)\n}}\n",
    "java": "class A {{\n  void a(HttpServletRequest request) {{\n    String x = {call};\n    sink(x);\n  }}\n}}\n",
}
_READING = (
    ("python", "get_param(request, 'x')"),
    ("python", "web.read_body(request)"),
    ("python", "extract_query_params(request)['x']"),
    ("javascript", "getCookie(req, 'x')"),
    ("javascript", "http.queryParam(req, 'x')"),
    ("go", 'getParam(r, "x")'),
    ("go", 'web.ReadBodyString(r)'),
    ("java", "WebUtils.getRequestBody(request)"),
    ("java", 'ServletRequestUtils.getStringParameter(request, "x")'),
)  # fmt: skip
_NOT_READING = (
    ("python", "get_user(request)"),
    ("python", "get_int_param(request, 'x')"),
    ("python", "get_param(settings, 'x')"),
    ("python", "set_cookie(request, 'x')"),
    ("python", "get_sort_param(request, allowed=('name', 'date'))"),
    ("python", "get_page_param(request)"),
    ("javascript", "currentUser(req)"),
    ("javascript", "getParam(config, 'x')"),
    ("go", 'getIntParam(r, "x")'),
    ("go", "getParam(config, name)"),
    ("java", "Session.of(request)"),
    ("java", 'ServletRequestUtils.getIntParameter(request, "x")'),
)


def _asked_of_request(language: str, call: str) -> list[str]:
    """The functions still to be read of values of the request that reach ``sink``."""
    calls = [item for item in analyse(language, _ROUTES[language].format(call=call)).calls if item.callee == "sink"]
    taints = [taint for item in calls for given in item.arguments for taint in given.value.taints]
    return [ask.callee for taint in taints if taint.origin.level is Level.REQUEST for ask in taint.asks]


@for_each(_READING)
def test_call__a_function_that_reads_a_part_of_the_request_by_its_name(row: tuple[str, str]) -> None:
    assert _asked_of_request(*row)


@for_each(_NOT_READING)
def test_call__a_function_that_reads_no_text_of_the_request(row: tuple[str, str]) -> None:
    assert not _asked_of_request(*row)
