from __future__ import annotations

from rule_tables import marked_lines, posted_lines
from tables import for_each

from devpulse.core.rules.cross_site_scripting import RULE

EXAMPLES = [
    ("src/app.py", """
        from string import Template
        from flask import request, make_response
        @app.route("/a")
        def a():
            x = request.args.get("x")
            return Template("<p>$x</p>").substitute(x=x)  # BAD
        @app.route("/b")
        def b():
            x = request.args.get("x")
            return Template("<p>$x</p>").safe_substitute({"x": x})  # BAD
        @app.route("/c")
        def c():
            x = request.args.get("x")
            return Template("<p>$x</p>").substitute(x=html.escape(x))
        @app.route("/d")
        def d():
            x = request.args.get("x")
            page = string.Template(PAGE)
            return page.substitute(name=x)
        @app.route("/e")
        def e():
            return Template("<p>$x</p>").substitute(x=current_user.id)
        """),
    ("src/app.py", """
        import html
        def lambda_handler(event, context):
            x = event["queryStringParameters"]["x"]
            return {"statusCode": 200, "headers": {"Content-Type": "text/html"}, "body": f"<p>{x}"}  # BAD
        def handler(event, context):
            x = event["queryStringParameters"].get("x")
            return {"statusCode": 200, "headers": {"Content-Type": "text/html"}, "body": f"<p>{html.escape(x)}"}
        """),
    ("src/app.py", """
        import json
        def lambda_handler(event, context):
            x = event["queryStringParameters"]["x"]
            return {"statusCode": 200, "headers": {"Content-Type": "application/json"}, "body": json.dumps({"x": x})}
        """),
    ("src/app.py", """
        def lambda_handler(event, context):
            x = event["queryStringParameters"]["x"]
            return {  # BAD
                "statusCode": 200,
                "headers": {"Content-Type": "text/html"},
                "body": "<h1>Hi " + x + "</h1>",
            }
        """),
    ("src/app.js", """
        exports.handler = async (event) => {
          const name = event.queryStringParameters.name;
          return { statusCode: 200, headers: { "Content-Type": "text/html" }, body: `<p>${name}</p>` }; // BAD
        };
        """),
    ("src/app.js", """
        exports.handler = async (event) => {
          const name = event.queryStringParameters.name;
          return { statusCode: 200, headers: { "Content-Type": "application/json" }, body: JSON.stringify({ name }) };
        };
        """),
]  # fmt: skip


@for_each(EXAMPLES, lambda row: row[0])
def test_rule__tells_the_marked_lines_alone(row: tuple[str, str]):
    path, code = row
    assert sorted(posted_lines(RULE, code, path=path)) == marked_lines(code)
