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
    "one scheme only": """
        app.get("/a", (req, res) => {
          const next = req.query.next;
          if (!/^(https:)?\\/\\//.test(next)) res.redirect(next); // BAD
        });
        """,
    "other way of an expression": """
        app.get("/a", (req, res) => {
          const next = req.query.next;
          if (/^\\/[a-z]|^https?:/.test(next)) res.redirect(next); // BAD
        });
        """,
    "second character alone": """
        app.get("/a", (req, res) => {
          const next = req.query.next;
          if (next.charAt(1) != '/') res.redirect(next); // BAD
        });
        """,
    "with a status": """
        app.get("/out", (req, res) => res.redirect(302, req.query.url)); // BAD
        """,
    "header of a response": """
        http.createServer((req, res) => {
          const to = new URL(req.url, base).searchParams.get("to");
          res.setHeader("Location", to); // BAD
          res.end();
        });
        """,
    "item of the headers": """
        export const handler = async (event) => {
          const response = { statusCode: 302, headers: {} };
          response.headers["Location"] = event.queryStringParameters.to; // BAD
          return response;
        };
        """,
    "in the browser": """
        function back() {
          const params = new URLSearchParams(window.location.search);
          window.location.href = params.get("return"); // BAD
        }
        """,
    "page assigned": """
        document.location = location.hash.slice(1); // BAD
        """,
    "default in a callback": """
        router.post("/enter", (req, res) => {
          let back = req.body.back;
          check(req.body.name).then(() => {
            if (!back) {
              back = "/home";
            }
            res.redirect(back); // BAD
          });
        });
        """,
    "address over a base": """
        export function GET(request) {
          const to = request.nextUrl.searchParams.get("to");
          return NextResponse.redirect(new URL(to, "https://shop.example.com")); // BAD
        }
        """,
    "base from the request": """
        app.get("/go", (req, res) => res.redirect(new URL("/start", req.query.site))); // BAD
        """,
}
QUIET = {
    "path at the own host": """
        export function middleware(request) {
          if (!request.cookies.get("sid")) return NextResponse.redirect(new URL("/login", request.url));
          return NextResponse.redirect(new URL(`/login?from=${encodeURIComponent(request.url)}`, request.nextUrl));
        }
        """,
    "scheme of an application": """
        const rest = window.location.search;
        window.location.href = `${APP_SCHEME}://localhost${rest}`;
        """,
    "default in a callback": """
        router.post("/enter", (req, res) => {
          let back = "/home";
          check(req.body.name).then((user) => {
            if (user.admin) {
              back = "/admin";
            }
            res.redirect(back);
          });
        });
        """,
    "back to where the visitor was": """
        app.post("/theme", (req, res) => {
          res.redirect(req.get("Referrer") || "/");
        });
        """,
    "own page": """
        app.get("/item", (req, res) => res.redirect("/items/" + req.query.id));
        """,
    "fixed host": """
        app.get("/doc", (req, res) => res.redirect(301, `https://docs.example.com/${req.params.page}`));
        """,
    "own page in the browser": """
        window.location.href = "/search" + window.location.search;
        location.href = `/items#${location.hash.slice(1)}`;
        """,
    "other header": """
        app.get("/t", (req, res) => { res.setHeader("X-Trace", req.query.trace); res.end(); });
        """,
    "field of a record": """
        app.post("/me", (req, res) => { user.location = req.body.location; user.save(); });
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


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ("{ Location: req.query.next }", True),
        ("{ 'location': req.query.next, 'Cache-Control': 'no-store' }", True),
        ("{ Location: '/login?next=' + encodeURIComponent(req.query.next) }", False),
        ("{ 'X-Next': req.query.next }", False),
        ("{ Location: HOME, 'X-Next': req.query.next }", False),
    ],
)
def test_check__headers(headers: str, expected: bool):
    hits = run(RULE, f"app.get('/go', (req, res) => {{ res.writeHead(302, {headers}); res.end(); }});\n", path="a.js")
    assert bool(hits) is expected
