#!/bin/sh
# Builds the image of the action and runs the tests of tests/container inside it. Where no Docker daemon can be had it
# says so and ends with 0, or with 1 when DEVPULSE_CONTAINER=required.
#
# A daemon that answers `docker info` is used. Where none does, DEVPULSE_IMAGE_BUILDER may name a program for places
# that reach no registry: called with a folder and a tag it starts a daemon at CONTAINER_LAB and builds the image, called
# with --stop it ends that daemon. One is looked for in a folder shared/tools beside this repository, too.
set -eu
cd "$(dirname "$0")/.."
python=${1:-.venv/bin/python}
tag=${DEVPULSE_IMAGE:-devpulse:test}
seconds=240 # for the build; more would take too long in CI

absent() {
    echo "The container was NOT tested: $1" >&2
    if [ "${DEVPULSE_CONTAINER:-}" = required ]; then exit 1; fi
    exit 0
}

answers() {
    docker info >/dev/null 2>&1
}

started=
log=$(mktemp)
clean_up() {
    rm -f "$log"
    if [ -n "$started" ]; then bash "$builder" --stop >/dev/null 2>&1 || true; fi
}
trap clean_up EXIT
trap 'exit 130' INT TERM

build() {
    echo "Building $tag: $*"
    status=0
    timeout "$seconds" "$@" >"$log" 2>&1 || status=$?
    if [ "$status" != 0 ]; then
        tail -n 20 "$log" >&2
        if [ "$status" = 124 ]; then absent "the build took more than $seconds seconds."; fi
        answers || absent "no Docker daemon could be started."
        if grep -qiE 'failed to resolve|no such host|server misbehaving|connection refused|i/o timeout|handshake' "$log"; then
            absent "the base image or the packages could not be fetched."
        fi
        exit 1
    fi
}

builder=${DEVPULSE_IMAGE_BUILDER:-$(dirname "$PWD")/shared/tools/build-image.sh}
if answers && [ -z "${DEVPULSE_IMAGE_BUILDER:-}" ]; then
    build docker build --tag "$tag" .
elif [ -f "$builder" ]; then
    CONTAINER_LAB=${CONTAINER_LAB:-${TMPDIR:-/tmp}/container-lab}
    DOCKER_HOST=unix://$CONTAINER_LAB/dockerd/d.sock
    export CONTAINER_LAB DOCKER_HOST
    answers || started=yes
    build bash "$builder" "$PWD" "$tag"
elif command -v docker >/dev/null; then
    absent "no Docker daemon answers. Start it, or name one with DOCKER_HOST."
else
    absent "there is no docker command. Install Docker to test it."
fi
echo "Image $tag: $(docker image inspect --format '{{.Size}}' "$tag" | awk '{printf "%.0f MB", $1 / 1000000}')"
DEVPULSE_IMAGE=$tag "$python" -m pytest -m container ${PYTEST_FLAGS:--n 4} tests/container
