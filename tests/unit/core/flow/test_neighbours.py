from __future__ import annotations

from textwrap import dedent

import pytest
from rule_tables import make_source

from devpulse.core.categories import Confidence
from devpulse.core.finding import Hit
from devpulse.core.flow.neighbours import MAX_LOOKUPS, Neighbours, handed_on_at, inputs_at, may_hand_on
from devpulse.core.languages import language_of
from devpulse.core.rules.command_injection import RULE as COMMANDS
from devpulse.core.rules.cross_site_scripting import RULE as PAGES
from devpulse.core.rules.path_traversal import RULE as PATHS
from devpulse.core.source import Rule
from devpulse.core.symbols import Found, Reference, Symbol
from devpulse.core.syntax import symbols_of


class Files:
    """A repository in memory that counts what is asked of it."""

    def __init__(self, **files: str) -> None:
        self.files = {path.replace("__", "/") + ".py": dedent(text) for path, text in files.items()}
        self.read: list[str] = []
        self.searched: list[str] = []

    def _symbols(self, path: str) -> tuple[Symbol, ...]:
        language = language_of(path)
        return symbols_of(path, language, self.files[path]) if language and path in self.files else ()

    def definitions(self, name: str, *, near: str | None = None, limit: int = 3) -> Found[Symbol]:  # noqa: ARG002  (the protocol)
        self.searched.append(name)
        rows = [row for path in self.files for row in self._symbols(path) if row.name == name.rpartition(".")[2]]
        return Found(tuple(rows[:limit]), len(rows))

    def references(self, name: str, *, path: str | None = None, limit: int = 10) -> Found[Reference]:  # noqa: ARG002  (the protocol)
        return Found((), 0)

    def enclosing(self, path: str, line: int) -> Symbol | None:  # noqa: ARG002  (the protocol)
        return None

    def source(self, symbol: Symbol) -> str | None:
        return "\n".join(self.files[symbol.path].split("\n")[symbol.start_line - 1 : symbol.end_line])

    def defines(self, path: str, qualified_name: str) -> bool:
        self.read.append(path)
        return any(row.qualified_name == qualified_name for row in self._symbols(path))


def hits(rule: Rule, code: str, files: Files, path: str = "app/views.py") -> list[Hit]:
    found = rule.run(make_source(code, path=path), files)
    return [hit for hit in found if hit.confidence is not Confidence.LOW]


VIEW = """
from app.jobs import start
from flask import request

def view():
    name = request.args["name"]
    start(name)
"""


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ("import os\ndef start(name):\n    os.system('run ' + name)\n", 3),
        ("from os import system as go\n\n\ndef start(name):\n    go(f'run {name}')\n", 5),
        ("import os\ndef do(x):\n    os.system(x)\ndef start(name):\n    do('run ' + name)\n", 3),
    ],
    ids=["direct", "imported", "two levels"],
)
def test_find__a_sink_in_another_file(body: str, line: int) -> None:
    (hit,) = hits(COMMANDS, VIEW, Files(app__jobs=body))
    assert hit.start_line == hit.end_line == 7
    assert hit.trace is not None
    assert [(step.path, step.line) for step in hit.trace.all_steps()] == [
        ("app/views.py", 6),  # read
        ("app/views.py", 6),  # assigned
        ("app/views.py", 7),
        ("app/jobs.py", line),
    ]
    assert hit.trace.steps[-1].note == "into start()"


@pytest.mark.parametrize(
    "body",
    [
        "import os\ndef start(name):\n    os.system('run ' + shlex.quote(name))\n",
        "import os\ndef start(name):\n    subprocess.run(['run', name])\n",
        "import os\nNAMES = {'a', 'b'}\ndef start(name):\n    if name in NAMES:\n        os.system('run ' + name)\n",
        "import os\ndef start(name):\n    os.system('run ' + str(int(name)))\n",
        "import os\ndef start(name):\n    return name\ndef stop(name):\n    os.system(name)\n",
    ],
    ids=["quoted", "list", "allowed", "number", "other function"],
)
def test_find__a_careful_function_of_another_file(body: str) -> None:
    assert hits(COMMANDS, VIEW, Files(app__jobs=body)) == []


def test_find__what_comes_back_is_what_the_function_gives_back() -> None:
    code = """
from .names import label
from flask import request

@app.route("/")
def view():
    return "<b>" + label(request.args["name"]) + "</b>"
"""
    plain = Files(app__names="def label(name):\n    return name.strip()\n")
    fixed = Files(app__names="def label(name):\n    return LABELS[hash(name)]\n")
    clean = Files(app__names="import html\ndef label(name):\n    return html.escape(name.strip())\n")
    assert [hit.confidence for hit in hits(PAGES, code, plain)] == [Confidence.HIGH]
    assert hits(PAGES, code, fixed) == []
    assert hits(PAGES, code, clean) == []


def test_find__asks_nothing_without_anything_distrusted() -> None:
    files = Files(app__jobs="import os\ndef start(name):\n    os.system('run ' + name)\n")
    assert hits(COMMANDS, VIEW.replace('request.args["name"]', '"fixed"'), files) == []
    assert hits(COMMANDS, VIEW.replace("from app.jobs", "from requests"), files) == []
    assert (files.read, files.searched) == ([], [])


def test_find__searches_only_for_what_a_file_was_seen_to_define() -> None:
    files = Files(app__other="def start(name):\n    os.system('run ' + name)\n")
    assert hits(COMMANDS, VIEW, files) == []
    assert "app/jobs.py" in files.read
    assert files.searched == []


