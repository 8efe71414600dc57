from __future__ import annotations

import errno
from pathlib import Path

import click
import pytest
from tables import for_each

from devpulse import __version__
from devpulse.cli import devpulse, run
from devpulse.cli.actions import Actions
from devpulse.errors import ExitStatus
from devpulse.options import OPTIONS, options_of
from devpulse.requests import IndexRequest, PromptRequest


class Terminated(KeyboardInterrupt):
    """What the program makes of SIGTERM: a kind of KeyboardInterrupt."""


class Recorder:
    """Stands in for the program: keeps what it was asked and answers with a status, or fails."""

    def __init__(self, status=0, failure=None):
        self.requests = []
        self.status = status
        self.failure = failure
        self.actions = Actions(
            review=self.take,
            action=self.take,
            prompt=self.take,
            index=self.take,
            verify_isolation=self.take,
            compare=self.take,
            plan=self.take,
            merge=self.take,
        )

    def take(self, request):
        self.requests.append(request)
        if self.failure is not None:
            raise self.failure
        return self.status

    def run(self, *arguments):
        return run(arguments, self.actions)


@pytest.fixture(autouse=True)
def quiet_environment(monkeypatch):
    # Set first, so that what --debug sets is taken back afterwards.
    monkeypatch.setenv("DEVPULSE_DEBUG", "")


@pytest.fixture
def recorder():
    return Recorder()


def request_of(*arguments):
    recorder = Recorder()
    assert recorder.run(*arguments) == 0
    [request] = recorder.requests
    return request


def given(request):
    return {name: value for name, value in request.flags.items() if value is not None}


def test_review__without_options():
    request = request_of("review")
    assert (request.command, request.path) == ("review", ".")
    assert (request.base, request.head, request.diff, request.staged) == (None, None, None, False)
    assert (request.as_json, request.progress) == (False, None)
    assert set(request.flags) == {option.name for option in options_of("review")}
    assert given(request) == {}


def test_review__all_of_its_own_options(tmp_path):
    request = request_of("review", str(tmp_path), "--base", "main", "--head", "v1", "--json", "--no-progress")
    assert (request.path, request.base, request.head) == (str(tmp_path), "main", "v1")
    assert (request.as_json, request.progress) == (True, False)
    assert request_of("review", "--progress", "--staged", "--base", "main").staged is True
    assert request_of("review", "--head", "v1").base is None, "head alone stands against the default branch"


def test_review__a_patch_file(tmp_path):
    patch = tmp_path / "my change.diff"
    patch.write_text("")
    assert request_of("review", "--diff", str(patch)).diff == str(patch)
    assert request_of("review", "--diff", "-").diff == "-"


def test_review__empty_revisions_are_not_given():
    request = request_of("review", "--base", "", "--head=")
    assert (request.base, request.head) == (None, None)


def test_scan__is_a_review_of_a_folder(tmp_path):
    request = request_of("scan", str(tmp_path), "--json", "--exclude", "docs/**")
    assert (request.command, request.path, request.as_json) == ("scan", str(tmp_path), True)
    assert (request.base, request.head, request.diff, request.staged) == (None, None, None, False)
    assert given(request) == {"exclude": "docs/**"}


@for_each(
    [(command, option) for command in ("review", "scan", "action") for option in options_of(command)],
    lambda row: f"{row[0]} {row[1].flag}",
)
def test_flags__each_option_of_the_table_is_one(row):
    command, option = row
    if option.kind == "boolean":
        assert given(request_of(command, option.flag)) == {option.name: True}
        assert given(request_of(command, f"--no-{option.name}")) == {option.name: False}
    else:
        assert given(request_of(command, option.flag, "x y")) == {option.name: "x y"}


def test_flags__lists_may_be_given_several_times():
    flags = given(request_of("review", "--include", "a,b", "--include", "c", "--exclude="))
    assert flags == {"include": "a,b\nc"}


@pytest.mark.parametrize("command", ["review", "scan", "action", "plan", "merge", "prompt"])
def test_help__lists_every_option_that_has_an_effect_and_no_other(command, capsys):
    assert run([command, "--help"]) == 0
    words = capsys.readouterr().out.replace(",", " ").split()
    flags = {option.flag for option in OPTIONS if option.flag in words}
    assert flags == {option.flag for option in options_of(command)}


