from __future__ import annotations

from devpulse.core.corpus import build_corpus
from devpulse.core.name_scan import closest_stages, scan_names

NAMES = ["parse_config", "ParseConfig", "parseHttpConfig", "config", "run", "sanitize_html"]


def first_stage(query: str) -> list[str]:
    return next((stage for stage in closest_stages(query, NAMES, 5) if stage), [])


def test_scan_names__every_definition_of_a_name_is_kept():
    files = [("a.py", b"def run(): pass\nclass A:\n    def run(self): pass\n"), ("b.py", b"run = lambda: 1\n")]
    corpus = build_corpus({"python": files, "javascript": [("c.js", b"function run() {}\n")]})
    table = scan_names(corpus, ["python"])
    assert [corpus.paths[corpus.file_at(offset)] for offset in table.of("run")] == ["a.py", "a.py", "b.py", "b.py"][:3]
    assert table.of("absent") == []
    assert len(scan_names(corpus, ["javascript"]).of("run")) == 1


def test_closest_stages__case_then_separators_then_words_then_spelling():
    assert first_stage("PARSE_CONFIG") == ["parse_config"]
    assert first_stage("parse-config") == ["parse_config", "ParseConfig"]
    assert first_stage("config parse") == ["ParseConfig", "parse_config", "parseHttpConfig"]
    assert first_stage("htm") == ["sanitize_html"]
    assert first_stage("sanitise_html") == ["sanitize_html"]


def test_closest_stages__nothing_alike():
    assert first_stage("zzzzqqqq") == []
    assert first_stage("...") == []
