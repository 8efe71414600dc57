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
    "header": """
        func after(w http.ResponseWriter, r *http.Request) {
            w.Header().Set("Location", r.URL.Query().Get("next")) // BAD
            w.WriteHeader(http.StatusSeeOther)
        }
        """,
    "header of gin": """
        func after(c *gin.Context) {
            c.Header("Location", c.Query("to")) // BAD
            c.Status(302)
        }
        """,
    "controller of beego": """
        func (c *SessionController) Post() {
            c.Redirect(c.GetString("from"), 302) // BAD
        }
        """,
    "method of the same name in the file": """
        func (s *Shelf) Get(id string) *Book {
            return s.books[id]
        }

        func leave(w http.ResponseWriter, r *http.Request) {
            http.Redirect(w, r, r.URL.Query().Get("to"), http.StatusFound) // BAD
        }
        """,
    "before a question mark": """
        func leave(w http.ResponseWriter, r *http.Request) {
            http.Redirect(w, r, r.FormValue("to")+"?left=1", http.StatusFound) // BAD
        }
        """,
    "only looked at whether it begins as a path": """
        func back(w http.ResponseWriter, r *http.Request) {
            next := r.FormValue("next")
            if !strings.HasPrefix(next, "/") {
                next = "/"
            }
            http.Redirect(w, r, next, http.StatusFound) // BAD
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
    "behind a path of the site": """
        func saved(c *Context) {
            c.Redirect(conf.Site.Prefix + "/shelves/" + c.Params("shelf"))
        }
        """,
    "behind a question mark": """
        func login(c *Controller) {
            c.Redirect(c.URLFor("Login")+"?from="+url.QueryEscape(c.Ctx.Request.URL.RequestURI()), 302)
        }
        """,
    "formatted behind a link": """
        func saved(c *Context) {
            branch := c.Params("branch")
            c.Redirect(fmt.Sprintf("%s/branches/%s", c.Repo.Link, branch))
        }
        """,
    "its own address": """
        func again(w http.ResponseWriter, r *http.Request) {
            http.Redirect(w, r, r.URL.String(), http.StatusFound)
            http.Redirect(w, r, r.URL.Scheme+r.URL.Host+"/panel", http.StatusFound)
        }
        """,
    "another header": """
        func shown(c *gin.Context) {
            c.Header("X-Shelf", c.Query("shelf"))
            c.Header("Location", "/shelves/"+c.Query("shelf"))
        }
        """,
    "checked by its name": """
        func back(w http.ResponseWriter, r *http.Request) {
            http.Redirect(w, r, localTarget(r.FormValue("to")), http.StatusFound)
        }
        """,
    "route by its name": """
        func (c *LabelController) Index() {
            c.Redirect(beego.URLFor("LabelController.Show", ":key", c.Ctx.Input.Param(":key")), 302)
        }
        """,
    "begins as a path and as no host": """
        func back(w http.ResponseWriter, r *http.Request) {
            next := r.FormValue("next")
            if !strings.HasPrefix(next, "/") || strings.HasPrefix(next, "//") {
                next = "/"
            }
            http.Redirect(w, r, next, http.StatusFound)
        }
        """,
    "second character looked at": """
        func back(w http.ResponseWriter, r *http.Request) {
            next := r.FormValue("next")
            if len(next) < 2 || next[0] != '/' || next[1] == '/' {
                next = "/"
            }
            http.Redirect(w, r, next, http.StatusFound)
        }
        """,
    "host compared": """
        func back(w http.ResponseWriter, r *http.Request) {
            next := r.FormValue("next")
            u, err := url.Parse(next)
            if err != nil || u.Hostname() != r.Host {
                return
            }
            http.Redirect(w, r, next, http.StatusFound)
        }

        func on(w http.ResponseWriter, r *http.Request) {
            u, err := url.Parse(r.FormValue("next"))
            if err != nil || u.IsAbs() {
                return
            }
            http.Redirect(w, r, u.String(), http.StatusFound)
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
