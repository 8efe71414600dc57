"""Public sets of vulnerable and safe files, read from checkouts of their repositories.

OWASP BenchmarkPython says of each file whether it is vulnerable (``expectedresults``). Left out is its ``trustbound``,
a weakness that is no category here. SecurityEval has vulnerable files only, in folders named after a CWE number. CWEval
has a secure and an insecure answer to each task; in Python the insecure ones are functions in the file with the tests,
named ``…_unsafe``: the vulnerable side is a file with all of them and the imports and constants that they stand
beside, and counts as found when one of them is. Its tasks whose weakness is no category here stand as ``other``.
"""

from __future__ import annotations

import ast
import csv
import re
from collections.abc import Iterator
from pathlib import Path

from detection_cases import BY_CWE, OWN_CWES, Case, CaseSet, read

OWASP: dict[str, str] = {
    "cmdi": "command-injection",
    "codeinj": "code-injection",
    "deserialization": "insecure-deserialization",
    "hash": "weak-cryptography",
    "ldapi": "ldap-injection",
    "pathtraver": "path-traversal",
    "redirect": "open-redirect",
    "securecookie": "insecure-cookie",
    "sqli": "sql-injection",
    "weakrand": "weak-cryptography",
    "xpathi": "xpath-injection",
    "xss": "cross-site-scripting",
    "xxe": "xml-external-entity",
}
"""Our category by the benchmark's."""

_FOLDER = re.compile(r"CWE-0*(\d+)")
_TASK = re.compile(r"cwe_0*(\d+)_\d+(?:_[a-z]+)?_task")


def read_owasp(root: Path) -> CaseSet:
    """The files of the benchmark; its own modules can be looked up, as in a scan of the checkout."""
    (table,) = root.glob("expectedresults-*.csv")
    cases = []
    for row in csv.reader(table.read_text(encoding="utf-8").splitlines()):
        name, kind, real, cwe = (word.strip() for word in row[:4])
        if kind in OWASP:
            path = f"testcode/{name}.py"
            cases.append(Case(path, read(root / path), OWASP[kind], real == "true", cwe=int(cwe)))
    beside = {path.relative_to(root).as_posix(): path.read_bytes() for path in (root / "helpers").glob("*.py")}
    return CaseSet("OWASP BenchmarkPython", tuple(cases), beside)


def read_securityeval(root: Path) -> CaseSet:
    """The vulnerable files whose CWE number stands for one of our categories."""
    cases = []
    for path in sorted((root / "Testcases_Insecure_Code").glob("CWE-*/*.py")):
        number = _FOLDER.fullmatch(path.parent.name)
        cwe = int(number[1]) if number else 0
        if cwe in BY_CWE:
            cases.append(Case(f"{path.parent.name}/{path.name}", read(path), BY_CWE[cwe], vulnerable=True, cwe=cwe))
    return CaseSet("SecurityEval", tuple(cases))


def is_own(case: Case) -> bool:
    """Whether the number of a case is one that the categories list, rather than a child or sibling of one."""
    return case.cwe in OWN_CWES


def read_cweval(root: Path, language: str) -> CaseSet:
    """Both answers to each task in a language, by its folder: ``py``, ``js``, ``go``, ``c``, ``cpp``."""
    cases = []
    for path in sorted((root / "benchmark" / "core" / language).glob(f"cwe_*_task.{language}")):
        named = _TASK.fullmatch(path.stem)
        unsafe = _insecure_answer(path)
        if named is None or not unsafe:
            continue
        cwe = int(named[1])
        category, task = BY_CWE.get(cwe, "other"), path.stem.removesuffix("_task")
        for side, text in (("v", unsafe), ("f", read(path))):
            place = f"{task}/{side}/answer.{language}"
            cases.append(Case(place, text, category, side == "v", task, cwe))
    return CaseSet(f"CWEval {language}", tuple(cases))


def _insecure_answer(task: Path) -> str:
    if task.suffix != ".py":
        path = task.with_name(task.name.replace("_task.", "_unsafe."))
        return read(path) if path.exists() else ""
    tests = task.with_name(task.name.replace("_task.", "_test."))
    return insecure_functions(read(task), read(tests)) if tests.exists() else ""


def insecure_functions(task: str, tests: str) -> str:
    """The functions ``…_unsafe`` of a file with tests, after the imports and constants of both files; empty when there
    are none. Whatever has to do with the tests themselves is left out."""
    own, other = ast.parse(task), ast.parse(tests)
    answers = [node for node in other.body if isinstance(node, ast.FunctionDef) and _is_answer(node.name)]
    if not answers:
        return ""
    used = {node.id for answer in answers for node in ast.walk(answer) if isinstance(node, ast.Name)}
    before = dict.fromkeys(_before(own, task, used))
    before.update(dict.fromkeys(_before(other, tests, used)))
    written = [ast.get_source_segment(tests, answer) or "" for answer in answers]
    return "\n".join(before) + "\n\n\n" + "\n\n\n".join(written) + "\n"


def _is_answer(name: str) -> bool:
    return "_unsafe" in name and not name.startswith(("test_", "_test"))


def _before(module: ast.Module, text: str, used: set[str]) -> Iterator[str]:
    for node in module.body:
        segment = ast.get_source_segment(text, node) or ""
        if isinstance(node, ast.Import | ast.ImportFrom):
            if not any(word in segment for word in ("pytest", "_task")):
                yield segment
        elif isinstance(node, ast.Assign):
            names = {target.id for target in node.targets if isinstance(target, ast.Name)}
            if names & used:
                yield segment
