from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.categories import Confidence
from devpulse.core.rules.insecure_cookie import RULE

REPORTED = {
    "token in plain": """
        class SessionsController < ApplicationController
          def create
            cookies[:session_token] = token # BAD
          end
        end
        """,
    "signed is still readable": """
        class SessionsController < ApplicationController
          def create
            cookies.signed[:user_id] = { value: user.id, expires: 1.week } # BAD
          end
        end
        """,
    "session store": """
        Rails.application.config.session_store :cookie_store, key: "_app", httponly: false # BAD
        """,
}
QUIET = {
    "protected": """
        class SessionsController < ApplicationController
          def create
            cookies.signed[:user_id] = { value: user.id, httponly: true }
          end
        end
        """,
    "read and removed": """
        class SessionsController < ApplicationController
          def destroy
            token = cookies[:session_token]
            cookies.delete(:session_token)
            cookies[:session_token] = nil
          end
        end
        """,
    "theme": """
        class SettingsController < ApplicationController
          def update
            cookies[:theme] = params[:theme]
          end
        end
        """,
    "session store": """
        Rails.application.config.session_store :cookie_store, key: "_app", secure: Rails.env.production?
        """,
}


@pytest.mark.parametrize("code", REPORTED.values(), ids=REPORTED)
def test_check__reports(code: str) -> None:
    hits = [hit for hit in run(RULE, code, path="app/models/app.rb") if hit.confidence is not Confidence.LOW]
    assert lines_of(hits) == marked_lines(code)
    assert {hit.category for hit in hits} == {"insecure-cookie"}


@pytest.mark.parametrize("code", QUIET.values(), ids=QUIET)
def test_check__is_quiet(code: str) -> None:
    assert [hit for hit in run(RULE, code, path="app/models/app.rb") if hit.confidence is not Confidence.LOW] == []
