"""What readers make of what a run says: the markup a Markdown or HTML reader sees in it that is not ours."""

from __future__ import annotations

import re
from html.parser import HTMLParser

from markdown_it import MarkdownIt
from markdown_it.token import Token

from devpulse.output.characters import is_hidden

_PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
_LINKED = re.compile(r"@\w|#\d|gh-\d|(?:https?|ftp|mailto|xmpp):\w*/|mailto:\w|www\.", re.IGNORECASE)
_OWN_LINK = re.compile(r"\]\(https://cwe\.mitre\.org/data/definitions/\d+\.html\)")
_OWN_TAG = re.compile(r"</?(?:details|summary|code|b|sub)>")
_OWN_MARKER = re.compile(r"^<!-- devpulse:.*-->$", re.MULTILINE)
_COMMAND = re.compile(r"(?m)^\s*::|##\[")
_OF_A_CHART = frozenset({"viewbox", "preserveaspectratio", "aria-hidden", "aria-label", "role", "class"})
_TAGS_OF_A_PAGE = frozenset({"script", "img", "iframe", "svg", "base", "object", "embed", "link", "form", "a"})


def hidden_in(text: str) -> list[str]:
    """The characters that show nothing, or command a terminal or the direction of text."""
    return [repr(character) for character in sorted(set(text)) if is_hidden(character)]


def markup_in(markdown: str, *, markers: int) -> list[str]:
    """What in a comment or summary is not ours; ``markers`` is how many marks of ours it must hold."""
    found = hidden_in(markdown)
    found += [match[0] for match in _COMMAND.finditer(markdown)]
    if not len(_OWN_MARKER.findall(markdown)) == markdown.count("<!--") == markers:
        found.append("markers")
    pending = _PARSER.parse(_OWN_MARKER.sub("", _OWN_LINK.sub("]", markdown)))
    # One suggestion is ours to make, as code that a person may accept.
    suggestions = [token for token in pending if token.type == "fence" and token.info.startswith("suggestion")]
    found += [token.content for token in suggestions[1:]]
    while pending:
        token = pending.pop()
        pending += token.children or []
        found += _foreign(token)
    return found


def _foreign(token: Token) -> list[str]:
    if token.type in {"image", "link_open"}:
        return [str(token.attrs)]
    html = token.type in {"html_block", "html_inline"}
    if html and "<" in _OWN_TAG.sub("", token.content):
        return [token.content]
    text = token.content if (html or token.type == "text") and not token.children else ""
    return [text] if _LINKED.search(text.replace("&#8203;", "\u200b")) else []


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._own = [("script", None), ("form", "filters")]  # each once, the first of its kind

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _TAGS_OF_A_PAGE or any(name.startswith("on") or name in {"src", "srcdoc"} for name, _ in attrs):
            address = dict(attrs).get("href") or ""
            chart = tag == "svg" and {name for name, _ in attrs} <= _OF_A_CHART
            own = (tag, dict(attrs).get("id"))
            if own in self._own:
                self._own.remove(own)
            elif not chart and not (tag == "a" and address.startswith(("https://cwe.mitre.org/", "#"))):
                self.found.append(f"{tag} {attrs}")


def markup_in_page(html: str) -> list[str]:
    """What a browser would load, run or link to in a page that is to hold nothing of the kind."""
    page = _Page()
    page.feed(html)
    return page.found + hidden_in(html)
