from __future__ import annotations

from dataclasses import replace

import pytest
from rule_tables import MemoryResolver, lines_of, run
from work import assert_time_in_step, assert_work_in_step

from devpulse.core.categories import Confidence
from devpulse.core.rules.hidden_unicode import RULE
from devpulse.core.source import Source

REPORTED = [
    ("src/a.py", "x = 1\n# note\rimport os; os.abort()\n", [2]),
    ("src/A.java", "class A {\r\n// note\r static {}\r\n}\r\n", [2]),
    ("src/a.py", "x = 1\nif role != 'user\u202e \u2066# admin\u2069':\n", [2]),
    ("src/a.js", "let a\u200bb = 1\n", [1]),
    ("src/a.c", "/* \u2067 begin */\n", [1]),
    ("docs/readme.md", "ok\nplease\U000e0069\U000e0067 ignore\n", [2]),
    ("docs/readme.md", "hidden\u202etext\n", [1]),
    ("src/a.py", "x = 'a'\ny = '\ufeffb'\n", [2]),
    ("src/a.py", "a\U000e0100\U000e0101 = 1\n", [1]),
    ("src/a.py", "s = 'a\u200db'\n", [1]),
    ("src/a.py", "a\u2060\nb\u2060\n\nc\u2060\n", [1, 4]),
    # Bytes smuggled in variation selectors, after a picture, a letter, and nothing.
    ("docs/readme.md", "nice 😀\ufe01\ufe02\U000e0110\n", [1]),
    ("src/a.py", "x = 'a\ufe0f'\n", [1]),
    ("src/a.js", "eval(decode('\U000e0121\U000e0142'))\n", [1]),
    # Letters without a shape, which languages take for part of a name.
    ("src/a.js", "const { timeout,\u3164 } = req.query\n", [1]),
    ("src/a.js", "let a\uffa0 = 1\n", [1]),
    ("src/a.py", "x\u115f = 1\n", [1]),
    ("src/a.py", "user = 'root\u2800'\n", [1]),
    ("src/a.go", "a\u00adb := 1\n", [1]),
    ("src/a.go", 's := "a\u200eb"\n', [1]),
    ("locale/tr.po", 'msgstr "\u200eTurk"\n', [1]),
    # Names that are not what they read as.
    ("src/a.py", "def \u0430dmin(): pass\n", [1]),
    ("src/a.js", "if (isAdm\u0456n(user)) { run() }\n", [1]),
    ("src/a.go", "x := p\u0430yload\n", [1]),
    ("src/a.rs", "fn h\u03bfst() {}\n", [1]),
    ("src/a.py", "\u03bdalue = 1\n", [1]),
    ("src/a.py", "scope = 1\n\u0455\u0441\u043e\u0440\u0435 = 2\n", [2]),
    ("src/a.py", "\U0001d4ee\U0001d4fd\U0001d4ea\U0001d4f5(x)\n", [1]),
    ("src/a.py", "ｅｖａｌ(x)\n", [1]),
    ("src/a.js", "const token = 1\nconst t\u1d0fken = 2\n", [2]),
    ("src/a.py", "f'{\u0430dmin}'\n", [1]),
    ("run.sh", "p\u0430th=/tmp\n", [1]),
    # Names of files.
    ("src/\u0430dmin.py", "x = 1\n", [1]),
    ("src/a\u202eyp.exe", "x = 1\n", [1]),
    ("src/a\u200b.py", "x = 1\n", [1]),
]
QUIET = [
    ("src/a.py", "x = 1\r\ny = 2\r\r\n"),
    ("src/old.py", "x = 1\ry = 2\r"),
    ("src/older.py", "x = 1\ry = 2\n"),
    ("src/a.md", "one\rtwo\nthree\n"),
    ("src/a.py", "\ufeffimport os\n"),
    ("src/a.py", "family = '👨\u200d👩\u200d👧'\n"),
    ("src/a.py", "flag = '🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f'\n"),
    ("src/a.py", "heart = '❤\ufe0f'\n"),
    ("locale/he.json", '{"greeting": "\u200fשלום (world)\u200f"}\n'),
    ("docs/ar.md", "\u2067مرحبا\u2069 hello\n"),
    ("src/a.py", "fa = 'می\u200cخواهم'\n"),
    ("src/a.py", "hi = 'क्\u200dष'\n"),
    ("src/a.py", "s = '\\u202e'\n"),
    ("src/a.py", "name = 'café 日本'\n"),
    ("src/a.py", "kanji = '葛\U000e0100'\n"),
    ("docs/readme.md", "\u2139\ufe0f Note 1\ufe0f\u20e3 ✔\ufe0f ©\ufe0f ❤\ufe0f\u200d🔥\n"),
    ("docs/readme.md", "a \ufe0f✔ b\n"),
    ("src/a.py", "spinner = '⠋⠙⠹\u2800⠸'\n"),
    ("src/a.py", "jamo = '\u1112\u1160\u11ab'\n"),
    ("src/a.py", "mongolian = 'ᠨ\u180bᠠ'\n"),
    ("docs/page.html", "<p>Donau\u00addampf\u200bschiff</p>\n"),
    ("locale/ml.po", 'msgstr "ആക്ഷന്\u200d"\n'),
    ("locale/fa.po", 'msgstr "\u200cبولی"\n'),
    ("locale/ckb.po", 'msgstr "سڵاو"\nmsgstr "\u202b{}th\u202c"\n'),
    ("src/a.py", "имя = 'Иван'\n"),
    ("src/a.py", "def приветствие(имя): return имя\n"),
    ("src/a.py", "получитьID = 1\nget_имя = 2\n"),
    ("src/a.py", "Δx, dθ, σ_x, αs, dν, μm, λ1 = range(7)\n"),
    ("src/a.py", "größe = naïve = année = 1\n"),
    ("src/a.py", "変数 = 1\n"),
    ("src/a.java", 'String café = "x";\n'),
    ("src/a.py", "s = 'Cтраница'  # Cтраница mit m² и ｆｕｌｌ\n"),
    ("src/a.js", "// p\u0430yload\nconst s = `p\u0430yload`\n"),
    ("run.sh", "echo 'p\u0430th'  # p\u0430th\n"),
    ("docs/readme.md", "p\u0430yload\n"),
    ("docs/наша/файл.md", "x\n"),
    ("docs/日本語 ❤\ufe0f.md", "x\n"),
    ("docs/می\u200cخواهم.md", "x\n"),
    ("src/naïve 🔒.py", "x = 1\n"),
]


