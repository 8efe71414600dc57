from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.categories import Confidence
from devpulse.core.rules.command_injection import RULE

REPORTED = {
    "a command line that is kept elsewhere": """
        def allow(users: str):
            for user in users.split():
                run(ALLOW_COMMAND_TEMPLATE.format(user))  # BAD
        """,
    "the same with a sign": """
        def reboot(host):
            os.system(REBOOT_CMD % host)  # BAD
        """,
    "what a function brings about says nothing of a name": """
        def drop(self, name):
            self._ensure_disk_not_mapped(name)
            self._run_ssh("svctask rmvdisk %s" % name)  # BAD
        """,
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
    "anything that is told to use a shell": """
        class Mirror:
            def sync(self):
                cmd = "rsync -a %s %s" % (self.remote, self.target)
                return tools.process_call(cmd, shell=True)  # BAD
        """,
    "command kept in a field": """
        class Resizer:
            def __init__(self, source, size):
                self.line = f"convert {source} -resize {size} out.png"
            def start(self):
                os.system(self.line)  # BAD
        """,
    "command given back by a property": """
        class Probe:
            @property
            def line(self):
                return "identify %s" % self.picture
            def start(self):
                os.system(self.line)  # BAD
        """,
    "field set by the caller": """
        class Resizer:
            def __init__(self, source):
                self.source = source
            def start(self):
                subprocess.call("identify {}".format(self.source), shell=True)  # BAD
        """,
    "helper of the same file": """
        def sh(line):
            return subprocess.Popen(line, shell=True)
        def checkout(branch):
            sh("git checkout " + branch)  # BAD
        """,
    "shell by a variable": """
        def nice(line, shell=True):
            return subprocess.Popen("nice -n 5 " + line, shell=shell)  # BAD
        """,
    "words behind ssh": """
        def peek(host, name):
            subprocess.check_output(["ssh", host, "cat /var/log/%s" % name])  # BAD
        """,
    "shell in a container": """
        def peek(container, name):
            container.exec_run(["sh", "-c", "cat /data/%s" % name])  # BAD
        """,
    "what is logged clean is run as it is": """
        def copy(self, source, target):
            command = "{} rclone copy {} {}".format(self.variables, source, target)
            logging.info(sanitize(command))
            self._execute_interactive(command)  # BAD
        """,
    "shell of a phone": """
        def clear(device, package):
            device.shell("pm clear %s" % package)  # BAD
        """,
    "unsafe shell of a module": """
        def state(module):
            name = module.params["name"]
            module.run_command("svc -u %s | grep ok" % name, use_unsafe_shell=True)  # BAD
        """,
}
QUIET = {
    "member that names a host": """
        @app.post("/ping")
        async def ping(body: Ping):
            if validators.ipv4(body.host):
                return os.popen("ping -c 1 " + body.host).read()
        """,
    "a quoted value in a command line that is kept elsewhere": """
        def reboot(host, count):
            os.system(REBOOT_CMD % shlex.quote(host))
            run_command(GREETING.format(host))
            os.system(WAIT_CMD % int(count))
        """,
    "a name that a function makes sure of": """
        def drop(self, name):
            self._ensure_name_is_valid(name)
            self._run_ssh("svctask rmvdisk %s" % name)
        """,
    "value of a table": """
        import os
        TOOLS = {"lint": "ruff check", "types": "mypy"}
        def check(kind):
            os.system(TOOLS[kind])
        """,
    "names of constants": """
        import subprocess
        def build(target):
            subprocess.run(["make", "-C", "docs", target], check=True)
        """,
    "quoted by a helper of the file": """
        import os, shlex
        def _safe(text):
            return shlex.quote(text)
        def show(name):
            os.system("cat " + _safe(name))
        """,
    "whole number": """
        import os
        def wait(seconds):
            os.system(f"sleep {int(seconds)}")
        """,
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
    "field with a constant, and one that is the program's": """
        class Resizer:
            def __init__(self):
                self.picture = "logo.png"
            def start(self):
                subprocess.call(f"{self.tool_bin} identify out.png", shell=False)
                subprocess.call(["identify", self.picture])
        """,
    "command in a field with what is quoted": """
        class Resizer:
            def __init__(self, source):
                self.line = "identify " + shlex.quote(source)
            def start(self):
                os.system(self.line)
        """,
    "helper that splits": """
        def sh(line):
            return subprocess.Popen(shlex.split(line))
        def checkout(branch):
            sh(["git", "checkout", branch])
        """,
    "words quoted one by one": """
        def git(words):
            subprocess.check_output("git " + " ".join(map(shlex.quote, words)), shell=True)
            subprocess.check_output("git " + shlex.join(words), shell=True)
            os.system("kill " + " ".join(map(str, map(int, words))))
        """,
    "words behind ssh as a list": """
        def peek(host, name):
            subprocess.check_output(["ssh", host, "uptime"])
            subprocess.check_output(["ssh", "-p", "22", "--", host])
        """,
    "list in a container": """
        def peek(container, name):
            container.exec_run(["cat", "/data/%s" % name])
        """,
    "no shell by a constant": """
        def nice(words):
            return tools.process_call(["nice", *words], shell=False)
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


@pytest.mark.parametrize(("asked", "expected"), [("localize", Confidence.HIGH), ("local_path", Confidence.LOW)])
def test_check__a_word_for_a_check_is_no_part_of_another(asked: str, expected: Confidence) -> None:
    code = f"def f():\n    name = request.args['name']\n    if {asked}(name):\n        os.system('ls ' + name)\n"
    assert [hit.confidence for hit in run(RULE, code)] == [expected]


def test_check__request_is_surer_than_parameter() -> None:
    (request,) = run(RULE, REPORTED["os.system of a request"])
    (parameter,) = run(RULE, REPORTED["parameter in a shell"])
    assert (request.confidence, parameter.confidence) == (Confidence.HIGH, Confidence.MEDIUM)


@pytest.mark.parametrize(
    "code",
    [
        'def f(module, name):\n    module.run_command("svc -u %s" % name)\n',
        """
        class S:
            def _run_cmd(self, line):
                return self.module.run_command(line)
            def start(self, name):
                return self._run_cmd("svc -u %s" % name)
        """,
        'class S:\n    def f(self):\n        os.system("%s --version" % self.executable)\n',
    ],
)
def test_check__without_a_shell_or_with_a_setting_is_a_guess(code: str) -> None:
    assert all(hit.confidence is Confidence.LOW for hit in run(RULE, code))
