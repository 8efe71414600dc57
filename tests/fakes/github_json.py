"""GitHub's JSON of people, repositories, pull requests and what is written to them, complete by the description."""

from __future__ import annotations

import re
import urllib.parse
from typing import Any

from fakes.github_git import ChangedFile
from fakes.github_pull import FakePull
from fakes.github_state import CheckRun, Comment, Person, Review, ReviewComment, Thread, node_id

Json = dict[str, Any]

SINCE = "2023-12-01T00:00:00Z"
_REPOSITORY_URLS = (
    "archive/{archive_format}{/ref}", "assignees{/user}", "blobs{/sha}", "branches{/branch}",
    "collaborators{/collaborator}", "comments{/number}", "commits{/sha}", "compare/{base}...{head}",
    "contents/{+path}", "contributors", "deployments", "downloads", "events", "forks", "hooks", "keys{/key_id}",
    "labels{/name}", "languages", "merges", "milestones{/number}", "notifications{?since,all,participating}",
    "pulls{/number}", "releases{/id}", "stargazers", "statuses/{sha}", "subscribers", "subscription", "tags", "teams",
    "trees{/sha}", "issues{/number}",
)  # fmt: skip
_PERSON_URLS = (
    "followers", "following", "gists", "starred", "subscriptions", "organizations", "repos", "events", "received_events"
)  # fmt: skip
_REACTIONS = ("+1", "-1", "laugh", "confused", "heart", "hooray", "eyes", "rocket")


