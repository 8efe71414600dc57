"""Cross-site scripting: values put into a page as they are.

Kinds of sinks: ``answer`` sends a text as a page unless it is told another content type. ``page`` is what a route
gives back, where that is sent as a page, ``entity`` the same within an object, ``shortcode`` the HTML of one of
WordPress, ``tagged`` an answer when it has tags, ``route`` what the block of a route gives back in Ruby. ``markup``
declares a text to be safe HTML, ``address`` an address. ``sent`` is HTML that a function of PHP makes of what was sent.
``dom`` makes a part of a page from a text in the browser, ``element`` does so when the
text begins with a tag, ``part`` when it has one. ``script`` puts data into a page by a template that does not escape,
if it is one of Mako, ``raw`` if its engine is not told to escape. ``tag`` is what a tag of a template gives back,
``trouble`` what a function gives back that writes down an exception, ``partly`` what one gives back that escapes a part
of it. ``plain`` fills a template that does not escape, ``bytes`` come after a content type, ``told`` are HTML if the
function says so, ``exchange`` is written by the JDK's own server, ``output`` by a server page, ``written markup`` by a
function of the program's own. Those of ``built_pages`` are Python's, those of ``printed_values`` are what PHP makes and
hands to templates, those of ``javascript.answers`` are Javascript's.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from devpulse.core.categories import Confidence
from devpulse.core.flow.purposes import Purpose
from devpulse.core.flow.transfers import JSON, RAW_TEMPLATE, decides
from devpulse.core.flow.values import CLEAN, HOLE, Ask, Level, Taint, Value
from devpulse.core.rules import built_pages, java_answers, printed_values, written_markup
from devpulse.core.rules.built_pages import TAG
from devpulse.core.rules.cloud_answers import of_cloud
from devpulse.core.rules.declared_types import CONTENT_TYPES, declares_other, declares_page, is_no_page
from devpulse.core.rules.escaped_beside import is_bare_parameter, is_left_raw
from devpulse.core.rules.flow_rule import Danger, Use, flow_rule
from devpulse.core.rules.formatted_answers import is_encoded
from devpulse.core.rules.hits import Reach
from devpulse.core.rules.javascript import LANGUAGES
from devpulse.core.rules.page_values import (
    escapes,
    is_failed_cast,
    is_left_out,
    is_own_text,
    is_put_in,
    is_trouble,
    quotes_input,
    shows_text,
)
from devpulse.core.rules.printed_values import is_in_attribute, is_sent, of_made, of_php
from devpulse.core.rules.wording import Weakness, Wording
from devpulse.core.rules.written_texts import is_written_raw
from devpulse.core.source import Source
from devpulse.core.text import first_in

WORDING = Wording(
    title="Value put into a page without escaping",
    description="The value becomes part of the page as it is, so whoever chooses it can run scripts in other browsers.",
    fix="Escape the value for HTML, or let the template engine do it.",
)
_WRITTEN = re.compile(
    r"(?i)\.(?:(?:full|first|last|user|display|nick|screen|file|company)_?)?(?:name|title|description|summary|content|body|comment|"
    r"message|subject|email|caption|bio|homepage|website|nick|about|signature|biography|excerpt)$"
)
_ESCAPES = re.compile(
    r"(?<!\bre\.)(?<!\w)(?:\w+_|html\.|cgi\.)?escape\(|\b(?:htmlspecialchars|htmlentities|esc_(?:html|attr|url))\("
)
_MAKES_TAGS = re.compile(r"[\"'>]\s{0,80}</?[a-z]")
_FETCHED = re.compile(r"(?:^|\.)(?:Get|Find|Load|First|List|Select|Query|By)[A-Z]?\w*$")
_RUBY_CONTENT = re.compile(r"\b(?:html|body|text)(?::|\s*+=>)")
_RUBY_ROUTE = re.compile(r"(?m)^[ \t]*(?:get|post|put|patch|delete)[ \t(]{1,4}['\"%][^\n]{0,200}\bdo\b")
_WORKER = re.compile(
    r"new (?:Shared)?Worker\(|WebSocket|EventSource|\.onmessage\b(?<!window\.onmessage)|MessageChannel"
)
_DATA = re.compile(r"\.(?:get_json|json|get_data|data|body)(?:\(\))?$")
_WRITES_TAGS = re.compile(r"[\"'>]\s*<[a-z]")
_TEXT_TEMPLATE = re.compile(r"\"text/template\"")
_OF_PAGE = re.compile(r"(?i)text/html|<(?:html|body|div|p|a|h[1-6]|title|script)\b|\.html\b")
_TO_WRITER = re.compile(
    r"\.Execute(?:Template)?\(\s*(?:w|rw|wr|writer|rsp|res\w*|out|\w*[rR]esponseWriter|\w+\.Writer)\s*,"
)
_VIEWS = frozenset({"f", "fn", "func", "function", "view", "view_func", "wrapped", "handler", "method"})
_PARTS = frozenset({"dom", "element", "part"})
_ANSWERS = frozenset({"answer", "status", "reply"})


def _judge(taint: Taint, use: Use) -> Reach | None:
    if Purpose.TAGS in taint.cleaned:
        return Reach(taint, Confidence.MEDIUM) if is_sent(taint) and is_in_attribute(use) else None
    return _judge_uncleaned(taint, use)


def _judge_uncleaned(taint: Taint, use: Use) -> Reach | None:  # noqa: PLR0911  (one return for each case)
    level, kind, value = taint.origin.level, use.sink.kind, use.value
    special = _KINDS.get(kind)
    if special is not None:
        return special(taint, use)
    if value.collection or (use.source.language in LANGUAGES and not _is_shown(taint, use)):
        return None
    if kind in _ANSWERS and (
        is_no_page(use) or java_answers.is_no_writer(use) or _of_view(taint, use) or is_encoded(taint, use)
    ):
        return None
    has_tags = TAG.search(value.skeleton or "") is not None
    if use.source.language == "php" and (level is Level.REQUEST or kind == "answer"):
        return of_php(taint, use)
    if level is Level.REQUEST:
        if (
            kind == "markup"
            and use.source.language == "go"
            and not has_tags
            and any(_FETCHED.search(ask.callee) for ask in taint.asks)
        ):
            return Reach(taint, Confidence.LOW)
        return Reach(taint, Confidence.HIGH if use.sink.certain or has_tags else Confidence.MEDIUM)
    shown = has_tags or set(value.skeleton or "") == {HOLE}
    if kind in _PARTS and shown and _is_put_in(taint, use, has_tags=has_tags):
        return Reach(taint, Confidence.MEDIUM)
    if kind == "dom" and level is Level.LOCAL_INPUT and taint.origin.label.endswith(".data"):
        asks_sender = ".origin" in use.source.text  # of the message
        return Reach(taint, Confidence.LOW if asks_sender or first_in(_WORKER, use.source.text) else Confidence.MEDIUM)
    if _is_written(taint, use, has_tags=has_tags):
        return Reach(taint, Confidence.MEDIUM, firm=has_tags and kind == "markup" and shows_text(use.text))
    return Reach(taint, Confidence.LOW) if kind != "answer" and level >= Level.PARAMETER else None


def _of_view(taint: Taint, use: Use) -> bool:
    """Whether it is the answer of the view that a decorator goes round: that is a page already."""
    names = {parameter.name for parameter in use.call.scope.parameters} | _VIEWS
    return use.source.language == "python" and any(ask.callee in names for ask in taint.asks)


def _is_shown(taint: Taint, use: Use) -> bool:
    """Whether a text that a sink of Javascript is given is shown as HTML, as far as its kind asks for that."""
    from devpulse.core.rules.javascript import answers  # noqa: PLC0415  (files of other languages have no use for it)

    kind, skeleton = use.sink.kind, use.value.skeleton or ""
    if kind in answers.KINDS:
        return taint.origin.level is Level.REQUEST and answers.is_page(use, use.value) and not answers.is_encoded(taint)
    if kind == "part":
        return TAG.search(skeleton) is not None or (skeleton == HOLE and use.call.method == "html")
    if kind == "element":
        return skeleton.lstrip().startswith("<")
    return kind != "answer" or not answers.is_encoded(taint)


def _is_put_in(taint: Taint, use: Use, *, has_tags: bool) -> bool:
    from devpulse.core.rules.javascript import bare_texts, page_parts  # noqa: PLC0415  (as above)

    if page_parts.is_read_off_page(taint):
        return True
    if not has_tags:
        return bare_texts.is_put_in_whole(taint, use)
    others = use.sink.kind != "element" and page_parts.is_part_of_others(taint, use)
    return others or page_parts.is_plain_text(taint, use) or bare_texts.is_put_between(taint, use)


_SAYS_HTML = re.compile(r"TEXT_HTML|text/html")


def _of_tagged(taint: Taint, use: Use) -> Reach | None:
    """A text with tags that an object is given which is sent as a page."""
    value = use.value
    if use.source.language == "php" and taint.origin.level is not Level.REQUEST:
        return of_made(taint, use)
    if taint.origin.level is not Level.REQUEST or value.collection or not TAG.search(value.skeleton or ""):
        return None
    return None if is_no_page(use) else Reach(taint, Confidence.LOW if taint.asks else Confidence.HIGH)


def _of_route(taint: Taint, use: Use) -> Reach | None:
    """A text that the block of a route in Ruby gives back; any other answer says what it is."""
    value = use.value
    if taint.origin.level is not Level.REQUEST or value.collection or taint.asks:
        return None
    text = (value.skeleton or "").strip(HOLE + " \n")
    if not text or text[0] in "{[" or any(call.method == "content_type" for call in use.function.calls):
        return None
    return Reach(taint, Confidence.HIGH if TAG.search(text) else Confidence.MEDIUM)


def _is_text(taint: Taint) -> bool:
    """Whether an origin is a field of a record by whose name people write what they like into it."""
    return (
        taint.origin.level is Level.UNKNOWN and taint.origin.member and _WRITTEN.search(taint.origin.label) is not None
    )


def _is_written(taint: Taint, use: Use, *, has_tags: bool) -> bool:
    """Whether a value that did not come with this request is surely put between tags as it is."""
    level, kind = taint.origin.level, use.sink.kind
    if kind == "markup":
        if use.source.language == "go" and written_markup.stands_between_tags(taint, use.value):
            return True
        if level is Level.PARAMETER:
            return is_put_in(taint, use.value.skeleton, use.text, has_tags=has_tags)
        written = use.source.language in ("ruby", "go") and _is_text(taint)
        stored = use.source.language == "python" and (is_own_text(taint) or is_trouble(taint))
        return has_tags and (written or stored)
    if kind != "answer" or use.source.language != "python":
        return False
    if has_tags and level is Level.PARAMETER:
        return _says_page(use) and not any(map(_cleans, taint.asks))
    failed = is_failed_cast(taint, use.call, use.function.calls)
    return failed or quotes_input(taint) or (has_tags and is_trouble(taint))


def _says_page(use: Use) -> bool:
    """Whether the answer is said to be HTML in so many words."""
    return any("html" in ((use.call.keyword(name) or CLEAN).skeleton or "") for name in CONTENT_TYPES)


def _of_return(taint: Taint, use: Use) -> Reach | None:
    """HTML that a tag of a template gives back, and HTML with the text of an exception from any function."""
    if use.sink.kind == "partly" and use.source.language == "php":
        told = is_left_raw(taint, use) or is_bare_parameter(taint, use.value.taints) or is_sent(taint)
        told = told or is_written_raw(taint, use)
    elif use.sink.kind == "partly":
        told = is_left_out(taint, use.value.taints)
    else:
        told = is_trouble(taint) if use.sink.kind == "trouble" else taint.origin.level is Level.PARAMETER
    return Reach(taint, Confidence.MEDIUM) if told and TAG.search(use.value.skeleton or "") else None


def _of_address(taint: Taint, use: Use) -> Reach | None:
    """An address that a page trusts, from its begin on: another host, or ``javascript:``."""
    chosen = taint.origin.level is Level.REQUEST and (use.value.skeleton or "").startswith(HOLE)
    return Reach(taint, Confidence.MEDIUM if taint.asks else Confidence.HIGH) if chosen else None


def _of_page(taint: Taint, use: Use) -> Reach | None:
    """A text with tags, or built from a request. Whatever else a route gives back, the framework may render."""
    value = use.value
    parts = [part for part in map(value.field, "012") if part is not None]
    if value.collection:  # ``return text, status, headers``
        body = value.field("0")
        if body is None or body.collection or len(value.fields) > 3 or not _is_answer(parts):
            return None
        value = body
    known = any(item.origin is taint.origin for item in value.taints)
    if not known or taint.origin.level is not Level.REQUEST or _is_data(taint) or declares_other(use.function):
        return None
    if TAG.search(value.skeleton or ""):
        return Reach(taint, Confidence.HIGH)
    return None if taint.asks else Reach(taint, Confidence.MEDIUM)


def _of_template(taint: Taint, use: Use) -> Reach | None:
    """A value handed to a template that is known not to escape it."""
    if use.sink.kind == "script" and (not _is_mako(use) or _has_json(use.value)):
        return None  # JSON is told of without a look at where it comes from
    if use.sink.kind == "raw" and (use.call.receiver is None or use.call.receiver.role != RAW_TEMPLATE):
        return None
    if taint.origin.level is Level.REQUEST:
        return Reach(taint, Confidence.HIGH if use.sink.kind == "raw" else Confidence.LOW)
    return Reach(taint, Confidence.LOW) if taint.origin.level is Level.PARAMETER and use.sink.kind == "raw" else None


def _is_mako(use: Use) -> bool:
    return any((argument.value.skeleton or "").endswith(".mako") for argument in use.call.arguments)


def _always(use: Use) -> Confidence | None:
    """JSON that is put into a page as it is: a text in it that has ``</script>`` ends the script around it."""
    if use.sink.kind == "markup":
        return Confidence.MEDIUM if use.value.role == JSON else None
    if use.sink.kind == "tag":
        return Confidence.MEDIUM if use.value.role == JSON and not escapes(use.function.calls) else None
    if use.sink.kind == "script" and _is_mako(use):
        return Confidence.MEDIUM if _has_json(use.value) and not escapes(use.function.calls) else None
    return None


def _has_json(value: Value) -> bool:
    """Whether a table has JSON with something in it that no function on its way may have cleaned."""
    return any(
        item.role == JSON and any(not any(map(_cleans, taint.asks)) for taint in item.taints)
        for _, item in value.fields
    )


def _cleans(ask: Ask) -> bool:
    return decides(ask.callee) or "xss" in ask.callee.lower()


def _is_answer(parts: list[Value]) -> bool:
    """Whether a text is followed by a status or headers that do not say that it is something else than HTML."""
    rest = parts[1:]
    if not rest or not all(isinstance(part.constant, int) or part.collection for part in rest):
        return False
    declared = [value.skeleton or "" for part in rest for name, value in part.fields if name.lower() == "content-type"]
    return all("html" in text for text in declared)


def _is_data(taint: Taint) -> bool:
    """Whether an origin is structured data of a request, which is sent back as such."""
    return _DATA.search(taint.origin.label) is not None


def _of_bytes(taint: Taint, use: Use) -> Reach | None:
    """Bytes that are sent under a content type."""
    declared = use.call.argument(1)
    is_page = declared is not None and "html" in (declared.skeleton or "")
    return Reach(taint, Confidence.HIGH) if is_page and taint.origin.level is Level.REQUEST else None


def _of_plain(taint: Taint, use: Use) -> Reach | None:
    """What a template of Go's ``text/template`` is given that is sent as a page."""
    told = taint.origin.level >= Level.PARAMETER or taint.origin.member
    sent = first_in(_TEXT_TEMPLATE, use.source.text) is not None and _TO_WRITER.search(use.text) is not None
    return Reach(taint, Confidence.MEDIUM) if told and sent else None