@pytest.mark.parametrize(
    "command",
    [
        [],
        ["review"],
        ["scan"],
        ["plan"],
        ["merge"],
        ["prompt"],
        ["index"],
        *[["index", sub] for sub in ("build", "search", "show")],
    ],
)
@pytest.mark.parametrize("flag", ["--help", "-h"])
def test_help__every_page_has_an_example_and_asks_nothing_of_the_program(command, flag, capsys, recorder):
    assert recorder.run(*command, flag) == 0
    captured = capsys.readouterr()
    assert captured.out.startswith("Usage: devpulse")
    assert "Example" in captured.out
    assert captured.err == ""
    assert recorder.requests == []


def test_help__groups_options_in_the_order_of_the_table(capsys):
    run(["review", "--help"])
    output = capsys.readouterr().out
    sections = ["Change:", "Output:", "Engine:", "What is reviewed:", "What is reported:", "Gate:", "Limits:"]
    places = [output.index(f"\n{section}\n") for section in [*sections, "Files:", "This run:", "GitHub:", "Other:"]]
    assert places == sorted(places)
    run(["scan", "--help"])
    assert "GitHub:" not in capsys.readouterr().out


def test_help__examples_are_valid(capsys, monkeypatch, tmp_path, recorder):
    for folder in ("services/api", "devpulse-artifacts", "shards", "shard-1", "shard-2"):
        (tmp_path / folder).mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    commands = [*devpulse.commands.values()]
    commands += [sub for command in commands if isinstance(command, click.Group) for sub in command.commands.values()]
    lines = [line.strip() for command in commands for line in (command.help or "").splitlines()]
    examples = [line.partition("devpulse ")[2].partition(" >")[0] for line in lines if "devpulse " in line]
    assert len(examples) >= 12
    for example in examples:
        assert recorder.run(*example.replace("'", "").split()) == 0, (example, capsys.readouterr().err)


def test_plan__names_a_change_as_review_does():
    request = request_of("plan", "--shards", "4", "--base", "main", "--head", "work", "--json")
    assert (request.command, request.base, request.head, request.as_json) == ("plan", "main", "work", True)
    assert given(request) == {"shards": "4"}


def test_merge__folders_and_the_change(tmp_path):
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
    folders = (str(tmp_path / "a"), str(tmp_path / "b"))
    request = request_of("merge", *folders, "--root", str(tmp_path), "--base", "main", "--fail-on", "high")
    assert request.folders == folders
    assert (request.review.command, request.review.path, request.review.base) == ("merge", str(tmp_path), "main")
    assert given(request.review) == {"fail-on": "high"}
    assert run(["merge"]) == 2, "nothing to merge is a usage error"


def test_prompt__scale(capsys):
    assert request_of("prompt") == PromptRequest(False, 1000, 10, 10, {"model": None, "price-input": None})
    request = request_of("prompt", "--json", "--price-input=0.3", "--prs-per-day=5", "--files=2", "--turns=3")
    assert request == PromptRequest(True, 5, 2, 3, {"model": None, "price-input": "0.3"})
    assert run(["prompt", "--files", "0"]) == 2
    assert "--files" in capsys.readouterr().err


def test_index__requests(tmp_path):
    root = str(tmp_path)
    assert request_of("index", "build") == IndexRequest("build", ".", None, None, as_json=False)
    assert request_of("index", "build", "--root", root, "--json") == IndexRequest("build", root, None, None, True)
    assert request_of("index", "search", "user") == IndexRequest("search", ".", "user", None, as_json=False)
    request = request_of("index", "show", "load", "--path", "a b.py", "--json", "--root", root)
    assert request == IndexRequest("show", root, "load", "a b.py", as_json=True)


def test_version(capsys):
    assert run(["--version"]) == 0
    assert capsys.readouterr().out == f"devpulse {__version__}\n"


