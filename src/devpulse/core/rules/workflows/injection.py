"""Expressions in scripts of workflows: GitHub writes their text into the script before a shell reads it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from devpulse.core.categories import Confidence
from devpulse.core.finding import Hit, Step, Trace
from devpulse.core.lazy_pattern import lazy
from devpulse.core.rules.wording import Weakness, Wording, make_hit
from devpulse.core.rules.workflows.conditions import of_other_event
from devpulse.core.rules.workflows.contexts import environment_in, expressions, given_by_callers, written_by_outsiders
from devpulse.core.rules.workflows.lines import KeyLine, key_lines, trigger
from devpulse.core.source import Rule, Source
from devpulse.core.symbols import Resolver

_PRIVILEGED = lazy(
    r"\b(?:issues|issue_comment|pull_request_target|pull_request_review|pull_request_review_comment|discussion|"
    r"discussion_comment|workflow_run|fork|watch|gollum)\b"
)
"""Triggers that outsiders can set off in a run that has the rights and secrets of the repository."""

_LATER = lazy(r"\b(?:push|workflow_call|schedule|release|merge_group)\b")
"""Triggers of runs with rights, which outsiders reach with a text that somebody merged or handed on."""

_ANY = lazy("")
_CALLED = lazy(r"\bworkflow_call\b")

_FLOW_STEPS = lazy(r"\{[^{}\n]{0,200}\brun[\"']?\s*+:")
_GITHUB_SCRIPT = "actions/github-script"


@dataclass(frozen=True, slots=True)
class _Written:
    """What an expression gives, the line of ``env`` that it comes from or 0, and whether outsiders write it."""

    what: str
    line: int
    outside: bool


def check(source: Source, resolver: Resolver) -> Iterator[Hit]:  # noqa: ARG001  (the protocol)
    """One hit a line of a script into which an expression writes what others chose."""
    if "${{" not in source.text:
        return
    lines = list(key_lines(source.text))
    started = trigger(lines, _PRIVILEGED)
    sure = Confidence.HIGH if started else _without_outsiders(lines)
    called = not trigger(lines, _ANY) or trigger(lines, _CALLED)
    environment = _environment(lines)
    scripts = _GITHUB_SCRIPT in source.text
    inside = _other_events(lines)
    for line in lines:
        if line.key == "run" or (scripts and line.key == "script"):
            written = _written(line, environment)
            if written is not None and (written.outside or called):
                kept = line.keys[1:2] in inside
                yield _hit(source.path, line, written, 0 if kept else started, Confidence.LOW if kept else sure)


def stopped(source: Source) -> bool:
    """Whether steps or expressions are written in a way that is not read: ``steps: [{run: …}]``, or over lines."""
    if "${{" not in source.text:
        return False
    values = [line.value for line in key_lines(source.text)]
    return any(_FLOW_STEPS.search(value) or value.rfind("${{") > value.rfind("}}") for value in values)


def _other_events(lines: list[KeyLine]) -> frozenset[tuple[str, ...]]:
    """The jobs that run for events only by which outsiders get no rights."""
    conditions: dict[tuple[str, ...], str] = {}
    for line in lines:
        if line.keys[:1] == ("jobs",) and line.keys[2:] == ("if",):
            conditions[line.keys[1:2]] = f"{conditions.get(line.keys[1:2], '')} {line.value}".strip(" |>-")
    return frozenset(job for job, condition in conditions.items() if of_other_event(condition))


def _without_outsiders(lines: list[KeyLine]) -> Confidence:
    """How sure it is that a text does harm in runs that outsiders do not start with rights.

    Under ``pull_request`` the code that a run executes is theirs anyway, and has no secrets. An action, which names no
    trigger, may be used in any run.
    """
    return Confidence.MEDIUM if not trigger(lines, _ANY) or trigger(lines, _LATER) else Confidence.LOW


def _hit(path: str, line: KeyLine, written: _Written, started: int, confidence: Confidence) -> Hit:
    weakness, wording = (_SHELL, _SHELL_WORDING) if line.key == "run" else (_CODE, _CODE_WORDING)
    hit = make_hit(weakness, wording, (line.number, line.number), confidence if written.outside else Confidence.LOW)
    steps = [Step(path, started, "outsiders start the run")] if started else []
    steps += [Step(path, written.line, f"set to {written.what}")] if written.line else []
    if not steps:
        return hit
    return replace(hit, trace=Trace(steps[0], tuple(steps[1:]), Step(path, line.number, "written into the script")))


def _written(line: KeyLine, environment: dict[str, tuple[int, str]]) -> _Written | None:
    """What others chose of what is written into a line: of outsiders rather than of callers."""
    found: list[_Written] = []
    for expression in expressions(line.value):
        given = [(0, expression)]
        given += [environment[name] for name in environment_in(expression) if name in environment]
        for number, text in given:
            what = written_by_outsiders(text)
            other = what or given_by_callers(text)
            if other:
                found.append(_Written(other, number, outside=bool(what)))
    return max(found, key=lambda written: written.outside, default=None)


def _environment(lines: list[KeyLine]) -> dict[str, tuple[int, str]]:
    """What ``env`` sets from expressions with something of others in it, by its name in small letters."""
    found: dict[str, tuple[int, str]] = {}
    for line in lines:
        if "env" in line.keys[:-1]:
            for expression in expressions(line.value):
                if written_by_outsiders(expression) or (given_by_callers(expression) and line.key not in found):
                    found[line.key] = (line.number, expression)
    return found


_SHELL = Weakness("command-injection")
_CODE = Weakness("code-injection")
_SHELL_WORDING = Wording(
    title="Text of outsiders in a shell script of a workflow",
    description="The expression is written into the script before the shell reads it, so whoever writes that text runs "
    "commands with the token and the secrets of the run.",
    fix='Set it in `env:` of the step and use it as a quoted variable, `"$TITLE"`, in the script.',
)
_CODE_WORDING = Wording(
    title="Text of outsiders in a script of a workflow",
    description="The expression is written into the program before it runs, so whoever writes that text runs code with "
    "the token of the step.",
    fix="Read it from `context.payload`, or set it in `env:` of the step and read `process.env`.",
)

RULE = Rule(id="workflow-injection", category="command-injection", languages=frozenset(), check=check, limit=stopped)
