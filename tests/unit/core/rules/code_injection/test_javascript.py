from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.categories import Confidence
from devpulse.core.rules.code_injection import RULE

REPORTED = {
    "eval": """
        app.get("/calc", (req, res) => {
          res.json({ value: eval(req.query.expression) }); // BAD
        });
        """,
    "new Function": """
        router.post("/map", (req, res) => {
          const mapper = new Function("row", "return " + req.body.expression); // BAD
          res.json(rows.map(mapper));
        });
        """,
    "vm is no sandbox": """
        const vm = require("vm");
        export function run(req) {
          return vm.runInNewContext(req.body.code, {}); // BAD
        }
        """,
    "template": """
        app.post("/preview", (req, res) => {
          res.send(ejs.render("<h1>" + req.body.title + "</h1>", {})); // BAD
        });
        """,
    "text for a timer": """
        app.get("/later", (req) => {
          setTimeout("notify('" + req.query.name + "')", 1000); // BAD
        });
        """,
}
QUIET = {
    "json": """
        app.post("/calc", (req, res) => res.json(JSON.parse(req.body.text)));
        """,
    "function for a timer": """
        app.get("/later", (req, res) => {
          setTimeout(() => notify(req.query.name), 1000);
          setTimeout(done, Number(req.query.ms));
        });
        """,
    "variable of a template": """
        const page = Handlebars.compile(fs.readFileSync("page.hbs", "utf8"));
        app.get("/", (req, res) => res.send(ejs.render("<b><%= name %></b>", { name: req.query.name })));
        """,
    "constant": """
        const root = Function("return this")();
        const mod = require("./plugins/csv");
        """,
    "from a table": """
        const actions = { start, stop };
        app.post("/do", (req, res) => {
          const action = actions[req.body.action];
          if (!action) return res.sendStatus(404);
          action();
        });
        """,
}


@pytest.mark.parametrize("code", REPORTED.values(), ids=REPORTED)
def test_check__reports(code: str) -> None:
    hits = [hit for hit in run(RULE, code, path="src/app.js") if hit.confidence is not Confidence.LOW]
    assert lines_of(hits) == marked_lines(code)


@pytest.mark.parametrize("code", QUIET.values(), ids=QUIET)
def test_check__is_quiet(code: str) -> None:
    assert [hit for hit in run(RULE, code, path="src/app.js") if hit.confidence is not Confidence.LOW] == []
