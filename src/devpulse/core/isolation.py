"""Proves from the log of a run that every request was built from its own conversation only.

The log names each message of each request by a digest, taken from what was really sent. It also names, by the
same digest, where messages come from: the two a conversation opens with, each reply, each answer of a tool, each
word of the program, each summary. A request is proved when the second list, kept for its conversation alone,
gives exactly the first. Equal digests mean equal text, so no text has to be in the log.

A request for the words of a summary is a context of its own. It must name the messages that it sums up, and these must
be the oldest of its conversation. One that names none may only be about the coordinator's history, which holds
references and decisions of all tasks, and no message.

It is a proof against mistakes of the program, and against edits that do not forge the whole story of a
conversation: a log is not signed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

_ANSWERS = frozenset({"tool_call", "tool_refused", "tool_repeated"})
_COMPLETE = frozenset({"stop", "tool-calls"})
_DERIVED = re.compile(r"(?:\.[12])*(?:\.verify)?$")
"""What a half of a task, and its verification, add to the task's id."""

_SUMMARY = "a summary"

_KINDS = {"s": "a system prompt", "u": "a text", "a": "a reply", "t": "an answer of a tool"}

_COMPARED = 100
"""Characters of a reason; the log keeps more of each value."""

Event = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class SavedResult:
    """What a saved result says of the work behind it; ``tokens`` are the estimated ones of all its requests."""

    task: str
    outcome: str
    reason: str
    steps: int
    tokens: int = 0


@dataclass(frozen=True, slots=True)
class Violation:
    """The first thing that is not as it must be. ``line`` counts from 1 in the log; 0 where it is no line of it."""

    line: int
    task: str
    step: int
    text: str


@dataclass(frozen=True, slots=True)
class Isolation:
    """What was checked, and what broke it. ``tasks`` are those with a request, ``contexts`` the conversations,
    ``summaries`` the requests for the words of one."""

    runs: int
    tasks: int
    contexts: int
    requests: int
    answers: int
    violation: Violation | None
    summaries: int = 0


class _Broken(Exception):
    """Ends the check at the first violation."""


@dataclass(slots=True)
class _Context:
    """One conversation so far: the messages that its next request must hold, and the calls that wait for an answer."""

    messages: list[str]
    step: int = 1
    called: int = 0


@dataclass(slots=True)
class _Run:
    contexts: dict[str, _Context] = field(default_factory=dict)
    systems: dict[str, str] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    requests: Counter[str] = field(default_factory=Counter)
    reused: set[str] = field(default_factory=set)
    finished: dict[str, tuple[int, Event]] = field(default_factory=dict)


@dataclass(slots=True)
class _Check:
    owners: Mapping[str, set[str]]
    run: _Run = field(default_factory=_Run)
    runs: int = 0
    tasks: set[tuple[int, str]] = field(default_factory=set)
    contexts: int = 0
    requests: int = 0
    answers: int = 0
    summaries: int = 0

    def take(self, number: int, event: Event) -> None:
        name, task = event["event"], event.get("task", "")
        if name == "planned":
            self.runs += 1
            self.run = _Run()
        elif name == "reused":
            self.run.reused.add(task)
        elif name == "task_finished":
            self.run.finished[task] = number, event
        elif name == "request":
            self._request(task, event)
        elif name == "summary_request":
            self._summary_request(task, event)
        elif name in {"reply", "told", *_ANSWERS} or _is_of_context(event):
            self._origin(name, task, event)

    def _request(self, task: str, event: Event) -> None:
        sent = _digests(event)
        if event["step"] == 1:
            self._open(task, event["form"], sent)
        context = self._context(task)
        if event["step"] != context.step:
            raise _Broken(f"comes after step {context.step - 1} of its context")
        if sent != context.messages:
            raise _Broken(self._difference(task, sent, context.messages))
        context.step += 1
        context.called = 0
        self.requests += 1
        self.run.requests[base_task(task)] += 1
        self.tasks.add((self.runs, base_task(task)))

    def _summary_request(self, task: str, event: Event) -> None:
        _, text = self._begun(_SUMMARY, _digests(event))
        # Not kept as the task's own: two tasks that looked up the same have the same record.
        if (other := self.run.texts.get(text, base_task(task))) != base_task(task):
            raise _Broken(f"it was given the task text of {other}")
        context, about = self.run.contexts.get(task), event["about"]
        if context is not None and about is None:
            raise _Broken("it does not say which messages it sums up")
        if about is not None:
            own = self._context(task).messages[2:]
            if not isinstance(about, list) or not about or about != own[: len(about)]:
                raise _Broken("it sums up messages that are not the oldest of its own conversation")
        self.summaries += 1

    def _open(self, task: str, form: str, sent: list[str]) -> None:
        _, text = self._begun(form, sent)
        if (other := self.run.texts.setdefault(text, base_task(task))) != base_task(task):
            raise _Broken(f"it was given the task text of {other}")
        self.run.contexts[task] = _Context(sent)
        self.contexts += 1

    def _begun(self, form: str, sent: list[str]) -> tuple[str, str]:
        """The two messages that a context which ends with ``form`` begins with."""
        kinds = [digest[0] for digest in sent]
        if kinds != ["s", "u"]:
            raise _Broken(f"the first request of a context holds {len(sent)} messages, not its system prompt and task")
        system, text = sent
        if self.run.systems.setdefault(form, system) != system:
            raise _Broken(f"its system prompt is not that of the other contexts that end with {form}")
        return system, text

    def _origin(self, name: str, task: str, event: Event) -> None:
        context, message = self._context(task), event["message"]
        if name == "compaction":
            kept = event["kept"]
            context.messages = [*context.messages[:2], message, *context.messages[len(context.messages) - kept :]]
            return
        if name == "reply":
            context.called = event["called"]
            if event["stop"] in _COMPLETE:
                context.messages = [*context.messages, message]
            return
        if message.startswith("t:"):
            context.called -= 1
            if context.called < 0:
                raise _Broken("a tool answered that the last reply had not called")
            self.answers += name in _ANSWERS
        elif name in _ANSWERS:
            raise _Broken("the answer of a tool is no answer")
        context.messages = [*context.messages, message]

    def _context(self, task: str) -> _Context:
        context = self.run.contexts.get(task)
        if context is None:
            raise _Broken("it has no first request")
        return context

    def _difference(self, task: str, sent: list[str], own: list[str]) -> str:
        place = next((n for n, (a, b) in enumerate(zip(sent, own, strict=False)) if a != b), min(len(sent), len(own)))
        if place >= len(sent):
            return f"it lacks message {place + 1} of its own conversation"
        foreign = sent[place]
        kind = _KINDS.get(foreign[:1], "a message")
        others = sorted(self.owners.get(foreign, set()) - {task})
        whose = f"of {others[0]}" if others else "that is in no conversation"
        return f"message {place + 1} is not of its own conversation: it is {kind} {whose}"

    def results(self, results: Iterable[SavedResult]) -> Violation | None:
        """What the saved results of the last run say against its log."""
        saved = {result.task: result for result in results}
        for task, (line, event) in self.run.finished.items():
            if task not in saved:
                return Violation(line, task, 0, "its result is not there any more")
            if other := _otherwise(saved[task], event):
                return Violation(line, task, 0, f"its result says otherwise: {other}")
        for result in saved.values():
            requests = self.run.requests[result.task]
            if result.reason == "reused" and result.task not in self.run.reused:
                return Violation(0, result.task, 0, "its result was taken from the store, but the log does not say so")
            if result.outcome == "failed" and result.steps == 0:
                continue  # an unforeseen error ended it, and what it had asked before is not in its result
            if requests != result.steps:
                return Violation(
                    0, result.task, 0, f"its result took {result.steps} requests, the log holds {requests}"
                )
        return None


