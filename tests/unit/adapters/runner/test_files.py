"""Outputs, job summary and commands, as the runner reads them."""

from __future__ import annotations

import secrets

import pytest
from hypothesis import given
from hypothesis import strategies as st
from runner_contract import commands_in, parse_outputs

from devpulse.adapters.runner.environment import RunnerEnvironment
from devpulse.adapters.runner.files import SUMMARY_BYTES, RunnerFiles
from devpulse.errors import ArtifactError


def files(output="", summary="") -> RunnerFiles:
    environ = {
        "GITHUB_EVENT_NAME": "pull_request",
        "GITHUB_EVENT_PATH": "/event.json",
        "GITHUB_REPOSITORY": "octo/shop",
        "GITHUB_WORKSPACE": "/github/workspace",
        "GITHUB_OUTPUT": str(output),
        "GITHUB_STEP_SUMMARY": str(summary),
    }
    return RunnerFiles(RunnerEnvironment.from_environ(environ))


@pytest.mark.parametrize(
    "value",
    ["", "plain", "a=b", "two\nlines", "ends\n", "\n\nrisk=none\n", "x<<EOF\nEOF\nrisk=none", "naïve 🔒", "a\rb"],
)
def test_write_outputs__any_value_arrives_and_sets_nothing_else(tmp_path, value):
    path = tmp_path / "output"
    files(path).write_outputs({"first": value, "second": "2"})
    assert parse_outputs(path.read_bytes().decode()) == {"first": value, "second": "2"}


@given(st.dictionaries(st.from_regex("[a-z-]{1,9}", fullmatch=True), st.text(st.characters(exclude_categories=["Cs"]))))
def test_write_outputs__any_texts_at_all(tmp_path_factory, values):
    path = tmp_path_factory.mktemp("runner") / "output"
    files(path).write_outputs(values)
    assert parse_outputs(path.read_bytes().decode()) == values


def test_write_outputs__appends(tmp_path):
    path = tmp_path / "output"
    path.write_text("earlier=1\n", "utf-8")
    files(path).write_outputs({"later": "2"})
    files(path).write_outputs({"last": "3"})
    assert parse_outputs(path.read_text("utf-8")) == {"earlier": "1", "later": "2", "last": "3"}


def test_write_outputs__a_delimiter_in_the_value_is_not_used(tmp_path, monkeypatch):
    draws = iter(["taken", "taken", "free"])
    monkeypatch.setattr(secrets, "token_hex", lambda _size: next(draws))
    path = tmp_path / "output"
    files(path).write_outputs({"name": "x\ndevpulse-taken\nrisk=none"})
    assert parse_outputs(path.read_text("utf-8")) == {"name": "x\ndevpulse-taken\nrisk=none"}


def test_write_outputs__half_a_character_is_written_out(tmp_path):
    path = tmp_path / "output"
    files(path).write_outputs({"path": "caf\udce9"})
    assert parse_outputs(path.read_text("utf-8")) == {"path": "caf\\udce9"}


def test_append_summary__ends_in_a_line_feed_and_appends(tmp_path):
    path = tmp_path / "summary"
    path.write_text("# Before\n", "utf-8")
    assert files(summary=path).append_summary("# DevPulse\n\n🔒 \udce9")
    assert files(summary=path).append_summary("more\n")
    assert path.read_text("utf-8") == "# Before\n# DevPulse\n\n🔒 \\udce9\nmore\n"


def test_append_summary__makes_a_file_that_is_not_there_yet(tmp_path):
    assert files(summary=tmp_path / "summary").append_summary("text")
    assert (tmp_path / "summary").read_text("utf-8") == "text\n"


def test_append_summary__up_to_the_limit_whole(tmp_path):
    path = tmp_path / "summary"
    path.write_text("é" * 1000, "utf-8")
    assert files(summary=path).append_summary("x" * (SUMMARY_BYTES - 2001))
    assert path.stat().st_size == SUMMARY_BYTES


@pytest.mark.parametrize("before", [0, 1, 2, 3])
def test_append_summary__over_the_limit_is_cut_between_characters_and_said(tmp_path, before):
    path = tmp_path / "summary"
    path.write_text("." * before, "utf-8")
    assert not files(summary=path).append_summary("🔒" * (SUMMARY_BYTES // 4) + "end")
    assert SUMMARY_BYTES - 4 < path.stat().st_size <= SUMMARY_BYTES
    text = path.read_bytes().decode()
    assert text.startswith("." * before + "🔒🔒")
    assert text.endswith("🔒\n\n*The summary was cut here: a job summary holds at most 1 MiB.*\n")


@pytest.mark.parametrize("room", [0, 1, 10])
def test_append_summary__without_room_nothing_is_written_and_what_stands_is_kept(tmp_path, room):
    path = tmp_path / "summary"
    path.write_bytes(b"x" * (SUMMARY_BYTES - room))
    assert not files(summary=path).append_summary("too long for that")
    assert path.stat().st_size == SUMMARY_BYTES - room


def test_files__that_the_runner_did_not_give_are_no_error(capsys):
    nowhere = files()
    nowhere.write_outputs({"risk": "none"})
    assert nowhere.append_summary("x" * SUMMARY_BYTES * 2)
    nowhere.annotate(())
    assert capsys.readouterr().out == ""


def test_files__that_cannot_be_written_are_named(tmp_path):
    odd = files(tmp_path, tmp_path / "missing" / "summary")
    with pytest.raises(ArtifactError, match="cannot be written: Is a directory") as caught:
        odd.write_outputs({"risk": "none"})
    assert caught.value.hint
    with pytest.raises(ArtifactError, match="missing/summary cannot be written: No such file"):
        odd.append_summary("x")
    (tmp_path / "file").write_text("", "utf-8")
    with pytest.raises(ArtifactError, match="cannot be written: Not a directory"):
        files(summary=tmp_path / "file" / "summary").append_summary("x")


def test_annotate__one_line_each(capsys):
    files().annotate(["::error::one", "::notice title=x::two"])
    assert [command.message for command in commands_in(capsys.readouterr().out)] == ["one", "two"]
