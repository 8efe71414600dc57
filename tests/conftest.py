"""Every test starts in a clean environment and cannot reach past this machine."""

from __future__ import annotations

import itertools
import os
import socket

import pytest
from hypothesis import HealthCheck, settings

_OURS = ("GITHUB_", "RUNNER_", "ACTIONS_", "INPUT_", "GOOGLE_", "GEMINI_", "DEVPULSE_", "LANGSMITH_", "LANGCHAIN_")
_SINGLE = ("CI", "NO_COLOR", "FORCE_COLOR", "COLUMNS", "PYTHONDONTWRITEBYTECODE")
_LOOPBACK = ("127.0.0.1", "::1", "localhost")


# What a property does not say itself: enough to falsify it, and no limit of time, which a busy machine would exceed.
settings.register_profile("suite", max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("suite")


@pytest.fixture(scope="session")
def cache_folders(tmp_path_factory):
    """Names of folders that nobody has used; who writes to one makes it."""
    folder = tmp_path_factory.mktemp("cache")
    return (str(folder / str(number)) for number in itertools.count())


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch, cache_folders):
    """No setting of the caller's, no proxy, and a cache folder of the test's own."""
    for name in list(os.environ):
        if name.startswith(_OURS) or name in _SINGLE or name.lower().endswith("_proxy"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_CACHE_HOME", next(cache_folders))


@pytest.fixture(autouse=True)
def only_loopback(monkeypatch):
    """A connection to anywhere but this machine fails the test that tries it."""
    connect = socket.socket.connect

    def guarded(self, address):
        if self.family in (socket.AF_INET, socket.AF_INET6) and address[0] not in _LOOPBACK:
            raise AssertionError(f"a test tried to connect to {address[0]}")
        return connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", guarded)
