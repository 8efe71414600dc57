"""Publishing a finished review on its pull request, or beside it where that is not allowed."""

from __future__ import annotations

from dataclasses import replace

from devpulse.adapters.github.publisher import Publication, publish
from devpulse.main.job import Done, Job
from devpulse.main.pull_request import Connection
from devpulse.output.annotations import LEVEL_LIMIT, AnnotationLevel, render_annotations, render_command
from devpulse.output.comments.plan import Cause
from devpulse.output.comments.reanchor import FileAt
from devpulse.output.comments.record import Published, render_record
from devpulse.output.comments.sticky import SummaryMode
from devpulse.output.coverage import plural
from devpulse.pipeline.joining import RunResult

COMMENTS = "comments.json"


def publish_review(job: Job, done: Done, connected: Connection, run_url: str) -> Published:
    """Post comments and summary as the settings say; what was done stands in ``comments.json`` and the log.

    GitHub's errors are in the result.

    Raises:
        ArtifactError: the record cannot be written.
    """
    settings = job.settings
    publication = Publication(
        report=done.result.report,
        reviewed={change.path: FileAt.of(change) for change in job.change_set.files},
        places=done.result.places,
        comment=settings.comment,
        max_comments=settings.max_comments,
        summary=SummaryMode(settings.summary),
        run_url=run_url,
    )
    left = job.deadline.left()
    if left is not None:
        connected.patience.end_in(left)
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
    )
    return published


def said_of(published: Published) -> str:
    """What became of the comments, in one line for the log."""
    kept = len(published.plan.kept)
    words = f"Comments: {len(published.posted)} posted, {kept} stand from before"
    limit = sum(item.cause is Cause.OVER_LIMIT for item in published.unplaced)
    words += f", {plural(len(published.unplaced), 'finding')} without one" if published.unplaced else ""
    words += f" ({limit} over the limit)" if limit else ""
    return f"{words}. {published.problem}".rstrip()


def annotations_of(result: RunResult, published: Published | None) -> tuple[str, ...]:
    """Annotations for findings without a comment: none was to be posted, or posting was refused or failed.

    ``published`` is ``None`` when comments were switched off.
    """
    if published is None:
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
