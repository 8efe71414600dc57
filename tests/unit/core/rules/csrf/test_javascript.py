from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.categories import Confidence
from devpulse.core.rules.csrf import RULE

REPORTED = {
    "methods that change things": """
        app.use(csurf({ cookie: true, ignoreMethods: ['GET', 'HEAD', 'POST'] })); // BAD
        """,
    "option": """
        app.use(lusca({ csrf: false, xframe: 'SAMEORIGIN' })); // BAD
        """,
    "framework setting": """
        module.exports = { security: { csrf: { enable: false } } }; // BAD
        """,
}
QUIET = {
    "on": """
        app.use(csurf({ cookie: true }));
        app.use(lusca({ csrf: true }));
        """,
    "reading methods": """
        app.use(csurf({ ignoreMethods: ['GET', 'HEAD', 'OPTIONS'] }));
        """,
    "setting of the environment": """
        const security = { csrf: config.csrf };
        """,
}


@pytest.mark.parametrize("code", REPORTED.values(), ids=REPORTED)
def test_check__reports(code: str) -> None:
    hits = [hit for hit in run(RULE, code, path="src/app.js") if hit.confidence is not Confidence.LOW]
    assert lines_of(hits) == marked_lines(code)
    assert {hit.category for hit in hits} == {"csrf"}


@pytest.mark.parametrize("code", QUIET.values(), ids=QUIET)
def test_check__is_quiet(code: str) -> None:
    assert [hit for hit in run(RULE, code, path="src/app.js") if hit.confidence is not Confidence.LOW] == []
