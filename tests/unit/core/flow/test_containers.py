from __future__ import annotations

import pytest

from devpulse.core.flow.engine import analyse

CONTAINERS = [
    ("a = []\na.append('safe')\na.append(request.args['x'])\na.append('moresafe')\na.pop(0)\nsink(a[0])", True),
    ("a = []\na.append('safe')\na.append(request.args['x'])\na.append('moresafe')\na.pop(0)\nsink(a[1])", False),
    ("a = ['s', request.args['x']]\nsink(a[-1])", True),
    ("a = ['s', request.args['x']]\nsink(a[-2])", False),
    ("a = ['s', request.args['x']]\nsink(a[i])", True),
    ("m = {}\nm['a'] = 's'\nm['b'] = request.args['x']\nsink(m['a'])", False),
    ("m = {}\nm['a'] = 's'\nm['b'] = request.args['x']\nsink(m['b'])", True),
    ("m = {}\nm['a'] = 's'\nm['b'] = request.args['x']\nm['b'] = 'c'\nsink(m['b'])", False),
    ("m = {}\nm['a'] = 's'\nm['b'] = request.args['x']\nsink(m.get('a'))", False),
    (
        (
            "import configparser\nc = configparser.ConfigParser()\nc.add_section('s')\n"
            "c.set('s', 'a', 'v')\nc.set('s', 'b', request.args['x'])\nsink(c.get('s', 'a'))"
        ),
        False,
    ),
    (
        (
            "import configparser\nc = configparser.ConfigParser()\nc.add_section('s')\n"
            "c.set('s', 'a', 'v')\nc.set('s', 'b', request.args['x'])\nsink(c.get('s', 'b'))"
        ),
        True,
    ),
    ("a = []\nif c:\n    a.append(request.args['x'])\nsink(a[0])", True),
    ("a = ['x', 'y']\na.remove('x')\na.insert(0, request.args['x'])\nsink(a[1])", False),
    ("a = (1, request.args['x'])\n_, b = a\nsink(b)", True),
    ("import base64\nsink(base64.b64decode(base64.b64encode(request.args['x'].encode())).decode())", True),
    ("sink(request.args['x'].split(' ')[0])", True),
    ("sink(request.args['x'][1:])", True),
]
CONTAINERS_OF_TYPESCRIPT = [
    ("const m = new Map(); m.set('a', 's'); m.set('b', req.query.x); sink(m.get('a'));", False),
    ("const m = new Map(); m.set('a', 's'); m.set('b', req.query.x); sink(m.get('b'));", True),
    ("const a = []; a.push('s'); a.push(req.query.x); sink(a[0]);", False),
    ("const a = []; a.push('s'); a.push(req.query.x); sink(a[1]);", True),
    ("const T = { a: 1 }; sink(T[req.query.x]);", False),
]


def reaches(language: str, code: str) -> bool:
    calls = [call for call in analyse(language, code).calls if call.callee == "sink"]
    return any(t.origin.level >= 3 for call in calls for a in call.arguments for t in a.value.taints)


@pytest.mark.parametrize(("code", "expected"), CONTAINERS)
def test_analyse__containers(code: str, expected: bool):
    assert reaches("python", code) is expected


@pytest.mark.parametrize(("code", "expected"), CONTAINERS_OF_TYPESCRIPT)
def test_analyse__containers_of_typescript(code: str, expected: bool):
    assert reaches("typescript", code) is expected
