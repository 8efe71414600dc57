from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.categories import Confidence
from devpulse.core.finding import Hit
from devpulse.core.rules.open_redirect import RULE

PATH = "app/controllers/shop_controller.rb"
REPORTED = {
    "redirect": """
        class ShopController < ApplicationController
          def show
            redirect_to params[:return_to]  # BAD
          end
        end
        """,
    "default": """
        class ShopController < ApplicationController
          def show
            redirect_to(params[:next] || root_path)  # BAD
          end
        end
        """,
    "url": """
        class ShopController < ApplicationController
          def show
            redirect_to params[:url], allow_other_host: true  # BAD
          end
        end
        """,
}
QUIET = {
    "path": """
        class ShopController < ApplicationController
          def show
            redirect_to posts_path(page: params[:page])
          end
        end
        """,
    "object": """
        class ShopController < ApplicationController
          def show
            redirect_to @post
          end
        end
        """,
    "own host": """
        class ShopController < ApplicationController
          def show
            redirect_to "/posts/#{params[:id]}"
          end
        end
        """,
    "record that was made of the request": """
        class SongsController < ApplicationController
          def create
            @song = Song.new(params[:song])
            redirect_to(@song) if @song.save
          end
        end
        """,
    "address that a function has checked": """
        def go(other)
          if back = checked_back(params[:back].to_s)
            redirect_to(back)
          else
            redirect_to other
          end
        end
        """,
}


def hits(code: str) -> list[Hit]:
    return [hit for hit in run(RULE, code, path=PATH) if hit.confidence is not Confidence.LOW]


@pytest.mark.parametrize("name", REPORTED)
def test_rule__reported(name: str) -> None:
    assert lines_of(hits(REPORTED[name])) == marked_lines(REPORTED[name])


@pytest.mark.parametrize("name", QUIET)
def test_rule__quiet(name: str) -> None:
    assert hits(QUIET[name]) == []
