"""Reading what a model passed to a look-up tool; what is wrong is said such that the model can put it right."""

from __future__ import annotations

from difflib import get_close_matches

from devpulse.core.messages import Json
from devpulse.core.tool_specs import SUBMIT_REVIEW, TOOLS

_LOOK_UPS = {spec.name: spec for spec in TOOLS if spec.name != SUBMIT_REVIEW}


class BadCall(ValueError):
    """A call whose name or arguments are wrong; the text tells the model what would be right."""


def text_of(arguments: Json, name: str) -> str:
    """A text argument, trimmed.

    Raises:
        BadCall: it is missing, empty or no text.
    """
    value = arguments.get(name)
    if not isinstance(value, str) or not value.strip():
        raise BadCall(f"{name} must be a string that is not empty")
    return value.strip()


def number_of(arguments: Json, name: str) -> int:
    """A line number, also when written as a text or a fraction.

    Raises:
        BadCall: it is missing, no number or below 1.
    """
    value = arguments.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise BadCall(f"{name} must be a line number")
    try:
        number = int(value)
    except (ValueError, OverflowError) as error:  # OverflowError: JSON's Infinity
        raise BadCall(f"{name} must be a line number") from error
    if number < 1:
        raise BadCall(f"{name} counts from 1")
    return number


def usage(tool: str) -> str:
    """How a tool is called, for an answer to a wrong call; optional arguments in brackets."""
    spec = _LOOK_UPS.get(tool)
    if spec is None:
        return ""
    given = (name if name in spec.parameters["required"] else f"[{name}]" for name in spec.parameters["properties"])
    return f"; call it as {tool}({', '.join(given)})"


def unknown_tool(name: str) -> str:
    """What there is instead of a tool that does not exist."""
    alike = get_close_matches(name, _LOOK_UPS, n=1)
    return f"unknown tool; the tools are {', '.join(_LOOK_UPS)}{f'; closest: {alike[0]}' if alike else ''}"
