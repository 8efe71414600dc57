from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.categories import Confidence
from devpulse.core.rules.ssrf import RULE

REPORTED = {
    "fetch": """
        app.get("/preview", async (req, res) => {
          const answer = await fetch(req.query.url); // BAD
          res.send(await answer.text());
        });
        """,
    "axios with a host": """
        router.post("/hook", async (req, res) => {
          await axios.post(`https://${req.body.host}/hook`, {}); // BAD
        });
        """,
    "address among the options": """
        router.post("/hook", async (req, res) => {
          await axios({ method: "post", url: req.body.target }); // BAD
        });
        """,
    "host among the options": """
        app.get("/ping", (req, res) => http.get({ host: req.query.host, path: "/" }, done)); // BAD
        """,
    "one of two modules": """
        app.get("/peek", (req, res) => {
          const link = req.query.link;
          const agent = link.startsWith("https:") ? https : http;
          agent.get(link, (answer) => answer.pipe(res)); // BAD
          (link.startsWith("https:") ? https : http).get(link, (answer) => answer.pipe(res)); // BAD
          const load = secure ? require("https").get : http.get;
        });
        """,
    "method first": """
        app.get("/peek", (req, res) => needle("get", req.query.link)); // BAD
        app.get("/open", (req, res) => net.connect(80, req.query.host)); // BAD
        """,
    "host before a constant": """
        import { PATH } from "./config";
        app.get("/u/:host", async (req, res) => res.json(await fetch(`${req.query.host}/${PATH}`))); // BAD
        """,
    "host of a list from the request": """
        app.get("/peek", async (req, res) => {
          const link = new URL(req.query.link);
          if (!req.query.hosts.includes(link.hostname)) throw new Error("not listed");
          res.json(await fetch(link)); // BAD
        });
        """,
}
QUIET = {
    "host of a list": """
        app.get("/peek", async (req, res) => {
          const link = new URL(req.query.link);
          if (!HOSTS.includes(link.hostname)) throw new Error("not listed");
          res.json(await fetch(link));
        });
        """,
    "constant of another file": """
        import { API_URL } from "./config";
        app.get("/u/:id", async (req, res) => res.json(await fetch(`${API_URL}/users/${req.params.id}`)));
        """,
    "port from the request": """
        app.get("/open", (req, res) => net.connect(Number(req.query.port), "127.0.0.1"));
        """,
    "one of two other things": """
        app.get("/peek", (req, res) => {
          const store = req.query.big ? disk : memory;
          store.get(req.query.link, (item) => res.json(item));
          const agent = secure ? https : http;
          agent.get("http://localhost:9000/" + encodeURIComponent(req.query.name), done);
        });
        """,
    "path among the options": """
        app.get("/ping", (req, res) => http.get({ host: "api.example.com", path: req.query.path }, done));
        app.get("/pong", (req, res) => axios({ url: "https://api.example.com/x", data: req.body.data }));
        """,
    "fixed host": """
        app.get("/user", async (req, res) => {
          const answer = await fetch(`https://api.example.com/users/${req.params.id}`);
          res.json(await answer.json());
        });
        """,
    "relative address": """
        export const load = (req) => axios.get("/api/items?page=" + req.query.page);
        """,
    "settings": """
        app.post("/send", (req, res) => axios.post(process.env.HOOK_URL, req.body));
        """,
}


@pytest.mark.parametrize("code", REPORTED.values(), ids=REPORTED)
def test_check__reports(code: str) -> None:
    hits = [hit for hit in run(RULE, code, path="src/app.js") if hit.confidence is not Confidence.LOW]
    assert lines_of(hits) == marked_lines(code)
    assert all(hit.cwe == 918 and hit.trace is not None for hit in hits)


@pytest.mark.parametrize("code", QUIET.values(), ids=QUIET)
def test_check__is_quiet(code: str) -> None:
    assert [hit for hit in run(RULE, code, path="src/app.js") if hit.confidence is not Confidence.LOW] == []
