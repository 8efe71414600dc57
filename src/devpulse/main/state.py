"""Where finished work is kept between runs."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from devpulse.errors import ConfigurationError


def state_folder(wanted: str | None, environ: Mapping[str, str], root: Path) -> Path:
    """The folder of the resume store: as asked, else the runner's temporary folder, else the user's cache.

    Raises:
        ConfigurationError: it lies inside the checkout, where a change could plant entries, or is no folder.
    """
    runner = environ.get("RUNNER_TEMP")
    if wanted:
        folder = Path(wanted)
    elif runner:
        folder = Path(runner) / "devpulse-state"
    else:
        from platformdirs import user_cache_path  # noqa: PLC0415  (slow to import, and no runner needs it)

        folder = user_cache_path("devpulse", appauthor=False)
    if wanted and folder.exists() and not folder.is_dir():
        raise ConfigurationError(
            f"state-dir {wanted!r} is not a folder", hint="Name a folder outside the repository with --state-dir."
        )
    if folder.resolve().is_relative_to(root.resolve()):
        raise ConfigurationError(
            f"state-dir {str(folder)!r} lies inside {root}",
            hint="Choose a folder outside the repository with --state-dir.",
        )
    return folder
