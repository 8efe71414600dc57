"""The child's tools as a model is told about them (JSON Schema), identical in every request."""

from __future__ import annotations

from devpulse.core.categories import CATEGORIES, Confidence, Severity
from devpulse.core.messages import ToolSpec

SUBMIT_REVIEW = "submit_review"
SUBMIT_VERDICTS = "submit_verdicts"
SUBMIT_CONCLUSION = "submit_conclusion"
VERDICTS = ("confirmed", "refuted", "unsure")
_PATH = {"type": "string", "description": "repository path"}
_LINE = {"type": "integer", "minimum": 1}


def _object(required: list[str], **properties: object) -> dict[str, object]:
    return {"type": "object", "properties": properties, "required": required}


_FINDING = _object(
    ["category", "severity", "confidence", "start_line", "end_line", "title", "description", "fix", "evidence"],
    path=_PATH,
    side={"type": "string", "enum": ["RIGHT", "LEFT"]},
    category={"type": "string", "enum": list(CATEGORIES)},
    severity={"type": "string", "enum": [str(severity) for severity in Severity]},
    confidence={"type": "string", "enum": [str(confidence) for confidence in Confidence]},
    start_line=_LINE,
    end_line=_LINE,
    title={"type": "string"},
    description={"type": "string"},
    fix={"type": "string"},
    evidence={"type": "string", "description": "1-10 exact code lines, without line numbers and sign"},
    suggestion={"type": "string", "description": "replacement for exactly these lines"},
    lead={"type": "string", "description": "id of the lead it confirms"},
)

TOOLS: tuple[ToolSpec, ...] = (
    ToolSpec(
        "search_codebase",
        "Find definitions by name or part of a name, best 10.",
        _object(["query"], query={"type": "string"}, path=_PATH),
    ),
    ToolSpec(
        "load_symbol_source",
        "Source of one function, class or method (name or Class.method).",
        _object(["symbol_name"], symbol_name={"type": "string"}, path=_PATH),
    ),
    ToolSpec(
        "find_references",
        "Lines that mention a name.",
        _object(["symbol_name"], symbol_name={"type": "string"}, path=_PATH),
    ),
    ToolSpec("get_file_diff", "The annotated diff of a changed file.", _object(["path"], path=_PATH)),
    ToolSpec(
        "read_lines",
        "Lines of a file at head.",
        _object(["path", "start_line", "end_line"], path=_PATH, start_line=_LINE, end_line=_LINE),
    ),
    ToolSpec(
        SUBMIT_REVIEW,
        "Hand in the review; ends the task.",
        _object(
            ["findings", "overall_risk", "summary"],
            findings={"type": "array", "items": _FINDING},
            dismissed_leads={
                "type": "array",
                "items": _object(["id", "reason"], id={"type": "string"}, reason={"type": "string"}),
            },
            overall_risk={"type": "string", "enum": ["none", *(str(severity) for severity in Severity)]},
            summary={"type": "string"},
        ),
    ),
)

VERIFY_TOOLS: tuple[ToolSpec, ...] = (
    *(spec for spec in TOOLS if spec.name != SUBMIT_REVIEW),
    ToolSpec(
        SUBMIT_VERDICTS,
        "Hand in the verdicts; ends the task.",
        _object(
            ["verdicts"],
            verdicts={
                "type": "array",
                "items": _object(
                    ["id", "verdict", "reason"],
                    id={"type": "string"},
                    verdict={"type": "string", "enum": list(VERDICTS)},
                    reason={"type": "string"},
                ),
            },
        ),
    ),
)

CONCLUDE_TOOLS: tuple[ToolSpec, ...] = (
    ToolSpec(
        SUBMIT_CONCLUSION,
        "Hand in the conclusion; ends the task.",
        _object(
            ["overall_risk", "summary"],
            overall_risk={"type": "string", "enum": ["none", *(str(severity) for severity in Severity)]},
            summary={"type": "string"},
        ),
    ),
)
