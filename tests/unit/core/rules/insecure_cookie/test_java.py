from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.categories import Confidence
from devpulse.core.rules.insecure_cookie import RULE

REPORTED = {
    "session in plain": """
        class Login {
          void done(HttpServletResponse response, String id) {
            Cookie cookie = new Cookie("SESSION_ID", id); // BAD
            cookie.setPath("/");
            response.addCookie(cookie);
          }
        }
        """,
    "one flag only": """
        class Login {
          void done(HttpServletResponse response, String token) {
            Cookie cookie = new Cookie("auth_token", token); // BAD
            cookie.setSecure(true);
            response.addCookie(cookie);
          }
        }
        """,
    "switched off": """
        class Login {
          void done(HttpServletResponse response, String id) {
            Cookie cookie = new Cookie("cart", id);
            cookie.setSecure(false); // BAD
            cookie.setHttpOnly(false); // BAD
            response.addCookie(cookie);
          }
        }
        """,
    "builder": """
        class Login {
          ResponseCookie made(String id) {
            return ResponseCookie.from("cart", id).httpOnly(true).secure(false).build(); // BAD
          }
        }
        """,
}
QUIET = {
    "protected": """
        class Login {
          void done(HttpServletResponse response, String id) {
            Cookie cookie = new Cookie("SESSION_ID", id);
            cookie.setHttpOnly(true);
            cookie.setSecure(request.isSecure());
            response.addCookie(cookie);
          }
        }
        """,
    "removed": """
        class Logout {
          void done(HttpServletResponse response) {
            Cookie cookie = new Cookie("SESSION_ID", null);
            cookie.setMaxAge(0);
            response.addCookie(cookie);
          }
        }
        """,
    "language": """
        class Settings {
          void done(HttpServletResponse response, String lang) {
            Cookie cookie = new Cookie("lang", lang);
            response.addCookie(cookie);
          }
        }
        """,
    "request of a test client": """
        class Client {
          void send(String id) {
            Cookie cookie = new Cookie("SESSION_ID", id);
            request.with(cookie);
          }
        }
        """,
}


@pytest.mark.parametrize("code", REPORTED.values(), ids=REPORTED)
def test_check__reports(code: str) -> None:
    hits = [hit for hit in run(RULE, code, path="src/main/java/App.java") if hit.confidence is not Confidence.LOW]
    assert lines_of(hits) == marked_lines(code)
    assert {hit.category for hit in hits} == {"insecure-cookie"}


@pytest.mark.parametrize("code", QUIET.values(), ids=QUIET)
def test_check__is_quiet(code: str) -> None:
    assert [hit for hit in run(RULE, code, path="src/main/java/App.java") if hit.confidence is not Confidence.LOW] == []
