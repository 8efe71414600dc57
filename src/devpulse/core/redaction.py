"""Finding secrets in a file, and keeping them out of everything that leaves the process."""

from __future__ import annotations

import re
import threading
from bisect import bisect_right
from collections.abc import Iterable

from devpulse.core.categories import Confidence
from devpulse.core.secrets.convincing import looks_random
from devpulse.core.secrets.forms import forms_of, values_of
from devpulse.core.secrets.known import Known
from devpulse.core.secrets.markers import replace_spans
from devpulse.core.secrets.model import Secret, Span
from devpulse.core.secrets.search import find_spans

_WORD = re.compile(r"[a-z]{1,14}")
_SHORT = 200
"""Characters of texts (paths, outcomes, names of tools) that are masked over and over, and remembered."""

_MAX_REMEMBERED = 5_000


def find_secrets(path: str, text: str) -> tuple[Secret, ...]:
    """Every secret of a file with its exact place, in order, none overlapping another.

    ``path`` decides how bare values are written (``.env``, YAML …) and where test data is expected.
    """
    spans = find_spans(text, path)
    if not spans:
        return ()
    starts = _line_starts(text)
    return tuple(_located(span, text, starts) for span in spans)


def redact(text: str, secrets: Iterable[Secret]) -> str:
    """Replace every secret by a marker of the same length; lines and columns stay as they are."""
    secrets = tuple(secrets)
    if not secrets:
        return text
    starts = _line_starts(text)
    spans = [
        Span(
            secret.kind,
            starts[secret.start_line - 1] + secret.start_column,
            starts[secret.end_line - 1] + secret.end_column,
            secret.confidence,
        )
        for secret in secrets
    ]
    return replace_spans(text, sorted(spans, key=lambda span: span.start))


class Redactor:
    """Remembers secrets and masks them wherever they turn up. Safe to use from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._forms: dict[str, str] = {}
        self._known = Known.of(())
        self._answers: dict[str, str] = {}

    def learn(self, secrets: Iterable[Secret]) -> None:
        """Remember values in all their forms; short ones and doubtful ones that a person may have typed are not.

        Neither are single words: a password that is the project's name would be masked in every path of it.
        """
        found = {
            form: secret.kind
            for secret in secrets
            if secret.confidence is not Confidence.LOW or looks_random(secret.value)
            if not _WORD.fullmatch(secret.value)
            for value in values_of(secret.value)
            for form in forms_of(value)
        }
        with self._lock:
            if found.keys() - self._forms.keys():
                self._forms = {**self._forms, **found}
                self._known = Known.of(self._forms.items())
                self._answers = {}  # those of before may hold what is known now

    def mask(self, text: str) -> str:
        """``text`` without any remembered value and without any secret in a provider's format."""
        if len(text) > _SHORT:
            return self._masked(text)
        answers = self._answers  # whoever learns puts others in their place, and what comes late goes into these
        masked = answers.get(text)
        if masked is None:
            masked = self._masked(text)
            if len(answers) < _MAX_REMEMBERED:
                answers[text] = masked
        return masked

    def _masked(self, text: str) -> str:
        text = replace_spans(text, sorted(self._known.spans(text), key=lambda span: (span.start, -span.end)))
        return replace_spans(text, find_spans(text, None))


def _line_starts(text: str) -> list[int]:
    return [0, *(match.end() for match in re.finditer("\n", text))]


def _located(span: Span, text: str, starts: list[int]) -> Secret:
    first = bisect_right(starts, span.start) - 1
    last = bisect_right(starts, span.end) - 1
    return Secret(
        kind=span.kind,
        start_line=first + 1,
        start_column=span.start - starts[first],
        end_line=last + 1,
        end_column=span.end - starts[last],
        confidence=span.confidence,
        value=text[span.start : span.end],
    )
