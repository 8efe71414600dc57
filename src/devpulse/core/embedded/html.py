"""Pages, and templates of pages: the scripts in them."""

from __future__ import annotations

from devpulse.core.embedded.masking import Parts
from devpulse.core.embedded.scripts import script_parts
from devpulse.core.embedded.tags import without_tags


def parts_of(text: str) -> Parts:
    """The scripts of a page."""
    return script_parts(without_tags(text))
