"""Rules for Javascript, Typescript and TSX."""

from __future__ import annotations

LANGUAGES = frozenset({"javascript", "typescript", "tsx"})
