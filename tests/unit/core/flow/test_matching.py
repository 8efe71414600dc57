"""What an expression lets out of a text."""

from __future__ import annotations

from tables import for_each

from devpulse.core.flow.engine import analyse
from devpulse.core.flow.purposes import Purpose
from devpulse.core.flow.values import Level

HARMLESS = (
    ("python", "m = re.search(r'id=(\\d+)', request.args['x'])\nsink(m.group(1))"),
    ("python", "for part in re.findall(r'\\w+', request.args['x']):\n    sink(part)"),
    ("python", "P = re.compile('[a-z]+-[0-9]+')\nfor m in P.finditer(request.args['x']):\n    sink(m.group())"),
)
HARMFUL = (
    ("python", "found = search('users', request.args['x'])\nsink(found)"),
    ("python", "found = es.search('users', request.args['x'])\nsink(found)"),
    ("python", "index = 'users'\nfound = index.search(request.args['x'])\nsink(found)"),
    ("python", "m = re.search(r'\\073\\w+', request.args['x'])\nsink(m.group())"),
    ("python", "m = re.search(r'\\U0000003b\\w+', request.args['x'])\nsink(m.group())"),
    ("javascript", "const out = container.exec('web', req.query.x);\nsink(out);"),
    ("javascript", "const m = /[a-z]+/.exec(req.query.x);\nsink(m.input);"),
    ("python", "m = re.search(r'id=(.+)', request.args['x'])\nsink(m.group(1))"),
    ("python", "for part in re.findall(r'[^&]+', request.args['x']):\n    sink(part)"),
    ("python", "for m in re.finditer('=(\\S+)', request.args['x']):\n    sink(m.group(1))"),
    ("python", "values = {m[1]: m[2] for m in re.finditer('(\\w+)=([^&]+)', request.args['x'])}\nsink(values['a'])"),
    ("python", "m = re.search(pattern, request.args['x'])\nsink(m.group(1))"),
    ("python", "m = re.search(request.args['p'], request.args['x'])\nsink(m.group(1))"),
    ("javascript", "const m = req.query.x.match(/=(.+)/);\nsink(m[1]);"),
    ("javascript", "const m = pattern.exec(req.query.x);\nsink(m[1]);"),
)


def reaching(language: str, code: str) -> list[frozenset[Purpose]]:
    """What each value of the request that reaches ``sink`` is safe for."""
    calls = [call for call in analyse(language, code).calls if call.callee == "sink"]
    return [
        t.cleaned
        for call in calls
        for a in call.arguments
        for t in a.value.taints
        if t.origin.level >= Level.LOCAL_INPUT
    ]


@for_each(HARMLESS)
def test_matched__no_character_that_does_harm(row: tuple[str, str]) -> None:
    language, code = row
    assert all(Purpose.SHELL in safe for safe in reaching(language, code))


@for_each(HARMFUL)
def test_matched__anything(row: tuple[str, str]) -> None:
    language, code = row
    assert any(Purpose.SHELL not in safe for safe in reaching(language, code))


def test_matched__safe_for_what_it_has_no_characters_of() -> None:
    (safe,) = reaching("python", "m = re.match('[\\w./]+', request.args['x'])\nsink(m.group())")
    assert Purpose.SQL in safe
    assert Purpose.PATH not in safe
