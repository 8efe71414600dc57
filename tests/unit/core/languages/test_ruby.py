from __future__ import annotations

import pytest

from devpulse.core.index import SymbolIndex
from devpulse.core.languages import language_of
from devpulse.core.languages.ruby_lines import scan
from devpulse.core.symbols import Symbol
from devpulse.core.syntax import innermost, symbols_of

MODULE = """\
# frozen_string_literal: true
# Everything that is sold.
module Shop
  # Most lines in one cart.
  MAX_LINES = 50
  A, B = 1, 2
  Finder = Struct.new(:table) do
    def find(id) = table[id]
  end
  NotFound = Class.new(StandardError)
  DEFAULT ||= ENV.fetch("SECRET")
  clean = 1

=begin
A cart line.

With more text.
=end
  class Cart::Line < ApplicationRecord
    include Priced
    attr_accessor :price, "count"
    private attr_reader :owner
    scope :by_name, ->(name) { where("name = '#{name}'") }
    alias total sum
    alias_method :size, :count

    # Sums it up.
    # Every time.
    def sum(tax: 0,
            round: true) # in cents
      price * count
    rescue ZeroDivisionError
      0
    end

    def self.load(id) = find(id)
    def paid? = !!@paid
    def name=(value); @name = value; end
    def ==(other); end
    def [](key); end
    private def secret; end

    define_method(:dynamic) do |x|
      x
    end
    define_method("made_#{kind}") { nil }

    class << self
      # Makes one.
      def build!; end
    end

    included do
      def from_block; end
    end

    def outer
      <<~SQL.squish
        def not_a_method
        end
      SQL
    end
  end
end

class ::Top; end
class Shop::Cart
  def Cart.open; end
end
def helper; end
def helper.inner; end
__END__
def after_the_end; end
"""

ROUTES = """\
# Shows one user.
get '/users/:id' do |id|
  User.find(id)
end
post "/login" do login end
delete('/x') { gone }
Rails.application.routes.draw do
  root "home#index"
  get 'profile', to: 'users#show'
  get "about" => "pages#about"
  match 'search', via: [:get, :post], to: 'search#run'
  resources :photos, only: [:index] do
    get :preview, on: :member
  end
  resource :session
end
"""


def names(text: str) -> list[str]:
    return [symbol.qualified_name for symbol in symbols_of("m.rb", "ruby", text)]


def named(text: str, name: str) -> Symbol:
    return next(symbol for symbol in symbols_of("m.rb", "ruby", text) if symbol.qualified_name == name)


def scanned(text: str) -> set[str]:
    buffer = b"\n" + text.removeprefix("\ufeff").encode()  # as the corpus holds it
    return {name.decode() for _, name in scan(buffer, 1, len(buffer))}


LINE = "Shop.Cart.Line"


@pytest.mark.parametrize(
    ("name", "kind", "start", "end"),
    [
        ("Shop", "module", 3, 64),
        ("Shop.MAX_LINES", "constant", 5, 5),
        ("Shop.A", "constant", 6, 6),
        ("Shop.B", "constant", 6, 6),
        ("Shop.Finder", "class", 7, 9),
        ("Shop.Finder.find", "method", 8, 8),
        ("Shop.NotFound", "class", 10, 10),
        ("Shop.DEFAULT", "constant", 11, 11),
        (LINE, "class", 19, 63),
        (f"{LINE}.price", "property", 21, 21),
        (f"{LINE}.count", "property", 21, 21),
        (f"{LINE}.owner", "property", 22, 22),
        (f"{LINE}.by_name", "method", 23, 23),
        (f"{LINE}.total", "alias", 24, 24),
        (f"{LINE}.size", "alias", 25, 25),
        (f"{LINE}.sum", "method", 29, 34),
        (f"{LINE}.load", "method", 36, 36),
        (f"{LINE}.paid?", "method", 37, 37),
        (f"{LINE}.name=", "method", 38, 38),
        (f"{LINE}.==", "method", 39, 39),
        (f"{LINE}.[]", "method", 40, 40),
        (f"{LINE}.secret", "method", 41, 41),
        (f"{LINE}.dynamic", "method", 43, 45),
        (f"{LINE}.build!", "method", 50, 50),
        (f"{LINE}.from_block", "method", 54, 54),
        (f"{LINE}.outer", "method", 57, 62),
        ("Top", "class", 66, 66),
        ("Shop.Cart", "class", 67, 69),
        ("Shop.Cart.open", "method", 68, 68),
        ("helper", "function", 70, 70),
        ("helper.inner", "function", 71, 71),
    ],
)
def test_extract__kinds_and_spans(name, kind, start, end):
    symbol = named(MODULE, name)
    assert (symbol.kind, symbol.start_line, symbol.end_line) == (kind, start, end)


