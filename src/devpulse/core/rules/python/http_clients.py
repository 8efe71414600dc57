"""Names that stand for HTTP clients in Python code: what a client's constructor was given to, or is declared as."""

from __future__ import annotations

import re
from functools import lru_cache

_MADE = (
    r"(?:httpx\.(?:Async)?Client|aiohttp\.ClientSession|requests\.[sS]ession|requests\.sessions\.Session|"
    r"urllib3\.(?:Pool|Proxy)Manager|AsyncClient|ClientSession|PoolManager|AsyncHTTPClient|FuturesSession|CachedSession)"
)
_ANY = re.compile(_MADE)
_NAME = r"([A-Za-z_]\w{0,60}(?:\.\w{1,60})?)"
_ASSIGNED = re.compile(rf"(?m)^[ \t]*{_NAME}[ \t]*(?::[^=\n]{{0,60}})?=[ \t]*(?:await[ \t]+)?{_MADE}\(")
_ENTERED = re.compile(rf"\bwith[ \t]+{_MADE}\((?:[^()\n]|\([^()\n]*\)){{0,200}}\)[ \t]+as[ \t]+{_NAME}")
_DECLARED = re.compile(rf"{_NAME}[ \t]*:[ \t]*(?:Optional\[|Annotated\[)?{_MADE}\b(?![ \t]*\()")
_UNPACKED = re.compile(rf"(?m)^[ \t]*{_NAME}[ \t]*=[ \t]*(?:requests|httpx)[ \t]*$")
"""``http = requests`` gives the module itself another name."""


def names_clients(text: str) -> bool:
    """Whether a text names a client of a known library at all: cheap, asked before anything else."""
    return ("Session" in text or "Client" in text or "Manager" in text) and _ANY.search(text) is not None


@lru_cache(maxsize=16)
def clients_of(text: str) -> frozenset[str]:
    """The names, ``client`` or ``self.client``, that stand for a client somewhere in a text."""
    patterns = (_ASSIGNED, _ENTERED, _DECLARED, _UNPACKED)
    return frozenset(name for pattern in patterns for name in pattern.findall(text))
