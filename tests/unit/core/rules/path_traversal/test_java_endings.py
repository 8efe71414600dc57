"""Parts of a name that have no folder in them, in Java."""

from __future__ import annotations

from rule_tables import posted_lines
from tables import for_each

from devpulse.core.rules.path_traversal import RULE

REPORTED = (
    '"/srv/" + x',
    '"/srv/" + FileUtil.normalize(x)',
    '"/srv/" + FileNameUtil.cleanInvalid(x)',
)
QUIET = (
    '"/srv/out." + FileUtil.extName(x)',
    '"/srv/out." + FileUtil.getSuffix(x)',
    '"/srv/out." + FileNameUtil.extName(x)',
    '"/srv/out." + Files.getFileExtension(x)',
    '"/srv/out." + FilenameUtils.getExtension(x)',
    '"/srv/out." + StringUtils.getFilenameExtension(x)',
)


def told(path: str) -> list[int]:
    """Lines of what is told of a path with a value of the request."""
    code = (
        "class Shown extends HttpServlet {\n"
        "    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {\n"
        f'        String x = request.getParameter("x");\n        new FileOutputStream({path}).close();\n    }}\n}}\n'
    )
    return posted_lines(RULE, code, path="src/Shown.java")


@for_each(REPORTED)
def test_check__reports(row: str) -> None:
    assert told(row) == [4]


@for_each(QUIET)
def test_check__is_quiet(row: str) -> None:
    assert told(row) == []