def test_extract__nothing_else_is_a_symbol():
    assert len(names(MODULE)) == 31
    assert names("x = 1\nputs 'def a; end'\nfoo.get '/x'\nx.attr_reader :a\n# def b\n") == []


@pytest.mark.parametrize(
    ("name", "signature", "docstring"),
    [
        ("Shop", "module Shop", "Everything that is sold."),
        ("Shop.MAX_LINES", "MAX_LINES", "Most lines in one cart."),
        ("Shop.DEFAULT", "DEFAULT", ""),
        ("Shop.Finder", "Finder = Struct.new(:table)", ""),
        (LINE, "class Cart::Line < ApplicationRecord", "A cart line."),
        (f"{LINE}.price", 'attr_accessor :price, "count"', ""),
        (f"{LINE}.sum", "def sum(tax: 0, round: true)", "Sums it up. Every time."),
        (f"{LINE}.load", "def self.load(id)", ""),
        (f"{LINE}.secret", "private def secret", ""),
        (f"{LINE}.dynamic", "define_method(:dynamic)", ""),
        (f"{LINE}.build!", "def build!", "Makes one."),
        (f"{LINE}.name=", "def name=(value)", ""),
    ],
)
def test_extract__signatures_and_docstrings(name, signature, docstring):
    symbol = named(MODULE, name)
    assert (symbol.signature, symbol.docstring) == (signature, docstring)


@pytest.mark.parametrize(
    ("name", "start", "end", "signature"),
    [
        ("GET /users/:id", 2, 4, "get '/users/:id'"),
        ("POST /login", 5, 5, 'post "/login"'),
        ("DELETE /x", 6, 6, "delete('/x')"),
        ("GET /", 8, 8, 'root "home#index"'),
        ("GET /profile", 9, 9, "get 'profile', to: 'users#show'"),
        ("GET /about", 10, 10, 'get "about" => "pages#about"'),
        ("MATCH /search", 11, 11, "match 'search', via: [:get, :post], to: 'search#run'"),
        ("RESOURCES /photos", 12, 14, "resources :photos, only: [:index]"),
        ("GET /preview", 13, 13, "get :preview, on: :member"),
        ("RESOURCE /session", 15, 15, "resource :session"),
    ],
)
def test_extract__routes(name, start, end, signature):
    symbol = next(symbol for symbol in symbols_of("m.rb", "ruby", ROUTES) if symbol.name == name)
    assert (symbol.kind, symbol.start_line, symbol.end_line, symbol.signature) == ("route", start, end, signature)
    assert name in scanned(ROUTES)


def test_extract__a_request_of_a_test_is_no_route():
    assert names('get "/users"\npost "/login", params: { a: 1 }, as: :json\nget "Lists users" do\nend\n') == []
    assert names("scope '/api' do\nend\nscope :admin do\nend\n") == []


def test_enclosing__the_handler_of_a_route():
    around = innermost(symbols_of("m.rb", "ruby", ROUTES), 3)
    assert around is not None
    assert (around.name, around.docstring) == ("GET /users/:id", "Shows one user.")


