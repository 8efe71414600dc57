"""The template formats whose raw outputs are looked at, one file each, listed here on purpose and nowhere else.

A format's module is imported when a file may be one of it: by its ending, and by the words in it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, cast

from devpulse.core.lazy_pattern import lazy
from devpulse.core.source import Source

if TYPE_CHECKING:
    from devpulse.core.templates.base import Format

_PAGES = (".html", ".htm", ".xhtml")
_FORMATS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "blade": ((".blade.php",), ("{!!", "{{")),
    "ejs": ((".ejs",), ("<%",)),
    "erb": ((".erb", ".rhtml"), ("<%",)),
    "freemarker": ((".ftl", ".ftlh"), ("${", "[=")),
    "go_template": (
        (".tmpl", ".gohtml", ".tpl", *_PAGES),
        ("safeHTML", "safeHtml", "safehtml", "SafeHTML", "safe_html", "safeJS", "unescape", "htmlSafe", "noescape"),
    ),
    "haml": ((".haml",), ("=", "#{", "!{")),
    "handlebars": ((".hbs", ".handlebars", ".mustache", *_PAGES), ("{{{", "{{&")),
    "jinja": (
        (".jinja", ".jinja2", ".j2", ".njk", ".djhtml", *_PAGES),
        ("|safe", "| safe", "autoescape", "mark_safe", "Markup(", "<script", "{{ request.", "{{request."),
    ),
    "jsf": ((".xhtml", ".jsf"), ('escape="false"',)),
    "jsp": ((".jsp", ".jspf", ".jspx", ".tag", ".tagx"), ("<%=", "${", "escapeXml", "<jsp:expression")),
    "latte": ((".latte",), ("noescape",)),
    "lodash": ((".tpl", ".jst", *_PAGES), ("<%=",)),
    "mako": ((".mako", ".mak", *_PAGES), ("${",)),
    "plain_erb": ((".erb", ".rhtml"), ("<%=",)),
    "pug": ((".pug", ".jade"), ("!=", "!{")),
    "razor": ((".cshtml", ".razor"), ("Html.Raw", "HtmlString", "MarkupString")),
    "slim": ((".slim",), ("==", "html_safe", "raw", "{{", "=")),
    "smarty": ((".tpl", ".smarty"), ("{",)),
    "svelte": ((".svelte",), ("{@html",)),
    "thymeleaf": (_PAGES, ("th:utext", "th-utext", "[(")),
    "tornado": ((*_PAGES,), ("{% raw ", "{%raw ", "autoescape None")),
    "twig": ((".twig",), ("{{",)),
    "velocity": ((".vm", ".vtl"), ("$",)),
    "vue": ((".vue", *_PAGES), ("v-html",)),
}
"""By the name of a format, which is its module's too: the endings of its files, and words of which such a file has one
when there may be anything to say of it."""

EXTENSIONS = tuple(sorted({extension for extensions, _ in _FORMATS.values() for extension in extensions}))
"""What the paths of templates end in."""

NAMES = tuple(_FORMATS)
"""The formats."""

_OTHER = lazy(
    r"(?i)\.(?:txt|text|plain|xml|json|js|ts|jsx|css|scss|less|ya?ml|conf|cfg|sh|bash|rb|py|sql|md|rst|ini|toml|csv|ics|rss|atom|"
    r"tex|env|service|properties|java|go|cs|c|h|cpp|php|pp|tf|pdf|svg)(?:\.[a-z0-9]+)?$"
)
_BLADE = lazy(r"(?i)\.blade\.php$")
_OF_A_PAGE = lazy(
    r"(?i)<(?:html|body|head|div|p|span|a|b|i|em|strong|td|th|tr|table|li|ul|ol|h[1-6]|form|input|button|label|img|script|style|"
    r"section|article|main|nav|header|footer|pre|code|br|textarea|select|option|template|dd|dt|small|iframe|c:\w+)[\s>/]"
)
_OF_RAILS = (".html.erb", ".htm.erb", ".xhtml.erb", ".turbo_stream.erb")
_WITHOUT_TAGS = frozenset({"haml", "pug", "slim"})


def is_template(source: Source) -> bool:
    """Whether a file is a template of any format that makes pages."""
    return bool(formats_of(source.path, source.text))


def makes_no_page(path: str) -> bool:
    """Whether the file that a template makes is no page, by the ending before that of the template: ``x.sh.erb``."""
    return _OTHER.search(path) is not None and _BLADE.search(path) is None


def formats_of(path: str, text: str) -> tuple[str, ...]:
    """The names of the formats that a file may be a template of; none when it makes no page."""
    lower = path.lower()
    if not lower.endswith(EXTENSIONS):
        return ()
    named = [
        name
        for name, (extensions, words) in _FORMATS.items()
        if lower.endswith(extensions) and any(word in text for word in words)
    ]
    if not named or makes_no_page(path):
        return ()
    if lower.endswith(_OF_RAILS):
        named = [name for name in named if name != "plain_erb"]
    if _OF_A_PAGE.search(text) is None:
        named = [name for name in named if name in _WITHOUT_TAGS]
    return tuple(named)


def format_of(name: str) -> Format:
    """A format, loaded when first asked for.

    Raises:
        KeyError: there is no such format.
    """
    if name not in _FORMATS:
        raise KeyError(name)
    return cast("Format", import_module(f"{__name__}.{name}").FORMAT)
