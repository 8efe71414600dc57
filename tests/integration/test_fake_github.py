"""The fake GitHub, asked by the real client: what it serves, refuses and remembers."""

from __future__ import annotations

import base64
import json
import re
import shutil

import github
import pytest
from fake_shop import connect, inline, refused, small_repo, write
from fakes import github_contract, github_rest, github_rest_git
from fakes.github import FakeGitHub
from fakes.github_http import page_bounds
from odd_change import odd_repo
from repos import Repo


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    return small_repo(tmp_path_factory.mktemp("small") / "shop")


@pytest.fixture
def own(small, tmp_path):
    """A copy of ``small`` that a test may change."""
    shutil.copytree(small.root, tmp_path / "shop")
    return Repo(tmp_path / "shop")


@pytest.fixture(scope="module")
def odd(tmp_path_factory):
    return odd_repo(tmp_path_factory.mktemp("odd") / "shop")


def review(hub, *comments, body="found", event="COMMENT", **more):
    repo = connect(hub)
    commit = repo.get_commit(more.pop("commit", hub.head_sha))
    return repo.get_pull(7).create_review(commit, body, event, comments=list(comments))


def test_routes__each_described_operation_is_served_and_no_other():
    served = {
        (method, re.sub(r"\(\?P<\w+>[^)]*\)", "{}", pattern.pattern))
        for routes in (github_rest.ROUTES, github_rest_git.ROUTES)
        for method, pattern, _ in routes._routes
    }
    assert served == {(method, re.sub(r"\{\w+\}", "{}", path)) for method, path in github_contract.operations()}


def test_pull__is_complete_and_shares_the_host(small):
    with FakeGitHub(small, draft=True, head_repository="eve/shop") as hub:
        pull = connect(hub).get_pull(7)
        assert (pull.head.sha, pull.base.sha, pull.draft, pull.commits) == (hub.head_sha, hub.base_sha, True, 1)
        assert (pull.head.repo.full_name, pull.base.repo.full_name) == ("eve/shop", "octo/shop")
        assert (pull.additions, pull.deletions, pull.changed_files) == (4, 2, 2)
        urls = [each for each in json.dumps(pull.raw_data).split('"') if each.startswith("http")]
        assert all(each.startswith(hub.url) for each in urls)
        assert refused(connect(hub).get_pull(8).get_files()._fetchNextPage).status == 404


def test_list_pulls__filters_by_head(small):
    with FakeGitHub(small, head_repository="eve/shop") as hub:
        repo = connect(hub)
        assert [each.number for each in repo.get_pulls(head="eve:work")] == [7]
        assert list(repo.get_pulls(head="octo:work")) == []
        assert list(repo.get_pulls(state="closed")) == []


def test_files__say_what_git_says(odd):
    with FakeGitHub(odd) as hub:
        files = {each.filename: each for each in connect(hub).get_pull(7).get_files()}
        statuses = {name: each.status for name, each in files.items()}
        assert statuses["deleted.py"] == "removed"
        assert statuses["big.py"] == "added"
        assert statuses["becomes_link"] == "changed"
        assert (statuses["moved to.py"], files["moved to.py"].previous_filename) == ("renamed", "moved.py")
        assert files["moved to.py"].sha == odd.git("rev-parse", "work:moved to.py")
        assert files["deleted.py"].sha == odd.git("rev-parse", "main:deleted.py")
        without = {name for name, each in files.items() if each.patch is None}
        assert without == {"empty.py", "image.png", "mode.sh", "nul.js", "purely renamed.py"}
        assert files["crlf.py"].patch == "@@ -1,3 +1,3 @@\n a\r\n-b MARK-crlfold\r\n+b MARK-crlfnew TOKEN-crlf\r\n c\r"
        assert "\ufffd TOKEN-latin" in files["latin.py"].patch.replace(" \ufffd ", "\ufffd ")
        assert files["no newline.js"].patch.endswith("\n\\ No newline at end of file")
        assert (files["big.py"].additions, files["big.py"].changes) == (3001, 3001)
        assert {"übung/naïve.ts", "qu\"ote's\tand\nnewline.js", "bytes-\ufffd.py"} <= set(files)


