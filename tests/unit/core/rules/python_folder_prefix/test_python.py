from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.rules.python.folder_prefix import RULE

REPORTED = {
    "name": """
        def shelf_file(self, title):
            shelf = os.path.abspath(self.shelves)
            book = os.path.abspath(os.path.join(shelf, title))
            if not book.startswith(shelf):  # BAD
                raise NotFound(title)
            return book
        """,
    "separator behind the path": """
        def shelf_file(self, book):
            shelf = os.path.realpath(self.shelves)
            if not (os.path.realpath(book) + os.sep).startswith(shelf):  # BAD
                abort(404)
            return open(book)
        """,
    "field": """
        def place(self, title):
            book = os.path.normpath(os.path.join(self.base_dir, title))
            if not book.startswith(self.base_dir):  # BAD
                return None
            return book
        """,
    "asked": """
        def is_inside(path, folder):
            return os.path.realpath(path).startswith(os.path.realpath(folder))  # BAD
        """,
    "taken if it begins so": """
        def place(cls, title):
            book = os.path.abspath(os.path.join(cls.root, title))
            if book.startswith(cls.root):  # BAD
                return book
            raise NotFound(title)
        """,
    "with another condition": """
        def place(root_dir, title):
            book = os.path.realpath(os.path.join(root_dir, title))
            if not os.path.exists(book) or not book.startswith(root_dir):  # BAD
                raise NotFound(title)
        """,
    "common prefix": """
        def within(folder, target):
            whole = os.path.abspath(folder)
            return os.path.commonprefix([whole, os.path.abspath(target)]) == whole  # BAD
        """,
    "common prefix with a name": """
        def within(folder, target):
            whole, inner = os.path.abspath(folder), os.path.abspath(target)
            shared = os.path.commonprefix([whole, inner])  # BAD
            return shared == whole
        """,
}
QUIET = {
    "separator": """
        def place(self, title):
            shelf = os.path.abspath(self.shelves)
            book = os.path.abspath(os.path.join(shelf, title))
            if not book.startswith(shelf + os.sep):
                raise NotFound(title)
        """,
    "separator in a name": """
        def place(self, title):
            shelf = os.path.join(os.path.abspath(self.shelves), "")
            if not os.path.abspath(title).startswith(shelf):
                raise NotFound(title)
        """,
    "separator put behind": """
        def place(self, title):
            shelf = os.path.abspath(self.shelves)
            if not shelf.endswith(os.sep):
                shelf += os.sep
            if not os.path.abspath(title).startswith(shelf):
                raise NotFound(title)
        """,
    "text": """
        def place(self, title):
            if not title.startswith(self.base_dir):
                raise NotFound(title)
        """,
    "separator looked for": """
        def place(self, title):
            book = os.path.abspath(title)
            if not book.startswith(self.base_dir) or book[self.length] != os.sep:
                raise NotFound(title)
        """,
    "name": """
        def place(self, title):
            canonical_name = canonicalize_name(self.name)
            if not canonicalize_name(title).startswith(canonical_name):
                raise NotFound(title)
        """,
    "not a folder": """
        def place(self, title):
            name = os.path.normpath(title)
            if not name.startswith(self.kind):
                raise NotFound(title)
        """,
    "shortened": """
        def shown(self, title):
            book = os.path.abspath(title)
            if book.startswith(self.base_dir):
                return book[len(self.base_dir):]
            raise NotFound(title)
        """,
    "nothing is refused": """
        def shown(self, title):
            book = os.path.abspath(title)
            if not book.startswith(self.base_dir):
                log.info(title)
            return book
        """,
    "refused where it is inside": """
        def place(self, title):
            if os.path.abspath(title).startswith(self.base_dir):
                raise ValueError("into itself")
        """,
    "common path": """
        def within(folder, target):
            whole = os.path.abspath(folder)
            return os.path.commonpath([whole, os.path.abspath(target)]) == whole
        """,
    "common prefix with separators": """
        def within(folder, target):
            whole = os.path.abspath(folder) + os.sep
            return os.path.commonprefix([whole, os.path.abspath(target)]) == whole
        """,
    "common prefix of names": """
        def shared(names):
            return len(os.path.commonprefix(names)) == 0
        """,
    "comment": """
        def place(self, title):
            # if not os.path.abspath(title).startswith(self.base_dir): raise NotFound
            return safe_join(self.base_dir, title)
        """,
}


@pytest.mark.parametrize("code", REPORTED.values(), ids=REPORTED)
def test_folder_prefix__reports(code: str) -> None:
    assert lines_of(run(RULE, code)) == marked_lines(code)


@pytest.mark.parametrize("code", QUIET.values(), ids=QUIET)
def test_folder_prefix__stays_quiet(code: str) -> None:
    assert not run(RULE, code)
