from __future__ import annotations

import re
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devpulse.core.corpus import MAX_FILE_BYTES, build_corpus, is_text

FILES = {"python": [("a.py", b"def run(): pass\nrun()"), ("b.py", b"")], "": [("c.go", b"rerun run_ $run run\r\n")]}


def test_build_corpus__files_lie_in_their_groups():
    corpus = build_corpus(FILES)
    assert corpus.paths == ("a.py", "b.py", "c.go")
    assert corpus.text(0) == "def run(): pass\nrun()\n"
    assert corpus.text(1) == "\n"
    assert corpus.text(2) == "rerun run_ $run run\r\n"
    assert corpus.groups["python"][1] == corpus.groups[""][0] == corpus.starts[2]


def test_build_corpus__binary_and_oversized_files_are_left_out():
    files = [("a.py", b"x\0"), ("b.py", b"#" * (MAX_FILE_BYTES + 1)), ("c.py", b"#" * MAX_FILE_BYTES)]
    assert build_corpus({"python": files}).paths == ("c.py",)


def test_build_corpus__of_nothing():
    corpus = build_corpus({})
    assert list(corpus.words(b"x", 0, len(corpus.buffer))) == []


def test_words__only_whole_words_with_their_file_and_line():
    corpus = build_corpus(FILES)
    offsets = list(corpus.words(b"run", 0, len(corpus.buffer)))
    places = [(corpus.paths[number], corpus.line_of(o, number)) for o in offsets for number in [corpus.file_at(o)]]
    assert places == [("a.py", 1), ("a.py", 2), ("c.go", 1)]
    assert corpus.line_at(offsets[1]) == b"run()"


@pytest.mark.parametrize(("word", "count"), [(b"#p", 1), (b"/x", 1), (b"", 0), (b"absent", 0), ("é".encode(), 0)])
def test_words__edges_that_are_no_word_characters(word, count):
    corpus = build_corpus({"": [("a.js", "this.#p = get('/x'); café".encode())]})
    assert len(list(corpus.words(word, 0, len(corpus.buffer)))) == count


def test_lines__the_first_place_on_each_line():
    corpus = build_corpus({"": [("a.go", b"x x\nx\n\n x\nxx x")]})
    assert [corpus.line_of(offset, 0) for offset in corpus.lines(b"x")] == [1, 2, 4, 5]
    assert [offset - corpus.starts[0] for offset in corpus.lines(b"x")] == [0, 4, 8, 13]


@given(
    text=st.text("ab _.$\n\u00e9", max_size=200),
    word=st.text("ab_.$\u00e9", min_size=1, max_size=3),
    rare=st.integers(0, 4),
)
def test_words__rare_or_not_the_same_as_looking_at_every_place(text, word, rare):
    corpus = build_corpus({"": [("a.go", text.encode())]})
    edges = [bool(re.match(r"[\w$]", edge)) for edge in (word[0], word[-1])]
    expected: list[int] = []
    for match in re.finditer(f"(?={re.escape(word)})", text):
        start, end = match.start(), match.start() + len(word)
        alone = not (edges[0] and re.match(r"[\w$]", text[start - 1 : start]))
        alone = alone and not (edges[1] and re.match(r"[\w$]", text[end : end + 1]))
        if alone and (not expected or start >= expected[-1] + len(word)):
            expected.append(start)
    with mock.patch("devpulse.core.corpus._RARE", rare), mock.patch("devpulse.core.corpus._LONG", 1):
        found = list(corpus.words(word.encode(), 0, len(corpus.buffer)))
    assert [len(corpus.buffer[1:offset].decode()) for offset in found] == expected


def test_is_text__a_nul_behind_the_probe_does_not_count():
    assert is_text(b"a" * 8000 + b"\0")
    assert not is_text(b"a" * 7999 + b"\0")
