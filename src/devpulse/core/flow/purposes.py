"""What a value can be made safe for, and which category of findings asks for which."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType


class Purpose(StrEnum):
    """A kind of text in which a value can do harm until it is cleaned for it."""

    SQL = "sql"
    PATH = "path"
    SHELL = "shell"
    HTML = "html"


PURPOSES: Mapping[str, Purpose] = MappingProxyType({"sql-injection": Purpose.SQL, "path-traversal": Purpose.PATH})
"""By category; a category that is not here has no flow rule, and nothing makes a value safe for it."""
