"""Whose method ``x.name`` is: the classes that a receiver may be of, read from signatures and from the asking file."""

from __future__ import annotations

import re
from collections import Counter

from devpulse.core.lazy_pattern import lazy

_IDENTIFIER = r"[A-Za-z_$][\w$]*"
_BRACKETS = lazy(r"<[^<>]*>|\[[^\[\]]*\]")
_PYTHON = lazy(rf"\bclass\s+{_IDENTIFIER}\s*\((.*)\)")
_WORDS = lazy(r"\b(?:extends|implements)\s+((?:(?!\b(?:extends|implements)\b)[\w.\\$, ])+)")
_COLON = lazy(rf"\b(?:class|struct|interface|object|record)\s+{_IDENTIFIER}[^:{{]*:(?!:)\s*(.+)")
_RUBY = lazy(r"\bclass\s+[\w:]+\s*<\s*([\w:]+)")
_CALL = lazy(r"\([^()]*\)")
_ACCESS = lazy(r"\b(?:public|protected|private|virtual|override)\b")
_OWN_WORDS = frozenset({"object", "Object", "None", "Self", "Optional", "Union", "Any", "ClassVar", "Final", "Type"})

LIKELY_TYPES = 4
"""Types looked at for one variable."""


def bases_of(signature: str) -> tuple[str, ...]:
    """The names of the classes that a class's first line says it is built on, in their order, without modules."""
    plain = signature.partition(" where ")[0]
    for _ in range(3):  # generics in generics, innermost first
        plain = _BRACKETS.sub("", plain)
    listed = _WORDS.findall(plain)
    colon = _COLON.search(_CALL.sub("", plain))
    if colon is not None:
        listed.append(_ACCESS.sub("", colon[1]))
    elif not listed:
        listed += [match[1] for match in (_PYTHON.search(plain), _RUBY.search(plain)) if match is not None]
    parts = (part.strip(" {:") for names in listed for part in names.split(",") if "=" not in part)
    names = (re.split(r"\.|::|\\", _CALL.sub("", part))[-1].strip() for part in parts)
    return tuple(dict.fromkeys(name for name in names if re.fullmatch(_IDENTIFIER, name) and name not in _OWN_WORDS))


def likely_types(variable: str, text: str) -> tuple[str, ...]:
    """The types that a file's text gives a variable or field, by how often: annotations, declarations, constructors."""
    if not re.fullmatch(_IDENTIFIER, variable):
        return ()
    found = _types(variable, text)
    if not found:  # self._reader = reader
        other = re.search(rf"(?<![\w$]){re.escape(variable)}(?:\s*:[^=\n]+)?\s*=\s*({_IDENTIFIER})\s*[;\n]", text)
        found = _types(other[1], text) if other is not None and other[1] != variable else found
    return tuple(name for name, _ in found.most_common() if name not in _OWN_WORDS)[:LIKELY_TYPES]


def _types(variable: str, text: str) -> Counter[str]:
    name = rf"(?<![\w$]){re.escape(variable)}(?![\w$])"
    dotted = r"((?:\w+\.)*[A-Z]\w*)"
    patterns = (
        rf"{name}\s*\??:\s*[\"'*&]*(?:(?:typing\.)?(?:Optional|Union|Type|type|Final|ClassVar|Annotated)\[)*[\"']?{dotted}",
        rf"{name}(?:\s*:[^=\n]+)?\s*:?=\s*(?:await\s+|new\s+|&)?{dotted}\s*[({{]",
        rf"(?<![\w.]){dotted}(?:<[^;()\n]*>)?[\s*&?]+\$?{re.escape(variable)}(?![\w$])\s*[,;)=]",
        rf"{name}\s+[*&]?{dotted}\s*[,){{\n]",
    )
    return Counter(full.split(".")[-1] for pattern in patterns for full in re.findall(pattern, text))


def is_called_like(variable: str, owner: str) -> bool:
    """Whether a variable is named after a class, or after the end of its name: ``site`` for ``TCPSite``."""
    plain = variable.replace("_", "").lower()
    return len(plain) > 2 and owner.replace("_", "").lower().endswith(plain)
