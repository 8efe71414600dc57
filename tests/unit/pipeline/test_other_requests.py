"""Engines that are asked in another way."""

from __future__ import annotations

import json

from builders import ScriptedModel, reply, submit

from devpulse.core.fence import Fence
from devpulse.core.messages import ModelRequest, SystemMessage, UserMessage
from devpulse.core.prompt import core_prompt, render_system, verbose_prompt
from devpulse.core.task_text import DIFF_KIND, FILE_KIND, LEADS_KIND
from devpulse.core.tool_specs import SUBMIT_REVIEW, TOOLS, VERIFY_TOOLS
from devpulse.pipeline.other_requests import WHOLE_KIND, VerbosePrompt, WholeFiles

FENCE = Fence("beef01")
ABOUT = json.dumps({"path": "a.py", "status": "modified"})
TASK = "\n".join(
    (
        f"Fence key {FENCE.key}. Review this change for security.",
        FENCE.wrap(FILE_KIND, ABOUT),
        FENCE.wrap(DIFF_KIND, "widened"),
        "Called by changed lines:\n" + FENCE.wrap("called", "helper lib.py:1-2"),
        "Leads (unverified):\n" + FENCE.wrap(LEADS_KIND, '{"id": "L1"}'),
    )
)


def asked(wrap, *, system=None, tools=TOOLS):
    model = ScriptedModel(lambda _request: reply(submit()))
    wrap(model).complete(ModelRequest((SystemMessage(system or core_prompt()), UserMessage(TASK)), tools, 9, "t", 1))
    return model.requests[0]


def whole_files(model, texts=None):
    return WholeFiles(model, FENCE, (texts or {"a.py": "all\nof it"}).get, lambda path: f"bare diff of {path}")


def test_verbose_prompt__takes_the_place_of_the_compact_one_and_keeps_the_instructions():
    assert asked(VerbosePrompt).messages[0] == SystemMessage(verbose_prompt())
    noted = asked(VerbosePrompt, system=render_system("Money is in cents.")).messages[0].text
    assert noted.startswith(verbose_prompt() + "\nProject notes")
    assert noted.endswith("Money is in cents.")


def test_verbose_prompt__leaves_other_requests_alone():
    assert asked(VerbosePrompt, tools=VERIFY_TOOLS).messages[0] == SystemMessage(core_prompt())
    assert asked(whole_files, tools=VERIFY_TOOLS).messages[1] == UserMessage(TASK)


def test_whole_files__the_bare_diff_the_whole_text_the_leads_and_nothing_to_look_up():
    request = asked(whole_files)
    text = request.messages[1].text
    assert text.startswith(TASK.split("\n")[0] + "\n")
    assert FENCE.blocks(FILE_KIND, text) == [ABOUT]
    assert FENCE.blocks(DIFF_KIND, text) == ["bare diff of a.py"]
    assert FENCE.blocks(WHOLE_KIND, text) == ["all\nof it"]
    assert FENCE.blocks(LEADS_KIND, text) == ['{"id": "L1"}']
    assert "helper" not in text
    assert [tool.name for tool in request.tools] == [SUBMIT_REVIEW]
    assert request.forced_tool == SUBMIT_REVIEW


def test_whole_files__a_file_that_is_gone_has_only_its_diff():
    text = asked(lambda model: whole_files(model, {"b.py": ""})).messages[1].text
    assert FENCE.blocks(WHOLE_KIND, text) == []
    assert FENCE.blocks(DIFF_KIND, text) == ["bare diff of a.py"]
