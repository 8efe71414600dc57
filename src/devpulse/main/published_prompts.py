"""How long the prompts are that others ship for the same job: published figures to set ours beside.

Each is the length of the shipped prompt text in characters divided by four, as our own is estimated, read from the
project's repository at the revision given on 2026-11-29. Later versions may differ. No text is held here.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PublishedPrompt:
    """What one project sends before any code. ``most`` is above ``tokens`` where its prompts differ in length;
    ``revision`` is a commit, ``note`` says what is counted."""

    repository: str
    revision: str
    tokens: int
    note: str
    most: int = 0


PUBLISHED_PROMPTS: tuple[PublishedPrompt, ...] = (
    PublishedPrompt("fraim-dev/fraim", "e767848", 168, "scanner, its schema apart"),
    PublishedPrompt(
        "alibaba/open-code-review", "several revisions", 584, "system prompt, its template and rules apart"
    ),
    PublishedPrompt("coderabbitai/ai-pr-reviewer", "d5ec397", 741, "review and system prompt"),
    PublishedPrompt("anthropics/claude-code-security-review", "68982a6", 1_440, "audit of a change"),
    PublishedPrompt("MattJColes/lgtmaybe", "several revisions", 2_000, "each of four calls a batch", most=2_500),
    PublishedPrompt("google-github-actions/run-gemini-cli", "3ca2577", 2_480, "review workflow"),
    PublishedPrompt("qodo-ai/pr-agent", "0e37fc8", 3_604, "review"),
    PublishedPrompt("protectai/vulnhuntr", "ead88c5", 4_200, "base prompt"),
    PublishedPrompt("kodustech/kodus-ai", "d44db2e", 4_500, "review"),
    PublishedPrompt("gemini-cli-extensions/security", "d7fb9ac", 7_500, "always on"),
)
"""Shortest first."""
