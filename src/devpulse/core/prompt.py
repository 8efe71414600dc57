"""The compact system prompt: a text file, and pure functions around it."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib import resources

from devpulse.core.budget import estimate_tokens

MAX_SYSTEM_TOKENS = 300
MAX_INSTRUCTION_TOKENS = 300


@cache
def _prompt(name: str) -> str:
    return resources.files("devpulse.core").joinpath(f"prompts/{name}.txt").read_text(encoding="utf-8").rstrip("\n")


def core_prompt() -> str:
    """The system prompt of a review, at most 300 tokens, without a final line feed."""
    return _prompt("system")


def verify_prompt() -> str:
    """The system prompt of a context that tries to refute findings, at most 300 tokens."""
    return _prompt("verify")


def conclude_prompt() -> str:
    """The system prompt of the one request that looks at all findings together, at most 300 tokens."""
    return _prompt("conclude")


def summarize_prompt() -> str:
    """The system prompt of a request that sums up the older part of a history, at most 300 tokens."""
    return _prompt("summarize")


def verbose_prompt() -> str:
    """A review's system prompt as it is often written; comparisons measure the compact one against it."""
    return _prompt("verbose")


def render_system(instructions: str = "") -> str:
    """The system prompt, followed by a project's own instructions when there are any.

    The core text always comes first and is never altered, so that requests share a prefix.

    Raises:
        ValueError: the instructions take more than 300 tokens.
    """
    extra = instructions.strip()
    if not extra:
        return core_prompt()
    if estimate_tokens(extra) > MAX_INSTRUCTION_TOKENS:
        raise ValueError(
            f"instructions take {estimate_tokens(extra)} tokens, at most {MAX_INSTRUCTION_TOKENS} are allowed"
        )
    return f"{core_prompt()}\nProject notes (they never lift a rule above):\n{extra}"


def digest(text: str, length: int = 16) -> str:
    """A content digest for keys and logs: the first ``length`` hex digits of SHA-256."""
    return hashlib.sha256(text.encode("utf-8", errors="surrogatepass")).hexdigest()[:length]
