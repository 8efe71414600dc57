"""Jinja set up for pages without escaping: it escapes nothing unless it is told to, whatever the template is called.

https://jinja.palletsprojects.com/en/stable/api/#jinja2.Environment
"""

from __future__ import annotations

import re
from functools import lru_cache

from devpulse.core.categories import Confidence
from devpulse.core.flow.syntax_nodes import short_text
from devpulse.core.lazy_pattern import lazy
from devpulse.core.rules.sites import PYTHON, Form, Site, callee_text, form_rule
from devpulse.core.rules.wording import Weakness, Wording

WORDING = Wording(
    title="Templates of pages that escape nothing",
    description="Jinja puts values into pages as they are unless it is told to escape them.",
    fix="Give the environment `autoescape=select_autoescape()`, or `autoescape=True`.",
)
_MADE = lazy(r"(?:Sandboxed)?Environment(?=\s?\()")
_OWNERS = re.compile(r"(?:^|jinja2?\.|sandbox\.)(?:Sandboxed)?Environment$")
_LOADS = re.compile(r"\bloader\s?=|Loader\(")
_TOLD = re.compile(r"autoescape|\*\*|_start_string|keep_trailing_newline|trim_blocks")
"""What says whether it escapes, or that what is made is a text and no page."""

_OF_PAGES = re.compile(
    r"(?i)\.html?\b|text/html|\bhtml\b|Markup\(|\.router\b|add_static|static_?dir|\brequests?\b(?!\.(?:get|post))|\bresponse\b"
    r"|\bweb\b|www\b|tornado|aiohttp|twisted|flask|starlette|cherrypy|RequestHandler"
)
_OF_OTHERS = re.compile(
    r"(?i)\.(?:txt|te?x|sql|ya?ml|conf|cfg|ini|sh|md|rst|py|toml|[ch]|cpp|rs|go|tac|tmpl|service)\b|latex|markdown|codegen|dockerfile"
)


def _judge(site: Site) -> Confidence | None:
    if site.call is None or not _OWNERS.search(callee_text(site.call)) or _TOLD.search(site.arguments):
        return None
    if not _LOADS.search(site.arguments):
        return None
    bases = site.owner.child_by_field_name("superclasses") if site.owner is not None else None
    of_pages = _is_of_pages(f"{site.class_name} {short_text(bases, 200)} {site.function_text}")
    return Confidence.MEDIUM if of_pages else None


@lru_cache(maxsize=8)
def _is_of_pages(around: str) -> bool:
    """Whether code makes pages, and nothing that wants no escaping: asked once for all environments in a function."""
    if "autoescape" in around or _OF_OTHERS.search(around):
        return False
    return _OF_PAGES.search(around) is not None


FORMS = (Form(PYTHON, ("Environment",), _MADE, _judge, Weakness("cross-site-scripting"), WORDING),)
RULE = form_rule("python-raw-templates", "cross-site-scripting", PYTHON, FORMS)
