"""What people with write permission decided about findings, in the threads of our comments.

A thread that such a person closed, or answered with ``/devpulse ignore <reason>``, sets its finding aside, and so does
``/devpulse ignore <fingerprint> <reason>`` in the conversation. What anybody else does there has no effect on it.
Nothing is stored: every run reads all of it anew, so that to open a thread again, or to delete the answer or comment,
takes the decision back.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from devpulse.core.finding import Finding, FindingStatus
from devpulse.output.characters import clip, visible
from devpulse.output.comments.standing import Ignore, Standing, StandingComment

NOT_KNOWN = "Whether somebody set findings aside on the pull request is not known"
"""What a report says when nobody could be asked; the reason follows."""

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


def deciders(standing: Standing, found: Collection[str]) -> Iterator[str]:
    """The logins whose permission decides about what was ``found``, by fingerprint; each once."""
    logins = [ignore.login for _, ignore in _requested(standing, found)]
    for comment in standing.comments:
        if comment.fingerprint not in found:
            continue
        logins += [ignore.login for ignore in comment.ignores]
        if comment.resolved and not comment.closed_by_us and comment.resolved_by:
            logins.append(comment.resolved_by)
    yield from dict.fromkeys(logins)


def decide(standing: Standing, may_write: Mapping[str, bool], found: Collection[str]) -> dict[str, Decision]:
    """The decisions that count, by fingerprint. ``may_write`` says who has write permission; nobody else counts.

    The newest request in a thread comes first, then the newest in the conversation, then a closed thread, which does
    not say why.
    """
    decided: dict[str, Decision] = {}
    for name, ignore in _requested(standing, found):
        if may_write.get(ignore.login):
            decided[name] = Decision(ignore.login, ignore.why, asked=True)
    for comment in standing.comments:
        asked = [each for each in comment.ignores if may_write.get(each.login)]
        if asked:
            decided[comment.fingerprint] = Decision(asked[-1].login, asked[-1].why, asked=True)
        elif comment.resolved and not comment.closed_by_us and may_write.get(comment.resolved_by):
            decided.setdefault(comment.fingerprint, Decision(comment.resolved_by, "", asked=False))
    return decided


def _requested(standing: Standing, found: Collection[str]) -> Iterator[tuple[str, Ignore]]:
    """What is asked in the conversation, by fingerprint; a beginning that fits several findings names none."""
    for request in standing.requests:
        named = [name for name in found if name.startswith(request.beginning)]
        if len(named) == 1:
            yield named[0], Ignore(request.login, request.why)


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
