from __future__ import annotations

from textwrap import dedent

import pytest

from devpulse.core.flow.engine import analyse
from devpulse.core.flow.purposes import Purpose
from devpulse.core.flow.records import CallRecord
from devpulse.core.flow.values import HOLE, Level, Place, Taint


def call(code: str, callee: str = "sink") -> CallRecord:
    calls = analyse("ruby", dedent(code)).calls
    found = [record for record in calls if record.callee == callee]
    assert len(found) == 1, [record.callee for record in calls]
    return found[0]


def taints(code: str, callee: str = "sink", index: int = 0) -> list[Taint]:
    value = call(code, callee).argument(index)
    assert value is not None
    return [taint for taint in value.taints if taint.origin.level > Level.UNKNOWN]


def level(code: str, callee: str = "sink", index: int = 0) -> int:
    return max((taint.origin.level for taint in taints(code, callee, index)), default=0)


@pytest.mark.parametrize(
    "expression",
    [
        "params[:x]",
        "params['x'][0]",
        "params.fetch(:x, 'd')",
        "params.require(:a).permit(:b)",
        "params.dig(:a, :b)",
        "cookies[:x]",
        "request.query_string",
        "request.headers['X']",
        "request.body.read",
        "request.env['HTTP_X']",
        "request.params['x']",
        "env['QUERY_STRING']",
        "env['rack.input'].read",
        "Rack::Request.new(env).params['x']",
        "req.params[:x]",
    ],
)
def test_request_field__reads_input(expression: str):
    assert level(f"sink({expression})") == Level.REQUEST


@pytest.mark.parametrize(
    "expression", ["ARGV[0]", "ENV['X']", "ENV.fetch('X')", "gets", "gets.chomp", "STDIN.read", "$stdin.gets"]
)
def test_request_field__local_input(expression: str):
    assert level(f"sink({expression})") == Level.LOCAL_INPUT


@pytest.mark.parametrize(
    "expression",
    [
        "session[:x]",
        "env['rack.session']",
        "request.method",
        "params.key?(:x)",
        "current_user.name",
        "User.find(params[:id]).name",
        "Settings::PATH",
        "LIMIT",
    ],
)
def test_request_field__no_input(expression: str):
    assert level(f"sink({expression})") == 0


@pytest.mark.parametrize(
    "expression",
    [
        '"a #{a} b"',
        '"x" "#{a}"',
        "%Q(a #{a})",
        ':"s#{a}"',
        "/re#{a}/",
        "'a' + a",
        "'%s' % a",
        "'%s %s' % ['c', a]",
        "'%{k}' % { k: a }",
        "format('%s', a)",
        "[a].join(',')",
        "a.strip.downcase.to_sym",
        "a.gsub('x', '')",
        "'x'.sub('x', a)",
        "a&.to_s",
        "a.freeze",
        "a || 'd'",
        "c ? a : 'd'",
        "(if c then a else 'd' end)",
        "(case c when 1 then a else 'd' end)",
        "(begin; a; rescue; 'd'; end)",
        "(a rescue 'd')",
        "{ k: a }[:k]",
        "{ 'k' => a }['k']",
        "{ a: }",
        "[*a]",
        'a.map { |i| "x#{i}" }',
        "a.map(&:to_s).join(' ')",
        "a.select { |i| i.size > 1 }",
        "a.then { |i| i + 'x' }",
        "JSON.parse(a)",
        "CGI.unescape(a)",
        "String(a)",
    ],
)
def test_propagation__keeps(expression: str):
    assert level(f"a = params[:x]\nsink({expression})") == Level.REQUEST


