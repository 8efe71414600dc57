"""``devpulse plan``: which machine is to review what."""

from __future__ import annotations

import os
from collections.abc import Mapping

from devpulse.errors import ExitStatus
from devpulse.main.config import with_config
from devpulse.main.opening import narrowed
from devpulse.main.review import open_request
from devpulse.main.shares import print_plan, wanted_shards, write_plan
from devpulse.main.signals import signals_raise
from devpulse.requests import ReviewRequest
from devpulse.settings import Settings


def run_plan(request: ReviewRequest, environ: Mapping[str, str] | None = None) -> int:
    """Write ``plan.json`` and print the matrix of the jobs.

    Raises:
        ConfigurationError: a setting, a file or a folder is not as it must be.
        SourceError: the change cannot be read.
        ArtifactError: the plan cannot be written.
    """
    environ = os.environ if environ is None else environ
    with signals_raise():
        early = Settings.load(request.flags, environ)
        opened = open_request(request, early, environ)
        try:
            change_set = narrowed(opened.source.load(), opened.scope)
            settings = with_config(request.flags, environ, early, opened)
            wanted_shards(settings)
            print_plan(write_plan(opened, change_set, settings, environ), as_json=request.as_json)
        finally:
            opened.close()
    return ExitStatus.OK
