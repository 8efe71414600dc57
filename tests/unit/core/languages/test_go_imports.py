from __future__ import annotations

from devpulse.core.imports import ImportedName, imported_names, imports_of

TEXT = """\
package app

import "fmt"
import (
	"net/http"
	db "example.com/shop/internal/store"
	"example.com/shop/orders/v2"
	_ "github.com/lib/pq"
)
"""
KNOWN = {"internal/store/store.go", "cmd/app/main.go", "http/server.go", "orders/v2/a.go", "docs/readme.md"}


def test_files__import_paths_end_in_folders_of_the_repository():
    assert imports_of("cmd/app/main.go", "go", TEXT, KNOWN).folders == {"internal/store/", "orders/v2/"}


def test_names__by_alias_or_last_part_without_version():
    names = imported_names("go", TEXT)
    assert names["db"] == ImportedName("example.com.shop.internal.store", "")
    assert names["orders"].module == "example.com.shop.orders"
    assert set(names) == {"fmt", "http", "db", "orders"}
