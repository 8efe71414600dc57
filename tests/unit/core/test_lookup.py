"""Recorded questions to the rest of the repository."""

from __future__ import annotations

import json

import pytest
from builders import MemoryIndex, make_symbol

from devpulse.core.lookup import RecordingResolver, question

TEXT = "import db\ndef find(name):\n    return name\n"


def _index(text: str = TEXT) -> MemoryIndex:
    return MemoryIndex([make_symbol()], {"app/db.py": text})


def _ask_all(resolver: RecordingResolver) -> None:
    resolver.definitions("find", near="a.py", limit=1)
    resolver.references("find", path="app", limit=5)
    resolver.enclosing("app/db.py", 3)
    resolver.enclosing("app/db.py", 1)
    resolver.defines("app/db.py", "find")


def test_question__one_form_whatever_the_order_and_names():
    assert question("t", b=1, a=None) == question("t", a=None, b=1) == '["t", {"a": null, "b": 1}]'
    assert json.loads(question("t", name="x", answer="y")) == ["t", {"name": "x", "answer": "y"}]


def test_recording_resolver__answers_as_the_inner_one():
    resolver, inner = RecordingResolver(_index()), _index()
    assert resolver.definitions("find") == inner.definitions("find")
    assert resolver.references("find") == inner.references("find")
    assert resolver.enclosing("app/db.py", 2) == make_symbol()
    assert resolver.source(make_symbol()) == "def find(name):\n    return name"


def test_recording_resolver__notes_every_different_question_once():
    resolver = RecordingResolver(_index())
    _ask_all(resolver)
    _ask_all(resolver)
    names = [json.loads(lookup.question)[0] for lookup in resolver.lookups()]
    assert names == ["definitions", "references", "enclosing", "enclosing", "defines"]


def test_recording_resolver__a_changed_body_changes_the_answer_to_its_source():
    before, after = RecordingResolver(_index()), RecordingResolver(_index(TEXT.replace("return name", "return clean")))
    for resolver in (before, after):
        resolver.source(resolver.definitions("find").rows[0])
    assert before.lookups()[1].question == after.lookups()[1].question
    assert before.lookups()[1].answer != after.lookups()[1].answer


def test_ask_again__gives_the_same_question_and_answer():
    resolver, again = RecordingResolver(_index()), RecordingResolver(_index())
    _ask_all(resolver)
    for lookup in resolver.lookups():
        again.ask_again(lookup.question)
    assert again.lookups() == resolver.lookups()


@pytest.mark.parametrize("asked", ['["unknown", {}]', '["definitions", {"name": "x"}]'])
def test_ask_again__unknown_questions_are_lookup_errors(asked):
    with pytest.raises(LookupError):
        RecordingResolver(_index()).ask_again(asked)
