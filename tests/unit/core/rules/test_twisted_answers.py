from __future__ import annotations

from rule_tables import marked_lines, posted_lines
from tables import for_each

from devpulse.core.rules.cross_site_scripting import RULE

EXAMPLES = [
    ("src/app.py", """
        from twisted.web.resource import Resource
        class Page(Resource):
            def render_GET(self, request):
                name = request.args.get(b"name")[0]
                request.write(b"<p>" + name)  # BAD
                return b""
            def render_POST(self, request):
                name = request.args[b"name"][0].decode()
                request.write(("<p>" + html.escape(name)).encode())
                return b""
            def render_PUT(self, request):
                name = request.args.get(b"name", [b""])[0]
                request.write(name)  # BAD
                return NOT_DONE_YET
            def render_DELETE(self, request):
                request.setHeader(b"content-type", b"text/plain")
                request.write(request.args[b"name"][0])
                return NOT_DONE_YET
            def render_HEAD(self, request):
                request.write(json.dumps({"name": int(request.args[b"name"][0])}).encode())
                request.write(b"done")
                return NOT_DONE_YET
        """),
    ("src/app.py", """
        class Page(Resource):
            def render_POST(self, request):
                name = request.args.get("name")[0]
                return jsonify({"name": name, "known": True})  # BAD
            def render_PUT(self, request):
                name = html.escape(request.args["name"][0])
                return jsonify({"name": name})
            def render_GET(self, request):
                request.setHeader("content-type", "application/json")
                return jsonify({"name": request.args.get("name")[0]})
        def answer(name):
            return jsonify({"name": name})
        """),
    ("src/app.py", """
        @app.route("/")
        def show():
            return jsonify({"name": request.args.get("name")[0]})
        """),
    ("src/app.py", """
        class Page:
            def get(self, request):
                request.write(request.args["name"])
        """),
]  # fmt: skip


@for_each(EXAMPLES, lambda row: row[0])
def test_rule__tells_the_marked_lines_alone(row: tuple[str, str]):
    path, code = row
    assert sorted(posted_lines(RULE, code, path=path)) == marked_lines(code)
