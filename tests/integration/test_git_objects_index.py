"""The symbol index over a commit that is not checked out: read from git's objects, whatever lies on disk."""

import pytest
from repos import Repo

from devpulse.adapters.git import Repository
from devpulse.main.indexing import index_of
from devpulse.pipeline.gate import PathGate


@pytest.fixture
def repo(tmp_path):
    repo = Repo(tmp_path / "repo")
    repo.write("shop/cart.py", "class Cart:\n    def total(self):\n        return price()\n")
    repo.write("shop/price.py", "def price():\n    return 1\n")
    repo.write(".env", "def price(): pass\n")
    (repo.root / "shop" / "link.py").symlink_to("price.py")
    repo.commit("head of the change")
    repo.git("tag", "change")
    repo.write("shop/price.py", "def cost():\n    return 2\n")
    repo.git("rm", "--quiet", "shop/cart.py")
    repo.commit("what is checked out")
    repo.write("shop/cost.py", "def untracked(): pass\n")
    return repo


def test_index__of_a_commit_that_is_not_checked_out(repo):
    with Repository.open(repo.root) as repository:
        tree = repository.tree(repository.resolve("change"))
        index = index_of(tree, PathGate(tree.size))
        found = {name: index.definitions(name).total for name in ("price", "Cart.total", "cost", "untracked")}
        assert found == {"price": 1, "Cart.total": 1, "cost": 0, "untracked": 0}
        row = index.definitions("price", near="shop/cart.py").rows[0]
        assert (row.path, index.source(row)) == ("shop/price.py", "def price():\n    return 1")
        assert [(row.path, row.line, row.symbol) for row in index.references("price").rows] == [
            ("shop/cart.py", 3, "Cart.total"),
            ("shop/price.py", 1, "price"),
        ]
        around = index.enclosing("shop/cart.py", 3)
        assert around is not None
        assert around.qualified_name == "Cart.total"


def test_index__of_the_checked_out_commit_is_another(repo):
    with Repository.open(repo.root) as repository:
        tree = repository.tree(repository.resolve("HEAD"))
        index = index_of(tree, PathGate(tree.size))
        assert [index.definitions(name).total for name in ("price", "cost")] == [0, 1]
