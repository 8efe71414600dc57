"""HTML that Java writes piece by piece, and Go declares or sends, around a text that a function was given.

Reports and tags write with functions of their own, ``writeln("<td>" + name)``: what they are given stands between HTML
that they wrote themselves, so that it can only have been forgotten to escape it.
"""

from __future__ import annotations

import re

from devpulse.core.categories import Confidence
from devpulse.core.flow.transfers import decides
from devpulse.core.flow.values import HOLE, Level, Taint, Value
from devpulse.core.rules.flow_rule import Use
from devpulse.core.rules.hits import Reach

KIND = "written markup"
SENT = "sent markup"
MARKUP = re.compile(
    r"(?i)</?(?:html|body|div|span|p|a|b|i|u|h[1-6]|table|thead|tbody|tr|t[dh]|[uod]l|li|d[dt]|img|input|form|select|option|"
    r"textarea|script|style|br|hr|pre|code|font|strong|em|center|label|button|iframe|link|title|blockquote)(?=[\s>/])"
)
"""Tags of HTML: other documents have tags as well."""

_ANY_TAG = re.compile(r"<[a-zA-Z]")
_ENDS_TAG = re.compile(r"['\"]\s{0,5}/?>")
"""What stands behind a value at the end of a tag, whose begin a constant has."""

_TEXTS = re.compile(
    r"(?i)(?:name|title|text|message|msg|label|caption|value|description|comment|query|search|term|keyword|subject|user|email|"
    r"url|uri|href|link|address|host|addr|param\w*|page|user_?agent|referer|input|reason|error|body|content|summary)$|(?:^|_)(?:id|tag)$|(?-i:(?:Id|Tag)$)"
)
"""Parameters that hold a text, and no HTML that was made elsewhere."""

_MADE = re.compile(r"(?i)html|markup|icon|css|style|class|attr|tag_?name|encoded|escaped|safe|color|width|height|align")
_ENCODES = re.compile(r"(?i)encode|html|xml|url|strip|format|i18n|localiz|translat|getstring|getmessage")


def judge(taint: Taint, use: Use) -> Reach | None:
    """A parameter that is called like a text, as it is, behind a tag that the same call or chain wrote."""
    value, origin = use.value, taint.origin
    if value.collection or origin.level is not Level.PARAMETER or origin.member:
        return None
    if any(decides(ask.callee) or _ENCODES.search(ask.callee) for ask in taint.asks):
        return None
    if not _TEXTS.search(origin.label) or _MADE.search(origin.label):
        return None
    before, after = _before(use), (value.skeleton or "").rpartition(HOLE)[2]
    ends_tag = _ENDS_TAG.match(after) is not None and _ANY_TAG.search(before) is None
    return Reach(taint, Confidence.MEDIUM) if MARKUP.search(before) or ends_tag else None


def _before(use: Use) -> str:
    """The constant text before the first value: of the call, and of the chain that it ends."""
    chain = use.call.receiver
    written = (chain.skeleton or "").rpartition(HOLE)[2] if chain is not None else ""
    return written + (use.value.skeleton or "").partition(HOLE)[0]


def stands_between_tags(taint: Taint, value: Value) -> bool:
    """Whether what is declared to be HTML is that around a value which nothing has encoded."""
    if taint.cleaned or any(decides(ask.callee) or _ENCODES.search(ask.callee) for ask in taint.asks):
        return False
    told = taint.origin.level > Level.UNKNOWN or taint.origin.label.endswith("()")
    return told and MARKUP.match((value.skeleton or "").lstrip()) is not None


def judge_sent(taint: Taint, use: Use) -> Reach | None:
    """An answer that begins with a tag, around what a function was given to answer with."""
    value = use.value
    if value.collection or taint.origin.level is not Level.PARAMETER or any(decides(ask.callee) for ask in taint.asks):
        return None
    return Reach(taint, Confidence.MEDIUM) if MARKUP.match((value.skeleton or "").lstrip()) else None
