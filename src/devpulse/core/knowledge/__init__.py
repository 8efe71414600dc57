"""What is known of libraries and frameworks, in data files: ``data/<language>/<framework>.toml``."""

from __future__ import annotations

from functools import cache
from importlib import resources

from devpulse.core.knowledge.access import AccessWords, read_access
from devpulse.core.knowledge.model import Knowledge
from devpulse.core.knowledge.reading import read_knowledge

_SAME = {"typescript": "javascript", "tsx": "javascript"}
"""Languages that share the libraries of another."""


@cache
def knowledge_of(language: str | None) -> Knowledge | None:
    """What is known for a language; ``None`` for one without data files."""
    texts = _texts(language) if language is not None else {}
    return read_knowledge(texts) if texts else None


@cache
def access_words(language: str) -> AccessWords:
    """What access checks are called in a language; nothing is an access check where no data file says so."""
    return read_access(_texts(language))


def _texts(language: str) -> dict[str, str]:
    folder = resources.files("devpulse.core.knowledge").joinpath("data", _SAME.get(language, language))
    if not folder.is_dir():
        return {}
    texts = {f"{language}/{entry.name}": entry.read_text(encoding="utf-8") for entry in folder.iterdir()}
    return {name: text for name, text in texts.items() if name.endswith(".toml")}
