"""``devpulse publish``: the results of another run, which may be forged, on the pull request they are about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from devpulse.adapters.foreign_folder import ForeignFiles, read_foreign
from devpulse.adapters.github.publisher import Publication, publish
from devpulse.adapters.github.pull import PullRequestFacts, PullRequestId
from devpulse.adapters.github.reads import Reads
from devpulse.adapters.runner.event_file import read_other_run
from devpulse.core.change import ChangeSet, Side
from devpulse.core.event import NUMBERED_EVENTS, NothingToDo
from devpulse.core.other_run import OTHER_RUN_EVENT, reason_not_to_publish
from devpulse.core.redaction import Redactor
from devpulse.core.review import Report
from devpulse.core.source_tree import SourceTree
from devpulse.errors import ConfigurationError, ExitStatus, ResultsRefused
from devpulse.main.config import with_config
from devpulse.main.deadline import Deadline
from devpulse.main.own_secrets import learn_own_secrets
from devpulse.main.people import decided_report
from devpulse.main.pull_request import Connection, OpenedPull, connection, idle_reason, open_pull_request
from devpulse.main.step import Step, commands_stopped, end_idle, line_of
from devpulse.output.annotations import AnnotationLevel, render_command
from devpulse.output.comments.marker import FOREIGN_HEADING
from devpulse.output.comments.reanchor import FileAt
from devpulse.output.comments.record import Published
from devpulse.output.comments.rights import Rights
from devpulse.output.comments.said import render_published, said_of, would_be
from devpulse.output.comments.sticky import SummaryMode
from devpulse.output.coverage import plural
from devpulse.output.masked import mask_report
from devpulse.output.outputs import outputs_of
from devpulse.output.summary import render_summary
from devpulse.pipeline.foreign import Dropped, Foreign, parse_foreign
from devpulse.pipeline.plan import PathFilter, opened_up
from devpulse.pipeline.recheck import Ground, Rechecked, recheck
from devpulse.pipeline.texts import ChangeTexts, SideTexts
from devpulse.settings import Settings

_REASONS_SHOWN = 5


def publish_other_run(step: Step, early: Settings) -> int:
    """Publish what another run found, as far as it holds against the pull request's head.

    Raises:
        ConfigurationError: a setting or the event is not as it must be.
        ResultsRefused: the artifacts are unreadable, or about another pull request or commit.
        GitHubError: GitHub does not give the pull request.
        SourceError: the change cannot be read.
    """
    if early.from_ is None:
        raise ConfigurationError(
            "there is nothing to publish", hint="Set from to the folder that the artifacts were downloaded to."
        )
    connected = connection(PullRequestId(step.runner.repository, 0), step.runner.api_url, early.github_token)
    connected.end_by(Deadline.after(early.time_budget_minutes, started=step.started))
    with connected.client:
        found = _find(step, early, connected)
        if isinstance(found, NothingToDo):
            return end_idle(step, found)
        pull, url = found
        if (idle := idle_reason(pull, early)) is not None:
            return end_idle(step, idle)
        files = read_foreign(step.runner.workspace / early.from_)
        foreign = parse_foreign(files.findings, files.tasks)
        _check_subject(foreign, pull)
        about = PullRequestId(step.runner.repository, pull.number)
        return _publish(step, early, replace(connected, pull=about), _Results(pull, url, files, foreign))


def _find(step: Step, early: Settings, connected: Connection) -> tuple[PullRequestFacts, str] | NothingToDo:
    """The pull request that the results must be about, and the page of the run they come from."""
    reads, number = Reads(connected.client, step.runner.repository), early.pull_request_number
    if step.runner.event_name in NUMBERED_EVENTS and number is not None:
        return reads.pull(number), step.runner.run_url
    if step.runner.event_name != OTHER_RUN_EVENT:
        raise ConfigurationError(
            f"on the event {step.runner.event_name} it is not known which pull request to publish to",
            hint=f"Run it on {OTHER_RUN_EVENT}, or on workflow_dispatch with pull-request-number.",
        )
    run = read_other_run(step.runner.event_path)
    idle = reason_not_to_publish(run)
    if idle is not None or run.head_repository is None or run.head_branch is None:
        return idle or NothingToDo("head-gone", "The other run names no branch.")
    pulls = reads.pulls_from(run.head_repository, run.head_branch)
    there = [pull for pull in pulls if pull.head_sha == run.head_sha and number in (None, pull.number)]
    if len(there) > 1:
        numbers = ", ".join(str(pull.number) for pull in there)
        raise ConfigurationError(
            f"pull requests {numbers} have the head that the other run reviewed",
            hint="Say which one with pull-request-number.",
        )
    if there:
        return there[0], run.url
    head = f"{run.head_repository}:{run.head_branch}"
    if pulls:
        return NothingToDo("head-moved", f"{head} is no longer at {run.head_sha[:12]}; a newer run reviews it.")
    return NothingToDo("no-pull-request", f"No open pull request comes from {head}.")


def _check_subject(foreign: Foreign, pull: PullRequestFacts) -> None:
    """Results are of use only for what they are about; they do not get to choose where they are published."""
    claimed = (foreign.repository or "").lower(), foreign.number, foreign.head_sha
    if claimed != (pull.base_repository.lower(), pull.number, pull.head_sha):
        raise ResultsRefused(
            f"the artifacts are about another pull request or commit than {pull.base_repository}#{pull.number} at "
            f"{pull.head_sha[:12]}, which the other run worked on",
            hint="Nothing was published. If the reviewing workflow is as it should be, somebody forged its results.",
        )


@dataclass(frozen=True, slots=True)
class _Results:
    """The results to publish: about the head of ``pull``, of the run whose page is ``url``."""

    pull: PullRequestFacts
    url: str
    files: ForeignFiles
    foreign: Foreign


def _publish(step: Step, early: Settings, connected: Connection, results: _Results) -> int:
    pull = open_pull_request(connected, step.runner.workspace, results.pull.head_sha)
    try:
        loaded = pull.opened.source.load()
        change_set = opened_up(loaded, pull.opened.source.head())
        settings = with_config(step.flags, step.environ, early, pull.opened)
        if (idle := idle_reason(results.pull, settings)) is not None:
            return end_idle(step, idle)
        connected.end_by(Deadline.after(settings.time_budget_minutes, started=step.started))
        redactor = Redactor()
        learn_own_secrets(settings, step.environ, redactor)
        texts = _texts(change_set, pull, redactor)
        paths = PathFilter(settings.include, settings.exclude)
        ground = Ground(change_set, pull.opened.source.head(), texts, settings.report_policy, paths, redactor.mask)
        checked = recheck(results.foreign, ground)
        publication = _publication(checked, loaded, settings, connected, results.url)
        report = decided_report(checked.report, connected, publication.reviewed)
        notices = (*report.notices, *_notices(results, checked.dropped, (*step.inputs.warnings, *settings.notices)))
        report = replace(report, summary=f"{_ORIGIN} {report.summary}", notices=notices)
        report = mask_report(report, redactor.mask)
        _hand_over(step, report)
        published = publish(
            connected.client,
            connected.pull,
            replace(publication, report=report),
            calls=connected.calls,
            patience=connected.patience,
        )
    finally:
        pull.opened.close()
    _say_published(step, connected, published)
    return ExitStatus.INCOMPLETE if published.problem else ExitStatus.OK


_ORIGIN = (
    "These are the results of another run, which had no rights and whose word is not taken: the code of each finding "
    "was found again at this commit, and its severity is bounded. That nothing is listed does not mean that nothing "
    "is there."
)


def _texts(change_set: ChangeSet, pull: OpenedPull, redactor: Redactor) -> ChangeTexts:
    source, files, fragments = pull.opened.source, change_set.files, change_set.fragments

    def side(tree: SourceTree, which: Side) -> SideTexts:
        return SideTexts(tree, which, files, redactor, fragments)

    texts = ChangeTexts(base=side(source.base(), Side.LEFT), head=side(source.head(), Side.RIGHT))
    texts.head.learn()
    texts.base.learn()
    return texts


def _publication(
    checked: Rechecked, change_set: ChangeSet, settings: Settings, connected: Connection, url: str
) -> Publication:
    return Publication(
        report=checked.report,
        reviewed={change.path: FileAt.of(change) for change in change_set.files},
        places=checked.places,
        comment=settings.comment,
        max_comments=settings.max_comments,
        summary=SummaryMode(settings.summary),
        run_url=url,
        rights=Rights(resolve=False),
        heading=FOREIGN_HEADING,
        dry_run=settings.dry_run,
        permissions=connected.permissions,
    )


def _notices(results: _Results, dropped: Dropped, others: Sequence[str]) -> tuple[str, ...]:
    said = []
    total = dropped.total()
    if total:
        reasons = [f"{reason}: {number:,}" for reason, number in dropped.most_common(_REASONS_SHOWN)]
        said.append(f"{plural(total, 'finding')} of the other run dropped ({'; '.join(reasons)}).")
    if results.files.left_out:
        said.append(
            f"{plural(results.files.left_out, 'file')} of the other run left out: a link, unreadable or too large."
        )
    return (*said, *others)


def _hand_over(step: Step, report: Report) -> None:
    """What later steps and the page of the run show, before anything is posted: posting may be cut short."""
    step.files.write_outputs(outputs_of(report, {}))
    step.add_to_summary(render_summary(report))
    with commands_stopped():
        for notice in report.notices:
            print(line_of(notice))  # noqa: T201  (the log of the step)


def _say_published(step: Step, connected: Connection, published: Published) -> None:
    with commands_stopped():
        for said in (said_of(published), *(would_be(published) if published.dry_run else ())):
            print(line_of(said))  # noqa: T201  (the log of the step)
    step.add_to_summary(render_published(published, connected.calls.made))
    if published.problem:
        step.files.annotate([render_command(AnnotationLevel.ERROR, published.problem, title="DevPulse")])