@pytest.mark.parametrize("status", [0, 1, 2, 3, 4])
@pytest.mark.parametrize("command", [["review"], ["scan"], ["action"], ["prompt"], ["index", "build"]])
def test_run__gives_the_status_of_the_action(command, status, capsys):
    assert Recorder(status).run(*command) == status
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["review", "--diff", "-", "--base", "x"], ["--diff cannot be combined with --base", "Leave out --diff"]),
        (["review", "--diff", "-", "--head", "x", "--staged"], ["--diff cannot be combined with --head and --staged"]),
        (["review", "--staged", "--head", "x"], ["--staged cannot be combined with --head", "Leave out one"]),
        (["review", "--diff", "nowhere.diff"], ["nowhere.diff", "does not exist"]),
        (["review", "no where"], ["no where", "does not exist"]),
        (["scan", __file__], ["is a file", f"{Path(__file__).parent} --include {Path(__file__).name}"]),
        (["scan", "--base", "x"], ["No such option", "--base"]),
        (["review", "--fail-onn", "x"], ["No such option", "--fail-on"]),
        (["review", "--fail-on"], ["--fail-on", "requires an argument"]),
        (["review", ".", "tests"], ["unexpected extra argument", "tests"]),
        (["reveiw"], ["reveiw", "Did you mean", "review"]),
        (["index", "serach", "x"], ["serach", "Did you mean", "search"]),
        (["index", "show"], ["NAME"]),
        (["review", "--comment"], ["No such option", "--comment"]),
        ([], ["Usage: devpulse", "Commands:"]),
    ],
)
def test_run__usage_errors_are_2_and_say_what_to_do(arguments, parts, capsys, recorder):
    assert recorder.run(*arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    for part in parts:
        assert part in captured.err
    assert recorder.requests == []


@pytest.mark.parametrize(
    ("interrupt", "status"), [(KeyboardInterrupt(), ExitStatus.INTERRUPTED), (Terminated(), ExitStatus.TERMINATED)]
)
def test_run__interrupted(interrupt, status, capsys):
    assert Recorder(failure=interrupt).run("review") == status
    assert capsys.readouterr().err == "interrupted\n"


def test_run__an_internal_error_is_70_and_quotes_nothing(capsys):
    assert Recorder(failure=ValueError("password = 'hunter2'")).run("review") == ExitStatus.INTERNAL
    captured = capsys.readouterr()
    assert "internal error: ValueError at " in captured.err
    assert "--debug" in captured.err
    assert "hunter2" not in captured.err
    assert "Traceback" not in captured.err
    assert captured.out == ""


@pytest.mark.parametrize("arguments", [["--debug", "review"], ["review", "--debug"], ["index", "build", "--debug"]])
def test_run__debug_shows_the_traceback(arguments, capsys):
    assert Recorder(failure=ValueError("cause")).run(*arguments) == 70
    error = capsys.readouterr().err
    assert "Traceback" in error
    assert "ValueError: cause" in error


@pytest.mark.parametrize(("value", "expected"), [("1", True), ("true", True), ("0", False), ("off", False)])
def test_run__debug_variable(value, expected, capsys, monkeypatch):
    monkeypatch.setenv("DEVPULSE_DEBUG", value)
    assert Recorder(failure=ValueError("cause")).run("review") == 70
    assert ("Traceback" in capsys.readouterr().err) is expected


def test_run__a_pipe_that_is_not_ours_is_an_internal_error(capsys):
    assert Recorder(failure=BrokenPipeError()).run("review") == 70
    assert "BrokenPipeError" in capsys.readouterr().err


@pytest.mark.parametrize("failure", [OSError(errno.ENOSPC, "No space left on device"), OSError(errno.EIO, "I/O")])
def test_run__output_that_cannot_be_written_is_2(failure, capsys):
    assert Recorder(failure=failure).run("review") == 2
    assert "the output cannot be written" in capsys.readouterr().err


def test_run__a_file_that_cannot_be_written_is_an_internal_error(capsys):
    assert Recorder(failure=OSError(errno.ENOSPC, "No space left on device", "/x")).run("review") == 70
    assert "internal error" in capsys.readouterr().err


def test_prompt__absurd_numbers_are_refused(capsys, recorder):
    assert recorder.run("prompt", "--prs-per-day", "9" * 400) == 2
    assert "--prs-per-day" in capsys.readouterr().err


def test_verify_isolation__takes_a_folder(tmp_path, recorder):
    assert request_of("verify-isolation", str(tmp_path)).folder == str(tmp_path)
    assert recorder.run("verify-isolation", str(tmp_path / "missing")) == 2
    assert recorder.run("verify-isolation") == 2
    assert recorder.requests == []
