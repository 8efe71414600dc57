from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.categories import Confidence
from devpulse.core.rules.open_redirect import RULE

REPORTED = {
    "other schemes only": """
        def login():
            target = request.args.get("next", "/")
            if target.startswith("ftp://"):
                target = "/"
            return redirect(target)  # BAD
        """,
    "header of a small server": """
        class Away(BaseHTTPRequestHandler):
            def do_GET(self):
                asked = parse_qs(urlparse(self.path).query)
                self.send_response(302)
                self.send_header("Location", asked["to"][0])  # BAD
        """,
    "only one slash is asked for": """
        def login():
            target = request.args["next"]
            if not target.startswith("/"):
                target = "/"
            return redirect(target)  # BAD
        """,
    "host looked at the wrong way round": """
        def login():
            target = request.args["next"]
            if urlparse(target).netloc == request.host:
                return redirect("/")
            return redirect(target)  # BAD
        """,
    "other part looked at": """
        def login():
            target = request.args["next"]
            if urlparse(target).path != "/home":
                return redirect("/")
            return redirect(target)  # BAD
        """,
    "host chosen as well": """
        def login():
            target = request.args["next"]
            if urlparse(target).netloc in request.args["hosts"]:
                return redirect(target)  # BAD
            return redirect("/")
        """,
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
    "header of a response": """
        @app.route("/away")
        def away():
            answer = make_response("", 302)
            answer.headers["Location"] = request.args["to"]  # BAD
            return answer
        """,
    "item of a response": """
        def away(request):
            response = HttpResponse(status=302)
            response["Location"] = request.GET.get("to", "/")  # BAD
            return response
        """,
    "attribute of a response": """
        def on_get(request, resp):
            resp.location = request.params["to"]  # BAD
        """,
    "name and value": """
        def get(self):
            self.set_status(302)
            self.set_header("Location", self.get_argument("to"))  # BAD
        """,
    "own path with its query": """
        class Slash(RequestHandler):
            def get(self):
                address = self.request.path.rstrip("/")
                if self.request.arguments:
                    address += "?" + self.request.query
                self.redirect(address)  # BAD
        """,
    "own path with a slash behind": """
        class Slash(RequestHandler):
            def get(self):
                self.redirect(self.request.path + "/", permanent=True)  # BAD
        """,
    "own address without the last slash": """
        class Slash(RequestHandler):
            def get(self):
                self.redirect(self.request.uri.rstrip("/"))  # BAD
        """,
    "own path and more": """
        class Again(RequestHandler):
            def get(self):
                self.redirect(self.request.path + "?again=1")  # BAD
        """,
}
QUIET = {
    "own path, begun anew": """
        class Slash(RequestHandler):
            def get(self):
                address = "/" + self.request.path.strip("/")
                self.redirect(address)
        """,
    "own path that is looked at": """
        class Slash(RequestHandler):
            def get(self):
                if self.request.path.startswith("//"):
                    raise HTTPError(403)
                self.redirect(self.request.path + "/")
        """,
    "own path of a framework that merges slashes": """
        def slash():
            return redirect(request.path + "/")
        """,
    "no host in any of its forms": """
        def login():
            target = request.args.get("next", "/")
            if target.startswith(("http://", "https://", "//")):
                target = "/"
            return redirect(target)
        """,
    "the very address": """
        def again():
            return redirect(request.url)
        """,
    "path of this site": """
        def login():
            target = request.args["next"]
            if not target.startswith("/") or target.startswith("//"):
                return redirect("/")
            return redirect(target)
        """,
    "path of this site, or another": """
        def login():
            target = request.args.get("next", "/")
            if not target.startswith("/") or target.startswith(("//", "/\\\\")):
                target = "/"
            return redirect(target)
        """,
    "path of this site, asked for": """
        def login():
            target = request.args["next"]
            if target.startswith("/") and not target.startswith("//"):
                return redirect(target)
            return redirect("/")
        """,
    "folder of a small server": """
        class Away(BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_header("Location", self.path + "/")
                self.send_header("Content-Type", self.headers["Accept"])
        """,
    "function of another file chooses": """
        def login():
            return redirect(get_next_path(request.args.get("next", "/")))
        """,
    "function of another file cleans": """
        def login():
            target = sanitize_redirect(request.args.get("next", "/"))
            return redirect(target)
        """,
    "allowed": """
        PAGES = {"/", "/home", "/help"}
        def login():
            target = request.args["next"]
            if target not in PAGES:
                target = "/"
            return redirect(target)
        """,
    "host compared": """
        def login():
            target = request.args["next"]
            if urlparse(target).netloc != request.host:
                return redirect("/")
            return redirect(target)
        """,
    "host of a known few": """
        def login():
            target = request.args["next"]
            parts = urlsplit(target)
            if parts.hostname in HOSTS:
                return redirect(target)
            return redirect("/")
        """,
    "no host": """
        def login():
            target = request.args["next"]
            if urlparse(target).netloc:
                abort(400)
            return redirect(target)
        """,
    "a host, and another one": """
        def login():
            target = request.args["next"]
            parts = urlparse(target)
            if parts.netloc and parts.netloc != "www.example.com":
                return redirect("/")
            return redirect(target)
        """,
    "checked by the framework": """
        def login(request):
            target = request.GET["next"]
            if not url_has_allowed_host_and_scheme(target, allowed_hosts={request.get_host()}):
                return redirect("/")
            return redirect(target)
        """,
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
    "header to an own page": """
        def away(request):
            response = HttpResponse(status=302)
            response["Location"] = "/items/" + request.GET["id"]
            return response
        """,
    "other header": """
        def away(request):
            response = HttpResponse()
            response["X-Trace"] = request.GET["trace"]
            response.headers["Content-Language"] = request.GET["lang"]
            return response
        """,
    "other header by name and value": """
        def get(self):
            self.set_header("X-Trace", self.get_argument("trace"))
        """,
    "field of a record": """
        def save(request, user):
            user.location = request.POST["location"]
            user.save()
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
