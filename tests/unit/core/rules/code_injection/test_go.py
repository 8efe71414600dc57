from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.categories import Confidence
from devpulse.core.rules.code_injection import RULE

REPORTED = {
    "template of a request": """
        func page(w http.ResponseWriter, r *http.Request) {
            t, err := template.New("page").Parse("<h1>" + r.FormValue("title") + "</h1>") // BAD
            if err == nil {
                t.Execute(w, nil)
            }
        }
        """,
    "script engine": """
        func calc(w http.ResponseWriter, r *http.Request) {
            vm := otto.New()
            value, _ := vm.Run(r.URL.Query().Get("expr")) // BAD
            fmt.Fprintln(w, value)
        }
        """,
    "plugin": """
        func load(w http.ResponseWriter, r *http.Request) {
            p, err := plugin.Open(r.FormValue("plugin")) // BAD
            use(p, err)
        }
        """,
}
QUIET = {
    "constant template": """
        func page(w http.ResponseWriter, r *http.Request) {
            t := template.Must(template.New("page").Parse("<h1>{{.}}</h1>"))
            t.Execute(w, r.FormValue("title"))
        }
        """,
    "other parsers": """
        func when(w http.ResponseWriter, r *http.Request) {
            day, err := time.Parse("2006-01-02", r.FormValue("day"))
            link, other := url.Parse(r.FormValue("link"))
            show(w, day, err, link, other)
        }
        """,
    "constant script": """
        func calc(vm *goja.Runtime, r *http.Request) {
            vm.Set("x", r.FormValue("x"))
            vm.RunString("x * 2")
        }
        """,
    "jobs run": """
        func work(t *testing.T, r *http.Request) {
            t.Run(r.FormValue("name"), check)
        }
        """,
    "another parser": """
        func shown(c *gin.Context) {
            nodes, err := html2json.NewDefault().Parse(c.PostForm("text"), base)
            c.JSON(200, nodes)
        }
        """,
}


@pytest.mark.parametrize("code", REPORTED.values(), ids=REPORTED)
def test_check__reports(code: str) -> None:
    hits = [hit for hit in run(RULE, code, path="internal/app.go") if hit.confidence is not Confidence.LOW]
    assert lines_of(hits) == marked_lines(code)
    assert all(hit.cwe in (94, 1336) and hit.trace is not None for hit in hits)


@pytest.mark.parametrize("code", QUIET.values(), ids=QUIET)
def test_check__is_quiet(code: str) -> None:
    assert [hit for hit in run(RULE, code, path="internal/app.go") if hit.confidence is not Confidence.LOW] == []
