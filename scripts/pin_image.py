"""Points ``action.yml`` at a published image instead of the Dockerfile: what a release's tag holds.

python scripts/pin_image.py action.yml ghcr.io/owner/name@sha256:…
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

_DOCKERFILE = "  image: Dockerfile\n"
_IMAGE = re.compile(r"[a-z0-9.-]+(?::\d+)?(?:/[a-z0-9._-]+)+@sha256:[0-9a-f]{64}")


def pinned(action: str, image: str) -> str:
    """The text of ``action.yml`` that runs a published image, named by its digest.

    Raises:
        ValueError: the image is not named by a digest, or the action does not build its Dockerfile.
    """
    if _IMAGE.fullmatch(image) is None:
        raise ValueError(f"not an image with a digest: {image}")
    if action.count(_DOCKERFILE) != 1:
        raise ValueError("the action does not build its Dockerfile")
    return action.replace(_DOCKERFILE, f"  image: docker://{image}\n")


def main(path: str, image: str) -> None:
    """Rewrite the file in place."""
    file = Path(path)
    file.write_text(pinned(file.read_text(encoding="utf-8"), image), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
