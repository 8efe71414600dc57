"""Code that is embedded in pages and templates: the sources of other languages that a file holds.

Each is a text of the length and the lines of the file in which everything but the code of one language is white space,
so that what is found in it stands where it stands in the file. A kind of file is one module here, imported with the
first file of its kind; what a file of another kind pays is a look at the ending of its name.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from importlib import import_module
from typing import cast

from devpulse.core.embedded.masking import Parts
from devpulse.core.source import Source

_HOSTS = {
    **dict.fromkeys(
        (
            ".html", ".htm", ".xhtml", ".hbs", ".handlebars", ".mustache", ".twig", ".njk", ".jinja", ".jinja2", ".j2",
            ".liquid", ".gohtml", ".tmpl", ".tpl", ".ftl",
            ".php", ".phtml",
        ),
        "html",
    ),
    ".vue": "vue",
    ".svelte": "svelte",
    ".astro": "astro",
    ".erb": "erb",
    ".rhtml": "erb",
    ".ejs": "ejs",
    **dict.fromkeys((".jsp", ".jspf", ".tag"), "jsp"),
}  # fmt: skip
"""The module of each kind of file that code of another language may be embedded in, by the ending of its name."""

HOST_ENDINGS = tuple(_HOSTS)
"""The endings of names of files with embedded code."""


@dataclass(frozen=True, slots=True)
class Embedded:
    """The sources that a file holds, those that run on the ``server`` and those that run in a ``page``.

    ``skipped``: there is more code in it, which was too much.
    """

    server: tuple[Source, ...] = ()
    page: tuple[Source, ...] = ()
    skipped: bool = False

    @property
    def sources(self) -> tuple[Source, ...]:
        """All of them."""
        return self.server + self.page


_NOTHING = Embedded()


def host_of(path: str) -> str | None:
    """The kind of file that code may be embedded in, by a path; ``None`` for all others."""
    dot = path.rfind(".")
    return _HOSTS.get(path[dot:].lower()) if dot >= 0 else None


def embedded_in(source: Source) -> Embedded:
    """The code in a file, one source for each language and place where it runs; both sides where there is a change."""
    host = host_of(source.path)
    if host is None:
        return _NOTHING
    head, before = _parts(host, source.text), source.before
    base = _parts(host, before.text) if before is not None else Parts()
    kinds = dict.fromkeys((*head.texts, *base.texts))
    server, page = (
        tuple(_one(source, kind, head, base) for kind in kinds if kind[1] == place) for place in ("server", "page")
    )
    return Embedded(server, page, head.skipped)


@lru_cache(maxsize=8)
def _parts(host: str, text: str) -> Parts:
    return cast("Parts", import_module(f"{__name__}.{host}").parts_of(text))


def _one(source: Source, kind: tuple[str, str], head: Parts, base: Parts) -> Source:
    language, old = kind[0], source.before
    if old is not None:
        old = replace(old, language=language, text=base.texts.get(kind, ""))
    return replace(source, language=language, text=head.texts.get(kind, ""), before=old)
