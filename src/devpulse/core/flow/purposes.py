"""What a value can be made safe for, and which category of findings asks for which."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType


class Purpose(StrEnum):
    """A kind of text in which a value can do harm until it is cleaned for it.

    ``TAGS``: what stands between tags of HTML: it has none itself, but may have quotes. ``QUOTES``: a literal in single
    quotes, which the value cannot end, since it has none. ``DOUBLED``: the same in languages where two of them stand
    for one, as in SQL. ``NUMBER``: a value that was taken as a number, or an error was raised.
    """

    SQL = "sql"
    PATH = "path"
    SHELL = "shell"
    CODE = "code"
    DATA = "data"
    HTML = "html"
    TAGS = "tags"
    URL = "url"
    LDAP = "ldap"
    XPATH = "xpath"
    XML = "xml"
    QUOTES = "quotes"
    DOUBLED = "doubled"
    NUMBER = "number"


PURPOSES: Mapping[str, Purpose] = MappingProxyType(
    {
        "sql-injection": Purpose.SQL,
        "path-traversal": Purpose.PATH,
        "command-injection": Purpose.SHELL,
        "code-injection": Purpose.CODE,
        "insecure-deserialization": Purpose.DATA,
        "cross-site-scripting": Purpose.HTML,
        "ssrf": Purpose.URL,
        "open-redirect": Purpose.URL,
        "ldap-injection": Purpose.LDAP,
        "xpath-injection": Purpose.XPATH,
        "xml-external-entity": Purpose.XML,
    }
)
"""By category; a category that is not here has no flow rule, and nothing makes a value safe for it."""
