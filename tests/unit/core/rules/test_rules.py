from __future__ import annotations

import pickle
from collections.abc import Callable
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest
from rule_tables import MemoryResolver, make_source
from work import assert_work_in_step

from devpulse.core.categories import CATEGORIES, Confidence
from devpulse.core.finding import HitKind
from devpulse.core.rules import RULES, run_rules, stopped_early
from devpulse.core.rules.later import Later
from devpulse.core.rules.sites import MAX_PLACES
from devpulse.core.source import Rule

MIXED = """
import hashlib

TOKEN = "ghp_aB3dE6gH9jK1m2N3p4Q5r6S7t8U9v0W1x2Y3"

@app.post("/files")
@login_required
def add():
    pass

@app.delete("/files/<name>")
def show(name):
    cursor.execute("SELECT * FROM f WHERE n = '%s'" % name)  # \u202e
    h = hashlib.md5(password.encode())
    return open(os.path.join(ROOT, name)).read()
"""

MIXED_SCRIPT = """
app.post('/users', requireAuth, save);
app.delete('/users/:id', (req, res) => {
  db.query(`SELECT * FROM f WHERE n = '${req.body.n}'`);
  const h = crypto.createHash('md5').update(password).digest();
  fs.readFile(path.join(ROOT, req.query.name), done);
});
"""


def test_run_rules__is_sorted_and_deterministic():
    source = make_source(MIXED)
    hits = run_rules(source, MemoryResolver())
    assert [(hit.start_line, hit.category) for hit in hits] == [
        (4, "hardcoded-secret"),
        (11, "broken-access-control"),
        (13, "hidden-unicode"),
        (13, "sql-injection"),
        (14, "weak-authentication"),
        (15, "path-traversal"),
    ]
    assert run_rules(source, MemoryResolver()) == hits


def test_run_rules__survives_pickling():
    source = make_source(MIXED, before=MIXED.replace("md5", "sha1"))
    rules, again, resolver = pickle.loads(pickle.dumps((RULES, source, MemoryResolver())))
    hits = run_rules(again, resolver)
    assert rules == RULES
    assert pickle.loads(pickle.dumps(hits)) == hits == run_rules(source, MemoryResolver())


def test_rules__ids_are_unique_and_categories_known():
    assert len({rule.id for rule in RULES}) == len(RULES)
    assert {rule.category for rule in RULES} <= set(CATEGORIES)


@pytest.mark.parametrize("path", ["app.py", "app.js", "app.ts", "app.tsx", "notes.txt"])
@pytest.mark.parametrize(
    "text", ["", "\n", "\x00\x01", "def f(:\n  )(", "`${`${", "'" * 999, "\ufeff", "class {{{", "@app.route(\n@"]
)
def test_run_rules__broken_text(path: str, text: str):
    assert run_rules(make_source(text, path=path), MemoryResolver()) == ()


def _tables_of(rule: Rule) -> list[Path]:
    """The test modules of a rule: one of the module's name, or a folder with one for each language."""
    here = Path(__file__).parent
    folder = here / rule.id.replace("-", "_")
    if folder.is_dir():
        return sorted(folder.glob("test_*.py"))
    place = getattr(rule.check, "read", rule.check).__module__.removeprefix("devpulse.core.rules.").split(".")
    return [here.joinpath(*place[:-1], f"test_{place[-1]}.py")]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_rules__each_has_tables_of_what_it_reports_and_what_not(rule: Rule):
    rule = rule.check.rule() if isinstance(rule.check, Later) else rule
    reported = quiet = 0
    for path in _tables_of(rule):
        assert path.is_file(), f"{rule.id} has no {path.name}"
        spec = spec_from_file_location(f"tables_of_{rule.id.replace('-', '_')}_{path.stem}", path)
        assert spec is not None
        assert spec.loader is not None
        module = module_from_spec(spec)
        spec.loader.exec_module(module)
        assert module.RULE is rule
        reported += len(module.REPORTED)
        quiet += len(module.QUIET)
    assert reported >= 3
    assert quiet >= reported


@pytest.mark.parametrize(("path", "text"), [("app.py", MIXED), ("app.ts", MIXED_SCRIPT)])
def test_run_rules__hits_carry_the_id_of_their_rule(path: str, text: str):
    source = make_source(text, path=path)
    own = {rule.id: {hit.rule_id for hit in rule.run(source, MemoryResolver())} for rule in RULES}
    assert all(ids <= {rule} for rule, ids in own.items())
    found = {hit.rule_id for hit in run_rules(source, MemoryResolver())}
    assert found == {rule for rule, ids in own.items() if ids}
    assert len(found) >= 4


@pytest.mark.parametrize(
    ("path", "make"),
    [
        ("app.py", lambda n: f"x = execute({'(' * n}request.args['a']{')' * n})\nopen(password == x)\n"),
        ("app.py", lambda n: f"execute({'-' * n}1)\nopen(password)\n"),
        ("app.py", lambda n: f"x = {'f(' * n}{')' * n}\nexecute(x, password)"),
        ("app.py", lambda n: f"execute('select 1 from x' + {' + '.join(['a'] * n)})\n"),
        ("app.py", lambda n: "if a:\n  pass\n" + "elif password == b:\n  execute(x)\n" * n),
        ("app.py", lambda n: "x = request.args['a']\n" + "x = x + str(x)\nif x: execute(x)\n" * n),
        ("app.py", lambda n: f"execute('select 1 from t where a=' + {'a.b(c)[0].' * n}d)"),
        ("app.js", lambda n: f"query({'[' * n}password{']' * n});fs.open(x)"),
        ("app.js", lambda n: "function f(req) {" * n + "query(`select ${req.body.x} from t`);fs.password" + "}" * n),
        ("app.js", lambda n: f"query({'a?b:' * n}password);fs.x"),
        ("app.ts", lambda n: "if (a) {} " + "else if (password === b) { query(x) } " * n),
    ],
    ids=range(11),
)
def test_run_rules__deep_nesting_takes_linear_work(path: str, make: Callable[[int], str]):
    assert_work_in_step(lambda text: run_rules(make_source(text, path=path), MemoryResolver()), make, 60)
    run_rules(make_source(make(1_050), path=path), MemoryResolver())  # deeper than the interpreter lets calls nest


@pytest.mark.parametrize("path", ["tests/test_app.py", "vendor/app.py"])
def test_run_rules__leads_in_tests_and_vendored_code_have_low_confidence(path: str):
    hits = run_rules(make_source(MIXED, path=path), MemoryResolver())
    leads = [hit for hit in hits if hit.kind is HitKind.LEAD]
    assert leads
    assert {hit.confidence for hit in leads} == {Confidence.LOW}


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("app.py", "response.set_cookie('session', token)"),
        ("app.rb", "head :bad if user.password == password"),
        ("app.py", "requests.get(url, verify=False)"),
        ("app.py", "app.config['WTF_CSRF_ENABLED'] = False"),
    ],
)
def test_stopped_early__a_rule_that_leaves_places_out_says_so(path: str, line: str):
    assert not stopped_early(make_source(f"{line}\n", path=path))
    assert stopped_early(make_source(f"{line}\n" * (MAX_PLACES + 1), path=path))
