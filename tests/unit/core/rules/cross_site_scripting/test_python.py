from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.categories import Confidence
from devpulse.core.rules.cross_site_scripting import RULE

REPORTED = {
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
    assert all(hit.cwe == 79 and hit.trace is not None for hit in hits)


@pytest.mark.parametrize("code", QUIET.values(), ids=QUIET)
def test_check__is_quiet(code: str) -> None:
    assert [hit for hit in run(RULE, code) if hit.confidence is not Confidence.LOW] == []