def test_files__come_in_pages_with_links(odd):
    with FakeGitHub(odd) as hub:
        pull = connect(hub, per_page=7).get_pull(7)
        assert len({each.filename for each in pull.get_files()}) == 20
        assert [each.query for each in hub.calls("/files")] == [
            {"per_page": "7"},
            {"per_page": "7", "page": "2"},
            {"per_page": "7", "page": "3"},
        ]
        assert all("/repositories/" in each.target for each in hub.wire[-2:])
        assert page_bounds({"per_page": "500"}) == (1, 100)


def test_files__lose_patch_and_counts_when_told(small):
    with FakeGitHub(small) as hub:
        hub.pull.missing_patches.add("app.py")
        first, second = connect(hub).get_pull(7).get_files()
        assert (first.patch, first.changes, second.changes) == (None, 0, 2)
        review(hub, inline(10))  # only the list leaves it out
        assert len(hub.threads) == 1


def test_git_data__is_that_of_the_repository(odd):
    with FakeGitHub(odd) as hub:
        repo = connect(hub)
        tree = repo.get_git_tree(hub.head_sha, recursive=True)
        assert {each.path for each in tree.tree if each.type == "tree"} == {"übung"}
        blob = next(each for each in tree.tree if each.path == "image.png")
        content = repo.get_git_blob(blob.sha)
        assert base64.b64decode(content.content) == (odd.root / "image.png").read_bytes()
        assert repo.get_contents("crlf.py", ref=hub.base_sha).decoded_content == b"a\r\nb MARK-crlfold\r\nc\r\n"
        assert repo.get_contents("übung", ref="work")[0].path == "übung/naïve.ts"
        assert b"TOKEN-plain" in repo.get_contents("becomes_link", ref="work").decoded_content
        assert refused(repo.get_contents, "gone.py", ref="work").status == 404
        assert refused(lambda: repo.get_commit("nothing").commit).status == 422
        hub.pull.truncated_trees = True
        assert len(repo.get_git_tree("work", recursive=True).tree) < len(tree.tree)


def test_compare__finds_the_merge_base(own):
    own.git("switch", "--quiet", "main")
    write(own, "later.py", "later\n")
    own.commit("base moved on")
    with FakeGitHub(own) as hub:
        compared = connect(hub).compare("octo:main", hub.head_sha)
        assert (compared.status, compared.ahead_by, compared.behind_by) == ("diverged", 1, 1)
        assert compared.merge_base_commit.sha != hub.base_sha
        assert [each.filename for each in compared.files] == ["app.py", "new.py"]
        assert [each.filename for each in connect(hub).get_pull(7).get_files()] == ["app.py", "new.py"]


def test_pull__its_base_may_be_older_than_the_branch(own):
    old = own.git("rev-parse", "main")
    own.git("switch", "--quiet", "main")
    write(own, "later.py", "later\n")
    new = own.commit("base moved on")
    own.git("switch", "--quiet", "work")
    own.git("merge", "--quiet", "--no-edit", "main")
    with FakeGitHub(own, opened_at=old) as hub:
        pull = connect(hub).get_pull(7)
        assert pull.base.sha == hub.base_sha == old
        assert [each.filename for each in pull.get_files()] == ["app.py", "new.py"]
        assert connect(hub).compare("main", hub.head_sha).merge_base_commit.sha == new


def test_review__is_remembered_as_the_actors(small):
    with FakeGitHub(small) as hub:
        review(hub, inline(10), inline(41, side="LEFT"), inline(2, "new.py", start_line=1, start_side="RIGHT"))
        pull = connect(hub).get_pull(7)
        assert [(each.state, each.body) for each in pull.get_reviews()] == [("COMMENTED", "found")]
        comments = list(pull.get_review_comments())
        assert [(each.path, each.side, each.line, each.start_line) for each in comments] == [
            ("app.py", "RIGHT", 10, None),
            ("app.py", "LEFT", 41, None),
            ("new.py", "RIGHT", 2, 1),
        ]
        assert comments[0].diff_hunk.endswith("\n+changed 10")
        assert (comments[0].position, comments[2].position) == (5, 2)
        assert {each.user.login for each in comments} == {"github-actions[bot]"}


