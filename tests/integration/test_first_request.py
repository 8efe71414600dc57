"""What a child is told first: whole functions around the change, what the change calls, and no secrets."""

import pytest
from builders import ScriptedModel, reply, submit
from harness import FENCE_KEY, run_source
from repos import Repo

from devpulse.adapters.folder import folder_tree
from devpulse.adapters.git import GitRangeSource, Repository
from devpulse.adapters.patch_file import PatchFileSource
from devpulse.adapters.store import FolderStore
from devpulse.core.budget import ContextBudget, estimate_tokens
from devpulse.core.fence import Fence
from devpulse.core.messages import StopReason, UserMessage
from devpulse.core.review import Reviewed

KEY = "AKIA" + "Q3EGX7MPLNB5TZKD"
VIEWS = f"""\
from app.guards import check


def show(request, name):
    key = "{KEY}"
    check(request.user, name)
    path = ROOT + name
    return open(path).read()


def other():
    return "TOKEN-other"
"""
GUARDS = "def check(user, name):\n    if not user.may_read(name):\n        raise PermissionError\n"


@pytest.fixture
def repo(tmp_path):
    repo = Repo(tmp_path / "repo")
    repo.write("app/views.py", VIEWS)
    repo.write("app/guards.py", GUARDS)
    repo.commit("base")
    repo.git("switch", "--quiet", "--create", "work")
    repo.write("app/views.py", VIEWS.replace("    check(request.user, name)\n", ""))
    repo.commit("head")
    return repo


def review(repo, folder, respond=lambda _request: reply(submit()), **options):
    model = ScriptedModel(respond)
    with Repository.open(repo.root) as opened:
        run = run_source(GitRangeSource(opened, "main", "work"), model, folder, verify=False, **options)
    (row,) = run.result.report.coverage
    return row.outcome, [opening(request) for request in model.requests if request.task != "conclude"], run


def opening(request):
    return next(message.text for message in request.messages if isinstance(message, UserMessage))


def block(text, kind):
    return "\n".join(Fence(FENCE_KEY).blocks(kind, text))


def test_first_request__the_function_around_the_change_whole_and_no_other(repo, tmp_path):
    _, (text,), _ = review(repo, tmp_path / "out")
    diff = block(text, "diff").split("\n")
    assert diff[0] == "@@ in function show, lines 4-7 @@"
    assert "    4     4   def show(request, name):" in diff
    assert "    6       -     check(request.user, name)" in diff
    assert "    8     7       return open(path).read()" in diff
    assert "TOKEN-other" not in text


def test_first_request__secrets_of_unchanged_lines_are_masked_too(repo, tmp_path):
    _, (text,), _ = review(repo, tmp_path / "out")
    assert "    key = " in text
    assert KEY not in text


def test_first_request__names_what_removed_lines_called_by_place_only(repo, tmp_path, monkeypatch):
    monkeypatch.setattr("devpulse.core.lazy_sources.LazySources.ready", property(lambda _self: True))
    _, (text,), _ = review(repo, tmp_path / "out")
    assert block(text, "called") == "check app/guards.py:1-3"
    assert "may_read" not in text


def test_first_request__a_definition_named_there_that_disappears_makes_stored_work_stale(repo, tmp_path, monkeypatch):
    monkeypatch.setattr("devpulse.core.lazy_sources.LazySources.ready", property(lambda _self: True))
    store = FolderStore(tmp_path / "store")

    def sent_after(guards):
        repo.git("switch", "--quiet", "main")
        repo.write("app/guards.py", guards)
        repo.commit("guards")
        repo.git("switch", "--quiet", "--force-create", "work")
        repo.write("app/plain.py", "from app.guards import check\n\nKNOWN = check(1, 2)\n")
        repo.commit("head")
        return [block(text, "called") for text in review(repo, tmp_path / "out", store=store)[1]]

    assert sent_after(GUARDS) == ["check app/guards.py:1-3"]
    assert sent_after("# a line more above it\n" + GUARDS) == [], "it only moved"
    assert sent_after(GUARDS.replace("check", "test")) == [""]


