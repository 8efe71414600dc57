from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.categories import Confidence
from devpulse.core.finding import Hit
from devpulse.core.rules.insecure_deserialization import RULE

PATH = "app/controllers/shop_controller.rb"
REPORTED = {
    "marshal": """
        class ShopController < ApplicationController
          def show
            @cart = Marshal.load(Base64.decode64(cookies[:cart]))  # BAD
          end
        end
        """,
    "yaml": """
        class ShopController < ApplicationController
          def show
            @rules = YAML.unsafe_load(params[:rules])  # BAD
          end
        end
        """,
    "marshal of a parameter": """
        class ShopController < ApplicationController
          def show
            Marshal.load(params[:state])  # BAD
          end
        end
        """,
}
QUIET = {
    "safe yaml": """
        class ShopController < ApplicationController
          def show
            @rules = YAML.safe_load(params[:rules])
          end
        end
        """,
    "json": """
        class ShopController < ApplicationController
          def show
            @cart = JSON.parse(cookies[:cart])
          end
        end
        """,
    "own file": """
        class ShopController < ApplicationController
          def show
            @cache = Marshal.load(File.binread("cache.bin"))
          end
        end
        """,
    "dump": """
        class ShopController < ApplicationController
          def show
            Marshal.dump(params[:state])
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