@pytest.mark.parametrize(
    "expression",
    [
        "a.to_i",
        "a.to_f",
        "Integer(a)",
        "Float(a, exception: false)",
        "a.length",
        "a.nil?",
        "a == 'x'",
        "!a",
        "format('%d', a)",
        "a.map { |i| i.to_i }.join(',')",
        "a.map(&:to_i).size",
        "{ k: a, n: 'c' }[:n]",
        "(case a when 'x', 'y' then a else 'd' end)",
        "%w[x y].include?(a) ? a : 'x'",
        "User.where(name: a).first",
    ],
)
def test_propagation__drops(expression: str):
    assert level(f"a = params[:x]\nsink({expression})") == 0


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("s = 'a'\ns += params[:x]\nsink(s)", True),
        ("s = +''\ns << 'a' << params[:x]\nsink(s)", True),
        ("s = 'a'\ns.concat(params[:x])\nsink(s)", True),
        ("s = []\ns << params[:x]\nsink(s)", True),
        ("s = []\ns.push(params[:x])\nsink(s.join)", True),
        ("s = {}\ns[:k] = params[:x]\nsink(s)", True),
        ("s ||= params[:x]\nsink(s)", True),
        ("s = params[:x]\ns = 'a'\nsink(s)", False),
        ("@s = params[:x]\nsink(@s)", True),
        ("o.s = params[:x]\nsink(o.s)", True),
        ("p, s = 'c', params[:x]\nsink(s)", True),
        ("s, p = 'c', params[:x]\nsink(s)", False),
        ("p, (q, *s) = params[:x]\nsink(s)", True),
        ("params[:x].each { |s| sink(s) }", True),
        ("params[:x].each do |k, s| sink(s) end", True),
        ("params[:x].each_with_index { |s, i| sink(s) }", True),
        ("params[:x].each_with_index { |v, s| sink(s) }", False),
        ("for s in params[:x] do sink(s) end", True),
        ("s = ''\nparams[:x].each { |v| s << v }\nsink(s)", True),
        ("s = 'c'\nUser.transaction do\n  s = params[:x]\nend\nsink(s)", True),
        ("s = params[:x]\nUser.transaction do\n  s = 'c'\nend\nsink(s)", False),
        ("if c\n  s = params[:x]\nelse\n  s = 'a'\nend\nsink(s)", True),
        ("if c\n  s = 'b'\nelsif d\n  s = 'c'\nelse\n  s = 'a'\nend\nsink(s)", False),
        ("s = params[:x]\ns = 'a' unless c\nsink(s)", True),
        ("s = params[:x]\nreturn if c\nsink(s)", True),
        ("s = params[:x]\nbegin\n  s = Integer(s)\nrescue ArgumentError\n  halt 400\nend\nsink(s)", False),
        ("s = 'a'\nbegin\n  s = f\nrescue E => e\n  s = params[:x]\nensure\n  g\nend\nsink(s)", True),
        ("def pass(p)\n  p.strip\nend\nsink(pass(params[:x]))", True),
        ("def number(p)\n  p.to_i\nend\nsink(number(params[:x]))", False),
        ("class C\n  def f\n    sink(given)\n  end\n  def given\n    params[:x]\n  end\nend", True),
        ("class C\n  def f\n    sink(given)\n  end\n  def given\n    params[:x].to_i\n  end\nend", False),
        ("get '/x/:s' do |s|\n  sink(s)\nend", True),
    ],
)
def test_statements(code: str, expected: bool):
    assert (level(code) == Level.REQUEST) is expected


@pytest.mark.parametrize(
    "check",
    [
        "return unless ALLOWED.include?(a)",
        "raise 'no' unless %w[x y].include?(a)",
        "if !LIST.member?(a)\n  return\nend",
        "unless NAMES.key?(a)\n  halt 400\nend",
        "return if LIST.exclude?(a)",
        "return unless a.in?(LIST)",
        "ALLOWED.include?(a) or raise 'no'",
        "render(:x) and return unless a =~ /\\A[a-z]+\\z/",
        "return unless a.match?(/\\A\\w+\\z/)",
        "return unless /\\A\\w+\\z/.match?(a)",
        "return if a !~ /\\A[a-z]+\\z/",
        "abort 'no' if a != 'x'",
        "xs.each do |y|\n  next unless LIST.include?(a)\n  sink(a)\nend\nreturn",
    ],
)
def test_checks__settle(check: str):
    found = f"a = params[:x]\n{check}" + ("" if "sink" in check else "\nsink(a)")
    assert level(found) == 0


