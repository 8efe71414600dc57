"""The fake GitHub's REST endpoints for pull requests, their comments and reviews."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from fakes import github_rules
from fakes.github_faults import INTEGRATION
from fakes.github_git import ChangedFile
from fakes.github_http import Answer, GitHubRequest, Refused, Routes, one_page
from fakes.github_json import SINCE, JsonOf, repository_id
from fakes.github_pull import MAX_FILES, FakePull
from fakes.github_state import CheckRun, Comment, Person, Thread

ROUTES = Routes()
_REPO = "/repos/{owner}/{repo}"
_PULL = _REPO + "/pulls/{number}"
_NOT_FOUND = "Not Found"
_STATES = {"COMMENT": "COMMENTED", "APPROVE": "APPROVED", "REQUEST_CHANGES": "CHANGES_REQUESTED"}


class Rest:
    """Answers for one pull request, as ``actor`` sees it.

    ``permissions`` are the repository's collaborators by login: admin, write, read or none.
    """

    def __init__(self, pull: FakePull, json_of: JsonOf, actor: Person, permissions: Mapping[str, str]) -> None:
        self.pull = pull
        self.json = json_of
        self.actor = actor
        self.permissions = permissions

    def repository(self, names: Mapping[str, str], *, fork: bool = False) -> str:
        """The full name in the path; refused when it is not the repository (or, with ``fork``, the fork)."""
        name = f"{names['owner']}/{names['repo']}"
        if name.lower() == self.pull.repository.lower() or (fork and name == self.pull.head_repository):
            return name
        raise Refused(404, _NOT_FOUND)

    def check(self, names: Mapping[str, str]) -> None:
        """Refuse what is not about the one pull request there is."""
        self.repository(names)
        if names.get("number", str(self.pull.number)) != str(self.pull.number):
            raise Refused(404, _NOT_FOUND)

    def listed(self, items: list[Any], request: GitHubRequest) -> Answer:
        """One page of a list. Links name the repository by number, as GitHub's do."""
        tail = request.path.split("/", 4)[4]
        url = f"{self.json.api}/repositories/{repository_id(self.pull.repository)}/{tail}"
        page, links = one_page(items, request, url)
        return Answer(200, page, links)

    def comment(self, names: Mapping[str, str]) -> Comment:
        self.check(names)
        found = self.pull.notes.comments.get(_number(names["comment"]))
        if found is None:
            raise Refused(404, _NOT_FOUND)
        return found


def _number(text: str) -> int:
    if not text.isdecimal():
        raise Refused(404, _NOT_FOUND)
    return int(text)


@ROUTES.add("GET", "/user")
def get_user(rest: Rest, _: GitHubRequest) -> Answer:
    if rest.actor.is_bot:  # a GITHUB_TOKEN stands for no user
        raise Refused(403, INTEGRATION)
    person = rest.json.person(rest.actor)
    unset = dict.fromkeys(("name", "company", "blog", "location", "email", "hireable", "bio"))
    counts = dict.fromkeys(("public_repos", "public_gists", "followers", "following"), 0)
    return Answer(200, {**person, **unset, **counts, "created_at": SINCE, "updated_at": SINCE})


@ROUTES.add("GET", "/rate_limit")
def get_rate_limit(*_: object) -> Answer:
    rate = {"limit": 1000, "remaining": 999, "used": 1, "reset": int(time.time()) + 3600}
    return Answer(200, {"resources": {"core": rate, "search": rate, "graphql": rate}, "rate": rate})


@ROUTES.add("GET", _REPO)
def get_repository(rest: Rest, _: GitHubRequest, **names: str) -> Answer:
    return Answer(200, rest.json.repository(rest.repository(names, fork=True)))


@ROUTES.add("GET", _REPO + "/collaborators/{login}/permission")
def get_permission(rest: Rest, _: GitHubRequest, **names: str) -> Answer:
    rest.check(names)
    login = names["login"]
    permission = rest.permissions.get(login, "read")
    user = {**rest.json.person(rest.pull.notes.person(login)), "role_name": permission}
    return Answer(200, {"permission": permission, "role_name": permission, "user": user})


@ROUTES.add("GET", _REPO + "/pulls")
def list_pulls(rest: Rest, request: GitHubRequest, **names: str) -> Answer:
    rest.check(names)
    pull, query = rest.pull, request.query
    fits = {
        "head": f"{pull.head_repository.split('/')[0]}:{pull.head}",
        "base": pull.base,
        "state": pull.state,
    }
    asked = {"state": "open", **query}
    match = all(asked.get(key) in (None, "", "all" if key == "state" else value, value) for key, value in fits.items())
    return rest.listed([rest.json.pull_simple()] if match else [], request)


