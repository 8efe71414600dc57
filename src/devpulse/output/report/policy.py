"""What the page may do, told to the browser: run our one script, use our one style sheet, and nothing else."""

from __future__ import annotations

import base64
import hashlib


def content_policy(style: str, script: str) -> str:
    """The content security policy of a page with exactly this text in its style and its script element.

    Markup that got past the escapes would find no way to run, to load or to send (CSP level 3; the last two
    directives are trusted types, which close the script's own ways of making markup).
    """
    directives = (
        "default-src 'none'",
        f"script-src {_source(script)}",
        f"style-src {_source(style)}",
        "base-uri 'none'",
        "form-action 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    )
    return "; ".join(directives)


def _source(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
