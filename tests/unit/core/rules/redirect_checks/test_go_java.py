from __future__ import annotations

from rule_tables import lines_of, run
from tables import for_each

from devpulse.core.rules.redirect_checks import RULE

_GO = "package web\n\nfunc {}(to string) bool {{\n    return {}\n}}\n"
_JAVA = "class Web {{\n\n    boolean {}(String to) {{\n        return {};\n    }}\n}}\n"
REPORTED = (
    ("web.go", "isValidRedirect", "len(to) > 1 && to[0] == '/' && to[1] != '/'"),
    ("web.go", "IsSafeURL", 'strings.HasPrefix(to, "/") && !strings.HasPrefix(to, "//")'),
    ("Web.java", "isUnsafeUrl", 'to.contains("://") || to.startsWith("//")'),
    ("Web.java", "isLocalRedirect", "to.charAt(0) == '/' && to.charAt(1) != '/'"),
)
QUIET = (
    ("web.go", "isValidRedirect", "len(to) > 1 && to[0] == '/' && to[1] != '/' && to[1] != '\\\\'"),
    (
        "web.go",
        "IsSafeURL",
        'strings.HasPrefix(to, "/") && !strings.HasPrefix(to, "//") && parsed(url.Parse(to)).Host == own',
    ),
    ("web.go", "isComment", 'strings.HasPrefix(to, "//")'),
    ("web.go", "IsSafeURL", 'strings.HasPrefix(to, "/home/")'),
    ("Web.java", "isUnsafeUrl", 'to.replace("\\\\", "/").startsWith("//")'),
    ("Web.java", "isLocalRedirect", 'URI.create(to).getHost() == null && !to.startsWith("//")'),
    ("Web.java", "isValidName", 'to.startsWith("//")'),
)


def told(path: str, name: str, answer: str) -> list[int]:
    """Lines of what is told of a function, and of a place that calls it."""
    code = (_GO if path.endswith("go") else _JAVA).format(name, answer)
    return lines_of(run(RULE, code, path=f"web/{path}"))


@for_each(REPORTED)
def test_check__reports(row: tuple[str, str, str]) -> None:
    assert told(*row) == [3]


@for_each(QUIET)
def test_check__is_quiet(row: tuple[str, str, str]) -> None:
    assert told(*row) == []
