"""The image under the runner's contract: what breaks container actions that work everywhere else."""

import json
import stat
import threading

import pytest
from container_step import IMAGE, Step, docker
from fakes import gemini_replies as replies
from fakes.gemini import FakeGemini
from fakes.gemini_replies import Call
from runner import KEY, merged_checkout

pytestmark = pytest.mark.container


def inspect():
    (image,) = json.loads(docker("image", "inspect", IMAGE))
    return image["Config"]


def test_image__starts_a_program_of_an_absolute_path_without_a_shell():
    """The runner sets the working folder, and a shell drops variables with a hyphen in their name."""
    entrypoint = inspect()["Entrypoint"]
    assert entrypoint[0].startswith("/")
    assert entrypoint[0].rpartition("/")[2] == "devpulse"


def test_image__is_roots():
    """The runner's files belong to another user, and the container must write to them."""
    assert inspect().get("User", "") in ("", "root", "0")


def test_image__has_bytecode_and_no_pip():
    """What a run compiles is thrown away with its container."""
    script = (
        "import devpulse, importlib.util, json, os; "
        "print(os.path.exists(importlib.util.cache_from_source(devpulse.__file__)), "
        "os.path.exists(importlib.util.cache_from_source(json.__file__)), importlib.util.find_spec('pip'))"
    )
    printed = docker(
        "run", "--rm", "--network", "none", "--entrypoint", "/opt/devpulse/bin/python", IMAGE, "-c", script
    )
    assert printed.split() == ["True", "True", "None"]


def test_step__hyphenated_inputs_arrive_and_the_gate_is_the_exit_status(reviewed):
    assert reviewed.ended.status == 1, reviewed.ended.log
    assert reviewed.threads == ("app/users.py",)
    assert reviewed.ended.outputs["highest-severity"] == "critical"
    assert "sql-injection" in reviewed.ended.summary


def test_step__reads_git_in_a_workspace_of_another_user(reviewed):
    """Git refuses a folder of another user, unless it is told that it is safe."""
    workspace = reviewed.step.workspace
    log = (workspace / "devpulse-artifacts" / "run_log.jsonl").read_text(encoding="utf-8").splitlines()
    (planned,) = (event for line in log if (event := json.loads(line))["event"] == "planned")
    assert "git" in planned["rung"], planned
    assert "safe" not in (workspace / ".git" / "config").read_text(encoding="utf-8")


def test_step__later_steps_find_and_read_what_the_outputs_name(reviewed):
    workspace = reviewed.step.workspace
    for name in ("findings-path", "sarif-path", "report-path", "artifacts-path"):
        assert (workspace / reviewed.ended.outputs[name]).exists(), reviewed.ended.outputs[name]
    for path in (workspace / "devpulse-artifacts", *(workspace / "devpulse-artifacts").rglob("*")):
        mode = stat.S_IMODE(path.stat().st_mode)
        assert mode == (0o755 if path.is_dir() else 0o644), f"{path}: {mode:o}"


def test_step__leaves_the_home_and_the_checkout_alone(reviewed):
    workspace = reviewed.step.workspace
    after = {path.relative_to(workspace) for path in workspace.rglob("*")}
    assert {path.parts[0] for path in after - reviewed.before} == {"devpulse-artifacts"}
    assert reviewed.before <= after
    assert list(reviewed.step.home.iterdir()) == []


def test_step__an_unknown_input_is_a_warning(reviewed):
    assert "Did you mean" in reviewed.ended.log + reviewed.ended.summary


def test_step__keeps_its_store_in_the_mounted_temporary_folder(step, hub):
    step.run(hub, inputs={"command": "review"})
    assert any((step.temp / "devpulse-state").rglob("*.json"))
    again = step.run(hub, inputs={"command": "review"})
    assert "taken from the store" in again.log + again.summary


def test_step__an_argument_that_names_a_host_path_is_told(step, hub):
    """The runner rewrites variables and no arguments."""
    ended = step.run(hub, arguments=("review", str(step.workspace)))
    assert ended.status == 2
    assert "does not exist" in ended.log


def test_step__nothing_but_the_mounts_is_written_to(step, hub):
    ended = step.run(hub, options=("--read-only", "--tmpfs", "/tmp"))
    assert ended.status == 0, ended.log
    assert len(hub.threads) == 1


def test_step__a_workspace_that_cannot_be_written_is_a_cause_and_a_remedy(step, hub):
    (step.workspace / "devpulse-artifacts").write_text("in the way")
    ended = step.run(hub)
    assert ended.status == 2, ended.log
    assert "::error title=DevPulse::" in ended.log
    assert "devpulse-artifacts" in ended.log


def test_review__needs_no_network(step, hub):
    ended = step.run(
        hub, network="none", arguments=("review", "--base", "HEAD^1", "--head", "HEAD", "--fail-on", "high")
    )
    assert ended.status == 1, ended.log
    assert "app/users.py" in ended.log
    assert ended.artifact("findings.json")["engine"] == "offline"


def test_step__without_a_network_says_so_in_time(step, hub):
    ended = step.run(hub, network="none", inputs={"time-budget-minutes": "0.1"})
    assert ended.status == 2, ended.log
    assert "::error title=DevPulse::" in ended.log
    assert "internal error" not in ended.log


def test_step__is_cancelled_as_the_first_process_of_its_container(step, hub):
    """Nothing else in there would pass on a signal, and the system gives the first process no default."""
    asked, release = threading.Event(), threading.Event()

    def respond(_request):
        asked.set()
        release.wait(60)
        return replies.calls(Call("submit_review", {"findings": [], "dismissed_leads": [], "overall_risk": "none"}))

    with FakeGemini(respond) as gemini:
        process = step.start(
            hub, inputs={"gemini-api-key": KEY}, options=("-e", f"GOOGLE_GEMINI_BASE_URL={gemini.url}")
        )
        assert asked.wait(60)
        ended, took = step.cancel(process)
        release.set()
    assert ended.status == 130, ended.log
    assert took < 7.5
    assert ended.artifact("findings.json")["coverage"][0]["reason"] == "cancelled"
    assert "Traceback" not in ended.log


def test_step__a_shallow_checkout_is_read_from_the_api(repo, hub, tmp_path):
    step = Step(tmp_path, merged_checkout(repo, tmp_path / "shallow", depth=1))
    ended = step.run(hub, inputs={"fail-on": "critical"})
    assert ended.status == 1, ended.log
    assert len(hub.threads) == 1
