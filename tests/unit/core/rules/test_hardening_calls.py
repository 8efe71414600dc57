"""Settings that harden something, and that a change takes away."""

from __future__ import annotations

from compared_texts import compared
from rule_tables import MemoryResolver
from tables import for_each
from work import assert_work_in_step

from devpulse.core.change import Side
from devpulse.core.finding import Hit
from devpulse.core.rules import run_rules
from devpulse.core.rules.changed_runs import Run
from devpulse.core.rules.hardening_calls import hardening_in

XML, COOKIE, XSS = "xml-external-entity", "insecure-cookie", "cross-site-scripting"
DOCTYPE = "http://apache.org/xml/features/disallow-doctype-decl"

REPORTED = [
    ("A.java", f'maker.setFeature("{DOCTYPE}", true);\nread(maker);', "read(maker);", XML, 1),
    ("A.java", 'maker.setAttribute(XMLConstants.ACCESS_EXTERNAL_DTD, "");\nread(maker);', "read(maker);", XML, 1),
    ("A.java", "maker.setExpandEntityReferences(false);\nread(maker);", "read(maker);", XML, 1),
    ("a.py", "p = parser(\n    resolve_entities=False,\n    huge=True,\n)", "p = parser(\n    huge=True,\n)", XML, 2),
    ("A.java", "cookie.setHttpOnly(true);\nreply.add(cookie);", "reply.add(cookie);", COOKIE, 1),
    ("a.go", "c := Cookie{\n\tName: n,\n\tHttpOnly: true,\n}", "c := Cookie{\n\tName: n,\n}", COOKIE, 3),
    (
        "a.js",
        "reply.cookie('k', v, {\n  httpOnly: true,\n  path: '/',\n});",
        "reply.cookie('k', v, {\n  path: '/',\n});",
        COOKIE,
        2,
    ),
    ("a.py", "env = make(\n    autoescape=True,\n    loader=disk,\n)", "env = make(\n    loader=disk,\n)", XSS, 2),
]

QUIET = [
    # the object is gone, the setting moved, or another one is there
    ("A.java", f'maker.setFeature("{DOCTYPE}", true);\nread(other);', "read(other);"),
    (
        "A.java",
        f'maker.setFeature("{DOCTYPE}", true);\nlog();\nread(maker);',
        f'log();\nmaker.setFeature("{DOCTYPE}", true);\nread(maker);',
    ),
    ("A.java", f'maker.setFeature("{DOCTYPE}", true);\nread(maker);', "XmlUtils.harden(maker);\nread(maker);"),
    ("A.java", "cookie.setHttpOnly(true);\nreply.add(cookie);", "cookie.setSecure(true);\nreply.add(cookie);"),
    # settings of something else
    ("A.java", 'maker.setFeature("trim", true);\nread(maker);', "read(maker);"),
    ("A.java", "maker.setNamespaceAware(false);\nread(maker);", "read(maker);"),
    ("A.java", f'// maker.setFeature("{DOCTYPE}", true);\nread(maker);', "read(maker);"),
    ("a.go", "c := Cookie{\n\tName: n,\n\tHttpOnly: false,\n}", "c := Cookie{\n\tName: n,\n}"),
    ("a.py", "env = make(\n    autoescape=False,\n    loader=disk,\n)", "env = make(\n    loader=disk,\n)"),
    ("a.py", "env = make(\n    escape=True,\n    loader=disk,\n)", "env = make(\n    loader=disk,\n)"),
]


def _run(path: str, old: str, new: str) -> list[Hit]:
    return [hit for hit in run_rules(compared(path, old, new), MemoryResolver()) if hit.rule_id == "removed-validation"]


@for_each(REPORTED)
def test_hardening_calls__is_reported(row: tuple[str, str, str, str, int]) -> None:
    path, old, new, category, line = row
    assert [(hit.category, hit.side, hit.start_line) for hit in _run(path, old, new)] == [(category, Side.LEFT, line)]


@for_each(REPORTED)
def test_hardening_calls__a_setting_added_is_quiet(row: tuple[str, str, str, str, int]) -> None:
    path, old, new, *_ = row
    assert _run(path, new, old) == []


@for_each(QUIET)
def test_hardening_calls__is_quiet(row: tuple[str, str, str]) -> None:
    assert _run(*row) == []


@for_each(
    [
        lambda n: "x.setFeature(" + "a" * 300 + "\n" * n,
        lambda n: "a.setFeature(\n" * n,
        lambda n: "autoescape=True,\n" * n,
    ]
)
def test_hardening_calls__work_in_step_with_the_text(row) -> None:
    def work(text: str) -> list[object]:
        return list(hardening_in(Run(tuple(enumerate(text.split("\n"), 1)), ()), frozenset({"a"})))

    assert_work_in_step(work, row, 60)
