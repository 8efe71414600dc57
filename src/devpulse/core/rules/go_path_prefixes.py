"""Checks in Go that compare a path with the folder it was put behind, and no separator in between.

``/data/files-old`` begins with ``/data/files``, and is not inside of it: a member of an archive that is called
``../files-old/x`` passes. https://cwe.mitre.org/data/definitions/22.html, https://pkg.go.dev/path/filepath#Join
"""

from __future__ import annotations

import re

from devpulse.core.categories import Confidence
from devpulse.core.lazy_pattern import lazy
from devpulse.core.rules.path_prefixes import WORDING as OF_JAVA
from devpulse.core.rules.path_prefixes import refuses
from devpulse.core.rules.sites import GO, Form, Site, form_rule
from devpulse.core.rules.wording import Weakness, Wording

WORDING = Wording(
    title=OF_JAVA.title,
    description=OF_JAVA.description,
    fix="Put `string(os.PathSeparator)` behind the folder, or ask `filepath.Rel` or `filepath.IsLocal`.",
)
_ASKS = lazy(r"(?<=strings\.)HasPrefix(?=\()")
_NAME = re.compile(r"[A-Za-z_][\w.]{0,60}")
_CLEANED = re.compile(r"filepath\.(?:Clean|Abs|FromSlash)\(([A-Za-z_][\w.]{0,60})\)")
_REFUSES = re.compile(r"\breturn\b|\bcontinue\b|\bpanic\(|log\.Fatal")
_SEPARATED = re.compile(r"PathSeparator|filepath\.Separator|[\"'`]/|/[\"'`]|EvalSymlinks|filepath\.Rel\(|IsLocal\(")
_LONGEST_FUNCTION = 20_000


def _judge(site: Site) -> Confidence | None:
    if site.call is None or len(site.given) != 2 or not refuses(site.call, _REFUSES):
        return None
    path, folder = site.given[0].strip(), site.given[1].strip()
    cleaned = _CLEANED.fullmatch(folder)
    name = cleaned[1] if cleaned is not None else folder
    function = site.function
    if function is None or function.end_byte - function.start_byte > _LONGEST_FUNCTION:
        return None
    if not _NAME.fullmatch(path) or not _NAME.fullmatch(name) or _SEPARATED.search(site.function_text):
        return None
    behind = re.compile(
        rf"(?<![\w.]){re.escape(path)}\b(?:\s{{0,9}},\s{{0,9}}\w{{1,20}})?\s{{0,9}}:?=\s{{0,9}}"
        rf"(?:filepath\.(?:Clean|Abs)\()?(?:file)?path\.Join\({re.escape(name)}\s{{0,9}},"
    )
    return Confidence.MEDIUM if behind.search(site.function_text) else None


FORMS = (Form(GO, ("strings.HasPrefix(",), _ASKS, _judge, Weakness("path-traversal"), WORDING),)
RULE = form_rule("go-path-prefixes", "path-traversal", GO, FORMS)
