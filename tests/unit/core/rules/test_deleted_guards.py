from __future__ import annotations

from collections.abc import Mapping

import pytest
from rule_tables import make_source

from devpulse.core.categories import Confidence
from devpulse.core.change import Side
from devpulse.core.finding import Hit
from devpulse.core.index import SymbolIndex
from devpulse.core.rules.javascript.broken_access_control import RULE as JAVASCRIPT
from devpulse.core.rules.python.broken_access_control import RULE as PYTHON

DECORATOR = """
def login_required(view):
    @wraps(view)
    def checked(*args):
        if g.user is None:
            abort(401)
        return view(*args)
    return checked
"""
HOOK = """
from shop.app import app

@app.before_request
def check_login():
    if "user" not in session:
        abort(401)
"""
CALLED_HOOK = "def init(app):\n    app.before_request(require_login)\n"
MIDDLEWARE = """
export function requireAuth(req, res, next) {
  if (!req.user) return res.sendStatus(401);
  next();
}
"""
REGISTERED = "const { app } = require('./app');\nconst { requireAuth } = require('./auth');\napp.use(requireAuth);\n"
USE = "from shop.guards import login_required\n\n@app.post('/a')\n@login_required\ndef a():\n    pass\n"
ROUTES = {"shop/app.py": "app = Flask(__name__)\n", "shop/a.py": "@app.post('/a')\ndef a():\n    pass\n"}
JS_USE = "import { requireAuth } from './guards';\nrouter.post('/a', requireAuth, save);\n"
JS_ROUTES = {"src/app.js": "const app = express();\n", "src/a.js": "app.post('/a', save);\n"}

REPORTED = {
    "decorator": ("shop/guards.py", DECORATOR, {"shop/a.py": USE}, (2, 8), Confidence.MEDIUM),
    "decorator by module": (
        "shop/guards.py",
        DECORATOR,
        {"shop/a.py": "@guards.login_required\ndef a():\n    pass\n"},
        (2, 8),
        Confidence.MEDIUM,
    ),
    "hook": ("shop/hooks.py", HOOK, ROUTES, (4, 7), Confidence.LOW),
    "hook by call": ("shop/hooks.py", CALLED_HOOK, ROUTES, (2, 2), Confidence.LOW),
    "middleware": ("src/guards.js", MIDDLEWARE, {"src/a.js": JS_USE}, (2, 5), Confidence.MEDIUM),
    "router": ("src/setup.js", REGISTERED, JS_ROUTES, (3, 3), Confidence.LOW),
}
QUIET = {
    "moved": ("shop/guards.py", DECORATOR, {"shop/a.py": USE, "shop/auth.py": DECORATOR}),
    "no longer used": ("shop/guards.py", DECORATOR, ROUTES),
    "replaced by a library": (
        "shop/guards.py",
        DECORATOR,
        {"shop/a.py": USE.replace("shop.guards", "flask_login")},
    ),
    "only mentioned": ("shop/guards.py", DECORATOR, {"shop/a.py": "# see login_required in guards\n"}),
    "of the tests": ("tests/guards.py", DECORATOR, {"shop/a.py": USE}),
    "refuses nobody": ("shop/guards.py", "def auth_header(user):\n    return user.token\n", {"shop/a.py": USE}),
    "an endpoint": ("shop/guards.py", '@app.get("/admin")\ndef admin():\n    abort(403)\n', {"a.py": "import admin\n"}),
    "hook moved": ("shop/hooks.py", HOOK, {**ROUTES, "shop/b.py": HOOK}),
    "hook replaced": (
        "shop/hooks.py",
        HOOK,
        {**ROUTES, "shop/b.py": "@app.before_request\ndef require_user():\n    load()\n"},
    ),
    "hook with its blueprint": ("shop/hooks.py", HOOK.replace("from shop.app import app", "app = Flask('a')"), ROUTES),
    "hook without routes": ("shop/hooks.py", HOOK, {"shop/app.py": "app = Flask(__name__)\n"}),
    "hook that counts": ("shop/hooks.py", "@app.before_request\ndef count():\n    hits.add(1)\n", ROUTES),
    "hook by call, kept": ("shop/hooks.py", CALLED_HOOK, {**ROUTES, "b.py": "app.before_request(require_login)\n"}),
    "middleware of a package": (
        "src/guards.js",
        MIDDLEWARE,
        {"src/a.js": JS_USE.replace("./guards", "@shop/guards")},
    ),
    "middleware moved": ("src/guards.js", MIDDLEWARE, {"src/a.js": JS_USE, "src/auth.js": MIDDLEWARE}),
    "router made here": (
        "src/setup.js",
        REGISTERED.replace("{ app } = require('./app')", "app = express()"),
        JS_ROUTES,
    ),
    "router kept": ("src/setup.js", REGISTERED, {**JS_ROUTES, "src/b.js": "app.use(requireAuth);\n"}),
}


def deleted(path: str, before: str, head: Mapping[str, str], *, after: str = "") -> list[Hit]:
    tree = {name: text.encode() for name, text in head.items()}
    rule = PYTHON if path.endswith(".py") else JAVASCRIPT
    return list(rule.run(make_source(after, path=path, before=before), SymbolIndex(lambda: list(tree), tree.get)))


@pytest.mark.parametrize(("path", "before", "head", "lines", "confidence"), REPORTED.values(), ids=REPORTED)
def test_deleted_guards__reports(path: str, before: str, head: dict[str, str], lines: object, confidence: Confidence):
    (hit,) = deleted(path, before, head)
    assert ((hit.start_line, hit.end_line), hit.side, hit.confidence) == (lines, Side.LEFT, confidence)
    assert hit.category == "broken-access-control"
    assert hit.guards


@pytest.mark.parametrize(("path", "before", "head"), QUIET.values(), ids=QUIET)
def test_deleted_guards__is_quiet(path: str, before: str, head: dict[str, str]):
    assert deleted(path, before, head) == []


def test_deleted_guards__only_of_a_deleted_file():
    assert deleted("shop/guards.py", DECORATOR, {"shop/a.py": USE}, after=DECORATOR + "\nx = 1\n") == []
