"""What a publication did, or would do, in words: for the log of the run and for its summary page."""

from __future__ import annotations

from collections.abc import Iterator

from devpulse.output.characters import clip, visible
from devpulse.output.comments.marker import ThreadNote
from devpulse.output.comments.plan import Cause
from devpulse.output.comments.record import Published
from devpulse.output.comments.threads import ThreadAction
from devpulse.output.coverage import plural
from devpulse.output.markdown import code, text
from devpulse.output.paths import finding_place

_SHOWN = 25
_LIMIT = 300
_VERBS = {
    ThreadNote.GONE: "answer that the finding is gone in",
    ThreadNote.BACK: "answer that the finding is back in",
    ThreadNote.IGNORED: "confirm that the finding is set aside in",
    ThreadNote.ACCEPTED: "answer that the finding is accepted in",
}


def said_of(published: Published) -> str:
    """What became of the comments, in one line."""
    if published.dry_run:
        new, threads = plural(len(published.plan.new), "comment"), plural(len(published.plan.actions), "thread")
        return f"Dry run: nothing was written; {new} and answers in {threads} would be. {published.problem}".rstrip()
    kept = len(published.plan.kept)
    words = f"Comments: {len(published.posted)} posted, {kept} stand from before"
    for resolve, name in ((True, "closed"), (False, "opened again")):
        count = sum(action.resolve is resolve for action in published.settled)
        words += f", {plural(count, 'thread')} {name}" if count else ""
    words += f", {plural(len(published.deleted), 'duplicate')} deleted" if published.deleted else ""
    limit = sum(item.cause is Cause.OVER_LIMIT for item in published.unplaced)
    words += f", {plural(len(published.unplaced), 'finding')} without one" if published.unplaced else ""
    words += f" ({limit} over the limit)" if limit else ""
    threads = f" Some threads stay as they are: {published.threads_problem}" if published.threads_problem else ""
    return f"{words}.{threads} {published.problem}".rstrip()


def traffic_of(published: Published, calls_of_run: int) -> str:
    """The requests, in one line; ``calls_of_run`` counts those for reading the pull request as well."""
    writes = plural(published.writes, "write")
    return f"GitHub: {plural(calls_of_run, 'call')} in this run, {published.calls:,} of them to publish, {writes}."


def render_published(published: Published, calls_of_run: int) -> str:
    """The section of the job summary, in Markdown."""
    lines = [f"## On the pull request\n\n{text(said_of(published))}\n\n{traffic_of(published, calls_of_run)}\n"]
    if published.dry_run:
        lines += [*would_be(published), ""]
    return "\n".join(lines)


def would_be(published: Published) -> Iterator[str]:
    """What a run without ``dry-run`` would write, a list in Markdown."""
    for comment in published.plan.new[:_SHOWN]:
        place = code(clip(visible(finding_place(comment.finding)), _LIMIT))
        title = text(clip(visible(comment.finding.title), _LIMIT))
        yield f"- comment at {place}: {comment.finding.severity}, {title}"
    for action in published.plan.actions[:_SHOWN]:
        yield f"- {_VERBS[action.note]} {text(clip(visible(action.comment.url), _LIMIT))}{_then(action)}"
    left = max(0, len(published.plan.new) - _SHOWN) + max(0, len(published.plan.actions) - _SHOWN)
    if left:
        yield f"- … and {left:,} more in {code('comments.json')}"


def _then(action: ThreadAction) -> str:
    return {True: " and close it", False: " and open it again", None: ""}[action.resolve]
