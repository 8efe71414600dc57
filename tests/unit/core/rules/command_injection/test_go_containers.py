"""Commands that Go hands to a container or a pod."""

from __future__ import annotations

from rule_tables import posted_lines
from tables import for_each

from devpulse.core.rules.command_injection import RULE

REPORTED = (
    'container.ExecOptions{Cmd: []string{"sh", "-c", x}}',
    'types.ExecConfig{AttachStdout: true, Cmd: []string{"sh", "-c", "ls " + x}}',
    'container.Config{Image: image, Cmd: []string{"/bin/sh", "-c", x}}',
    '&v1.PodExecOptions{Container: name, Command: []string{"sh", "-c", x}}',
    '&corev1.PodExecOptions{Command: []string{"bash", "-c", "cat " + x}}',
    'exec.Cmd{Path: "/bin/sh", Args: []string{"sh", "-c", x}}',
)
QUIET = (
    'container.ExecOptions{Cmd: []string{"ls", "-l", "--", x}}',
    'container.ExecOptions{User: x, Cmd: []string{"sh", "-c", "ls"}}',
    '&v1.PodExecOptions{Container: x, Command: []string{"sh", "-c", "ls"}}',
    'container.Config{Image: x, Cmd: []string{"sh", "-c", "serve"}}',
)


def told(options: str) -> list[int]:
    """Lines of what is told of options that are given a value of the request."""
    code = (
        'func show(w http.ResponseWriter, r *http.Request) {\n    x := r.FormValue("x")\n'
        f"    options := {options}\n    start(options)\n}}\n"
    )
    return posted_lines(RULE, code, path="internal/app.go")


@for_each(REPORTED)
def test_check__reports(row: str) -> None:
    assert told(row) == [3]


@for_each(QUIET)
def test_check__is_quiet(row: str) -> None:
    assert told(row) == []