def _of_told(taint: Taint, use: Use) -> Reach | None:
    """An answer that is plain text unless a call in the function, or the answer itself, says that it is HTML."""
    value = use.value
    if taint.origin.level is not Level.REQUEST or value.collection or not declares_page(use):
        return None
    return Reach(taint, Confidence.HIGH)


def _of_entity(taint: Taint, use: Use) -> Reach | None:
    """A text with tags that a route gives back within an answer of which nothing else is known to be a page."""
    return _of_page(taint, use) if TAG.search(use.value.skeleton or "") and "APPLICATION_JSON" not in use.text else None


_KINDS: dict[str, Callable[[Taint, Use], Reach | None]] = {
    "exchange": java_answers.of_exchange,
    written_markup.KIND: written_markup.judge,
    written_markup.SENT: written_markup.judge_sent,
    "address": _of_address,
    "bytes": _of_bytes,
    "cloud": of_cloud,
    "entity": _of_entity,
    "page": _of_page,
    "plain": _of_plain,
    "raw": _of_template,
    "script": _of_template,
    "route": _of_route,
    "told": _of_told,
    "tagged": _of_tagged,
    "marked": lambda taint, use: _of_tagged(taint, use) if _SAYS_HTML.search(use.text) else None,
    **dict.fromkeys(("tag", "trouble", "partly"), _of_return),
    **built_pages.KINDS,
    **printed_values.KINDS,
}


