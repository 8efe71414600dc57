"""Does a child's first request show what a reviewer needs? Measured on public security fixes, turned round.

    python bench/select_recall.py REPOSITORIES [--show] [--only NAME]

REPOSITORIES is a folder with clones (bare or not) named ``owner+name`` or ``owner+name/repo``. Cases whose
repository is not there are left out and named. Universal-ctags with JSON output must be installed.

Cases (``recall_cases.json``, facts only): a repository, the commit that fixed a flaw, its source files outside
tests. The change under review goes from the fix to its parent: it brings the flaw back, within the whole
repository as it then was. Its tests and documents, which are tasks of their own, are left out on both sides of the
comparison. Cases of ``tuned`` were looked at while the widening and the list were written, those of ``held-out`` not.
The index is built before the first request, as it is once anything was looked up: the list is best effort.

Truth:
  deciding line   each line that the fix's diff adds or removes in those files (stored in the data, checked here).
  its function    the innermost named function around it: at head, the side with the flaw; for a line that is
                  gone there, the head function of the same name as the one around it before, else the one
                  around the place where it stood. Found by ``recall_truth``, not by the product. Lines of
                  functions that the change removes whole, all of which stand in the diff, and lines outside
                  functions are counted apart.
  shown whole     every line of that function stands, with its number and text, in the first request.
  callee          a function that a deciding line calls and the request does not show anyway: its name stands before a
                  bracket there, and universal-ctags knows exactly one function of that name in the repository outside
                  tests (or, called bare or on the object itself, exactly one in the same file), so that truth needs
                  no ranking. Methods that the language's own types have count on the object itself only.
  dangerous line outside the diff   one in such a callee: a sink (files, processes, queries, markup, redirects,
                  headers, deserialising, comparing secrets) or a check that raises or refuses. It counts as
                  reachable when the request's list names the callee's place.

Tokens are estimated, four characters each, over system prompt and first message; tool declarations are
given apart. The lean sum is a prompt of 300 tokens, the bare diff, and each function around a deciding line once.
"""

from __future__ import annotations

import argparse
import builtins
import io
import json
import re
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from first_requests import Request, first_requests
from recall_truth import Span, ctags_is_there, functions_of, innermost, tags_of

from devpulse.adapters.git import Repository
from devpulse.adapters.git.tree import GitTree
from devpulse.core.budget import estimate_tokens
from devpulse.core.change import FileChange, Side
from devpulse.core.history import declared_tokens
from devpulse.core.text import decode, split_lines
from devpulse.core.tool_specs import TOOLS

CASES = Path(__file__).with_name("recall_cases.json")
LEAN_PROMPT = 300

_CALLED = re.compile(r"(?:([A-Za-z_$][\w$]*)\s*(?:\.|->|::))?(?<![\w$])([A-Za-z_$][\w$]*[?!]?)\s*\(")
_ITSELF = frozenset({"self", "cls", "this", "$this", "super"})
_BUILT_IN = frozenset(name for kind in (str, bytes, list, dict, set, io.BytesIO) for name in dir(kind))
_TESTS = re.compile(
    r"(^|/)(tests?|__tests__|specs?|testdata|fixtures|docs?|examples?|demos?|bench\w*|vendor|node_modules)/"
    r"|_test\.go$|(^|/)test_|[._](spec|test)\.\w+$|Tests?\.\w+$",
    re.IGNORECASE,
)
_HARM = re.compile(
    r"\bopen\w*\(|\bread\w*\(|send_?file|\bjoin\(|normpath|realpath|expand_path|\bresolve\(|[Pp]ath\.Clean|\bstat\(|unlink|"
    r"\bexec\w*\(|\bspawn|\bsystem\(|popen|[Cc]ommand\(|\bquery\(|execute\(|\braw\(|html_safe|innerHTML|[Mm]arkup\(|"
    r"escape|quote|[Rr]edirect|[Ll]ocation|[Hh]eader|[Cc]ookie|pickle|yaml|loads\(|unserialize|\beval\(|compile\(|"
    r"hmac|digest|compare|\bmemcpy|malloc|\braise\b|\bthrow\b|\babort|\bpanic\("
    r"|[Ee]rror\(|return (?:false|False|nil|None)\b"
)


