from __future__ import annotations

from rule_tables import marked_lines, posted_lines
from tables import for_each

from devpulse.core.rules import command_injection, cross_site_scripting
from devpulse.core.source import Rule

EXAMPLES = [
    (cross_site_scripting.RULE, "src/x.php", """<?php
        isset($_REQUEST['error']) ? $error = $_REQUEST['error'] : $error = "";
        echo $error; // BAD
        isset($_REQUEST['name']) ? $name = htmlspecialchars($_REQUEST['name']) : $name = "";
        echo $name;
        is_numeric($_GET['id']) ? $id = $_GET['id'] : $id = 0;
        echo $id;
        $page = isset($_GET['page']) ? 1 : 2;
        echo $page;
        """),
    (cross_site_scripting.RULE, "src/app.js", """
        app.get("/a", (req, res) => {
          let error = "";
          req.query.error ? (error = req.query.error) : (error = "none");
          res.send("<p>" + error); // BAD
        });
        app.get("/b", (req, res) => {
          let error = "";
          req.query.error ? (error = escape(req.query.error)) : (error = "none");
          res.send("<p>" + error);
        });
        app.get("/c", (req, res) => {
          let error = req.query.error;
          error === "a" ? (error = "b") : (error = "none");
          res.send("<p>" + error);
        });
        """),
    (command_injection.RULE, "app/controllers/x_controller.rb", """
        def a
          params[:e] ? e = params[:e] : e = ""
          system("ls #{e}") # BAD
        end
        def b
          params[:e] ? e = "-l" : e = ""
          system("ls #{e}")
        end
        """),
]  # fmt: skip


@for_each(EXAMPLES, lambda row: row[1])
def test_rule__tells_the_marked_lines_alone(row: tuple[Rule, str, str]):
    rule, path, code = row
    assert sorted(posted_lines(rule, code, path=path)) == marked_lines(code)
