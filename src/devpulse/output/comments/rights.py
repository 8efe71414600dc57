"""What a publication may do to what already stands on a pull request."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rights:
    """Comments may always be added, and our own summary written.

    ``resolve``: threads of ours may be answered, closed and opened again, and our own duplicates deleted. To be
    withheld where the review comes from artifacts that somebody else could have written.
    """

    resolve: bool = True


ALL_RIGHTS = Rights()
