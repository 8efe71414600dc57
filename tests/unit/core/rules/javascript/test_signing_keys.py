from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.categories import Confidence
from devpulse.core.rules.javascript.weak_authentication import RULE

REPORTED = {
    "literal": "const token = jwt.sign({ id }, 'banana'); // BAD\n",
    "verified with a literal": "jwt.verify(token, 'banana', done); // BAD\n",
    "constant of the file": (
        "const PASS = 'kiwi'; // BAD\n"
        "export const make = (id) => jwt.sign({ id }, PASS);\n"
        "export const read = (token) => jwt.verify(token, PASS);\n"
    ),
    "session": "app.use(session({\n  resave: false,\n  secret: 'your_secret_key', // BAD\n}));\n",
    "list of keys": "app.use(cookieSession({ keys: ['one', 'two'], secret: secretOf() })); // BAD\n",
    "signed cookies": "app.use(cookieParser('plum')); // BAD\n// token\n",
    "strategy": "passport.use(new JwtStrategy({ secretOrKey: 'plum', jwtFromRequest }, verify)); // BAD\n",
    "signature": (
        "const HOOK_SECRET = `plum`; // BAD\n"
        "const expected = crypto.createHmac('sha256', HOOK_SECRET).update(body).digest('hex');\n"
    ),
}
QUIET = {
    "environment": "const token = jwt.sign({ id }, process.env.JWT_SECRET);\n",
    "default for development": "const token = jwt.sign({ id }, process.env.JWT_SECRET || 'banana');\n",
    "read from a file": "const KEY = fs.readFileSync('key.pem');\nconst token = jwt.sign({ id }, KEY);\n",
    "name that is set twice": (
        "let key = 'banana';\nif (live) {\n  let key = 'other';\n}\nconst token = jwt.sign({ id }, key);\n"
    ),
    "parameter": "const sign = (secret, id) => jwt.sign({ id }, secret);\n",
    "put together": "const token = jwt.sign({ id }, `${prefix}-secret`);\n",
    "session of the environment": "app.use(session({ secret: config.secret, name: 'sid' }));\n",
    "word of a protocol": "const key = crypto.createHmac('sha256', 'WebAppData').update(token).digest();\n",
    "other session": "const kept = session({ name: 'secret' });\nconst data = session('secret');\n",
    "cookies without signature": "app.use(cookieParser()); // secret\n",
}


@pytest.mark.parametrize("code", REPORTED.values(), ids=REPORTED)
def test_literal_keys__reports(code: str):
    hits = run(RULE, code, path="src/auth.js")
    assert lines_of(hits) == marked_lines(code)
    assert {(hit.category, hit.cwe, hit.confidence) for hit in hits} == {("hardcoded-secret", 321, Confidence.MEDIUM)}


def test_literal_keys__examples_are_less_sure():
    (hit,) = run(RULE, "jwt.sign({ id }, 'banana');\n", path="examples/auth.js")
    assert hit.confidence is Confidence.LOW


@pytest.mark.parametrize("code", QUIET.values(), ids=QUIET)
def test_literal_keys__is_quiet(code: str):
    assert run(RULE, code, path="src/auth.js") == []


def test_literal_keys__leaves_what_looks_like_a_secret_to_its_rule():
    code = "const JWT_SECRET = 'hJ8s0dK2mQ9xZ4vB7nT1cR6y';\nconst token = jwt.sign({ id }, JWT_SECRET);\n"
    assert run(RULE, code, path="src/auth.js") == []
