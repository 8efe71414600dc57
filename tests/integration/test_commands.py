"""``devpulse prompt`` and ``devpulse index`` as a user runs them."""

import gc
import json
import re
from pathlib import Path

import pytest
from repos import Repo

from devpulse.cli import run
from devpulse.core.budget import estimate_tokens
from devpulse.core.prompt import core_prompt
from devpulse.core.tool_specs import TOOLS

ROOT = Path(__file__).parents[2]
CODE = '''"""Module."""


class Store:
    """Keeps things."""

    @staticmethod
    def load(name):
        """Load one thing."""
        return name


def load(name):
    return Store.load(name)
'''


@pytest.fixture
def repo(tmp_path):
    repo = Repo(tmp_path / "repo")
    repo.write("app/store.py", CODE)
    repo.write("web/store.ts", "export function save(name: string): string { return name }\n")
    repo.write(".env", "load=1\n")
    repo.commit("code")
    return repo


def output(capsys, *arguments):
    assert run([*arguments]) == 0
    return capsys.readouterr().out


def test_prompt__figures_are_those_of_the_very_text(capsys):
    figures = json.loads(output(capsys, "prompt", "--json", "--price-input", "0.075"))
    assert figures["prompt"] == core_prompt()
    assert figures["characters"] == len(core_prompt())
    assert figures["tokens"] == estimate_tokens(core_prompt()) <= 300
    assert figures["calls_per_day"] == 1000 * 10 * 10
    assert figures["cost_per_call_usd"] == pytest.approx(figures["tokens"] * 0.075 / 1e6)
    assert figures["cost_per_day_usd"] == pytest.approx(figures["cost_per_call_usd"] * 100_000)


def test_prompt__declarations_are_counted_as_sent_and_cost_a_row_of_their_own(capsys):
    figures = json.loads(output(capsys, "prompt", "--json", "--price-input", "0.5"))
    words = sum(len(spec.name) + len(spec.description) for spec in TOOLS)
    parameters = sum(len(json.dumps(dict(spec.parameters))) for spec in TOOLS)
    assert figures["tool_declaration_tokens"] > (words + parameters) // 4
    assert figures["tool_cost_per_call_usd"] == pytest.approx(figures["tool_declaration_tokens"] * 0.5 / 1e6)
    assert figures["tool_cost_per_day_usd"] == pytest.approx(figures["tool_cost_per_call_usd"] * 100_000)
    shown = output(capsys, "prompt", "--price-input", "0.5")
    assert f"{figures['tool_cost_per_call_usd']:.6f} USD for the declarations" in shown
    assert f"{figures['tool_cost_per_day_usd']:.2f} USD for their declarations" in shown


def test_prompt__price_from_the_library_or_said_to_be_unknown(capsys):
    assert "genai-prices" in output(capsys, "prompt", "--model", "gemini-2.5-flash")
    assert "unknown" in output(capsys, "prompt", "--model", "no-such-model")


def test_prompt__shows_the_text_and_the_scale(capsys):
    shown = output(capsys, "prompt", "--prs-per-day", "2", "--files", "3", "--turns", "4", "--price-input", "1")
    assert core_prompt() in shown
    assert "24 calls" in shown


def test_index_search__rows_with_exact_spans(repo, capsys):
    rows = json.loads(output(capsys, "index", "search", "load", "--root", str(repo.root), "--json"))
    assert {(row["name"], row["kind"], row["path"], row["start_line"], row["end_line"]) for row in rows} == {
        ("Store.load", "method", "app/store.py", 7, 10),
        ("load", "function", "app/store.py", 13, 14),
    }
    assert {row["docstring"] for row in rows} == {"Load one thing.", ""}
    assert all(set(row) == {"name", "kind", "path", "start_line", "end_line", "signature", "docstring"} for row in rows)


def test_index__garbage_is_looked_for_again_afterwards(repo, capsys):
    output(capsys, "index", "search", "load", "--root", str(repo.root))
    assert gc.isenabled()


def test_index_show__source_with_line_numbers(repo, capsys):
    shown = output(capsys, "index", "show", "Store.load", "--root", str(repo.root))
    assert re.search(r"^ +7 +@staticmethod$", shown, re.MULTILINE)
    assert re.search(r"^ +10 +return name$", shown, re.MULTILINE)


KEY = "sk" + "_live_" + "4eC39HqLyjWDarjtT1zdp7dc"
PASSWORD = "Tr0ub4dor&3x"
LEAKY = f'''PASSWORD = "{PASSWORD}"


def pay(key="{KEY}", colour="\x1b[31m"):
    """Pays with {KEY} and {PASSWORD} \x1b]0;title\x07."""
    return key, "{KEY}", "\u202e"
'''


