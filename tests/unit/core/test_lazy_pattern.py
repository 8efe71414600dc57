from __future__ import annotations

import gc
import pickle
import re
from importlib import import_module
from pkgutil import walk_packages

import pytest

import devpulse
from devpulse.core.knowledge import knowledge_of
from devpulse.core.languages import LANGUAGES
from devpulse.core.lazy_pattern import LazyPattern, lazy


def test_lazy__matches_as_a_pattern() -> None:
    pattern = lazy("b+")
    assert pattern.search("abba") is not None
    assert [match.span() for match in pattern.finditer("bb abba", 3, 6)] == [(4, 6)]


def test_lazy__is_compiled_when_used() -> None:
    broken = lazy("(")
    with pytest.raises(re.error):
        broken.search("")


def test_lazy__is_equal_picklable_and_has_flags() -> None:
    pattern = lazy("B", re.IGNORECASE)
    assert pattern.fullmatch("b") is not None
    assert pickle.loads(pickle.dumps(pattern)) == pattern == lazy("B", re.IGNORECASE)
    assert hash(pattern) == hash(lazy("B", re.IGNORECASE))
    assert pattern != lazy("B")


def test_lazy__every_pattern_of_the_program_compiles() -> None:
    for module in walk_packages(devpulse.__path__, "devpulse."):
        if not module.name.endswith("__main__"):
            import_module(module.name)
    for language in LANGUAGES:
        knowledge_of(language)
    patterns = [each for each in gc.get_objects() if type(each) is LazyPattern and each._text != "("]
    assert len(patterns) > 200
    for pattern in patterns:
        pattern.search("")
