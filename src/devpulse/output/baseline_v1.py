"""``devpulse.baseline/1``: the file that ``devpulse scan --write-baseline`` writes and people commit.

One finding a line, in an order that only depends on what is there, so that two versions can be compared.
"""

from __future__ import annotations

import json
from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from devpulse.core.baseline import Baseline, KnownFinding
from devpulse.output.characters import well_formed
from devpulse.output.paths import display_path, path_from_display

SCHEMA_NAME: Final = "devpulse.baseline/1"


class _Model(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class _EntryV1(_Model):
    fingerprint: Annotated[str, Field(pattern=r"^[0-9a-f]{32}$")]
    category: str
    path: str
    title: str


class _BaselineV1(_Model):
    schema_: Literal["devpulse.baseline/1"] = Field(alias="schema")
    findings: tuple[_EntryV1, ...] = Field(strict=False)


def render_baseline(baseline: Baseline) -> str:
    """The text of the file."""
    rows = [
        json.dumps(
            {
                "fingerprint": entry.fingerprint,
                "category": entry.category,
                "path": display_path(entry.path),
                "title": well_formed(entry.title),
            }
        )
        for entry in baseline.entries
    ]
    listed = ",\n".join(f"    {row}" for row in rows)
    findings = f"[\n{listed}\n  ]" if rows else "[]"
    return f'{{\n  "schema": "{SCHEMA_NAME}",\n  "findings": {findings}\n}}\n'


def parse_baseline(data: bytes) -> Baseline:
    """The baseline in a file.

    Raises:
        ValueError: it is no baseline; the message says where it is wrong.
    """
    try:
        read = _BaselineV1.model_validate_json(data)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        place = ".".join(map(str, first["loc"])) or "the file"
        raise ValueError(f"{place}: {first['msg']}") from None
    return Baseline(
        tuple(
            KnownFinding(entry.fingerprint, entry.category, path_from_display(entry.path), entry.title)
            for entry in read.findings
        )
    )
