"""What the commands set off. The default loads the program only when it is really going to run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from devpulse.requests import (
    ActionRequest,
    CompareRequest,
    IndexRequest,
    MergeRequest,
    PromptRequest,
    ReviewRequest,
    VerifyIsolationRequest,
)


@dataclass(frozen=True, slots=True)
class Actions:
    """One callable for each kind of request; each returns an exit status."""

    review: Callable[[ReviewRequest], int]
    action: Callable[[ActionRequest], int]
    prompt: Callable[[PromptRequest], int]
    index: Callable[[IndexRequest], int]
    verify_isolation: Callable[[VerifyIsolationRequest], int]
    compare: Callable[[CompareRequest], int]
    plan: Callable[[ReviewRequest], int]
    merge: Callable[[MergeRequest], int]


def _review(request: ReviewRequest) -> int:
    from devpulse.main import guard  # noqa: PLC0415  (--help must not pay for the program)
    from devpulse.main.review import run_review  # noqa: PLC0415  (as above)

    return guard(lambda: run_review(request))


def _action(request: ActionRequest) -> int:
    from devpulse.main import guard  # noqa: PLC0415  (--help must not pay for the program)
    from devpulse.main.action import run_action  # noqa: PLC0415  (as above)

    return guard(lambda: run_action(request))


def _prompt(request: PromptRequest) -> int:
    from devpulse.main import guard  # noqa: PLC0415  (--help must not pay for the program)
    from devpulse.main.prompt import run_prompt  # noqa: PLC0415  (as above)

    return guard(lambda: run_prompt(request))


def _index(request: IndexRequest) -> int:
    from devpulse.main import guard  # noqa: PLC0415  (--help must not pay for the program)
    from devpulse.main.index import run_index  # noqa: PLC0415  (as above)

    return guard(lambda: run_index(request))


def _verify_isolation(request: VerifyIsolationRequest) -> int:
    from devpulse.main import guard  # noqa: PLC0415  (--help must not pay for the program)
    from devpulse.main.verify_isolation import run_verify_isolation  # noqa: PLC0415  (as above)

    return guard(lambda: run_verify_isolation(request))


def _compare(request: CompareRequest) -> int:
    from devpulse.main import guard  # noqa: PLC0415  (--help must not pay for the program)
    from devpulse.main.compare import run_compare  # noqa: PLC0415  (as above)

    return guard(lambda: run_compare(request))


def _plan(request: ReviewRequest) -> int:
    from devpulse.main import guard  # noqa: PLC0415  (--help must not pay for the program)
    from devpulse.main.plan import run_plan  # noqa: PLC0415  (as above)

    return guard(lambda: run_plan(request))


def _merge(request: MergeRequest) -> int:
    from devpulse.main import guard  # noqa: PLC0415  (--help must not pay for the program)
    from devpulse.main.merge import run_merge  # noqa: PLC0415  (as above)

    return guard(lambda: run_merge(request))


PROGRAM = Actions(
    review=_review,
    action=_action,
    prompt=_prompt,
    index=_index,
    verify_isolation=_verify_isolation,
    compare=_compare,
    plan=_plan,
    merge=_merge,
)
