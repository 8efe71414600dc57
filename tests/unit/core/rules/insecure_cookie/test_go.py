from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.categories import Confidence
from devpulse.core.rules.insecure_cookie import RULE

REPORTED = {
    "session in plain": """
        package app
        func login(w http.ResponseWriter, id string) {
            http.SetCookie(w, &http.Cookie{Name: "session_id", Value: id, Path: "/"}) // BAD
        }
        """,
    "readable": """
        package app
        func login(w http.ResponseWriter, token string) {
            cookie := http.Cookie{ // BAD
                Name:   "auth",
                Value:  token,
                Secure: true,
            }
            http.SetCookie(w, &cookie)
        }
        """,
    "gin": """
        package app
        func login(c *gin.Context) {
            c.SetCookie("token", token, 3600, "/", "", false, true) // BAD
        }
        """,
}
QUIET = {
    "protected": """
        package app
        func login(w http.ResponseWriter, id string) {
            http.SetCookie(w, &http.Cookie{Name: "session_id", Value: id, Secure: true, HttpOnly: true})
        }
        """,
    "flags set later": """
        package app
        func login(w http.ResponseWriter, id string) {
            cookie := &http.Cookie{Name: "session_id", Value: id}
            cookie.HttpOnly = true
            cookie.Secure = r.TLS != nil
            http.SetCookie(w, cookie)
        }
        """,
    "removed": """
        package app
        func logout(w http.ResponseWriter) {
            http.SetCookie(w, &http.Cookie{Name: "session_id", MaxAge: -1})
        }
        """,
    "language, and what a client sends": """
        package app
        func lang(w http.ResponseWriter) {
            http.SetCookie(w, &http.Cookie{Name: "lang", Value: "de"})
        }
        func send(r *http.Request, id string) {
            r.AddCookie(&http.Cookie{Name: "session_id", Value: id})
        }
        """,
    "gin": """
        package app
        func login(c *gin.Context) {
            c.SetCookie("token", token, 3600, "/", "", true, true)
            c.SetCookie("token", "", -1, "/", "", false, false)
        }
        """,
    "taken away by its time": """
        func logout(w http.ResponseWriter, r *http.Request) {
            http.SetCookie(w, &http.Cookie{Name: "session", Value: "gone", Expires: time.Now()})
            http.SetCookie(w, &http.Cookie{Name: "token", Value: "", Path: "/"})
            http.SetCookie(w, &http.Cookie{Name: "token", Value: "x", Expires: time.Unix(0, 0)})
        }
        """,
}


@pytest.mark.parametrize("code", REPORTED.values(), ids=REPORTED)
def test_check__reports(code: str) -> None:
    hits = [hit for hit in run(RULE, code, path="internal/app.go") if hit.confidence is not Confidence.LOW]
    assert lines_of(hits) == marked_lines(code)
    assert {hit.category for hit in hits} == {"insecure-cookie"}


@pytest.mark.parametrize("code", QUIET.values(), ids=QUIET)
def test_check__is_quiet(code: str) -> None:
    assert [hit for hit in run(RULE, code, path="internal/app.go") if hit.confidence is not Confidence.LOW] == []
