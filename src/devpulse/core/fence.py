"""Fences: repository and pull-request text is wrapped as data that cannot close its own wrapping."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

_LOOKALIKE = re.compile(r"<<(?=\s*/?\s*(?:data|end)\b)", re.IGNORECASE)
_BLOCK = r"<<data {key} kind=\"{kind}\"[^\n]*>>\n(.*?)\n<<end {key}>>"


def neutralise(text: str) -> str:
    """Alter whatever looks like a fence of ours, same length, the same way in every run."""
    return _LOOKALIKE.sub("‹‹", text)


@dataclass(frozen=True, slots=True)
class Fence:
    """The fences of one run. ``key`` is random hexadecimal, unknown to whoever wrote the text."""

    key: str

    def wrap(self, kind: str, text: str, **attributes: str) -> str:
        """Wrap a text as data of a kind; attribute values are quoted as JSON strings."""
        extra = "".join(f" {name}={json.dumps(value)}" for name, value in attributes.items())
        return f'<<data {self.key} kind="{kind}"{neutralise(extra)}>>\n{neutralise(text)}\n<<end {self.key}>>'

    def blocks(self, kind: str, text: str) -> list[str]:
        """The contents of all blocks of a kind in a message, in order."""
        return re.findall(_BLOCK.format(key=re.escape(self.key), kind=re.escape(kind)), text, re.DOTALL)
