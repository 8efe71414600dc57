from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.rules.javascript.weak_authentication import RULE

REPORTED = {
    "md5": "const h = crypto.createHash('md5').update(password).digest('hex'); // BAD\n",
    "sha1 of the body": 'const h = createHash("sha1").update(req.body.password).digest("hex"); // BAD\n',
    "sha256": "user.hash = crypto.createHash('sha256').update(salt + pwd).digest('hex'); // BAD\n",
    "hash object": "const h = crypto.createHash('md5');\nh.update(password); // BAD\n",
    "library": "const stored = md5(user.password); // BAD\n",
    "crypto-js": "const stored = CryptoJS.SHA1(password).toString(); // BAD\n",
    "plain comparison": "if (req.body.password === user.password) { // BAD\n  ok();\n}\n",
    "plain difference": "if (user.password !== password) return res.sendStatus(401); // BAD\n",
    "environment": "if (password === process.env.ADMIN_PASSWORD) { // BAD\n  ok();\n}\n",
    "signature": (
        "const expected = crypto.createHmac('sha256', k).update(b).digest('hex');\n"
        "if (signature !== expected) { // BAD\n"
        "  throw 1;\n"
        "}\n"
    ),
    "api key": "if (req.headers['x-api-key'] !== process.env.API_KEY) { // BAD\n  deny();\n}\n",
    "jwt decoded only": "const jwt = require('jsonwebtoken');\nconst user = jwt.decode(token); // BAD\n",
    "jwt none": "jwt.verify(token, key, { algorithms: ['none'] }); // BAD\n",
    "jwt made without a signature": "const token = jwt.sign(user, '', { algorithm: 'none' }); // BAD\n",
    "jwt without key": "jwt.verify(token, null); // BAD\n",
}
QUIET = {
    "etag": "const etag = crypto.createHash('md5').update(body).digest('hex');\n",
    "cache key": "const key = createHash('sha1').update(JSON.stringify(query)).digest('hex');\n",
    "bcrypt": "const ok = await bcrypt.compare(password, user.passwordHash);\n",
    "pbkdf2": "crypto.pbkdf2(password, salt, 600000, 64, 'sha512', done);\n",
    "before bcrypt": "const d = crypto.createHash('sha256').update(password).digest();\nbcrypt.hash(d, 12);\n",
    "confirmation": "if (password !== confirmPassword) { setError('differ'); }\n",
    "confirmation of a form": "if (values.password !== values.passwordConfirm) { fail(); }\n",
    "repeated": "if (form.password1 !== form.password2) { fail(); }\n",
    "empty": "if (password === '') { fail(); }\n",
    "undefined": "if (user.password === undefined) { fail(); }\n",
    "constant time": "if (!crypto.timingSafeEqual(Buffer.from(signature), Buffer.from(expected))) { throw 1; }\n",
    "verified": "const claims = jwt.verify(token, KEY, { algorithms: ['RS256'] });\n",
    "decoded after verify": "jwt.verify(token, KEY);\nconst header = jwt.decode(token, { complete: true });\n",
    "lexer": "if (token === TokenType.EOF) { return; }\n",
    "same token": "while (token !== last) { token = next(); }\n",
    "two fields of a form": "if (req.body.password === req.body.cpassword) { save(); }\n",
    "input type": "if (input.type === 'password') { hide(input); }\n",
    "visible": "const type = showPassword === visible ? 'text' : 'password';\n",
    "broken code": "if (password === ) { createHash('md5'\n",
}


@pytest.mark.parametrize("code", REPORTED.values(), ids=REPORTED)
def test_check__reports(code: str):
    hits = run(RULE, code, path="src/auth.ts")
    assert lines_of(hits) == marked_lines(code)
    assert {(hit.category, hit.severity) for hit in hits} == {("weak-authentication", "high")}


@pytest.mark.parametrize("code", QUIET.values(), ids=QUIET)
def test_check__is_quiet(code: str):
    assert run(RULE, code, path="src/auth.js") == []
