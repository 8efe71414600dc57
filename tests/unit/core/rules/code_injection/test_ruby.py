from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.categories import Confidence
from devpulse.core.finding import Hit
from devpulse.core.rules.code_injection import RULE

PATH = "app/controllers/shop_controller.rb"
REPORTED = {
    "eval": """
        class ShopController < ApplicationController
          def show
            eval(params[:code])  # BAD
          end
        end
        """,
    "instance_eval": """
        class ShopController < ApplicationController
          def show
            @shop.instance_eval(params[:code])  # BAD
          end
        end
        """,
    "template": """
        class ShopController < ApplicationController
          def show
            render inline: params[:template]  # BAD
          end
        end
        """,
}
QUIET = {
    "one of a list, made a symbol": """
        class ShopController < ApplicationController
          def show
            allowed = Shop::KINDS.map(&:to_s)
            kind = allowed.include?(params[:kind]) ? params[:kind].to_sym : nil
            @found = current_user.send(kind)
          end
        end
        """,
    "methods that a library writes": """
        def self.accessors(model, *names)
          names.each do |name|
            model.class_eval <<-METHOD, __FILE__, __LINE__ + 1
              def #{name}
                @#{name}
              end
            METHOD
          end
        end
        """,
    "code of a file": """
        def self.load(script, path)
          eval(script, binding, path)
        end
        """,
    "constant": """
        class ShopController < ApplicationController
          def show
            eval("1 + 1")
          end
        end
        """,
    "block": """
        class ShopController < ApplicationController
          def show
            @shop.instance_eval { name }
          end
        end
        """,
    "view": """
        class ShopController < ApplicationController
          def show
            render inline: "<%= @name %>", locals: { name: params[:name] }
          end
        end
        """,
    "named": """
        class ShopController < ApplicationController
          def show
            @shop.public_send(:name)
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
