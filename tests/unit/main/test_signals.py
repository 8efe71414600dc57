"""Signals as exceptions, at once or at the end of what must not be interrupted."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from devpulse.errors import ExitStatus
from devpulse.main.signals import Terminated, exit_status_of, signals_raise, signals_wait


def _send(number):
    os.kill(os.getpid(), number)


@pytest.mark.parametrize(
    ("number", "kind", "status"),
    [(signal.SIGINT, KeyboardInterrupt, ExitStatus.INTERRUPTED), (signal.SIGTERM, Terminated, ExitStatus.TERMINATED)],
)
def test_signals_raise__the_signal_as_an_exception(number, kind, status):
    before = signal.getsignal(number)
    with pytest.raises(KeyboardInterrupt) as raised, signals_raise():
        _send(number)
    assert type(raised.value) is kind
    assert exit_status_of(raised.value) == status
    assert signal.getsignal(number) == before


SECOND = """
import os, signal, time
from devpulse.main import signals
signals._ONE_PRESS_SECONDS = {seconds}
with signals.signals_raise():
    try:
        os.kill(os.getpid(), signal.SIGINT)
    except KeyboardInterrupt:
        print("first", flush=True)
    os.kill(os.getpid(), signal.SIGINT)
    print("went on", flush=True)
"""


@pytest.mark.parametrize(
    ("seconds", "said", "status"), [(0, "first\n", ExitStatus.INTERRUPTED), (60, "first\nwent on\n", 0)]
)
def test_signals_raise__a_second_press_ends_at_once_but_not_an_echo_of_the_first(seconds, said, status):
    line = [sys.executable, "-c", SECOND.format(seconds=seconds)]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    assert (done.stdout, done.returncode) == (said, status), done.stderr


def _write(done, *numbers, error=None):
    with signals_raise():
        with signals_wait():
            for number in numbers:
                _send(number)
            if error is not None:
                raise error
            done.append("written")
        done.append("after")


@pytest.mark.parametrize(("number", "kind"), [(signal.SIGINT, KeyboardInterrupt), (signal.SIGTERM, Terminated)])
def test_signals_wait__what_is_begun_is_ended_first(number, kind):
    done: list[str] = []
    with pytest.raises(KeyboardInterrupt) as raised:
        _write(done, number, signal.SIGTERM)
    assert done == ["written"]
    assert type(raised.value) is kind


def test_signals_wait__without_a_signal_nothing_happens():
    before = signal.getsignal(signal.SIGTERM)
    done: list[str] = []
    _write(done)
    assert done == ["written", "after"]
    assert signal.getsignal(signal.SIGTERM) == before


def test_signals_wait__an_error_goes_before_a_signal():
    with pytest.raises(OSError, match="full"):
        _write([], signal.SIGTERM, error=OSError("full"))
