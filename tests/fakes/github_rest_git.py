"""The fake GitHub's REST endpoints for git data: comparisons, commits, trees, blobs, contents."""

from __future__ import annotations

import base64
import os
import posixpath
import re
import urllib.parse
from typing import Any

from fakes.github_git import TreeEntry
from fakes.github_http import Answer, GitHubRequest, Refused, Routes, one_page
from fakes.github_json import Json, repository_id
from fakes.github_rest import Rest

ROUTES = Routes()
_REPO = "/repos/{owner}/{repo}"
_MAX_COMPARED = 300
"""Files of a comparison at most, all on its first page (GitHub Docs, "Compare two commits")."""
_MAX_CONTENT = 1_000_000
"""Bytes up to which the contents endpoint sends a file's text (GitHub Docs, "Get repository content")."""
_KINDS = {"tree": "dir", "commit": "submodule"}
_SHA = re.compile(r"[0-9a-f]{40}")


@ROUTES.add("GET", _REPO + "/compare/{basehead*}")
def compare(rest: Rest, request: GitHubRequest, **names: str) -> Answer:
    rest.repository(names, fork=True)
    git = rest.pull.git
    ends = [git.resolve(each.rpartition(":")[2]) for each in names["basehead"].split("...")]
    if len(ends) != 2 or ends[0] is None or ends[1] is None:
        raise Refused(404, "Not Found")
    base, head = ends[0], ends[1]
    common = git.merge_base(base, head)
    if common is None:
        raise Refused(404, f"No common ancestor between {names['basehead'].replace('...', ' and ')}.")
    ahead, behind = git.commits(base, head), git.commits(head, base)
    root = f"{rest.json.api}/repositories/{repository_id(rest.pull.repository)}"
    compared = urllib.parse.quote(names["basehead"])
    shown, links = one_page(ahead, request, f"{root}/compare/{compared}")
    page = f"{rest.json.site}/{rest.pull.repository}/compare/{compared}"
    files = rest.pull.listed(git.files(common, head)[:_MAX_COMPARED]) if request.query.get("page", "1") == "1" else []
    status = "diverged" if ahead and behind else "ahead" if ahead else "behind" if behind else "identical"
    body = {
        "url": f"{rest.json.root}/compare/{compared}",
        "html_url": page,
        "permalink_url": page,
        "diff_url": f"{page}.diff",
        "patch_url": f"{page}.patch",
        "base_commit": _commit(rest, base),
        "merge_base_commit": _commit(rest, common),
        "status": status,
        "ahead_by": len(ahead),
        "behind_by": len(behind),
        "total_commits": len(ahead),
        "commits": [_commit(rest, each) for each in shown],
        "files": [rest.json.file(each, head) for each in files],
    }
    return Answer(200, body, links)


@ROUTES.add("GET", _REPO + "/commits/{ref*}")
def get_commit(rest: Rest, _: GitHubRequest, **names: str) -> Answer:
    rest.repository(names, fork=True)
    sha = rest.pull.git.resolve(names["ref"])
    if sha is None:
        raise Refused(422, f"No commit found for SHA: {names['ref']}")
    parents = rest.pull.git.commit(sha).parents
    files = rest.pull.listed(rest.pull.git.files(parents[0], sha)[:_MAX_COMPARED]) if parents else []
    added, deleted = sum(each.additions for each in files), sum(each.deletions for each in files)
    return Answer(
        200,
        {
            **_commit(rest, sha),
            "stats": {"additions": added, "deletions": deleted, "total": added + deleted},
            "files": [rest.json.file(each, sha) for each in files],
        },
    )


def _commit(rest: Rest, sha: str) -> Json:
    facts, root = rest.pull.git.commit(sha), rest.json.root
    page = f"{rest.json.site}/{rest.pull.repository}/commit"
    who = {"name": facts.name, "email": facts.email, "date": facts.date}
    return {
        "sha": sha,
        "node_id": f"C_{sha}",
        "url": f"{root}/commits/{sha}",
        "html_url": f"{page}/{sha}",
        "comments_url": f"{root}/commits/{sha}/comments",
        "commit": {
            "url": f"{root}/git/commits/{sha}",
            "author": who,
            "committer": who,
            "message": facts.message,
            "comment_count": 0,
            "tree": {"sha": facts.tree, "url": f"{root}/git/trees/{facts.tree}"},
        },
        "author": None,
        "committer": None,
        "parents": [
            {"sha": each, "url": f"{root}/commits/{each}", "html_url": f"{page}/{each}"} for each in facts.parents
        ],
    }


