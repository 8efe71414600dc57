"""What is known of libraries and frameworks, in data files: ``data/<language>/<framework>.toml``."""

from __future__ import annotations

from functools import cache
from importlib import resources

from devpulse.core.knowledge.model import Knowledge
from devpulse.core.knowledge.reading import read_knowledge

_SAME = {"typescript": "javascript", "tsx": "javascript"}
"""Languages that share the libraries of another."""


@cache
def knowledge_of(language: str | None) -> Knowledge | None:
    """What is known for a language; ``None`` for one without data files."""
    if language is None:
        return None
    folder = resources.files("devpulse.core.knowledge").joinpath("data", _SAME.get(language, language))
    if not folder.is_dir():
        return None
    texts = {f"{language}/{entry.name}": entry.read_text(encoding="utf-8") for entry in folder.iterdir()}
    return read_knowledge({name: text for name, text in texts.items() if name.endswith(".toml")})
