from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.categories import Confidence
from devpulse.core.finding import Hit
from devpulse.core.rules.cross_site_scripting import RULE

PATH = "app/controllers/shop_controller.rb"
REPORTED = {
    "raw": """
        class ShopController < ApplicationController
          def show
            render html: "<p>#{params[:q]}</p>".html_safe  # BAD
          end
        end
        """,
    "raw text": """
        class ShopController < ApplicationController
          def show
            render html: raw(params[:q])  # BAD
          end
        end
        """,
    "name of a record": """
        module BadgeHelper
          def badge
            "<span>#{current_account.full_name}</span>".html_safe  # BAD
          end
        end
        """,
    "what a route gives back": """
        get '/hail/:name' do
          words = %w[hail hello]
          "<p>#{words.first} #{params[:name]}</p>" # BAD
        end
        """,
    "page of a server": """
        def do_GET(request, response)
          response.body = "<h1>#{request.query['title']}</h1>" # BAD
        end
        """,
}
QUIET = {
    "escaped": """
        class ShopController < ApplicationController
          def show
            render html: "<p>#{ERB::Util.html_escape(params[:q])}</p>".html_safe
          end
        end
        """,
    "plain": """
        class ShopController < ApplicationController
          def show
            render plain: params[:q]
          end
        end
        """,
    "json": """
        class ShopController < ApplicationController
          def show
            render json: { q: params[:q] }
          end
        end
        """,
    "constant": """
        class ShopController < ApplicationController
          def show
            render html: "<p>none</p>".html_safe
          end
        end
        """,
    "escaped name, or number, of a record": """
        module BadgeHelper
          def badge
            "<span>#{h(current_account.full_name)} #{current_account.points}</span>".html_safe
          end
        end
        """,
    "what else a route gives back": """
        get '/hail/:name' do
          erb :hail, locals: { name: params[:name] }
        end
        get '/songs/:id' do
          content_type :json
          "song #{params[:id]}"
        end
        get '/plays/:count' do
          "<p>#{params[:count].to_i}</p>"
        end
        post '/hail/:name' do
          "<p>#{Rack::Utils.escape_html(params[:name])}</p>"
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
