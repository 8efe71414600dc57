from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.categories import Confidence
from devpulse.core.rules.command_injection import RULE

REPORTED = {
    "exec of a template": """
        const { exec } = require("child_process");
        app.get("/ping", (req, res) => {
          exec(`ping -c 1 ${req.query.host}`, (err, out) => res.send(out)); // BAD
        });
        """,
    "module by another name": """
        const cp = require("child_process");
        function thumb(req) {
          return cp.execSync("convert " + req.body.file + " out.png"); // BAD
        }
        """,
    "spawn in a shell": """
        import { spawn } from "node:child_process";
        export function list(req) {
          spawn("ls " + req.params.dir, [], { shell: true }); // BAD
        }
        """,
    "script of a shell": """
        function run(name) {
          const script = "cat " + name;
          return child_process.spawn("sh", ["-c", script]); // BAD
        }
        """,
    "promisified": """
        const execAsync = promisify(exec);
        async function clone(url) {
          await execAsync(`git clone ${url} /tmp/x`); // BAD
        }
        """,
    "parameter": """
        function kill(pid) {
          execSync("kill -9 " + pid); // BAD
        }
        """,
    "called by call and apply": """
        const { exec } = require("child_process");
        exports.pack = function (name, done) {
          exec.call(null, "tar cf " + name, done); // BAD
          exec.apply(null, ["tar xf " + name, done]); // BAD
        };
        """,
    "module under a cast": """
        const cp = require("child_process");
        exports.pack = (name) => (cp).exec(`tar cf ${name}`); // BAD
        """,
    "options with defaults and other names": """
        const { execSync } = require("child_process");
        module.exports = function ({ folder = ".", into: target }) {
          execSync("cp -r " + folder); // BAD
          execSync(`cp -r x ${target}`); // BAD
        };
        """,
    "tool of an assistant": """
        const { execSync } = require("child_process");
        server.tool("log", { branch: z.string() }, async ({ branch }) => {
          return execSync(`git log ${branch}`); // BAD
        });
        """,
    "gathered for each option": """
        const { exec } = require("child_process");
        exports.run = (options) => {
          let line = "convert";
          Object.keys(options).forEach((name) => { line += " " + options[name]; });
          exec(line); // BAD
        };
        """,
}
QUIET = {
    "callback of a library": """
        const { exec } = require("child_process");
        store.load((name) => { exec("sleep " + 5); });
        fs.readdir(".", (err, names) => { exec("ls"); });
        """,
    "list by call": """
        const { execFile } = require("child_process");
        exports.pack = (name) => execFile.call(null, "tar", ["cf", name]);
        """,
    "argument list": """
        app.get("/ping", (req, res) => {
          execFile("ping", ["-c", "1", req.query.host], done);
          spawn("ping", ["-c", "1", req.query.host]);
        });
        """,
    "method of a pattern": """
        function parse(req) {
          return /^a(b+)$/.exec(req.query.word) || pattern.exec(req.body.text);
        }
        """,
    "constant": """
        execSync("git rev-parse HEAD").toString();
        """,
    "number": """
        app.get("/sleep", (req) => {
          exec("sleep " + parseInt(req.query.n, 10));
        });
        """,
    "own function called exec": """
        import { exec } from "./database";
        export const find = (req) => exec("select " + req.query.name);
        """,
    "quoted": """
        const { quote } = require("shell-quote");
        app.get("/x", (req) => exec("ls " + shellescape([req.query.dir])));
        """,
    "allowed": """
        const NAMES = ["web", "worker"];
        app.post("/restart", (req, res) => {
          if (!NAMES.includes(req.body.name)) return res.sendStatus(400);
          exec("systemctl restart " + req.body.name);
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
