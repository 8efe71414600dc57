"""Record an exchange of the real Gemini client with the fake service into docs/gemini.md."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from fakes.gemini_shape import recorded_shape, with_recording  # noqa: E402  (the fakes live with the tests)

DOCUMENT = ROOT / "docs" / "gemini.md"


def main() -> None:
    """Replace the recording and name the file."""
    text = with_recording(DOCUMENT.read_text(encoding="utf-8"), recorded_shape())
    DOCUMENT.write_text(text, encoding="utf-8", newline="\n")
    print(DOCUMENT)


if __name__ == "__main__":
    main()