class JsonOf:
    """Builds the JSON; every URL in it is on the server's own host."""

    def __init__(self, pull: FakePull, api: str, site: str) -> None:
        self.pull = pull
        self.api = api
        self.site = site

    @property
    def root(self) -> str:
        """The repository's URL in the API."""
        return f"{self.api}/repos/{self.pull.repository}"

    def person(self, person: Person) -> Json:
        url = f"{self.api}/users/{urllib.parse.quote(person.login)}"
        return {
            "login": person.login,
            "id": person.id,
            "node_id": node_id("U", person.id),
            "avatar_url": f"{self.site}/avatars/{person.id}",
            "gravatar_id": "",
            "url": url,
            "html_url": f"{self.site}/{urllib.parse.quote(person.login)}",
            **{f"{name}_url": f"{url}/{name}" for name in _PERSON_URLS},
            "type": "Bot" if person.is_bot else "User",
            "site_admin": False,
        }

    def repository(self, full_name: str) -> Json:
        """A repository, with what only the reply about itself has as well."""
        owner, name = full_name.split("/")
        url, page = f"{self.api}/repos/{full_name}", f"{self.site}/{full_name}"
        urls = {f"{_word(each)}_url": f"{url}/{each}" for each in _REPOSITORY_URLS}
        counts = ("forks", "open_issues", "watchers")
        return {
            "id": repository_id(full_name),
            "node_id": node_id("R", repository_id(full_name)),
            "name": name,
            "full_name": full_name,
            "owner": self.person(self.pull.notes.person(owner)),
            "private": False,
            "html_url": page,
            "description": None,
            "fork": full_name != self.pull.repository,
            "url": url,
            **urls,
            "git_commits_url": f"{url}/git/commits{{/sha}}",
            "git_refs_url": f"{url}/git/refs{{/sha}}",
            "git_tags_url": f"{url}/git/tags{{/sha}}",
            "issue_comment_url": f"{url}/issues/comments{{/number}}",
            "issue_events_url": f"{url}/issues/events{{/number}}",
            **{f"{name}_url": f"{page}.git" for name in ("git", "ssh", "clone")},
            "svn_url": page,
            **dict.fromkeys(("mirror_url", "homepage", "language", "license")),
            **dict.fromkeys((*counts, "forks_count", "open_issues_count", "watchers_count", "stargazers_count"), 0),
            **dict.fromkeys(("size", "subscribers_count", "network_count"), 0),
            "default_branch": "main" if self.pull.git.resolve("main") else self.pull.base,
            **dict.fromkeys(("has_issues", "has_projects", "has_wiki", "has_downloads"), True),
            **dict.fromkeys(("has_pages", "has_discussions", "archived", "disabled"), False),
            **dict.fromkeys(("pushed_at", "created_at", "updated_at"), SINCE),
        }

    def pull_simple(self) -> Json:
        """The pull request as a list shows it."""
        pull = self.pull
        url, page = f"{self.root}/pulls/{pull.number}", self.pull_page
        issue = f"{self.root}/issues/{pull.number}"
        links = {
            "self": url, "html": page, "issue": issue, "comments": f"{issue}/comments",
            "review_comments": f"{url}/comments", "review_comment": f"{self.root}/pulls/comments{{/number}}",
            "commits": f"{url}/commits", "statuses": f"{self.root}/statuses/{pull.head_sha}",
        }  # fmt: skip
        return {
            "url": url,
            "id": 5000 + pull.number,
            "node_id": node_id("PR", pull.number),
            "html_url": page,
            "diff_url": f"{page}.diff",
            "patch_url": f"{page}.patch",
            "issue_url": issue,
            **{f"{name}_url": value for name, value in links.items() if name not in ("self", "html", "issue")},
            "number": pull.number,
            "state": pull.state,
            "locked": False,
            "title": pull.title,
            "user": self.person(pull.notes.person(pull.author)),
            "body": pull.body,
            "labels": [],
            **dict.fromkeys(("milestone", "closed_at", "merged_at", "merge_commit_sha", "assignee", "auto_merge")),
            **{name: [] for name in ("assignees", "requested_reviewers", "requested_teams")},
            "created_at": SINCE,
            "updated_at": SINCE,
            "head": self._side(pull.head_repository, pull.head, pull.head_sha),
            "base": self._side(pull.repository, pull.base, pull.base_sha),
            "_links": {name: {"href": value} for name, value in links.items()},
            "author_association": "CONTRIBUTOR",
            "draft": pull.draft,
        }

    def pull_full(self) -> Json:
        """The pull request as the reply about itself shows it."""
        pull, files = self.pull, self.pull.files()
        return {
            **self.pull_simple(),
            "merged": pull.merged,
            "mergeable": None,
            "mergeable_state": "unknown",
            "merged_by": None,
            "comments": len(pull.notes.comments),
            "review_comments": sum(len(each.comments) for each in pull.notes.threads.values()),
            "maintainer_can_modify": False,
            "commits": len(pull.commits()),
            "additions": sum(each.additions for each in files),
            "deletions": sum(each.deletions for each in files),
            "changed_files": len(files),
        }

    @property
    def pull_page(self) -> str:
        return f"{self.site}/{self.pull.repository}/pull/{self.pull.number}"

    def _side(self, repository: str, ref: str, sha: str) -> Json:
        owner = self.pull.notes.person(repository.partition("/")[0])
        return {
            "label": f"{owner.login}:{ref}",
            "ref": ref,
            "sha": sha,
            "user": self.person(owner),
            "repo": self.repository(repository),
        }

    def file(self, file: ChangedFile, commit: str) -> Json:
        """A row of a file list."""
        path = urllib.parse.quote(file.path, safe="")
        row: Json = {
            "sha": file.sha,
            "filename": file.path,
            "status": file.status,
            "additions": file.additions,
            "deletions": file.deletions,
            "changes": file.additions + file.deletions,
            "blob_url": f"{self.site}/{self.pull.repository}/blob/{commit}/{path}",
            "raw_url": f"{self.site}/{self.pull.repository}/raw/{commit}/{path}",
            "contents_url": f"{self.root}/contents/{path}?ref={commit}",
        }
        if file.patch is not None:
            row["patch"] = file.patch
        if file.previous is not None:
            row["previous_filename"] = file.previous
        return row

    def comment(self, comment: Comment) -> Json:
        """A comment of the conversation."""
        url = f"{self.root}/issues/comments/{comment.id}"
        return {
            "url": url,
            "html_url": f"{self.pull_page}#issuecomment-{comment.id}",
            "issue_url": f"{self.root}/issues/{self.pull.number}",
            "id": comment.id,
            "node_id": node_id("IC", comment.id),
            **self._written(comment, url),
            "performed_via_github_app": None,
        }

    def review_comment(self, thread: Thread, comment: ReviewComment) -> Json:
        """A comment on the code. Lines are null when the thread is outdated, whatever the description says."""
        url, page = f"{self.root}/pulls/comments/{comment.id}", f"{self.pull_page}#discussion_r{comment.id}"
        pull = f"{self.root}/pulls/{self.pull.number}"
        place = self.pull.place(thread)
        first = thread.comments[0]
        lines = {} if thread.line is None else self._lines(thread)
        return {
            "url": url,
            "pull_request_review_id": comment.review,
            "id": comment.id,
            "node_id": node_id("PRRC", comment.id),
            "diff_hunk": thread.hunk,
            "path": thread.path,
            "commit_id": self.pull.head_sha if place or thread.line is None else thread.commit,
            "original_commit_id": thread.commit,
            **self._written(comment, url),
            "html_url": page,
            "pull_request_url": pull,
            "_links": {"self": {"href": url}, "html": {"href": page}, "pull_request": {"href": pull}},
            **lines,
            "subject_type": "file" if thread.line is None else "line",
            **({} if comment is first else {"in_reply_to_id": first.id}),
        }

    def _lines(self, thread: Thread) -> Json:
        place = self.pull.place(thread)
        file = self.pull.file(thread.path, thread.commit)
        row = file.row(thread.side, thread.line) if file is not None and thread.line is not None else None
        return {
            "position": place.position if place else None,
            "original_position": row.position if row else 1,
            "line": place.line if place else None,
            "original_line": thread.line,
            "side": thread.side,
            "start_line": place.start_line if place else None,
            "original_start_line": thread.start_line,
            "start_side": thread.start_side,
        }

    def _written(self, comment: Comment, url: str) -> Json:
        counts = {name: sum(content == name for _, content in comment.reactions) for name in _REACTIONS}
        return {
            "user": self.person(comment.author),
            "body": comment.body,
            "created_at": comment.created,
            "updated_at": comment.updated,
            "author_association": "NONE" if comment.author.is_bot else "CONTRIBUTOR",
            "reactions": {"url": f"{url}/reactions", "total_count": sum(counts.values()), **counts},
        }

    def review(self, review: Review) -> Json:
        page, pull = f"{self.pull_page}#pullrequestreview-{review.id}", f"{self.root}/pulls/{self.pull.number}"
        return {
            "id": review.id,
            "node_id": node_id("PRR", review.id),
            "user": self.person(review.author),
            "body": review.body,
            "state": review.state,
            "html_url": page,
            "pull_request_url": pull,
            "author_association": "NONE" if review.author.is_bot else "CONTRIBUTOR",
            "_links": {"html": {"href": page}, "pull_request": {"href": pull}},
            **({} if review.state == "PENDING" else {"submitted_at": review.created}),
            "commit_id": review.commit,
        }

    def check_run(self, run: CheckRun) -> Json:
        url, output = f"{self.root}/check-runs/{run.id}", run.fields.get("output", {})
        plain = ("external_id", "details_url", "conclusion", "started_at", "completed_at")
        return {
            "id": run.id,
            "node_id": node_id("CR", run.id),
            "head_sha": run.fields["head_sha"],
            "name": run.fields["name"],
            "url": url,
            "html_url": f"{self.site}/{self.pull.repository}/runs/{run.id}",
            "status": run.fields.get("status", "queued"),
            **{name: run.fields.get(name) for name in plain},
            "output": {
                **{name: output.get(name) for name in ("title", "summary", "text")},
                "annotations_count": len(run.annotations),
                "annotations_url": f"{url}/annotations",
            },
            "check_suite": {"id": 9000},
            "app": None,
            "pull_requests": [],
        }


def _word(template: str) -> str:
    return re.split("[{/?]", template, maxsplit=1)[0]


def repository_id(full_name: str) -> int:
    """A stable number for a repository; page links use it in place of the name."""
    return 700_000 + sum(n * byte for n, byte in enumerate(full_name.encode(), 1))
