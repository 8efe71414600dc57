from __future__ import annotations

import pytest
from rule_tables import suggested

SUGGESTED = {
    "run": (
        'subprocess.run(f"convert {name} out.png", shell=True)',
        'subprocess.run(["convert", str(name), "out.png"])',
    ),
    "other arguments stay": (
        'out = subprocess.check_output("git log %s" % name, shell=True, cwd=folder)',
        'out = subprocess.check_output(["git", "log", str(name)], cwd=folder)',
    ),
    "system whose result is not used": (
        'os.system("ping -c 1 " + name)',
        'subprocess.run(["ping", "-c", "1", name], check=False)',
    ),
    "quoted by hand": ('os.system("ls \'" + name + "\'")', 'subprocess.run(["ls", name], check=False)'),
    "part of a word": (
        'os.system(f"tool --name={name} -v")',
        'subprocess.run(["tool", f"--name={name}", "-v"], check=False)',
    ),
}
NOTHING = {
    "pipe": 'subprocess.run(f"cat {name} | wc -l", shell=True)',
    "redirection": 'os.system(f"ls {name} > out.txt")',
    "wildcard": 'os.system(f"rm {name}/*")',
    "variable of the shell": 'os.system(f"ls $HOME/{name}")',
    "result used": 'status = os.system("ping " + name)',
    "program chosen": 'os.system(name + " --version")',
    "whole command": "os.system(name)",
    "builtin of the shell": 'os.system("cd " + name)',
    "output wanted": 'text = os.popen("ls " + name).read()',
    "assignment before the program": 'os.system(f"LANG=C ls {name}")',
}


def _written(statement: str) -> list[str]:
    return suggested(f"import os\nimport subprocess\n\ndef work(name, folder):\n    {statement}\n")


@pytest.mark.parametrize(("statement", "expected"), SUGGESTED.values(), ids=SUGGESTED)
def test_suggest__arguments(statement: str, expected: str) -> None:
    assert _written(statement) == [expected]


@pytest.mark.parametrize("statement", NOTHING.values(), ids=NOTHING)
def test_suggest__nothing_that_needs_a_shell(statement: str) -> None:
    assert _written(statement) == []


def test_suggest__nothing_without_the_module() -> None:
    assert suggested('import os\ndef work(name):\n    os.system("ping " + name)\n') == []
