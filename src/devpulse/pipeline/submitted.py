"""What a model hands in, item by item: the models of the boundary, imported with the first item there is."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from devpulse.core.categories import CATEGORIES, Confidence, Severity
from devpulse.core.change import Side
from devpulse.core.shown import MAX_LINE_CHARACTERS
from devpulse.output.characters import clip

Model = TypeVar("Model", bound=BaseModel)

_MAX_EVIDENCE_CHARACTERS = 10 * (MAX_LINE_CHARACTERS + 100)
"""Ten lines at their longest, with the note that they are cut."""


def lower(value: Any) -> Any:
    """Words in any case count; what is no text is left for the model to refuse."""
    return value.strip().lower() if isinstance(value, str) else value


def _upper(value: Any) -> Any:
    return value.strip().upper() if isinstance(value, str) else value


def _clipped(limit: int) -> BeforeValidator:
    """A text of a model that is cut, not refused, for its length: what it is about is worth more than its end."""
    return BeforeValidator(lambda value: clip(value, limit) if isinstance(value, str) else value)


def _category(value: Any) -> Any:
    name = str(lower(value)).replace(" ", "-").replace("_", "-")
    if name not in CATEGORIES:
        raise ValueError(f"must be one of {', '.join(CATEGORIES)}")
    return name


class SubmittedFinding(BaseModel):
    """One finding as a model hands it in; texts are untrusted."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    path: str | None = None
    category: Annotated[str, BeforeValidator(_category)]
    severity: Annotated[Severity, BeforeValidator(lower)]
    confidence: Annotated[Confidence, BeforeValidator(lower)]
    side: Annotated[Side, BeforeValidator(_upper)] = Side.RIGHT
    start_line: int = Field(ge=1)
    end_line: int = Field(ge=1)
    title: Annotated[str, _clipped(300)] = Field(min_length=1)
    description: Annotated[str, _clipped(4_000)] = Field(min_length=1)
    fix: Annotated[str, _clipped(4_000)]
    evidence: str = Field(min_length=1, max_length=_MAX_EVIDENCE_CHARACTERS)
    suggestion: str | None = Field(default=None, max_length=20_000)
    lead: str | None = None


class DismissedLead(BaseModel):
    """A lead the child judged harmless, and why."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: str
    reason: Annotated[str, _clipped(1_000)]


class SubmittedVerdict(BaseModel):
    """One verdict as a model hands it in."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: str
    verdict: Annotated[Literal["confirmed", "refuted", "unsure"], BeforeValidator(lower)]
    reason: str = Field(max_length=2_000)


def validated(model: type[Model], item: Any, place: str, errors: list[str]) -> Model | None:
    """One item of a submission, or ``None`` and the reasons in ``errors``, each naming its ``place``."""
    try:
        return model.model_validate(item)
    except ValidationError as error:
        for problem in error.errors(include_url=False, include_input=False):
            where = ".".join(map(str, problem["loc"]))
            errors.append(f"{place}{'.' + where if where else ''}: {problem['msg']}")
        return None