@dataclass(frozen=True, slots=True)
class Case:
    """A fix to be turned round. ``left`` and ``right`` are its deciding lines by path, on the side of the fix and
    of the flaw."""

    set: str
    repository: str
    fix: str
    about: str
    files: dict[str, dict[str, list[int]]]


def cases() -> list[Case]:
    """All cases of the data file."""
    return [Case(**row) for row in json.loads(CASES.read_text(encoding="utf-8"))]


@dataclass(slots=True)
class Measured:
    """One case's figures. Functions are ``(path, name, first line, shown whole)``, callees ``(name, place,
    holds a dangerous line, listed)``."""

    case: Case
    deciding: int = 0
    gone: int = 0
    outside: int = 0
    lines_whole: int = 0
    functions: list[tuple[str, str, int, bool]] = field(default_factory=list)
    callees: list[tuple[str, str, bool, bool]] = field(default_factory=list)
    requests: int = 0
    ours: int = 0
    leads: int = 0
    lean: int = 0
    bare: int = 0
    whole_files: int = 0

    @property
    def ratio(self) -> float:
        """Our text tokens as a share of the lean sum."""
        return self.ours / self.lean


def folder_of(repositories: Path, name: str) -> Path | None:
    """Where a repository's clone is, or ``None``."""
    places = (
        repositories / name.replace("/", "+") / "repo",
        repositories / name.replace("/", "+"),
        repositories / name,
    )
    return next((place for place in places if (place / "HEAD").exists() or (place / ".git").exists()), None)


def measure(case: Case, clone: Path) -> Measured:
    """Run one case."""
    found = Measured(case)
    with Repository.open(clone) as repository:
        fix = repository.resolve(case.fix)
        parent = repository.resolve(f"{case.fix}^")
        changes = [change for change in repository.changes(fix, parent) if change.path in case.files]
        for change in changes:
            stored = case.files[change.path]
            if [sorted(change.changed(side)) for side in Side] != [stored["left"], stored["right"]]:
                raise ValueError(f"{case.repository} {case.fix} {change.path}: the stored deciding lines do not fit")
        requests = first_requests(repository, changes, fix, parent)
        head, base = repository.tree(parent), repository.tree(fix)
        found.requests = len(requests)
        found.ours = sum(request.tokens for request in requests)
        found.leads = sum(estimate_tokens(request.leads) for request in requests if request.leads)
        paths = [path for change in changes for path in (change.path, change.previous_path) if path]
        diff = _git(clone, "diff", "--no-color", fix, parent, "--", *paths)
        functions = 0
        for change in changes:
            before, after = text(base, change.previous_path or change.path), text(head, change.path)
            own = [request for request in requests if request.path == change.path]
            functions += _functions(found, change, before, after, own)
            found.whole_files += estimate_tokens(after)
            _callees(found, change, clone, parent, own)
        found.bare = LEAN_PROMPT + estimate_tokens(diff)
        found.lean = found.bare + functions
        found.whole_files += found.bare
    return found


def text(tree: GitTree, path: str) -> str:
    """A file's text, empty when it is not there."""
    return decode(tree.read(path) or b"")


def _functions(found: Measured, change: FileChange, base: str, head: str, requests: list[Request]) -> int:
    """Note the functions around the deciding lines; gives their tokens, each once."""
    lines = split_lines(head)
    spans = {Side.LEFT: functions_of(change.path, base), Side.RIGHT: functions_of(change.path, head)}
    around: dict[Span, int] = {}
    for place in _places(change):
        found.deciding += 1
        span = _around(spans, *place)
        if span is None and place[0] is Side.LEFT and innermost(spans[Side.LEFT], place[1], place[1]):
            found.gone += 1
        elif span is None:
            found.outside += 1
        else:
            around[span] = around.get(span, 0) + 1
    for span, count in around.items():
        whole = any(request.shows(span, lines) for request in requests)
        found.functions.append((change.path, span.name, span.first, whole))
        found.lines_whole += count * whole
    numbers = sorted({number for span in around for number in span.lines})
    return estimate_tokens("\n".join(lines[number - 1] for number in numbers)) if numbers else 0