@ROUTES.add("GET", _PULL)
def get_pull(rest: Rest, _: GitHubRequest, **names: str) -> Answer:
    rest.check(names)
    return Answer(200, rest.json.pull_full())


@ROUTES.add("GET", _PULL + "/files")
def list_files(rest: Rest, request: GitHubRequest, **names: str) -> Answer:
    rest.check(names)
    answer = rest.listed(list(rest.pull.files()[:MAX_FILES]), request)
    page: tuple[ChangedFile, ...] = tuple(answer.body)
    rows = [rest.json.file(each, rest.pull.head_sha) for each in rest.pull.listed(page)]
    return Answer(200, rows, answer.headers)


@ROUTES.add("GET", _REPO + "/issues/{number}/comments")
def list_comments(rest: Rest, request: GitHubRequest, **names: str) -> Answer:
    rest.check(names)
    return rest.listed([rest.json.comment(each) for each in rest.pull.notes.comments.values()], request)


@ROUTES.add("POST", _REPO + "/issues/{number}/comments")
def create_comment(rest: Rest, request: GitHubRequest, **names: str) -> Answer:
    rest.check(names)
    github_rules.check_body(request.body["body"], "IssueComment")
    return Answer(201, rest.json.comment(rest.pull.notes.add_comment(rest.actor, request.body["body"])))


@ROUTES.add("PATCH", _REPO + "/issues/comments/{comment}")
def edit_comment(rest: Rest, request: GitHubRequest, **names: str) -> Answer:
    comment = rest.comment(names)
    github_rules.check_body(request.body["body"], "IssueComment")
    comment.body, comment.updated = request.body["body"], rest.pull.notes.now()
    return Answer(200, rest.json.comment(comment))


@ROUTES.add("DELETE", _REPO + "/issues/comments/{comment}")
def delete_comment(rest: Rest, _: GitHubRequest, **names: str) -> Answer:
    rest.pull.notes.delete_comment(rest.comment(names).id)
    return Answer(204)


@ROUTES.add("POST", _REPO + "/issues/comments/{comment}/reactions")
def react(rest: Rest, request: GitHubRequest, **names: str) -> Answer:
    comment, content = rest.comment(names), request.body["content"]
    known = (rest.actor.login, content) in comment.reactions
    if not known:
        comment.reactions.append((rest.actor.login, content))
    number = comment.id * 10 + len(comment.reactions)
    reaction = {"id": number, "node_id": f"REA_{number}", "user": rest.json.person(rest.actor), "content": content}
    return Answer(200 if known else 201, {**reaction, "created_at": rest.pull.notes.now()})


@ROUTES.add("GET", _PULL + "/comments")
def list_review_comments(rest: Rest, request: GitHubRequest, **names: str) -> Answer:
    rest.check(names)
    threads = [each for each in rest.pull.notes.threads.values() if not each.pending]
    every = sorted(((comment.id, thread, comment) for thread in threads for comment in thread.comments), key=_first)
    return rest.listed([rest.json.review_comment(thread, comment) for _, thread, comment in every], request)


def _first(row: tuple[int, Any, Any]) -> int:
    return row[0]


@ROUTES.add("POST", _PULL + "/comments")
def create_review_comment(rest: Rest, request: GitHubRequest, **names: str) -> Answer:
    rest.check(names)
    body = request.body
    if body.get("in_reply_to") is not None:
        return create_reply(rest, request, comment=str(body["in_reply_to"]), **names)
    github_rules.check_single(rest.pull, body)
    review = rest.pull.notes.add_review(rest.actor, "", "COMMENTED", body["commit_id"])
    thread = open_thread(rest.pull, rest.actor, body, body["commit_id"], review.id)
    return Answer(201, rest.json.review_comment(thread, thread.comments[0]))


@ROUTES.add("POST", _PULL + "/comments/{comment}/replies")
def create_reply(rest: Rest, request: GitHubRequest, **names: str) -> Answer:
    rest.check(names)
    found = rest.pull.notes.review_comment(_number(names["comment"]))
    # Replies to replies are not supported (GitHub Docs, "Create a reply for a review comment").
    if found is None or found[1] is not found[0].comments[0]:
        raise Refused(404, _NOT_FOUND)
    github_rules.check_body(request.body["body"], "PullRequestReviewComment")
    thread = found[0]
    comment = rest.pull.notes.reply(thread, rest.actor, request.body["body"], rest.pull.head_sha)
    return Answer(201, rest.json.review_comment(thread, comment))


