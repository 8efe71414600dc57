from __future__ import annotations

from importlib import resources

import pytest

from devpulse.core.flow.purposes import Purpose
from devpulse.core.knowledge import knowledge_of
from devpulse.core.knowledge.model import Condition
from devpulse.core.knowledge.reading import read_knowledge

SINK = """
[[sinks]]
category = "command-injection"
kind = "shell"
calls = ["subprocess.run", "os.system"]
arguments = [0, "args"]
receivers = "PROC"
certain = false
needs = { shell = ["True"] }
"""


def test_read_knowledge__a_sink_for_each_call() -> None:
    known = read_knowledge({"python/x.toml": SINK})
    (sink,) = known.sinks["run"]
    assert (sink.category, sink.kind, sink.arguments, sink.certain) == (
        "command-injection",
        "shell",
        (0, "args"),
        False,
    )
    assert sink.needs == (Condition("shell", frozenset({"true"})),)
    assert sink.receivers is not None
    assert sink.receivers.search("proc")
    assert [sink.pattern for sink in known.sinks["system"]] == ["os.system"]


def test_read_knowledge__a_word_of_the_file() -> None:
    (sink,) = read_knowledge({"python/x.toml": SINK + 'word = "fabric"\n'}).sinks["run"]
    assert sink.word == "fabric"


def test_read_knowledge__a_word_in_another_language() -> None:
    with pytest.raises(ValueError, match=r"php/x\.toml.*word"):
        read_knowledge({"php/x.toml": SINK + 'word = "fabric"\n'})


def test_read_knowledge__a_convention_of_names() -> None:
    known = read_knowledge({"x.toml": SINK.replace('"subprocess.run", "os.system"', '"~^run_"')})
    ((pattern, sink),) = known.conventions
    assert pattern.search("RUN_it")
    assert sink.pattern == "~^run_"
    assert not known.sinks


def test_read_knowledge__a_cleaner() -> None:
    known = read_knowledge({"x.toml": '[[cleaners]]\ncalls = ["shlex.quote"]\npurposes = ["shell"]\n'})
    assert known.purposes_of("shlex.quote", "shlex.quote") == {Purpose.SHELL}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('[[sinks]]\ncategory = "no-such"\ncalls = ["a"]\narguments = [0]\n', "no-such"),
        ('[[sinks]]\ncategory = "ssrf"\ncalls = ["a"]\narguments = []\n', "arguments"),
        ('[[sinks]]\ncategory = "ssrf"\ncalls = ["a"]\narguments = [0]\ncertein = true\n', "certein"),
        ('[[sources]]\ncalls = ["a"]\n', "sources"),
        ("[[sinks]\n", "data/x.toml"),
    ],
)
def test_read_knowledge__a_faulty_file_is_named(text: str, told: str) -> None:
    with pytest.raises(ValueError, match=told) as caught:
        read_knowledge({"data/x.toml": text})
    assert "data/x.toml" in str(caught.value)


def test_knowledge_of__every_data_file_can_be_read_and_is_used() -> None:
    folder = resources.files("devpulse.core.knowledge").joinpath("data")
    languages = [entry.name for entry in folder.iterdir() if entry.is_dir()]
    assert "python" in languages
    for language in languages:
        known = knowledge_of(language)
        assert known is not None, language
        assert known.sinks or known.cleaners, language


def test_knowledge_of__nothing_for_a_language_without_data() -> None:
    assert knowledge_of("cobol") is None
    assert knowledge_of(None) is None


def test_knowledge_of__typescript_shares_the_libraries_of_javascript() -> None:
    assert knowledge_of("tsx") == knowledge_of("javascript")
