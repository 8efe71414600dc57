"""Where GitHub is when nothing else is said; a GitHub Enterprise Server tells its own addresses."""

from __future__ import annotations

GITHUB_SERVER = "https://github.com"
GITHUB_API = "https://api.github.com"
