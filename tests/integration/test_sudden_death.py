"""A run may die at any instant: the next one ends in the same findings, and nothing torn is ever read.

Compared is the whole of findings.json but for what a resumed run cannot share: usage, tokens of the coverage, and
``reused`` as the reason of a row.
"""

import json
import os
import random
import signal
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from queue import SimpleQueue

import pytest
from repos import Repo
from sudden_death import AFTER, BEFORE, TORN, Death, Ended, Runner

from devpulse.adapters.store import FolderStore
from devpulse.cli import run as run_here

SEED = 20261130
KILLS, SIGNALS = 100, 20
FLASK = "from flask import request\n\n\ndef lookup(db):\n    name = request.args['name']\n"
INJECTION = FLASK + "    return db.execute('select * from users where name = ' + name)\n"
TIDYING = "def tidy(name):\n    return name\n"
DOWNLOAD = (
    "from flask import request\n\nfrom app.tidying import tidy\n\n\ndef download():\n"
    "    return open('/srv/files/' + tidy(request.args['name']))\n"
)
LONG = "".join(f"def step_{n}(value):\n    return value + {n} * {n + 1}\n\n\n" for n in range(250))


@dataclass(frozen=True)
class Place:
    """A repository under review, and the undisturbed run of it that others are measured by."""

    repo: Repo
    top: Path
    undisturbed: dict[str, object]
    ended: Ended

    def arguments(self, name):
        return [
            "review", str(self.repo.root), "--base", "main", "--head", "work", "--engine", "offline",
            "--max-parallel", "2", "--context-window", "4000", "--output-dir", f"out-{name}",
            "--state-dir", str(self.top / f"state-{name}"),
        ]  # fmt: skip

    def output(self, name):
        return self.repo.root / f"out-{name}"

    def findings(self, name):
        return json.loads((self.output(name) / "findings.json").read_text())

    def stored(self, name):
        """The entries of the store, each checked as the program checks it."""
        files = list((self.top / f"state-{name}").glob("*/*/*.json"))
        torn = [file for file in files if FolderStore(file.parents[1]).load(file.stem) is None]
        assert not torn, "torn entries"
        return len(files)


@pytest.fixture(scope="module")
def runner():
    with Runner() as started:
        yield started


@pytest.fixture(scope="module")
def place(tmp_path_factory, runner):
    top = tmp_path_factory.mktemp("death")
    repo = Repo(top / "repo")
    repo.write("app/old.py", "x = 1\n")
    repo.commit("base")
    repo.git("switch", "--quiet", "--create", "work")
    for number in range(6):
        repo.write(f"app/more{number}.py", INJECTION)
    for path, text in (("tidying.py", TIDYING), ("download.py", DOWNLOAD), ("long.py", LONG)):
        repo.write(f"app/{path}", text)
    repo.commit("head")
    started = Place(repo, top, {}, Ended(0, 0, 0, 0, ""))
    ended = runner.run(started.arguments("whole"), top / "whole")
    assert ended.status == 0, ended.output
    done = replace(started, undisturbed=comparable(started.findings("whole")), ended=ended)
    assert len(done.undisturbed["findings"]) == 7  # type: ignore[arg-type]  # a list
    return done


def comparable(report):
    rows = [{**row, "tokens": 0, "reason": row["reason"].replace("reused", "")} for row in report["coverage"]]
    return {**report, "usage": None, "coverage": rows}


def events_of(folder):
    """The log by runs; every line must be whole."""
    lines = (folder / "run_log.jsonl").read_text().split("\n")
    assert lines.pop() == "", "an unfinished last line"
    runs: list[list[dict[str, object]]] = []
    for event in map(json.loads, lines):
        if event["event"] == "planned" or not runs:
            runs.append([])
        runs[-1].append(event)
    return runs


def check_whole(folder):
    """What a reader finds after a death is whole, if it is there."""
    for file in [*folder.glob("*.json"), *folder.glob("*.sarif"), *folder.glob("findings/*.json")]:
        json.loads(file.read_text())


def check_notes(folder):
    """Each run notes each task once."""
    runs = (folder / "progress_notes.md").read_text().split("RESUMED ")
    for lines in runs:
        noted = Counter(line.split(" sum=")[0] for line in lines.splitlines() if line.startswith("DONE "))
        assert set(noted.values()) <= {1}
    assert runs[-1].count("DONE ") == len(list(folder.glob("findings/*.json")))


def check_death(place, runner, name, death):
    """A run dies, the next one resumes: the same findings, finished tasks from the store, all files whole."""
    died = runner.run(place.arguments(name), place.top / name, death)
    check_whole(place.output(name))
    stored = place.stored(name)
    for left in (place.top / name).glob("devpulse-*"):
        os.utime(left, (1, 1))  # old enough to be taken for abandoned
    again = runner.run(place.arguments(name), place.top / name)
    assert again.status == 0, (death, again.output)
    assert comparable(place.findings(name)) == place.undisturbed, death
    assert "not believed" not in again.output, (death, again.output)
    folder = place.output(name)
    check_whole(folder)
    check_notes(folder)
    assert sum(event["event"] == "reused" for event in events_of(folder)[-1]) == stored, death
    assert not list(folder.rglob("*.part")), death
    assert not list((place.top / name).glob("devpulse-*")), death
    return died


