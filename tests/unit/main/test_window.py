"""The window of a run and of a model."""

from __future__ import annotations

import pytest

from devpulse.main.window import model_window, window_notice, window_of
from devpulse.settings import Settings


def load(**flags):
    return Settings.load({name.replace("_", "-"): value for name, value in flags.items()}, {})


@pytest.mark.parametrize(
    ("model", "window"),
    [
        ("gemini-3.8-flash", 1_048_576),
        ("models/gemini-2.5-pro-preview-05-06", 1_048_576),
        ("gemini-2.0-flash-001", 1_048_576),
        ("gemini-flash-latest", 1_048_576),
        ("gemini-2.5-flash-tts", 8_192),
        ("gemini-3.8-live", 131_072),
        ("gemma-3-27b-it", None),
        ("no-such-model", None),
    ],
)
def test_model_window(model, window):
    assert model_window(model) == window


def test_window_of__never_above_the_model():
    settings = load(gemini_api_key="k", model="gemini-3.8-live", context_window="200000")
    assert window_of(settings) == 131_072
    assert window_notice(settings) == (
        "gemini-3.8-live takes 131,072 tokens; that is used in place of context-window (200,000)."
    )


def test_window_of__an_unknown_model_gets_what_is_asked_for_and_it_is_said():
    settings = load(gemini_api_key="k", model="my-model")
    assert window_of(settings) == 32_000
    assert window_notice(settings) == (
        "How many tokens my-model takes is not known; context-window (32,000) is used as given."
    )


@pytest.mark.parametrize("flags", [{"gemini_api_key": "k"}, {"model": "my-model"}, {"model": "gemini-2.5-flash-tts"}])
def test_window_of__as_asked_where_it_fits_or_no_model_is_asked(flags):
    settings = load(**flags)
    assert (window_of(settings), window_notice(settings)) == (32_000, "")
