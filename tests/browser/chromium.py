"""A real browser, without a window, driven over its DevTools protocol."""

from __future__ import annotations

import base64
import json
import os
import shutil
import signal
import subprocess
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Self

from websockets.sync.client import connect

NAMES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-extensions",
    "--remote-debugging-port=0",
)  # fmt: skip
PATIENCE = 60.0
KEYS = {"Tab": 9, "Enter": 13, " ": 32, "Escape": 27}


def installed() -> str | None:
    """The browser on this machine, or ``None``."""
    return next((found for name in NAMES if (found := shutil.which(name))), None)


class Chromium:
    """One page in one browser with a profile of its own.

    ``complaints`` are errors and warnings of the console and of the page, ``requests`` the addresses it asked for,
    ``dialogs`` the windows that a script opened.
    """

    def __init__(self, program: str, profile: Path) -> None:
        self.complaints: list[str] = []
        self.requests: list[str] = []
        self.dialogs: list[str] = []
        self._number = 0
        self._open = ExitStack()
        self._process = subprocess.Popen(
            [program, *FLAGS, f"--user-data-dir={profile}", "about:blank"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            talk = connect(self._address(profile), max_size=None, proxy=None, compression=None)
            self._socket = self._open.enter_context(talk)
            self._session = self._attach()
        except BaseException:
            self._end()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._end()

    def open(
        self, page: Path, *, fragment: str = "", width: int = 1280, height: int = 900, scheme: str = "light"
    ) -> None:
        """Load a page from disk anew, and wait until it has loaded."""
        self.complaints.clear()
        self.requests.clear()
        self.dialogs.clear()
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.send("Page.navigate", url="about:blank")
        self._until("location.href === 'about:blank'")
        self.requests.clear()
        self.send("Page.navigate", url=page.as_uri() + fragment)
        self._until("location.protocol === 'file:'")

    def evaluate(self, script: str) -> Any:
        """The value of an expression in the page; a promise is waited for."""
        answer = self.send("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def press(self, key: str) -> None:
        """A key, down and up."""
        values: dict[str, Any] = {
            "key": key,
            "code": "Space" if key == " " else key,
            "windowsVirtualKeyCode": KEYS[key],
            "text": "\r" if key == "Enter" else key if len(key) == 1 else "",
        }
        self.send("Input.dispatchKeyEvent", type="keyDown", **values)
        self.send("Input.dispatchKeyEvent", type="keyUp", **values | {"text": ""})

    def type(self, text: str) -> None:
        """Text into what has the focus."""
        self.send("Input.insertText", text=text)

    def screenshot(self, path: Path) -> None:
        """What can be seen, as a picture."""
        path.write_bytes(base64.b64decode(self.send("Page.captureScreenshot", format="png")["data"]))

    def send(self, method: str, *, browser: bool = False, **parameters: Any) -> dict[str, Any]:
        """One command and its answer; what happens meanwhile is kept."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        self._socket.send(json.dumps(message | ({} if browser else {"sessionId": self._session})))
        while True:
            row = self._receive()
            if row.get("id") == self._number:
                assert "error" not in row, (method, row)
                answer: dict[str, Any] = row["result"]
                return answer

    def _until(self, condition: str) -> None:
        end = time.monotonic() + PATIENCE
        while not self.evaluate(f"document.readyState === 'complete' && {condition}"):
            assert time.monotonic() < end, condition
            time.sleep(0.02)

    def _receive(self) -> dict[str, Any]:
        row: dict[str, Any] = json.loads(self._socket.recv(timeout=PATIENCE))
        event, values = row.get("method", ""), row.get("params", {})
        if event == "Network.requestWillBeSent":
            self.requests.append(values["request"]["url"])
        elif event == "Page.javascriptDialogOpening":
            self.dialogs.append(values["message"])
        elif event == "Runtime.exceptionThrown":
            self.complaints.append(json.dumps(values["exceptionDetails"]))
        elif event == "Runtime.consoleAPICalled" and values["type"] in ("error", "warning", "assert"):
            self.complaints.append(json.dumps(values["args"]))
        elif event == "Log.entryAdded" and values["entry"]["level"] in ("error", "warning"):
            self.complaints.append(values["entry"]["text"])
        return row

    def _attach(self) -> str:
        targets = self.send("Target.getTargets", browser=True)["targetInfos"]
        page = next(target["targetId"] for target in targets if target["type"] == "page")
        session = self.send("Target.attachToTarget", browser=True, targetId=page, flatten=True)["sessionId"]
        self._session = session
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.send(f"{domain}.enable")
        return str(session)

    def _address(self, profile: Path) -> str:
        told, end = profile / "DevToolsActivePort", time.monotonic() + PATIENCE
        while time.monotonic() < end:
            lines = told.read_text().split("\n") if told.exists() else []
            if len(lines) > 1:
                return f"ws://127.0.0.1:{lines[0]}{lines[1]}"
            assert self._process.poll() is None, "the browser ended by itself"
            time.sleep(0.05)
        raise TimeoutError("the browser did not say where it listens")

    def _end(self) -> None:
        self._open.close()
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
