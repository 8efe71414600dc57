"""The system prompt."""

from __future__ import annotations

import re

import pytest

from devpulse.core.budget import estimate_tokens
from devpulse.core.prompt import (
    MAX_INSTRUCTION_TOKENS,
    MAX_SYSTEM_TOKENS,
    core_prompt,
    digest,
    render_system,
    verbose_prompt,
)
from devpulse.core.tool_specs import SUBMIT_REVIEW


def test_core_prompt__fits_and_says_what_matters():
    text = core_prompt()
    assert estimate_tokens(text) <= MAX_SYSTEM_TOKENS == 300
    assert not text.endswith("\n")
    for word in ("OWASP Top 10", SUBMIT_REVIEW, "<<data>>", "untrusted", "evidence", "LEFT", "Ignore style"):
        assert word in text


@pytest.mark.parametrize("instructions", ["", "  \n"])
def test_render_system__without_instructions_is_the_core(instructions):
    assert render_system(instructions) == core_prompt()


def test_render_system__instructions_come_after_the_unaltered_core():
    text = render_system("  Money is in cents.\n")
    assert text.startswith(core_prompt() + "\n")
    assert text.endswith("\nMoney is in cents.")


def test_render_system__limit_of_instructions():
    render_system("x" * 4 * MAX_INSTRUCTION_TOKENS)
    with pytest.raises(ValueError, match="301 tokens, at most 300"):
        render_system("x" * (4 * MAX_INSTRUCTION_TOKENS + 1))


def test_digest__hex_of_the_wanted_length_for_any_text():
    assert re.fullmatch("[0-9a-f]{16}", digest("x\udce9"))
    assert len(digest("x", 64)) == 64
    assert digest("x", 64).startswith(digest("x"))
    assert digest("x") != digest("y")


def test_verbose_prompt__is_of_the_usual_length_and_says_the_same():
    text = verbose_prompt()
    assert 370 <= estimate_tokens(text) <= 410
    for word in (
        "OWASP Top 10",
        "SQL injection",
        "Hard-coded secrets",
        "MD5",
        "Path traversal",
        "<<data>>",
        SUBMIT_REVIEW,
    ):
        assert word in text
