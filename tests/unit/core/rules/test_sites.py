from __future__ import annotations

import re

import pytest
from rule_tables import make_source

from devpulse.core.categories import Confidence
from devpulse.core.rules.sites import LANGUAGES, MAX_PLACES, Form, FormCheck, Site, Surely, as_words, sites
from devpulse.core.rules.wording import Weakness, Wording

FORM = Form(
    LANGUAGES,
    ("make",),
    re.compile(r"(?<!\w)make\s*\("),
    Surely(Confidence.HIGH),
    Weakness("weak-cryptography"),
    Wording("title", "description", "fix"),
)


def _only(code: str, path: str = "src/app.py") -> Site:
    (site,) = sites(FORM, make_source(code, path=path))
    return site


@pytest.mark.parametrize(
    ("name", "words"),
    [("resetToken", "_reset_token_"), ("user.API_KEY", "_user_api_key_"), ("HTTPServer", "_http_server_")],
)
def test_words_of(name: str, words: str):
    assert as_words(name) == words


def test_sites__says_what_stands_around():
    site = _only(
        "class A:\n    def issue(self):\n        if ok:\n            self.key = wrap(make(1, mode='x').update(2))\n"
    )
    assert site.given == ["1", "mode='x'"]
    assert site.option("mode") == "'x'"
    assert site.named == ["wrap", "self.key"]
    assert (site.function_name, site.class_name, site.conditions) == ("issue", "A", "ok")
    assert site.chained == "(2)"
    assert site.lines == (4, 4)


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("a.py", "key = make(1)\n"),
        ("a.js", "const key = make(1);\n"),
        ("A.java", "class A { void f() { String key = make(1); } }\n"),
        ("a.go", "package a\nfunc f() { key := make(1) }\n"),
        ("a.php", "<?php $key = make(1);\n"),
        ("a.rb", "key = make(1)\n"),
    ],
)
def test_sites__every_language(path: str, code: str):
    site = _only(code, path)
    assert (site.given, [name.strip("$") for name in site.named]) == (["1"], ["key"])


def test_sites__not_in_comments_and_texts():
    assert list(sites(FORM, make_source("# make(1)\nx = 'make(1)'\n"))) == []


def test_sites__behind_letters_of_several_bytes():
    assert _only("x = 'äöü€'\nkey = make(1)\n").named == ["key"]


def test_sites__are_bounded():
    assert len(list(sites(FORM, make_source("make(1)\n" * (MAX_PLACES + 50))))) == MAX_PLACES


def test_form_check__says_when_it_left_places_out():
    check = FormCheck((FORM,))
    assert not check.stopped(make_source("make(1)\n" * MAX_PLACES))
    assert check.stopped(make_source("make(1)\n" * (MAX_PLACES + 1)))
    assert not check.stopped(make_source("made(1)\n" * (MAX_PLACES + 1)))
    assert not check.stopped(make_source("make(1)\n" * (MAX_PLACES + 1), path="notes.txt"))
