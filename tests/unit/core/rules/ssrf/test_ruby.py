from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.categories import Confidence
from devpulse.core.finding import Hit
from devpulse.core.rules.ssrf import RULE

PATH = "app/controllers/shop_controller.rb"
REPORTED = {
    "net/http": """
        class ShopController < ApplicationController
          def show
            Net::HTTP.get(URI(params[:url]))  # BAD
          end
        end
        """,
    "open-uri": """
        class ShopController < ApplicationController
          def show
            URI.open(params[:url]).read  # BAD
          end
        end
        """,
    "httparty": """
        class ShopController < ApplicationController
          def show
            HTTParty.get(params[:url])  # BAD
          end
        end
        """,
    "faraday": """
        class ShopController < ApplicationController
          def show
            Faraday.get(params[:url])  # BAD
          end
        end
        """,
    "clients that are made with an address": """
        class PreviewsController < ApplicationController
          def show
            page = Faraday.new(url: params[:url])  # BAD
            file = Down.download(params[:picture])  # BAD
          end
        end
        """,
    "further clients": """
        def fetch
          HTTP.follow.get(params[:song_url]) # BAD
          TCPSocket.new(params[:host], 80) # BAD
        end
        """,
}
QUIET = {
    "value of a query": """
        class ShopController < ApplicationController
          def show
            HTTParty.get("https://api.example.com/search", query: { q: params[:q] })
          end
        end
        """,
    "constant": """
        class ShopController < ApplicationController
          def show
            Net::HTTP.get(URI("https://api.example.com/"))
          end
        end
        """,
    "path of a fixed host": """
        class ShopController < ApplicationController
          def show
            Faraday.get("https://api.example.com/items/#{params[:id].to_i}")
          end
        end
        """,
    "a hash": """
        class ShopController < ApplicationController
          def show
            cache.get(params[:url])
          end
        end
        """,
    "path of a fixed host of a client": """
        class PreviewsController < ApplicationController
          def show
            page = Faraday.new(url: "https://api.example.com/#{params[:id]}")
            file = Down.download("https://cdn.example.com/#{params[:id]}.png")
          end
        end
        """,
    "other things that are got": """
        def fetch
          @songs.get(params[:song_url])
          HTTP.follow.get("https://api.example.com/songs/#{params[:id]}")
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
