"""The output folder."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from devpulse.adapters.artifacts import FolderSink, output_folder, relative_output
from devpulse.adapters.notes import first_altered
from devpulse.core.redaction import Redactor
from devpulse.errors import ArtifactError, ConfigurationError

TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


def _no(_path: str) -> bool:
    return False


def _sink(folder: Path, mask=lambda text: text) -> FolderSink:
    sink = FolderSink(folder, mask)
    sink.prepare(fresh=False)
    return sink


@pytest.mark.parametrize("wanted", ["out", "a/b", "./out/", "a/../out", "out-put.d"])
def test_output_folder__inside_the_root(tmp_path, wanted):
    assert output_folder(tmp_path, wanted, _no).is_relative_to(tmp_path)
    assert output_folder(tmp_path, str(tmp_path / "out"), _no) == tmp_path / "out"


@pytest.mark.parametrize("wanted", ["..", "../out", "a/../../out", "/", "/tmp", ".", "", "a/..", "./"])
def test_output_folder__outside_or_the_root_itself_is_refused(tmp_path, wanted):
    root = tmp_path / "root"
    root.mkdir()
    with pytest.raises(ConfigurationError, match="is not a folder inside") as refused:
        output_folder(root, wanted, _no)
    assert "--output-dir" in refused.value.hint


@pytest.mark.parametrize("wanted", [".git", ".git/x", ".GIT/out", "sub/.git/out"])
def test_output_folder__inside_git_is_refused(tmp_path, wanted):
    with pytest.raises(ConfigurationError, match="git's own folder"):
        output_folder(tmp_path, wanted, _no)


def test_output_folder__symlinks_are_refused_wherever_they_stand_and_lead(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    (tmp_path / "dangling").symlink_to(tmp_path / "nowhere")
    for wanted in ("link", "link/out", "dangling"):
        with pytest.raises(ConfigurationError, match="through the symlink"):
            output_folder(tmp_path, wanted, _no)


@pytest.mark.parametrize("wanted", ["out", "./out", "out/", "./a/..//out/."])
def test_relative_output__one_spelling(tmp_path, wanted):
    assert relative_output(tmp_path, wanted) == "out"
    assert relative_output(tmp_path, str(tmp_path / "out")) == "out"


def test_output_folder__a_file_in_its_place_is_refused(tmp_path):
    (tmp_path / "out").write_text("x")
    with pytest.raises(ConfigurationError, match="is not a folder"):
        output_folder(tmp_path, "out", _no)


def test_output_folder__tracked_is_refused(tmp_path):
    with pytest.raises(ConfigurationError, match="tracked by git"):
        output_folder(tmp_path, "./out//x", lambda path: path == "out/x")


@pytest.mark.parametrize("planted", [None, "*\n", "# of DevPulse\n*\n"])
def test_output_folder__with_files_of_others_is_refused(tmp_path, planted):
    source = tmp_path / "src" / "findings" / "a.py"
    source.parent.mkdir(parents=True)
    source.write_text("x")
    (tmp_path / "src" / "b.py").write_text("x")
    if planted:
        (tmp_path / "src" / ".gitignore").write_text(planted)
    with pytest.raises(ConfigurationError, match="did not write"):
        output_folder(tmp_path, "src", _no)
    assert source.exists()


def test_output_folder__of_an_earlier_run_is_taken_again(tmp_path):
    sink = _sink(tmp_path / "out")
    sink.write("findings.json", "{}")
    sink.write("requests/other.json", "{}")
    assert output_folder(tmp_path, "out", _no) == tmp_path / "out"
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "plan.json").write_text("{}")
    assert output_folder(tmp_path, "old", _no) == tmp_path / "old"


def test_output_folder__name_too_long_is_refused(tmp_path):
    with pytest.raises(ConfigurationError, match="too long"):
        output_folder(tmp_path, "x" * 300, _no)


def test_prepare__makes_a_folder_that_git_ignores(tmp_path):
    _sink(tmp_path / "a" / "out")
    assert (tmp_path / "a" / "out" / ".gitignore").read_text().endswith("\n*\n")


@pytest.mark.parametrize(("fresh", "kept"), [(False, True), (True, False)])
def test_prepare__results_of_an_earlier_run_go_logs_only_when_fresh(tmp_path, fresh, kept):
    sink = _sink(tmp_path / "out")
    results = ("findings.json", "plan.json", "results.sarif", "findings/a.json")
    for name in (*results, "run_log.jsonl", "progress_notes.md"):
        sink.write(name, "old")
    sink.prepare(fresh=fresh)
    assert {sink.read(name) for name in results} == {None}
    assert (sink.read("run_log.jsonl") is not None) is kept
    assert (sink.read("progress_notes.md") is not None) is kept


def test_prepare__what_is_not_ours_stays(tmp_path):
    folder = tmp_path / "src"
    folder.mkdir()
    (folder / "mine.py").write_text("x")
    (folder / ".gitignore").write_text("*.log\n")
    _sink(folder).prepare(fresh=True)
    assert (folder / "mine.py").read_text() == "x"
    assert (folder / ".gitignore").read_text() == "*.log\n"


def test_prepare__what_a_sudden_death_left_is_taken_away(tmp_path):
    sink = _sink(tmp_path / "out")
    sink.append("run_log.jsonl", "{}")
    for name in (".findings.json.x1.part", "findings/.a.json.x2.part"):
        (tmp_path / "out" / name).parent.mkdir(exist_ok=True)
        (tmp_path / "out" / name).write_text("torn")
    with (tmp_path / "out" / "run_log.jsonl").open("a") as log:
        log.write('{"ti')
    sink.prepare(fresh=False)
    assert list((tmp_path / "out").rglob("*.part")) == []
    assert sink.read("run_log.jsonl") == "{}\n"
    assert sink.torn == {"run_log.jsonl": 4}


def test_prepare__after_a_death_between_folder_and_marker(tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / ".lock").touch()
    (tmp_path / "out" / "..gitignore.x1.part").touch()
    assert output_folder(tmp_path, "out", _no) == tmp_path / "out"
    _sink(tmp_path / "out")
    assert (tmp_path / "out" / ".gitignore").read_text().endswith("\n*\n")


def test_append__notes_are_sealed_after_they_are_masked(tmp_path):
    sink = _sink(tmp_path / "out", Redactor().mask)
    for number in range(3):
        sink.append("progress_notes.md", f'DONE "{TOKEN}{number}" level=none task=t')
    text = sink.read("progress_notes.md")
    assert text is not None
    assert TOKEN[:10] not in text
    assert first_altered(text) == 0


def test_prepare__altered_notes_are_begun_anew(tmp_path):
    sink = _sink(tmp_path / "out")
    sink.append("progress_notes.md", "DONE one")
    sink.append("progress_notes.md", "DONE two")
    sink.prepare(fresh=False)
    assert sink.altered == 0
    (tmp_path / "out" / "progress_notes.md").write_text((sink.read("progress_notes.md") or "").replace("two", "2"))
    sink.prepare(fresh=False)
    assert (sink.altered, sink.read("progress_notes.md")) == (2, None)


def test_prepare__a_symlink_for_results_is_not_followed(tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "a.json").write_text("kept")
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "findings").symlink_to(outside)
    _sink(tmp_path / "out").write("findings/a.json", "new")
    assert (outside / "a.json").read_text() == "kept"


def test_sink__a_file_in_place_of_the_folder_is_an_artifact_error(tmp_path):
    (tmp_path / "out").write_text("x")
    sink = FolderSink(tmp_path / "out", str)
    for act in (
        lambda: sink.prepare(fresh=False), lambda: sink.write("x", "y"), lambda: sink.append("x", "y"),
    ):  # fmt: skip
        with pytest.raises(ArtifactError, match="cannot be written") as error:
            act()
        assert error.value.hint
    assert sink.read("x") is None


def test_write__gives_the_path_to_show_and_read_gives_the_text_back(tmp_path):
    sink = _sink(tmp_path / "out")
    assert sink.write("findings/a.json", "{}") == str(tmp_path / "out" / "findings" / "a.json")
    assert sink.path("findings/a.json") == str(tmp_path / "out" / "findings" / "a.json")
    assert sink.read("findings/a.json") == "{}"
    assert sink.read("missing") is None
    (tmp_path / "out" / "bad").write_bytes(b"\xff")
    assert sink.read("bad") is None


def test_append__whole_lines_from_many_threads(tmp_path):
    sink = _sink(tmp_path / "out")
    lines = [f"{number} {'x' * 500}" for number in range(200)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda line: sink.append("log", line), lines))
    written = sink.read("log")
    assert written is not None
    assert sorted(written.splitlines()) == sorted(lines)


def test_append__what_cannot_be_encoded_is_escaped(tmp_path):
    sink = _sink(tmp_path / "out")
    sink.append("log", "caf\udce9")
    assert sink.read("log") == "caf\\udce9\n"


def test_write_and_append__mask_once_more_on_the_way_out(tmp_path):
    sink = _sink(tmp_path / "out", Redactor().mask)
    sink.write("summary.md", f"leaked {TOKEN}\n")
    sink.append("log", f"leaked {TOKEN}")
    assert TOKEN not in f"{sink.read('summary.md')}{sink.read('log')}"


@pytest.mark.parametrize("indent", [None, 2])
def test_write__json_stays_valid_when_a_secret_seems_to_span_strings(tmp_path, indent):
    document = {
        "one": "Found -----BEGIN RSA PRIVATE KEY----- in a file",
        "list": ["a key would stand here", 3, None],
        "two": f"see -----END RSA PRIVATE KEY----- and {TOKEN}",
    }
    sink = _sink(tmp_path / "out", Redactor().mask)
    sink.write("x.json", json.dumps(document, indent=indent) + "\n")
    text = sink.read("x.json")
    assert text is not None
    assert TOKEN not in text
    read = json.loads(text)
    assert list(read) == list(document)
    assert read["one"] == document["one"]
    assert read["list"] == document["list"]
    assert text.endswith("}\n")
    assert ("\n" in text.strip()) is (indent is not None)
