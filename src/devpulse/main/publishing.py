"""Publishing a finished review on its pull request, or beside it where that is not allowed."""

from __future__ import annotations

from dataclasses import replace

from devpulse.adapters.github.publisher import Publication, publish
from devpulse.adapters.runner.environment import RunnerEnvironment
from devpulse.main.job import Done, Job
from devpulse.main.pull_request import Connection
from devpulse.output.annotations import LEVEL_LIMIT, AnnotationLevel, render_annotations, render_command
from devpulse.output.comments.marker import RunNumber
from devpulse.output.comments.reanchor import FileAt
from devpulse.output.comments.record import Published, render_record
from devpulse.output.comments.sticky import SummaryMode
from devpulse.pipeline.joining import RunResult

COMMENTS = "comments.json"


def publish_review(job: Job, done: Done, connected: Connection, runner: RunnerEnvironment) -> Published:
    """Post comments and summary as the settings say; what was done stands in ``comments.json`` and the log.

    GitHub's errors are in the result.

    Raises:
        ArtifactError: the record cannot be written.
    """
    settings = job.settings
    publication = Publication(
        report=done.result.report,
        reviewed=reviewed_files(job),
        places=done.result.places,
        comment=settings.comment,
        max_comments=settings.max_comments,
        summary=SummaryMode(settings.summary),
        run_url=runner.run_url,
        run=RunNumber(runner.run_id, runner.run_attempt) if runner.run_id is not None else None,
        dry_run=settings.dry_run,
        permissions=connected.permissions,
    )
    published = publish(
        connected.client, connected.pull, publication, calls=connected.calls, patience=connected.patience
    )
    done.sink.write(COMMENTS, render_record(published))
    done.log.record(
        "published",
        posted=len(published.posted),
        unplaced=len(published.unplaced),
        denied=published.denied,
        failed=published.failed,
        calls=published.calls,
        calls_of_run=connected.calls.made,
        writes=published.writes,
        closed=sum(action.resolve is True for action in published.settled),
        reopened=sum(action.resolve is False for action in published.settled),
        dry_run=published.dry_run,
    )
    return published


def reviewed_files(job: Job) -> dict[str, FileAt]:
    """The files of the change as they were reviewed, by path."""
    return {change.path: FileAt.of(change) for change in job.change_set.files}


def annotations_of(result: RunResult, published: Published | None) -> tuple[str, ...]:
    """Annotations for findings without a comment: none was to be posted, or posting was refused or failed.

    ``published`` is ``None`` when comments were switched off; a dry run posted none.
    """
    if published is None or published.dry_run:
        return render_annotations(result.report, nearest_head_line=result.head_line)
    if not published.problem:
        return ()
    commented = {comment.fingerprint for comment in published.posted}
    commented |= {comment.fingerprint for comment in published.plan.kept}
    left = tuple(finding for finding in result.report.findings if finding.fingerprint not in commented)
    lines = render_annotations(
        # Of each level the runner keeps ten, and one of them is the first line.
        replace(result.report, findings=left),
        nearest_head_line=result.head_line,
        limit=LEVEL_LIMIT - 1,
    )
    level = AnnotationLevel.NOTICE if published.denied else AnnotationLevel.WARNING
    return (render_command(level, published.problem, title="DevPulse"), *lines)
