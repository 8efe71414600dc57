"""Functions of a project that are called like runners of commands."""

from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.flow.values import Ask, Level, Origin, Taint
from devpulse.core.rules.command_injection import RULE
from devpulse.core.rules.command_wrappers import is_kept_command

REPORTED = {
    "a runner of another file": """
        def drop(self, name):
            self._run_ssh("svctask rmvdisk %s" % name)  # BAD
        """,
    "a runner of this file that has a shell": """
        def run_command(command):
            subprocess.run(command, shell=True)

        def drop(name):
            run_command("rmdisk %s" % name)  # BAD
        """,
}
QUIET = {
    "a runner that splits its text": """
        def run_command(command):
            subprocess.run(shlex.split(command))

        def drop(name):
            run_command("rmdisk %s" % name)
        """,
    "prose": """
        def tell(name):
            run_command("Removed: %s" % name)
            run_command("select a from %s" % name)
        """,
    "commands of protocols": """
        def greet(self, host, name):
            self.run_command(f"EHLO {host}")
            self.run_command(f"SET {name} 1")
        """,
    "Ansible's own": """
        def drop(module, name):
            module.run_command("rmdisk %s" % name)
        """,
}


@pytest.mark.parametrize("code", REPORTED.values(), ids=REPORTED)
def test_reach_of_wrapper__reports(code: str) -> None:
    assert lines_of(run(RULE, code)) == marked_lines(code)


@pytest.mark.parametrize("code", QUIET.values(), ids=QUIET)
def test_reach_of_wrapper__is_quiet(code: str) -> None:
    assert all(hit.confidence.name == "LOW" for hit in run(RULE, code))


@pytest.mark.parametrize(
    ("callee", "expected"),
    [
        ("REBOOT_CMD.format", True),
        ("commands.COMMAND_TEMPLATE.format", True),
        ("GREETING.format", False),
        ("COMMAND.strip", False),
        ("COMMANDER.format", False),
    ],
)
def test_is_kept_command(callee: str, *, expected: bool) -> None:
    taint = Taint(Origin(1, Level.PARAMETER, "host", 1), asks=(Ask(callee),))
    assert is_kept_command(taint) is expected