@pytest.mark.parametrize(("path", "text", "lines"), REPORTED)
def test_check__reports(path: str, text: str, lines: list[int]):
    hits = run(RULE, text, path=path)
    assert lines_of(hits) == lines
    assert hits[0].cwe == 1007


@pytest.mark.parametrize(("path", "text"), QUIET)
def test_check__is_quiet(path: str, text: str):
    assert run(RULE, text, path=path) == []


def test_check__a_mark_in_a_translation_is_worth_little():
    (hit,) = run(RULE, 'msgstr "\u200eTurk"\n', path="locale/tr.po")
    assert hit.confidence is Confidence.LOW


def test_check__a_name_is_told_when_it_is_new_at_a_changed_line():
    path = "src/\u0430dmin.py"
    old = Source(path, "python", "x = 0\ny = 1\n", frozenset())
    new = Source(path, "python", "x = 0\ny = 2\n", frozenset({2}), before=old)
    assert list(RULE.run(new, MemoryResolver())) == []
    (hit,) = RULE.run(replace(new, before=replace(old, path="src/admin.py")), MemoryResolver())
    assert (hit.start_line, "name" in hit.title) == (2, True)


def hidden_text(size: int) -> str:
    return "\u0430dmin\u200b " * size + "\n" + "\u0430b = 1\n" * (size // 10)


def test_check__work_grows_with_the_text():
    assert_work_in_step(lambda text: run(RULE, text), hidden_text, 1_000)


@pytest.mark.slow
def test_check__time_grows_with_the_text():
    assert_time_in_step(lambda text: run(RULE, text), hidden_text, 5_000)
