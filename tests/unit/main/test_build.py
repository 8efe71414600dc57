"""The digest of the program that stored work is kept under."""

from __future__ import annotations

import shutil
from pathlib import Path

from devpulse.main.build import WHAT_DECIDES, build_digest, digest_of

SOURCE = Path(__file__).parents[3] / "src" / "devpulse"


def _copy(tmp_path):
    for package in WHAT_DECIDES:
        shutil.copytree(SOURCE / package, tmp_path / package)
    return tmp_path


def test_digest_of__the_same_files_give_the_same_digest(tmp_path):
    assert digest_of(_copy(tmp_path)) == build_digest()


def test_digest_of__an_edited_rule_or_prompt_gives_another(tmp_path):
    folder = _copy(tmp_path)
    seen = {digest_of(folder)}
    for name in (
        "core/rules/hardcoded_secret.py",
        "core/prompts/verify.txt",
        "core/redaction.py",
        "core/knowledge/data/python/sql.toml",
        "pipeline/tools.py",
    ):
        with (folder / name).open("a", encoding="utf-8") as file:
            file.write("# edited\n")
        seen.add(digest_of(folder))
    assert len(seen) == 6
