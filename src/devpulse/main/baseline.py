"""The baseline of ``devpulse scan``: read before, told of in the report, written afterwards."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from devpulse.adapters.atomic import write_atomic
from devpulse.adapters.folder import is_below
from devpulse.core.baseline import Absent, Baseline, absent_from, known_by
from devpulse.core.finding import FindingStatus
from devpulse.core.policy import IN_BASELINE
from devpulse.core.review import Report
from devpulse.core.verdict import nothing_reviewed
from devpulse.errors import ArtifactError, ConfigurationError
from devpulse.output.baseline_v1 import parse_baseline, render_baseline
from devpulse.output.characters import visible
from devpulse.output.coverage import plural
from devpulse.output.paths import display_path

MAX_BYTES = 64 * 1024 * 1024
"""Some 300,000 findings."""

_NAMED = 3


@dataclass(frozen=True, slots=True)
class UsedBaseline:
    """A baseline and how messages call it. ``scope`` is the folder that the scan is about, empty for all."""

    name: str
    baseline: Baseline
    scope: str

    def absent(self, report: Report) -> Absent:
        """The entries that the scan did not find."""
        return absent_from(self.baseline, report, _in(self.scope))

    def notices(self, report: Report) -> tuple[str, ...]:
        """How many findings it suppressed, and which entries are of no use any more."""
        known = sum(f.status is FindingStatus.SUPPRESSED and f.reason == IN_BASELINE for f in report.findings)
        said = [f"{plural(known, 'finding')} suppressed: in the baseline {self.name}."]
        stale = self.absent(report).stale
        if stale:
            rows = [f"{entry.category} in {display_path(entry.path)}" for entry in stale[:_NAMED]]
            more = f" and {len(stale) - _NAMED:,} more" if len(stale) > _NAMED else ""
            said.append(f"Known, but no longer found: {', '.join(rows)}{more}. --write-baseline leaves them out.")
        return tuple(visible(text).replace("\n", " ") for text in said)

    def say_stale(self, report: Report) -> None:
        """Name on standard error each entry that is of no use any more; reports are short of room."""
        for entry in self.absent(report).stale:
            place = display_path(entry.path)
            _say(f"no longer found: {entry.fingerprint} {entry.category} {place}: {entry.title}")


def _in(scope: str) -> Callable[[str], bool]:
    folders = frozenset({scope})
    return lambda path: not scope or is_below(path, folders)


def read_baseline(name: str, scope: str) -> UsedBaseline:
    """The baseline in a file.

    Raises:
        ConfigurationError: it cannot be read, is too large, or is none.
    """
    path = Path(name)
    try:
        size = path.stat().st_size
        if size > MAX_BYTES:
            raise ConfigurationError(
                f"the baseline {name} has {size:,} bytes; at most {MAX_BYTES:,} are read",
                hint="Write one for each part of the repository.",
            )
        data = path.read_bytes()
    except OSError as error:
        raise ConfigurationError(
            f"the baseline {name} cannot be read: {error.strerror or error}",
            hint="Write it first: devpulse scan --write-baseline FILE.",
        ) from error
    try:
        return UsedBaseline(name, parse_baseline(data), scope)
    except ValueError as error:
        raise ConfigurationError(
            f"{name} is no baseline: {error}", hint="Write it anew: devpulse scan --write-baseline FILE."
        ) from error


def write_baseline(name: str, report: Report, used: UsedBaseline | None) -> None:
    """Write what is known after a scan that came to its end, and say so on standard error.

    Raises:
        ArtifactError: it cannot be written.
    """
    if nothing_reviewed(report.coverage):
        _say(f"{name} was not written: nothing could be reviewed")
        return
    baseline = known_by(report, Absent((), ()) if used is None else used.absent(report))
    try:
        write_atomic(Path(name), render_baseline(baseline))
    except OSError as error:
        raise ArtifactError(
            f"the baseline {name} cannot be written: {error.strerror or error}",
            hint="Give --write-baseline a file in a folder that can be written.",
        ) from error
    unread = "; the scan was incomplete, what it did not review is not in it" if report.incomplete else ""
    _say(f"baseline: {plural(len(baseline.entries), 'finding')} in {name}{unread}")


def _say(line: str) -> None:
    print(visible(line).replace("\n", " "), file=sys.stderr, flush=True)  # noqa: T201  (standard output is the report's)
