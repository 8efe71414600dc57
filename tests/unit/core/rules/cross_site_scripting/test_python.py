from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.categories import Confidence
from devpulse.core.rules.cross_site_scripting import RULE

REPORTED = {
    "printed by a script of a gateway": """
        import cgi
        form = cgi.FieldStorage()
        print("Content-Type: text/html\\n")
        print("<h1>Hello %s</h1>" % form.getvalue("name"))  # BAD
        """,
    "page for an error": """
        @app.errorhandler(404)
        def missing(error):
            return f"<h1>{request.path} is not here</h1>", 404  # BAD
        """,
    "page of web.py": """
        class Hello:
            def GET(self):
                asked = web.input()
                return "<b>" + asked.name + "</b>"  # BAD
        """,
    "page of CherryPy": """
        class Hello:
            @cherrypy.expose
            def index(self, name):
                return "<b>" + name + "</b>"  # BAD
        """,
    "no route": """
        def greeting():
            return "<h1>Hello " + request.args["name"] + "</h1>"  # BAD
        """,
    "a page that a method puts together": """
        class Grid(HtmlResource):
            def body(self, req):
                branches = [b for b in req.args.get("branch", []) if b]
                data = "<h2>Builds of %s</h2>" % ", ".join(branches)
                return data  # BAD
        """,
    "a form with what was typed, beside a title that is escaped": """
        def form(request):
            return "<h1>%s</h1><input name=q value='%s'>" % (escape(request.GET["t"]), request.GET["q"])  # BAD
        """,
    "a part of a page that is written": """
        def revert(request, pagename):
            request.write("Reverting %s ...<br>" % pagename)  # BAD
        """,
    "a page for what is not there": """
        class Slaves(Resource):
            def getChild(self, path, req):
                return NoResource("No such slave '%s'" % path)  # BAD
        """,
    "Markdown that is kept": """
        def keep(entry, text):
            entry.rendered = render_markdown(text)  # BAD
            entry.save()
        """,
    "a format that is built": """
        def badge(text):
            return format_html("<b>" + text + "</b>")  # BAD
        """,
    "a message that is shown as it is": """
        def save(request):
            messages.success(request, "<b>%s</b> was saved" % request.POST["name"], extra_tags="safe")  # BAD
        """,
    "environment that does not escape": """
        PAGES = jinja2.Environment(loader=LOADER)

        def hello():
            return PAGES.get_template("hello.html").render(name=request.args["name"])  # BAD
        """,
    "json in a mako page": """
        def rows(request):
            return render("rows.mako", request, {"rows": json.dumps(load_rows(request.GET["q"]))})  # BAD
        """,
    "json declared to be safe": """
        def script(rows):
            return mark_safe(json.dumps(rows))  # BAD
        """,
    "returned from a route": """
        @app.route("/hello")
        def hello():
            name = request.args.get("name", "you")
            return "<h1>Hello " + name + "</h1>"  # BAD
        """,
    "returned as it is": """
        @bp.route("/echo", methods=["POST"])
        def echo():
            return request.form["text"]  # BAD
        """,
    "returned with a status": """
        @app.route("/user/<name>")
        def user(name):
            found = find(name)
            if found is None:
                return f"<p>No user {name}</p>", 404  # BAD
            return render_template("user.html", user=found)
        """,
    "grown over branches": """
        @app.route("/search")
        def search():
            answer = ""
            query = request.values["q"]
            if query:
                answer += f"Results for {query}"
            return answer  # BAD
        """,
    "verb of a microframework": """
        from flask import Flask, request

        @app.get("/greet")
        def greet():
            return f"<b>{request.args['name']}</b>"  # BAD
        """,
    "bottle": """
        from bottle import get, request

        @get("/greet")
        def greet():
            return "Hello " + request.query.name  # BAD
        """,
    "declared a page": """
        @app.get("/greet/{name}", response_class=HTMLResponse)
        async def greet(name: str):
            return f"<b>{name}</b>"  # BAD
        """,
    "page of a request": """
        def hello(request):
            return HttpResponse("<h1>Hello " + request.GET["name"] + "</h1>")  # BAD
        """,
    "flask": """
        @app.get("/echo")
        def echo():
            return make_response(request.args["text"])  # BAD
        """,
    "markup": """
        def badge(request):
            name = request.POST.get("name")
            return Markup("<b>%s</b>" % name)  # BAD
        """,
    "markup of a parameter": """
        def link(url, text):
            return mark_safe(f'<a href="{url}">{text}</a>')  # BAD
        """,
}
QUIET = {
    "escaped as an attribute": """
        @app.route("/link")
        def link():
            return "<a href=%s>" % quoteattr(request.args["to"]) + Markup.escape(request.args["text"]) + "</a>"
        """,
    "printed and escaped": """
        import cgi
        form = cgi.FieldStorage()
        print("Content-Type: text/html\\n")
        print("<h1>Hello %s</h1>" % html.escape(form.getvalue("name")))
        print("Location: " + form.getvalue("to"))
        """,
    "printed as data": """
        import cgi
        form = cgi.FieldStorage()
        print("Content-Type: application/json\\n")
        print(form.getvalue("name"))
        """,
    "printed for whoever started it": """
        @app.route("/name")
        def name():
            print("<b>" + request.args["name"])
            return make_response("ok " + str(len(request.args["name"])))
        """,
    "printed to a terminal": """
        print("<h1>" + sys.argv[1] + "</h1>")
        """,
    "answer of another server": """
        @app.route("/users")
        def users():
            return requests.get("http://users.example/list", params={"q": request.args["q"]}).text
        """,
    "view behind a decorator": """
        def kept(f):
            def wrap(*args):
                return make_response(f(request.cookies.get("user"), *args))
            return wrap
        """,
    "template of web.py": """
        class Hello:
            def GET(self):
                return render.hello(web.input().name)
        """,
    "a page whose values are escaped": """
        class Grid(HtmlResource):
            def body(self, req):
                branches = [html.escape(b) for b in req.args.get("branch", [])]
                return "<h2>Builds of %s</h2>" % ", ".join(branches)
        """,
    "a number in a page": """
        def form(request):
            return "<h1>%s</h1><input name=q value='%d'>" % (escape(request.GET["t"]), int(request.GET["q"]))
        """,
    "no tags, and a table": """
        def describe(request):
            log("<start>")
            return {"html": "<b>", "name": request.GET["name"]}
        """,
    "a part of a page that is escaped": """
        def revert(self, pagename, body):
            request.write("Reverting %s ...<br>" % wikiutil.escape(pagename))
            request.write("<div>%s</div>" % body)
        """,
    "Markdown of an escaped text, and Markdown that is not kept": """
        def keep(entry, text):
            entry.rendered = render_markdown(escape(text))
            words = render_markdown(text)
        """,
    "Markdown that is cleaned later": """
        def keep(entry, text):
            entry.rendered = render_markdown(text)
            entry.rendered = bleach.clean(entry.rendered)
        """,
    "a format with places": """
        def badge(text):
            return format_html("<b>{}</b>", text)
        """,
    "a message that templates escape": """
        def save(request):
            messages.success(request, "<b>%s</b> was saved" % request.POST["name"])
        """,
    "environment that escapes": """
        PAGES = jinja2.Environment(loader=LOADER, autoescape=True)

        def hello():
            return PAGES.get_template("hello.html").render(name=request.args["name"])
        """,
    "mail in plain text": """
        MAILS = jinja2.Environment(loader=LOADER)

        def mail():
            return MAILS.get_template("hello.txt").render(name=request.args["name"])
        """,
    "json escaped for html": """
        def rows(request):
            return render("rows.mako", request, {"rows": json.dumps(load_rows(request.GET["q"]), cls=HTMLEncoder)})
        """,
    "json without tags": """
        def script(rows):
            return mark_safe(json.dumps(rows).replace("<", "\\\\u003c"))
        """,
    "json in a page that escapes": """
        def rows(request):
            return render(request, "rows.html", {"rows": json.dumps(load_rows(request.GET["q"]))})
        """,
    "json by default": """
        from fastapi import FastAPI

        @app.get("/greet/{name}")
        async def greet(name: str):
            return f"<b>{name}</b>"

        @app.get("/search")
        async def search(request: Request):
            return "Results for " + request.query_params["q"]
        """,
    "returned object": """
        @app.route("/user")
        def user():
            return {"name": request.args["name"]}
        """,
    "returned list": """
        @app.route("/user")
        def user():
            return [request.args["name"], request.args["id"]]
        """,
    "returned json": """
        @app.route("/user")
        def user():
            return jsonify(name=request.args["name"]), 200
        """,
    "returned structured body": """
        @app.route("/echo", methods=["POST"])
        def echo():
            return request.get_json()
        """,
    "returned template": """
        @app.route("/user")
        def user():
            return render_template("user.html", name=request.args["name"])
        """,
    "returned through other functions": """
        @app.route("/user")
        def user():
            return present(request.args["name"])
        """,
    "returned and escaped": """
        @app.route("/hello/<name>")
        def hello(name):
            return "<h1>Hello " + escape(name) + "</h1>"
        """,
    "returned as plain text": """
        @app.route("/hello/<name>")
        def hello(name):
            return "Hello " + name, 200, {"Content-Type": "text/plain"}
        """,
    "returned number": """
        @app.route("/double/<int:number>")
        def double(number):
            return "<b>" + str(2 * number) + "</b>"
        """,
    "inner function of a route": """
        @app.route("/hello")
        def hello():
            def label():
                return "<b>" + request.args["name"] + "</b>"
            log(label())
            return "ok"
        """,
    "escaped": """
        def hello(request):
            return HttpResponse("<h1>Hello " + escape(request.GET["name"]) + "</h1>")
        """,
    "template": """
        def hello():
            return render_template("hello.html", name=request.args["name"])
        """,
    "format_html": """
        def link(url, text):
            return format_html('<a href="{}">{}</a>', url, text)
        """,
    "json": """
        def api(request):
            return HttpResponse(json.dumps({"name": request.GET["name"]}), content_type="application/json")
        """,
    "plain text": """
        def api(request):
            return HttpResponse("name: " + request.GET["name"], content_type="text/plain")
        """,
    "constant": """
        LOGO = mark_safe("<img src='/logo.png'>")
        def empty(request):
            return HttpResponse("<p>nothing here</p>")
        """,
    "number": """
        def page(request):
            return HttpResponse("<p>page %d</p>" % int(request.GET["n"]))
        """,
    "sanitised": """
        def comment():
            return Markup(bleach.clean(request.form["body"], tags=["b"]))
        """,
}


@pytest.mark.parametrize("code", REPORTED.values(), ids=REPORTED)
def test_check__reports(code: str) -> None:
    hits = [hit for hit in run(RULE, code) if hit.confidence is not Confidence.LOW]
    assert lines_of(hits) == marked_lines(code)
    assert all(hit.cwe == 79 and (hit.trace is not None or "json" in code) for hit in hits)


@pytest.mark.parametrize("code", QUIET.values(), ids=QUIET)
def test_check__is_quiet(code: str) -> None:
    assert [hit for hit in run(RULE, code) if hit.confidence is not Confidence.LOW] == []
