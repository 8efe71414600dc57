"""Requests of clients under any name."""

from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.categories import Confidence
from devpulse.core.rules.python.http_clients import clients_of, names_clients
from devpulse.core.rules.ssrf import RULE

REPORTED = {
    "made and kept": """
        def relay():
            s = requests.Session()
            s.headers["x"] = "1"
            return s.post(request.args["hook"], json={})  # BAD
        """,
    "field of a class": """
        class Preview:
            def __init__(self):
                self.web = httpx.Client(timeout=3)

            def show(self):
                return self.web.get(request.args["url"])  # BAD
        """,
    "in a with statement": """
        async def relay():
            async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=3)) as pipe:
                async with pipe.get(request.args["url"]) as answer:  # BAD
                    return await answer.text()
        """,
    "declared parameter": """
        async def relay(pipe: httpx.AsyncClient):
            return await pipe.request("GET", request.args["url"])  # BAD
        """,
    "pool of connections": """
        POOL = urllib3.PoolManager(num_pools=2)
        def relay():
            return POOL.urlopen("GET", request.args["url"])  # BAD
        """,
}
QUIET = {
    "fixed host": """
        def relay():
            s = requests.Session()
            return s.get("https://api.example.com/items/" + request.args["id"])
        """,
    "parameters of a fixed address": """
        def relay():
            s = requests.Session()
            return s.get("https://api.example.com/items", params={"q": request.args["q"]})
        """,
    "table beside a client": """
        s = requests.Session()
        def colour():
            table = load_table()
            return table.get(request.args["colour"])
        """,
    "cache of the same class": """
        class Preview:
            def __init__(self):
                self.web = httpx.Client()
                self.cache = {}

            def show(self):
                return self.cache.get(request.args["url"])
        """,
    "the method, not the address": """
        async def relay(pipe: httpx.AsyncClient):
            return await pipe.request(request.args["verb"], "https://api.example.com/")
        """,
}


@pytest.mark.parametrize("code", REPORTED.values(), ids=REPORTED)
def test_check__reports_clients_under_any_name(code: str) -> None:
    hits = [hit for hit in run(RULE, code) if hit.confidence is not Confidence.LOW]
    assert lines_of(hits) == marked_lines(code)


@pytest.mark.parametrize("code", QUIET.values(), ids=QUIET)
def test_check__is_quiet_about_clients(code: str) -> None:
    assert [hit for hit in run(RULE, code) if hit.confidence is not Confidence.LOW] == []


def test_clients_of__knows_how_names_came_by_a_client() -> None:
    text = (
        "self.a: httpx.Client = httpx.Client()\nwith requests.session() as b:\n    pass\ndef f(c: AsyncClient): ...\n"
    )
    assert clients_of(text) == {"self.a", "b", "c"}


def test_names_clients__asks_for_a_known_one() -> None:
    assert names_clients("x = requests.Session()")
    assert not names_clients("session = Session(engine)\nclient = boto3.client('s3')\n")
