"""docs/gemini.md shows what is really sent."""

from __future__ import annotations

from pathlib import Path

from fakes.gemini_shape import recorded_shape, with_recording

DOCUMENT = Path(__file__).resolve().parents[3] / "docs" / "gemini.md"


def test_document__recorded_exchange__is_todays() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    assert with_recording(text, recorded_shape()) == text, "run scripts/record_gemini_shape.py"
