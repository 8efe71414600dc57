from __future__ import annotations

import pytest

from devpulse.core.rules.access_control.actions import changes, is_single, methods_of


@pytest.mark.parametrize("name", ["destroy", "bulk_delete", "saveOptions", "shop-save", "tags_update", "DeletePost"])
def test_changes__by_the_first_or_last_word(name: str) -> None:
    assert changes(name)


@pytest.mark.parametrize("name", ["", "index", "show", "deleted_posts", "search", "settings", "address"])
def test_changes__reading(name: str) -> None:
    assert not changes(name)


@pytest.mark.parametrize(
    ("name", "method"),
    [("update", "PUT"), ("destroy", "DELETE"), ("edit", "GET"), ("archive_all", "POST"), ("x", "GET")],
)
def test_methods_of__names_of_resources_and_others(name: str, method: str) -> None:
    assert methods_of(name) == {method}


def test_is_single__new_objects_have_no_id_yet() -> None:
    assert is_single("update")
    assert is_single("archive")
    assert not is_single("create")
    assert not is_single("saveUser")
    assert not is_single("index")
