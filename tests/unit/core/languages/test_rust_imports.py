from __future__ import annotations

import pytest

from devpulse.core.imports import ImportedName, imported_names, imports_of

KNOWN = {
    "src/lib.rs", "src/db/mod.rs", "src/db/pool.rs", "src/api.rs", "src/api/users.rs", "crates/my-core/src/lib.rs",
    "crates/my-core/src/text.rs",
}  # fmt: skip


@pytest.mark.parametrize(
    ("path", "text", "files"),
    [
        ("src/lib.rs", "mod api;\npub mod db;\n", {"src/api.rs": set(), "src/db/mod.rs": set()}),
        ("src/api.rs", "mod users;\n", {"src/api/users.rs": set()}),
        ("src/api.rs", "use crate::db::pool::Pool;\n", {"src/db/pool.rs": {"Pool"}}),
        ("src/api.rs", "use crate::{db::{self, pool::{Pool, Row as R}}};\n",
         {"src/db/mod.rs": set(), "src/db/pool.rs": {"Pool", "Row"}}),
        ("src/api/users.rs", "use super::Reply;\n", {}),
        ("src/db/pool.rs", "use super::super::api::users;\n", {"src/api/users.rs": set()}),
        ("src/api.rs", "use my_core::text::fold;\n", {"crates/my-core/src/text.rs": {"fold"}}),
        ("src/api.rs", "use my_core::Fold;\n", {"crates/my-core/src/lib.rs": {"Fold"}}),
        ("src/api.rs", "use std::fmt;\n", {}),
    ],
)  # fmt: skip
def test_files__modules_and_use_paths(path, text, files):
    assert imports_of(path, "rust", text, KNOWN).files == files


def test_names__of_nested_use_trees():
    names = imported_names("rust", "use a::{b::{C, D as E}, f, self};\npub(crate) use g::*;\nuse h as _;\n")
    assert dict(names) == {
        "C": ImportedName("a.b", "C"),
        "E": ImportedName("a.b", "D"),
        "f": ImportedName("a", "f"),
        "a": ImportedName("", "a"),
    }
