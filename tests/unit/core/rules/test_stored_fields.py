from __future__ import annotations

import pytest

from devpulse.core.flow.values import Level, Origin, Taint
from devpulse.core.rules.stored_fields import level_of
from devpulse.core.source import Source

GIVEN = [
    ("class A { constructor(dir) { this.dir = dir; } }", "this.dir"),
    ("class A { constructor(options = {}) { this.options = Object.assign({}, D, options); } }", "this.options.dir"),
    ("class A { constructor(public dir: string) {} }", "self.dir"),
    ("function Pdf(file) { this.file = file; }", "_this.file"),
    ("class A { constructor({ dir, host }) { this.dir = dir; } }", "this.dir"),
]
NOT_GIVEN = [
    ("class A { constructor(dir) { this.dir = new Folder(dir); } }", "this.dir"),
    ("class A { constructor(db: Pool) { this.db = db; } }", "this.db"),
    ("class A { constructor(private db: Database) {} }", "this.db"),
    ("class A { constructor(dir) { this.dir = dir; } }", "this.other"),
    ("function pdf(file) { this.file = file; }", "this.file"),
    ("class A { constructor(dir) { this.dir = dir; } }", "other.dir"),
]


def level(code: str, label: str, language: str = "typescript") -> Level:
    return level_of(Taint(Origin(1, Level.UNKNOWN, label, 1, member=True)), Source("a.ts", language, code, frozenset()))


@pytest.mark.parametrize(("code", "label"), GIVEN)
def test_level_of__a_constructor_was_given_it(code: str, label: str):
    assert level(code, label) is Level.PARAMETER


@pytest.mark.parametrize(("code", "label"), NOT_GIVEN)
def test_level_of__the_program_made_it(code: str, label: str):
    assert level(code, label) is Level.UNKNOWN


def test_level_of__other_languages_and_origins():
    assert level("class A { constructor(dir) { this.dir = dir; } }", "this.dir", "java") is Level.UNKNOWN
    request = Taint(Origin(1, Level.REQUEST, "this.dir", 1))
    assert level_of(request, Source("a.ts", "typescript", "", frozenset())) is Level.REQUEST


PHP = "<?php class A {{ function __construct({given}) {{ {body} }} }}"


@pytest.mark.parametrize(
    ("given", "body", "expected"),
    [
        ("$dir", "$this->dir = $dir;", Level.PARAMETER),
        ("string $dir = ''", "$this->dir = $dir . '/';", Level.PARAMETER),
        ("private readonly string $dir", "", Level.PARAMETER),
        ("private Folder $dir", "", Level.UNKNOWN),
        ("$dir", "$this->dir = (int) $dir;", Level.UNKNOWN),
        ("$dir", "$this->dir = new Folder($dir);", Level.UNKNOWN),
        ("$dir", "$this->other = $dir;", Level.UNKNOWN),
        ("$command", "$this->dir = $command;", Level.UNKNOWN),
    ],
)
def test_level_of__php(given: str, body: str, expected: Level):
    assert level(PHP.format(given=given, body=body), "$this.dir", "php") is expected


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("def initialize(dir)\n  @dir = dir\nend", Level.PARAMETER),
        ("def initialize dir, keep: true\n  @dir = dir.to_s\nend", Level.PARAMETER),
        ("def initialize(dir: nil)\n  @dir = dir || 'a'\nend", Level.PARAMETER),
        ("def initialize(dir)\n  @dir = dir.to_i\nend", Level.UNKNOWN),
        ("def initialize(dir)\n  @dir = Folder.new(dir)\nend", Level.UNKNOWN),
        ("def load(dir)\n  @dir = dir\nend", Level.UNKNOWN),
        ("def initialize(config)\n  @dir = config\nend", Level.UNKNOWN),
    ],
)
def test_level_of__ruby(code: str, expected: Level):
    assert level(f"class A\n{code}\nend\n", "@dir", "ruby") is expected


def test_level_of__java_fields_that_a_constructor_of_the_file_was_given():
    text = (
        "class Job {\n  private String name; private Shell shell;\n"
        "  Job(String name, Shell shell) throws IOException { this.name = name; this.shell = shell; }\n"
        "  Job copy(String other) { return new Job(other) { { this.other = other; } }; }\n}\n"
    )
    source = Source("Job.java", "java", text, frozenset())
    levels = {
        label: level_of(Taint(Origin(1, Level.UNKNOWN, label, 1, member=True)), source)
        for label in ("this.name", "name", "this.shell", "other")
    }
    assert levels == {
        "this.name": Level.PARAMETER, "name": Level.PARAMETER, "this.shell": Level.UNKNOWN, "other": Level.UNKNOWN,
    }  # fmt: skip
