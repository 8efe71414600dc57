from __future__ import annotations

import pytest
from rule_tables import suggested

SUGGESTED = {
    "no loader": ("import yaml\nconfig = yaml.load(file)\n", "config = yaml.safe_load(file)"),
    "unsafe loader": (
        "import yaml\nrows = yaml.load(request.data, Loader=yaml.UnsafeLoader)\n",
        "rows = yaml.safe_load(request.data)",
    ),
    "all documents, the module renamed": (
        "import yaml as y\nfor row in y.load_all(text, y.Loader):\n    keep(row)\n",
        "for row in y.safe_load_all(text):",
    ),
    "over several lines": (
        "import yaml\nconfig = yaml.load(\n    path.read_text(),\n    Loader=yaml.FullLoader,\n)\n",
        "config = yaml.safe_load(path.read_text())",
    ),
    "a comment behind it": ("config = yaml.load(file)  # ours\n", "config = yaml.safe_load(file)  # ours"),
}
NOTHING = {
    "a function imported by name": "from yaml import load\nconfig = load(file)\n",
    "another library": "from ruamel import yaml\nconfig = yaml.load(file)\n",
    "a comment inside": "import yaml\nconfig = yaml.load(\n    file,  # from the user\n)\n",
    "a loader of its own": "import yaml\nconfig = yaml.load(file, Loader=make_loader(Loader))\n",
    "two on a line": "import yaml\npair = yaml.load(one), yaml.load(two)\n",
    "broken code": "import yaml\nconfig = yaml.load(file)\ndef (:\n",
}


@pytest.mark.parametrize(("code", "expected"), SUGGESTED.values(), ids=SUGGESTED)
def test_suggest__safe_loader(code: str, expected: str) -> None:
    assert suggested(code) == [expected]


@pytest.mark.parametrize("code", NOTHING.values(), ids=NOTHING)
def test_suggest__nothing_that_needs_a_decision(code: str) -> None:
    assert suggested(code) == []