def test_find__is_bounded() -> None:
    calls = "".join(f"    run{number}(request.args['x'])\n" for number in range(MAX_LOOKUPS + 20))
    names = ", ".join(f"run{number}" for number in range(MAX_LOOKUPS + 20))
    source = make_source(f"from jobs import {names}\ndef view():\n{calls}", path="views.py")
    files = Files()
    neighbours = Neighbours(files)
    for number in range(MAX_LOOKUPS + 20):
        assert neighbours.find(f"run{number}", source) is None
    assert len(files.read) <= 2 * MAX_LOOKUPS


def test_find__functions_that_call_each_other() -> None:
    files = Files(
        app__jobs="from app.views import again\ndef start(name):\n    again(name)\n",
        app__views="from app.jobs import start\ndef again(name):\n    start(name)\n",
    )
    assert hits(COMMANDS, VIEW, files) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("from app.jobs import start\nstart(request.args)", True),
        ("from app.jobs import start\nstart(1)", False),
        ("import os\nos.system(request.args)", False),
        ("from flask import request\nrequest.args", False),
    ],
)
def test_may_hand_on__needs_input_and_modules_of_ones_own(text: str, *, expected: bool) -> None:
    assert may_hand_on("python", text) is expected


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("python", "from fastapi import APIRouter\nfrom app.jobs import start"),
        ("typescript", "import {start} from './jobs';\nclass A { x(@Query('a') a: string) {} }"),
        ("java", "class A { @GetMapping String a(String b) {} }"),
        ("java", "class A { void a(HttpServletRequest r) { r.getHeader(b); } }"),
    ],
)
def test_may_hand_on__routes_whose_parameters_are_input(language: str, text: str) -> None:
    assert may_hand_on(language, text)


CALLS = [
    ("python", "start(x)"),
    ("python", "start \\\n (x)"),
    ("python", "start  # why (not)\n (x)"),
    ("python", "jobs.start(x)"),
    ("python", "jobs . Job . run (x)"),
    ("javascript", "start /* c */ (x)"),
    ("javascript", "start // c\n (x)"),
    ("javascript", "start?.(x)"),
    ("javascript", "jobs?.start?.(x)"),
    ("javascript", "jobs\n  .start(x)"),
    ("javascript", "jobs['start'](x)"),
    ("javascript", "new jobs.Job(x)"),
    ("typescript", "start<string>(x)"),
    ("java", "Jobs.start(x)"),
    ("java", "Jobs\n  .start(x)"),
    ("java", "Jobs /* c */ . <String>start (x)"),
]
IMPORTS = {
    "python": "from app.jobs import start\nfrom app import jobs\nrequest.args\n",
    "javascript": "const {start} = require('./jobs'), jobs = require('./jobs'); req.body;\n",
    "typescript": "import {start} from './jobs'; import * as jobs from './jobs'; req.body;\n",
    "java": "r.getParameter(a);\n",
}


@pytest.mark.parametrize(("language", "call"), CALLS)
def test_handed_on_at__calls_of_what_is_imported(language: str, call: str) -> None:
    text = IMPORTS[language] + "ü = 1; " + call
    assert handed_on_at(language, text) == [text.index(call) + (4 if call.startswith("new") else 0)]


@pytest.mark.parametrize("call", ["other(x)", "x.start(y)", "start", "[start]", "jobs.name", "restart(x)", "'start'"])
def test_handed_on_at__no_calls_of_what_is_imported(call: str) -> None:
    assert handed_on_at("python", IMPORTS["python"] + call) == []
    assert handed_on_at("python", "from flask import request, start\nrequest.args\nstart(x)") == []


def test_handed_on_at__nothing_without_input() -> None:
    assert handed_on_at("python", "from app.jobs import start\nstart(x)") == []
    assert handed_on_at("go", "jobs.Start(request.x)") == []


def test_inputs_at__mentions_and_what_is_read() -> None:
    text = "from flask import request\nselect = 'argv'\nrequest.args\nreq['a']\ninput()\nrequests.get(a)\n"
    assert inputs_at(text) == [text.index(word) for word in ("request\n", "argv", "request.a", "req[", "input")]
    assert inputs_at(text, read=True) == [text.index(word) for word in ("request.a", "req[", "input")]


@pytest.mark.parametrize(
    "piece", ["start#", "#start\n", "start/*", "start//", "start[", "start . ", "start<", "start\n"]
)
@pytest.mark.timeout(20)  # which a time that grows with the square of the text would take many times over
def test_handed_on_at__of_long_texts(piece: str) -> None:
    assert handed_on_at("python", IMPORTS["python"] + piece * 100_000) == []


def test_find__by_a_route_that_never_says_request() -> None:
    code = """
from fastapi import APIRouter
from app.jobs import start

router = APIRouter()

@router.get("/{name}")
def view(name: str):
    start(name)
"""
    (hit,) = hits(COMMANDS, code, Files(app__jobs="import os\ndef start(name):\n    os.system('run ' + name)\n"))
    assert hit.start_line == 9


def test_find__check_of_a_part_in_another_file_counts_for_the_whole() -> None:
    code = """
    from app.jobs import refuse
    from flask import request

    def view():
        sent = request.get_json()
        refuse(sent)
        return open("/data/" + sent["name"])
    """
    refusing = Files(app__jobs="def refuse(sent):\n    if '..' in sent['name']:\n        raise ValueError\n")
    looking = Files(app__jobs="def refuse(sent):\n    if 'x' in sent['name']:\n        print(sent['name'])\n")
    assert hits(PATHS, code, refusing) == []
    assert [hit.start_line for hit in hits(PATHS, code, looking)] == [8]
