"""``run_log.jsonl``: one JSON object a line, with the time, values cut and secrets masked."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from devpulse.core.digests import Digests
from devpulse.ports import ArtifactSink

LOG = "run_log.jsonl"
MAX_VALUE_CHARACTERS = 200


class JsonLinesLog:
    """Events of a run in an artifact."""

    def __init__(self, sink: ArtifactSink, mask: Callable[[str], str]) -> None:
        self._sink = sink
        self._mask = mask

    def record(self, event: str, *, task: str = "", step: int = 0, **values: Any) -> None:
        """As ``RunLog.record``. A value is masked before it is cut: half a secret is still a secret."""
        row: dict[str, Any] = {"time": datetime.now(UTC).isoformat(timespec="milliseconds"), "event": event}
        if task:
            row["task"] = task
        if step:
            row["step"] = step
        row.update({name: self._cut(value) for name, value in values.items()})
        self._sink.append(LOG, json.dumps(row))

    def _cut(self, value: Any) -> Any:
        if value is None or isinstance(value, bool | int | float):
            return value
        if isinstance(value, Digests):
            return list(value)
        text = self._mask(value if isinstance(value, str) else json.dumps(value, default=str))
        if len(text) <= MAX_VALUE_CHARACTERS:
            return text
        return f"{text[:MAX_VALUE_CHARACTERS]}… ({len(text)} characters)"
