"""A whole life of a pull request through the real program: what people see after each step, and what it cost."""

from __future__ import annotations

import json

from life import said
from runner import INJECTION

REVIEW, SUMMARY = "POST /pulls/7/reviews", "POST /issues/7/comments"
BOT = "github-actions[bot]"
OTHER = INJECTION.replace("lookup", "search")
FIXED = "def lookup(db, name):\n    return db.execute('select 1')\n"


def test_life__from_open_to_close(life):
    first = life.run("opened")
    assert (first.status, first.writes) == (0, [REVIEW, SUMMARY])
    assert "Since" not in life.summary

    life.push(users=FIXED, more=OTHER)  # fixes one and adds one
    second = life.run()
    assert said(life.thread("app/users.py")) == [f"{BOT}: No longer"]
    assert life.thread("app/users.py").resolved_by == life.hub.actor
    assert life.hub.head_sha[:12] in life.thread("app/users.py").comments[1].body
    assert life.thread("app/more.py").resolved_by is None
    assert "1 new, 1 fixed, 0 still there" in life.summary
    answer = f"POST /pulls/7/comments/{_id(life, 'users')}/replies"
    patch = f"PATCH /issues/comments/{life.hub.comments[0].id}"
    assert second.writes == [REVIEW, answer, "mutation Resolve", patch]
    assert second.calls <= 10

    again = life.run()
    assert again.writes == []
    assert again.calls <= 4

    life.repo.git("commit", "--quiet", "--amend", "--message", "another word")  # force-push, same files
    life.hub.moved()
    assert [each.partition("/")[0] for each in life.run().writes] == ["PATCH "]
    assert "0 new, 0 fixed, 1 still there" in life.summary

    life.repo.git("mv", "app/more.py", "app/other.py")
    life.push()
    assert [each.partition("/")[0] for each in life.run().writes] == ["PATCH "]
    assert len(life.hub.threads) == 2
    assert life.thread("app/more.py").resolved_by is None


def test_life__people_decide_and_a_finding_comes_back(life):
    life.push(more=OTHER)
    life.run("opened")
    life.push(users=FIXED)
    life.run()
    life.hub.resolve(life.thread("app/more.py"), "ada")
    life.push(third=INJECTION.replace("lookup", "third"))
    life.run(**{"fail-on": "high"})
    assert life.thread("app/more.py").resolved_by.login == "ada"
    assert "ada closed its thread" in life.summary
    found = json.loads((life.page() / "findings.json").read_text())["findings"]
    assert [(f["path"], f["reason"]) for f in found if f["status"] == "suppressed"] == [
        ("app/more.py", "ada closed its thread on the pull request")
    ]

    life.hub.reply(life.thread("app/third.py"), "eve", "/devpulse ignore I say so")
    ignored = life.run(**{"fail-on": "high"})
    assert (ignored.status, ignored.writes) == (1, [])
    life.hub.reply(life.thread("app/third.py"), "ada", "/devpulse ignore only used in tests")
    accepted = life.run(**{"fail-on": "high"})
    assert accepted.status == 0
    assert said(life.thread("app/third.py"))[-1] == f"{BOT}: Set aside"
    assert life.thread("app/third.py").resolved_by == life.hub.actor
    assert "only used in tests" in life.summary

    life.hub.pull.state = "closed"
    assert life.run("closed").writes == []
    life.hub.pull.state = "open"
    assert life.run("reopened").writes == []

    life.push(users=INJECTION)  # back
    life.run()
    assert said(life.thread("app/users.py")) == [f"{BOT}: No longer", f"{BOT}: Found again"]
    assert life.thread("app/users.py").resolved_by is None


def _id(life, name):
    return life.thread(f"app/{name}.py").comments[0].id


def test_life__answered_or_not_reviewed_threads_stay_and_deleted_comments_do_not_come_back(life):
    life.push(more=OTHER)
    life.run("opened")
    life.hub.reply(life.thread("app/users.py"), "eve", "Really?")
    life.push(users=FIXED)
    life.run(exclude="app/more.py")
    assert life.thread("app/users.py").resolved_by is None
    assert life.thread("app/more.py").resolved_by is None
    assert said(life.thread("app/more.py")) == []
    assert "1 other not looked at again" in life.summary
    life.hub.delete_comment(_id(life, "more"))
    step = life.run()
    assert REVIEW not in step.writes
    assert "Somebody deleted the comment: `app/more.py" in life.summary


def test_life__a_refused_comment_and_lost_replies(life):
    life.push(more=OTHER)
    life.hub.pull.refuse_lines.add(("app/more.py", 5))
    life.run("opened")
    assert "GitHub refused the comment" in life.summary
    life.push(users=FIXED)
    life.hub.faults.lose_reply("POST .*/replies")
    life.hub.faults.lose_reply("PATCH ")
    life.run()
    assert said(life.thread("app/users.py")) == [f"{BOT}: No longer"]
    assert life.thread("app/users.py").resolved_by == life.hub.actor
    assert "0 new, 1 fixed, 1 still there" in life.summary
    assert life.run().writes == []


def test_life__dry_run_writes_nothing_and_says_what_it_would(life, capsys):
    step = life.run("opened", **{"dry-run": "true"})
    assert (step.status, step.writes) == (0, [])
    assert "Dry run: nothing was written; 1 comment" in capsys.readouterr().out
    summary = (life.folder / "run1" / "summary").read_text()
    assert "comment at `app/users.py:5`" in summary
    assert "0 writes" in summary


def test_life__a_token_that_may_not_resolve_answers_and_leaves_it(life):
    life.run("opened")
    life.hub.faults.may_not_resolve = True
    life.push(users=FIXED)
    life.run()
    assert said(life.thread("app/users.py")) == [f"{BOT}: No longer"]
    assert life.thread("app/users.py").resolved_by is None
    assert life.run().writes == []
