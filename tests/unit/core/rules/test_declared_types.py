from __future__ import annotations

from rule_tables import MemoryResolver, make_source
from tables import for_each

from devpulse.core.rules.declared_types import declares_other, declares_page, is_no_page
from devpulse.core.rules.flow_rule import Danger, Use, uses_of
from devpulse.core.rules.wording import Weakness, Wording

DANGER = Danger(Weakness("cross-site-scripting"), Wording("", "", ""), lambda _taint, _use: None)


def use_of(code: str, path: str) -> Use:
    """The last use of a value in an answer."""
    return list(uses_of(DANGER, make_source(code, path=path), MemoryResolver()))[-1]


def of_go(*lines: str) -> Use:
    body = "\n".join(lines)
    return use_of(f'func f(w http.ResponseWriter, r *http.Request) {{\nx := r.FormValue("x")\n{body}\n}}\n', "app.go")


def of_java(*lines: str) -> Use:
    body = "\n".join(lines)
    return use_of(
        "class A extends HttpServlet { void doGet(HttpServletRequest request, HttpServletResponse response) {\n"
        f'String x = request.getParameter("x");\n{body}\nresponse.getWriter().print(x);\n}} }}\n',
        "A.java",
    )


def of_php(*lines: str) -> Use:
    body = "\n".join(lines)
    return use_of(f"<?php\nfunction f() {{\n{body}\necho $_GET['x'];\n}}\n", "page.php")


def of_express(*lines: str) -> Use:
    body = "\n".join(lines)
    return use_of(f"app.get('/x', (req, res) => {{\n{body}\nres.send(req.query.x);\n}});\n", "app.js")


OTHER = {
    "Go": of_go('w.Header().Set("Content-Type", "application/json")', "fmt.Fprint(w, x)"),
    "Go, in small letters": of_go('w.Header().Set("content-type", "text/plain; charset=utf-8")', "fmt.Fprint(w, x)"),
    "Java": of_java('response.setContentType("application/json");'),
    "Java, by the header": of_java('response.setHeader("Content-Type", "text/plain");'),
    "PHP": of_php("header('Content-Type: application/json');"),
    "Express": of_express("res.type('json');"),
    "Express, the type": of_express("res.type('text/plain');"),
    "Express, by the header": of_express("res.set('Content-Type', 'text/csv');"),
}
SAME = {
    "nothing": of_go("fmt.Fprint(w, x)"),
    "Go": of_go('w.Header().Set("Content-Type", "text/html")', "fmt.Fprint(w, x)"),
    "another header": of_go('w.Header().Set("Accept", "application/json")', "fmt.Fprint(w, x)"),
    "Java": of_java('response.setContentType("text/html;charset=UTF-8");'),
    "PHP": of_php("header('Content-Type: text/html');"),
    "PHP, a picture that may have scripts": of_php("header('Content-Type: image/svg+xml');"),
    "PHP, another header": of_php("header('X-Type: application/json');"),
    "Express": of_express("res.type('html');"),
    "Express, another call": of_express("res.links('application/json');"),
}


@for_each(OTHER.items())
def test_declares_other(row: tuple[str, Use]) -> None:
    assert declares_other(row[1].function)
    assert is_no_page(row[1])
    assert not declares_page(row[1])


@for_each(SAME.items())
def test_declares_other__not(row: tuple[str, Use]) -> None:
    assert not declares_other(row[1].function)
    assert not is_no_page(row[1])


@for_each(SAME.items())
def test_declares_page(row: tuple[str, Use]) -> None:
    assert declares_page(row[1]) is (row[0] in ("Go", "Java", "PHP"))


def test_is_no_page__what_the_answer_says_itself():
    def answer(arguments: str) -> Use:
        return use_of(f'def f(request):\n    return HttpResponse(request.GET["x"]{arguments})\n', "src/app.py")

    assert is_no_page(answer(', mimetype="text/plain"'))
    assert is_no_page(answer(', content_type="application/json"'))
    assert not is_no_page(answer(', mimetype="text/html"'))
    assert not is_no_page(answer(""))


@for_each(
    (
        ("fmt.Fprintln(w, x)", False),
        ("fmt.Fprintln(rw, x)", False),
        ("io.WriteString(c.Writer, x)", False),
        ("fmt.Fprintln(os.Stderr, x)", True),
        ("fmt.Fprintf(file, x)", True),
        ("io.WriteString(hash, x)", True),
    )
)
def test_is_no_page__go_writes_to_something_else(row: tuple[str, bool]) -> None:
    statement, expected = row
    assert is_no_page(of_go(statement)) is expected