@pytest.mark.parametrize(
    "check",
    [
        "log(1) if LIST.include?(a)",
        "return unless params[:list].include?(a)",
        "return unless a =~ /[a-z]+/",
        "return unless a =~ /^[a-z]+$/",
        "return unless a.present?",
        "return if a == 'x'",
    ],
)
def test_checks__that_prove_nothing(check: str):
    assert level(f"a = params[:x]\n{check}\nsink(a)") == Level.REQUEST


def test_checks__hold_for_an_item_by_its_key():
    assert level("return unless LIST.include?(params[:x])\nsink(params[:x])") == 0
    assert level("f if LIST.include?(params[:x])\nsink(params[:x])") == Level.REQUEST


@pytest.mark.parametrize(
    ("case", "expected"),
    [
        ("case params[:x]\nwhen 'a', :b then sink(params[:x])\nend", 0),
        ("case params[:x]\nwhen /a/ then sink(params[:x])\nend", Level.REQUEST),
        ("case params[:x]\nwhen 'a' then f\nelse sink(params[:x])\nend", Level.REQUEST),
        ("case\nwhen LIST.include?(params[:x]) then sink(params[:x])\nend", 0),
        ("case params[:x]\nin String then sink(params[:x])\nend", Level.REQUEST),
    ],
)
def test_case(case: str, expected: int):
    assert level(case) == expected


@pytest.mark.parametrize(
    "check",
    [
        "p = File.expand_path(p, BASE)\nraise 'no' unless p.start_with?(BASE)",
        "return if p.include?('..')",
        "p = File.basename(p)",
    ],
)
def test_paths__contained(check: str):
    (taint,) = taints(f"p = params[:x]\n{check}\nsink(p)")
    assert Purpose.PATH in taint.cleaned


@pytest.mark.parametrize(
    ("expression", "purpose"),
    [
        ("Shellwords.escape(a)", Purpose.SHELL),
        ("a.shellescape", Purpose.SHELL),
        ("CGI.escapeHTML(a)", Purpose.HTML),
        ("ERB::Util.html_escape(a)", Purpose.HTML),
        ("h(a)", Purpose.HTML),
        ("ActiveRecord::Base.connection.quote(a)", Purpose.SQL),
    ],
)
def test_cleaners(expression: str, purpose: Purpose):
    (taint,) = taints(f"a = params[:x]\nsink({expression})")
    assert purpose in taint.cleaned


@pytest.mark.parametrize(
    ("code", "callee", "argument"),
    [
        ('system "ls #{params[:x]}"', "system", 0),
        ("system('ls', params[:x])", "system", 1),
        ("`ls #{params[:x]}`", "backtick", 0),
        ("%x(ls #{params[:x]})", "backtick", 0),
        ("redirect_to params[:x] if c", "redirect_to", 0),
        ("render inline: params[:x], status: 1", "render", "inline"),
        ("send_file(params[:x])", "send_file", 0),
        ("eval params[:x]", "eval", 0),
        ("User.where(\"a = '#{params[:x]}'\").first", "User.where", 0),
        ("User.f(1).where(params[:x])", ".where", 0),
        ("self.run(params[:x])", "self.run", 0),
        ("Net::HTTP.get(params[:x])", "Net::HTTP.get", 0),
        ("File.open(params[:x]) { |f| f.read }", "File.open", 0),
        ("obj.send(params[:x], 1)", "obj.send", 0),
        ("obj&.public_send(params[:x])", "obj.public_send", 0),
        ("f.(params[:x])", "f.call", 0),
        ("yield params[:x]", "yield", 0),
    ],
)
def test_call__callees_and_positions(code: str, callee: str, argument: int | str):
    record = call(code, callee)
    value = record.argument(argument) if isinstance(argument, int) else record.keyword(argument)
    assert value is not None
    assert any(taint.origin.level == Level.REQUEST for taint in value.taints)


@pytest.mark.parametrize("code", ["params[:x].constantize", "params[:x].html_safe", "params[:x].constantize.new(1)"])
def test_call__receivers(code: str):
    name = ".html_safe" if "html" in code else ".constantize"
    receiver = call(code, name).receiver
    assert receiver is not None
    assert receiver.taints[0].origin.level == Level.REQUEST


