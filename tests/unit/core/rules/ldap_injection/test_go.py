from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.categories import Confidence
from devpulse.core.rules.ldap_injection import RULE

REPORTED = {
    "filter": """
        func find(w http.ResponseWriter, r *http.Request) {
            filter := fmt.Sprintf("(&(objectClass=person)(uid=%s))", r.FormValue("user"))
            req := ldap.NewSearchRequest("dc=example", 2, 0, 0, 0, false, filter, nil, nil) // BAD
            conn.Search(req)
        }
        """,
    "given by the caller": """
        func (d *Directory) groups(name string) *ldap.SearchRequest {
            return ldap.NewSearchRequest(d.base, 2, 0, 0, 0, false, "(cn="+name+")", nil, nil) // BAD
        }
        """,
}
QUIET = {
    "escaped": """
        func find(w http.ResponseWriter, r *http.Request) {
            filter := fmt.Sprintf("(uid=%s)", ldap.EscapeFilter(r.FormValue("user")))
            conn.Search(ldap.NewSearchRequest("dc=example", 2, 0, 0, 0, false, filter, nil, nil))
        }
        """,
    "constant": """
        func all(r *http.Request) {
            conn.Search(ldap.NewSearchRequest("dc=example", 2, 0, 0, 0, false, "(objectClass=person)", nil, nil))
        }
        """,
}


@pytest.mark.parametrize("code", REPORTED.values(), ids=REPORTED)
def test_check__reports(code: str) -> None:
    hits = [hit for hit in run(RULE, code, path="internal/app.go") if hit.confidence is not Confidence.LOW]
    assert lines_of(hits) == marked_lines(code)
    assert all(hit.cwe == 90 and hit.trace is not None for hit in hits)


@pytest.mark.parametrize("code", QUIET.values(), ids=QUIET)
def test_check__is_quiet(code: str) -> None:
    assert [hit for hit in run(RULE, code, path="internal/app.go") if hit.confidence is not Confidence.LOW] == []
