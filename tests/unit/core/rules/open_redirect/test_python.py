from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.categories import Confidence
from devpulse.core.rules.open_redirect import RULE

REPORTED = {
    "next of a login": """
        @app.post("/login")
        def login():
            return redirect(request.args.get("next") or "/")  # BAD
        """,
    "django": """
        def leave(request):
            return HttpResponseRedirect(request.GET["to"])  # BAD
        """,
    "host is put in": """
        def go(request):
            site = request.GET["site"]
            return redirect("https://" + site + "/welcome")  # BAD
        """,
    "starlette": """
        @app.get("/out")
        def out(target: str):
            return RedirectResponse(url=target)  # BAD
        """,
}
QUIET = {
    "own page": """
        def login():
            return redirect(url_for("index", page=request.args["page"]))
        """,
    "local path": """
        def item():
            return redirect("/items/" + request.args["id"])
        """,
    "same page again": """
        def again():
            return redirect(request.path)
        """,
    "fixed host": """
        def search():
            return redirect("https://www.example.com/search?q=" + request.args["q"])
        """,
}


@pytest.mark.parametrize("code", REPORTED.values(), ids=REPORTED)
def test_check__reports(code: str) -> None:
    hits = [hit for hit in run(RULE, code) if hit.confidence is not Confidence.LOW]
    assert lines_of(hits) == marked_lines(code)
    assert all(hit.cwe == 601 and hit.trace is not None for hit in hits)


@pytest.mark.parametrize("code", QUIET.values(), ids=QUIET)
def test_check__is_quiet(code: str) -> None:
    assert [hit for hit in run(RULE, code) if hit.confidence is not Confidence.LOW] == []
