from __future__ import annotations

import pytest
from rule_tables import suggested

_SIGNED = "    expected = hmac.new(KEY, body, 'sha256').hexdigest()\n"
_HEAD = "import hmac\ndef check(signature, body):\n"
_ROUTE = "import hmac\ndef check(request, body):\n"
SUGGESTED = {
    "equal": (
        f"{_HEAD}{_SIGNED}    return signature == expected\n",
        "return hmac.compare_digest(signature, expected)",
    ),
    "different": (
        f"{_HEAD}{_SIGNED}    if ready and signature != expected:\n        abort(403)\n",
        "if ready and not hmac.compare_digest(signature, expected):",
    ),
    "imported by name": (
        f"from secrets import compare_digest\ndef check(signature, body):\n{_SIGNED}    return signature == expected\n",
        "return compare_digest(signature, expected)",
    ),
    "a header with a default": (
        f"{_ROUTE}{_SIGNED}    return request.headers.get('X-Signature', '') == expected\n",
        "return hmac.compare_digest(request.headers.get('X-Signature', ''), expected)",
    ),
}
NOTHING = {
    "module not imported": f"def check(signature, body):\n{_SIGNED}    return signature == expected\n",
    "a header that may be missing": (f"{_ROUTE}{_SIGNED}    return request.headers.get('X-Signature') == expected\n"),
    "a text put together": f"{_HEAD}{_SIGNED}    return 'v1=' + signature == expected\n",
    "a password": "import hmac\ndef login(user, password):\n    return user.password == password\n",
}


@pytest.mark.parametrize(("code", "expected"), SUGGESTED.values(), ids=SUGGESTED)
def test_suggest__constant_time(code: str, expected: str) -> None:
    assert suggested(code) == [expected]


@pytest.mark.parametrize("code", NOTHING.values(), ids=NOTHING)
def test_suggest__nothing_that_would_fail_or_mislead(code: str) -> None:
    assert suggested(code) == []