def test_first_request__does_not_wait_for_the_index_to_name_them(repo, tmp_path, monkeypatch):
    repo.write("app/views.py", VIEWS.replace("check(request.user, name)", "other()"))
    repo.commit("calls its own")
    monkeypatch.setattr("devpulse.core.lazy_sources.LazySources.ready", property(lambda _self: False))
    _, (text,), _ = review(repo, tmp_path / "out")
    assert "-     check(request.user, name)" in block(text, "diff")
    assert block(text, "called") == "other app/views.py:11-12"


def test_first_request__stays_within_the_content_share(repo, tmp_path):
    body = "".join(f"    value_{n} = {n}\n" for n in range(3_000))
    repo.write("app/views.py", f"def show():\n{body}")
    repo.commit("before")
    repo.git("branch", "--force", "main")
    repo.write("app/views.py", f"def show():\n{body}".replace("value_1500 = 1500", "value_1500 = 1"))
    repo.commit("after")
    _, (text,), _ = review(repo, tmp_path / "out", budget=ContextBudget(8_000))
    diff = block(text, "diff")
    assert estimate_tokens(diff) <= ContextBudget(8_000).active_content
    assert "value_1499 = 1499" in diff
    assert "value_10 = 10\n" not in diff
    assert "left out, read_lines shows them @@" in diff


def test_first_request__lines_that_nobody_knows_are_not_shown_as_blank_ones(tmp_path):
    patch = (
        "--- a/app/views.py\n+++ b/app/views.py\n@@ -1,2 +1,2 @@\n def show():\n-    first = 1\n+    first = 10\n"
        "@@ -9,2 +9,2 @@\n-    last = 2\n+    last = 20\n     return last\n"
    )
    (tmp_path / "elsewhere").mkdir()
    model = ScriptedModel(lambda _request: reply(submit()))
    run_source(PatchFileSource(patch.encode(), folder_tree(tmp_path / "elsewhere")), model, tmp_path / "out")
    rows = block(opening(model.requests[0]), "diff").split("\n")
    assert [row[:11] for row in rows if not row.startswith("@@")] == [
        "    1     1", "    2      ", "          2", "    9      ", "          9", "   10    10",
    ]  # fmt: skip


def test_too_large__is_first_shown_without_a_long_function_around_it(repo, tmp_path):
    body = "".join(f"    value_{n} = {n}\n" for n in range(100))
    repo.write("app/views.py", f"def show():\n{body}")
    repo.commit("before")
    repo.git("branch", "--force", "main")
    repo.write("app/views.py", f"def show():\n{body}".replace("value_50 = 50", "value_50 = 1"))
    repo.commit("after")

    def respond(request):
        long = "value_10 = 10" in opening(request)
        return reply(text="cut", stop=StopReason.TRUNCATED) if long else reply(submit())

    outcome, texts, run = review(repo, tmp_path / "out", respond)
    assert outcome == Reviewed()
    assert ["value_10 = 10" in text for text in texts] == [True, False]
    assert all("value_50 = 1" in text for text in texts)
    assert '"narrowed"' in run.artifact("run_log.jsonl")


def test_too_large__halves_are_not_widened(repo, tmp_path):
    far = "".join(f"    filler_{n} = {n}\n" for n in range(12))
    text = f"def show():\n    first = 1\n{far}    last = 2\n"
    repo.write("app/views.py", text)
    repo.commit("before")
    repo.git("branch", "--force", "main")
    repo.write("app/views.py", text.replace("first = 1", "first = 10").replace("last = 2", "last = 20"))
    repo.commit("after")

    def respond(request):
        both = "first = 10" in opening(request) and "last = 20" in opening(request)
        return reply(text="cut", stop=StopReason.TRUNCATED) if both else reply(submit())

    outcome, texts, _ = review(repo, tmp_path / "out", respond)
    assert outcome == Reviewed()
    assert ["filler_6" in text for text in texts] == [True, False, False]
    assert "first = 10" in texts[1]
    assert "last = 20" in texts[2]
