"""The languages the product can parse, one file each, listed here on purpose and nowhere else."""

from __future__ import annotations

from devpulse.core.languages import javascript, python, tsx, typescript
from devpulse.core.languages.base import LanguageSupport

LANGUAGES: dict[str, LanguageSupport] = {
    module.SUPPORT.name: module.SUPPORT for module in (javascript, python, tsx, typescript)
}

_BY_EXTENSION = {extension: support.name for support in LANGUAGES.values() for extension in support.extensions}


def language_of(path: str) -> str | None:
    """The language of a path by its extension, or ``None`` when it has no grammar here."""
    name = path.rpartition("/")[2].lower()
    dot = name.rfind(".")
    return _BY_EXTENSION.get(name[dot:]) if dot >= 0 else None
