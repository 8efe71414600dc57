"""Changes that no reviewer need look at: comments or formatting alone, lock files, generated files.

When in doubt a change is not trivial. Comments and formatting are told by the syntax trees of both sides: equal but for
comments and the white space between tokens. In languages where that could mislead nothing is trivial.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from tree_sitter import Node

from devpulse.core.change import FileChange, FileStatus, Hunk
from devpulse.core.languages import language_of
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
_AS_IT_IS = re.compile(r"string|template|regex|character|rune|jsx_text")
"""Kinds of nodes in which white space is part of a value."""

_UNSEEN_END = re.compile("\r(?!\n)|[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_BLANKS = b" \t\r\n"
_TAIL = re.compile(r"(?:#|//|/\*|^\s*\*).*|\s")
_DIRECTIVE = re.compile(
    # Read by compilers, interpreters, checkers, bundlers and other reviewers.
    r"#!|-\*-|//\s*\+|<(?:reference|amd)|@(?:ts|jsx|flow|preserve|generated|formatter)|[#@]\s*__|//[#@]|coding\s*[:=]|"
    r"\b(?:no(?:sec|qa|lint|sonar|semgrep|check|inspection|cover|mypy)\b|eslint|tslint|jshint|jslint|prettier|biome|"
    r"istanbul|webpack|vite|rollup|pragma|pylint|pyright|mypy|pytype|flake8|ruff|isort|yapf|coverage|suppress|disable|"
    r"enable|ignore|allow|gitleaks|lgtm|codeql|snyk|semgrep|bandit|devpulse|checkstyle|spotless|cgo|export\b|line\b|"
    r"vim?\s*:|globals?\b|exported\b|use strict)|"
    r"(?:#|//|/\*+|^\s*\*)\s*[a-z][\w.+-]{0,30}[:=\[]",
    re.IGNORECASE,
)
_WORD_WITH_COLON = re.compile(
    r"(?:#|//|/\*+|^\s*\*)\s*(?:note|todo|fixme|xxx|hack|warning|example|see|returns?|args)\s*:", re.I
)


def trivial_reason(change: FileChange, base: str | None, head: str | None, *, generated: bool) -> str:
    """Why a change is trivial, or an empty text when it is not.

    ``base`` and ``head`` are the whole texts, ``None`` where one is not known. ``generated`` is what the base says.
    """
    if change.path.rpartition("/")[2] in LOCK_FILES:
        return "trivial: lock file"
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


def _without_comments(root: Node, source: bytes) -> list[str]:
    """The lines of code as they are laid out."""
    kept, at = [], 0
    for node in _nodes(root):
        kept.append(source[at : node.start_byte])
        at = node.end_byte
    kept.append(source[at:])
    lines = (line.rstrip() for line in split_lines(b"".join(kept).decode("utf-8", "replace")))
    return [line for line in lines if line]
