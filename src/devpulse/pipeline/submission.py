"""A submitted review at the boundary: validated item by item, so that one bad item costs only itself."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from devpulse.core.categories import CATEGORIES, Confidence, Severity
from devpulse.core.change import Side
from devpulse.core.messages import Json
from devpulse.core.shown import MAX_LINE_CHARACTERS, show_path
from devpulse.output.characters import clip

Model = TypeVar("Model", bound=BaseModel)

MAX_FINDINGS = 200
"""More than any real file holds; what lies beyond is recorded as dropped, not silently cut."""

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


@dataclass(frozen=True, slots=True)
class Submission:
    """What a child handed in: the valid parts, and one sentence for each invalid one."""

    findings: tuple[SubmittedFinding, ...] = ()
    dismissed: tuple[DismissedLead, ...] = ()
    summary: str = ""
    errors: tuple[str, ...] = field(default=())

    def merged(self, later: Submission) -> Submission:
        """This and a corrected submission together; only the later one's errors remain."""
        return Submission(
            findings=tuple(dict.fromkeys((*self.findings, *later.findings))),
            dismissed=tuple(dict.fromkeys((*self.dismissed, *later.dismissed))),
            summary=later.summary or self.summary,
            errors=later.errors,
        )


def parse_submission(arguments: Json, path: str) -> Submission:
    """Validate the arguments of ``submit_review`` for the file under review."""
    errors: list[str] = []
    findings = []
    for number, item in enumerate(items(arguments, "findings", errors)):
        finding = validated(SubmittedFinding, item, f"findings[{number}]", errors)
        if finding is not None and finding.path not in (None, "", path, show_path(path)):
            errors.append(f"findings[{number}].path: only the file under review, {path!r}, can have findings here")
        elif finding is not None:
            findings.append(finding)
    dismissed = [
        lead
        for number, item in enumerate(items(arguments, "dismissed_leads", errors))
        if (lead := validated(DismissedLead, item, f"dismissed_leads[{number}]", errors)) is not None
    ]
    summary = arguments.get("summary")
    return Submission(tuple(findings), tuple(dismissed), summary if isinstance(summary, str) else "", tuple(errors))


def items(arguments: Json, name: str, errors: list[str]) -> list[Any]:
    """The list argument of a submission; what is wrong with the list as a whole goes to ``errors``."""
    listed = arguments.get(name)
    if listed is None:
        if name == "findings":
            errors.append("findings: missing; pass an empty list when there are none")
        return []
    if not isinstance(listed, list | tuple):
        errors.append(f"{name}: must be a list")
        return []
    if len(listed) > MAX_FINDINGS:
        errors.append(f"{name}: {len(listed)} items, at most {MAX_FINDINGS} are taken")
    return list(listed[:MAX_FINDINGS])


def validated(model: type[Model], item: Any, place: str, errors: list[str]) -> Model | None:
    """One item of a submission, or ``None`` and the reasons in ``errors``, each naming its ``place``."""
    try:
        return model.model_validate(item)
    except ValidationError as error:
        for problem in error.errors(include_url=False, include_input=False):
            where = ".".join(map(str, problem["loc"]))
            errors.append(f"{place}{'.' + where if where else ''}: {problem['msg']}")
        return None
