from __future__ import annotations

import pytest
from rule_tables import MemoryResolver, lines_of, make_source, marked_lines, run

from devpulse.core.change import Side
from devpulse.core.rules.javascript.broken_access_control import RULE

REPORTED = {
    "middleware of the neighbours": """
        router.post('/users', requireAuth, create);
        router.put('/users/:id', requireAuth, update);
        router.delete('/users/:id', remove); // BAD
        """,
    "list of middleware": """
        app.post('/invoices', [authenticate, validate], create);
        app.delete('/invoices/:id', [validate], (req, res) => { // BAD
          drop(req.params.id);
        });
        """,
    "check in the body of the neighbour": """
        app.put('/settings', (req, res) => {
          if (!req.user || !req.user.isAdmin) { return res.status(403).end(); }
          store(req.body);
        });
        app.post('/settings/reset-all', (req, res) => { // BAD
          clear();
        });
        """.replace("reset-all", "wipe"),
    "reading of administrators": """
        router.get('/admin/users', isAdmin, list);
        router.get('/admin/export', exportAll); // BAD
        """,
}
QUIET = {
    "all guarded": "router.post('/users', auth, create);\nrouter.delete('/users/:id', auth, remove);\n",
    "nobody guarded": "router.post('/users', create);\nrouter.delete('/users/:id', remove);\n",
    "router guard": (
        "router.use(requireAuth);\nrouter.post('/users', isAdmin, create);\nrouter.delete('/users/:id', remove);\n"
    ),
    "login": "router.post('/users', auth, create);\nrouter.post('/login', login);\n",
    "register": "router.post('/users', auth, create);\nrouter.post('/register', register);\n",
    "health": "router.get('/admin', auth, show);\nrouter.get('/health', health);\n",
    "webhook": "router.post('/users', auth, create);\nrouter.post('/webhooks/stripe', handle);\n",
    "public reading": "router.post('/posts', auth, create);\nrouter.get('/posts', list);\n",
    "wrapped": "router.post('/users', auth, create);\nrouter.delete('/users', withAuth(remove));\n",
    "own check": (
        "router.post('/users', auth, create);\n"
        "router.delete('/users', (req, res) => { if (!req.user) { return res.sendStatus(401); } drop(); });\n"
    ),
    "not a router": "cache.set('/users', auth, 1);\ncache.delete('/users', x);\n",
    "axios": "axios.post('/users', authHeaders);\naxios.delete('/users', options);\n",
    "broken code": "router.post('/users', auth, create\nrouter.delete(\n",
}


@pytest.mark.parametrize("code", REPORTED.values(), ids=REPORTED)
def test_check__reports_the_unguarded(code: str):
    hits = run(RULE, code, path="src/routes.js")
    assert lines_of(hits) == marked_lines(code)
    assert (hits[0].cwe, hits[0].side) == (862, Side.RIGHT)


@pytest.mark.parametrize("code", QUIET.values(), ids=QUIET)
def test_check__is_quiet(code: str):
    assert run(RULE, code, path="src/routes.ts") == []


MIDDLEWARE = "router.delete(\n  '/users/:id',\n  requireAuth,\n  remove,\n);\n"
CHECK = (
    "export function remove(req, res) {\n"
    "  if (!req.user.isAdmin) {\n"
    "    return res.sendStatus(403);\n"
    "  }\n"
    "  drop();\n"
    "}\n"
)


@pytest.mark.parametrize(
    ("before", "after", "lines"),
    [
        (MIDDLEWARE, MIDDLEWARE.replace("  requireAuth,\n", ""), (3, 3)),
        (CHECK, CHECK.replace("  if (!req.user.isAdmin) {\n    return res.sendStatus(403);\n  }\n", ""), (2, 4)),
        ("class C {\n  @UseGuards(AdminGuard)\n  wipe() {}\n}\n", "class C {\n  wipe() {}\n}\n", (2, 2)),
    ],
)
def test_check__reports_the_removed_guard(before: str, after: str, lines: tuple[int, int]):
    source = make_source(after, before=before, path="src/routes.ts")
    (hit,) = RULE.run(source, MemoryResolver())
    assert hit.side is Side.LEFT
    assert (hit.start_line, hit.end_line) == lines


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (MIDDLEWARE, MIDDLEWARE.replace("requireAuth", "requireAdmin")),
        (MIDDLEWARE, "router.use(requireAuth);\n" + MIDDLEWARE.replace("  requireAuth,\n", "")),
        (CHECK, CHECK.replace("drop()", "softDrop()")),
        (CHECK, ""),
    ],
    ids=["replaced", "moved to the router", "body changed", "deleted"],
)
def test_check__no_guard_was_removed(before: str, after: str):
    source = make_source(after, before=before, path="src/routes.ts")
    assert list(RULE.run(source, MemoryResolver())) == []
