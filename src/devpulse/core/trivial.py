"""Changes that no reviewer need look at: comments or formatting alone, lock files, generated files.

When in doubt a change is not trivial. Comments and formatting are told by the syntax trees of both sides: equal but for
comments and the white space between tokens. In languages where that could mislead nothing is trivial.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from tree_sitter import Node

from devpulse.core.change import FileChange, FileStatus, Hunk
from devpulse.core.languages import language_of
from devpulse.core.lazy_pattern import lazy
from devpulse.core.syntax import parse
from devpulse.core.text import split_lines
from devpulse.errors import ParseLimitReached

LOCK_FILES = frozenset({
    "package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock", "poetry.lock", "uv.lock",
    "pdm.lock", "Pipfile.lock", "Cargo.lock", "composer.lock", "Gemfile.lock", "go.sum", "gradle.lockfile",
    "packages.lock.json", "mix.lock", "pubspec.lock", "Podfile.lock", "flake.lock", ".terraform.lock.hcl",
})  # fmt: skip
"""Written by package managers."""

LANGUAGES = frozenset({"go", "java", "javascript", "python", "tsx", "typescript"})
"""Those whose trees show all that line ends and indentation mean, and whose comments are read by tools only."""

_COMMENTS = frozenset({"comment", "line_comment", "block_comment"})
_AS_IT_IS = lazy(r"string|template|regex|character|rune|jsx_text")
"""Kinds of nodes in which white space is part of a value."""

_UNSEEN_END = lazy("\r(?!\n)|[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_LINE_ENDS_MATTER = frozenset({"go", "javascript", "tsx", "typescript"})
_PROSE = lazy(r"[ \t]*(?:#|//|/\*+|\*)?[ \t]*[\w \t.,;:!?()'’&%+/-]*(?:\*+/)?[ \t\r]*")
_FEWEST_WORDS = 2
"""Words of a comment, its mark counted: less may be a mark of a program."""

_PLAIN_MODE = "100644"
_SERVER = lazy(r"(?<![a-z+])[a-z+]++://[^/\s\"']+")
_INSECURE = lazy(r"\bhttp://")
_DIGEST = lazy(r"(?i)integrity|sha(?:1|256|384|512)[-:]|checksum|hash")
_BLANKS = b" \t\r\n"
_TAIL = lazy(r"(?:#|//|/\*|^\s*\*).*|\s")
_DIRECTIVE = lazy(
    # Read by compilers, interpreters, checkers, bundlers and other reviewers.
    r"#!|-\*-|//\s*\+|<(?:reference|amd)|@(?:ts|jsx|flow|preserve|generated|formatter)|[#@]\s*__|//[#@]|coding\s*[:=]|"
    r"\b(?:no(?:sec|qa|lint|sonar|semgrep|check|inspection|cover|mypy)\b|eslint|tslint|jshint|jslint|prettier|biome|"
    r"istanbul|webpack|vite|rollup|pragma|pylint|pyright|mypy|pytype|flake8|ruff|isort|yapf|coverage|suppress|disable|"
    r"enable|ignore|allow|gitleaks|lgtm|codeql|snyk|semgrep|bandit|devpulse|checkstyle|spotless|cgo|export\b|line\b|"
    r"vim?\s*:|globals?\b|exported\b|use strict)|"
    r"(?:#|//|/\*+|^\s*\*)\s*[a-z][\w.+-]{0,30}[:=\[]",
    re.IGNORECASE,
)
_WORD_WITH_COLON = lazy(
    r"(?:#|//|/\*+|^\s*\*)\s*(?:note|todo|fixme|xxx|hack|warning|example|see|returns?|args)\s*:", re.I
)


def trivial_reason(change: FileChange, base: str | None, head: str | None, *, generated: bool) -> str:
    """Why a change is trivial, or an empty text when it is not.

    ``base`` and ``head`` are the whole texts, ``None`` where one is not known. ``generated`` is what the base says.
    """
    if change.path.rpartition("/")[2] in LOCK_FILES:
        return "trivial: lock file" if _is_plain_lock(change, base, head) else ""
    if generated:
        return "trivial: generated, say the attributes of the base"
    language = language_of(change.path)
    if language is None or language not in LANGUAGES or base is None or head is None or not _is_edit(change):
        return ""
    misleading = any(map(_ends_unseen, (base, head))) or _holds_code_in_comments(language, base, head)
    if misleading or not all(map(_may_be_trivial, change.hunks)):
        return ""
    try:
        return _compared(language, base.encode(), head.encode())
    except (ParseLimitReached, UnicodeEncodeError):
        return ""


def _is_plain_lock(change: FileChange, base: str | None, head: str | None) -> bool:
    """Whether a lock file says no more than which versions: from the servers that it named before, with their digests.

    A new one has no base to be held against, but is no program.
    """
    if change.head is None or change.head.mode != _PLAIN_MODE or head is None or head.startswith("#!"):
        return False
    if change.base is None:
        return not _INSECURE.search(head)
    added, removed = (
        "\n".join(line.text for hunk in change.hunks for line in hunk.lines if getattr(line, kind))
        for kind in ("added", "removed")
    )
    known = set(_SERVER.findall(base or ""))
    digests = len(_DIGEST.findall(added)) >= len(_DIGEST.findall(removed))
    return base is not None and digests and set(_SERVER.findall(added)) <= known


def _is_edit(change: FileChange) -> bool:
    return (
        change.status is FileStatus.MODIFIED
        and change.base is not None
        and change.head is not None
        and change.base.mode == change.head.mode
        and change.previous_path is None
    )


def _may_be_trivial(hunk: Hunk) -> bool:
    """What can be told without parsing: the same code is taken away and added, and no directive stands nearby."""
    if any(is_directive(line.text) for line in hunk.lines):
        return False
    added, removed = (
        "".join(_TAIL.sub("", line.text) for line in hunk.lines if getattr(line, kind)) for kind in ("added", "removed")
    )
    return added == removed


def is_directive(line: str) -> bool:
    """Whether a line may hold a comment that a program reads."""
    return bool(_DIRECTIVE.search(_WORD_WITH_COLON.sub("", line)))


def _ends_unseen(text: str) -> bool:
    """Whether lines end, to a language's own reader, where its parser here and most editors see none end."""
    return _UNSEEN_END.search(text) is not None


