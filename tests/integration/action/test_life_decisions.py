"""Findings that are set aside in the configuration and in the conversation, and comments that are deleted."""

from __future__ import annotations

import json
import time

from life import said
from runner import INJECTION

BOT = "github-actions[bot]"
REVIEW, SUMMARY = "POST /pulls/7/reviews", "POST /issues/7/comments"
OTHER = INJECTION.replace("lookup", "search")


def on_base(life, **files):
    """Commit to the base branch, and bring the branch of the pull request up to it."""
    life.repo.git("switch", "--quiet", "main")
    for path, text in files.items():
        life.repo.write({"config": ".devpulse.yml"}[path], text)
    life.repo.commit("on base")
    life.repo.git("switch", "--quiet", "work")
    life.repo.git("rebase", "--quiet", "main")
    life.hub.moved()


def fingerprint(life):
    (found,) = json.loads((life.page() / "findings.json").read_text())["findings"]
    return found["fingerprint"]


def test_life__a_finding_that_the_base_ignores_is_answered_once_and_comes_back(life):
    life.run("opened")
    rule = f"ignore: [{{fingerprint: {fingerprint(life)}, reason: 'the <b>gateway</b> checks it'}}]\n"
    on_base(life, config=rule)
    accepted = life.run(**{"fail-on": "high"})
    thread = life.thread("app/users.py")
    assert (accepted.status, said(thread)) == (0, [f"{BOT}: Accepted: the"])
    assert "<b>" not in thread.comments[1].body
    assert thread.resolved_by == life.hub.actor
    assert life.run().writes == []
    on_base(life, config="{}\n")
    assert life.run(**{"fail-on": "high"}).status == 1
    assert said(thread) == [f"{BOT}: Accepted: the", f"{BOT}: Found again"]
    assert thread.resolved_by is None


def test_life__a_finding_that_the_base_ignores_is_not_closed_over_somebody_who_answered(life):
    life.run("opened")
    life.hub.reply(life.thread("app/users.py"), "eve", "Is it so?")
    life.push(more="x = 1\n")
    on_base(life, config="ignore: [{category: sql-injection, reason: known}]\n")
    life.run()
    assert said(life.thread("app/users.py")) == ["eve: Is it"]
    assert life.thread("app/users.py").resolved_by is None


def test_life__ignore_in_the_conversation(life, capsys):
    life.run("opened")
    name = fingerprint(life)
    life.hub.add_comment("eve", f"/devpulse ignore {name} I say so")
    refused = life.run("issue_comment")
    assert (refused.status, refused.writes) == (0, [])
    assert "not-allowed" in capsys.readouterr().out
    assert life.run(**{"fail-on": "high"}).status == 1

    asked = life.hub.add_comment("ada", f"/devpulse ignore {name[:12]} only used in tests")
    heeded = life.run("issue_comment", **{"fail-on": "high"})
    thread = life.thread("app/users.py")
    assert heeded.status == 0
    assert said(thread) == [f"{BOT}: Set aside"]
    assert thread.resolved_by == life.hub.actor
    (summary,) = [each for each in life.hub.comments if each.author == life.hub.actor]
    assert "ada had it ignored on the pull request: only used in tests" in summary.body

    life.push(other="x = 1\n")
    assert life.run(**{"fail-on": "high"}).status == 0, "a later run sees it as well"
    life.hub.delete_comment(asked.id)
    assert life.run(**{"fail-on": "high"}).status == 1
    assert thread.resolved_by is None


def test_life__ignore_in_the_conversation_before_there_is_a_comment(life):
    life.run("opened", comment="false")
    life.hub.add_comment("ada", f"/devpulse ignore {fingerprint(life)}")
    assert REVIEW not in life.run("issue_comment").writes
    assert life.hub.threads == []
    assert "no reason was given" in life.summary


def test_life__a_deleted_summary_is_posted_anew_and_what_it_remembered_is_gone(life):
    life.run("opened")
    life.hub.delete_comment(life.thread("app/users.py").comments[0].id)
    assert life.run().writes == [f"PATCH /issues/comments/{life.hub.comments[0].id}"]
    life.hub.delete_comment(life.hub.comments[0].id)
    assert life.run().writes == [REVIEW, SUMMARY]


def test_life__without_a_summary_nothing_is_remembered(life):
    quiet = {"summary": "never"}
    assert life.run("opened", **quiet).writes == [REVIEW]
    life.hub.delete_comment(life.thread("app/users.py").comments[0].id)
    assert life.run(**quiet).writes == [REVIEW]
    assert life.run(**quiet).writes == []


def test_life__another_base_that_has_the_code_already(life):
    life.run("opened")
    life.repo.git("branch", "release", "work")
    life.push(more=OTHER)
    life.hub.pull.base = "release"
    life.hub.moved()
    life.repo.git("branch", "--force", "main", "release")  # what the runner merges into
    life.run("edited")
    assert said(life.thread("app/users.py")) == [f"{BOT}: No longer"]
    assert life.thread("app/users.py").resolved_by == life.hub.actor
    assert life.thread("app/more.py").resolved_by is None


def test_life__asking_what_people_decided_takes_no_longer_than_there_is(life):
    life.run("opened")
    life.hub.resolve(life.thread("app/users.py"), "ada")
    life.hub.faults.secondary_limit("GET .*/permission", retry_after=25)
    began = time.monotonic()
    life.run(**{"time-budget-minutes": "0.25"})
    assert time.monotonic() - began < 20
    assert "set findings aside on the pull request is not known" in (life.page() / "run_log.jsonl").read_text()
