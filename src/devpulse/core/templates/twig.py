"""Twig: ``{{ }}`` escapes unless ``raw`` or a block says otherwise. https://twig.symfony.com/doc/3.x/filters/raw.html"""

from __future__ import annotations

from devpulse.core.templates.base import Format
from devpulse.core.templates.jinja import FORMAT as JINJA

FORMAT = Format("twig", JINJA.syntax, JINJA.tags, JINJA.assigned)
