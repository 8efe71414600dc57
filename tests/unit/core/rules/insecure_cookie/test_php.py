from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.categories import Confidence
from devpulse.core.rules.insecure_cookie import RULE

REPORTED = {
    "session in plain": """
        <?php
        setcookie('session_token', $token, time() + 3600); // BAD
        """,
    "readable": """
        <?php
        setcookie('auth', $token, 0, '/', '', true, false); // BAD
        """,
    "options": """
        <?php
        setcookie('auth', $token, ['expires' => time() + 60, 'secure' => true]); // BAD
        """,
    "settings": """
        <?php
        ini_set('session.cookie_httponly', 0); // BAD
        session_set_cookie_params(['lifetime' => 0, 'secure' => false, 'httponly' => true]); // BAD
        """,
}
QUIET = {
    "protected": """
        <?php
        setcookie('auth', $token, ['expires' => time() + 60, 'secure' => true, 'httponly' => true]);
        setcookie('auth', $token, time() + 60, '/', '', true, true);
        """,
    "options that stand elsewhere": """
        <?php
        setcookie('auth', $token, $options);
        """,
    "removed": """
        <?php
        setcookie('session_token', '', time() - 3600);
        """,
    "theme": """
        <?php
        setcookie('theme', $theme, time() + 3600);
        """,
    "settings": """
        <?php
        ini_set('session.cookie_httponly', 1);
        """,
    "method of the same name": """
        <?php
        $this->setcookie('session_token', $token);
        """,
}


@pytest.mark.parametrize("code", REPORTED.values(), ids=REPORTED)
def test_check__reports(code: str) -> None:
    hits = [hit for hit in run(RULE, code, path="src/app.php") if hit.confidence is not Confidence.LOW]
    assert lines_of(hits) == marked_lines(code)
    assert {hit.category for hit in hits} == {"insecure-cookie"}


@pytest.mark.parametrize("code", QUIET.values(), ids=QUIET)
def test_check__is_quiet(code: str) -> None:
    assert [hit for hit in run(RULE, code, path="src/app.php") if hit.confidence is not Confidence.LOW] == []
