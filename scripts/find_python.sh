#!/bin/sh
# Prints the first Python on the PATH that DevPulse runs on and that can make virtual environments.
# PYTHON=/path/to/python before the command is asked first. Says the remedy and fails when there is none.

minimum="3.11"
without_venv=""

runs_here() {
    "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1
}

for candidate in ${PYTHON:+"$PYTHON"} python3 python3.14 python3.13 python3.12 python3.11 python; do
    runs_here "$candidate" || continue
    if "$candidate" -c 'import ensurepip, venv' >/dev/null 2>&1; then
        command -v "$candidate"
        exit 0
    fi
    without_venv=${without_venv:-$candidate}
done

if [ -n "$without_venv" ]; then
    echo "$without_venv cannot make virtual environments: its module venv or ensurepip is missing." >&2
    echo "On Debian or Ubuntu: apt-get install python3-venv. Elsewhere: install Python from a full package." >&2
else
    echo "No Python $minimum or newer was found under python3, python3.13, python3.12, python3.11 or python." >&2
    echo "Install one, or name it: make PYTHON=/path/to/python" >&2
fi
exit 1
