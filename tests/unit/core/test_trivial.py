from __future__ import annotations

import difflib
from dataclasses import replace

import pytest

from devpulse.core.change import DiffLine, FileChange, FileKind, FileStatus, FileVersion, Hunk
from devpulse.core.trivial import LOCK_FILES, is_directive, trivial_reason


def change_of(path: str, base: str, head: str) -> FileChange:
    old, new, lines = base.split("\n"), head.split("\n"), []
    for tag, a, b, c, d in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            lines += [DiffLine(a + n + 1, c + n + 1, old[a + n]) for n in range(b - a)]
        else:
            lines += [DiffLine(n + 1, None, old[n]) for n in range(a, b)]
            lines += [DiffLine(None, n + 1, new[n]) for n in range(c, d)]
    hunk = Hunk(1, len(old), 1, len(new), tuple(lines))
    version = FileVersion(path, "100644", None, FileKind.TEXT)
    return FileChange(FileStatus.MODIFIED, version, version, (hunk,))


def reason(path: str, base: str, head: str) -> str:
    return trivial_reason(change_of(path, base, head), base, head, generated=False)


@pytest.mark.parametrize(
    ("path", "base", "head", "expected"),
    [
        ("a.py", "x = 1\n", "# Why it is one.\nx = 1\n", "comments only"),
        ("a.py", "x = 1  # the old way\n", "x = 1  # the new way\n", "comments only"),
        ("a.py", "# the old way\nx = 1\n", "x = 1\n", "comments only"),
        ("a.py", "x = f( 1,2 )\n", "x = f(1, 2)\n", "formatting only"),
        ("a.py", "x = f(1, 2)\n", "x = f(\n    1,\n    2\n)\n", "formatting only"),
        ("a.py", "x = 1\n", "\n\nx = 1\n", "formatting only"),
        ("a.py", "# the old way\nx = f( 1 )\n", "# the new way\nx = f(1)\n", "comments and formatting only"),
        ("a.js", "f(1);\n", "/* Why. */\nf(1);\n", "comments only"),
        ("a.ts", "if(a){b()}\n", "if (a) {\n  b()\n}\n", "formatting only"),
        (
            "A.java",
            "class A { int x; }\n",
            "class A {\n  // Why it is so.\n  int x;\n}\n",
            "comments and formatting only",
        ),
        ("a.go", "package a\n\nvar x = 1\n", "package a\n\n// Why it is so.\nvar x = 1\n", "comments only"),
        ("a.py", "# Note: the old way\nx = 1\n", "# Note: the new way\nx = 1\n", "comments only"),
    ],
)
def test_trivial_reason__comments_and_formatting(path, base, head, expected):
    assert reason(path, base, head) == f"trivial: {expected}"


@pytest.mark.parametrize(
    ("path", "base", "head"),
    [
        ("a.py", "x = 1\n", "x = 2\n"),
        ("a.py", "if a:\n    b()\n    c()\n", "if a:\n    b()\nc()\n"),
        ("a.py", "if a:\n    b()\nc()\n", "if a:\n    b()\n    c()\n"),
        (
            "a.py",
            "for a in b:\n    if a:\n        c()\n    d()\n",
            "for a in b:\n    if a:\n        c()\n        d()\n",
        ),
        ("a.py", "x = 'a b'\n", "x = 'ab'\n"),
        ("a.py", '# /// script\n# dependencies = ["a"]\n# ///\n', '# /// script\n# dependencies = ["b"]\n# ///\n'),
        ("a.py", '# dependencies = [\n#   "a",\n# ]\n', '# dependencies = [\n#   "b",\n# ]\n'),
        ("a.py", "x = 1\n", "# pyre-unsafe\nx = 1\n"),
        ("a.js", "f();\n", "//= require evil\nf();\n"),
        ("a.js", "f();\n", "// @require https://evil.example/x.js\nf();\n"),
        ("a.tsx", "f();\n", "/* @emotion/react jsx */\nf();\n"),
        ("a.js", "yield /* why so */ call(check)\n", "yield /* why so\n*/ call(check)\n"),
        ("a.py", "x = 1\n", "# note\rimport os; os.abort()\nx = 1\n"),
        ("A.java", "class A {\n}\n", "class A {\n// note\r static {}\n}\n"),
        ("a.js", "f();\n", "// note\u2028g();\nf();\n"),
        ("a.py", "x = '# old'\n", "x = '# new'\n"),
        ("a.py", 'x = f"{a} # b"\n', 'x = f"{a} # c"\n'),
        ("a.py", "def f():\n    return\n    x()\n", "def f():\n    return x()\n"),
        ("a.py", '"""Old."""\n', '"""New."""\n'),
        ("a.py", "f(a)(b)\n", "f(a)\n(b)\n"),
        ("a.py", "check()\n", "# check()\n"),
        ("a.js", "return a + b;\n", "return\na + b;\n"),
        ("a.js", "x = `a  b`;\n", "x = `a b`;\n"),
        ("a.js", "x = `  `;\n", "x = ` `;\n"),
        ("a.js", "x = /a  b/;\n", "x = /a b/;\n"),
        ("a.js", "check(); // Why.\n", "// check(); Why.\n"),
        ("a.js", "a = b\n/c/g\n", "a = b /* x */\n/d/g\n"),
        ("a.tsx", "const a = <p>x  y</p>;\n", "const a = <p>x y</p>;\n"),
        ("a.js", "f(1)\n", "<!-- x\nf(1)\n"),
        ("a.py", "x = (1\n", "x = ( 1\n"),
        ("a.rb", "x = 1\n", "# Why.\nx = 1\n"),
        ("a.c", "int x;\n", "/* Why. */\nint x;\n"),
        ("a.yml", "a: 1\n", "# Why.\na: 1\n"),
        ("a.sql", "x\n", "-- Why.\nx\n"),
        ("A.java", "class A { int x; }\n", "class A { int x; // \\u000a int y;\n}\n"),
        ("a.go", 'package a\n\n// int f();\nimport "C"\n', 'package a\n\n// int g();\nimport "C"\n'),
    ],
)
def test_trivial_reason__whatever_may_change_what_a_program_does_is_not(path, base, head):
    assert reason(path, base, head) == ""


