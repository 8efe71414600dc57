"""The reasons that leave nothing undone."""

from __future__ import annotations

import pytest

from devpulse.core.unseen import ONLY_HUNKS, RULES_STOPPED, is_unseen, lines_cut


@pytest.mark.parametrize("reason", [ONLY_HUNKS, RULES_STOPPED, lines_cut(1), lines_cut(2)])
def test_is_unseen__what_could_not_be_shown(reason):
    assert is_unseen(reason)


def test_lines_cut__counts_in_words():
    assert (lines_cut(1), lines_cut(12)) == ("1 overlong line was cut", "12 overlong lines were cut")


@pytest.mark.parametrize("reason", ["", "step limit", f"verification failed: {ONLY_HUNKS}", f"{lines_cut(1)}; down"])
def test_is_unseen__not_what_was_left_undone(reason):
    assert not is_unseen(reason)
