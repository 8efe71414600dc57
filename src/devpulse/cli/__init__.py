"""The command line: flags in, a request out, an exit status back.

Nothing heavy is imported before a command runs, so that ``--help`` answers at once.
"""

from __future__ import annotations

import errno
import os
import select
import sys
import traceback
from collections.abc import Iterator, MutableMapping, Sequence
from contextlib import suppress
from importlib import import_module

import click

from devpulse import __version__
from devpulse.cli.actions import PROGRAM, Actions
from devpulse.cli.sections import debug_option
from devpulse.errors import ExitStatus
from devpulse.options import DEBUG_VARIABLE

_STDOUT, _STDERR = 1, 2
_HOMES = {"scan": "review"}
"""The modules of commands that have none called like them."""
_UNWRITABLE = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF})


class _Commands(MutableMapping[str, click.Command]):
    """The commands by name; a module is imported with the first use of its command, since a run has but one."""

    def __init__(self) -> None:
        names = (
            "review",
            "scan",
            "action",
            "publish",
            "plan",
            "merge",
            "compare",
            "prompt",
            "index",
            "verify-isolation",
        )
        self._made: dict[str, click.Command | None] = dict.fromkeys(names)

    def __getitem__(self, name: str) -> click.Command:
        command = self._made[name]
        if command is None:
            module = import_module(f"{__name__}.{_HOMES.get(name, name).replace('-', '_')}")
            command = self._made[name] = getattr(module, name.replace("-", "_"))
        return command

    def __setitem__(self, name: str, command: click.Command) -> None:
        self._made[name] = command

    def __delitem__(self, name: str) -> None:
        del self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._made)

    def __len__(self) -> int:
        return len(self._made)


@click.group(commands=_Commands(), context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="devpulse", message="%(prog)s %(version)s")
@debug_option
def devpulse() -> None:
    """Review changes for security, each file in its own isolated context.

    \b
    Examples:
      devpulse review --base main
      devpulse scan
      devpulse COMMAND --help
    """


def run(arguments: Sequence[str], actions: Actions = PROGRAM) -> int:
    """Run one command line.

    Args:
        arguments: the words after the program's name.
        actions: what the commands set off.

    Returns:
        The exit status: the action's own, 2 for a usage error or output that cannot be
        written, 130 or 143 when a signal ended it, 141 when the reader of the output has gone, 70
        for an internal error.
    """
    try:
        status = _invoke(list(arguments), actions)
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:  # it is None when the caller closed it
                stream.flush()  # here, where a broken pipe can still be dealt with
        return status
    except BrokenPipeError as error:
        # The reader has gone, so nobody is told more.
        return ExitStatus.BROKEN_PIPE if _drop_broken_output() else _report_defect(error)
    except OSError as error:
        return _report_unwritable(error) if _is_of_output(error) else _report_defect(error)
    except KeyboardInterrupt as interrupt:
        _say("interrupted")
        # The program turns SIGTERM into a kind of KeyboardInterrupt, but is not loaded when it is Ctrl-C during --help.
        return ExitStatus.INTERRUPTED if type(interrupt) is KeyboardInterrupt else ExitStatus.TERMINATED
    except Exception as error:  # noqa: BLE001  (the last resort: a defect gets its own exit status, never that of the gate)
        return _report_defect(error)


def _invoke(arguments: list[str], actions: Actions) -> int:
    # Not devpulse.main(): it ends with status 1, the gate's, on a broken pipe and on Ctrl-C.
    try:
        with devpulse.make_context("devpulse", arguments, obj=actions) as ctx:
            return int(devpulse.invoke(ctx))
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.ClickException as error:
        with suppress(OSError):  # whether it can be shown or not, it is a usage error
            error.show()
        return ExitStatus.USAGE


def _drop_broken_output() -> bool:
    """Whether it was our own output that broke. It then leads nowhere, or the flush at exit would fail again."""
    broken = [descriptor for descriptor in (_STDOUT, _STDERR) if _is_broken(descriptor)]
    for descriptor in broken:
        _lead_nowhere(descriptor)
    return bool(broken)


def _is_broken(descriptor: int) -> bool:
    poller = select.poll()
    poller.register(descriptor, select.POLLOUT)
    return any(event & (select.POLLERR | select.POLLHUP) for _, event in poller.poll(0))


def _is_of_output(error: OSError) -> bool:
    # The system names no file when writing to an open one fails, and artifacts have an error of their own.
    return error.filename is None and error.errno in _UNWRITABLE


def _report_unwritable(error: OSError) -> int:
    _say(f"error: the output cannot be written: {error.strerror}")
    _say("hint: free some space, or send standard output and standard error somewhere else")
    _flush_or_drop()
    return ExitStatus.USAGE


def _say(line: str) -> None:
    with suppress(OSError):  # nobody is left to be told
        click.echo(line, err=True)


def _flush_or_drop() -> None:
    """Write what is left, or lead it nowhere: Python's own flush at exit would change the exit status."""
    for stream, descriptor in ((sys.stdout, _STDOUT), (sys.stderr, _STDERR)):
        try:
            if stream is not None:
                stream.flush()
        except OSError:
            _lead_nowhere(descriptor)


def _lead_nowhere(descriptor: int) -> None:
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, descriptor)
    os.close(nothing)


def _report_defect(error: Exception) -> int:
    if os.environ.get(DEBUG_VARIABLE, "").strip().lower() not in ("", "0", "false", "no", "off"):
        _say("".join(traceback.format_exception(error)).rstrip())
        return ExitStatus.INTERNAL
    # Only where it happened: the text of an unforeseen error may quote code, and code may hold a secret.
    place = traceback.extract_tb(error.__traceback__)[-1]
    _say(f"internal error: {type(error).__name__} at {place.filename}:{place.lineno}")
    _say(f"hint: run it again with --debug (or {DEBUG_VARIABLE}=1) and report the traceback")
    return ExitStatus.INTERNAL
