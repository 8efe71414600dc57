from __future__ import annotations

import pytest
from rule_tables import run

from devpulse.core.rules.path_traversal import RULE

WRITES = "stream.on('entry', (entry) => fs.writeFileSync(path.join(folder, entry.path), entry.data));\n"


@pytest.mark.parametrize(
    ("path", "code", "expected"),
    [
        ("lib/extract.js", WRITES, True),
        ("lib/unzip/read.js", WRITES, True),
        ("lib/events.js", WRITES, False),
        ("lib/events.js", "const d = require('decompress');\n" + WRITES, True),
        ("lib/events.js", "const d = require('guitar');\n" + WRITES, False),
        ("lib/extract.js", WRITES.replace("entry.path", "entry.kind"), False),
        ("lib/extract.js", WRITES.replace("writeFileSync", "readFileSync"), False),
        ("lib/extract.js", "fs.readdirSync(x);\n" + WRITES, True),
        ("lib/extract.js", WRITES.replace("fs.writeFileSync", "glob.readdir(x); fs.writeFileSync"), True),
    ],
)
def test_is_member_name(path: str, code: str, expected: bool):
    assert bool(run(RULE, code, path=path)) is expected