BROKEN = """\
class Cart
  def first(a, [
    a
  end

  # Second.
  def second
    1
  rescue => e
    2
  end

  if open
    call(
  def third; end
end

class Order < Base
  attr_reader :key
  def total
    "#{
  end

  def self.last(n)
    n
  end
end
"""


def test_extract__broken_code_keeps_what_follows():
    found = {s.qualified_name: (s.kind, s.start_line, s.end_line) for s in symbols_of("m.rb", "ruby", BROKEN)}
    assert found == {
        "Cart": ("class", 1, 16),
        "Cart.first": ("method", 2, 4),
        "Cart.second": ("method", 7, 11),
        "Cart.third": ("method", 15, 15),
        "Order": ("class", 18, 27),
        "Order.key": ("property", 19, 19),
        "Order.total": ("method", 20, 22),
        "Order.last": ("method", 24, 26),
    }


def test_extract__words_of_a_broken_line_are_no_owners():
    text = "module M\n  def a\n    { x => {} } ([\n  end\n\n  def b\n    1\n  end\n\n  def c\n    2\n  end\nend\n"
    assert names(text) == ["M", "M.a", "M.b", "M.c"]
    assert names("def end; end\ndef class; end\n") == ["end", "class"]


def test_extract__an_instance_variable_is_no_decorator_of_the_broken_method_below():
    text = "class A\n  x = <<~TEXT\n  @cache = {}\n  def lost\n    1\n  end\nend\n"
    assert (named(text, "A.lost").start_line, named(text, "A.lost").end_line) == (4, 6)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("class Caf\u00e9\r\n  def \u00fcber?(x)\r\n    x\r\n  end\r\nend", ["Caf\u00e9", "Caf\u00e9.\u00fcber?"]),
        ("\ufeffmodule A\n  class B; def c; end; end\nend", ["A", "A.B", "A.B.c"]),
        ("def a() = 1", ["a"]),
        ("class Foo; class Error < StandardError; end; end", ["Foo", "Foo.Error"]),
        ("class X\n  def @y.z; end\n  memoize def w; end\n", ["X", "X.z", "X.w"]),
        ("alias $new $old\nalias :a :b\n", ["a"]),
        ("", []),
        ("end end ) } def", []),
    ],
)
def test_extract__odd_code(text, expected):
    assert names(text) == expected
    assert scanned(text) >= {name.rpartition(".")[2] for name in expected}


def test_extract__deep_nesting_and_long_lines():
    depth = 3000
    assert len(names("module A\n" * depth + "end\n" * depth)) == depth
    assert len(names("def a; end; " * 3000)) == 3000
    assert names("(" * 5000 + ")" * 5000) == []


def test_scan__finds_every_definition():
    assert {symbol.name for symbol in symbols_of("m.rb", "ruby", MODULE)} <= scanned(MODULE)
    assert scanned("x = 'class'\n# class Foo\nself.class == Other\nFoo == 1\nBar => x\n") == set()


def test_language__file_names():
    assert {language_of(name) for name in ("a.rb", "lib/x.rake", "y.gemspec", "config.ru")} == {"ruby"}


@pytest.mark.parametrize("query", ["Shop::Cart::Line.sum", "Line#sum", "Cart::Line#sum", "self.sum"])
def test_index__finds_a_method_as_ruby_writes_it(query):
    index = SymbolIndex(lambda: ["app/line.rb"], {"app/line.rb": MODULE.encode()}.get)
    assert [symbol.qualified_name for symbol in index.definitions(query).rows] == [f"{LINE}.sum"]


def test_index__finds_a_route():
    index = SymbolIndex(lambda: ["config/routes.rb"], {"config/routes.rb": ROUTES.encode()}.get)
    assert [symbol.start_line for symbol in index.definitions("GET /profile").rows] == [9]
