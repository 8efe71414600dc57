"""What GitHub checks beyond the types in its description: bodies, places in the diff, whole reviews.

The words of the errors are GitHub's as people reported them, unless a comment says that they are not on record.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fakes.github_git import ChangedFile, DiffRow
from fakes.github_http import Refused
from fakes.github_pull import FakePull

MAX_BODY = 65_536
"""Characters of a comment's body at most; the error's text states the number."""
_TOO_LONG = f"Body is too long (maximum is {MAX_BODY} characters)"


def check_body(body: str, resource: str) -> None:
    """Refuse an empty or overlong comment; a review says the same in another form."""
    message = "Body cannot be blank" if not body.strip() else _TOO_LONG if len(body) > MAX_BODY else ""
    if message:
        fault = {"resource": resource, "code": "unprocessable", "field": "data", "message": message}
        raise Refused(422, "Validation Failed", [fault])


def place_faults(pull: FakePull, comment: Mapping[str, Any], commit: str) -> list[tuple[str, str]]:
    """Why a comment cannot stand where it wants to: what it is about and what is wrong with it.

    The rules are those of GitHub Docs, REST, "Create a review comment for a pull request"; the words were reported in
    parkerbxyz/suggest-changes#28 (line, hunk), ubuntu/WSL#244 (order) and PureWeen/PolyPilot#611 (path).
    """
    file = pull.file(comment["path"], commit)
    if file is None:
        return [("path", "could not be resolved")]
    if comment.get("subject_type") == "file":
        return []
    row = row_of(pull, file, comment)
    start = _start_of(file, comment)
    faults = [] if row else [("line", "must be part of the diff")]
    if comment.get("start_line") is not None:
        if row and start and start.position >= row.position:
            faults.append(("start_line", "must precede the end line."))
        elif row is None or start is None or start.hunk != row.hunk:
            faults.append(("start_line", "must be part of the same hunk as the line."))
    return faults if row else [*faults, ("diff_hunk", "can't be blank")]


def _start_of(file: ChangedFile, comment: Mapping[str, Any]) -> DiffRow | None:
    start = comment.get("start_line")
    side = comment.get("start_side") or comment.get("side") or "RIGHT"
    return None if start is None else file.row(side, start)


def row_of(pull: FakePull, file: ChangedFile, comment: Mapping[str, Any]) -> DiffRow | None:
    """The row of the diff a comment is for: by line and side, or by position."""
    if file.patch is None:  # a patch left out of a list for its length is still a diff
        return None
    if comment.get("line") is None:
        return next((row for row in file.rows if row.position == comment.get("position")), None)
    if (file.path, comment["line"]) in pull.refuse_lines:
        return None
    return file.row(comment.get("side") or "RIGHT", comment["line"])


def check_review(pull: FakePull, review: Mapping[str, Any], commit: str) -> None:
    """Refuse a whole review for one comment that cannot stand, without saying which (the same reports as above)."""
    comments = review.get("comments") or []
    body = review.get("body") or ""
    if max(map(len, (body, *(each["body"] for each in comments)))) > MAX_BODY:
        raise _unprocessable(_TOO_LONG)
    if not body and not comments:
        _refuse_empty(review.get("event"))
    if commit not in pull.commits():
        raise _unprocessable("Commit is not part of the pull request")  # the words are not on record
    if not all(each["body"].strip() for each in comments):
        raise _unprocessable("Body can't be blank")  # the words are not on record
    sentences = [_sentence(place_faults(pull, comment, commit)) for comment in comments]
    if any(sentences):
        raise _unprocessable(*dict.fromkeys(filter(None, sentences)))


def _refuse_empty(event: str | None) -> None:
    """Both events need a body (GitHub Docs, "Create a review"; 422 by hubtty/hubtty#67 and #128)."""
    if event == "REQUEST_CHANGES":
        raise _unprocessable("You need to leave a comment indicating the requested changes.")
    if event == "COMMENT":
        raise _unprocessable("Body can't be blank")  # the words are not on record


def _unprocessable(*errors: str) -> Refused:
    return Refused(422, "Unprocessable Entity", errors)


def _sentence(faults: Sequence[tuple[str, str]]) -> str:
    if faults and faults[0][0] == "path":
        return "Path could not be resolved"
    parts = [f"Pull request review thread {name.replace('_', ' ')} {message}" for name, message in faults]
    return f"{', '.join(parts[:-1])}, and {parts[-1]}" if len(parts) > 2 else " and ".join(parts)


def check_single(pull: FakePull, comment: Mapping[str, Any]) -> None:
    """The rules for one comment sent on its own; its errors name fields (qiniu/reviewbot#179)."""
    check_body(comment["body"], "PullRequestReviewComment")
    if comment["commit_id"] not in pull.commits():
        faults = [("commit_id", "commit_id is not part of the pull request")]  # the words are not on record
    else:
        every = place_faults(pull, comment, comment["commit_id"])
        names = [(f"pull_request_review_thread.{name}", message) for name, message in every]
        faults = [(name, f"{name} {message}") for name, message in names]
    if faults:
        errors = [
            {"resource": "PullRequestReviewComment", "code": "custom", "field": name, "message": message}
            for name, message in faults
        ]
        raise Refused(422, "Validation Failed", errors)
