"""In which order files are worth reviewing when there may not be enough tokens or time for all of them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import IntEnum

from devpulse.core.change import FileChange
from devpulse.core.languages import language_of
from devpulse.core.review import ReviewTask

_SENSITIVE = frozenset({
    "access", "account", "acl", "admin", "api", "auth", "authenticate", "authentication", "authorization",
    "authorize", "billing", "card", "checkout", "cookie", "cors", "credential", "crypto", "csrf", "db", "decrypt",
    "deserialize", "download", "encrypt", "exec", "file", "gateway", "graphql", "handler", "hash", "identity",
    "import", "invoice", "jwt", "key", "ldap", "login", "mfa", "middleware", "money", "oauth", "oidc", "order",
    "otp", "passwd", "password", "pay", "payment", "permission", "pickle", "policy", "proxy", "query", "redirect",
    "render", "reset", "role", "route", "router", "saml", "secret", "security", "serializer", "server", "session",
    "shell", "signin", "signup", "sql", "sso", "template", "token", "transfer", "unpack", "upload", "url", "user",
    "view", "wallet", "webhook", "xml", "yaml"
})  # fmt: skip
"""Words of a path, in the singular, that tell of code which handles trust, money, input or queries."""

_TEST = frozenset({"conftest", "fixture", "mock", "spec", "test", "testing"})
_AWAY = frozenset({"dist", "doc", "docs", "examples", "generated", "node_modules", "third_party", "vendor"})
"""Folders of what is not this project's own running code."""

_DATA = frozenset({
    "adoc", "csv", "geojson", "gif", "ico", "ipynb", "jpg", "json", "jsonl", "lock", "log", "map", "md", "pdf",
    "png", "po", "pot", "rst", "snap", "svg", "tsv", "txt"
})  # fmt: skip
"""Endings of data and documents."""

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


class Kind(IntEnum):
    """What a file is, by its path alone; what is reviewed first comes first."""

    SOURCE = 0
    OTHER = 1
    TEST = 2
    DATA = 3


def kind_of(path: str) -> Kind:
    """Source in a language that is parsed; tests, data and documents; anything else in between, such as settings."""
    folders = path.lower().split("/")
    name = folders.pop()
    if name.rpartition(".")[2] in _DATA or ".min." in name or not _AWAY.isdisjoint(folders):
        return Kind.DATA
    if not _words(path).isdisjoint(_TEST):
        return Kind.TEST
    return Kind.OTHER if language_of(path) is None else Kind.SOURCE


def is_sensitive(path: str) -> bool:
    """Whether a word of the path tells of code that handles trust, money, input or queries."""
    return not _words(path).isdisjoint(_SENSITIVE)


def riskiest_first(tasks: Iterable[ReviewTask]) -> tuple[ReviewTask, ...]:
    """Tasks in the order they are to be begun: by kind of file, sensitive names first, then larger changes.

    Only what is known before any file is read. Equal ones, such as the parts of a file, keep their order.
    """
    return tuple(sorted(tasks, key=lambda task: _rank(task.change)))


def _rank(change: FileChange) -> tuple[Kind, bool, int]:
    changed = sum(2 * len(hunk.lines) - hunk.old_length - hunk.new_length for hunk in change.hunks)
    return kind_of(change.path), not is_sensitive(change.path), -changed


def _words(path: str) -> set[str]:
    found = {word.lower() for word in _WORD.findall(path)}
    return found | {word.removesuffix("s") for word in found}
