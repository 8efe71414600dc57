from __future__ import annotations

from devpulse.core.imports import ImportedName, imported_names, imports_of

KNOWN = {
    "app/src/main/java/shop/Main.java",
    "app/src/main/java/shop/orders/Order.java",
    "core/src/main/kotlin/shop/users/User.kt",
    "core/src/main/kotlin/shop/users/Extensions.kt",
    "core/src/main/java/shop/util/Texts.java",
    "core/src/test/java/shop/util/TextsTest.java",
    "other/util/notes.md",
}
MAIN = """\
package shop;

import java.util.List;
import shop.orders.Order;
import shop.users.User.Role;
import static shop.util.Texts.trim;
import static shop.util.Texts.*;
import shop.util.*;
// import shop.gone.Away;
"""


def test_files__types_inner_types_static_members_and_packages():
    imports = imports_of("app/src/main/java/shop/Main.java", "java", MAIN, KNOWN)
    assert imports.files == {
        "app/src/main/java/shop/orders/Order.java": {"Order"},
        "core/src/main/kotlin/shop/users/User.kt": {"Role"},
        "core/src/main/java/shop/util/Texts.java": {"trim"},
    }
    assert imports.folders == {"core/src/main/java/shop/util/", "core/src/test/java/shop/util/"}


def test_files__a_function_of_kotlin_stands_in_any_file_of_its_package():
    text = "package shop\nimport shop.users.shout as loud\nimport shop.orders.`Order`\n"
    imports = imports_of("app/src/main/kotlin/shop/Main.kt", "kotlin", text, KNOWN)
    assert imports.folders == {"core/src/main/kotlin/shop/users/"}
    assert imports.files == {"app/src/main/java/shop/orders/Order.java": {"Order"}}


def test_files__a_name_ends_at_a_folder():
    assert imports_of("a.java", "java", "import p.Order;\n", {"ship/Order.java", "x/q.p/Order.java"}).files == {}


def test_names__bound_names():
    names = imported_names("kotlin", "import a.b.C\nimport a.b.d as e\nimport a.c.*\n")
    assert names == {"C": ImportedName("a.b", "C"), "e": ImportedName("a.b", "d")}
    assert imported_names("java", "import static a.B.c;\n") == {"c": ImportedName("a.B", "c")}