def check_isolation(events: Iterable[tuple[int, Event]], results: Iterable[SavedResult]) -> Isolation:
    """Check a log of one or several runs, and the saved results, which are those of its last run.

    ``events`` are numbered from 1 by the line they stand on.
    """
    rows = list(events)
    check = _Check(_owners(rows))
    violation = None
    for number, event in rows:
        try:
            check.take(number, event)
        except (_Broken, KeyError, TypeError, AttributeError, ValueError) as error:
            why = str(error) if isinstance(error, _Broken) else "it is not as a run writes it"
            task, step = event.get("task", ""), event.get("step", 0)
            violation = Violation(number, str(task), step if isinstance(step, int) else 0, why)
            break
    else:
        violation = check.results(results)
    return Isolation(
        check.runs, len(check.tasks), check.contexts, check.requests, check.answers, violation, check.summaries
    )


def _otherwise(saved: SavedResult, event: Event) -> str:
    """In what a saved result differs from what the log said of it when it was saved; empty when in nothing.

    The log cuts long values, so that a long reason is compared by its beginning.
    """
    logged, reason = event.get("outcome", saved.outcome), str(event.get("reason", saved.reason))
    if logged != saved.outcome:
        return f"{saved.outcome}, the log says {logged}"
    if reason[:_COMPARED] != saved.reason[:_COMPARED]:
        return f"the reason {saved.reason[:_COMPARED]!r}, the log gives {reason[:_COMPARED]!r}"
    tokens = event.get("tokens", saved.tokens)
    return "" if tokens == saved.tokens else f"{saved.tokens} tokens, the log says {tokens}"


def base_task(task: str) -> str:
    """The task of the plan that a conversation belongs to."""
    return _DERIVED.sub("", task)


def _is_of_context(event: Event) -> bool:
    """Whether a compaction is one of a conversation. The coordinator's history holds references and decisions only."""
    return event["event"] == "compaction" and "message" in event


def _digests(event: Event) -> list[str]:
    digests = event["messages"]
    if not isinstance(digests, list) or not digests or not all(isinstance(one, str) and one for one in digests):
        raise ValueError("no digests")
    return digests


def _owners(rows: Iterable[tuple[int, Event]]) -> dict[str, set[str]]:
    """Which conversations each message belongs to, as their own events say."""
    owners: dict[str, set[str]] = {}
    for _, event in rows:
        named = [event.get("message")]
        if event.get("event") == "request" and event.get("step") == 1 and isinstance(event.get("messages"), list):
            named = event["messages"][1:2]
        for digest in named:
            if isinstance(digest, str):
                owners.setdefault(digest, set()).add(str(event.get("task", "")))
    return owners
