from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.categories import Confidence
from devpulse.core.rules.csrf import RULE

REPORTED = {
    "skipped": """
        package app
        func handler(w http.ResponseWriter, r *http.Request) {
            r = csrf.UnsafeSkipCheck(r) // BAD
            next.ServeHTTP(w, r)
        }
        """,
    "setting": """
        package app
        func main() {
            web.BConfig.WebConfig.EnableXSRF = false // BAD
        }
        """,
}
QUIET = {
    "protected": """
        package app
        func main() {
            http.ListenAndServe(":8000", csrf.Protect(key)(router))
        }
        """,
    "setting": """
        package app
        func main() {
            web.BConfig.WebConfig.EnableXSRF = true
        }
        """,
}


@pytest.mark.parametrize("code", REPORTED.values(), ids=REPORTED)
def test_check__reports(code: str) -> None:
    hits = [hit for hit in run(RULE, code, path="internal/app.go") if hit.confidence is not Confidence.LOW]
    assert lines_of(hits) == marked_lines(code)
    assert {hit.category for hit in hits} == {"csrf"}


@pytest.mark.parametrize("code", QUIET.values(), ids=QUIET)
def test_check__is_quiet(code: str) -> None:
    assert [hit for hit in run(RULE, code, path="internal/app.go") if hit.confidence is not Confidence.LOW] == []
