"""The program on a real terminal of 80 columns: what is drawn there, and Ctrl-C."""

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
import threading
import time

import pytest
from fakes import gemini_replies as replies
from fakes.gemini import FakeGemini
from fakes.gemini_replies import Call
from repos import Repo
from rich.cells import cell_len
from runner import INJECTION, KEY, SAFE

ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
LONG = "services/payments/internal/handlers/refunds/history/of/the/last/year/支払い/approve.py"
CTRL_C = b"\x03"


class Terminal:
    """A terminal of 80 columns with a program in it; ``text`` is all that was drawn."""

    def __init__(self, *arguments, folder, **variables):
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.process = subprocess.Popen(
            [sys.executable, "-m", "devpulse", *arguments], cwd=folder, stdin=slave, stdout=slave, stderr=slave,
            env={**os.environ, "TERM": "xterm-256color", **variables}, start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # noqa: PLW1509  (no other way to a terminal of its own)
        )  # fmt: skip
        os.close(slave)
        self.text = ""
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def press(self, keys):
        os.write(self._master, keys)

    def _read(self):
        # All the time, or what is drawn fills the terminal's buffer and the program waits.
        while True:
            try:
                drawn = os.read(self._master, 65_536)
            except OSError:  # the last one has closed it
                return
            self.text += drawn.decode("utf-8", "replace")

    def ended(self):
        status = self.process.wait(60)
        self._reader.join(20)
        os.close(self._master)
        return status

    def lines(self):
        return [line for line in re.split(r"[\r\n]+", ESCAPE.sub("", self.text)) if line]


@pytest.fixture
def repo(tmp_path):
    repo = Repo(tmp_path / "repo")
    repo.write("README.md", "x\n")
    repo.commit("base")
    repo.git("switch", "--quiet", "--create", "work")
    repo.write(LONG, INJECTION)
    repo.write("app/wide.py", INJECTION.replace("'select", f"'{'支払い' * 9} select"))
    repo.write("app/ok.py", SAFE)
    return repo


def test_review__fits_into_80_columns(repo):
    terminal = Terminal("review", folder=repo.root)
    assert terminal.ended() == 0, terminal.text
    lines = terminal.lines()
    artifacts = [line for line in lines if "devpulse-artifacts/" in line]
    assert max(cell_len(line) for line in lines if line not in artifacts) <= 80
    assert any(line.endswith("/approve.py: 1 finding, highest critical") for line in lines), lines
    assert any("approve.py:5" in line and "…" in line for line in lines)
    assert "\x1b[1" in terminal.text
    assert terminal.text.rindex("\x1b[?25h") > terminal.text.rindex("\x1b[?25l"), "the cursor is back"


def test_review__colors_are_off_when_asked(repo):
    terminal = Terminal("review", "--no-progress", "--color", "never", folder=repo.root)
    assert terminal.ended() == 0, terminal.text
    assert "\x1b[" not in terminal.text
    assert "CRITICAL" in terminal.text


def test_review__piped_is_plain_and_whole(repo):
    done = subprocess.run(
        [sys.executable, "-m", "devpulse", "review"], cwd=repo.root, capture_output=True, text=True, check=False
    )
    assert "\x1b" not in done.stdout + done.stderr
    assert f"\n{LONG}:5\n" in done.stdout
    assert done.stderr == ""


@pytest.mark.slow
@pytest.mark.parametrize("presses", [1, 2])
def test_review__ctrl_c_ends_cleanly_and_says_how_to_resume(repo, presses):
    asked, release = threading.Event(), threading.Event()

    def respond(_request):
        asked.set()
        release.wait(60)
        return replies.calls(Call("submit_review", {"findings": [], "dismissed_leads": [], "overall_risk": "none"}))

    with FakeGemini(respond) as fake:
        variables = {"GOOGLE_GEMINI_BASE_URL": fake.url, "GEMINI_API_KEY": KEY}
        terminal = Terminal("review", folder=repo.root, **variables)
        assert asked.wait(60)
        began = time.monotonic()
        for _ in range(presses):
            terminal.press(CTRL_C)
        status = terminal.ended()
        took = time.monotonic() - began
        release.set()
    assert status == 130
    assert took < 10
    assert "Traceback" not in terminal.text
    # The terminal itself shows a key that is pressed, also one that comes after the last line.
    said = [line for line in terminal.lines() if line != "^C"]
    assert said[-1] == "interrupted: run it again to resume with what is finished"
    assert terminal.text.rindex("\x1b[?25h") > terminal.text.rindex("\x1b[?25l"), "the cursor is back"
    assert (repo.root / "devpulse-artifacts" / "findings.json").exists()


def test_review__a_crash_on_request_gives_the_cursor_back(repo):
    terminal = Terminal("review", "--stop-after", "1", folder=repo.root)
    assert terminal.ended() == 70, terminal.text
    assert terminal.lines()[-1].endswith("run it again to resume")
    assert terminal.text.rindex("\x1b[?25h") > terminal.text.rindex("\x1b[?25l")
