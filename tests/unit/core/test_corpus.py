from __future__ import annotations

import pytest

from devpulse.core.corpus import MAX_FILE_BYTES, build_corpus, is_text, lines_with

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


def test_lines_with__one_offset_a_line():
    corpus = build_corpus({"": [("a.go", b"x x\nx\n\n x")]})
    assert len(lines_with(corpus, list(corpus.words(b"x", 0, len(corpus.buffer))))) == 3


def test_is_text__a_nul_behind_the_probe_does_not_count():
    assert is_text(b"a" * 8000 + b"\0")
    assert not is_text(b"a" * 7999 + b"\0")
