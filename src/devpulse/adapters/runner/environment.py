"""What the runner tells a step about itself in its environment (GitHub's page "Variables reference")."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PositiveInt,
    ValidationError,
)

from devpulse.core.addresses import GITHUB_API, GITHUB_SERVER
from devpulse.errors import ConfigurationError

_HINT = (
    "This is for a step of a GitHub Actions workflow, where the runner sets them; "
    "on your own machine use: devpulse review."
)


def _as_path(value: str) -> Path:
    return Path(value)


# Made before pydantic sees it, which refuses texts that are not UTF-8.
_Path = Annotated[Path, BeforeValidator(_as_path)]
_Address = Annotated[str, Field(pattern=r"^https?://[!-~]+$"), AfterValidator(lambda text: text.rstrip("/"))]


class RunnerEnvironment(BaseModel):
    """The variables of a step, typed. Made by ``from_environ`` only.

    Paths are those inside the container. ``output_file`` and ``summary_file`` are ``None`` where the runner gave
    none. ``run_attempt`` counts from 1.
    """

    model_config = ConfigDict(frozen=True, hide_input_in_errors=True)

    event_name: str = Field(alias="GITHUB_EVENT_NAME", pattern="^[a-z_]{1,100}$")
    event_path: _Path = Field(alias="GITHUB_EVENT_PATH")
    repository: str = Field(alias="GITHUB_REPOSITORY", pattern=r"^[A-Za-z0-9._-]+/[A-Za-z0-9._-]+$")
    workspace: _Path = Field(alias="GITHUB_WORKSPACE")
    api_url: _Address = Field(GITHUB_API, alias="GITHUB_API_URL")
    server_url: _Address = Field(GITHUB_SERVER, alias="GITHUB_SERVER_URL")
    run_id: PositiveInt | None = Field(None, alias="GITHUB_RUN_ID")
    run_attempt: PositiveInt = Field(1, alias="GITHUB_RUN_ATTEMPT")
    output_file: _Path | None = Field(None, alias="GITHUB_OUTPUT")
    summary_file: _Path | None = Field(None, alias="GITHUB_STEP_SUMMARY")

    @classmethod
    def from_environ(cls, environ: Mapping[str, str]) -> Self:
        """Read the variables; an empty one is as good as none.

        Raises:
            ConfigurationError: a variable that every step has is missing, or one is not as the runner writes it.
        """
        names = [str(field.alias) for field in cls.model_fields.values()]
        given: dict[str, Any] = {name: value for name in names if (value := environ.get(name, "")).strip()}
        try:
            return cls.model_validate(given)
        except ValidationError as error:
            raise ConfigurationError(_problem(error), hint=_HINT) from None

    @property
    def run_url(self) -> str:
        """The page of this attempt of the run, empty when the run has no number."""
        if self.run_id is None:
            return ""
        return f"{self.server_url}/{self.repository}/actions/runs/{self.run_id}/attempts/{self.run_attempt}"

    def for_later_steps(self, path: str | Path) -> str:
        """A path as the steps that follow can use it: relative to the workspace, which has another name for them.

        One that lies elsewhere comes back as it is.
        """
        place, root = Path(path).resolve(), self.workspace.resolve()
        return place.relative_to(root).as_posix() if place.is_relative_to(root) else str(path)


def _problem(error: ValidationError) -> str:
    missing = [str(item["loc"][0]) for item in error.errors() if item["type"] == "missing"]
    if missing:
        return f"the environment lacks {', '.join(missing)}"
    first = error.errors()[0]
    return f"the variable {first['loc'][0]} is not as the runner writes it: {first['msg']}"
