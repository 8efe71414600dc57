from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.categories import Confidence
from devpulse.core.rules.insecure_cookie import RULE

REPORTED = {
    "session in plain": """
        response.set_cookie("session", token)  # BAD
        """,
    "readable token": """
        response.set_cookie("auth_token", value=token, secure=True)  # BAD
        """,
    "switched off": """
        response.set_cookie("cart", cart, secure=False, httponly=True)  # BAD
        """,
    "key as a keyword": """
        response.set_cookie(key="refresh_token", value=token, httponly=True)  # BAD
        """,
    "settings": """
        SESSION_COOKIE_SECURE = False  # BAD
        SESSION_COOKIE_HTTPONLY = False  # BAD
        app.config["SESSION_COOKIE_SECURE"] = False  # BAD
        app.config.update(REMEMBER_COOKIE_HTTPONLY=False)  # BAD
        """,
}
QUIET = {
    "protected": """
        response.set_cookie("session", token, secure=True, httponly=True, samesite="Lax")
        """,
    "flags of a setting": """
        response.set_cookie("session", token, secure=settings.COOKIE_SECURE, httponly=True)
        """,
    "options that stand elsewhere": """
        response.set_cookie("session", token, **COOKIE_OPTIONS)
        """,
    "theme and language": """
        response.set_cookie("theme", "dark")
        response.set_cookie("lang", lang, httponly=False, secure=True)
        """,
    "token that scripts have to read": """
        response.set_cookie("csrf_token", token, secure=True, httponly=False)
        """,
    "removed": """
        response.set_cookie("session", "", max_age=0)
        response.delete_cookie("session")
        """,
    "development settings": """
        class DevelopmentConfig:
            SESSION_COOKIE_SECURE = False
        """,
    "defaults of a framework": """
        default_config = dict({"SESSION_COOKIE_SECURE": False, "SESSION_COOKIE_HTTPONLY": True})
        """,
}


@pytest.mark.parametrize("code", REPORTED.values(), ids=REPORTED)
def test_check__reports(code: str) -> None:
    hits = [hit for hit in run(RULE, code, path="src/app.py") if hit.confidence is not Confidence.LOW]
    assert lines_of(hits) == marked_lines(code)
    assert {hit.category for hit in hits} == {"insecure-cookie"}


@pytest.mark.parametrize("code", QUIET.values(), ids=QUIET)
def test_check__is_quiet(code: str) -> None:
    assert [hit for hit in run(RULE, code, path="src/app.py") if hit.confidence is not Confidence.LOW] == []