@pytest.mark.parametrize(
    ("comment", "message"),
    [
        (inline(30), "thread line must be part of the diff and Pull request review thread diff hunk can't be blank"),
        (inline(3, "new.py"), "thread line must be part of the diff"),
        (inline(10, start_line=10), "thread start line must precede the end line."),
        (inline(49, start_line=9), "thread start line must be part of the same hunk as the line."),
        (inline(10, start_line=1), "thread start line must be part of the same hunk as the line."),
        (inline(1, "other.py"), "Path could not be resolved"),
    ],
)
def test_review__one_bad_comment_refuses_all(small, comment, message):
    with FakeGitHub(small) as hub:
        error = refused(review, hub, inline(10), comment)
        assert error.status == 422
        assert message in error.data["errors"][0]
        assert (hub.threads, hub.reviews) == ([], [])


@pytest.mark.parametrize(("side", "line"), [("RIGHT", 10), ("LEFT", 10), ("RIGHT", 7), ("LEFT", 13), ("LEFT", 40)])
def test_review__takes_changed_and_context_lines_of_its_side(small, side, line):
    with FakeGitHub(small) as hub:
        review(hub, inline(line, side=side))
        assert [(each.side, each.line) for each in hub.threads] == [(side, line)]


def test_review__counts_lines_where_the_last_has_no_end(own):
    own.git("switch", "--quiet", "main")
    base = own.commit("tail", **{"tail.txt": "old"})
    own.git("switch", "--quiet", "work")
    own.git("rebase", "--quiet", base)
    own.commit("change", **{"tail.txt": "new\nlast"})
    with FakeGitHub(own) as hub:
        review(hub, inline(1, "tail.txt", side="LEFT"), inline(2, "tail.txt"))
        assert refused(review, hub, inline(3, "tail.txt")).status == 422


def test_review__refuses_what_is_empty_too_long_foreign_or_an_approval(small):
    with FakeGitHub(small) as hub:
        assert refused(review, hub, body="").status == 422
        assert refused(review, hub, body="x" * 65_537).status == 422
        assert refused(review, hub, inline(10, body="x" * 65_537)).status == 422
        assert refused(review, hub, commit=hub.base_sha).status == 422
        assert refused(review, hub, event="APPROVE").status == 422
        hub.pull.refuse_lines.add(("app.py", 10))
        assert refused(review, hub, inline(10)).status == 422
        review(hub, body="x" * 65_536)
        assert len(hub.reviews) == 1


def test_review__waits_without_an_event(small):
    with FakeGitHub(small) as hub:
        repo = connect(hub)
        pull = repo.get_pull(7)
        made = pull.create_review(repo.get_commit(hub.head_sha), "later", comments=[inline(10)])
        assert made.state == "PENDING"
        assert list(pull.get_review_comments()) == []


def test_single_comment__names_the_field(small):
    with FakeGitHub(small) as hub:
        repo = connect(hub)
        pull, commit = repo.get_pull(7), repo.get_commit(hub.head_sha)
        error = refused(pull.create_review_comment, "b", commit, "app.py", line=30, side="RIGHT")
        assert error.data["errors"][0]["message"] == "pull_request_review_thread.line must be part of the diff"
        made = pull.create_review_comment("b", commit, "app.py", line=10, side="RIGHT")
        answer = pull.create_review_comment_reply(made.id, "more")
        assert answer.in_reply_to_id == made.id
        assert refused(pull.create_review_comment_reply, answer.id, "no").status == 404
        made.edit("better")
        assert [each.body for each in pull.get_review_comments()] == ["better", "more"]


