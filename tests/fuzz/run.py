"""Tries the properties with ever new examples for a while, for `make fuzz`; prints how to try a failure again."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path

_FOLDER = Path(__file__).parent


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=900.0)
    parser.add_argument("--examples", type=int, default=200, help="of each property in a round")
    parser.add_argument("--seed", type=int, default=int(time.time()), help="of the first round; each has the next one")
    wanted = parser.parse_args()
    end, rounds = time.monotonic() + wanted.seconds, 0
    while rounds == 0 or time.monotonic() < end:
        seed = wanted.seed + rounds
        began = time.monotonic()
        environment = {**os.environ, "FUZZ_EXAMPLES": str(wanted.examples)}
        command = [
            sys.executable,
            "-m",
            "pytest",
            str(_FOLDER),
            f"--hypothesis-seed={seed}",
            "-n",
            "auto",
            "--timeout=1800",
        ]
        status = subprocess.run(command, env=environment, check=False).returncode
        rounds += 1
        print(f"round {rounds}, seed {seed}: {time.monotonic() - began:.0f} s, status {status}", flush=True)
        if status:
            print(f"again with FUZZ_SEED={seed} FUZZ_SECONDS=0")
            return status
    print(f"{rounds} rounds of {wanted.examples} examples a property, nothing broken")
    return 0


if __name__ == "__main__":
    sys.exit(main())
