"""Texts of others that would mean something to a terminal or a runner's log if they were printed as they are."""

from __future__ import annotations

HOSTILE = [
    "::error::x",
    "a\n::stop-commands::t",
    "##[add-mask]x",
    "a\r::error::x",
    "\x1b]0;t\x07a",
    "\u202ea",
    "caf\udce9",
]
