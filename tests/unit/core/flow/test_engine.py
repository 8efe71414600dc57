from __future__ import annotations

from textwrap import dedent

import pytest

from devpulse.core.flow.engine import ADAPTERS, analyse
from devpulse.core.languages import LANGUAGES

PYTHON = [
    ("a = request.args['x']\nsink(a)", True),
    ("a, b = request.args['x'], 1\nsink(a)", True),
    ("a, b = request.args['x'], 1\nsink(b)", False),
    ("a = [request.args['x']]\nsink(a[0])", True),
    ("a = {'k': request.args['x'], 'n': 'c'}\nsink(a['k'])", True),
    ("a = {'k': request.args['x'], 'n': 'c'}\nsink(a['n'])", False),
    ("a = ''\na += request.args['x']\nsink(a)", True),
    ("sink(f'{request.args[\"x\"]}')", True),
    ("sink(' '.join([request.args['x']]))", True),
    ("sink('%s' % request.args['x'])", True),
    ("sink('{}'.format(request.args['x']))", True),
    ("sink(request.args['x'].strip().lower())", True),
    ("sink(request.args['x'] if c else 'd')", True),
    ("sink(request.args.get('x') or 'd')", True),
    ("sink([v for v in request.args.getlist('x')])", True),
    ("for v in request.args.getlist('x'):\n    sink(v)", True),
    ("if (a := request.args['x']):\n    sink(a)", True),
    ("a = request.args['x']\na = 'safe'\nsink(a)", False),
    ("a = request.args['x']\nif c:\n    a = 'safe'\nsink(a)", True),
    ("a = request.args['x']\nif c:\n    a = 'safe'\nelse:\n    a = 'b'\nsink(a)", False),
    ("a = request.args['x']\ntry:\n    a = int(a)\nexcept ValueError:\n    abort(400)\nsink(a)", False),
    ("sink(len(request.args['x']))", False),
    ("self.a = request.args['x']\nsink(self.a)", True),
    ("with open(request.args['x']) as f:\n    sink(f)", False),
    ("async def f():\n    sink(await request.json())", True),
    ("sink(request.method)", False),
    ("a = input()\nsink(a)", True),
]
TYPESCRIPT = [
    ("const a = req.query.x; sink(a);", True),
    ("const { x } = req.body; sink(x);", True),
    ("const { x: y = 'd' } = req.body; sink(y);", True),
    ("const [a] = req.body.list; sink(a);", True),
    ("let a = ''; a += req.params.x; sink(a);", True),
    ("sink(`${req.query.x}`);", True),
    ("sink([req.query.x].join(','));", True),
    ("sink(Number(req.query.x));", False),
    ("sink(req.query.x ?? 'd');", True),
    ("sink(c ? req.query.x : 'd');", True),
    ("sink(req.query.x as string);", True),
    ("sink(req.query.x!.trim());", True),
    ("for (const v of req.body.list) { sink(v); }", True),
    ("req.body.list.map((v) => sink(v));", True),
    ("const a = { k: req.query.x, n: 'c' }; sink(a.k);", True),
    ("const a = { k: req.query.x, n: 'c' }; sink(a.n);", False),
    ("async function f() { const b = await req.json(); sink(b.x); }", True),
    ("function f({ params }) { sink(params.id); }", True),
    ("class C { @Get() f(@Query('q') q: string) { sink(q); } }", True),
    ("let a = req.query.x; if (c) { a = 'b'; } else { a = 'd'; } sink(a);", False),
    ("let a = req.query.x; switch (c) { case 1: a = 'b'; break; } sink(a);", True),
]


def reaches(language: str, code: str) -> bool:
    (call,) = [call for call in analyse(language, dedent(code)).calls if call.callee == "sink"]
    return any(taint.origin.level >= 3 for argument in call.arguments for taint in argument.value.taints)


@pytest.mark.parametrize(("code", "expected"), PYTHON)
def test_analyse__python(code: str, expected: bool):
    assert reaches("python", code) is expected


@pytest.mark.parametrize(("code", "expected"), TYPESCRIPT)
def test_analyse__typescript(code: str, expected: bool):
    assert reaches("typescript", code) is expected


def test_adapters__cover_the_languages_with_rules():
    assert {"python", "javascript", "typescript", "tsx", "java", "go"} <= set(ADAPTERS) <= set(LANGUAGES)