@pytest.mark.parametrize(
    ("code", "place"),
    [
        ("\"SELECT * FROM t WHERE a = '#{a}'\"", Place.QUOTED),
        ('"SELECT * FROM t WHERE a = #{a}"', Place.DATA),
        ("'SELECT * FROM ' + a", Place.IDENTIFIER),
        ("format(\"SELECT * FROM t WHERE a = '%s'\", a)", Place.QUOTED),
    ],
)
def test_template__places(code: str, place: Place):
    (taint,) = taints(f"a = params[:x]\nsink({code})")
    assert taint.place is place


@pytest.mark.parametrize(
    ("code", "index", "skeleton"),
    [
        ("x = <<~SQL\n  a #{params[:x]}\nSQL\nsink(x)", 0, f"\n  a {HOLE}\n"),
        ("sink(<<~A, <<-B)\n  a\nA\n  b #{params[:x]}\n  B\n", 1, f"\n  b {HOLE}\n  "),
        ("sink(<<~A) do |y|\n  a #{params[:x]}\nA\n  y\nend", 0, f"\n  a {HOLE}\n"),
        ("if sink(<<~A)\n  a #{params[:x]}\nA\n  y\nend", 0, f"\n  a {HOLE}\n"),
        ('sink("a\\n#{params[:x]}\\"")', 0, f'a\n{HOLE}"'),
    ],
)
def test_template__skeletons(code: str, index: int, skeleton: str):
    value = call(code).argument(index)
    assert value is not None
    assert value.skeleton == skeleton
    assert value.taints[0].origin.level == Level.REQUEST


@pytest.mark.parametrize(
    ("parameters", "expected"),
    [
        ("a", Level.PARAMETER),
        ("a = 'x'", Level.PARAMETER),
        ("b, *a", Level.PARAMETER),
        ("a:", Level.PARAMETER),
        ("b, a: nil, **o", Level.PARAMETER),
        ("a = 1", 0),
        ("a: true", 0),
        ("&a", 0),
    ],
)
def test_parameters_of__levels(parameters: str, expected: int):
    assert level(f"def f({parameters})\n  sink(a)\nend") == expected


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("def f(a)\n  a.strip\nend", [("f", True)]),
        ("def f(a)\n  if a then 'x' else a end\nend", [("f", True)]),
        ("def f(a) = a.to_i", [("f", False)]),
        ("def self.f(a)\n  return a, 1 if b\n  nil\nend", [("f", True), ("f", False)]),
    ],
)
def test_function__gives_back_its_last_value(code: str, expected: list[tuple[str, bool]]):
    returns = analyse("ruby", code).returns
    assert [(item.scope.name, bool(item.value.taints)) for item in returns] == expected


@pytest.mark.parametrize(
    "text",
    [
        "def f(a)\n  sink(a)\n",
        "  def f(a)\n    sink(a)\n  end\nend",
        "def f(a)\n  if a\n    sink(a)\nend",
        "class C\n  def f(a)\n    sink(a)\n",
    ],
)
def test_fragments(text: str):
    (record,) = [record for record in analyse("ruby", text).calls if record.callee == "sink"]
    assert record.arguments[0].value.taints[0].origin.level == Level.PARAMETER


@pytest.mark.parametrize(
    "text",
    [
        "x = " + "(" * 3000 + "params[:a]" + ")" * 3000 + "\nsink(x)",
        "x = params[:a]" + " + 'b'" * 3000 + "\nsink(x)",
        "if a\n" * 1500 + "sink(params[:a])\n" + "end\n" * 1500,
        "if a\n" + "elsif b\n" * 1500 + "end\nsink(params[:a])",
        "x = " + '"#{' * 200 + "params[:a]" + '}"' * 200 + "\nsink(x)",
        "a.each { |x| " * 1000 + "sink(params[:a])" + "}" * 1000,
        "s" + " << b" * 1500 + "\nsink(params[:a])",
    ],
)
def test_analyse__deep_nesting(text: str):
    (record,) = [record for record in analyse("ruby", text).calls if record.callee == "sink"]
    assert record.arguments[0].value.taints[0].origin.level == Level.REQUEST
