"""A value that a changed file hands to a function of an unchanged one is followed there, and no further than needed."""

from __future__ import annotations

from pathlib import Path

import pytest
from repos import Repo

from devpulse.adapters.git.layout import find_layout
from devpulse.adapters.git.tracked import tracked_tree
from devpulse.core.categories import Confidence
from devpulse.core.finding import Hit
from devpulse.core.index import SymbolIndex
from devpulse.core.lookup import Lookup, RecordingResolver
from devpulse.core.rules.command_injection import RULE
from devpulse.core.source import Source
from devpulse.main.indexing import index_of
from devpulse.pipeline.gate import PathGate

VIEWS = """\
from flask import request

from app import jobs
from app.names import cleaned


def start():
    name = request.args["name"]
    jobs.start(cleaned(name))
"""
JOBS = "import os\n\nFOLDER = '/srv'\n\n\ndef start(name):\n    os.system('run ' + name)\n"
CAREFUL = "import shlex\n\n\ndef cleaned(name):\n    return shlex.quote(name.strip())\n"
CARELESS = "def cleaned(name):\n    return name.strip()\n"


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    repo = Repo(tmp_path / "repo")
    repo.write("app/jobs.py", JOBS)
    repo.write("app/names.py", CARELESS)
    repo.write("app/other.py", "def start(name):\n    print(name)\n")
    repo.commit("base")
    repo.write("app/views.py", VIEWS)
    repo.commit("head")
    return repo


def review(repo: Repo, text: str = VIEWS) -> tuple[list[Hit], tuple[Lookup, ...], SymbolIndex]:
    tree = tracked_tree(find_layout(repo.root))
    index = index_of(tree, PathGate(tree.size))
    recording = RecordingResolver(index)
    source = Source("app/views.py", "python", text, frozenset(range(1, 20)))
    hits = [hit for hit in RULE.run(source, recording) if hit.confidence is not Confidence.LOW]
    return hits, recording.lookups(), index


def test_review__a_sink_in_an_unchanged_file(repo: Repo) -> None:
    (hit,), _, _ = review(repo)
    assert (hit.start_line, hit.end_line, hit.confidence) == (9, 9, Confidence.HIGH)
    assert hit.trace is not None
    assert (hit.trace.source.path, hit.trace.source.line) == ("app/views.py", 8)
    assert (hit.trace.steps[-1].path, hit.trace.steps[-1].line) == ("app/views.py", 9)
    assert (hit.trace.sink.path, hit.trace.sink.line) == ("app/jobs.py", 7)


def test_review__a_function_that_cleans_in_an_unchanged_file(repo: Repo) -> None:
    repo.write("app/names.py", CAREFUL)
    assert review(repo)[0] == []


def test_review__what_was_asked_tells_that_the_other_file_changed(repo: Repo) -> None:
    before, again = review(repo)[1], review(repo)[1]
    repo.write("app/names.py", CAREFUL)
    after = review(repo)[1]
    assert before == again
    changed = {one.question for one, other in zip(before, after, strict=True) if one.answer != other.answer}
    assert changed
    assert all("app/names.py" in question for question in changed)


def test_review__reads_nothing_when_nothing_is_to_be_distrusted(repo: Repo) -> None:
    hits, lookups, index = review(repo, VIEWS.replace('request.args["name"]', '"nightly"'))
    assert (hits, lookups, index.ready) == ([], (), False)
