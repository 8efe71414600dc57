from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.categories import Confidence
from devpulse.core.rules.csrf import RULE

REPORTED = {
    "skipped": """
        class TransfersController < ApplicationController
          skip_before_action :verify_authenticity_token # BAD
        end
        """,
    "skipped in short": """
        class SettingsController < ApplicationController
          skip_forgery_protection only: [:update] # BAD
        end
        """,
    "setting": """
        Rails.application.configure do
          config.action_controller.allow_forgery_protection = false # BAD
        end
        """,
}
QUIET = {
    "webhook": """
        class StripeWebhooksController < ApplicationController
          skip_before_action :verify_authenticity_token
        end
        """,
    "interface for programs": """
        class Api::ItemsController < ApplicationController
          skip_before_action :verify_authenticity_token
          before_action :authenticate_token
        end
        """,
    "requests of scripts only": """
        class ItemsController < ApplicationController
          skip_before_action :verify_authenticity_token, if: -> { request.format.json? }
        end
        """,
    "on": """
        class ApplicationController < ActionController::Base
          protect_from_forgery with: :exception
        end
        """,
    "other filter": """
        class PagesController < ApplicationController
          skip_before_action :set_locale
        end
        """,
}


@pytest.mark.parametrize("code", REPORTED.values(), ids=REPORTED)
def test_check__reports(code: str) -> None:
    hits = [hit for hit in run(RULE, code, path="app/models/app.rb") if hit.confidence is not Confidence.LOW]
    assert lines_of(hits) == marked_lines(code)
    assert {hit.category for hit in hits} == {"csrf"}


@pytest.mark.parametrize("code", QUIET.values(), ids=QUIET)
def test_check__is_quiet(code: str) -> None:
    assert [hit for hit in run(RULE, code, path="app/models/app.rb") if hit.confidence is not Confidence.LOW] == []
