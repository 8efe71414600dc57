from __future__ import annotations

import pytest

from devpulse.core.index import SymbolIndex

FILES = {
    "app/base.py": "class Root:\n    def save(self): pass\n    def load(self): pass\n\n\nclass Base(Root):\n"
    "    def save(self): pass\n",
    "app/order.py": "from app.base import Base\n\n\nclass Order(Base):\n    def save(self):\n        super().save()\n"
    "        self.load()\n",
    "app/other.py": "class Other:\n    def load(self): pass\n    def save(self): pass\n",
    "app/loop.py": "class One(Two): pass\nclass Two(One): pass\n",
    "app/use.py": "from app.order import Order\n\n\ndef use(order: Order, other):\n    order.load()\n",
}


def make_index() -> SymbolIndex:
    data = {path: text.encode() for path, text in FILES.items()}
    return SymbolIndex(lambda: list(data), data.get)


@pytest.mark.parametrize(
    ("question", "near", "path", "line"),
    [
        ("Order.save", None, "app/order.py", 5),
        ("Order.load", None, "app/base.py", 3),
        ("super(Order).save", None, "app/base.py", 7),
        ("super(Order, self).save", None, "app/base.py", 7),
        ("super().save", "app/order.py", "app/base.py", 7),
        ("self.save", "app/order.py", "app/order.py", 5),
        ("self.load", "app/order.py", "app/base.py", 3),
        ("order.load", "app/use.py", "app/base.py", 3),
        ("other.save", "app/use.py", "app/other.py", 3),
    ],
)
def test_search__members_through_the_classes_a_class_is_built_on(question, near, path, line):
    rows = make_index().search(question, near=near).rows
    assert (rows[0].path, rows[0].start_line) == (path, line)


def test_search__a_guess_by_the_variable_is_not_exact_a_base_class_is():
    assert make_index().search("Order.load").exact
    assert not make_index().search("order.load", near="app/use.py").exact


def test_definitions__a_class_without_such_a_member_has_none():
    index = make_index()
    assert index.definitions("Order.absent").total == 0
    assert index.definitions("Absent.save").total == 0
    assert index.definitions("order.load", near="app/use.py").total == 0


def test_definitions__classes_built_on_each_other_end():
    assert make_index().definitions("One.save").total == 0
