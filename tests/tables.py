"""Tables that one test goes through: for many cheap rows, where a test for each would be mostly overhead."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable
from typing import Any


def for_each(rows: Iterable[Any], name: Callable[[Any], object] = str) -> Callable[[Callable[..., None]], Any]:
    """Makes of a check whose last argument is a row one test over all rows; the row that fails is named."""

    def decorate(check: Callable[..., None]) -> Callable[..., None]:
        signature = inspect.signature(check)
        *others, last = signature.parameters.values()

        @functools.wraps(check)
        def test(**fixtures: Any) -> None:
            seen = 0
            for seen, row in enumerate(rows, 1):  # noqa: B007  (used behind the loop)
                try:
                    check(**fixtures, **{last.name: row})
                except BaseException as error:
                    error.add_note(f"row {name(row)}")
                    raise
            assert seen

        test.__signature__ = signature.replace(parameters=others)  # type: ignore[attr-defined]
        return test

    return decorate
