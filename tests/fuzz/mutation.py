"""Texts that are nearly right: real ones, cut up and put together in wrong ways."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

ODD = [
    "\x00",
    "\r",
    "\r\n",
    "\x0c",
    "\u2028",
    "\x85",
    "\ufeff",
    "\ud800",
    "\u202e",
    "\u200b",
    "\U000e0041",
    "\xff",
    "\t",
    "é",
    "日",
]
"""Characters that some part takes for something else."""


@st.composite
def mutated(draw: st.DrawFn, texts: Sequence[str], words: Sequence[str] = ()) -> str:
    """One of ``texts`` after a few changes: pieces removed, doubled, moved, replaced by ``words`` or odd characters."""
    text = draw(st.sampled_from(texts))
    for _ in range(draw(st.integers(0, 6))):
        first, last = sorted((draw(st.integers(0, len(text))), draw(st.integers(0, len(text)))))
        last = min(last, first + draw(st.integers(0, 200)))
        piece = text[first:last]
        new = draw(
            st.sampled_from(["", piece * 2, piece[::-1], piece.upper(), piece.replace("\n", "")])
            | st.sampled_from([*ODD, *words])
            | st.text(max_size=5)
        )
        text = text[:first] + new + text[last:]
    return text
