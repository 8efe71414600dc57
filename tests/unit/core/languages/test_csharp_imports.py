from __future__ import annotations

from devpulse.core.imports import ImportedName, imported_names, imports_of

KNOWN = {
    "Src/Shop.Core/Orders/Order.cs",
    "Src/Shop.Core/Texts.cs",
    "Src/Api/Controllers/OrdersController.cs",
    "Src/Api/Models/Row.cs",
    "Src/Linq/Query.cs",
    "docs/Orders/notes.md",
}
TEXT = """\
using System.Linq;
using Shop.Core.Orders;
global using Shop.Api.Models;
using static Shop.Core.Texts;
using Row = Shop.Core.Orders.Order;
namespace Shop.Api.Controllers;
"""


def test_files__namespaces_are_folders():
    imports = imports_of("Src/Api/Controllers/OrdersController.cs", "csharp", TEXT, KNOWN)
    # System.Linq is not the project's own, so its first part may not be left out.
    assert imports.folders == {"Src/Shop.Core/Orders/", "Src/Api/Models/"}
    assert imports.files == {"Src/Shop.Core/Texts.cs": {"Texts"}, "Src/Shop.Core/Orders/Order.cs": {"Order"}}


def test_names__aliases_and_static_types():
    assert imported_names("csharp", TEXT) == {
        "Texts": ImportedName("Shop.Core", "Texts"),
        "Row": ImportedName("Shop.Core.Orders", "Order"),
    }
