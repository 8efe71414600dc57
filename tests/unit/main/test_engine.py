"""Which engine a run gets, and how much it does at the same time."""

from __future__ import annotations

import pytest

from devpulse.main.deadline import Deadline
from devpulse.main.engine import choose_engine
from devpulse.settings import Settings


@pytest.mark.parametrize(("most", "files"), [(1, 1), (8, 1)])
def test_chosen_at_once__without_a_model(most, files):
    engine = choose_engine(Settings.load({"engine": "offline"}, {}), Deadline(None))

    assert engine.at_once(most) == files


def test_chosen_at_once__of_a_service():
    settings = Settings.load({"engine": "gemini"}, {"GEMINI_API_KEY": "AIza" + "x" * 35})

    engine = choose_engine(settings, Deadline(None))

    assert engine.at_once(8) == 8
