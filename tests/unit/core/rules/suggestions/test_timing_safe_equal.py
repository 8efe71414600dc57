from __future__ import annotations

import pytest
from rule_tables import suggested

_HEAD = "const crypto = require('crypto');\nfunction check(req, signature) {\n"
_SIGNED = "  const expected = crypto.createHmac('sha256', key).update(req.body).digest('hex');\n"
_SAME = (
    "signature?.length === expected?.length && "
    'crypto.timingSafeEqual(Buffer.from(signature, "utf16le"), Buffer.from(expected, "utf16le"))'
)
SUGGESTED = {
    "equal": (f"{_HEAD}{_SIGNED}  return signature === expected;\n}}\n", f"return ({_SAME});"),
    "different": (
        f"{_HEAD}{_SIGNED}  if (signature !== expected) throw new Error();\n}}\n",
        f"if (!({_SAME})) throw new Error();",
    ),
    "in a condition": (
        f"{_HEAD}{_SIGNED}  if (signature == expected) return true;\n}}\n",
        f"if ({_SAME}) return true;",
    ),
}
NOTHING = {
    "module not imported": f"function check(req, signature) {{\n{_SIGNED}  return signature === expected;\n}}\n",
    "a call that would be made twice": (
        f"{_HEAD}  const hmac = crypto.createHmac('sha256', key);\n  return signature === hmac.digest('hex');\n}}\n"
    ),
}


@pytest.mark.parametrize(("code", "expected"), SUGGESTED.values(), ids=SUGGESTED)
@pytest.mark.parametrize("path", ["src/hook.js", "src/hook.ts"])
def test_suggest__constant_time(code: str, expected: str, path: str) -> None:
    assert suggested(code, path=path) == [expected]


@pytest.mark.parametrize("code", NOTHING.values(), ids=NOTHING)
def test_suggest__nothing_that_would_fail(code: str) -> None:
    assert suggested(code, path="src/hook.js") == []
