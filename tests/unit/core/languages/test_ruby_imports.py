from __future__ import annotations

import pytest

from devpulse.core.imports import imported_names, imports_of
from devpulse.core.languages.ruby_imports import snake_case

KNOWN = dict.fromkeys(
    [
        "app/models/user.rb",
        "app/models/shop/order_line.rb",
        "app/controllers/users_controller.rb",
        "app/services/http_client.rb",
        "lib/tidy.rb",
        "lib/shop/cart.rb",
        "gems/pay/lib/pay/card.rb",
        "gems/pay/lib/pay.rb",
        "gems/pay/app/models/bank.rb",
        "spec/support.rb",
    ]
).keys()


@pytest.mark.parametrize(
    ("path", "text", "target", "names"),
    [
        ("app/x.rb", "require 'shop/cart'", "lib/shop/cart.rb", set()),
        ("app/x.rb", "require_relative '../lib/tidy'", "lib/tidy.rb", set()),
        ("spec/a/x_spec.rb", 'require_relative "./../support.rb"', "spec/support.rb", set()),
        ("gems/pay/lib/pay.rb", 'require "pay/card"', "gems/pay/lib/pay/card.rb", set()),
        ("gems/pay/lib/pay.rb", "autoload :Card, 'pay/card'", "gems/pay/lib/pay/card.rb", {"Card"}),
        ("app/controllers/users_controller.rb", "x = User.find(1)", "app/models/user.rb", {"User"}),
        ("app/models/user.rb", "Shop::OrderLine.new", "app/models/shop/order_line.rb", {"OrderLine"}),
        ("app/models/shop/cart.rb", "OrderLine.new", "app/models/shop/order_line.rb", {"OrderLine"}),
        ("app/models/shop.rb", "include OrderLine", "app/models/shop/order_line.rb", {"OrderLine"}),
        ("app/models/user.rb", "::HTTPClient.get", "app/services/http_client.rb", {"HTTPClient"}),
        ("gems/pay/app/controllers/a.rb", "Bank.find(1)", "gems/pay/app/models/bank.rb", {"Bank"}),
    ],
)
def test_files__by_require_and_by_name(path, text, target, names):
    assert imports_of(path, "ruby", text, KNOWN).files.get(target) == names


@pytest.mark.parametrize(
    "text",
    [
        "require 'json'",
        'require "#{x}/cart"',
        "require_relative '../../../lib/tidy'",
        "x.User",
        "@User",
        "User",  # the file itself
    ],
)
def test_files__nothing_is_guessed(text):
    assert imports_of("app/models/user.rb", "ruby", text, KNOWN).files == {}


def test_names__a_constant_stands_for_its_last_part():
    bound = imported_names("ruby", "Shop::Admin::Cart.new\nOrder.new\n")
    assert {name: (value.module, value.name) for name, value in bound.items()} == {"Cart": ("Shop.Admin", "Cart")}


@pytest.mark.parametrize(
    ("constant", "path"),
    [
        ("HTTPClient2", "http_client2"),
        ("Shop::OrderLine", "shop/order_line"),
        ("SSL", "ssl"),
        ("S3Bucket", "s3_bucket"),
    ],
)
def test_snake_case(constant, path):
    assert snake_case(constant) == path
