"""What holds for every suggestion: it parses, and its rule is quiet where it was applied."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from rule_tables import MemoryResolver, make_source

from devpulse.core.categories import CATEGORIES
from devpulse.core.finding import Hit
from devpulse.core.rules import RULES, run_rules
from devpulse.core.rules.suggestions import FIXES, MAX_SUGGESTIONS, applied, with_suggestions
from devpulse.core.source import Source
from devpulse.core.syntax import parse

_TABLES = Path(__file__).parent.parent
_ENDINGS = {
    "python": "py",
    "javascript": "js",
    "typescript": "ts",
    "java": "java",
    "go": "go",
    "php": "php",
    "ruby": "rb",
}


def _language(path: Path) -> str | None:
    names = (path.stem.removeprefix("test_"), path.parent.name)
    return next((name for name in names if name in _ENDINGS), None)


def _reported() -> Iterator[tuple[str, Source]]:
    """The examples of all tables in languages that have fixes."""
    fixed = {language for language, _ in FIXES}
    for path in sorted(_TABLES.glob("*/test_*.py")):
        language = _language(path)
        if language not in fixed or path.parent == Path(__file__).parent:
            continue
        spec = importlib.util.spec_from_file_location(f"table_{path.parent.name}_{path.stem}", path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        for name, code in getattr(module, "REPORTED", {}).items():
            if isinstance(code, str):
                yield f"{path.parent.name} {name}", make_source(code, path=f"src/app.{_ENDINGS[language]}")


def _quiet_after(source: Source, hit: Hit) -> bool:
    assert hit.suggestion is not None
    assert source.language is not None
    text = applied(source.text, hit, hit.suggestion)
    assert not parse(source.language, text).root_node.has_error
    last = hit.start_line + hit.suggestion.count("\n")
    again = [
        other
        for rule in RULES
        if rule.category == hit.category
        for other in rule.run(replace(source, text=text), MemoryResolver())
    ]
    return not any(other.start_line <= last and hit.start_line <= other.end_line for other in again)


def test_with_suggestions__every_one_silences_its_rule() -> None:
    applied_ones, loud = 0, []
    for name, source in _reported():
        for hit in run_rules(source, MemoryResolver()):
            if hit.suggestion is not None:
                applied_ones += 1
                loud += [] if _quiet_after(source, hit) else [name]
    assert loud == []
    assert applied_ones >= 10


def test_with_suggestions__keep_indentation_and_what_stands_around() -> None:
    code = (
        "import yaml\nclass A:\n    def read(self, file):\n        self.x = yaml.load(file)  # ours\n        return 1\n"
    )
    (hit,) = run_rules(make_source(code), MemoryResolver())
    assert hit.suggestion == "        self.x = yaml.safe_load(file)  # ours"


def test_with_suggestions__keeps_line_ends() -> None:
    source = replace(make_source(""), text="import yaml\r\nconfig = yaml.load(file)\r\nprint(config)\r\n")
    (hit,) = run_rules(source, MemoryResolver())
    assert applied(source.text, hit, hit.suggestion or "") == (
        "import yaml\r\nconfig = yaml.safe_load(file)\r\nprint(config)\r\n"
    )


def test_with_suggestions__columns_are_those_of_bytes() -> None:
    source = make_source('import yaml\nrows = "größe", yaml.load(file)\n')
    (hit,) = run_rules(source, MemoryResolver())
    assert hit.suggestion == 'rows = "größe", yaml.safe_load(file)'


def test_with_suggestions__none_for_what_is_known_in_part() -> None:
    source = replace(make_source("import yaml\nconfig = yaml.load(file)\n"), complete=False)
    assert [hit.suggestion for hit in run_rules(source, MemoryResolver())] == [None]


def test_with_suggestions__none_over_many_lines() -> None:
    code = "import yaml\nconfig = yaml.load(\n" + "\n" * 9 + "file)\n"
    (hit,) = run_rules(make_source(code), MemoryResolver())
    assert hit.suggestion is None


def test_with_suggestions__at_most_so_many_in_a_file() -> None:
    source = make_source("import yaml\n" + "a = yaml.load(file)\n" * (MAX_SUGGESTIONS + 3))
    found = run_rules(source, MemoryResolver())
    assert sum(hit.suggestion is not None for hit in found) == MAX_SUGGESTIONS
    assert len(with_suggestions(source, found)) == len(found)


@pytest.mark.parametrize("category", sorted({category for _, category in FIXES}))
def test_fixes__name_categories(category: str) -> None:
    assert category in CATEGORIES
