from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.categories import Confidence
from devpulse.core.rules.open_redirect import RULE

REPORTED = {
    "redirect": """
        func login(w http.ResponseWriter, r *http.Request) {
            next := r.URL.Query().Get("next")
            http.Redirect(w, r, next, http.StatusFound) // BAD
        }
        """,
    "gin": """
        func out(c *gin.Context) {
            c.Redirect(http.StatusFound, c.Query("to")) // BAD
        }
        """,
    "form": """
        func after(w http.ResponseWriter, r *http.Request) {
            http.Redirect(w, r, r.FormValue("return_to"), 302) // BAD
        }
        """,
    "only when empty": """
        func next(w http.ResponseWriter, r *http.Request) {
            target := r.FormValue("next")
            if target == "" {
                target = "/"
            }
            http.Redirect(w, r, target, http.StatusFound) // BAD
        }
        """,
    "form of a context": """
        func back(ctx *context.Context) {
            ctx.Redirect(ctx.FormString("redirect_to")) // BAD
        }
        """,
}
QUIET = {
    "fixed": """
        func login(w http.ResponseWriter, r *http.Request) {
            http.Redirect(w, r, "/home?from="+url.QueryEscape(r.FormValue("from")), http.StatusFound)
        }
        """,
    "same path": """
        func slash(w http.ResponseWriter, r *http.Request) {
            http.Redirect(w, r, "/app/"+r.FormValue("page"), http.StatusMovedPermanently)
        }
        """,
    "chosen from a table": """
        func out(c *gin.Context) {
            target, ok := targets[c.Query("to")]
            if !ok {
                target = "/"
            }
            c.Redirect(http.StatusFound, target)
        }
        """,
    "own address": """
        func secure(w http.ResponseWriter, r *http.Request) {
            http.Redirect(w, r, "https://"+r.Host+r.URL.Path, http.StatusMovedPermanently)
        }
        """,
    "replaced unless it has no host": """
        func next(w http.ResponseWriter, r *http.Request) {
            target := r.URL.Query().Get("next")
            parsed, err := url.Parse(target)
            if err != nil || parsed.IsAbs() || parsed.Host != "" {
                target = "/"
            }
            http.Redirect(w, r, target, http.StatusFound)
        }
        """,
    "refused unless local": """
        func next(w http.ResponseWriter, r *http.Request) {
            target := r.FormValue("next")
            if !urls.IsLocal(target) {
                target = "/"
            }
            http.Redirect(w, r, target, http.StatusFound)
        }
        """,
    "same site": """
        func next(c *gin.Context) {
            target := c.Query("next")
            if !tool.IsSameSitePath(target) {
                c.AbortWithStatus(400)
                return
            }
            c.Redirect(302, target)
        }
        """,
}


@pytest.mark.parametrize("code", REPORTED.values(), ids=REPORTED)
def test_check__reports(code: str) -> None:
    hits = [hit for hit in run(RULE, code, path="internal/app.go") if hit.confidence is not Confidence.LOW]
    assert lines_of(hits) == marked_lines(code)
    assert all(hit.cwe == 601 and hit.trace is not None for hit in hits)


@pytest.mark.parametrize("code", QUIET.values(), ids=QUIET)
def test_check__is_quiet(code: str) -> None:
    assert [hit for hit in run(RULE, code, path="internal/app.go") if hit.confidence is not Confidence.LOW] == []
