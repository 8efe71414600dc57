"""Secrets of many kinds in one change: none of them is in anything that the real program leaves or sends."""

import base64

import pytest
from fakes.gemini import FakeGemini
from marking import marks
from planted_secrets import PLANTED, TOKENS, forms
from repos import Repo

from devpulse.cli import run

KEY = "AIza" + "SyD3mOkEy0fThEtEstSuite0123456789ab"
PROXY = "pr0xy-w0rd-77"


@pytest.fixture
def repo(tmp_path):
    """A change with every planted secret, one of them in a file's name and one in another file in base64."""
    repo = Repo(tmp_path / "repo")
    repo.write("README.md", "demo\n")
    repo.commit("base")
    repo.git("switch", "--quiet", "--create", "work")
    files: dict[str, str] = {}
    for number, one in enumerate(PLANTED):
        folder, _, name = one.path.rpartition("/")
        place = one.path if one.line.startswith(("-----", "{")) else f"{folder or 'top'}/{number % 6}{name}"
        files[place] = f"{files.get(place, '')}{one.line}\n"
    for place, text in files.items():
        repo.write(place, text)
    token = TOKENS["stripe-key"]
    repo.write(f"src/{token}.py", "import os\n\n\ndef go(request):\n    os.system(request.args['x'])\n")
    repo.write("src/packed.py", f"BLOB = {base64.b64encode(token.encode())!r}\n")
    repo.commit(f"use {TOKENS['github-token']} for now")
    return repo


def test_review__secrets_of_every_kind__reach_no_request_artifact_store_or_stream(repo, tmp_path, monkeypatch, capfd):
    monkeypatch.setenv("GEMINI_API_KEY", KEY)
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    monkeypatch.setenv("HTTP_PROXY", f"http://agent:{PROXY}@127.0.0.1:9")
    state = tmp_path / "state"
    with FakeGemini(marks) as gemini:
        monkeypatch.setenv("GOOGLE_GEMINI_BASE_URL", gemini.url)
        run(["review", str(repo.root), "--base", "main", "--head", "work", "--state-dir", str(state)])
        sent = "\n".join(request.text() for request in gemini.requests)
    out, err = capfd.readouterr()
    left = {"requests": sent, "stdout": out, "stderr": err}
    for folder in (repo.root / "devpulse-artifacts", state):
        left |= {str(file): file.read_text("utf-8") for file in folder.rglob("*") if file.is_file()}
    assert sent
    assert len(left) > 10
    told = {part for one in PLANTED for _, part in forms(one.value)} | {KEY, PROXY}
    assert [(place, part) for place, text in left.items() for part in told if part in text] == [], [
        text[max(0, text.find(part) - 150) : text.find(part) + 60]
        for text in left.values()
        for part in told
        if part in text
    ]
