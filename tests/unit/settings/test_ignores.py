from __future__ import annotations

import pytest

from devpulse.core.policy import IgnoreRule
from devpulse.errors import ConfigurationError
from devpulse.settings.ignores import read_ignores

DIGEST = "0123456789abcdef" * 2


def test_read_ignores__rules_in_the_order_of_the_file():
    rules = read_ignores(
        [
            {"path": "./tests/", "category": "hardcoded-secret", "reason": " test keys "},
            {"fingerprint": DIGEST.upper()},
            {"category": "csrf", "path": "", "reason": ""},
            {"path": "app/[id]/page.tsx", "reason": "reviewed"},
        ],
        "f line 1: ignore",
    )
    assert rules == (
        IgnoreRule("tests/", "hardcoded-secret", None, "test keys"),
        IgnoreRule(None, None, DIGEST, ""),
        IgnoreRule(None, "csrf", None, ""),
        IgnoreRule("app/[id]/page.tsx", None, None, "reviewed"),
    )


def test_read_ignores__an_empty_list_ignores_nothing():
    assert read_ignores([], "ignore") == ()


@pytest.mark.parametrize(
    ("raw", "problem", "hint"),
    [
        ("tests/", 'is "tests/"', "Write for example"),
        ({"path": "tests/"}, "is a mapping", "Write for example"),
        (["tests/"], 'has "tests/" as item 1', "Write for example"),
        ([{"path": "a"}, ["x"]], "has a list as item 2", "Write for example"),
        ([{"paths": "a"}], 'has the unknown key "paths" in item 1', 'Did you mean "path"?'),
        ([{"reason": "none of it"}], "says neither path nor category nor fingerprint in item 1", "Write for example"),
        ([{"path": ""}], "says neither path nor category nor fingerprint in item 1", "Write for example"),
        ([{"path": ["a", "b"]}], "has a list as path of item 1", "Write for example"),
        ([{"path": "tests/**"}], 'has the path "tests/**" in item 1', "a folder with a slash at its end"),
        ([{"path": "/etc"}], 'has the path "/etc" in item 1', "from the top of the repository"),
        ([{"path": "../x"}], 'has the path "../x" in item 1', "from the top of the repository"),
        ([{"category": "csfr"}], 'names the unknown category "csfr" in item 1', 'Did you mean "csrf"?'),
        ([{"category": "zzz"}], 'names the unknown category "zzz" in item 1', "Categories: sql-injection"),
        ([{"fingerprint": "abc"}], 'has the fingerprint "abc" in item 1', "32 hex digits"),
        ([{"fingerprint": DIGEST + "0"}], "has the fingerprint", "32 hex digits"),
    ],
)
def test_read_ignores__says_what_is_wrong(raw, problem, hint):
    with pytest.raises(ConfigurationError) as caught:
        read_ignores(raw, "f line 3: ignore")
    message = str(caught.value)
    assert message.startswith("f line 3: ignore ")
    assert problem in message
    assert "allowed: a list of mappings" in message
    assert hint in caught.value.hint
