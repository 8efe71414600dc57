from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.categories import Confidence
from devpulse.core.rules.sql_injection import RULE

REPORTED = {
    ("src/Shelf.java", "condition of a page of rows"): """
        class Shelf {
            Page<Book> byAuthor(String author, int page) {
                String from = "select title, year from books where ";
                String where = " author='" + author + "' ";
                if (author.isEmpty()) {
                    where = " 1=1 ";
                }
                return pages.turn(from + where, page); // BAD
            }
        }
        """,
    ("src/Shelf.java", "list between quotes"): """
        class Shelf {
            int lend(String shelf) {
                return gateway.touch("update books set lent = 1 where shelf = '" + shelf + "'"); // BAD
            }
        }
        """,
    ("store/shelf.go", "helper of the program"): """
        package store

        func (s *Shelf) Lend(ctx context.Context, shelf string) error {
            stmt := "DELETE FROM books WHERE shelf = '" + shelf + "'"
            return s.apply(ctx, stmt) // BAD
        }
        """,
}
QUIET = {
    ("src/Shelf.java", "bound"): """
        class Shelf {
            Page<Book> byAuthor(String author, int page) {
                return pages.turn("select title from books where author = ?", List.of(author), page);
            }
        }
        """,
    ("src/Shelf.java", "written down"): """
        class Shelf {
            void tell(String author) {
                log.debug("select title from books where author = '" + author + "'");
                throw new IllegalStateException("select title from books where author = '" + author + "'");
            }
        }
        """,
    ("src/Shelf.java", "looked at"): """
        class Shelf {
            void weigh(String author) {
                String from = "select title from books where author = '" + author + "'";
                cache.lookup(from);
                cache.getIfPresent(from);
                parser.parse(from);
                tools.hash(from);
            }
        }
        """,
    ("src/Shelf.java", "number, table, and no statement"): """
        class Shelf {
            void list(int year, String table, String word) {
                pages.turn("select title from books where year = '" + year + "'");
                pages.turn("select title from " + table);
                pages.turn("Choose '" + word + "' to go on from here");
            }
        }
        """,
    ("store/shelf.go", "what a query gives back"): """
        package store

        func (s *Shelf) Find(w http.ResponseWriter, shelf string) {
            rows, err := s.keep.find(other)
            report(rows, "SELECT '"+shelf+"'")
        }
        """,
    ("store/shelf.go", "bound, logged, and of the program"): """
        package store

        func (s *Shelf) Lend(ctx context.Context, shelf string) error {
            log.Printf("DELETE FROM books WHERE shelf = '%s'", shelf)
            if err := s.apply(ctx, "DELETE FROM books WHERE kind = '"+kindOld+"'"); err != nil {
                return fmt.Errorf("DELETE FROM books WHERE shelf = '%s': %w", shelf, err)
            }
            return s.apply(ctx, "DELETE FROM books WHERE shelf = ?", shelf)
        }
        """,
}


@pytest.mark.parametrize(("path", "code"), [(path, code) for (path, _), code in REPORTED.items()])
def test_judge__reports(path: str, code: str):
    hits = run(RULE, code, path=path)
    assert lines_of(hits) == marked_lines(code)
    assert {hit.confidence for hit in hits} == {Confidence.MEDIUM}


@pytest.mark.parametrize(("path", "code"), [(path, code) for (path, _), code in QUIET.items()])
def test_judge__is_quiet(path: str, code: str):
    assert run(RULE, code, path=path) == []
