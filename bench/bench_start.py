"""From start to the first model request, beside a bare import of the model library. Usage: bench_start.py [ROUNDS]

A fake service on loopback notes when the first request arrives. Both cases run in turn, in fresh processes; the
figures are medians.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from fakes import gemini_replies as replies
from fakes.gemini import FakeGemini, GeminiRequest
from fakes.gemini_replies import Call, Reply
from repos import Repo

LIMIT_SECONDS = 0.6


def main(rounds: int) -> None:
    """Print the table."""
    arrived: list[float] = []

    def respond(_request: GeminiRequest) -> Reply:
        arrived.append(time.monotonic())
        return replies.calls(Call("submit_review", {"findings": [], "overall_risk": "none", "summary": ""}))

    with tempfile.TemporaryDirectory() as folder, FakeGemini(respond) as fake:
        repo = Repo(Path(folder) / "repo")
        repo.commit("base", **{"a.py": "x = 1\n"})
        repo.git("switch", "--quiet", "--create", "work")
        repo.commit("head", **{"a.py": "x = 2\n"})
        imports, starts = [], []
        for _ in range(rounds):
            imports.append(_seconds([sys.executable, "-c", "import langchain_google_genai"], os.environ | {}))
            arrived.clear()
            started = time.monotonic()
            _seconds(
                [sys.executable, "-m", "devpulse", "review", str(repo.root), "--base", "main", "--head", "work"],
                {
                    **os.environ,
                    "DEVPULSE_FRESH": "true",
                    "GEMINI_API_KEY": "AIza" + "x" * 35,
                    "GOOGLE_GEMINI_BASE_URL": fake.url,
                },
            )
            starts.append(arrived[0] - started)
    library, first = statistics.median(imports), statistics.median(starts)
    print(f"import of the model library   {library:6.2f} s")
    print(f"start to first request        {first:6.2f} s")
    print(f"beyond the import             {first - library:6.2f} s (asked for: at most {LIMIT_SECONDS} s)")


def _seconds(command: list[str], environment: dict[str, str]) -> float:
    started = time.monotonic()
    subprocess.run(command, check=True, capture_output=True, env=environment)  # noqa: S603  (our own program)
    return time.monotonic() - started


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
