"""Workflows that run what a pull request brings with the rights of the repository it goes to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from devpulse.core.categories import Confidence
from devpulse.core.finding import Hit, Step, Trace
from devpulse.core.lazy_pattern import lazy
from devpulse.core.rules.wording import Weakness, Wording, make_hit
from devpulse.core.rules.workflows.conditions import asks_who, is_kept_inside
from devpulse.core.rules.workflows.contexts import plain
from devpulse.core.rules.workflows.lines import KeyLine, key_lines, trigger
from devpulse.core.source import Rule, Source
from devpulse.core.symbols import Resolver

_TRIGGERS = lazy(r"\b(?:pull_request_target|workflow_run|issue_comment)\b")
_CHECKOUT = lazy(r"^actions/checkout(?:@|$)")
_HEAD = lazy(
    r"github\.event\.(?:pull_request|workflow_run)\.head[._](?:sha|ref|branch|repository)|github\.head_ref|refs/pull/|"
    r"\bgithub\.event\.pull_request\.(?:merge_commit_sha|head\.repo)|\.pull_requests\S{0,20}\.head\."
)
_BUILDS = lazy(
    r"(?m)(?:^|[\s;&|(])(?:npm|npx|yarn|pnpm|bun|pip3?|pipx|poetry|uv|tox|nox|python3?|pytest|make|cmake|mvnw?|gradlew?|"
    r"cargo|go|bundle|rake|rails|composer|php|dotnet|swift|bazel|docker|node|deno|ruby|bash|sh|\.{1,2}/\S+)\s+\S|"
    r"(?:^|[\s;&|(])(?:make|tox|nox|pytest|yarn|\.{1,2}/\S+)\s*$"
)
_LOCAL = lazy(r"^\.{1,2}/")
_CHECKED = lazy(
    r"(?i)author_association|/collaborators/|getCollaboratorPermission|checkMembership|/memberships/|"
    r"(?:actor|user|check|team)[-_]?(?:permissions?|member(?:ship)?)|permissions?[-_]check|is[-_]?(?:team[-_]?)?member"
)
_FETCHED = lazy(
    r"\bgh\s+pr\s+checkout\b|\bgit\b[^\n]{0,200}\bpull/(?:\$\{\{[^}\n]{1,100}\}\}|[^\s/]{1,100})/(?:head|merge)\b|"
    r"\bgit\s+(?:checkout|switch|reset|merge|pull|fetch)\b[^\n]{0,200}(?:github\.event\.pull_request\.head\.(?:sha|ref)|github\.head_ref)"
)
"""Commands that bring the head of a pull request into the folder."""

_STEPS = 200
"""Steps behind a checkout that are looked at; jobs have some twenty."""


@dataclass(frozen=True, slots=True)
class _Step:
    """The lines of a step, by what their keys are."""

    lines: tuple[KeyLine, ...]

    def values(self, key: str) -> list[KeyLine]:
        """The lines under a key of the step."""
        return [line for line in self.lines if line.key == key]

    def text(self, key: str) -> str:
        """What stands under a key."""
        return "\n".join(line.value for line in self.values(key))

    def names(self, folder: str) -> bool:
        """Whether the step names a folder; without one, whatever it does is done where everything is."""
        return not folder or any(folder in line.value for line in self.lines)


def check(source: Source, resolver: Resolver) -> Iterator[Hit]:  # noqa: ARG001  (the protocol)
    """One hit for each checkout of the head of a pull request in a job that has rights and goes on with it."""
    if "checkout" not in source.text and "pull/" not in source.text:
        return
    lines = list(key_lines(source.text))
    started = trigger(lines, _TRIGGERS)
    if started:
        for job in _jobs(lines):
            yield from _of_job(job, Step(source.path, started, "outsiders start the run"))


def stopped(source: Source) -> bool:
    """Whether what a step is given is written in a way that is not read, ``with: {ref: …}``."""
    lines = key_lines(source.text) if "checkout" in source.text else ()
    return any(line.key == "with" and line.value.startswith("{") and "${{" in line.value for line in lines)


def _jobs(lines: Sequence[KeyLine]) -> Iterator[list[KeyLine]]:
    inside = [line for line in lines if len(line.keys) > 2 and line.keys[0] == "jobs"]
    for _, job in groupby(inside, key=lambda line: line.keys[1]):
        yield list(job)


def _of_job(job: list[KeyLine], started: Step) -> Iterator[Hit]:
    steps = list(_steps(job))
    condition = " ".join(line.value for line in job if line.keys[2:] == ("if",)).strip(" |>-")
    if is_kept_inside(condition):
        return
    guarded = asks_who(condition) or any(line.keys[2] == "environment" for line in job)
    runs = [_runs(step) for step in steps]
    asked = next((number for number, step in enumerate(steps) if _checks(step)), len(steps))
    for number, step in enumerate(steps):
        where = _taken(step)
        if where is None or is_kept_inside(step.text("if")):
            continue
        checked = guarded or asks_who(step.text("if")) or number > asked
        later = range(number + (where.key != "run"), min(number + 1 + _STEPS, len(steps)))
        folder = step.text("path").strip("\"'./ ")
        running = (runs[at] for at in later if steps[at].names(folder))
        run = next((line for line in running if line is not None and line.number >= where.number), None)
        if later:
            sure = Confidence.HIGH if run is not None and not checked else Confidence.LOW
            place = where.number
            hit = make_hit(_WEAKNESS, _WORDING, (place, place), sure)
            taken = Step(started.path, place, "their code is checked out")
            last = None if run is None else Step(started.path, run.number, "it runs")
            yield replace(hit, trace=Trace(started, (taken,), last) if last else Trace(started, (), taken))


def _steps(job: list[KeyLine]) -> Iterator[_Step]:
    """The steps of a job: each begins with a dash directly under ``steps``."""
    inside = [line for line in job if len(line.keys) > 3 and line.keys[2] == "steps"]
    step: list[KeyLine] = []
    for line in inside:
        if line.begins_item and line.indents[3] == line.indent and step:
            yield _Step(tuple(step))
            step = []
        step.append(line)
    if step:
        yield _Step(tuple(step))


def _taken(step: _Step) -> KeyLine | None:
    """The line by which a step takes the head of a pull request into the folder."""
    fetched = (line for line in step.values("run") if _FETCHED.search(line.value))
    if not _CHECKOUT.search(step.text("uses").strip("\"' ")):
        return next(fetched, None)
    named = (line for key in ("ref", "repository") for line in step.values(key))
    return next((line for line in named if _HEAD.search(plain(line.value))), None)


def _checks(step: _Step) -> bool:
    """Whether a step asks who it is that wants something to run."""
    return any(_CHECKED.search(line.value) for line in step.lines if line.key in {"uses", "run", "script", "if"})


def _runs(step: _Step) -> KeyLine | None:
    """The line by which a step runs what was checked out: a build, or an action that lies in it."""
    builds = (line for line in step.values("run") if _BUILDS.search(line.value))
    local = (line for line in step.values("uses") if _LOCAL.search(line.value.strip("\"' ")))
    return next(builds, None) or next(local, None)


_WEAKNESS = Weakness("code-injection")
_WORDING = Wording(
    title="A pull request's code runs with the rights of the repository",
    description="This trigger gives the run the token and the secrets of the repository, and the job checks out and "
    "runs what anybody can put into a pull request.",
    fix="Build it under `pull_request`, which has no secrets, and hand results over as an artifact; or check out the "
    "base and read the change as data.",
)

RULE = Rule(id="workflow-checkout", category="code-injection", languages=frozenset(), check=check, limit=stopped)
