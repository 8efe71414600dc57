from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.categories import Confidence
from devpulse.core.rules.command_injection import RULE

REPORTED = {
    "function of a table": """
        def grains(key):
            return __salt__["cmd.run"]("salt-call grains.get {0}".format(key))  # BAD
        """,
    "parts joined": """
        def run_cli(self, verb, options):
            parts = []
            for name, value in options.items():
                parts.append(" %s=%s" % (name, value))
            return self._run_ssh(verb + "".join(parts))  # BAD
        """,
    "list joined to a text": """
        def show(name):
            os.system(" ".join(["ls", "-l", name]))  # BAD
        """,
    "os.system of a request": """
        def ping():
            host = request.args["host"]
            os.system("ping -c 1 " + host)  # BAD
        """,
    "shell=True": """
        @app.post("/convert")
        def convert(name: str):
            subprocess.run(f"convert {name} out.png", shell=True, check=True)  # BAD
        """,
    "renamed import": """
        import subprocess as sp
        def pack(request):
            sp.Popen("tar czf /tmp/x.tgz %s" % request.GET["dir"], stdout=sp.PIPE, shell=True)  # BAD
        """,
    "script of a shell in a list": """
        def show(path):
            cmd = "cat " + path
            subprocess.check_output(["bash", "-c", cmd])  # BAD
        """,
    "parameter in a shell": """
        class Backup:
            def dump(self, name):
                os.popen("mysqldump %s > /backup/all.sql" % name)  # BAD
        """,
    "asyncio": """
        async def resize(request):
            size = request.query["size"]
            await asyncio.create_subprocess_shell(f"resize --to {size}")  # BAD
        """,
    "remote shell": """
        def remove(self, client, name):
            client.exec_command("rm -rf /data/{}".format(name))  # BAD
        """,
    "wrapper of a remote shell": """
        def delete_volume(self, volume):
            self._run_ssh("svctask rmvdisk %s" % volume["name"])  # BAD
        """,
    "program chosen by a request": """
        def start():
            subprocess.Popen([request.form["tool"], "--version"])  # BAD
        """,
    "quoted by hand": """
        def find():
            word = request.args.get("q")
            os.system("grep '" + word + "' /var/log/app.log")  # BAD
        """,
    "one of two is quoted": """
        def copy():
            source, target = request.form["a"], request.form["b"]
            os.system("cp " + shlex.quote(source) + " " + target)  # BAD
        """,
    "joined words": """
        def play():
            words = request.json["words"]
            os.system("espeak " + " ".join(words))  # BAD
        """,
}
QUIET = {
    "list for a table's function": """
        def grains(key):
            return __salt__["cmd.run"](["salt-call", "grains.get", key], python_shell=False)
        """,
    "constant parts joined": """
        def show():
            os.system(" ".join(["ls", "-l", FOLDER]))
        """,
    "other function of a table": """
        def value(key):
            return __salt__["config.get"]("salt-call grains {0}".format(key))
        """,
    "argument list": """
        def ping():
            subprocess.run(["ping", "-c", "1", request.args["host"]], check=True)
        """,
    "quoted": """
        def ping():
            os.system("ping -c 1 " + shlex.quote(request.args["host"]))
        """,
    "constant": """
        def restart():
            os.system("systemctl restart app")
            subprocess.run("date | tee now.txt", shell=True)
        """,
    "number": """
        def wait():
            os.system("sleep %d" % int(request.args["n"]))
        """,
    "allowed": """
        NAMES = {"web", "worker"}
        def restart():
            name = request.args["name"]
            if name not in NAMES:
                abort(400)
            os.system("systemctl restart " + name)
        """,
    "chosen from a table": """
        COMMANDS = {"disk": "df -h", "memory": "free -m"}
        def status():
            return os.popen(COMMANDS[request.args["what"]]).read()
        """,
    "list in a wrapper": """
        def delete_volume(self, volume):
            self._run_ssh(["svctask", "rmvdisk", volume["name"]])
        """,
    "shell is off": """
        def run(host):
            subprocess.run("ping " + host, shell=False)
        """,
    "prose for something called like a runner": """
        def told(self, name):
            self.send_command("Hello %s, welcome back!" % name)
            self.run_command_log("Error: %s failed" % name)
        """,
    "a model is evaluated": """
        def step(session, feed):
            return session.run("train/loss:%s" % feed)
        """,
    "runner of tests": """
        def helper(self, level):
            return self.run(level)
        """,
    "strict pattern": """
        def ping():
            host = request.args["host"]
            if not re.fullmatch(r"[a-z0-9.]{1,60}", host):
                abort(400)
            os.system("ping " + host)
        """,
    "script without the value": """
        def show(path):
            subprocess.run(["bash", "-c", 'cat "$1"', "_", path])
        """,
    "sql in something called execute": """
        def look(self, table):
            return self._execute("SELECT a FROM %s" % table)
        """,
}


@pytest.mark.parametrize("code", REPORTED.values(), ids=REPORTED)
def test_check__reports(code: str) -> None:
    hits = [hit for hit in run(RULE, code) if hit.confidence is not Confidence.LOW]
    assert lines_of(hits) == marked_lines(code)
    assert all(hit.cwe == 78 and hit.severity == "critical" and hit.trace is not None for hit in hits)


@pytest.mark.parametrize("code", QUIET.values(), ids=QUIET)
def test_check__is_quiet(code: str) -> None:
    assert [hit for hit in run(RULE, code) if hit.confidence is not Confidence.LOW] == []


def test_check__request_is_surer_than_parameter() -> None:
    (request,) = run(RULE, REPORTED["os.system of a request"])
    (parameter,) = run(RULE, REPORTED["parameter in a shell"])
    assert (request.confidence, parameter.confidence) == (Confidence.HIGH, Confidence.MEDIUM)
