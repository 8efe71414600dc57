from __future__ import annotations

from rule_tables import MemoryResolver, make_source
from tables import for_each

from devpulse.core.flow.values import Level
from devpulse.core.rules.flow_rule import Danger, uses_of
from devpulse.core.rules.formatted_answers import is_encoded
from devpulse.core.rules.wording import Weakness, Wording

DANGER = Danger(Weakness("cross-site-scripting"), Wording("", "", ""), lambda _taint, _use: None)


def encoded(code: str, path: str) -> list[bool]:
    """What is said of each value of a request that comes to an answer."""
    return [
        is_encoded(taint, use)
        for use in uses_of(DANGER, make_source(code, path=path), MemoryResolver())
        for taint in use.value.taints
        if taint.origin.level is Level.REQUEST
    ]


def of_go(answer: str) -> list[bool]:
    code = f'func f(w http.ResponseWriter, r *http.Request) {{\n x := r.FormValue("x")\n {answer}\n}}\n'
    return encoded(code, "app.go")


def of_java(answer: str) -> list[bool]:
    code = (
        "class A extends HttpServlet { void doGet(HttpServletRequest request, HttpServletResponse response) {\n"
        f' PrintWriter out = response.getWriter(); String x = request.getParameter("x");\n {answer}\n}} }}\n'
    )
    return encoded(code, "A.java")


@for_each(
    (
        'fmt.Fprintf(w, `{"x": "%s"}`, x)',
        'fmt.Fprintf(w, `[{"x": "%s"}]`, x)',
        'fmt.Fprintf(w, "<b>%x</b>", x)',
        'fmt.Fprintf(w, "<b>%s %x</b>", known, x)',
        'fmt.Fprintf(w, "<b>100%% %t</b>", x)',
        "fmt.Fprint(w, toJSON(x))",
        "fmt.Fprint(w, shown.MarshalJSON(x))",
    )
)
def test_is_encoded__go(answer: str) -> None:
    found = of_go(answer)
    assert found
    assert all(found)


@for_each(
    (
        'fmt.Fprintf(w, "<b>%s</b>", x)',
        'fmt.Fprintf(w, "<b>%v %x</b>", x, known)',
        'fmt.Fprintf(w, `{"x": "<b>%s</b>"}`, x)',
        'fmt.Fprintf(w, "{%s}", x)',
        'fmt.Fprintf(w, "%s: %s", "a", x)',
        "fmt.Fprint(w, shown(x))",
        "fmt.Fprint(w, fromJSON(x))",
    )
)
def test_is_encoded__go_as_text(answer: str) -> None:
    found = of_go(answer)
    assert found
    assert not any(found)


@for_each(
    (
        "out.print(mapper.writeValueAsJson(x));",
        "out.write(Shown.toJsonString(x));",
        'out.printf("{\\"x\\": \\"%s\\"}", x);',
    )
)
def test_is_encoded__java(answer: str) -> None:
    found = of_java(answer)
    assert found
    assert all(found)


@for_each(('out.printf("<b>%s</b>", x);', "out.print(shown(x));", 'out.print("{\\"x\\": \\"" + x);'))
def test_is_encoded__java_as_text(answer: str) -> None:
    found = of_java(answer)
    assert found
    assert not any(found)


def test_is_encoded__is_no_matter_of_other_languages():
    found = encoded("<?php\nprintf('%s', $_GET['x']);\necho to_json($_GET['x']);\n", "page.php")
    assert found
    assert not any(found)


def test_is_encoded__numbers_of_php():
    assert encoded("<?php\nprintf('<p>%d of %u</p>', $_GET['x'], $_GET['y']);\n", "page.php") == [True, True]
    assert encoded("<?php\nprintf('<p>%d of %s</p>', 1, $_GET['y']);\n", "page.php") == [False]
