from __future__ import annotations

from textwrap import dedent

import pytest

from devpulse.core.called_sinks import NONE, Kinds, sinks_written
from devpulse.core.flow import walking
from devpulse.core.flow.engine import analyse, analyse_sinks
from devpulse.core.flow.values import Level
from devpulse.core.syntax import parse

CONSTANTS_AND_LOOPS = [
    ("n = 106\nif 7 * 18 + n > 200:\n    b = 'safe'\nelse:\n    b = request.args['x']\nsink(b)", False),
    ("n = 106\nif 7 * 18 - n > 200:\n    b = 'safe'\nelse:\n    b = request.args['x']\nsink(b)", True),
    (
        (
            "g = 'ABC'\nk = g[1]\nmatch k:\n    case 'A':\n        b = request.args['x']\n"
            "    case 'B':\n        b = 'bob'\n    case _:\n        b = request.args['x']\nsink(b)"
        ),
        False,
    ),
    (
        (
            "g = 'ABC'\nk = g[2]\nmatch k:\n    case 'A':\n        b = 's'\n    case 'C' | 'D':\n"
            "        b = request.args['x']\n    case _:\n        b = 'x'\nsink(b)"
        ),
        True,
    ),
    ("b = 'safe' if 500 / 42 > 3 else request.args['x']\nsink(b)", False),
    ("b = request.args['x'] if 500 / 42 > 3 else 'a'\nsink(b)", True),
    ("i = 0\nb = ''\nwhile c():\n    if i > 0:\n        b = request.args['x']\n    i += 1\nsink(b)", True),
    ("a = ''\nfor i in range(3):\n    sink(a)\n    a = request.args['x']", True),
    ("if False:\n    sink(request.args['x'])\nelse:\n    sink('a')", False),
]
CONSTANTS_OF_TYPESCRIPT = [
    ("let b; const n = 5; if (n * 2 > 9) { b = 's'; } else { b = req.query.x; } sink(b);", False),
    (
        (
            "let b; switch ('ABC'.charAt(1)) { case 'A': b = req.query.x; break; "
            "case 'B': b = 's'; break; default: b = req.query.x; } sink(b);"
        ),
        False,
    ),
    ("try { sink(req.query.x); } catch (e) { } finally { z(); }", True),
]


def reaches(language: str, code: str) -> bool:
    calls = [call for call in analyse(language, code).calls if call.callee == "sink"]
    return any(t.origin.level >= 3 for call in calls for a in call.arguments for t in a.value.taints)


@pytest.mark.parametrize(("code", "expected"), CONSTANTS_AND_LOOPS)
def test_analyse__constants_and_loops(code: str, expected: bool):
    assert reaches("python", code) is expected


@pytest.mark.parametrize(("code", "expected"), CONSTANTS_OF_TYPESCRIPT)
def test_analyse__constants_of_typescript(code: str, expected: bool):
    assert reaches("typescript", code) is expected


def test_analyse__says_when_a_text_was_too_much(monkeypatch: pytest.MonkeyPatch):
    assert not analyse("python", "f(1)\n").exhausted
    monkeypatch.setattr(walking, "BUDGET", 50)
    analysis = analyse("python", "x = [" + "1," * 50 + "]\nsink(1)\n")
    assert analysis.exhausted
    assert not analysis.calls


def test_analyse__calls_that_are_looked_into_leave_the_steps_for_the_text_itself(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(walking, "LEAST_FOR_CALLS", 50)
    wide = "def f(a, b):\n" + "    a.go(b)\n" * 40 + "".join(f"f(x{n}, {n})\n" for n in range(20)) + "os.system(q)\n"
    assert any(call.callee == "os.system" for call in analyse("python", wide).calls)
    nodes = parse("python", wide).root_node.descendant_count
    monkeypatch.setattr(walking, "BUDGET", 2 * nodes + 50)
    text = wide.replace("q", "z")
    assert any(call.callee == "os.system" for call in analyse("python", text).calls)


@pytest.mark.parametrize(
    ("language", "code"),
    [
        ("python", "x = " + "(" * 3000 + "a" + ")" * 3000),
        ("javascript", "if (a) {" * 3000 + "f(a)" + "}" * 3000),
        ("python", "if a == 0:\n  b = 1\n" + "".join(f"elif a == {n}:\n  b{n} = f(a)\n" for n in range(2000))),
        ("python", "".join(f"def _f{n}(x):\n  _f{n + 1}(x)\n  _f{n * 7 % 200}(x)\n" for n in range(200))),
    ],
    ids=["parentheses", "conditions", "branches", "calls"],
)
def test_analyse__ends_with_hostile_text(language: str, code: str):
    assert not analyse(language, code).exhausted


def callees(text: str, wanted: Kinds | None = None) -> set[str]:
    text = dedent(text)
    found = sinks_written("python", text) if wanted is None else wanted
    return {call.callee for call in analyse_sinks("python", text, found).calls}


FUNCTIONS = """
    import os
    def reads(x):
        return strip(x)
    def runs(x):
        os.system(x)
    def calls(x):
        prepare(x)
        runs(x)
    def other(x):
        unrelated(x)
    top_level(1)
"""


def test_run__only_functions_from_which_something_comes_to_a_wanted_sink() -> None:
    assert callees(FUNCTIONS) == {"os.system", "prepare", "runs", "top_level"}
    assert callees(FUNCTIONS, NONE) == {"top_level"}
    assert {"unrelated", "strip"} <= {call.callee for call in analyse("python", dedent(FUNCTIONS)).calls}


def test_run__a_function_that_is_only_called_is_evaluated_for_its_call() -> None:
    text = dedent("""
        import os
        from flask import request
        def given():
            return request.args["x"]
        def runs():
            os.system(given())
    """)
    (call,) = [
        call for call in analyse_sinks("python", text, sinks_written("python", text)).calls if "system" in call.callee
    ]
    assert [taint.origin.level for taint in call.arguments[0].value.taints] == [Level.REQUEST]


def test_run__a_private_function_is_trusted_by_those_that_are_followed() -> None:
    text = dedent("""
        import os
        def _runs(x):
            os.system(x)
        def one():
            _runs("ls")
        def other():
            unrelated(1)
    """)
    calls = [
        call for call in analyse_sinks("python", text, sinks_written("python", text)).calls if "system" in call.callee
    ]
    assert calls
    assert not any(argument.value.taints for call in calls for argument in call.arguments)


def test_analyse_sinks__nothing_without_an_adapter() -> None:
    assert analyse_sinks("cobol", "x", NONE).calls == []