def check_proof(place, name, capsys):
    assert run_here(["verify-isolation", str(place.output(name))]) == 0, capsys.readouterr().out
    assert "Isolation holds" in capsys.readouterr().out


def instants(generator, place, count):
    """Instants over the whole run: nine of ten at a step, in all three ways, one of ten at a time."""
    for number in range(count):
        if number % 10 == 9:
            yield Death(after_seconds=generator.uniform(0, place.ended.seconds))
        else:
            yield Death(generator.randint(1, place.ended.steps), how=generator.choice([BEFORE, TORN, AFTER]))


def test_kill__at_some_instants(place, runner, capsys):
    generator = random.Random(SEED)
    third = place.ended.steps // 3
    deaths = [
        Death(generator.randint(1, third), how=TORN),
        Death(generator.randint(third, 2 * third), how=TORN),
        Death(generator.randint(third, 2 * third), how=AFTER),
        Death(generator.randint(2 * third, place.ended.steps), how=TORN),
    ]
    statuses = [check_death(place, runner, f"some{n}", death).status for n, death in enumerate(deaths)]
    assert statuses == [-signal.SIGKILL] * len(deaths)
    check_proof(place, "some1", capsys)


def test_kill__again_while_it_resumes(place, runner):
    arguments, folder = place.arguments("twice"), place.top / "twice"
    assert runner.run(arguments, folder, Death(place.ended.steps // 2)).status == -signal.SIGKILL
    first = place.stored("twice")
    check_death(place, runner, "twice", Death(place.ended.steps // 3, how=TORN))
    assert first > 0


@pytest.mark.parametrize(("number", "status", "most"), [(signal.SIGINT, 130, 7.5), (signal.SIGTERM, 143, 2.5)])
def test_signal__in_the_middle_artifacts_in_time(place, runner, number, status, most):
    name = f"signal{status}"
    died = runner.run(place.arguments(name), place.top / name, Death(place.ended.steps // 2, how=AFTER, signal=number))
    assert died.status == status
    assert died.seconds_after_signal < most
    partly = place.findings(name)
    assert {row["path"] for row in partly["coverage"]} == {row["path"] for row in place.undisturbed["coverage"]}
    check_death(place, runner, name, Death())


@pytest.mark.parametrize(("file", "step"), [("plan.json", 4), ("findings.json", 1)])
def test_signal__while_the_end_is_written_does_not_stop_it(place, runner, file, step):
    name = f"late-{file}"
    death = Death(step, on=f".{file}.", how=AFTER, signal=signal.SIGTERM)
    died = runner.run(place.arguments(name), place.top / name, death)
    assert died.status == 143
    assert comparable(place.findings(name)) == place.undisturbed


def _each(place, deaths, prefix):
    """Check every death, two at a time."""
    runners: SimpleQueue[Runner] = SimpleQueue()

    def one(numbered):
        number, death = numbered
        own = runners.get()
        try:
            return check_death(place, own, f"{prefix}{number}", death)
        finally:
            runners.put(own)

    with Runner() as first, Runner() as second, ThreadPoolExecutor(2) as pool:
        runners.put(first)
        runners.put(second)
        return list(pool.map(one, enumerate(deaths)))


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_kill__at_a_hundred_instants(place):
    deaths = list(instants(random.Random(SEED), place, KILLS))
    ended = _each(place, deaths, "kill")
    killed = Counter((death.at > 0, one.status) for death, one in zip(deaths, ended, strict=True))
    # Two threads may make a few steps fewer; a time may lie after the end of a run that was faster.
    assert killed[True, -signal.SIGKILL] >= 0.95 * 0.9 * KILLS
    assert killed[False, -signal.SIGKILL] > 0
    assert killed[False, -signal.SIGKILL] + killed[False, 0] == 0.1 * KILLS


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_signal__at_many_instants(place):
    generator = random.Random(SEED)
    deaths = [
        Death(generator.randint(1, place.ended.steps), how=generator.choice([BEFORE, AFTER]), signal=number)
        for number in (signal.SIGINT, signal.SIGTERM)
        for _ in range(SIGNALS // 2)
    ]
    ended = _each(place, deaths, "signal")
    for death, one in zip(deaths, ended, strict=True):
        assert one.status in ({130} if death.signal == signal.SIGINT else {143})
        assert one.seconds_after_signal < (7.5 if death.signal == signal.SIGINT else 2.5)


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_stop_after__every_task(place, runner):
    tasks = len(list(place.output("whole").glob("findings/*.json")))
    for number in range(1, tasks + 1):
        name = f"stop{number}"
        stopped = runner.run([*place.arguments(name), "--stop-after", str(number)], place.top / name)
        assert stopped.status == 70
        assert place.stored(name) >= number
        check_death(place, runner, name, Death())
