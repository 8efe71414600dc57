"""Click options from the table of options, and help pages that group them."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any, get_args

import click

from devpulse.options import DEBUG_VARIABLE, Color, FlagValue, Kind, Option, options_of

_OTHER = "Other"

_METAVARS: Mapping[Kind, str] = {
    "text": "TEXT",
    "integer": "N",
    "number": "X",
    "list": "PATTERN",
    "mapping": "CATEGORY=SEVERITY",
    "path": "PATH",
}

Callback = Callable[..., Any]


class SectionOption(click.Option):
    """An option that knows the section of the help page it belongs to."""

    def __init__(self, *arguments: Any, section: str = _OTHER, **attributes: Any) -> None:
        super().__init__(*arguments, **attributes)
        self.section = section


class SectionCommand(click.Command):
    """A command whose help page lists its options in sections, in the order they were declared."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write one list a section; what belongs nowhere comes last."""
        sections: dict[str, list[tuple[str, str]]] = {}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None and isinstance(parameter, click.Option):
                sections.setdefault(getattr(parameter, "section", _OTHER), []).append(record)
        others = sections.pop(_OTHER, [])
        for section, records in (*sections.items(), (_OTHER, others)):
            with formatter.section(section):
                formatter.write_dl(records)


def section_option(section: str, *names: str, **attributes: Any) -> Callable[[Callback], Callback]:
    """Like ``click.option``, in a section of the help page."""
    return click.option(*names, cls=SectionOption, section=section, **attributes)


def json_option(text: str) -> Callable[[Callback], Callback]:
    """``--json``: the result alone on standard output."""
    return section_option("Output", "--json", "as_json", is_flag=True, help=text)


def color_option(callback: Callback) -> Callback:
    """``--color``, with the three words that other programs know."""
    return section_option(
        "Output",
        "--color",
        type=click.Choice(get_args(Color)),
        default="auto",
        help="Color text; auto: on a terminal, unless NO_COLOR is set.  [default: auto]",
    )(callback)


def debug_option(callback: Callback) -> Callback:
    """``--debug``, which may stand before and after the command."""
    return section_option(
        _OTHER,
        "--debug",
        is_flag=True,
        expose_value=False,
        callback=_set_debug,
        help="Show the traceback of an internal error.",
    )(callback)


def _set_debug(ctx: click.Context, parameter: click.Parameter, value: bool) -> None:  # noqa: ARG001, FBT001  (click calls it so)
    if value:
        os.environ[DEBUG_VARIABLE] = "1"


def table_options(command: str) -> Callable[[Callback], Callback]:
    """All options of the table that have an effect on a command, as flags."""

    def decorate(callback: Callback) -> Callback:
        # Decorators apply from the last to the first.
        for option in reversed(options_of(command)):
            callback = _click_option(option)(callback)
        return callback

    return decorate


def _click_option(option: Option) -> Callable[[Callback], Callback]:
    text = f"{option.help}  [default: {option.default}]" if option.default else option.help
    if option.kind == "boolean":
        switch = f"{option.flag}/--no-{option.name}"
        return section_option(option.group, switch, option.field, default=None, help=text)
    # Values stay texts: the settings check flags, variables and files alike, with one set of messages.
    return section_option(
        option.group,
        option.flag,
        option.field,
        type=click.UNPROCESSED,
        metavar=f"[{'|'.join(option.choices)}]" if option.choices else _METAVARS[option.kind],
        multiple=option.kind == "list",
        help=f"{text} May be given several times." if option.kind == "list" else text,
    )


def flags_of(command: str, values: Mapping[str, Any]) -> dict[str, FlagValue]:
    """The flags of the table by option name; ``None`` where nothing was given."""
    flags: dict[str, FlagValue] = {}
    for option in options_of(command):
        value = values[option.field]
        flags[option.name] = ("\n".join(value) or None) if option.kind == "list" else value
    return flags
