# The container of the action. GitHub passes no build arguments, so the default below is what users get.
# The digest of the base image could not be looked up where this was written; the tag is therefore not pinned yet.
ARG BASE_IMAGE=python:3.13-slim-bookworm

FROM ${BASE_IMAGE} AS builder
RUN apt-get update && apt-get install -y --no-install-recommends git && rm -rf /var/lib/apt/lists/*
WORKDIR /build
RUN python3 -m venv /opt/devpulse
COPY requirements/build.txt requirements/runtime.txt requirements/
RUN /opt/devpulse/bin/python -m pip install --no-cache-dir --no-compile --require-hashes -r requirements/build.txt \
    && /opt/devpulse/bin/python -m pip install --no-cache-dir --no-compile --require-hashes -r requirements/runtime.txt
COPY pyproject.toml README.md LICENSE ./
COPY src src
# --rm throws away what a run compiles, so bytecode is in the image; pip and the build backend are not.
RUN /opt/devpulse/bin/python -m pip install --no-cache-dir --no-compile --no-deps --no-build-isolation . \
    && /opt/devpulse/bin/python -m pip uninstall --yes hatchling editables pip \
    && /opt/devpulse/bin/python -m compileall -q /opt/devpulse/lib
# Of git only the program and the one library that the base image lacks: it reads objects, and nothing else.
RUN library="$(ldd /usr/bin/git | awk '/libpcre2/ {print $3}')" \
    && place="/git/usr/lib/$(basename "$(dirname "$library")")" \
    && mkdir -p /git/usr/bin "$place" && cp /usr/bin/git /git/usr/bin/ && cp -L "$library" "$place"

FROM ${BASE_IMAGE}
RUN python3 -m compileall -q "$(python3 -c 'import sysconfig; print(sysconfig.get_path("stdlib"))')" || true
COPY --from=builder /git/ /
COPY --from=builder /opt/devpulse /opt/devpulse
ENTRYPOINT ["/opt/devpulse/bin/devpulse"]