def _places(change: FileChange) -> Iterator[tuple[Side, int, int]]:
    """Each deciding line: its side, its number, and the head line that follows its place."""
    for hunk in change.hunks:
        following = hunk.new_start + (not hunk.new_length)
        for line in hunk.lines:
            if line.new is not None:
                following = line.new + 1
                if line.added:
                    yield Side.RIGHT, line.new, line.new
            elif line.old is not None:
                yield Side.LEFT, line.old, following


def _around(spans: dict[Side, list[Span]], side: Side, number: int, following: int) -> Span | None:
    if side is Side.RIGHT:
        return innermost(spans[side], number, number)
    there = innermost(spans[Side.RIGHT], following - 1, following)
    before = innermost(spans[Side.LEFT], number, number)
    named = [span for span in spans[Side.RIGHT] if before is not None and span.name == before.name]
    return min(named, key=lambda span: abs(span.first - following), default=there)


def _callees(found: Measured, change: FileChange, clone: Path, parent: str, requests: list[Request]) -> None:
    """Note the definitions elsewhere that deciding lines call and that hold a dangerous line."""
    code = [line.text for hunk in change.hunks for line in hunk.lines if line.added or line.removed]
    calls = dict.fromkeys(call for line in code for call in _CALLED.findall(line))
    for name in dict.fromkeys(name for owner, name in calls if _may_be_ours(owner, name)):
        itself = any(not owner or owner in _ITSELF for owner, called in calls if called == name)
        place = _only_definition(clone, parent, name, change.path, itself=itself)
        if place is None:
            continue
        path, span, body = place
        if any(request.path == path and request.shows(span, body) for request in requests):
            continue
        harm = _HARM.search("\n".join(body[number - 1] for number in span.lines)) is not None
        places = [place for request in requests for place in request.called]
        listed = any(p == path and first <= span.last and span.first <= last for p, first, last in places)
        found.callees.append((name, f"{path}:{span.first}", harm, listed))


def _may_be_ours(owner: str, name: str) -> bool:
    return not hasattr(builtins, name) and (owner in _ITSELF or not (owner and name in _BUILT_IN))


def _only_definition(
    clone: Path, commit: str, name: str, caller: str, *, itself: bool
) -> tuple[str, Span, list[str]] | None:
    """The one function with this name outside tests, with its file's lines; ``None`` for none or several."""
    suffix = caller.rpartition(".")[2]
    names = _git(clone, "grep", "-lwF", "-e", name, commit, "--", f"*.{suffix}").split("\n")
    paths = [path.partition(":")[2] for path in names if path and not _TESTS.search(path.partition(":")[2])]
    if not 0 < len(paths) <= 150:
        return None
    texts = {path: _git(clone, "show", f"{commit}:{path}") for path in paths}
    found = {str(tag["path"]) for tag in tags_of(texts) if tag["name"] == name and _defines(tag)}
    spans = [(path, span) for path in sorted(found) for span in functions_of(path, texts[path]) if span.name == name]
    own = [(path, span) for path, span in spans if path == caller]
    for chosen in (spans, own if itself else []):
        if len(chosen) == 1:
            path, span = chosen[0]
            return path, span, split_lines(texts[path])
    return None


def _defines(tag: dict[str, object]) -> bool:
    return not re.match(r"/\^\s*(import|from|use)\b", str(tag["pattern"]))


def _git(clone: Path, *arguments: str) -> str:
    command = ["git", "-C", str(clone), *arguments]
    done = subprocess.run(command, capture_output=True, check=False)  # noqa: S603  (the bench's own arguments)
    return done.stdout.decode("utf-8", "replace")