def test_conversation__lists_edits_deletes_and_reacts(small):
    with FakeGitHub(small) as hub:
        theirs = hub.add_comment("bob", "hello")
        issue = connect(hub).get_pull(7).as_issue()
        mine = connect(hub).get_pull(7).create_issue_comment("summary")
        mine.edit("new summary")
        mine.create_reaction("eyes")
        assert [(each.user.login, each.body) for each in issue.get_comments()] == [
            ("bob", "hello"),
            ("github-actions[bot]", "new summary"),
        ]
        mine.delete()
        assert hub.comments == [theirs]
        assert refused(connect(hub).get_pull(7).create_issue_comment, " ").status == 422
        assert refused(mine.edit, "again").status == 404


def test_check_run__gathers_annotations(small):
    annotation = {"path": "app.py", "start_line": 1, "end_line": 1, "annotation_level": "notice", "message": "m"}
    output = {"title": "t", "summary": "s", "annotations": [annotation] * 50}
    with FakeGitHub(small) as hub:
        run = connect(hub).create_check_run("DevPulse", hub.head_sha, output=output)
        run.edit(conclusion="neutral", output=output)
        assert (run.status, run.output.annotations_count) == ("completed", 100)


def test_people__permissions_and_the_tokens_user(small):
    with FakeGitHub(small, permissions={"bob": "write"}) as hub:
        repo = connect(hub)
        assert [repo.get_collaborator_permission(each) for each in ("octo", "bob", "eve")] == ["admin", "write", "read"]
        client = github.Github(base_url=hub.url, auth=github.Auth.Token(hub.token), retry=None)
        assert refused(lambda: client.get_user().login).status == 403
        assert client.get_rate_limit().rate.limit == 1000


def test_moved__carries_what_still_stands_and_outdates_the_rest(own):
    with FakeGitHub(own) as hub:
        before = hub.head_sha
        review(hub, inline(10), inline(2, "new.py"), inline(40, side="LEFT"))
        write(own, "app.py", "top\n", (own.root / "app.py").read_text())
        write(own, "new.py", "one\n", "deux\n")
        own.commit("more")
        hub.moved()
        pull = connect(hub).get_pull(7)
        assert pull.head.sha != before
        payload = hub.event("synchronize")
        assert (payload["before"], payload["after"]) == (before, hub.head_sha)
        found = [(each.line, each.original_line, each.commit_id == hub.head_sha) for each in pull.get_review_comments()]
        assert found == [(11, 10, True), (None, 2, False), (40, 40, True)]
        review(hub, inline(10), commit=before)  # the older commit is still of the pull request


def test_ghes__serves_below_its_path(small):
    with FakeGitHub(small, api_path="/api/v3") as hub:
        assert hub.url.endswith("/api/v3")
        assert connect(hub, per_page=1).get_pull(7).get_files().totalCount == 2
        assert len(list(connect(hub, per_page=1).get_pull(7).get_files())) == 2
        assert hub.calls("^GET /repos/octo/shop/pulls/7/files")


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("pull_request", "pull_request"),
        ("pull_request_target", "pull_request"),
        ("merge_group", "merge_group"),
        ("workflow_dispatch", "workflow"),
        ("schedule", "schedule"),
        ("issue_comment", "comment"),
        ("push", "after"),
    ],
)
def test_event__looks_like_the_webhooks(small, name, key):
    with FakeGitHub(small, head_repository="eve/shop") as hub:
        hub.add_comment("bob", "/devpulse ignore")
        payload = json.loads(json.dumps(hub.event(event=name)))
        assert payload["repository"]["full_name"] == "octo/shop"
        assert payload[key]
        if key == "pull_request":
            assert payload["action"] == "opened"
            assert payload[key]["head"]["repo"]["full_name"] == "eve/shop"
            assert payload[key]["head"]["sha"] == hub.head_sha


def test_records__what_came(small):
    with FakeGitHub(small) as hub:
        review(hub, inline(10))
        assert [str(each) for each in hub.writes()] == ["POST /repos/octo/shop/pulls/7/reviews"]
        sent = hub.calls("reviews$")[0]
        assert sent.body["comments"][0]["line"] == 10
        assert sent.headers["authorization"].endswith(hub.token)
