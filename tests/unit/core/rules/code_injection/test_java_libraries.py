"""Engines of Java that run a text, each in a statement of its own."""

from __future__ import annotations

from rule_tables import posted_lines
from tables import for_each

from devpulse.core.rules.code_injection import RULE

REPORTED = (
    "StringSubstitutor interpolator = StringSubstitutor.createInterpolator(); String y = interpolator.replace(x);",
    "String y = this.interpolator.replace(x);",
    "ScriptingContainer jruby = new ScriptingContainer(); jruby.runScriptlet(x);",
    "ScriptingContainer scriptingContainer = ruby(); scriptingContainer.runScriptlet(x);",
    "PythonInterpreter python = new PythonInterpreter(); python.exec(x);",
    "Template t = new Handlebars().compileInline(x);",
    "PebbleTemplate t = engine.getLiteralTemplate(x);",
    "Object y = ognlUtil.getValue(x, context, root);",
)
QUIET = (
    "String y = names.replace(x, known);",
    'String y = StringSubstitutor.createInterpolator().replace("${env:A}"); this.interpolator.replace(y);',
    "StringSubstitutor plain = new StringSubstitutor(known); String y = plain.replace(x);",
    'ScriptingContainer jruby = new ScriptingContainer(); jruby.put("x", x); jruby.runScriptlet("greet(x)");',
    'Template t = new Handlebars().compileInline("<h1>{{x}}</h1>"); t.apply(x);',
    "queue.exec(x);",
    "browser.runScriptlet(x);",
    "Object y = fields.getValue(x);",
)


def told(statement: str) -> list[int]:
    """Lines of what is told of a statement that is given a value of the request."""
    code = (
        "class Shown extends HttpServlet {\n"
        "    protected void doGet(HttpServletRequest request, HttpServletResponse response) {\n"
        f'        String x = request.getParameter("x");\n        {statement}\n    }}\n}}\n'
    )
    return posted_lines(RULE, code, path="src/Shown.java")


@for_each(REPORTED)
def test_check__reports(row: str) -> None:
    assert told(row) == [4]


@for_each(QUIET)
def test_check__is_quiet(row: str) -> None:
    assert told(row) == []
