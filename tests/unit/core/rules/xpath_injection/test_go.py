from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.categories import Confidence
from devpulse.core.rules.xpath_injection import RULE

REPORTED = {
    "found": """
        func find(w http.ResponseWriter, r *http.Request) {
            node := xmlquery.FindOne(doc, "//user[name='"+r.FormValue("user")+"']") // BAD
            show(w, node)
        }
        """,
    "compiled": """
        func find(title string) (*xpath.Expr, error) {
            return xpath.Compile(fmt.Sprintf("/books/book[@title='%s']", title)) // BAD
        }
        """,
    "goxpath": """
        func find(user string) goxpath.XPathExec {
            return goxpath.MustParse(fmt.Sprintf("//user[name='%s']", user)) // BAD
        }
        """,
}
QUIET = {
    "constant": """
        func find(w http.ResponseWriter, r *http.Request) {
            show(w, xmlquery.Find(doc, "//user[@active='yes']"))
        }
        """,
    "number": """
        func find(place int) *xmlquery.Node {
            return xmlquery.FindOne(doc, fmt.Sprintf("/books/book[%d]", place))
        }
        """,
    "variables": """
        func find(user string, tree tree.Node) (tree.Result, error) {
            found := goxpath.MustParse("//user[name=$user]")
            return found.Exec(tree, func(o *goxpath.Opts) { o.Vars["user"] = user })
        }
        """,
}


@pytest.mark.parametrize("code", REPORTED.values(), ids=REPORTED)
def test_check__reports(code: str) -> None:
    hits = [hit for hit in run(RULE, code, path="internal/app.go") if hit.confidence is not Confidence.LOW]
    assert lines_of(hits) == marked_lines(code)
    assert all(hit.cwe == 643 and hit.trace is not None for hit in hits)


@pytest.mark.parametrize("code", QUIET.values(), ids=QUIET)
def test_check__is_quiet(code: str) -> None:
    assert [hit for hit in run(RULE, code, path="internal/app.go") if hit.confidence is not Confidence.LOW] == []
