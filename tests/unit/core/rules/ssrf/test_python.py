from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.categories import Confidence
from devpulse.core.rules.ssrf import RULE

REPORTED = {
    "address of a request": """
        def preview():
            return requests.get(request.args["url"], timeout=5).text  # BAD
        """,
    "host put in": """
        @app.get("/status")
        def status():
            host = request.args.get("host")
            return httpx.get(f"http://{host}/status").json()  # BAD
        """,
    "end of the host": """
        def tenant():
            name = request.args["tenant"]
            return requests.post("https://api." + name, json={})  # BAD
        """,
    "urllib": """
        from urllib.request import urlopen
        def fetch(request):
            return urlopen(request.GET["feed"]).read()  # BAD
        """,
    "client of aiohttp": """
        async def proxy(request):
            async with self.http_client.get(request.query["target"]) as answer:  # BAD
                return await answer.text()
        """,
}
QUIET = {
    "path of a fixed host": """
        def item():
            return requests.get("https://api.example.com/items/" + request.args["id"]).json()
        """,
    "query of a fixed host": """
        def search():
            return requests.get("https://api.example.com/search", params={"q": request.args["q"]}).json()
        """,
    "address from the settings": """
        def report():
            return requests.post(settings.REPORT_URL, json=request.get_json())
        """,
    "from a table": """
        HOSTS = {"eu": "https://eu.example.com", "us": "https://us.example.com"}
        def region():
            return requests.get(HOSTS[request.args["region"]] + "/status").text
        """,
    "get of a dictionary": """
        def value(cache):
            return cache.get(request.args["key"])
        """,
    "number": """
        def port():
            return requests.get("http://localhost:%d/health" % int(request.args["port"])).text
        """,
}


@pytest.mark.parametrize("code", REPORTED.values(), ids=REPORTED)
def test_check__reports(code: str) -> None:
    hits = [hit for hit in run(RULE, code) if hit.confidence is not Confidence.LOW]
    assert lines_of(hits) == marked_lines(code)
    assert all(hit.cwe == 918 and hit.trace is not None for hit in hits)


@pytest.mark.parametrize("code", QUIET.values(), ids=QUIET)
def test_check__is_quiet(code: str) -> None:
    assert [hit for hit in run(RULE, code) if hit.confidence is not Confidence.LOW] == []
