"""The final settings of a run: with the configuration file, which only the base side of a change may bring."""

from __future__ import annotations

from collections.abc import Mapping

from devpulse.core.text import decode
from devpulse.errors import ConfigurationError
from devpulse.main.opening import Opened
from devpulse.options import FlagValue
from devpulse.settings import Settings


def with_config(
    flags: Mapping[str, FlagValue], environ: Mapping[str, str], early: Settings, opened: Opened
) -> Settings:
    """The settings again, now with the file that ``early`` names, read from the base side, never from the change.

    Raises:
        ConfigurationError: the file is asked for and not there, too large, or holds what it may not.
    """
    side = opened.source.head() if opened.scans else opened.source.base()
    size = side.size(early.config)
    if size is not None:
        from devpulse.settings.config_file import check_size  # noqa: PLC0415  (it brings the reader of YAML)

        check_size(size, early.config)
    content = side.read(early.config)
    if content is None:
        if flags.get("config"):
            where = "in the folder" if opened.scans else "on the base side of the change"
            raise ConfigurationError(
                f"there is no file {early.config!r} {where}", hint="Leave out --config, or commit the file to the base."
            )
        return early
    return Settings.load(flags, environ, decode(content), early.config)