@pytest.mark.parametrize("form", [[], ["--json"]])
@pytest.mark.parametrize("action", [["show", "pay"], ["search", "pay"], ["search", "PASSWORD"], ["build"]])
def test_index__prints_no_secret_and_nothing_a_terminal_obeys(repo, action, form, capsys):
    repo.write("app/pay.py", LEAKY)
    repo.write("app/use.py", f"def other():\n    return 1  # {PASSWORD}\n")
    repo.git("add", "--all")
    shown = output(capsys, "index", *action, "--root", str(repo.root), *form)
    assert not set(shown) & {"\x1b", "\x07", "\u202e"}
    texts = [shown, *re.findall(r'"(?:source|signature|docstring|name)": (".*")', shown)]
    for text in texts:
        assert KEY not in text
        assert PASSWORD not in text
    if action[0] == "show":
        assert "[redacted:" in shown
        assert r"\x1b" in shown


def test_index__names_of_files_are_one_line(repo, capsys):
    repo.write("app/a\n\x1b[31m.py", "def odd():\n    pass\n")
    repo.git("add", "--all")
    shown = output(capsys, "index", "search", "odd", "--root", str(repo.root))
    assert len(shown.splitlines()) == 1
    assert "\x1b" not in shown


def test_index__root_below_the_repository_narrows_the_rows(repo, capsys):
    web = str(repo.root / "web")
    assert [row["name"] for row in json.loads(output(capsys, "index", "build", "--root", web, "--json"))] == ["save"]
    assert "web/store.ts:1-1" in output(capsys, "index", "search", "save", "--root", web)
    assert "web/store.ts:1-1" in output(capsys, "index", "search", "save", "--root", web, "--path", "store.ts")
    assert "web/store.ts:1-1" in output(capsys, "index", "show", "save", "--root", web, "--path", "web/store.ts")
    assert run(["index", "show", "load", "--root", web]) == 1
    assert run(["index", "search", "save", "--root", web, "--path", "app"]) == 1
    capsys.readouterr()


def test_index_build__counts_and_lists(repo, capsys):
    assert "symbols in 2 files" in output(capsys, "index", "build", "--root", str(repo.root))
    rows = json.loads(output(capsys, "index", "build", "--root", str(repo.root), "--json"))
    assert {row["name"] for row in rows} >= {"Store", "Store.load", "load", "save"}


def test_index__in_a_plain_folder(tmp_path, capsys):
    (tmp_path / "a.py").write_text("def lonely():\n    pass\n")
    assert "lonely" in output(capsys, "index", "search", "lonely", "--root", str(tmp_path))


@pytest.mark.parametrize("action", ["search", "show"])
def test_index__nothing_found_is_status_1(repo, capsys, action):
    assert run(["index", action, "zzzzqqqq", "--root", str(repo.root)]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "zzzzqqqq" in captured.err


def test_readme__its_commands_and_files_exist():
    readme = (ROOT / "README.md").read_text()
    for target in re.findall(r"^ {4}make (\w+)", readme, re.MULTILINE):
        assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text(), re.MULTILINE)
    for link in re.findall(r"\]\(([^)#:]+)\)", readme):
        assert (ROOT / link).exists(), link


def test_architecture__names_only_modules_and_tests_that_exist():
    text = (ROOT / "docs" / "architecture.md").read_text()
    for name in re.findall(
        r"`((?:core|pipeline|adapters|main|output|unit|integration|demo)/[\w./]+\.(?:py|txt))`", text
    ):
        places = [ROOT / "src" / "devpulse" / name, ROOT / "tests" / name, ROOT / name]
        assert any(place.exists() for place in places), name


def test_index__names_are_no_workflow_commands(tmp_path, capsys):
    (tmp_path / "::stop-commands::x.py").write_text("def pay():\n    return '##[error]x'\n")
    for action in ("search", "show"):
        shown = output(capsys, "index", action, "pay", "--root", str(tmp_path))
        assert shown.startswith(":\\:stop-commands")
        assert "##[" not in shown


def test_prompt__stands_beside_published_prompts_at_the_same_scale(capsys):
    figures = json.loads(output(capsys, "prompt", "--json", "--price-input", "0.5"))
    published = figures["published_prompts"]
    assert len(published) >= 10
    assert all(row["repository"] and row["revision"] and row["counted"] for row in published)
    assert [row["tokens"] for row in published] == sorted(row["tokens"] for row in published)
    row = published[3]
    assert row["cost_per_day_usd"] == pytest.approx(row["tokens"] * 0.5 / 1e6 * 100_000)
    shown = output(capsys, "prompt", "--price-input", "0.5")
    assert re.search(rf"^ +{figures['tokens']} +\d+\.\d\d  this prompt$", shown, re.MULTILINE)
    assert re.search(r"^ +1,440 +72\.00  anthropics/claude-code-security-review", shown, re.MULTILINE)
    assert f"{figures['verbose_prompt_tokens']} " in shown
    unknown = output(capsys, "prompt", "--model", "no-such-model")
    assert re.search(r"^ +1,440  anthropics", unknown, re.MULTILINE)