def _sends_page(text: str) -> bool:
    return "http.ResponseWriter" in text and _OF_PAGE.search(text) is not None


def _says_content(text: str) -> bool:
    """Whether a Ruby text may render what it is given: nearly every page renders others."""
    return _RUBY_CONTENT.search(text) is not None


_NEEDED: dict[str, Callable[[str], bool]] = {
    "exchange": lambda text: java_answers.BODY in text,
    written_markup.KIND: lambda text: written_markup.MARKUP.search(text) is not None,
    "told": lambda text: "html" in text,
    "cloud": lambda text: "text/html" in text,
    "marked": lambda text: _SAYS_HTML.search(text) is not None,
    "route": lambda text: _RUBY_ROUTE.search(text) is not None,
    "plain": lambda text: _TEXT_TEMPLATE.search(text) is not None and _sends_page(text),
    "made": lambda text: _MAKES_TAGS.search(text) is not None,
    "partly": lambda text: _ESCAPES.search(text) is not None and _WRITES_TAGS.search(text) is not None,
}
"""What a file must have for some kinds of sinks."""


def _plausible(kind: str, source: Source) -> bool:
    if source.language in LANGUAGES:
        from devpulse.core.rules.javascript import answers  # noqa: PLC0415  (as above)

        if kind in answers.KINDS or kind == "part":
            return answers.is_plausible(kind, source.text)
    if kind in built_pages.KINDS:
        return built_pages.is_plausible(kind, source)
    needed = _says_content if kind == "answer" and source.language == "ruby" else _NEEDED.get(kind)
    return needed is None or needed(source.text)


RULE = flow_rule(Danger(Weakness("cross-site-scripting"), WORDING, _judge, always=_always, plausible=_plausible))
