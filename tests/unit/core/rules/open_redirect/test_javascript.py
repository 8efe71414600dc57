from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.categories import Confidence
from devpulse.core.rules.open_redirect import RULE

REPORTED = {
    "express": """
        app.get("/login", (req, res) => {
          res.redirect(req.query.next); // BAD
        });
        """,
    "with a status": """
        app.get("/out", (req, res) => res.redirect(302, req.query.url)); // BAD
        """,
}
QUIET = {
    "own page": """
        app.get("/item", (req, res) => res.redirect("/items/" + req.query.id));
        """,
    "fixed host": """
        app.get("/doc", (req, res) => res.redirect(301, `https://docs.example.com/${req.params.page}`));
        """,
    "constant": """
        app.get("/", (req, res) => res.redirect("/home"));
        """,
}


@pytest.mark.parametrize("code", REPORTED.values(), ids=REPORTED)
def test_check__reports(code: str) -> None:
    hits = [hit for hit in run(RULE, code, path="src/app.js") if hit.confidence is not Confidence.LOW]
    assert lines_of(hits) == marked_lines(code)
    assert all(hit.cwe == 601 and hit.trace is not None for hit in hits)


@pytest.mark.parametrize("code", QUIET.values(), ids=QUIET)
def test_check__is_quiet(code: str) -> None:
    assert [hit for hit in run(RULE, code, path="src/app.js") if hit.confidence is not Confidence.LOW] == []
