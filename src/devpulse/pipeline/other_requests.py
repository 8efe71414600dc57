"""Engines that are asked in another way than the product asks: what a comparison measures single strategies against."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

from devpulse.core.fence import Fence
from devpulse.core.messages import Message, ModelReply, ModelRequest, SystemMessage, UserMessage
from devpulse.core.prompt import core_prompt, verbose_prompt
from devpulse.core.task_text import DIFF_KIND, FILE_KIND, LEADS_KIND
from devpulse.core.tool_specs import SUBMIT_REVIEW
from devpulse.ports import ReviewModel

WHOLE_KIND = "whole-file"


def is_review(request: ModelRequest) -> bool:
    """Whether a request is one of a review, and not of what checks, concludes or sums up reviews."""
    return any(tool.name == SUBMIT_REVIEW for tool in request.tools)


class VerbosePrompt:
    """The same requests with a verbose system prompt in the place of the compact one."""

    def __init__(self, model: ReviewModel) -> None:
        self.name = model.name
        self.version = model.version
        self.source = model.source
        self._model = model

    def complete(self, request: ModelRequest) -> ModelReply:
        """As ``ReviewModel.complete``."""
        system, *others = request.messages
        if is_review(request) and isinstance(system, SystemMessage):
            text = verbose_prompt() + system.text.removeprefix(core_prompt())
            request = replace(request, messages=(SystemMessage(text), *others))
        return self._model.complete(request)


class WholeFiles:
    """Each file in one request with all of its text and its bare diff, and nothing to look up.

    ``whole`` and ``diff`` give both by the path as a task names it; a file that is gone has no text.
    """

    def __init__(
        self, model: ReviewModel, fence: Fence, whole: Callable[[str], str | None], diff: Callable[[str], str]
    ) -> None:
        self.name = model.name
        self.version = model.version
        self.source = model.source
        self._model = model
        self._fence = fence
        self._whole = whole
        self._diff = diff

    def complete(self, request: ModelRequest) -> ModelReply:
        """As ``ReviewModel.complete``."""
        if is_review(request):
            system, task, *others = request.messages
            request = replace(
                request,
                messages=(system, self._task(task), *others),
                tools=tuple(tool for tool in request.tools if tool.name == SUBMIT_REVIEW),
                forced_tool=SUBMIT_REVIEW,
            )
        return self._model.complete(request)

    def _task(self, task: Message) -> UserMessage:
        fence = self._fence
        (about,) = fence.blocks(FILE_KIND, task.text)
        path = json.loads(about)["path"]
        blocks = [
            task.text.partition("\n")[0],
            fence.wrap(FILE_KIND, about),
            fence.wrap(DIFF_KIND, self._diff(path)),
        ]
        if (text := self._whole(path)) is not None:
            blocks.append(fence.wrap(WHOLE_KIND, text))
        if leads := fence.blocks(LEADS_KIND, task.text):
            blocks.append("Leads (unverified):\n" + fence.wrap(LEADS_KIND, leads[0]))
        return UserMessage("\n".join(blocks))
