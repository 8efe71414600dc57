"""Text that gives orders to an automated reviewer: in comments, strings, documentation, configuration."""

from __future__ import annotations

import re
from collections.abc import Iterator

from devpulse.core.categories import Confidence
from devpulse.core.finding import Hit, HitKind
from devpulse.core.rules.injection_forms import Form, forms_of
from devpulse.core.rules.injection_phrases import Order, is_discussed, orders_in, spelled_out
from devpulse.core.rules.wording import Weakness, Wording, make_hit
from devpulse.core.source import Rule, Source
from devpulse.core.symbols import Resolver

_WEAKNESS = Weakness("prompt-injection")
_QUOTES = "\"'`\u201c\u201d\u2018\u2019\u00ab\u00bb"
_NEAR = 400
_LONGEST = 10


def check(source: Source, resolver: Resolver) -> Iterator[Hit]:  # noqa: ARG001  (the rule's fixed signature)
    """One hit for each group of lines with an order, however it is written."""
    found: dict[tuple[int, int], tuple[Confidence, bool]] = {}
    told = is_discussed(source.path.lower().replace("_", " "))
    plain: set[tuple[int, int]] = set()
    for form in forms_of(source.text):
        orders = [*orders_in(form.text), *(spelled_out(form.text) if form.disguised else ())]
        for order in orders:
            lines = form.lines(order.start, order.end)
            if not form.disguised:
                plain.add(lines)
                if _is_mentioned(form, order, told=told):
                    continue
            elif lines in plain:
                continue  # it stands there openly, and has been judged
            if lines not in found or found[lines][0].rank < order.confidence.rank:
                found[lines] = (order.confidence, form.disguised)
    if source.text and any(orders_in(_as_prose(source.path))):
        found.setdefault((1, 1), (Confidence.HIGH, False))
    yield from _hits(found)


def _as_prose(path: str) -> str:
    """The words of a file's name as a sentence."""
    return re.sub(r"[_/.\s]+", " ", path.lower().replace(" - ", ": ").replace("-", " "))


def _hits(found: dict[tuple[int, int], tuple[Confidence, bool]]) -> Iterator[Hit]:
    """Overlapping and neighbouring places as one hit, at most ten lines long."""
    last = 0
    for (start, end), (confidence, disguised) in sorted(found.items(), key=lambda item: item[0]):
        if start > last:
            wording = _DISGUISED if disguised else _PLAIN
            yield make_hit(
                _WEAKNESS, wording, (start, min(end, start + _LONGEST - 1)), confidence, kind=HitKind.FINDING
            )
            last = max(end, start + 1)


def _is_mentioned(form: Form, order: Order, *, told: bool) -> bool:
    """Whether a text speaks of such an order instead of giving it: it is quoted, and injection is the subject."""
    text = form.text
    around = text[max(0, order.start - _NEAR) : order.end + _NEAR // 2]
    return _is_quoted(text, order) and (told or is_discussed(around.replace("_", " ")))


def _is_quoted(text: str, order: Order) -> bool:
    start = text.rfind("\n", 0, order.start) + 1
    end = text.find("\n", order.end)
    before, after = text[start : order.start], text[order.end : end if end >= 0 else len(text)]
    if any(sign in before for sign in _QUOTES) and any(sign in after for sign in _QUOTES):
        return True
    return re.match(r"\s*>", before) is not None or text.count("```", 0, order.start) % 2 == 1


_FIX = "Remove it. Where a program needs such text, for a test say, keep it as data with a word on what it is for."
_PLAIN = Wording(
    title="Text that gives orders to an automated reviewer",
    description="The text addresses a tool or a model that reads this change and tells it what to conclude or "
    "to ignore.",
    fix=_FIX,
)
_DISGUISED = Wording(
    title="Disguised orders to an automated reviewer",
    description="Written out, the text tells a tool or a model that reads this change what to conclude or to "
    "ignore; it "
    "stands here encoded, spaced out, or in look-alike or invisible characters.",
    fix=_FIX,
)

RULE = Rule(id="prompt-injection", category="prompt-injection", languages=frozenset(), check=check)
