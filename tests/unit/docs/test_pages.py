"""The pages people read: their links lead somewhere, and every kind of error is in the one on troubles."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from devpulse import errors

ROOT = Path(__file__).parents[3]
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md")), *sorted((ROOT / "bench").glob("*.md"))]
LINK = re.compile(r"\]\(([^)\s]+)\)")
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
OWN_ERRORS = [
    name
    for name, kind in vars(errors).items()
    if isinstance(kind, type) and issubclass(kind, errors.DevpulseError) and kind is not errors.DevpulseError
]


def anchors(text: str) -> set[str]:
    """What GitHub names the headings: lower case, punctuation gone, spaces as dashes."""
    headings = re.findall(r"^#+ (.+)$", FENCE.sub("", text), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def dead_links(page: Path) -> list[str]:
    dead = []
    for link in LINK.findall(FENCE.sub("", page.read_text("utf-8"))):
        if "://" in link or link.startswith("mailto:"):
            continue
        name, _, anchor = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        known = (
            target.suffix != ".md" or anchor in {"", *anchors(target.read_text("utf-8"))} if target.exists() else False
        )
        if not known:
            dead.append(link)
    return dead


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_pages__links_lead_somewhere(page):
    assert dead_links(page) == []


def test_dead_links__a_missing_file_and_a_missing_heading_are_told(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("# A b: c\n[x](gone.md) [y](#a-b-c) [z](#gone) [w](page.md#a-b-c) [v](https://example.com)\n")
    assert dead_links(page) == ["gone.md", "#gone"]


@pytest.mark.parametrize("name", OWN_ERRORS)
def test_troubleshooting__has_each_kind_of_error_once(name):
    text = (ROOT / "docs" / "troubleshooting.md").read_text("utf-8")
    assert text.count(f"({name})") == 1


def test_troubleshooting__names_no_error_that_is_none():
    text = (ROOT / "docs" / "troubleshooting.md").read_text("utf-8")
    assert set(re.findall(r"\(([A-Z]\w+[a-z]\w*)\)", text)) == set(OWN_ERRORS)


def lines_with_quotes() -> list[str]:
    """The headings by error text, and the reasons of the coverage table."""
    text = (ROOT / "docs" / "troubleshooting.md").read_text("utf-8")
    reasons = re.findall(r"^\| (`.+?) \|", text, re.MULTILINE)
    return [*re.findall(r"^### (.+) \(", text, re.MULTILINE), *reasons]


def test_troubleshooting__quotes_what_is_said():
    source = "\n".join(path.read_text("utf-8") for path in sorted((ROOT / "src" / "devpulse").rglob("*.py")))
    # Texts with a value in them are looked for on both sides of it; an adjacent literal goes on with the one before.
    source = re.sub(r'"\s*f?"', "", source).replace("{error.status}", "401 403 404 422")
    quoted = re.findall(r"`([^`]+)`", "\n".join(lines_with_quotes()))
    parts = [part.strip() for words in quoted for part in re.split(r"…|\b\d{3}\b", words)]
    assert len(parts) > 40
    assert [part for part in parts if part not in source] == []
