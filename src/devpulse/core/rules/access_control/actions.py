"""Actions of controllers by their names: which change something, and which are about one object."""

from __future__ import annotations

import re

_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_METHODS = {
    "create": "POST", "store": "POST", "update": "PUT", "destroy": "DELETE", "delete": "DELETE",
    "index": "GET", "show": "GET", "new": "GET", "edit": "GET",
}  # fmt: skip
_CHANGING = re.compile(
    r"add|remove|delete|destroy|update|save|create|store|insert|approve|reject|toggle|enable|disable|activate|"
    r"deactivate|upload|import|send|move|close|reopen|lock|unlock|archive|unarchive|restore|set|assign|unassign|merge|"
    r"purge|clear|cancel|publish|unpublish|ban|unban|promote|demote|revoke|grant|rename|replace|change|modify|edit|"
    r"install|uninstall|trash|bulk|generate|process|submit|post|put|patch|deploy|kick|invite|wipe|flush|truncate"
)
_WITHOUT_OBJECT = re.compile(r"create|store|add|save|import|upload|insert|submit|post|install|generate|send|invite")


def changes(name: str) -> bool:
    """Whether a name begins or ends as one that changes something does: ``bulk_delete``, ``saveOptions``."""
    words = [word.lower() for word in _WORDS.findall(name)]
    return any(map(_CHANGING.fullmatch, (words[:1] + words[-1:])))


def methods_of(name: str) -> frozenset[str]:
    """The methods of an action whose routes stand in another file."""
    return frozenset({_METHODS.get(name) or ("POST" if changes(name) else "GET")})


def is_single(name: str) -> bool:
    """Whether an action of this name is about one object that is there already."""
    words = [word.lower() for word in _WORDS.findall(name)]
    first = words[0] if words else ""
    return first in {"show", "edit"} or (changes(name) and _WITHOUT_OBJECT.fullmatch(first) is None)
