from __future__ import annotations

import pytest

from devpulse.core.knowledge import access_words
from devpulse.core.knowledge.access import read_access


def test_read_access__patterns_of_all_files_together() -> None:
    words = read_access({"a": '[access]\nmarks = ["Secured"]\n', "b": '[access]\nmarks = ["Roles\\\\w+"]\n'})
    assert words.marks.fullmatch("secured")
    assert words.marks.fullmatch("RolesAllowed")
    assert not words.marks.fullmatch("Override")
    assert not words.calls.search("anything")


@pytest.mark.parametrize(
    ("text", "told"), [('[access]\nguards = ["x"]\n', "unknown key 'guards'"), ('[access]\nmarks = ["("]\n', "'\\('")]
)
def test_read_access__a_faulty_file_is_named(text: str, told: str) -> None:
    with pytest.raises(ValueError, match=f"ruby/x.toml.*{told}"):
        read_access({"ruby/x.toml": text})


@pytest.mark.parametrize("language", ["java", "ruby", "php", "go"])
def test_access_words__every_language_with_routes_has_all_words(language: str) -> None:
    words = access_words(language)
    for key in ("marks", "open", "calls", "refusals", "callers", "logins"):
        assert getattr(words, key).pattern != "(?!)", key


@pytest.mark.parametrize(
    ("language", "mark", "expected"),
    [
        ("java", "PreAuthorize", True),
        ("java", "AuthorDetails", False),
        ("ruby", "authenticate_user!", True),
        ("ruby", "set_author", False),
        ("php", "auth:api", True),
        ("php", "throttle:60,1", False),
        ("go", "AuthRequired", True),
        ("go", "authorPage", False),
        ("go", "Logger", False),
    ],
)
def test_access_words__marks(language: str, mark: str, *, expected: bool) -> None:
    assert (access_words(language).marks.fullmatch(mark) is not None) is expected
