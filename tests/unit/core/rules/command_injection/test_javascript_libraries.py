from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.categories import Confidence
from devpulse.core.rules.command_injection import RULE

"""Libraries: what they export is called with texts of whoever uses them."""

REPORTED = {
    "one function of the module": """
        var path = require("path"), exec = require("child_process").exec;
        module.exports = function (device, done) {
          exec("udevadm info /dev/" + device, done); // BAD
        };
        """,
    "taken out of the module later": """
        const cp = require("child_process");
        const { exec: start } = cp;
        exports.probe = (host) => start(`nmap ${host}`); // BAD
        """,
    "promised": """
        const run = require("util").promisify(require("child_process").exec);
        exports.tag = async (name) => {
          await run(`git tag ${name}`); // BAD
        };
        """,
    "promised by another name": """
        const cp = require("node:child_process");
        const run = util.promisify(cp.exec);
        exports.tag = async (name) => run(`git tag ${name}`); // BAD
        """,
    "where it is called": """
        exports.tag = (name) => require("child_process").execSync("git tag " + name); // BAD
        """,
    "as a compiler writes it": """
        const child_process_1 = require("child_process");
        function tag(name) {
          (0, child_process_1.exec)(`git tag ${name}`); // BAD
        }
        exports.tag = tag;
        """,
    "by a text in brackets": """
        const cp = require("child_process");
        exports.tag = function (name) { cp["exec"]("git tag " + name); }; // BAD
        """,
    "options with defaults": """
        import { exec } from "node:child_process";
        export default function log(given, done) {
          const options = { ...DEFAULTS, ...given };
          let command = "git log";
          if (options.author) command += " --author=" + options.author;
          exec(command, { cwd: options.repo }, done); // BAD
        }
        """,
    "words pushed and joined": """
        const { exec } = require("child_process");
        module.exports = function resize(file, size) {
          const words = [tool.path];
          words.push(file);
          if (size) words.push("-resize", size);
          exec(words.join(" ")); // BAD
        };
        """,
    "program and words": """
        const cp = require("child_process");
        exports.command = (program, words, done) => cp.exec(program + " " + words.join(" "), done); // BAD
        """,
    "template of util": """
        const util = require("util"), { exec } = require("child_process");
        module.exports = (file) => exec(util.format("convert '%s' out.png", file)); // BAD
        """,
    "field of an older class": """
        var exec = require("child_process").exec;
        function Pdf(file) {
          this.file = file;
        }
        Pdf.prototype.pages = function (done) {
          exec("pdfinfo '" + this.file + "'", done); // BAD
        };
        """,
    "field of a class": """
        import { execSync } from "child_process";
        export class Repo {
          constructor(private readonly dir: string) {}
          log() {
            return execSync(`git -C ${this.dir} log`); // BAD
          }
        }
        """,
    "words in a shell": """
        const { spawn } = require("child_process");
        exports.convert = (file) => spawn("convert", [file, "out.png"], { shell: true }); // BAD
        """,
    "function of the file that stands below": """
        const { exec } = require("child_process");
        exports.free = function (port) { return run(`lsof -i:${port}`); };
        function run(command) {
          return new Promise((ok) => exec(command, ok)); // BAD
        }
        """,
    "method of an older class": """
        const { exec } = require("child_process");
        Git.prototype.checkout = function (name) { return this.run("checkout " + name); };
        Git.prototype.run = function (command) {
          return exec("git " + command); // BAD
        };
        """,
}
QUIET = {
    "one of a table": """
        const { exec } = require("child_process");
        const COMMANDS = { start: "npm start", test: "npm test" };
        module.exports = (name, done) => exec(COMMANDS[name], done);
        """,
    "whole number": """
        const { execSync } = require("child_process");
        exports.wait = (seconds) => execSync(`sleep ${Number(seconds)}`);
        """,
    "letters only": """
        const { execSync } = require("child_process");
        exports.show = (branch) => {
          if (!/^[a-z0-9]+$/.test(branch)) throw new Error("no such branch");
          return execSync(`git show ${branch}`);
        };
        """,
    "argument list": """
        const { execFile } = require("child_process");
        module.exports = (options, done) => execFile("git", ["log", "--author", options.author], done);
        """,
    "field of the program": """
        import { execSync } from "child_process";
        export class Repo {
          constructor(private readonly config: ConfigService) {}
          log() { return execSync(`git -C ${this.config.dir} log`); }
        }
        """,
    "field that is made here": """
        const { execSync } = require("child_process");
        class Runner {
          constructor(name) { this.child = new Child(name); }
          stop() { execSync(`kill ${this.child.pid}`); }
        }
        """,
    "words without a shell": """
        const { spawn } = require("child_process");
        exports.convert = (file) => spawn("convert", [file, "out.png"], { shell: false });
        """,
    "numbers": """
        const { exec } = require("child_process");
        exports.a = (port) => { if (!Number.isInteger(port)) throw new TypeError("port"); exec(`lsof -i:${port}`); };
        exports.b = (port) => { if (isNaN(port)) return; exec(`lsof -i:${port}`); };
        exports.c = (port) => { if (typeof port !== "number") throw new TypeError("port"); exec(`lsof -i:${port}`); };
        exports.d = (port) => { if (typeof port === "number") exec(`lsof -i:${port}`); };
        """,
    "characters": """
        const { exec } = require("child_process");
        exports.a = (name) => { if (/[^a-z0-9-]/.test(name)) throw new Error("name"); exec(`lsof ${name}`); };
        exports.b = (name) => { if (!/^[a-z0-9-]+$/.test(name)) throw new Error("name"); exec(`lsof ${name}`); };
        """,
    "quoted": """
        const { exec } = require("child_process");
        const { quote } = require("shell-quote");
        const single = (text) => `'${text.replace(/'/g, "'\\\\''")}'`;
        exports.a = (file) => exec("cat " + quote([file]));
        exports.b = (file) => exec(`cat ${single(file)}`);
        exports.c = (file) => exec(`cat "${file.replace(/(["$`\\\\])/g, "\\\\$1")}"`);
        """,
    "list of the few": """
        const { exec } = require("child_process");
        exports.a = (name) => { if (KNOWN.indexOf(name) === -1) return; exec(`systemctl restart ${name}`); };
        exports.b = (name) => { if (KNOWN.indexOf(name) >= 0) exec(`systemctl restart ${name}`); };
        """,
    "another module's function": """
        const exec = require("./database").exec;
        exports.find = (name) => exec("select " + name);
        """,
    "global of a test runner": """
        import { equal } from "assert";
        export function suite(name) {
          exec(`${name}: loads`, async () => equal(1, 1));
        }
        """,
    "a pattern's method": """
        const cp = require("child_process");
        exports.parse = (text) => PATTERN.exec("a " + text);
        """,
    "constant words": """
        const { exec } = require("child_process");
        exports.a = () => exec(["git", "log", "-1"].join(" "));
        """,
    "private function with constants": """
        const { exec } = require("child_process");
        exports.free = function () { return run("lsof -i:80"); };
        function run(command) { return exec(command); }
        """,
}


def posted(code: str, path: str = "lib/index.ts"):
    return [hit for hit in run(RULE, code, path=path) if hit.confidence is not Confidence.LOW]


@pytest.mark.parametrize("code", REPORTED.values(), ids=REPORTED)
def test_check__reports(code: str):
    assert lines_of(posted(code)) == marked_lines(code)


@pytest.mark.parametrize("code", QUIET.values(), ids=QUIET)
def test_check__is_quiet(code: str):
    assert posted(code) == []
