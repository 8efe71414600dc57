"""Which code no rule knows the language of."""

from __future__ import annotations

import pytest

from devpulse.core.languages import EXTENSIONS
from devpulse.core.rules import RULES
from devpulse.core.searched import searched_language


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("src/Shop.cs", "C#"),
        ("app/Main.KT", "Kotlin"),
        ("tools/build.sh", "shell"),
        ("app/models.py", ""),
        ("web/app.tsx", ""),
        ("README.md", ""),
        ("settings.json", ""),
        ("v1.cs/notes", ""),
        ("Makefile", "make"),
        ("ci/Jenkinsfile", "Groovy"),
        ("Views/Home.cshtml", ""),
        ("LICENSE", ""),
        ("", ""),
    ],
)
def test_searched_language(path, language):
    assert searched_language(path) == language


@pytest.mark.parametrize(("extension", "language"), sorted(EXTENSIONS.items()))
def test_searched_language__is_told_of_every_language_without_rules(extension, language):
    has_rules = any(language in rule.languages for rule in RULES)

    assert bool(searched_language(f"file{extension}")) is not has_rules