@ROUTES.add("GET", _REPO + "/git/trees/{sha*}")
def get_tree(rest: Rest, request: GitHubRequest, **names: str) -> Answer:
    rest.repository(names, fork=True)
    sha = rest.pull.git.resolve(names["sha"], "tree")
    if sha is None:
        raise Refused(404, "Not Found")
    # Any value makes it recursive, even 0 (GitHub Docs, "Get a tree").
    entries = list(rest.pull.git.tree(sha, recursive="recursive" in request.query).items())
    truncated = rest.pull.truncated_trees and "recursive" in request.query
    rows = [_tree_row(rest, path, entry) for path, entry in entries[: len(entries) // 2 if truncated else None]]
    url = f"{rest.json.root}/git/trees/{sha}"
    return Answer(200, {"sha": sha, "url": url, "tree": rows, "truncated": truncated})


def _tree_row(rest: Rest, path: str, entry: TreeEntry) -> dict[str, Any]:
    row: dict[str, Any] = {"path": path, "mode": entry.mode, "type": entry.kind, "sha": entry.sha}
    if entry.size is not None:
        row["size"] = entry.size
    if entry.kind != "commit":
        row["url"] = f"{rest.json.root}/git/{entry.kind}s/{entry.sha}"
    return row


@ROUTES.add("GET", _REPO + "/git/blobs/{sha}")
def get_blob(rest: Rest, _: GitHubRequest, **names: str) -> Answer:
    rest.repository(names, fork=True)
    if not _SHA.fullmatch(names["sha"]):
        raise Refused(422, "The sha parameter must be exactly 40 characters and contain only [0-9a-f].")
    content = rest.pull.git.blob(names["sha"])
    if content is None:
        raise Refused(404, "Not Found")
    url = f"{rest.json.root}/git/blobs/{names['sha']}"
    body = {"sha": names["sha"], "node_id": f"B_{names['sha']}", "size": len(content), "url": url}
    return Answer(200, {**body, "content": _encoded(content), "encoding": "base64"})


@ROUTES.add("GET", _REPO + "/contents/{path*}")
def get_contents(rest: Rest, request: GitHubRequest, **names: str) -> Answer:
    rest.repository(names, fork=True)
    git, path = rest.pull.git, names["path"].strip("/")
    ref = request.query.get("ref") or rest.json.repository(rest.pull.repository)["default_branch"]
    sha = git.resolve(ref)
    if sha is None:
        raise Refused(404, f"No commit found for the ref {ref}")
    tree = git.tree(sha)
    entry = tree.get(path)
    if entry is None:
        raise Refused(404, "Not Found")
    if entry.kind == "tree":
        below = [each for each in tree if each.rpartition("/")[0] == path]
        return Answer(200, [_content(rest, each, tree[each], ref) for each in below])
    if entry.kind == "commit":
        where = f"{rest.json.site}/elsewhere/{path.rpartition('/')[2]}.git"
        return Answer(200, {**_content(rest, path, entry, ref), "submodule_git_url": where})
    if entry.mode == "120000":
        content = git.blob(entry.sha) or b""
        # A link to a file of the repository gives that file (GitHub Docs, "Get repository content").
        entry = tree.get(posixpath.normpath(posixpath.join(posixpath.dirname(path), os.fsdecode(content))), entry)
    content = git.blob(entry.sha) or b""
    if entry.mode == "120000":
        return Answer(200, {**_content(rest, path, entry, ref), "target": content.decode("utf-8", "replace")})
    shown = len(content) <= _MAX_CONTENT
    text = {"content": _encoded(content) if shown else "", "encoding": "base64" if shown else "none"}
    return Answer(200, {**_content(rest, path, entry, ref), **text})


def _content(rest: Rest, path: str, entry: TreeEntry, ref: str) -> Json:
    name = urllib.parse.quote(path)
    url = f"{rest.json.root}/contents/{name}?ref={urllib.parse.quote(ref)}"
    git = f"{rest.json.root}/git/{'trees' if entry.kind == 'tree' else 'blobs'}/{entry.sha}"
    page = f"{rest.json.site}/{rest.pull.repository}/blob/{ref}/{name}"
    return {
        "type": "symlink" if entry.mode == "120000" else _KINDS.get(entry.kind, "file"),
        "name": path.rpartition("/")[2],
        "path": path,
        "sha": entry.sha,
        "size": entry.size or 0,
        "url": url,
        "git_url": git,
        "html_url": page,
        "download_url": f"{rest.json.site}/raw/{name}" if entry.kind == "blob" else None,
        "_links": {"self": url, "git": git, "html": page},
    }


def _encoded(content: bytes) -> str:
    """Base64 in lines of 60 characters, as GitHub sends it."""
    text = base64.b64encode(content).decode()
    return "".join(f"{text[start : start + 60]}\n" for start in range(0, len(text), 60))
