from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.rules.path_prefixes import RULE

_METHOD = """
    class Shelf {{
        File place(File shelf, String title) throws IOException {{
            File book = new File(shelf, title);
            {}
            return book;
        }}
    }}
    """
REPORTED = {
    "canonical": """if (!book.getCanonicalPath().startsWith(shelf.getCanonicalPath())) { // BAD
                throw new IOException(title);
            }""",
    "names": """String inner = book.getCanonicalPath();
            String outer = shelf.getCanonicalPath();
            if (!inner.startsWith(outer)) return null; // BAD""",
    "with another condition": """String outer = shelf.getCanonicalPath();
            if (title.contains("..") && !book.getCanonicalPath().startsWith(outer)) { // BAD
                throw new IOException(title);
            }""",
    "path as text": """if (!book.toPath().normalize().toString().startsWith(shelf.toString())) { // BAD
                throw new IOException(title);
            }""",
    "so does a path as it is": """if (!new File(shelf, title).getPath().startsWith(new File(root).getPath())) { // BAD
                throw new IOException(title);
            }""",
    "absolute keeps dots": """if (!book.getAbsolutePath().startsWith(shelf.getAbsolutePath() + File.separator)) { // BAD
                throw new IOException(title);
            }""",
}
QUIET = {
    "separator": """if (!book.getCanonicalPath().startsWith(shelf.getCanonicalPath() + File.separator)) {
                throw new IOException(title);
            }""",
    "separator in a name": """String outer = shelf.getCanonicalPath() + File.separator;
            if (!book.getCanonicalPath().startsWith(outer)) return null;""",
    "separator put behind": """String outer = shelf.getCanonicalPath();
            if (!outer.endsWith(File.separator)) outer += File.separator;
            if (!book.getCanonicalPath().startsWith(outer)) return null;""",
    "paths": """if (!book.getCanonicalFile().toPath().startsWith(shelf.getCanonicalFile().toPath())) {
                throw new IOException(title);
            }""",
    "path as it is, of a name that is looked at": """if (title.contains("..")) return null;
            if (!book.getPath().startsWith(shelf.getPath())) return null;""",
    "not refused": """if (!book.getCanonicalPath().startsWith(shelf.getCanonicalPath())) { log.info(title); }""",
    "refused where it is inside": """if (book.getCanonicalPath().startsWith(shelf.getCanonicalPath())) {
                throw new IOException("into itself");
            }""",
    "absolute of what was resolved": """book = book.getCanonicalFile();
            if (!book.getAbsolutePath().startsWith(shelf.getAbsolutePath() + File.separator)) return null;""",
    "text": """if (!title.startsWith("book-")) { throw new IOException(title); }""",
    "field": """if (!book.getCanonicalPath().startsWith(root)) { throw new IOException(title); }""",
    "comment": "// if (!book.getCanonicalPath().startsWith(shelf.getCanonicalPath())) throw new IOException(title);",
}


@pytest.mark.parametrize("lines", REPORTED.values(), ids=REPORTED)
def test_check__reports(lines: str) -> None:
    code = _METHOD.format(lines)
    assert lines_of(run(RULE, code, path="src/Shelf.java")) == marked_lines(code)


@pytest.mark.parametrize("lines", QUIET.values(), ids=QUIET)
def test_check__quiet(lines: str) -> None:
    assert run(RULE, _METHOD.format(lines), path="src/Shelf.java") == []


def test_check__leaves_out_functions_too_long_to_be_read_for_each_check() -> None:
    lines = "if (!book.getCanonicalPath().startsWith(shelf.getCanonicalPath())) return null;\n"
    assert run(RULE, _METHOD.format(lines), path="src/Shelf.java") != []
    assert run(RULE, _METHOD.format(lines * 300), path="src/Shelf.java") == []
