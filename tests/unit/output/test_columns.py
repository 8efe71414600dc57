"""Text of a given width."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from devpulse.output.columns import fits, shortened

LONG = "services/payments/internal/handlers/refunds/approve.py"


@pytest.mark.parametrize(
    ("path", "columns", "shown"),
    [
        ("app/db.py", 9, "app/db.py"),
        (LONG, 54, LONG),
        (LONG, 40, "services/payments/in…/refunds/approve.py"),
        (LONG, 20, "services…/approve.py"),
        ("支払い/払い戻し/承認.py", 16, "支払い/…/承認.py"),
        ("支払い/払い戻し/承認.py", 9, "支…認.py"),
    ],
)
def test_shortened__is_cut_in_the_middle(path, columns, shown):
    assert shortened(path, columns) == shown


@given(st.text(max_size=60), st.integers(3, 60))
def test_shortened__never_takes_more(path, columns):
    shown = shortened(path, columns)
    assert cell_len(shown) <= columns
    assert (shown == path) is fits(path, columns)
    if shown != path:
        first, _, last = shown.partition("…")
        assert path.startswith(first)
        assert path.endswith(last) or "…" in path
