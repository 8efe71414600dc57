from __future__ import annotations

from textwrap import dedent

from rule_tables import MemoryResolver, make_source

from devpulse.core.change import Side
from devpulse.core.finding import Hit
from devpulse.core.rules.removed_checks import MAX_LINES, at_removed_check
from devpulse.core.rules.sql_injection import RULE
from devpulse.core.source import Source

BEFORE = dedent("""
    def other(db, log):
        log.note("name of it")
        return db.all()


    def lookup(db, log):
        name = request.args["name"]
        log.info("looking")
        name = escape_string(name)
        log.info("looked")
        return db.execute("select * from users where name = '" + name + "'")
    """)


def _weakened(*removed: str, before: str = BEFORE) -> tuple[Hit, Source]:
    after = "".join(line for line in before.splitlines(keepends=True) if line.strip() not in removed)
    source = make_source(after, before=before)
    (hit,) = RULE.run(source, MemoryResolver())
    return hit, source


def test_at_removed_check__stands_on_the_removed_line_of_the_value() -> None:
    hit, source = _weakened("name = escape_string(name)", 'log.info("looking")')
    moved = at_removed_check(hit, source)
    assert (moved.side, moved.start_line, moved.end_line) == (Side.LEFT, 9, 10)
    assert moved.guards == (9, 10)
    assert moved.trace == hit.trace
    assert (moved.category, moved.severity, moved.confidence) == (hit.category, hit.severity, hit.confidence)


def test_at_removed_check__lines_that_do_not_deal_with_the_value_are_none() -> None:
    hit, source = _weakened("name = escape_string(name)")
    assert source.before is not None
    unrelated = make_source(source.text, before=BEFORE.replace("name = escape_string(name)", 'print("x")'))
    assert at_removed_check(hit, unrelated) == hit


def test_at_removed_check__lines_of_another_function_are_none() -> None:
    hit, source = _weakened("name = escape_string(name)", 'log.note("name of it")')
    assert at_removed_check(hit, source).start_line == 10


def test_at_removed_check__a_long_check_is_shortened() -> None:
    check = "".join(f'    name = name.replace("{n}", "")\n' for n in range(MAX_LINES + 5))
    long = BEFORE.replace("    name = escape_string(name)\n", check + "    name = escape_string(name)\n")
    gone = [line.strip() for line in check.splitlines()]
    hit, source = _weakened("name = escape_string(name)", *gone, before=long)
    moved = at_removed_check(hit, source)
    assert moved.end_line - moved.start_line + 1 == MAX_LINES


def test_at_removed_check__without_a_base_nothing_moves() -> None:
    source = make_source(BEFORE.replace("    name = escape_string(name)\n", ""))
    (hit,) = RULE.run(source, MemoryResolver())
    assert at_removed_check(hit, source) == hit