@pytest.mark.parametrize(
    ("path", "comment"),
    [
        ("a.py", "# nosec"), ("a.py", "# noqa: S608"), ("a.py", "# type: ignore"), ("a.py", "# pragma: no cover"),
        ("a.py", "#!/usr/bin/env python"), ("a.py", "# -*- coding: latin-1 -*-"), ("a.py", "# vim: set fileencoding=x"),
        ("a.py", "# fmt: off"), ("a.py", "# pylint: disable=all"), ("a.py", "# devpulse: ignore[csrf] why"),
        ("a.py", "# pyright: basic"), ("a.py", "# mypy: ignore-errors"), ("a.py", "# nosemgrep"),
        ("a.py", "# gitleaks:allow"), ("a.py", "# NOSONAR"), ("a.py", "# cython: wraparound=False"),
        ("a.js", "// eslint-disable-next-line"), ("a.js", "/* eslint no-eval: 0 */"), ("a.js", "/* global x */"),
        ("a.ts", "// @ts-ignore"), ("a.ts", '/// <reference path="x" />'), ("a.js", "//# sourceMappingURL=x"),
        ("a.js", "/** @jsx h */"), ("a.js", "/* istanbul ignore next */"), ("a.js", "/* webpackIgnore: true */"),
        ("a.js", "/* @__PURE__ */"), ("a.js", "// prettier-ignore"),
        ("a.go", "//go:build linux"), ("a.go", "//go:linkname a b"), ("a.go", "// +build linux"), ("a.go", "//nolint"),
        ("a.go", "//export f"), ("a.go", "//line a.go:1"), ("A.java", "// CHECKSTYLE:OFF"),
        ("A.java", "// @formatter:off"),
    ],
)  # fmt: skip
def test_trivial_reason__a_directive_is_no_comment(path, comment):
    code = {"a.go": "package a\n", "A.java": "class A {}\n"}.get(path, "f(1)\n")
    assert is_directive(comment)
    assert reason(path, code, f"{comment}\n{code}") == ""
    assert reason(path, f"{comment}\n{code}", code) == ""


def test_trivial_reason__formatting_next_to_a_directive_is_not():
    assert reason("a.py", "# nosec\nf( 1 )\n", "# nosec\nf(1)\n") == ""


@pytest.mark.parametrize(
    "comment", ["# Counts the words.", "// See the manual.", "/* Two\n * lines. */", "# TODO: later"]
)
def test_is_directive__prose_is_none(comment):
    assert not any(map(is_directive, comment.split("\n")))


def test_trivial_reason__only_an_edit_in_place():
    base, head = "x = 1\n", "# Why.\nx = 1\n"
    change = change_of("a.py", base, head)
    executable = replace(change, head=FileVersion("a.py", "100755", None, FileKind.TEXT))
    renamed = replace(change, status=FileStatus.RENAMED, base=FileVersion("b.py", "100644", None, FileKind.TEXT))
    added = replace(change, status=FileStatus.ADDED, base=None)
    assert [trivial_reason(each, base, head, generated=False) for each in (executable, renamed, added)] == [""] * 3


def test_trivial_reason__texts_that_are_not_known_whole():
    change = change_of("a.py", "x = 1\n", "# Why.\nx = 1\n")
    assert trivial_reason(change, None, "# Why.\nx = 1\n", generated=False) == ""
    assert trivial_reason(change, "x = 1\n", None, generated=False) == ""


@pytest.mark.parametrize("name", sorted(LOCK_FILES))
def test_trivial_reason__lock_files(name):
    assert reason(f"web/{name}", "a\n", "b\n") == "trivial: lock file"


def test_trivial_reason__lock_files_of_other_servers_or_without_digests():
    base = '"resolved": "https://registry.example/a-1.tgz",\n"integrity": "sha512-abc"\n'
    assert reason("package-lock.json", base, base.replace("a-1", "a-2")) == "trivial: lock file"
    assert reason("package-lock.json", base, base.replace("registry", "evil")) == ""
    assert reason("package-lock.json", base, base.replace('"integrity": "sha512-abc"\n', "")) == ""


def test_trivial_reason__lock_files_that_may_be_run():
    change = change_of("go.sum", "a\n", "#!/bin/sh\n")
    assert trivial_reason(change, "a\n", "#!/bin/sh\n", generated=False) == ""
    change = change_of("go.sum", "a\n", "b\n")
    assert change.head is not None
    change = replace(change, head=replace(change.head, mode="100755"))
    assert trivial_reason(change, "a\n", "b\n", generated=False) == ""


def test_trivial_reason__names_like_those_of_lock_files_are_none():
    assert reason("src/lock.yaml", "a\n", "b\n") == ""
    assert reason("poetry.lock/a.py", "a\n", "b\n") == ""


def test_trivial_reason__generated():
    change = change_of("a.py", "x = 1\n", "x = 2\n")
    assert trivial_reason(change, "x = 1\n", "x = 2\n", generated=True).startswith("trivial: generated")
