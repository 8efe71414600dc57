from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.categories import Confidence
from devpulse.core.rules.insecure_cookie import RULE

REPORTED = {
    "token in plain": """
        res.cookie('token', jwt); // BAD
        """,
    "readable": """
        res.cookie('session_id', id, { secure: true, sameSite: 'lax' }); // BAD
        """,
    "switched off": """
        res.cookie('cart', id, { httpOnly: false, secure: true }); // BAD
        """,
    "session of express": """
        app.use(session({ secret, resave: false, cookie: { secure: false } })); // BAD
        """,
    "session readable by scripts": """
        app.use(session({ secret, cookie: { secure: true, httpOnly: false } })); // BAD
        """,
}
QUIET = {
    "protected": """
        res.cookie('token', jwt, { httpOnly: true, secure: true });
        """,
    "by environment": """
        res.cookie('token', jwt, { httpOnly: true, secure: process.env.NODE_ENV === 'production' });
        """,
    "options that stand elsewhere": """
        res.cookie('token', jwt, cookieOptions);
        res.cookie('token', jwt, { ...defaults, maxAge: 60 });
        """,
    "theme": """
        res.cookie('theme', 'dark');
        """,
    "mail server": """
        const transport = nodemailer.createTransport({ host, port: 587, secure: false });
        """,
    "removed": """
        res.cookie('token', '', { maxAge: 0 });
        res.clearCookie('token');
        """,
}


@pytest.mark.parametrize("code", REPORTED.values(), ids=REPORTED)
def test_check__reports(code: str) -> None:
    hits = [hit for hit in run(RULE, code, path="src/app.js") if hit.confidence is not Confidence.LOW]
    assert lines_of(hits) == marked_lines(code)
    assert {hit.category for hit in hits} == {"insecure-cookie"}


@pytest.mark.parametrize("code", QUIET.values(), ids=QUIET)
def test_check__is_quiet(code: str) -> None:
    assert [hit for hit in run(RULE, code, path="src/app.js") if hit.confidence is not Confidence.LOW] == []
