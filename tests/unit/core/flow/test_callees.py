from __future__ import annotations

import pytest
from rule_tables import MemoryResolver

from devpulse.core.flow.callees import MAX_BODY, Verdict, judge_callee
from devpulse.core.flow.engine import analyse
from devpulse.core.flow.values import Ask


def judge(body: str, *, check: bool = False, purpose: str = "path", path: str = "lib.py") -> Verdict:
    resolver = MemoryResolver({"f": body}, path=path)
    return judge_callee(Ask("f", check=check), purpose, "app.py", resolver, analyse)


@pytest.mark.parametrize(
    ("body", "verdict"),
    [
        ("def f(p):\n    return os.path.basename(p)\n", Verdict.CLEANS),
        ("def f(p):\n    return p.strip()\n", Verdict.PASSES),
        ("def f(p):\n    return os.path.join(BASE, p)\n", Verdict.PASSES),
        ("def f(p):\n    return other(p)\n", Verdict.OPEN),
        ("    def f(self, p):\n        return int(p)\n", Verdict.CLEANS),
        ("@cache\n    def f(self, p):\n        return p\n", Verdict.PASSES),
        ("def f(p):\n    if '..' in p:\n        raise ValueError(p)\n    return p\n", Verdict.CLEANS),
        ("x = 1\n", Verdict.OPEN),
        ("def f(p):\n    pass\n", Verdict.OPEN),
        ("def f(p):\n    return p\n" + "#" * MAX_BODY, Verdict.OPEN),
    ],
)
def test_judge_callee__what_comes_back(body: str, verdict: Verdict):
    assert judge(body) is verdict


@pytest.mark.parametrize(
    ("body", "verdict"),
    [
        ("def f(p):\n    if p not in ALLOWED:\n        raise ValueError(p)\n", Verdict.CLEANS),
        ("def f(p):\n    return bool(p)\n", Verdict.PASSES),
        ("def f(p):\n    check_more(p)\n", Verdict.OPEN),
    ],
)
def test_judge_callee__what_it_checks(body: str, verdict: Verdict):
    assert judge(body, check=True) is verdict


def test_judge_callee__other_languages_and_purposes():
    assert judge("function f(p) { return path.basename(p); }", path="lib.js") is Verdict.CLEANS
    assert judge("function f(p) { return p.trim(); }", path="lib.ts") is Verdict.PASSES
    assert judge("def f(p):\n    return os.path.basename(p)\n", purpose="sql") is Verdict.PASSES
    assert judge("whatever", path="lib.unknown") is Verdict.OPEN
    assert judge_callee(Ask("g"), "path", "app.py", MemoryResolver(), analyse) is Verdict.OPEN
