from __future__ import annotations

from rule_tables import marked_lines, posted_lines
from tables import for_each

from devpulse.core.flow.engine import analyse
from devpulse.core.flow.parts import MAX_WITHIN, Parts
from devpulse.core.flow.values import Ask, Level, Origin, Value, asking, tainted
from devpulse.core.rules import command_injection, path_traversal

RULES = {"path": path_traversal.RULE, "command": command_injection.RULE}
# Each with lines that are told and neighbours that are not.
EXAMPLES = [
    ("path", "js.js", """
        app.get("/a", (req, res) => {
          const base = path.resolve("/data");
          const full = path.resolve(base, req.query.name);
          if (!full.startsWith(base + path.sep)) return res.end();
          fs.readFile(path.join("/data", req.query.theme), cb); // BAD
          fs.readFile(full, cb);
        });
        app.get("/b", (req, res) => {
          if (req.query.name.includes("..")) return res.end();
          fs.readFile(path.join("/data", req.query.theme), cb); // BAD
          fs.readFile(path.join("/data", req.query.name), cb);
        });
        app.get("/c", (req, res) => {
          const { name, theme } = req.query;
          if (name.includes("..")) return res.end();
          fs.readFile(path.join("/data", theme), cb); // BAD
          fs.readFile(path.join("/data", name), cb);
          fs.readFile(path.join("/data", req.query.name), cb);
        });
        """),
    ("path", "whole.js", """
        app.get("/a", (req, res) => {
          if (req.params.file.includes("..")) return res.end();
          const { file } = req.params;
          fs.readFile(path.join("/data", file), cb);
        });
        app.get("/b", (req, res) => {
          const name = req.body.user.avatar;
          if (name.includes("..")) return res.end();
          fs.readFile(path.join("/data", req.body.user.avatar), cb);
          fs.readFile(path.join("/data", req.body.user.banner), cb); // BAD
        });
        """),
    ("path", "app.py", """
        def show():
            name, theme = request.args.get("name"), request.args.get("theme")
            if ".." in name:
                return "no"
            open("/data/" + name)
            open("/data/" + theme)  # BAD
        def load():
            sent = request.get_json()
            if ".." in sent["name"]:
                return "no"
            open("/data/" + sent["name"])
            open("/data/" + sent["theme"])  # BAD
        def read():
            sent = request.get_json()
            if ".." in sent.get("name"):
                return "no"
            open("/data/" + sent.get("name"))
            open("/data/" + sent.get("theme"))  # BAD
        def each():
            for item in request.get_json()["files"]:
                if ".." in item["name"]:
                    return "no"
                open("/data/" + item["name"])
        """),
    ("path", "called.py", """
        def refuse(sent):
            if ".." in sent["name"]:
                abort(400)
        def show():
            sent = request.get_json()
            refuse(sent)
            open("/data/" + sent["name"])
            open("/data/" + sent["theme"])  # BAD
        def refuse_all(sent):
            if ".." in sent:
                abort(400)
        def show_all():
            sent = request.get_json()
            refuse_all(sent)
            open("/data/" + sent["name"])
        """),
    ("path", "given.py", """
        def store(sent):
            open("/data/" + sent["theme"])  # BAD
        def show():
            sent = request.get_json()
            if ".." in sent["name"]:
                return "no"
            store(sent)
        """),
    ("path", "members.py", """
        def unpack(file, target):
            with tarfile.open(file) as tar:
                for member in tar:
                    if ".." in member.name:
                        return
                for member in tar:
                    tar.extract(member, target)
        """),
    ("path", "x.go", """
        package x
        func show(w http.ResponseWriter, r *http.Request) {
            q := r.URL.Query()
            if strings.Contains(q.Get("name"), "..") {
                return
            }
            os.ReadFile("/data/" + q.Get("name"))
            os.ReadFile("/data/" + q.Get("theme")) // BAD
        }
        """),
    ("command", "app.py", """
        def run():
            if request.args.get("tool") not in ALLOWED:
                return "no"
            os.system("bin/" + request.args.get("tool"))
            os.system("bin/" + request.args.get("mode"))  # BAD
        """),
    ("command", "x.php", """<?php
        function run(Request $request) {
            if (!in_array($request->input('tool'), ['a', 'b'])) {
                abort(404);
            }
            system('bin/' . $request->input('tool'));
            system('bin/' . $request->input('mode')); // BAD
        }
        """),
]  # fmt: skip


@for_each(EXAMPLES, lambda row: f"{row[0]} {row[1]}")
def test_read_out__check_of_one_part_says_nothing_of_others(row: tuple[str, str, str]):
    rule, path, code = row
    assert sorted(posted_lines(RULES[rule], code, path=f"src/{path}")) == marked_lines(code)


def _taint(level: Level) -> Value:
    return tainted(Origin(1, level, "sent", 1))


def _ids(value: Value) -> list[int]:
    return [taint.origin.id for taint in value.taints]


def _parts() -> Parts:
    numbers = iter(range(100, 200))
    return Parts(lambda: next(numbers))


def test_read_out__same_name_is_same_part():
    parts, sent = _parts(), _taint(Level.REQUEST)
    name = parts.read_out(sent, "name")
    assert name.taints[0].origin.within == (1,)
    assert name.taints[0].origin.label == "sent"
    assert parts.read_out(sent, "name").taints[0].origin is name.taints[0].origin
    assert _ids(parts.read_out(sent, "theme")) != _ids(name) != _ids(sent)


@for_each((Level.UNKNOWN, Level.PARAMETER, Level.ARCHIVE), lambda level: level.name)
def test_read_out__of_what_is_hardly_to_be_distrusted_there_is_the_whole_only(level: Level):
    assert _ids(_parts().read_out(_taint(level), "name")) == [1]


def test_read_out__ends_at_a_depth():
    parts, value = _parts(), _taint(Level.REQUEST)
    for name in "abcdefgh":
        value = parts.read_out(value, name)
    assert len(value.taints[0].origin.within) == MAX_WITHIN


def test_read_out__clean_and_asked_for_stay():
    asked = asking(_taint(Level.REQUEST), Ask("look_at"))
    assert _parts().read_out(asked, "name") == asked
    assert _parts().read_out(Value(), "name") == Value()


def test_whole_of__is_what_a_part_was_read_out_of():
    parts = _parts()
    part = _ids(parts.read_out(parts.read_out(_taint(Level.REQUEST), "a"), "b"))[0]
    assert parts.whole_of(part, frozenset({1})) == 1
    assert parts.whole_of(part, frozenset({2})) is None
    assert parts.whole_of(1, frozenset({1})) is None


def test_analyse__object_of_many_parts_keeps_them_apart():
    names = ", ".join(f"k{n}: req.body.k{n}" for n in range(40))
    calls = analyse("javascript", f"app.post('/', (req, res) => {{ const o = {{ {names} }}; use(o.k39); }});").calls
    used = next(call for call in calls if call.callee == "use").arguments[0].value
    assert [taint.origin.label for taint in used.taints] == ["req.body"]
