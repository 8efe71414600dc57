from __future__ import annotations

from rule_tables import MemoryResolver, make_source, marked_lines
from tables import for_each

from devpulse.core.categories import Confidence
from devpulse.core.rules import run_rules

# Routes of today's frameworks with lines that are told beside such that are not.
EXAMPLES = [
    ("rails", "app/controllers/x_controller.rb", """
class XController < ApplicationController
  def a
    User.where("name = '#{params[:n]}'") # BAD
    User.where("name = ?", params[:n])
    User.where(name: params[:n])
    User.order(params[:sort]) # BAD
    User.order(Arel.sql(params[:sort])) # BAD
    User.find_by_sql("select * from users where name = '#{params[:n]}'") # BAD
    User.exists?(["name = '#{params[:n]}'"]) # BAD
    User.connection.execute("select * from t where a = #{params[:n]}") # BAD
    User.connection.execute("select * from t where a = #{params[:n].to_i}")
    User.connection.execute("select * from t where a = #{User.connection.quote(params[:n])}")
    User.update_all("name = '#{params[:n]}'") # BAD
    User.delete_by("name = '#{params[:n]}'") # BAD
  end
  def b
    redirect_to params[:to] # BAD
  end
  def b2
    redirect_to params[:to], allow_other_host: true # BAD
  end
  def b3
    redirect_to url_for(params.permit(:page))
    redirect_back fallback_location: root_path
  end
  def b4
    redirect_to(request.referer || root_path)
  end
  def c
    render html: "<b>#{params[:n]}</b>".html_safe # BAD
  end
  def c2
    render inline: "<b>#{params[:n]}</b>" # BAD
  end
  def c3
    render plain: params[:n]
  end
  def c4
    render params[:t] # BAD
  end
  def c5
    raw("<b>" + params[:n]) # BAD
    content_tag(:b, params[:n])
    "<b>#{ERB::Util.html_escape(params[:n])}</b>".html_safe
  end
  def d
    send_file Rails.root.join("files", params[:f]) # BAD
  end
  def d2
    send_file Rails.root.join("files", File.basename(params[:f]))
  end
  def e
    system("convert #{params[:f]}") # BAD
    system("convert", params[:f])
    `convert #{params[:f]}` # BAD
    `convert #{Shellwords.escape(params[:f])}`
    Open3.capture2("convert #{params[:f]}") # BAD
    Open3.capture2("convert", params[:f])
    IO.popen("convert #{params[:f]}") # BAD
    spawn("convert #{params[:f]}") # BAD
    exec("convert #{params[:f]}") # BAD
  end
  def f
    Marshal.load(Base64.decode64(params[:x])) # BAD
    YAML.load(params[:x]) # BAD
    YAML.safe_load(params[:x])
    JSON.parse(params[:x])
  end
  def g
    eval(params[:x]) # BAD
    instance_eval(params[:x]) # BAD
    params[:c].constantize.new # BAD
    User.send(params[:m]) # BAD
    User.public_send(params[:m], 1) # BAD
    ERB.new(params[:t]).result # BAD
  end
  def h
    Net::HTTP.get(URI(params[:u])) # BAD
    URI.open(params[:u]) # BAD
    HTTParty.get(params[:u]) # BAD
    Faraday.get(params[:u]) # BAD
    RestClient.get(params[:u]) # BAD
    Net::HTTP.get(URI("https://api.example.com/?q=#{CGI.escape(params[:u])}"))
  end
  def i
    File.read("/data/#{params[:f]}") # BAD
    File.open(File.join("/data", params[:f])) # BAD
    Dir.glob("/data/#{params[:f]}/*") # BAD
    FileUtils.rm("/data/#{params[:f]}") # BAD
    IO.read("/data/" + params[:f]) # BAD
    Pathname.new("/data").join(params[:f]).read # BAD
    File.write("/data/#{params[:f].to_i}", "x")
  end
  def j
    Regexp.new(params[:r])
    Nokogiri::XML(params[:x]) { |c| c.noent } # BAD
    doc.xpath("//u[@n='#{params[:n]}']") # BAD
    ldap.search(filter: "(uid=#{params[:u]})") # BAD
    ldap.search(filter: Net::LDAP::Filter.eq("uid", params[:u]))
  end
end
"""),
    ("sinatra", "app/controllers/x_controller.rb", """
require "sinatra"
get "/a" do
  "<p>#{params[:n]}</p>" # BAD
end
get "/a2" do
  "<p>#{Rack::Utils.escape_html(params[:n])}</p>"
end
get "/b" do
  redirect params["to"] # BAD
end
get "/b2" do
  redirect to("/home")
end
get "/c" do
  send_file "data/#{params[:f]}" # BAD
end
get "/c2" do
  send_file File.join("data", File.basename(params[:f]))
end
get "/d" do
  erb "<p>#{params[:n]}</p>" # BAD
end
get "/d2" do
  erb :index, locals: { n: params[:n] }
end
post "/e" do
  data = JSON.parse(request.body.read)
  `ls #{data["d"]}` # BAD
  DB["select * from t where a = '#{data["a"]}'"].all # BAD
  DB["select * from t where a = ?", data["a"]].all
end
"""),
    ("hanami", "app/controllers/x_controller.rb", """
module Web::Controllers::X
  class Show
    include Web::Action
    def call(params)
      self.body = "<p>#{params[:n]}</p>" # BAD
      redirect_to params[:to] # BAD
      self.body = "<p>#{Hanami::Utils::Escape.html(params[:n])}</p>"
    end
  end
end
"""),
    ("hanami2", "app/controllers/x_controller.rb", """
module App::Actions::X
  class Show < App::Action
    def handle(request, response)
      response.redirect_to request.params[:to] # BAD
    end
  end
end
"""),
    ("hanami3", "app/controllers/x_controller.rb", """
module App::Actions::X
  class Show < App::Action
    def handle(request, response)
      response.body = "<p>#{request.params[:n]}</p>" # BAD
    end
  end
end
"""),
    ("pathname", "app/controllers/x_controller.rb", """
class XController < ApplicationController
  def a
    Rails.root.join("files", params[:f]).read # BAD
  end
  def b
    Rails.root.join("files", File.basename(params[:f])).read
  end
  def c
    File.read(Rails.root.join("files", params[:f])) # BAD
  end
  def d
    Pathname.new("/data").join(params[:f]).read # BAD
  end
  def e
    Rails.root.join("files", "a").read
  end
  def f
    User.joins("join x on x.id = #{params[:j]}") # BAD
    User.joins(:posts)
    User.joins("join x on x.id = #{params[:j].to_i}")
    User.group(params[:g]).count # BAD
    User.from("users where id = #{params[:f]}") # BAD
  end
  def g
    YAML.unsafe_load(params[:x]) # BAD
  end
  def h
    Oj.load(params[:x]) # BAD
  end
end
"""),
]  # fmt: skip


@for_each(EXAMPLES, lambda row: row[0])
def test_run_rules__tells_the_marked_lines_alone(row: tuple[str, str, str]):
    _, path, code = row
    hits = run_rules(make_source(code, path=path), MemoryResolver())
    posted = {hit.start_line for hit in hits if hit.confidence is not Confidence.LOW}
    assert sorted(posted) == marked_lines(code)
