from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.categories import Confidence
from devpulse.core.rules.xpath_injection import RULE

REPORTED = {
    "other quotes": """
        def find():
            name = request.args["name"].replace("'", "&apos;")
            return tree.xpath('//user[name="' + name + '"]')  # BAD
        """,
    "escaped but not in quotes": """
        def find():
            return tree.xpath("//user[id=" + request.args["id"].replace("'", "") + "]")  # BAD
        """,
    "only with quotes": """
        def find():
            name = request.args["name"]
            if "'" not in name:
                return None
            return tree.xpath("//user[name='" + name + "']")  # BAD
        """,
    "lxml": """
        def find():
            name = request.args["name"]
            return tree.xpath("//user[name='" + name + "']")  # BAD
        """,
    "compiled": """
        def price(request):
            return etree.XPath("//item[@id='%s']/price" % request.GET["id"])(TREE)  # BAD
        """,
    "find of the standard library": """
        def find(request):
            return root.find(".//user[@name='" + request.GET["name"] + "']")  # BAD
        """,
}
QUIET = {
    "quotes replaced": """
        def find():
            name = request.args["name"].replace("'", "&apos;")
            return tree.xpath(f"//user[name='{name}']")
        """,
    "escaped for HTML": """
        def find():
            return tree.xpath("//user[name='%s']" % html.escape(request.args["name"]))
        """,
    "no quotes": """
        def find():
            name = request.args["name"]
            if "'" in name:
                return None
            return tree.xpath("//user[name='" + name + "']")
        """,
    "variable": """
        def find():
            return tree.xpath("//user[name=$name]", name=request.args["name"])
        """,
    "constant": """
        def everybody(tree):
            return tree.xpath("//user")
        """,
    "number": """
        def find():
            return tree.xpath("//user[@id='%d']" % int(request.args["id"]))
        """,
}


@pytest.mark.parametrize("code", REPORTED.values(), ids=REPORTED)
def test_check__reports(code: str) -> None:
    hits = [hit for hit in run(RULE, code) if hit.confidence is not Confidence.LOW]
    assert lines_of(hits) == marked_lines(code)
    assert all(hit.cwe == 643 and hit.trace is not None for hit in hits)


@pytest.mark.parametrize("code", QUIET.values(), ids=QUIET)
def test_check__is_quiet(code: str) -> None:
    assert [hit for hit in run(RULE, code) if hit.confidence is not Confidence.LOW] == []
