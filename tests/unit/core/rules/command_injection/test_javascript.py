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
    "shell of a function of the project": """
        export const link = async (name) => {
          await startProgram("bash", ["-c", `ip link show ${name} | head`]); // BAD
          return runIt("/bin/sh", ["-c", "ls " + name]); // BAD
        };
        """,
    "words of a chat command": """
        module.exports = {
          name: "ping",
          execute(message, args) {
            exec("ping -c 1 " + args[0]); // BAD
          },
        };
        """,
    "chat message": """
        bot.on("message", (msg) => {
          exec("whois " + msg.text.split(" ")[1]); // BAD
        });
        client.on("interactionCreate", async (interaction) => {
          execSync(`whois ${interaction.options.getString("host")}`); // BAD
        });
        """,
    "socket of a visitor": """
        io.on("connection", (socket) => {
          socket.on("run", (command, done) => {
            exec(command, done); // BAD
          });
        });
        """,
    "queue": """
        channel.consume("films", (msg) => {
          const film = JSON.parse(msg.content.toString());
          exec("ffmpeg -i " + film.path); // BAD
        });
        """,
    "records of an event": """
        exports.handler = async (event) => {
          for (const record of event.Records) {
            execSync("convert /tmp/" + record.s3.object.key); // BAD
          }
        };
        """,
    "answer at the terminal": """
        rl.question("Which folder? ", (answer) => {
          execSync("ls " + answer); // BAD
        });
        """,
    "procedure": """
        const router = t.router({ look: t.procedure.query(({ input }) => execSync("ls " + input)) }); // BAD
        """,
    "node-cmd": """
        app.get("/ls", (req, res) => cmd.run("ls " + req.query.dir, res.json)); // BAD
        """,
}
QUIET = {
    "chat message in a list": """
        bot.on("message", (msg) => {
          execFile("whois", [msg.text.split(" ")[1]]);
        });
        """,
    "queue with a number": """
        channel.consume("films", (msg) => {
          exec(`head -n ${Number(JSON.parse(msg.content.toString()).lines)} films.txt`);
        });
        """,
    "answer at the terminal that is compared": """
        rl.question("Sure? ", (answer) => {
          if (answer === "yes") execSync("make clean");
        });
        """,
    "event that only starts something": """
        io.on("connection", (socket) => {
          socket.on("sync", (name) => execSync("git pull"));
        });
        """,
    "socket of the program": """
        const socket = connect("tcp://supervisor");
        socket.on("run", (command) => exec(command));
        """,
    "lists of words": """
        module.exports = {
          execute(message, args) {
            execFile("ping", ["-c", "1", args[0]]);
          },
        };
        io.on("connection", (socket) => {
          socket.on("close", (code) => exec("systemctl restart relay"));
        });
        """,
    "number of an option": """
        client.on("interactionCreate", async (interaction) => {
          execSync(`head -n ${Number(interaction.options.getString("lines"))} log.txt`);
        });
        """,
    "program of a function of the project": """
        export const link = async (name) => {
          await startProgram("ip", ["link", "show", name]);
          await startProgram("bash", ["-c", "ip link show | head"]);
          await startProgram("bash", ["-c", 'ip link show "$1"', "show", name]);
        };
        """,
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
