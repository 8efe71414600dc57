from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.rules.python.weak_authentication import RULE

REPORTED = {
    "role of a cookie": ('if request.cookies.get("role") == "admin":  # BAD\n    show()\n', 565),
    "number of a cookie": ('if request.COOKIES["user_id"] == "1" and ok:  # BAD\n    show()\n', 565),
    "plain item and what was typed": (
        'if user["password"] == password_input:  # BAD\n    ok()\n',
        287,
    ),
    "plain field and a word for it in another language": (
        "def login(user, senha_digitada):\n    return user.password == senha_digitada  # BAD\n",
        287,
    ),
    "claims nobody verified": ("claims = jwt.get_unverified_claims(token)  # BAD\n", 287),
    "md5": ("def store(password):\n    return hashlib.md5(password.encode()).hexdigest()  # BAD\n", 916),
    "sha1 of an item": ('digest = hashlib.sha1(request.form["password"].encode())  # BAD\n', 916),
    "fast sha256": ("def f(user, pwd):\n    user.hash = hashlib.sha256(pwd.encode()).hexdigest()  # BAD\n", 916),
    "salted md5": (
        "def f(salt, password):\n    return hashlib.md5((salt + password).encode()).hexdigest()  # BAD\n",
        916,
    ),
    "update": (
        "def f(password):\n    h = hashlib.md5()\n    h.update(password.encode())  # BAD\n    return h.hexdigest()\n",
        916,
    ),
    "named result": ("def f(raw):\n    password_hash = hashlib.sha1(raw).hexdigest()  # BAD\n", 916),
    "named function": ("def hash_password(value):\n    return hashlib.md5(value.encode()).hexdigest()  # BAD\n", 916),
    "by name": ('h = hashlib.new("md5", password.encode())  # BAD\n', 916),
    "plain comparison": (
        "def login(user, password):\n    if user.password == password:  # BAD\n        return user\n",
        287,
    ),
    "plain item": ('if row["password"] != request.form["password"]:  # BAD\n    abort(401)\n', 287),
    "plain setting": ("if form.password.data == settings.ADMIN_PASSWORD:  # BAD\n    ok()\n", 287),
    "signature": (
        (
            "def f(body, signature):\n"
            "    expected = hmac.new(K, body, 'sha256').hexdigest()\n"
            "    return signature == expected  # BAD\n"
        ),
        287,
    ),
    "digest": ("import hmac\ndef f(digest, expected):\n    if digest == expected:  # BAD\n        return True\n", 287),
    "token": ('if request.headers.get("X-Api-Key") != settings.API_KEY:  # BAD\n    abort(403)\n', 287),
    "jwt not verified": ('claims = jwt.decode(token, options={"verify_signature": False})  # BAD\n', 287),
    "jwt verify false": ("claims = jwt.decode(token, KEY, verify=False)  # BAD\n", 287),
    "jwt none": ('claims = jwt.decode(token, KEY, algorithms=["HS256", "none"])  # BAD\n', 287),
    "one hash replaced, one not": (
        (
            "def f(password):\n"
            "    new = bcrypt.hash(password)\n"
            "\n"
            "def g(password):\n"
            "    return hashlib.md5(password).hexdigest()  # BAD\n"
        ),
        916,
    ),
}
QUIET = {
    "two objects alike": "class A:\n    def __eq__(self, other):\n        return other.token == self.token\n",
    "looks of a cookie": 'if request.cookies.get("theme") == "dark":\n    show()\n',
    "cookie that is not there": 'if request.cookies.get("user") == "" or request.cookies["user"] == None:\n    ask()\n',
    "role of a session": 'if session.get("role") == "admin":\n    show()\n',
    "signed cookie": 'if get_secure_cookie("user") == b"1" or request.signed_cookies["role"] == "a":\n    show()\n',
    "typed twice": "if password == r_password:\n    ok()\n",
    "hash and hash": 'if user["password"] == password_hash:\n    ok()\n',
    "claims verified afterwards": (
        "issuer = jwt.get_unverified_claims(token)['iss']\nclaims = jwt.decode(token, keys[issuer], ['RS256'])\n"
    ),
    "cache key": "key = hashlib.md5(url.encode()).hexdigest()\n",
    "etag": "etag = hashlib.sha1(content).hexdigest()\n",
    "not for security": "h = hashlib.md5(password, usedforsecurity=False)\n",
    "bcrypt": "h = bcrypt.hashpw(password.encode(), bcrypt.gensalt())\n",
    "pbkdf2": 'h = hashlib.pbkdf2_hmac("sha256", password.encode(), salt, 600000)\n',
    "before bcrypt": "def f(password):\n    return bcrypt.hashpw(hashlib.sha256(password).digest(), salt)\n",
    "breach list": "def pwned(password):\n    return hashlib.sha1(password.encode()).hexdigest()[:5]\n",
    "confirmation": 'if password != confirm_password:\n    raise ValueError("differ")\n',
    "confirmation of a form": 'if form["password1"] != form["password2"]:\n    fail()\n',
    "new and old": "if user.password == new_password:\n    raise ValueError\n",
    "empty": 'if password == "":\n    raise ValueError\n',
    "none": "if password == None:\n    raise ValueError\n",
    "length": "if len(password) == MIN_LENGTH:\n    pass\n",
    "constant time": "import hmac\nif not hmac.compare_digest(signature, expected):\n    abort(401)\n",
    "verified": 'claims = jwt.decode(token, KEY, algorithms=["HS256"])\n',
    "lexer": "if token == TOKEN_EOF:\n    return\n",
    "next token": "while token == self.current:\n    token = next(tokens)\n",
    "function signature": "return self.signature == other.signature\n",
    "file checksum": "if digest == expected_digest:\n    print('same file')\n",
    "password field": 'if field.name == "password":\n    hide()\n',
    "hash of a file name": "def f(filename):\n    return hashlib.md5(filename.encode()).hexdigest()\n",
    "broken code": "def f(password:\n    return check(password\n",
}


@pytest.mark.parametrize(("code", "cwe"), REPORTED.values(), ids=REPORTED)
def test_check__reports(code: str, cwe: int):
    hits = run(RULE, code)
    assert lines_of(hits) == marked_lines(code)
    assert [hit.cwe for hit in hits] == [cwe]
    assert hits[0].severity == "high"


@pytest.mark.parametrize("code", QUIET.values(), ids=QUIET)
def test_check__is_quiet(code: str):
    assert run(RULE, code) == []
