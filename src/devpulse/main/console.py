"""What a run shows while it goes on and when it is done."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping

from devpulse.adapters.progress import LineProgress, SilentProgress
from devpulse.options import Color
from devpulse.pipeline.joining import RunResult
from devpulse.ports import Progress

MAX_WIDTH = 120


def watch(wanted: bool | None, environ: Mapping[str, str], color: Color = "auto") -> Progress:  # noqa: FBT001  (three states: yes, no, not said)
    """A bar on a terminal, plain lines in CI or when asked for, else nothing; always on standard error."""
    terminal = sys.stderr.isatty() and environ.get("TERM") != "dumb"
    if wanted is False or (wanted is None and not terminal and not environ.get("CI")):
        return SilentProgress()
    if not terminal:
        return LineProgress(sys.stderr)
    from rich.console import Console  # noqa: PLC0415  (slow to import)

    from devpulse.adapters.progress_bar import BarProgress  # noqa: PLC0415  (as above)

    return BarProgress(Console(stderr=True, no_color=not is_colored(color, environ, terminal=sys.stderr.isatty())))


def report_to(
    result: RunResult, paths: Mapping[str, str], *, as_json: bool, environ: Mapping[str, str], color: Color = "auto"
) -> None:
    """Print the report on standard output: the findings as JSON alone, or a text for people."""
    from devpulse.output.json_v1 import render_findings  # noqa: PLC0415  (nothing of a report is needed before)
    from devpulse.output.terminal import render_terminal  # noqa: PLC0415  (as above)

    if as_json:
        text = render_findings(result.report)
    else:
        text = render_terminal(
            result.report,
            width=min(shutil.get_terminal_size().columns, MAX_WIDTH),
            color=is_colored(color, environ, terminal=sys.stdout.isatty()),
            whole_paths=not sys.stdout.isatty(),
            snippets=result.snippets,
            artifacts={name: _short(path) for name, path in paths.items()},
        )
    sys.stdout.write(text)


def _short(path: str) -> str:
    relative = os.path.relpath(path)
    return path if relative.startswith("..") else relative


def is_colored(color: Color, environ: Mapping[str, str], *, terminal: bool) -> bool:
    """Whether to color: what was asked for, else ``NO_COLOR``, else ``FORCE_COLOR``, else whether it is a terminal."""
    if color != "auto":
        return color == "always"
    if environ.get("NO_COLOR"):
        return False
    return bool(environ.get("FORCE_COLOR")) or (terminal and environ.get("TERM") != "dumb")
