from __future__ import annotations

import pytest

from devpulse.core.imports import imported_names, imports_of

KNOWN = {
    "src/shop/orders.py",
    "src/shop/__init__.py",
    "src/shop/db/__init__.py",
    "src/shop/db/models.py",
    "src/shop/views.py",
    "tools/run.py",
    "web/src/app.ts",
    "web/src/db.ts",
    "web/src/ui/index.tsx",
    "web/src/ui/card.tsx",
    "web/lib/x.js",
    "packages/core/src/main.ts",
}


def files(path: str, language: str, text: str) -> dict[str, frozenset[str]]:
    return imports_of(path, language, text, KNOWN).files


@pytest.mark.parametrize(
    ("line", "target"),
    [
        ("import shop.orders", "src/shop/orders.py"),
        ("import os, shop.orders as o", "src/shop/orders.py"),
        ("from shop.orders import total", "src/shop/orders.py"),
        ("from shop import orders", "src/shop/orders.py"),
        ("from . import orders", "src/shop/orders.py"),
        ("from .orders import total", "src/shop/orders.py"),
        ("from .db.models import (\n    User,\n    Order,\n)", "src/shop/db/models.py"),
        ("    from ..shop.orders import total", "src/shop/orders.py"),
        ("from shop.db import User", "src/shop/db/__init__.py"),
        ("from tools.run import main", "tools/run.py"),
    ],
)
def test_imports_of__python(line, target):
    assert target in files("src/shop/views.py", "python", line)


@pytest.mark.parametrize(
    "line",
    [
        "import os",
        "from json import loads",
        "# from shop.orders import a",
        "x = 'import shop.orders'",
        "from ......deep import x",
        "import",
    ],
)
def test_imports_of__python_lines_that_import_nothing_here(line):
    assert files("src/shop/views.py", "python", line) == {}


def test_imports_of__names_and_package_folders():
    found = imports_of("src/shop/views.py", "python", "from .db import User, Order as O\n", KNOWN)
    assert {"User", "Order"} <= found.files["src/shop/db/__init__.py"]
    assert found.folders == {"src/shop/db/"}


@pytest.mark.parametrize(
    ("line", "target"),
    [
        ("import { query } from './db';", "web/src/db.ts"),
        ("import db from './db.js';", "web/src/db.ts"),
        ('import type { Db } from "./db";', "web/src/db.ts"),
        ("export * from './ui';", "web/src/ui/index.tsx"),
        ("const x = require('../lib/x');", "web/lib/x.js"),
        ("const { a } = require('../lib/x.js');", "web/lib/x.js"),
        ("import '@/ui/card';", "web/src/ui/card.tsx"),
        ("const c = await import('./ui/card');", "web/src/ui/card.tsx"),
        ("import {\n  a,\n  b,\n} from 'src/db';", "web/src/db.ts"),
    ],
)
def test_imports_of__ecmascript(line, target):
    assert target in files("web/src/app.ts", "typescript", line)


@pytest.mark.parametrize("line", ["import React from 'react';", "import x from '../../../../up';", "x.from('./db')"])
def test_imports_of__ecmascript_lines_that_import_nothing_here(line):
    assert files("web/src/app.ts", "typescript", line) == {}


def test_imports_of__ecmascript_names_and_workspace_packages():
    found = imports_of(
        "web/src/app.ts", "typescript", "import { a, b as c } from './db';\nimport d from '@shop/core';", KNOWN
    )
    assert {"a", "b"} <= found.files["web/src/db.ts"]
    assert "packages/core/" in found.folders


def bound(language: str, text: str) -> dict[str, tuple[str, str]]:
    return {name: (found.module, found.name) for name, found in imported_names(language, text).items()}


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("import shop.orders", {"shop": ("shop", "")}),
        ("import shop.orders as o, os", {"o": ("shop.orders", ""), "os": ("os", "")}),
        ("from .db import User, Order as O", {"User": ("db", "User"), "O": ("db", "Order")}),
        ("from . import db", {"db": ("", "db")}),
        ("from a import (\n    b,  # not c\n    d as e,\n)", {"b": ("a", "b"), "e": ("a", "d")}),
        ("x = 1", {}),
    ],
)
def test_imported_names__python(line, expected):
    assert bound("python", line) == expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("import { a, b as c } from './lib/x.js';", {"a": ("lib.x", "a"), "c": ("lib.x", "b")}),
        ("import d, { a } from '../x';", {"d": ("x", ""), "a": ("x", "a")}),
        ("import * as o from '@/ui/index';", {"o": ("ui", "")}),
        ("const { a: b } = require('./x');", {"b": ("x", "a")}),
        ("const x = require('@shop/core');", {"x": ("core", "")}),
        (
            "var run = require('child_process').exec, fs = require('fs')",
            {"run": ("child_process", "exec"), "fs": ("fs", "")},
        ),
        ("const { readFile: read } = require('fs').promises;", {"read": ("fs.promises", "readFile")}),
        ("const log = require('debug')('x');", {"log": ("debug", "")}),
        ("const log = require('./log').make('x');", {"log": ("log", "")}),
        ("const fs = Promise.promisifyAll(require('fs'));", {"fs": ("fs", "")}),
        ("const run = require('util').promisify(require('child_process').exec);", {"run": ("child_process", "exec")}),
        (
            "import * as cp from 'child_process';\nconst { exec: go } = cp, run = promisify(cp.exec);",
            {"cp": ("child_process", ""), "go": ("child_process", "exec"), "run": ("child_process", "exec")},
        ),
        ("import cp from 'child_process';\nconst out = cp.exec('ls');", {"cp": ("child_process", "")}),
        (
            "import { exec } from 'child_process';\nconst run = exec;",
            {
                "exec": ("child_process", "exec"),
                "run": ("child_process", "exec"),
            },
        ),
        ("import x from './x';\nconst y = x.y;", {"x": ("x", "")}),
        ("x.from('./db')", {}),
    ],
)
def test_imported_names__ecmascript(line, expected):
    assert bound("typescript", line) == expected


def test_imported_names__no_reader():
    assert bound("cobol", "import x") == {}
