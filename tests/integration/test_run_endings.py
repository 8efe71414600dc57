"""How a run ends when it does not go as planned: signals, errors of one child, a full disk, a slow index."""

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from threading import Event, Lock
from threading import enumerate as enumerate_threads

import harness
import pytest
from builders import ScriptedModel, call, reply, submit
from fakes import gemini_replies as replies
from fakes.gemini import FakeGemini
from fakes.gemini_replies import Call
from harness import run_source
from repos import Repo

from devpulse.adapters.artifacts import FolderSink
from devpulse.adapters.git import GitRangeSource, Repository
from devpulse.core.index import SymbolIndex
from devpulse.core.messages import Usage
from devpulse.core.review import Failed, Reviewed, SkipKind, Skipped
from devpulse.errors import ArtifactError, ModelMisconfigured, SourceError
from devpulse.pipeline.pool import Pool

KEY = "AIza" + "SyD3mOkEy0fThEtEstSuite0123456789ab"
USAGE = Usage(1, 3_000, 0, 100)


class Model(ScriptedModel):
    """As ``ScriptedModel``, but several requests are answered at the same time."""

    def complete(self, request):
        self.requests.append(request)
        answer = self._respond(request)
        if isinstance(answer, Exception):
            raise answer
        return answer


@pytest.fixture(autouse=True)
def interrupts():
    """A worker process of the test runner ignores SIGINT."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def repo(tmp_path):
    repo = Repo(tmp_path / "repo")
    repo.write("keep.txt", "x\n")
    repo.commit("base")
    repo.git("switch", "--quiet", "--create", "work")
    for number in range(4):
        repo.write(f"app/f{number}.py", f"A = {number}\n" * 20)
    repo.commit("head")
    return repo


def review(repo, respond, folder, **options):
    model = Model(respond)
    with Repository.open(repo.root) as opened:
        run = run_source(GitRangeSource(opened, "main", "work"), model, folder, verify=False, **options)
    return run, model


def is_about(request, name):
    return f"app/{name}.py" in request.messages[1].text


def look(request):
    return call("read_lines", path="keep.txt", start_line=request.step, end_line=request.step)


def outcomes(run):
    return [row.outcome for row in run.result.report.coverage]


@pytest.fixture
def slow_index(monkeypatch):
    """An index that is not read before the event is set, and what became of reading it."""
    released = Event()
    ends: list[BaseException | None] = []

    def index_of(tree, _gate):
        def read_many(paths):
            assert released.wait(30)
            try:
                yield from tree.read_many(paths, 10**6)
            except SourceError as error:
                ends.append(error)
                raise
            else:
                ends.append(None)

        return SymbolIndex(lambda: ["app/f0.py"], tree.read, read_many, tree.size)

    monkeypatch.setattr(harness, "index_of", index_of)
    return released, ends


def test_index__is_waited_for_by_nobody_and_may_fail(repo, slow_index, tmp_path):
    run, _ = review(repo, lambda _request: reply(submit()), tmp_path / "out")
    assert outcomes(run) == [Reviewed()] * 4
    released, ends = slow_index
    assert ends == [], "still waiting"
    (reading,) = (thread for thread in enumerate_threads() if thread.name == "index")
    released.set()  # the repository is closed by now
    reading.join(30)
    assert [type(end) for end in ends] == [SourceError], "and nobody is told"


def test_index__does_not_hold_up_a_wrong_key(repo, slow_index, tmp_path):
    with pytest.raises(ModelMisconfigured):
        review(repo, lambda _request: ModelMisconfigured("no key"), tmp_path / "out")
    released, ends = slow_index
    assert ends == []
    (reading,) = (thread for thread in enumerate_threads() if thread.name == "index")
    released.set()
    reading.join(30)


@pytest.mark.parametrize("method", ["close", "abandon"])
def test_signal__while_the_pool_is_closed_loses_nothing(repo, tmp_path, monkeypatch, method):
    """At its end; or a second one while what the first left is noted."""
    real = getattr(Pool, method)
    sent: list[str] = []

    def interrupted(pool):
        if not sent:
            sent.append(method)
            raise KeyboardInterrupt
        return real(pool)

    def respond(_request):
        if method == "abandon" and not notes:
            notes.append("signal")
            os.kill(os.getpid(), signal.SIGINT)
        return reply(submit())

    notes: list[str] = []
    monkeypatch.setattr(Pool, method, interrupted)
    run, _ = review(repo, respond, tmp_path / "out", max_parallel=1)
    assert sent
    assert isinstance(run.result.cancelled, KeyboardInterrupt)
    statuses = [task["status"] for task in json.loads(run.artifact("plan.json"))["tasks"]]
    if method == "close":
        assert outcomes(run) == [Reviewed()] * 4
        assert statuses == ["completed"] * 4
    else:
        assert Skipped("cancelled", SkipKind.LIMIT) in outcomes(run)


def test_signal__a_second_one_still_stops_the_children(repo, tmp_path, monkeypatch):
    """Even when it takes the run down, no child asks for more."""
    asked = Event()

    def interrupted(_pool):
        raise KeyboardInterrupt

    def respond(request):
        if not asked.is_set():
            asked.set()
            os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.1)
        return reply(look(request))

    monkeypatch.setattr(Pool, "abandon", interrupted)
    model = Model(respond)
    with pytest.raises(KeyboardInterrupt), Repository.open(repo.root) as opened:
        run_source(GitRangeSource(opened, "main", "work"), model, tmp_path / "out", verify=False)
    before = len(model.requests)
    time.sleep(0.3)
    assert len(model.requests) == before <= 4


def test_error__that_ends_the_run_stops_the_other_children(repo, tmp_path, monkeypatch):
    real = FolderSink.write

    def write(sink, name, text):
        if name.startswith("findings/"):
            raise ArtifactError("disk full")
        return real(sink, name, text)

    monkeypatch.setattr(FolderSink, "write", write)
    asked, lock = [], Lock()

    def respond(request):
        with lock:
            asked.append(request.task)
        if is_about(request, "f0"):
            return reply(submit())
        time.sleep(0.1)
        return reply(look(request))

    with pytest.raises(ArtifactError):
        review(repo, respond, tmp_path / "out")
    assert len(asked) <= 8, "of some thirty"


def test_error__of_one_child_is_no_wrong_key_once_another_had_an_answer(repo, tmp_path):
    answered = Event()

    def respond(request):
        if is_about(request, "f1"):
            assert answered.wait(30)
            return ModelMisconfigured("odd 400")
        if request.step == 1:
            return reply(look(request))
        answered.set()  # this child's second request: the first was answered, and it has not ended
        return reply(submit())

    run, _ = review(repo, respond, tmp_path / "out")
    assert run.result.model_down == "odd 400"
    assert any(isinstance(outcome, Failed) for outcome in outcomes(run))


def test_usage__of_a_task_that_an_unforeseen_error_ended(repo, tmp_path):
    def respond(request):
        if is_about(request, "f2") and request.step == 2:
            raise RuntimeError("a defect")
        usage = replace(USAGE, input_tokens=5_000) if is_about(request, "f2") else USAGE
        return reply(look(request) if request.step == 1 else submit(), usage=usage)

    run, _ = review(repo, respond, tmp_path / "out")
    assert isinstance(run.result.defect, RuntimeError)
    usage = run.result.report.usage
    assert (usage.requests, usage.input_tokens, usage.output_tokens) == (7, 6 * 3_000 + 5_000, 700)


def test_second_signal__in_the_program_waits_for_no_answer(repo, tmp_path):
    asked, release = Event(), Event()

    def respond(_request):
        asked.set()
        release.wait(30)
        return replies.calls(Call("read_lines", {"path": "keep.txt", "start_line": 1, "end_line": 1}))

    script = (
        "import os, signal, sys\n"
        "from devpulse.main import artifacts\n"
        "written = artifacts.write_artifacts\n"
        "def write(*a, **k):\n"
        "    os.kill(os.getpid(), signal.SIGTERM)\n"
        "    return written(*a, **k)\n"
        "artifacts.write_artifacts = write\n"
        "from devpulse.__main__ import main\n"
        "main()\n"
    )
    arguments = ["review", str(repo.root), "--base", "main", "--head", "work", "--state-dir", str(tmp_path / "state")]
    with FakeGemini(respond) as fake:
        running = subprocess.Popen(
            [sys.executable, "-c", script, *arguments],
            env={**os.environ, "GOOGLE_GEMINI_BASE_URL": fake.url, "GEMINI_API_KEY": KEY},
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip
        assert asked.wait(60)
        running.send_signal(signal.SIGINT)
        try:
            output, _ = running.communicate(timeout=20)
        finally:
            release.set()
            running.kill()
    assert running.returncode == 143, output
    assert "Traceback" not in output
    assert (repo.root / "devpulse-artifacts" / "findings.json").exists()
