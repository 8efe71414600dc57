"""What people with write permission decided about findings, in the threads of our comments.

A thread that such a person closed, or answered with ``/devpulse ignore <reason>``, sets its finding aside. What
anybody else does there has no effect on it. Nothing is stored: every run reads the threads anew, so that to open a
thread again, or to delete the answer, takes the decision back.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from devpulse.core.finding import Finding, FindingStatus
from devpulse.output.characters import clip, visible
from devpulse.output.comments.standing import StandingComment

_IGNORE = re.compile(r"/devpulse[ \t]+ignore(?:[ \t]+(.*))?", re.IGNORECASE)
_WHY_LIMIT = 300
_LOGIN_LIMIT = 100


@dataclass(frozen=True, slots=True)
class Decision:
    """Who had a finding set aside and why; ``asked`` when it was by a comment, else the thread was closed."""

    login: str
    why: str
    asked: bool

    @property
    def reason(self) -> str:
        """For the finding."""
        who = clip(visible(self.login), _LOGIN_LIMIT)
        if not self.asked:
            return f"{who} closed its thread on the pull request"
        why = clip(" ".join(visible(self.why).split()), _WHY_LIMIT)
        return f"{who} had it ignored on the pull request: {why or 'no reason was given'}"


def read_ignore(body: str) -> str | None:
    """The reason in a comment whose first line asks to ignore the finding, ``None`` when it does not."""
    match = _IGNORE.fullmatch(body.strip().partition("\n")[0].strip())
    return (match.group(1) or "").strip() if match else None


def deciders(comments: Iterable[StandingComment], found: Collection[str]) -> Iterator[str]:
    """The logins whose permission decides about what was ``found``, by fingerprint; each once."""
    seen: set[str] = set()
    for comment in comments:
        if comment.fingerprint not in found:
            continue
        logins = [ignore.login for ignore in comment.ignores]
        if comment.resolved and not comment.closed_by_us and comment.resolved_by:
            logins.append(comment.resolved_by)
        for login in logins:
            if login not in seen:
                seen.add(login)
                yield login


def decide(comments: Iterable[StandingComment], may_write: Mapping[str, bool]) -> dict[str, Decision]:
    """The decisions that count, by fingerprint. ``may_write`` says who has write permission; nobody else counts.

    The newest request to ignore comes before a closed thread, since it says why.
    """
    decided: dict[str, Decision] = {}
    for comment in comments:
        asked = [each for each in comment.ignores if may_write.get(each.login)]
        if asked:
            decided[comment.fingerprint] = Decision(asked[-1].login, asked[-1].why, asked=True)
        elif comment.resolved and not comment.closed_by_us and may_write.get(comment.resolved_by):
            decided.setdefault(comment.fingerprint, Decision(comment.resolved_by, "", asked=False))
    return decided


def set_aside(findings: Iterable[Finding], decided: Mapping[str, Decision]) -> tuple[Finding, ...]:
    """The findings, with those that people decided about suppressed. One that is already keeps its reason."""
    return tuple(
        replace(finding, status=FindingStatus.SUPPRESSED, reason=decided[finding.fingerprint].reason)
        if finding.fingerprint in decided and finding.status is not FindingStatus.SUPPRESSED
        else finding
        for finding in findings
    )


def unheeded(
    comments: Iterable[StandingComment], findings: Iterable[Finding], may_write: Mapping[str, bool]
) -> tuple[StandingComment, ...]:
    """Comments whose threads somebody closed who may not decide that; the finding is still there and counts."""
    open_ones = {finding.fingerprint for finding in findings if finding.status is not FindingStatus.SUPPRESSED}
    return tuple(
        comment
        for comment in comments
        if comment.fingerprint in open_ones
        and comment.resolved
        and not comment.closed_by_us
        and may_write.get(comment.resolved_by) is False
    )