@ROUTES.add("PATCH", _REPO + "/pulls/comments/{comment}")
def edit_review_comment(rest: Rest, request: GitHubRequest, **names: str) -> Answer:
    rest.check(names)
    found = rest.pull.notes.review_comment(_number(names["comment"]))
    if found is None:
        raise Refused(404, _NOT_FOUND)
    github_rules.check_body(request.body["body"], "PullRequestReviewComment")
    thread, comment = found
    comment.body, comment.updated = request.body["body"], rest.pull.notes.now()
    return Answer(200, rest.json.review_comment(thread, comment))


@ROUTES.add("DELETE", _REPO + "/pulls/comments/{comment}")
def delete_review_comment(rest: Rest, _: GitHubRequest, **names: str) -> Answer:
    rest.check(names)
    if rest.pull.notes.review_comment(_number(names["comment"])) is None:
        raise Refused(404, _NOT_FOUND)
    rest.pull.notes.delete_comment(_number(names["comment"]))
    return Answer(204)


@ROUTES.add("GET", _PULL + "/reviews")
def list_reviews(rest: Rest, request: GitHubRequest, **names: str) -> Answer:
    rest.check(names)
    return rest.listed([rest.json.review(each) for each in rest.pull.notes.reviews.values()], request)


@ROUTES.add("POST", _PULL + "/reviews")
def create_review(rest: Rest, request: GitHubRequest, **names: str) -> Answer:
    rest.check(names)
    body = request.body or {}
    commit = body.get("commit_id") or rest.pull.head_sha
    event = body.get("event", "")
    if event == "APPROVE" and rest.actor.is_bot:
        raise Refused(422, "Unprocessable Entity", ["GitHub Actions is not permitted to approve pull requests."])
    github_rules.check_review(rest.pull, body, commit)
    # Without an event the review waits for its author to submit it (GitHub Docs, "Create a review").
    state = _STATES.get(event, "PENDING")
    review = rest.pull.notes.add_review(rest.actor, body.get("body") or "", state, commit)
    for comment in body.get("comments") or []:
        open_thread(rest.pull, rest.actor, comment, commit, review.id).pending = state == "PENDING"
    return Answer(200, rest.json.review(review))


def open_thread(pull: FakePull, author: Person, comment: Mapping[str, Any], commit: str, review: int) -> Thread:
    """A new thread where the comment, already checked, wants to stand."""
    file = pull.file(comment["path"], commit)
    assert file is not None, comment["path"]
    row = github_rules.row_of(pull, file, comment)
    side = comment.get("side") or ("LEFT" if row and row.new is None else "RIGHT")
    start = comment.get("start_line")
    thread = Thread(
        id=pull.notes.new_id(),
        path=file.path,
        commit=commit,
        side=side,
        line=row.on(side) if row else None,
        start_side=(comment.get("start_side") or side) if start is not None else None,
        start_line=start,
        hunk=file.hunk_text(row) if row else "",
        comments=[pull.notes.new_review_comment(author, comment["body"], review)],
    )
    pull.notes.threads[thread.id] = thread
    return thread


@ROUTES.add("POST", _REPO + "/check-runs")
def create_check_run(rest: Rest, request: GitHubRequest, **names: str) -> Answer:
    rest.check(names)
    if rest.pull.git.resolve(request.body["head_sha"]) is None:
        raise Refused(422, f"No commit found for SHA: {request.body['head_sha']}")
    run = CheckRun(rest.pull.notes.new_id(), {}, [])
    rest.pull.notes.check_runs[run.id] = run
    return Answer(201, _updated(rest, run, request.body))


@ROUTES.add("PATCH", _REPO + "/check-runs/{run}")
def update_check_run(rest: Rest, request: GitHubRequest, **names: str) -> Answer:
    rest.check(names)
    run = rest.pull.notes.check_runs.get(_number(names["run"]))
    if run is None:
        raise Refused(404, _NOT_FOUND)
    return Answer(200, _updated(rest, run, request.body))


def _updated(rest: Rest, run: CheckRun, fields: Mapping[str, Any]) -> dict[str, Any]:
    """Annotations of a further request are added to those there are (GitHub Docs, "Update a check run")."""
    run.fields.update(fields)
    run.annotations += fields.get("output", {}).get("annotations", [])
    if "conclusion" in fields:
        run.fields.setdefault("completed_at", rest.pull.notes.now())
        run.fields["status"] = "completed"
    return rest.json.check_run(run)
