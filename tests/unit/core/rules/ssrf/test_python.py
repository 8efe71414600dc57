from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.categories import Confidence
from devpulse.core.rules.ssrf import RULE

REPORTED = {
    "functions that look at nothing": """
        @app.get("/fetch")
        def fetch(address: str):
            soup.add_block(address)
            menu.add_internal_link(address)
            publicity.note(address)
            return requests.get(address).text  # BAD
        """,
    "range that was asked of another": """
        @app.get("/fetch")
        def fetch(host: str, other: str):
            if ipaddress.ip_address(other).is_private:
                abort(400)
            return requests.get(f"http://{host}/status").text  # BAD
        """,
    "any domain": """
        def status():
            host = request.args["host"]
            if not validators.domain(host):
                abort(400)
            return requests.get(f"https://{host}/status").text  # BAD
        """,
    "any address of a host": """
        def status():
            address = ipaddress.ip_address(request.args["host"])
            return requests.get(f"http://{address}/status").text  # BAD
        """,
    "domain that may go on before": """
        @app.get("/fetch")
        def fetch(address: str):
            if not urlparse(address).hostname.endswith("example.com"):
                raise HTTPException(400)
            return requests.get(address).text  # BAD
        """,
    "host that goes on": """
        @app.get("/fetch")
        def fetch(address: str):
            if not address.startswith("https://api.example.com"):
                raise HTTPException(400)
            return requests.get(address).text  # BAD
        """,
    "host behind the scheme": """
        @app.get("/fetch")
        def fetch(host: str):
            return requests.get(f"{SCHEME}://{host}/status").text  # BAD
        """,
    "browser": """
        def shot():
            driver.get(request.args["page"])  # BAD
        """,
    "page of a browser": """
        @app.get("/shot")
        async def shot(address: str):
            await page.goto(address)  # BAD
        """,
    "printed pages": """
        def paper():
            pdfkit.from_url(request.args["page"], "page.pdf")  # BAD
            return HTML(url=request.args["page"]).write_pdf()  # BAD
        """,
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
    "address of what a client sends": """
        def setup(curl, request):
            curl.setopt(pycurl.URL, request.url)
        """,
    "range of the raw host": """
        @app.get("/fetch")
        def fetch(host: str):
            if not ipaddress.IPv4Address(host).is_global:
                abort(400)
            return requests.get(f"http://{host}/status").text
        """,
    "function that refuses addresses": """
        @app.get("/fetch")
        def fetch(address: str):
            guard.reject_internal(address)
            return requests.get(address).text
        """,
    "range of the host": """
        @app.get("/fetch")
        def fetch(host: str):
            address = ipaddress.ip_address(host)
            if address.is_private or address.is_loopback:
                abort(400)
            return requests.get(f"http://{address}/status").text
        """,
    "functions that look by their names": """
        @app.get("/fetch")
        def fetch(address: str, other: str):
            if is_internal(address) or hosts.is_blocked(other):
                raise HTTPException(400)
            return requests.get(address).text + requests.get(other).text
        """,
    "domain of the host": """
        @app.get("/fetch")
        def fetch(address: str):
            if not urlparse(address).hostname.endswith(".example.com"):
                raise HTTPException(400)
            return requests.get(address).text
        """,
    "host with all that begins an address": """
        @app.get("/fetch")
        def fetch(address: str):
            if not address.startswith(("https://api.example.com/", "https://www.example.com/")):
                raise HTTPException(400)
            return requests.get(address).text
        """,
    "host of the program": """
        @app.get("/fetch/{name}")
        def fetch(name: str):
            base = os.environ["API"]
            return [requests.get(f"{API}/items/{name}").json(), requests.get(base + "/items/" + name).json()]
        """,
    "host that a function looks at": """
        @app.get("/fetch")
        def fetch(address: str):
            if is_private_address(urlparse(address).hostname):
                raise HTTPException(400)
            return requests.get(address).text
        """,
    "text for a browser": """
        def find():
            driver.find_element(By.NAME, "q").send_keys(request.args["q"])
            page.fill("#q", request.args["q"])
        """,
    "pages of the program": """
        def paper():
            driver.get("https://www.example.com/")
            return HTML(string=request.args["text"]).write_pdf()
        """,
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
