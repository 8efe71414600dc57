from __future__ import annotations

import pytest

from devpulse.core.imports import imported_names, imports_of

KNOWN = dict.fromkeys(
    [
        "app/Models/User.php",
        "app/Http/Controllers/UserController.php",
        "src/Illuminate/Support/Str.php",
        "tests/Support/Str.php",
        "app/Util/Logger.php",
        "Slim/App.php",
        "lib/db.inc",
        "public/config.php",
        "public/inc/head.php",
    ]
).keys()


@pytest.mark.parametrize(
    ("path", "text", "target", "names"),
    [
        ("app/x.php", "<?php\nuse App\\Models\\User;", "app/Models/User.php", {"User"}),
        ("app/x.php", "<?php\nuse \\App\\Models\\User as Person;", "app/Models/User.php", {"User"}),
        ("app/x.php", "<?php\nuse App\\{Models\\User, Other};", "app/Models/User.php", {"User"}),
        ("app/x.php", "<?php\nuse A\\B, App\\Models\\User;", "app/Models/User.php", {"User"}),
        ("app/x.php", "<?php\nuse Illuminate\\Support\\Str;", "src/Illuminate/Support/Str.php", {"Str"}),
        ("x.php", "<?php\nuse Slim\\App;", "Slim/App.php", {"App"}),
        ("public/index.php", "<?php require_once __DIR__ . '/config.php';", "public/config.php", set()),
        ("public/index.php", "<?php include('inc/head.php');", "public/inc/head.php", set()),
        ("public/inc/a.php", "<?php include '../config.php';", "public/config.php", set()),
        ("public/index.php", '<?php require dirname(__FILE__) . "/../lib/db.inc";', "lib/db.inc", set()),
    ],
)
def test_files__of_uses_and_includes(path, text, target, names):
    assert imports_of(path, "php", text, KNOWN).files == {target: frozenset(names)}


@pytest.mark.parametrize(
    "text",
    [
        "<?php\nuse Monolog\\Core\\Logger;",  # another class of the same name
        "<?php\nuse Psr\\Missing;",
        "<?php include $path;",
        '<?php include "$dir/config.php";',
        "<?php $f = function () use ($User) {};",
        "<?php\nclass A { use HasFactory; }",
    ],
)
def test_files__nothing_is_guessed(text):
    assert imports_of("app/x.php", "php", text, KNOWN).files == {}


def test_names__each_with_its_module():
    text = "<?php\nuse App\\Models\\User;\nuse A\\{B\\C, D as E};\nuse function F\\g;\nuse H as I, J\\K;\n"
    bound = imported_names("php", text)
    assert {name: (value.module, value.name) for name, value in bound.items()} == {
        "User": ("App.Models", "User"),
        "C": ("A.B", "C"),
        "E": ("A", "D"),
        "g": ("F", "g"),
        "I": ("", "H"),
        "K": ("J", "K"),
    }
