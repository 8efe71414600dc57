from __future__ import annotations

import pytest
from rule_tables import make_source

from devpulse.core.flow.engine import analyse
from devpulse.core.flow.values import Level
from devpulse.core.rules.handed_on import Runner, handed_to, is_set_here, runner_of, set_to, whole_field, with_requests

CODE = """
class Job:
    def __init__(self, name):
        self.line = "run " + name
        self.kind = "plain"
    def start(self):
        os.system(self.line)
def sh(line):
    os.system(line)
def other(name):
    sh("ls " + name)
    sh("ls")
    box.sh("ls " + name)
"""
CALLS = analyse("python", CODE).calls


def test_whole_field__is_the_name_of_a_field_alone():
    systems = [call.arguments[0].value for call in CALLS if call.callee == "os.system"]
    assert [whole_field(value) for value in systems] == ["line", None]


def test_set_to__what_is_not_constant():
    source = make_source(CODE, path="job.py")
    assert [value.skeleton for value in set_to(source, "line")] == ["run \ufffc"]
    assert set_to(source, "kind") == ()


def test_set_to__with_others_that_will_be_asked_for():
    code = CODE + "class Other:\n    def stop(self, name):\n        self.end = 'end ' + name\n"
    source = make_source(code, path="job.py")
    alone, together = set_to(source, "end"), set_to(source, "end", frozenset({"line", "other"}))
    assert [value.skeleton for value in alone] == ["end \ufffc"]
    assert [value.skeleton for value in together] == ["end \ufffc"]


def test_set_to__a_property_and_what_callers_of_its_function_give():
    code = """
class Job:
    def _set(self, text):
        self.kept = text
    def begin(self):
        self._set(input())
    @property
    def shown(self):
        return "show " + sys.argv[1]
    def start(self):
        os.system(self.kept)
        os.system(self.shown)
"""
    source = make_source(code, path="job.py")
    assert [taint.origin.label for value in set_to(source, "kept") for taint in value.taints] == ["input()"]
    assert [value.skeleton for value in set_to(source, "shown")] == ["show \ufffc"]


def test_is_set_here__reads_no_comparison():
    assert is_set_here(CODE, "kind")
    assert not is_set_here("self.kind == 2", "kind")


def test_runner_of__a_parameter_handed_on_whole():
    found = [runner_of(call, call.arguments[0].value) for call in CALLS if call.callee == "os.system"]
    assert found == [None, Runner("sh", "line", 0)]


def test_handed_to__own_calls_that_put_something_together():
    lines = [call.start_line for call, _ in handed_to(Runner("sh", "line", 0), CALLS)]
    assert lines == [11]


FIELDS = {
    "page.php": """<?php
        class Page {
          function ask() { $this->word = $_GET['word']; $this->kind = 'all'; $this->user = $user; }
          function show() { echo $this->word; echo $this->kind; echo $this->user; }
        }
        """,
    "pages.rb": """
        class Pages < ApplicationController
          def ask
            @word = params[:word]
            @kind = "all"
            @user = find_user
          end
          def show
            system(@word)
            system(@kind)
            system(@user)
          end
        end
        """,
}


@pytest.mark.parametrize("path", FIELDS)
def test_with_requests__what_another_method_read(path: str):
    source = make_source(FIELDS[path], path=path)
    calls = analyse(source.language or "", source.text).calls
    values = [call.arguments[0].value for call in calls if call.callee in ("echo", "system")]
    levels = [
        max((taint.origin.level for taint in with_requests(value, source, frozenset()).taints), default=Level.UNKNOWN)
        for value in values
    ]
    assert levels == [Level.REQUEST, Level.UNKNOWN, Level.UNKNOWN]


def test_with_requests__keeps_what_is_no_field():
    source = make_source("<?php function f($a) { echo 'x' . $a; }", path="page.php")
    value = analyse("php", source.text).calls[0].arguments[0].value
    assert with_requests(value, source, frozenset()) is value
