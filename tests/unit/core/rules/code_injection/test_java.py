from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.categories import Confidence
from devpulse.core.rules.code_injection import RULE

REPORTED = {
    "script engine": """
        class Calc {
            @GetMapping("/calc")
            public Object calc(@RequestParam String expr) throws ScriptException {
                ScriptEngine engine = new ScriptEngineManager().getEngineByName("js");
                return engine.eval(expr); // BAD
            }
        }
        """,
    "expression language of spring": """
        class Rules {
            public Object rule(HttpServletRequest request) {
                String text = request.getParameter("rule");
                ExpressionParser parser = new SpelExpressionParser();
                return parser.parseExpression(text).getValue(); // BAD
            }
        }
        """,
    "groovy": """
        class Scripts {
            void run(HttpServletRequest request) {
                GroovyShell shell = new GroovyShell();
                shell.evaluate(request.getParameter("script")); // BAD
            }
        }
        """,
    "message of a violation": """
        class NameValidator implements ConstraintValidator<Name, String> {
            public boolean isValid(String value, ConstraintValidatorContext context) {
                context.buildConstraintViolationWithTemplate("Bad name: " + value).addConstraintViolation(); // BAD
                return false;
            }
        }
        """,
    "class by name": """
        class Loader {
            Object make(HttpServletRequest request) throws Exception {
                return Class.forName(request.getParameter("type")).newInstance(); // BAD
            }
        }
        """,
    "fragment of a view": """
        @Controller class Caches {
            @PostMapping("/names")
            public String names(String fragment, ModelMap model) {
                return "monitor/cache::" + fragment; // BAD
            }
        }
        """,
    "freemarker": """
        import freemarker.template.Template;
        class Pages {
            @GetMapping("/show")
            public void show(@RequestParam String text) throws Exception {
                new Template("inline", new StringReader(text), configuration).process(model, out); // BAD
            }
        }
        """,
    "template engines": """
        @GetMapping("/show")
        public void show(@RequestParam String text) throws Exception {
            new Template("inline", new StringReader(text), configuration).process(model, out); // BAD
            pebble.getLiteralTemplate(text); // BAD
            templateEngine.process(text, context); // BAD
            ognlUtil.getValue(text, context, root); // BAD
        }
        """,
}
QUIET = {
    "constant expression": """
        class Rules {
            Object rule(HttpServletRequest request) {
                ExpressionParser parser = new SpelExpressionParser();
                return parser.parseExpression("name.length() > 3").getValue(request.getParameter("name"));
            }
        }
        """,
    "number parsed": """
        class Calc {
            int calc(HttpServletRequest request, DateTimeFormatter parser) {
                LocalDate.parse(request.getParameter("date"), parser);
                return Integer.parseInt(request.getParameter("n"));
            }
        }
        """,
    "class from configuration": """
        class Loader {
            Object make(Properties properties) throws Exception {
                return Class.forName(properties.getProperty("driver")).newInstance();
            }
        }
        """,
    "constant message": """
        class NameValidator implements ConstraintValidator<Name, String> {
            public boolean isValid(String value, ConstraintValidatorContext context) {
                context.buildConstraintViolationWithTemplate("{name.bad}").addConstraintViolation();
                return false;
            }
        }
        """,
    "allowed script": """
        class Scripts {
            Object run(HttpServletRequest request, ScriptEngine engine) throws ScriptException {
                String name = request.getParameter("name");
                switch (name) {
                    case "sum":
                        return engine.eval("1 + 1");
                    default:
                        return engine.eval("0");
                }
            }
        }
        """,
    "view of a fixed fragment": """
        @Controller class Caches {
            @PostMapping("/names")
            public String names(String kind, ModelMap model) {
                model.put("kind", kind);
                return "monitor/cache::names";
            }
        }
        """,
    "a setter for an expression": """
        class Gateway {
            public void setRenameExpression(String text) { this.rename = PARSER.parseExpression(text); }
            public Gateway(String text) { this.first = PARSER.parseExpression(text); }
        }
        """,
    "an eval of its own": """
        class NotFilter { boolean eval(Map<String, String> properties) { return !getFilter().eval(properties); } }
        """,
    "a template of no known engine": """
        @GetMapping("/show")
        public void show(@RequestParam String text) throws Exception {
            new Template("inline", new StringReader(text)).print(out);
        }
        """,
    "values of a template": """
        @GetMapping("/show")
        public void show(@RequestParam String text) throws Exception {
            new Template("inline", new StringReader("${text}"), configuration).process(Map.of("text", text), out);
            context.setVariable("text", text);
            templateEngine.process("show", context);
            reportService.process(text, context);
        }
        """,
    "context without types": """
        @GetMapping("/rule")
        public String rule(@RequestParam String text) {
            Expression expression = new SpelExpressionParser().parseExpression(text);
            EvaluationContext context = SimpleEvaluationContext.forReadOnlyDataBinding().build();
            return expression.getValue(context).toString();
        }
        """,
}


@pytest.mark.parametrize("code", REPORTED.values(), ids=REPORTED)
def test_check__reports(code: str) -> None:
    hits = [hit for hit in run(RULE, code, path="src/main/java/App.java") if hit.confidence is not Confidence.LOW]
    assert lines_of(hits) == marked_lines(code)
    assert all(hit.cwe in (94, 1336) and hit.trace is not None for hit in hits)


@pytest.mark.parametrize("code", QUIET.values(), ids=QUIET)
def test_check__is_quiet(code: str) -> None:
    assert [hit for hit in run(RULE, code, path="src/main/java/App.java") if hit.confidence is not Confidence.LOW] == []