def _holds_code_in_comments(language: str, base: str, head: str) -> bool:
    """Go's comments before ``import "C"`` are C; Java reads escapes, also of line ends, before it knows of comments."""
    if language == "go":
        return 'import "C"' in base or 'import "C"' in head
    return language == "java" and ("\\u" in base or "\\u" in head)


def _compared(language: str, base: bytes, head: bytes) -> str:
    before, after = (parse(language, text.decode()).root_node for text in (base, head))
    if before.has_error or after.has_error:
        return ""
    if list(_shape(before, base)) != list(_shape(after, head)):
        return ""
    if _comments(before) == _comments(after):
        return "trivial: formatting only"
    if not all(_is_prose(comment) for comment in _changed_comments(before, after)):
        return ""
    if language in _LINE_ENDS_MATTER and not all(map(_stands_alone, (base, head), (before, after))):
        return ""
    same = _without_comments(before, base) == _without_comments(after, head)
    return "trivial: comments only" if same else "trivial: comments and formatting only"


def _shape(root: Node, source: bytes) -> Iterator[tuple[str, bytes]]:
    """The tree without its comments, as a sequence: nodes as they begin and end, and every text that is no blank."""
    at = 0
    stack: list[Node | None] = [root]
    while stack:
        node = stack.pop()
        if node is None:
            yield "", b""
            continue
        if node.type in _COMMENTS:
            yield from _between(source[at : node.start_byte])
            at = node.end_byte
            continue
        if not node.children or _AS_IT_IS.search(node.type):
            yield from _between(source[at : node.start_byte])
            at = max(at, node.end_byte)
            yield node.type, source[node.start_byte : node.end_byte]
            continue
        yield node.type, b""
        stack.append(None)
        stack.extend(reversed(node.children))
    yield from _between(source[at:])


def _between(gap: bytes) -> Iterator[tuple[str, bytes]]:
    """What stands between two tokens, where it is more than blanks."""
    if gap.strip(_BLANKS):
        yield "between", gap


def _nodes(root: Node) -> Iterable[Node]:
    stack = [root]
    while stack:
        node = stack.pop()
        if node.type in _COMMENTS:
            yield node
        else:
            stack.extend(reversed(node.children))


def _comments(root: Node) -> list[bytes | None]:
    return [node.text for node in _nodes(root)]


def _changed_comments(before: Node, after: Node) -> list[str]:
    """The comments that only one side has."""
    old, new = Counter(_comments(before)), Counter(_comments(after))
    return [(text or b"").decode("utf-8", "replace") for text in ((old - new) + (new - old))]


def _is_prose(comment: str) -> bool:
    """Whether a comment is words for people: anything else may be an order to some program."""
    lines = [line for line in comment.split("\n") if line.strip(" \t\r*/#")]
    return all(_PROSE.fullmatch(line) for line in lines) and len(comment.split()) > _FEWEST_WORDS


def _stands_alone(source: bytes, root: Node) -> bool:
    """Whether no comment of several lines stands between code: to the language, its line ends are line ends."""
    for node in _nodes(root):
        if b"\n" in (node.text or b""):
            before = source[source.rfind(b"\n", 0, node.start_byte) + 1 : node.start_byte]
            end = source.find(b"\n", node.end_byte)
            after = source[node.end_byte : end if end >= 0 else len(source)]
            if before.strip() or after.strip():
                return False
    return True


def _without_comments(root: Node, source: bytes) -> list[str]:
    """The lines of code as they are laid out."""
    kept, at = [], 0
    for node in _nodes(root):
        kept.append(source[at : node.start_byte])
        at = node.end_byte
    kept.append(source[at:])
    lines = (line.rstrip() for line in split_lines(b"".join(kept).decode("utf-8", "replace")))
    return [line for line in lines if line]
