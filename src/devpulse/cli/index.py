"""``devpulse index build``, ``search`` and ``show``."""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Any

import click

from devpulse.cli.actions import Actions
from devpulse.cli.sections import SectionCommand, debug_option, json_option, section_option
from devpulse.requests import IndexRequest


def _root_option(callback: Callable[..., Any]) -> Callable[..., Any]:
    return section_option(
        "Where",
        "--root",
        metavar="DIR",
        default=".",
        show_default=True,
        type=click.Path(exists=True, file_okay=False),
        help="Only symbols of the files below this folder.",
    )(callback)


def _path_option(callback: Callable[..., Any]) -> Callable[..., Any]:
    return section_option(
        "Where",
        "--path",
        metavar="P",
        type=click.UNPROCESSED,
        help="Only symbols of this file or folder: as rows name it, or below --root.",
    )(callback)


_json_option = json_option("Print rows as JSON, alone on standard output.")


@click.group()
@click.pass_context
def index(context: click.Context, /) -> None:
    """Look into the symbol index that reviews search. Exit status 1: nothing matches.

    \b
    Examples:
      devpulse index build
      devpulse index search user
      devpulse index show load_user --path app/users.py
    """
    # A look-up is over before there is garbage worth looking for, and looking takes a tenth of its time.
    if gc.isenabled():
        gc.disable()
        context.call_on_close(gc.enable)


@index.command(cls=SectionCommand)
@_root_option
@_json_option
@debug_option
@click.pass_obj
def build(actions: Actions, /, root: str, as_json: bool) -> int:  # noqa: FBT001  (click passes by name)
    """Index a folder and say what was found.

    \b
    Example:
      devpulse index build --root services/api
    """
    request = IndexRequest("build", root=root, name=None, path=None, as_json=as_json)
    return actions.index(request)


@index.command(cls=SectionCommand)
@click.argument("name")
@_root_option
@_path_option
@_json_option
@debug_option
@click.pass_obj
def search(actions: Actions, /, name: str, root: str, path: str | None, as_json: bool) -> int:  # noqa: FBT001  (click passes by name)
    """List the symbols whose name fits NAME.

    \b
    Example:
      devpulse index search user --path app/
    """
    request = IndexRequest("search", root=root, name=name, path=path or None, as_json=as_json)
    return actions.index(request)


@index.command(cls=SectionCommand)
@click.argument("name")
@_root_option
@_path_option
@_json_option
@debug_option
@click.pass_obj
def show(actions: Actions, /, name: str, root: str, path: str | None, as_json: bool) -> int:  # noqa: FBT001  (click passes by name)
    """Print the source of the symbol NAME.

    \b
    Example:
      devpulse index show load_user --json
    """
    request = IndexRequest("show", root=root, name=name, path=path or None, as_json=as_json)
    return actions.index(request)
