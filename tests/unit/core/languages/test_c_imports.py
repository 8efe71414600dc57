from __future__ import annotations

import pytest

from devpulse.core.imports import imported_names, imports_of

KNOWN = {"src/a.c", "src/a.h", "src/net/tcp.h", "include/lib/x.hpp", "src/lib/x.cpp", "deps/lua/lua.h", "b.h"}


@pytest.mark.parametrize(
    ("path", "line", "files"),
    [
        ("src/main.c", '#include "a.h"', {"src/a.h", "src/a.c"}),
        ("src/a.c", '#include "a.h"', {"src/a.h"}),
        ("src/net/tcp.c", '#include "../a.h"', {"src/a.h", "src/a.c"}),
        ("src/main.c", '  #  include "net/tcp.h"', {"src/net/tcp.h"}),
        ("src/main.cpp", "#include <lib/x.hpp>", {"include/lib/x.hpp", "src/lib/x.cpp"}),
        ("src/net/tcp.c", '#include "../../../b.h"', {"b.h"}),
        ("src/main.c", "#include <stdio.h>", set()),
        ("src/main.c", "#include SOME_MACRO", set()),
    ],
)
def test_files__headers_with_the_sources_behind_them(path, line, files):
    found = set(imports_of(path, "c", line + "\n", KNOWN).files)
    assert found == files


def test_names__an_include_binds_none():
    assert dict(imported_names("c", '#include "a.h"\n')) == {}
