"""Engines of Go that run expressions or templates, each in a statement of its own."""

from __future__ import annotations

from rule_tables import run
from tables import for_each

from devpulse.core.categories import Confidence
from devpulse.core.rules.code_injection import RULE

REPORTED = (
    ("govaluate.NewEvaluableExpression(x)", 94),
    ("expr.Eval(x, env)", 94),
    ("expr.Compile(x, expr.Env(env))", 94),
    ("gval.Evaluate(x, env)", 94),
    ("pongo2.FromString(x)", 1336),
    ('pongo2.RenderTemplateString("<h1>"+x+"</h1>", ctx)', 1336),
    ("mustache.Render(x, ctx)", 1336),
    ("mustache.ParseString(x)", 1336),
    ("raymond.Render(x, ctx)", 1336),
    ("raymond.Parse(x)", 1336),
)
QUIET = (
    'expr.Eval("price > limit", map[string]any{"limit": x})',
    'gval.Evaluate("price > limit", map[string]any{"limit": x})',
    'pongo2.RenderTemplateString("<h1>{{ title }}</h1>", pongo2.Context{"title": x})',
    'mustache.Render("<h1>{{title}}</h1>", map[string]string{"title": x})',
    'raymond.Render("<h1>{{title}}</h1>", map[string]string{"title": x})',
    "govaluate.NewEvaluableExpression(rules[kind])",
    "markdown.Parse(x)",
)


def told(statement: str) -> list[tuple[int, int | None]]:
    """Line and CWE of what is told of a statement that is given a value of the request."""
    code = f'func show(w http.ResponseWriter, r *http.Request) {{\n    x := r.FormValue("x")\n    {statement}\n}}\n'
    hits = run(RULE, code, path="internal/app.go")
    return [(hit.start_line, hit.cwe) for hit in hits if hit.confidence is not Confidence.LOW]


@for_each(REPORTED)
def test_check__reports(row: tuple[str, int]) -> None:
    statement, cwe = row
    assert told(statement) == [(3, cwe)]


@for_each(QUIET)
def test_check__is_quiet(row: str) -> None:
    assert told(row) == []
