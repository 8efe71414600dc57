from __future__ import annotations

from rule_tables import MemoryResolver, make_source, marked_lines
from tables import for_each

from devpulse.core.categories import Confidence
from devpulse.core.rules import run_rules

# Guards of parts of what was sent, with what they guard and what they do not.
EXAMPLES = [
    ("guards", "src/app.py", """
import os, re, subprocess
from flask import request, abort, redirect
from urllib.parse import urlparse, urljoin
@app.route("/a")
def a():
    host = request.args.get("host")
    if urlparse(host).netloc != "example.com":
        abort(400)
    return redirect(host)
@app.route("/a2")
def a2():
    u = urlparse(request.args.get("u"))
    if u.scheme not in ("http", "https") or u.hostname not in ALLOWED:
        abort(400)
    return requests.get(u.geturl()).text
@app.route("/a3")
def a3():
    u = request.args["u"]
    if urlparse(u).hostname not in ALLOWED_HOSTS:
        abort(400)
    return requests.get(u).text
@app.route("/b")
def b():
    form = request.form
    if not re.fullmatch(r"[a-z0-9]+", form["name"]):
        abort(400)
    os.system("useradd " + form["name"])
    os.system("passwd " + form["pass"])  # BAD
@app.route("/c")
def c():
    data = request.get_json()
    name = data.get("name")
    if name not in ("a", "b"):
        abort(400)
    os.system("x " + name)
@app.route("/d")
def d():
    data = request.json
    schema = Schema().load(data)
    os.system("x " + shlex.quote(data["a"]))
@app.route("/e")
def e():
    target = urljoin(request.host_url, request.args["next"])
    if urlparse(target).netloc != urlparse(request.host_url).netloc:
        abort(400)
    return redirect(target)
@app.route("/f")
def f():
    for key in ("a", "b"):
        if ".." in request.form[key]:
            abort(400)
    return open("/data/" + request.form["a"]).read()
@app.route("/g")
def g():
    d = request.get_json()
    if any(".." in v for v in d.values()):
        abort(400)
    return open("/data/" + d["a"]).read()
@app.route("/h")
def h():
    d = request.get_json()
    if ".." in d["a"] or ".." in d["b"]:
        abort(400)
    return open("/data/" + d["a"] + "/" + d["b"]).read()
@app.route("/i")
def i():
    f = request.files["f"]
    name = secure_filename(f.filename)
    f.save(os.path.join("/data", name))
@app.route("/i2")
def i2():
    f = request.files["f"]
    if not allowed_file(f.filename):
        abort(400)
    f.save(os.path.join("/data", str(uuid4()) + os.path.splitext(f.filename)[1]))
"""),
    ("guards", "src/app.js", r"""
const app = require("express")();
app.get("/a", (req, res) => {
  const { host, port } = req.query;
  if (!ALLOWED.includes(host)) return res.sendStatus(400);
  exec(`ping ${host}`);
});
app.get("/b", (req, res) => {
  const { name } = req.params;
  if (!/^[\w-]+$/.test(name)) return res.sendStatus(400);
  fs.readFile(path.join("/data", name), cb);
  fs.readFile(path.join("/data", req.params.name), cb);
});
app.get("/c", (req, res) => {
  const file = path.join("/data", req.params.name);
  const rel = path.relative("/data", file);
  if (rel.startsWith("..") || path.isAbsolute(rel)) return res.sendStatus(400);
  fs.readFile(file, cb);
});
app.post("/d", (req, res) => {
  const body = req.body;
  for (const key of Object.keys(body)) {
    if (body[key].includes("..")) return res.sendStatus(400);
  }
  fs.readFile(path.join("/data", body.a), cb);
});
app.post("/e", (req, res) => {
  const a = sanitizePath(req.body.a);
});
app.post("/f", (req, res) => {
  const { error, value } = schema.validate(req.body);
  if (error) return res.sendStatus(400);
});
app.get("/g", (req, res) => {
  const u = new URL(req.query.u);
  if (u.hostname !== "example.com") return res.sendStatus(400);
  fetch(u.href);
  fetch(u);
  fetch(req.query.u);
});
app.get("/h", (req, res) => {
  const u = new URL(req.query.u);
  if (!ALLOWED.has(u.host)) return res.sendStatus(400);
  fetch(req.query.u);
  fetch(req.query.v); // BAD
});
app.get("/i", (req, res) => {
  const id = parseInt(req.query.id, 10);
  db.query("select * from t where id = " + id);
  db.query("select * from t where n = '" + req.query.n + "'"); // BAD
});
"""),
    ("guards", "src/x.php", """<?php
function a() {
  $q = $_GET;
  if (!ctype_alnum($q['a'])) { die(); }
  system('x ' . $q['a']);
  system('x ' . $q['b']); // BAD
}
function b() {
  foreach (['a', 'b'] as $k) {
    if (strpos($_GET[$k], '..') !== false) { die(); }
  }
  readfile('/data/' . $_GET['a']);
}
function c() {
  $data = json_decode(file_get_contents('php://input'), true);
  if (strpos($data['a'], '..') !== false) { die(); }
  readfile('/data/' . $data['a']);
  readfile('/data/' . $data['b']); // BAD
}
function d() {
  if (strpos($a, '..') !== false) { die(); }
  readfile('/data/' . $a);
}
function e() {
  $host = parse_url($_GET['u'], PHP_URL_HOST);
  if (!in_array($host, ['example.com'])) { die(); }
  file_get_contents($_GET['u']);
}
function f() {
  if (!is_numeric($_GET['a']) || !is_numeric($_GET['b'])) { die(); }
  mysqli_query($c, "select * from t limit " . $_GET['a'] . ", " . $_GET['b']);
}
"""),
    ("guards", "src/main/java/x/X.java", """
public class X extends HttpServlet {
  protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
    Map<String, String[]> m = request.getParameterMap();
    String a = m.get("a")[0];
    if (a.contains("..")) { return; }
    new FileInputStream("/data/" + a);
    new FileInputStream("/data/" + m.get("b")[0]); // BAD
  }
  @PostMapping("/x")
  public void x(@RequestBody Dto dto) throws IOException {
    if (dto.getName().contains("..")) { return; }
    new FileInputStream("/data/" + dto.getName());
    new FileInputStream("/data/" + dto.getTheme()); // BAD
  }
  @PostMapping("/y")
  public void y(@RequestBody Map<String, String> body) throws IOException {
    if (!body.get("a").matches("[a-z]+")) { return; }
    Runtime.getRuntime().exec("sh -c " + body.get("a"));
    Runtime.getRuntime().exec("sh -c " + body.get("b")); // BAD
  }
}
"""),
    ("guards", "x/x.go", """
package x
type In struct { A, B string }
func a(w http.ResponseWriter, r *http.Request) {
    var in In
    json.NewDecoder(r.Body).Decode(&in)
    if strings.Contains(in.A, "..") {
        return
    }
    os.ReadFile("/data/" + in.A)
    os.ReadFile("/data/" + in.B) // BAD
}
func b(c *gin.Context) {
    a := c.Query("a")
    if !regexp.MustCompile(`^[a-z]+$`).MatchString(a) {
        return
    }
    exec.Command("sh", "-c", "x "+a).Run()
    exec.Command("sh", "-c", "x "+c.Query("a")).Run()
    exec.Command("sh", "-c", "x "+c.Query("b")).Run() // BAD
}
func d(w http.ResponseWriter, r *http.Request) {
    u, err := url.Parse(r.FormValue("u"))
    if err != nil || u.Host != "example.com" {
        return
    }
    http.Get(u.String())
    http.Get(r.FormValue("v")) // BAD
}
"""),
    ("guards", "app/controllers/x_controller.rb", r"""
class XController < ApplicationController
  def a
    p = params.require(:x).permit(:a, :b)
    return if p[:a].include?("..")
    File.read("/data/" + p[:a])
    File.read("/data/" + p[:b]) # BAD
  end
  def b
    %w[a b].each { |k| return head(400) if params[k].include?("..") }
    File.read("/data/" + params[:a])
  end
  def c
    user = params[:user]
    return unless user[:name] =~ /\A\w+\z/
    system("x #{user[:name]}")
    system("x #{user[:other]}") # BAD
  end
end
"""),
    ("host e", "src/x.php", """<?php
function e() {
  $host = parse_url($_GET['u'], PHP_URL_HOST);
  if (!in_array($host, ['example.com'])) { die(); }
  file_get_contents($_GET['u']);
}
"""),
    ("host f", "src/x.php", """<?php
function f() {
  $host = parse_url($_GET['u'], PHP_URL_HOST);
  if ($host !== 'example.com') { die(); }
  file_get_contents($_GET['u']);
}
"""),
    ("host g", "src/x.php", """<?php
function g() {
  $p = parse_url($_GET['u']);
  if ($p['host'] !== 'example.com') { die(); }
  file_get_contents($_GET['u']);
}
"""),
    ("host h", "src/x.php", """<?php
function h() {
  file_get_contents($_GET['u']); // BAD
}
"""),
    ("read again", "src/app.js", r"""
app.get("/b", (req, res) => {
  const { name } = req.params;
  if (!/^[\w-]+$/.test(name)) return res.sendStatus(400);
  fs.readFile(path.join("/data", name), cb);
  fs.readFile(path.join("/data", req.params.name), cb);
  fs.readFile(path.join("/data", req.params.other), cb); // BAD
});
app.get("/c", (req, res) => {
  const name = req.params.name.slice(1, 3);
  if (!/^[\w-]+$/.test(name)) return res.sendStatus(400);
  fs.readFile(path.join("/data", name), cb);
  fs.readFile(path.join("/data", req.params.name), cb); // BAD
});
app.get("/d", (req, res) => {
  const name = req.query.name;
  if (ALLOWED.includes(name)) {
    fs.readFile(path.join("/data", req.query.name), cb);
  }
  fs.readFile(path.join("/data", req.query.name), cb); // BAD
});
"""),
    ("read again", "x/x.go", """
package x
func b(c *gin.Context) {
    a := c.Query("a")
    if !regexp.MustCompile(`^[a-z]+$`).MatchString(a) {
        return
    }
    exec.Command("sh", "-c", "x "+a).Run()
    exec.Command("sh", "-c", "x "+c.Query("a")).Run()
    exec.Command("sh", "-c", "x "+c.Query("b")).Run() // BAD
}
"""),
    ("read again", "src/app.py", """
def a():
    name = request.args["name"]
    if name not in NAMES:
        abort(404)
    os.system("x " + request.args["name"])
    os.system("x " + request.args["other"])  # BAD
def b():
    both = request.args["name"] + request.args["other"]
    if both not in NAMES:
        abort(404)
    os.system("x " + request.args["name"])  # BAD
"""),
    ("read again", "src/x.php", """<?php
function a() {
  $name = $_GET['name'];
  if (!ctype_alnum($name)) { die(); }
  system('x ' . $_GET['name']);
  system('x ' . $_GET['other']); // BAD
}
"""),
]  # fmt: skip


@for_each(EXAMPLES, lambda row: row[0])
def test_run_rules__tells_the_marked_lines_alone(row: tuple[str, str, str]):
    _, path, code = row
    hits = run_rules(make_source(code, path=path), MemoryResolver())
    posted = {hit.start_line for hit in hits if hit.confidence is not Confidence.LOW}
    assert sorted(posted) == marked_lines(code)
