from __future__ import annotations

import pytest

from devpulse.core.flow.engine import analyse
from devpulse.core.flow.purposes import Purpose
from devpulse.core.flow.values import Taint

GUARDS = [
    ("q = request.args['x']\nif q not in ALLOWED:\n    abort(400)\nsink(q)", False),
    (
        (
            "def f():\n    q = request.args['x']\n    if q not in ALLOWED:\n        if log:\n"
            "            print(1)\n        return 1\n    sink(q)"
        ),
        False,
    ),
    ("q = request.args['x']\nq = q if q in ALLOWED else 'd'\nsink(q)", False),
    ("q = request.args['x']\nif q == 'a' or q == 'b':\n    sink(q)", False),
    ("q = request.args['x']\nif q == 'a' or c:\n    sink(q)", True),
    ("q = request.args['x']\nif not (q == 'a' and c):\n    abort(1)\nsink(q)", False),
    ("q = request.args['x']\nif not re.fullmatch(r'[a-z]+', q):\n    abort(1)\nsink(q)", False),
    ("q = request.args['x']\nif re.fullmatch(r'[a-z]+', q) is None:\n    abort(1)\nsink(q)", False),
    ("q = request.args['x']\nif re.match(r'[a-z]+', q) is None:\n    abort(1)\nsink(q)", True),
    ("q = request.args['x']\nif re.match(r'^[a-z]+$', q) is None:\n    abort(1)\nsink(q)", False),
    ("P = re.compile(r'^[a-z]+$')\nq = request.args['x']\nif not P.match(q):\n    abort(1)\nsink(q)", False),
    ("P = re.compile(r'^[a-z]+')\nq = request.args['x']\nif not P.match(q):\n    abort(1)\nsink(q)", True),
    ("P = re.compile(r'^.+$')\nq = request.args['x']\nm = P.match(q)\nif not m:\n    abort(1)\nsink(q)", True),
    (
        (
            "def f():\n    q = request.args['x']\n    try:\n        int(q)\n"
            "    except ValueError:\n        return\n    sink(q)"
        ),
        False,
    ),
    (
        (
            "def f():\n    q = request.args['x']\n    try:\n        int(q)\n"
            "    except ValueError:\n        pass\n    sink(q)"
        ),
        True,
    ),
    ("q = request.args['x']\nwhile q not in ALLOWED:\n    q = input()\nsink(q)", False),
    ("q = request.args['x']\nif (m := q) in ALLOWED:\n    sink(m)", False),
    ("q = request.args['x']\nsink(TABLE[q])", False),
    ("q = request.args['x']\nT = {'a': 'b'}\nsink(T.get(q, 'c'))", False),
    ("q = request.args['x']\nT = {'a': 'b'}\nsink(T.get(q, q))", True),
    ("q = request.args['x']\nif all(c in 'abc' for c in q):\n    sink(q)", False),
    ("q = request.args['x']\nif all(c in ALLOWED for c in q):\n    sink(q)", False),
    ("q = request.args['x']\nif any(c not in ALLOWED for c in q):\n    abort(1)\nsink(q)", False),
    ("q = request.args['x']\nif any(c in ALLOWED for c in q):\n    abort(1)\nsink(q)", True),
    ("q = request.args['x']\nif set(q) <= ALLOWED:\n    sink(q)", False),
    ("q = request.args['x']\nif not ALLOWED >= set(q):\n    abort(1)\nsink(q)", False),
    ("q = request.args['x']\nif not set(q) <= set(request.args['y']):\n    abort(1)\nsink(q)", True),
    ("q = request.args['x']\nif len(q) <= 20:\n    sink(q)", True),
    ("q = request.args['x']\nif q.lower() in ALLOWED:\n    sink(q)", False),
    ("q = request.args['x']\nok = q in ALLOWED\nif ok:\n    sink(q)", False),
    ("q = request.args['x']\nif os.path.splitext(q)[1] in ALLOWED:\n    sink(q)", True),
    ("if request.args['x'] in ALLOWED:\n    sink(request.args['x'])", False),
    ("q = request.args['x']\nif q in ALLOWED:\n    pass\nelse:\n    abort(400)\nsink(q)", False),
]
GUARDS_OF_TYPESCRIPT = [
    ("const q = req.query.x; if (FEW.indexOf(q) === -1) return; sink(q);", False),
    ("const q = req.query.x; if (FEW.indexOf(q) < 0) return; sink(q);", False),
    ("const q = req.query.x; if (FEW.indexOf(q) !== -1) return; sink(q);", True),
    ("const q = req.query.x; if (FEW.indexOf(q) > 3) return; sink(q);", True),
    ("const q = req.query.x; if (!~FEW.indexOf(q)) return; sink(q);", False),
    ("const q = req.query.x; if (!Number.isInteger(q)) return; sink(q);", False),
    ("const q = req.query.x; if (Number.isInteger(q)) return; sink(q);", True),
    ("const q = req.query.x; if (isNaN(q)) return; sink(q);", False),
    ("const q = req.query.x; if (!isNaN(q)) return; sink(q);", True),
    ("const q = req.query.x; if (typeof q !== 'number') return; sink(q);", False),
    ("const q = req.query.x; if (typeof q !== 'string') return; sink(q);", True),
    ("const q = req.query.x; if (/[^a-z0-9]/.test(q)) return; sink(q);", False),
    ("const q = req.query.x; if (!/[^a-z0-9]/.test(q)) return; sink(q);", True),
    ("const q = req.query.x; if (!/^[a-z]+$/.test(q)) { throw new Error(); } sink(q);", False),
    ("const q = req.query.x; if (!/[a-z]+/.test(q)) { throw new Error(); } sink(q);", True),
    ("const q = req.query.x; if (!['a','b'].includes(q)) return; sink(q);", False),
    ("const ok = (x) => ['a','b'].includes(x); const q = req.query.x; if (!ok(q)) return; sink(q);", False),
]


def reaches(language: str, code: str) -> bool:
    calls = [call for call in analyse(language, code).calls if call.callee == "sink"]
    return any(t.origin.level >= 3 for call in calls for a in call.arguments for t in a.value.taints)


@pytest.mark.parametrize(("code", "expected"), GUARDS)
def test_analyse__guards(code: str, expected: bool):
    assert reaches("python", code) is expected


@pytest.mark.parametrize(("code", "expected"), GUARDS_OF_TYPESCRIPT)
def test_analyse__guards_of_typescript(code: str, expected: bool):
    assert reaches("typescript", code) is expected


def taint_of(code: str) -> Taint:
    (call,) = [call for call in analyse("python", code).calls if call.callee == "sink"]
    return call.arguments[0].value.taints[0]


def test_analyse__a_pattern_may_help_only_some_kinds_of_text():
    code = (
        "def f():\n    q = request.args['x']\n    if not re.fullmatch(r'[\\w /]+', q):\n        return\n    sink(q)\n"
    )
    cleaned = taint_of(code).cleaned
    assert {Purpose.SQL, Purpose.HTML} <= cleaned
    assert not cleaned & {Purpose.PATH, Purpose.SHELL, Purpose.URL}


def test_analyse__an_assertion_is_a_doubt():
    assert taint_of("q = request.args['x']\nassert q in ALLOWED\nsink(q)\n").asks