def table(title: str, rows: Sequence[Measured]) -> None:
    """Print the figures of a set of cases."""
    functions = [function for row in rows for function in row.functions]
    inside = sum(row.deciding - row.outside - row.gone for row in rows)
    whole = sum(all(function[-1] for function in row.functions) for row in rows if row.functions)
    having = sum(bool(row.functions) for row in rows)
    callees = [callee for row in rows for callee in row.callees]
    ratios = sorted(row.ratio for row in rows)
    print(f"\n{title}: {len(rows)} fixes, {sum(row.requests for row in rows)} requests")
    print(f"  deciding lines                 {sum(row.deciding for row in rows)}: {inside} in a function, "
          f"{sum(row.gone for row in rows)} of functions removed whole, "
          f"{sum(row.outside for row in rows)} in classes and modules")  # fmt: skip
    print(f"  whose function is shown whole  {share(sum(row.lines_whole for row in rows), inside)}  (target 95 %)")
    print(f"  functions shown whole          {share(sum(function[-1] for function in functions), len(functions))}")
    print(f"  fixes with all of them whole   {share(whole, having)}")
    harmful = [callee for callee in callees if callee[2]]
    print(f"  callees with a dangerous line  {share(sum(c[-1] for c in harmful), len(harmful))} named (target 75 %)")
    print(f"  all callees                    {share(sum(c[-1] for c in callees), len(callees))} named")
    print(f"  text tokens, median            ours {median(r.ours for r in rows)} (leads, of all, "
          f"{share(sum(r.leads for r in rows), sum(r.ours for r in rows))}), lean sum {median(r.lean for r in rows)}, "
          f"prompt and bare diff {median(r.bare for r in rows)}, "
          f"with whole files {median(r.whole_files for r in rows)}")  # fmt: skip
    tenths = "  ".join(f"{ratios[round(tenth * (len(ratios) - 1) / 10)]:.2f}" for tenth in range(11))
    print(f"  ours / lean sum                median {statistics.median(ratios):.2f} (target 1.3), of all tokens "
          f"{sum(r.ours for r in rows) / sum(r.lean for r in rows):.2f}")  # fmt: skip
    print(f"    lowest, tenths, highest      {tenths}")


def share(part: int, of: int) -> str:
    """A share in words."""
    return f"{100 * part / of:.1f} % ({part} of {of})" if of else "none"


def median(values: Iterable[int]) -> int:
    """The median as a whole number."""
    return round(statistics.median(values))


def details(row: Measured) -> None:
    """Print one case."""
    print(f"{row.case.set:8} {row.case.repository} {row.case.fix[:10]} {row.case.about}: ours {row.ours}, "
          f"lean {row.lean}, {row.ratio:.2f}; requests {row.requests}, leads {row.leads}, "
          f"outside functions {row.outside} of {row.deciding}")  # fmt: skip
    for path, name, first, whole in row.functions:
        if not whole:
            print(f"           not whole: {name} {path}:{first}")
    for name, place, harm, listed in row.callees:
        print(f"           {'named' if listed else 'not named'}: {name} {place}{' (dangerous)' if harm else ''}")


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repositories", type=Path, help="folder with the clones")
    parser.add_argument("--show", action="store_true", help="print each case")
    parser.add_argument("--only", default="", help="only cases whose repository or fix begins so")
    asked = parser.parse_args(arguments)
    if not ctags_is_there():
        print("evidence recall: skipped, universal-ctags with JSON output is needed for its truth")
        return
    rows, missing = [], set()
    for case in cases():
        if not case.repository.startswith(asked.only) and not case.fix.startswith(asked.only):
            continue
        clone = folder_of(asked.repositories, case.repository)
        if clone is None:
            missing.add(case.repository)
            continue
        rows.append(measure(case, clone))
        if asked.show:
            details(rows[-1])
    if missing:
        print(f"not in {asked.repositories}, their cases left out: {', '.join(sorted(missing))}")
    declared = declared_tokens(TOOLS)
    groups: list[tuple[str, Callable[[Measured], bool]]] = [
        ("tuned", lambda row: row.case.set == "tuned"),
        ("held-out", lambda row: row.case.set == "held-out"),
        ("all", lambda _row: True),
    ]
    for title, belongs in groups:
        chosen = [row for row in rows if belongs(row)]
        if chosen:
            table(title, chosen)
    if rows:
        print(f"\ntool declarations, the same in every request: {declared} tokens")


if __name__ == "__main__":
    main(sys.argv[1:])
