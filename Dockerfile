# The container of the action. GitHub passes no build arguments, so the default below is what users get.
# The digest is the tag's as other public projects pin it; it has not been pulled and compared yet.
ARG BASE_IMAGE=python:3.13-slim-bookworm@sha256:01f42367a0a94ad4bc17111776fd66e3500c1d87c15bbd6055b7371d39c124fb

FROM ${BASE_IMAGE} AS builder
RUN apt-get update && apt-get install -y --no-install-recommends git && rm -rf /var/lib/apt/lists/*
WORKDIR /build
RUN python3 -m venv /opt/build && python3 -m venv /opt/devpulse
COPY requirements/build.txt requirements/runtime.txt requirements/
RUN /opt/build/bin/python -m pip install --no-cache-dir --no-compile --require-hashes -r requirements/build.txt \
    && /opt/devpulse/bin/python -m pip install --no-cache-dir --no-compile --require-hashes -r requirements/runtime.txt
COPY pyproject.toml README.md LICENSE ./
COPY src src
# --rm throws away what a run compiles, so bytecode is in the image; pip is not.
RUN /opt/build/bin/python -m pip wheel --no-cache-dir --no-deps --no-build-isolation --wheel-dir /wheels . \
    && /opt/devpulse/bin/python -m pip install --no-cache-dir --no-compile --no-deps --no-index /wheels/*.whl \
    && /opt/devpulse/bin/python -m pip uninstall --yes pip \
    && /opt/devpulse/bin/python -m compileall -q /opt/devpulse/lib
# Of git only the program and the one library that the base image lacks: it reads objects, and nothing else.
RUN library="$(ldd /usr/bin/git | awk '/libpcre2/ {print $3}')" \
    && place="/git/usr/lib/$(basename "$(dirname "$library")")" \
    && mkdir -p /git/usr/bin "$place" && cp /usr/bin/git /git/usr/bin/ && cp -L "$library" "$place"

FROM ${BASE_IMAGE}
LABEL org.opencontainers.image.title="DevPulse" \
      org.opencontainers.image.description="Reviews pull requests for security" \
      org.opencontainers.image.licenses="Apache-2.0"
# The standard library's bytecode, which the base image leaves out, saves about a second at every start. It is no more
# than that, so a file that cannot be compiled is no reason to fail. The base's own pip goes; nothing installs here.
RUN lib="$(python3 -c 'import sysconfig; print(sysconfig.get_path("stdlib"))')" \
    && rm -rf "$lib"/site-packages/pip* "$lib"/ensurepip /usr/local/bin/pip* \
    && (python3 -m compileall -q "$lib" || true)
COPY --from=builder /git/ /
COPY --from=builder /opt/devpulse /opt/devpulse
# As root, without USER: the runner's files belong to another user, and GitHub says so for container actions.
ENTRYPOINT ["/opt/devpulse/bin/devpulse"]
