from __future__ import annotations

import pytest

from devpulse.core.attributes import is_generated


@pytest.mark.parametrize(
    ("line", "path"),
    [
        ("*.pb.go linguist-generated", "api/v1/a.pb.go"),
        ("*.pb.go text=auto linguist-generated=true -diff", "a.pb.go"),
        ("dist/** linguist-generated", "dist/js/a.js"),
        ("/dist/*.js linguist-generated", "dist/a.js"),
        ("**/gen/** linguist-generated", "src/gen/a/b.py"),
        ("**/gen/*.py linguist-generated", "gen/a.py"),
        ("schema.json linguist-generated", "api/schema.json"),
        ("a?.py linguist-generated", "ab.py"),
    ],
)
def test_is_generated__marked(line, path):
    assert is_generated(path, f"# comment\n\n*.md text\n{line}\n")


@pytest.mark.parametrize(
    ("line", "path"),
    [
        ("*.pb.go -linguist-generated", "a.pb.go"),
        ("*.pb.go linguist-generated=false", "a.pb.go"),
        ("*.pb.go !linguist-generated", "a.pb.go"),
        ("*.pb.go linguist-generated=maybe", "a.pb.go"),
        ("*.pb.go not-linguist-generated", "a.pb.go"),
        ("#*.py linguist-generated", "#a.py"),
        ("dist linguist-generated", "dist/a.js"),
        ("dist/ linguist-generated", "dist/a.js"),
        ("/dist/* linguist-generated", "dist/js/a.js"),
        ("/dist/* linguist-generated", "src/dist/a.js"),
        ("src/*.py linguist-generated", "web/src/a.py"),
        ("*.py text", "a.py"),
        ("a.py linguist-generated", "ab.py"),
        ("a.py linguist-generated", "a_py"),
        ('"a b.py" linguist-generated', "a b.py"),
        ("[ab].py linguist-generated", "a.py"),
        ("linguist-generated", "a.py"),
    ],
)
def test_is_generated__not_marked(line, path):
    assert not is_generated(path, line)


def test_is_generated__the_last_word_counts():
    attributes = "gen/** linguist-generated\ngen/kept.py -linguist-generated\n"
    assert is_generated("gen/a.py", attributes)
    assert not is_generated("gen/kept.py", attributes)
