from __future__ import annotations

from rule_tables import lines_of, run
from tables import for_each

from devpulse.core.rules.go_path_prefixes import RULE

REPORTED = (
    ("book := filepath.Join(shelf, title)", "if !strings.HasPrefix(book, shelf) {\n return errOutside }"),
    (
        "book := filepath.Join(s.shelf, title)",
        "if title != known && !strings.HasPrefix(book, s.shelf) {\n return errOutside }",
    ),
    (
        "book, err := filepath.Abs(filepath.Join(shelf, title))",
        "if !strings.HasPrefix(book, filepath.Clean(shelf)) {\n return errOutside }",
    ),
    ("book := path.Join(shelf, title)", "if !strings.HasPrefix(book, shelf) {\n panic(title) }"),
)
QUIET = (
    (
        "book := filepath.Join(shelf, title)",
        "if !strings.HasPrefix(book, shelf+string(os.PathSeparator)) {\n return errOutside }",
    ),
    (
        "book := filepath.Join(shelf, title)",
        'if !strings.HasPrefix(book, filepath.Clean(shelf)+"/") {\n return errOutside }',
    ),
    ("book := filepath.Join(shelf, title)", "if strings.HasPrefix(book, shelf) {\n return errInside }"),
    ("book := filepath.Join(shelf, title)", "if !strings.HasPrefix(book, shelf) {\n log.Println(book) }"),
    ("book := filepath.Join(shelf, title)", "if !strings.HasPrefix(title, prefix) {\n return errOutside }"),
    ("book := filepath.Join(other, title)", "if !strings.HasPrefix(book, shelf) {\n return errOutside }"),
    (
        'shelf += "/"\n    book := filepath.Join(shelf, title)',
        "if !strings.HasPrefix(book, shelf) {\n return errOutside }",
    ),
    (
        "rel, err := filepath.Rel(shelf, title)\n book := filepath.Join(shelf, title)",
        "if !strings.HasPrefix(book, shelf) {\n return err }",
    ),
    ("// book := filepath.Join(shelf, title)", "// if !strings.HasPrefix(book, shelf) { return errOutside }"),
)


def told(made: str, asked: str) -> list[int]:
    """Lines of what is told of a check in a function."""
    head = "package store\n\nfunc (s *Store) put(shelf, title string) error {"
    code = f"{head}\n    {made}\n    {asked}\n    return nil\n}}\n"
    return lines_of(run(RULE, code, path="store/put.go"))


@for_each(REPORTED)
def test_check__reports(row: tuple[str, str]) -> None:
    assert told(*row) == [5]


@for_each(QUIET)
def test_check__is_quiet(row: tuple[str, str]) -> None:
    assert told(*row) == []
