"""Every error DevPulse raises on purpose, in one tree, and the statuses the process ends with.

    DevpulseError
    ├── ConfigurationError      a flag, input, file or folder is not as it must be      (exit 2)
    ├── SourceError             the change cannot be read                               (exit 2)
    │   ├── RepositoryNotFound      no git repository where one is needed
    │   ├── RevisionNotFound        a ref or commit that the repository does not have
    │   ├── NoCommonAncestor        base and head share no history, or it was cut off by a shallow clone
    │   └── PatchInvalid            a patch file that is not a unified diff
    ├── ArtifactError           an artifact cannot be written                           (exit 2)
    │   └── OutputFolderInUse       another run is at work in the output folder
    ├── ResultsRefused          results of another run that are not to be published     (exit 2)
    ├── ModelError              the model gave no usable reply                          (its file is Failed or Partial)
    │   ├── ModelMisconfigured      wrong key, model or permission: no retry helps          (ends the run, exit 2)
    │   ├── ModelUnavailable        down, unreachable or over its limits after every retry  (fallback, or Failed)
    │   └── ContextOverflow         the provider says the request is too long               (the work is split)
    ├── GitHubError             GitHub did not do what was asked                        (exit 2, or a publishing note)
    │   ├── GitHubUnavailable       no answer, a cut one, or 5xx: a write may have been applied or not
    │   ├── GitHubForbidden         the token is wrong or lacks a permission
    │   ├── GitHubNotFound          not there, or not visible with this token
    │   ├── GitHubRateLimited       too many requests, and the wait would be too long
    │   └── GitHubRefused           the request is understood and not accepted (422 and the like)
    ├── ParseLimitReached       a text that no parser gets through in time              (its file is Failed)
    └── ToolDenied              a tool call refused by the path gate                    (a tool result, never an exit)

Each error says its cause (the message) and what to do next (the hint).
"""

from __future__ import annotations

from enum import IntEnum
from math import inf


class ExitStatus(IntEnum):
    """What the process says; the strongest reason wins. Here, so that the command line has it without the program.

    BROKEN_PIPE is what a shell reports for a program that SIGPIPE ended.
    """

    OK = 0
    GATE = 1
    USAGE = 2
    INCOMPLETE = 3
    NOTHING_REVIEWED = 4
    INTERNAL = 70
    INTERRUPTED = 130
    BROKEN_PIPE = 141
    TERMINATED = 143


class DevpulseError(Exception):
    """Base of all expected errors: a cause, and a remedy the user can act on."""

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint

    def __reduce__(self) -> tuple[object, ...]:
        # Keyword-only arguments do not survive the default pickling, which worker processes rely on.
        return (_rebuild, (type(self), str(self), self.hint))


def _rebuild(kind: type[DevpulseError], message: str, hint: str) -> DevpulseError:
    return kind(message, hint=hint)


class ConfigurationError(DevpulseError):
    """A flag, input, configuration file or output folder is not as it must be."""


class SourceError(DevpulseError):
    """The change cannot be read."""


class RepositoryNotFound(SourceError):
    """There is no git repository where one is needed."""


class RevisionNotFound(SourceError):
    """A ref or commit is not in the repository."""


class NoCommonAncestor(SourceError):
    """Base and head share no history, or a shallow clone cut it off."""


class PatchInvalid(SourceError):
    """A patch file is not a unified diff."""


class ArtifactError(DevpulseError):
    """An artifact cannot be written."""


class OutputFolderInUse(ArtifactError):
    """Another run is at work in the output folder."""


class ResultsRefused(DevpulseError):
    """The results of another run are unreadable, too large, or about something else: nothing of them is published."""


class ModelError(DevpulseError):
    """The model gave no usable reply."""


class ModelMisconfigured(ModelError):
    """The key, the model or a permission is wrong: trying again cannot help."""


class ModelUnavailable(ModelError):
    """The service is down, unreachable or over its limits, also after every retry."""


class ContextOverflow(ModelError):
    """The provider says that the request is longer than the model's window."""


class GitHubError(DevpulseError):
    """GitHub did not do what was asked."""


class GitHubUnavailable(GitHubError):
    """No answer, a cut one, or a server error. Whether a write was applied is unknown: read before repeating it."""


class GitHubForbidden(GitHubError):
    """The token is missing, wrong or lacks a permission: trying again cannot help."""


class GitHubNotFound(GitHubError):
    """It is not there, or the token may not see it."""


class GitHubRateLimited(GitHubError):
    """Too many requests; nothing was applied. ``wait``: seconds until the next may be sent, infinite if unknown."""

    def __init__(self, message: str, *, hint: str = "", wait: float = inf) -> None:
        super().__init__(message, hint=hint)
        self.wait = wait

    def __reduce__(self) -> tuple[object, ...]:
        return (_rebuild_rate_limited, (str(self), self.hint, self.wait))


def _rebuild_rate_limited(message: str, hint: str, wait: float) -> GitHubRateLimited:
    return GitHubRateLimited(message, hint=hint, wait=wait)


class GitHubRefused(GitHubError):
    """The request was understood and not accepted. ``messages`` are the reasons of the reply, ``status`` is HTTP's."""

    def __init__(self, message: str, *, hint: str = "", messages: tuple[str, ...] = (), status: int = 422) -> None:
        super().__init__(message, hint=hint)
        self.messages = messages
        self.status = status

    def __reduce__(self) -> tuple[object, ...]:
        return (_rebuild_refused, (str(self), self.hint, self.messages, self.status))


def _rebuild_refused(message: str, hint: str, messages: tuple[str, ...], status: int) -> GitHubRefused:
    return GitHubRefused(message, hint=hint, messages=messages, status=status)


class ParseLimitReached(DevpulseError):
    """A text is so ambiguous that parsing it would take far longer than its size warrants."""


class ToolDenied(DevpulseError):
    """The path gate refused a tool call; the model sees the reason."""
