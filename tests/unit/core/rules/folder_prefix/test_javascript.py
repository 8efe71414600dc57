from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.rules.javascript.folder_prefix import RULE

REPORTED = {
    "starts with": """
        const fs = require("fs");
        function load(name) {
          const full = path.join(STORE, name);
          if (!full.startsWith(STORE)) throw new Error("outside"); // BAD
          return fs.readFileSync(full);
        }
        """,
    "index, of a field": """
        entry.on("data", () => {
          var target = path.join(options.dest, entry.path);
          if (target.indexOf(options.dest) != 0) return; // BAD
          entry.pipe(fs.createWriteStream(target));
        });
        """,
    "cut off": """
        Server.prototype.serve = function (path, res) {
          var root = this.root;
          path = normalize(join(root, path));
          if (path.substr(0, root.length) !== root) return this.fail(403); // BAD
          fs.createReadStream(path).pipe(res);
        };
        """,
    "last index, over lines": """
        export const open = (base, file) => {
          const home = resolve(base);
          const wanted = resolve(
            home,
            file,
          );
          return wanted.lastIndexOf(home, 0) === 0 ? fs.readFile(wanted) : null; // BAD
        };
        """,
    "own function for paths": """
        const prefix = path.resolve(config.uploads);
        const remove = async (file) => {
          const full = getFullPath(file);
          return full.startsWith(prefix) && fs.promises.unlink(full); // BAD
        };
        """,
    "pattern made of the folder": """
        Files.prototype.show = function (name, req, res) {
          const full = this.resolve(name);
          if (!new RegExp('^' + this.root).test(full)) return res.end(); // BAD
          fs.createReadStream(full).pipe(res);
        };
        """,
    "who is refused": """
        function show(name) {
          const full = path.join(HOME, name);
          if (!full.startsWith(HOME)) return this.fail(403); // BAD
          return fs.stat(full);
        }
        """,
}

QUIET = {
    "pattern of something else": """
        Files.prototype.show = function (name, req, res) {
          const full = this.resolve(name);
          if (!new RegExp('^' + this.scheme).test(full)) return res.end();
          fs.createReadStream(full).pipe(res);
        };
        """,
    "pattern with a separator": """
        Files.prototype.show = function (name, req, res) {
          const full = this.resolve(name);
          if (!new RegExp('^' + this.root + '/').test(full)) return res.end();
          fs.createReadStream(full).pipe(res);
        };
        """,
    "with a separator": """
        function load(name) {
          const full = path.join(STORE, name);
          if (!full.startsWith(STORE + path.sep)) throw new Error("outside");
          return fs.readFileSync(full);
        }
        """,
    "cut off with a separator": """
        function serve(name) {
          const full = path.join(root, name);
          if (full.slice(0, root.length + 1) !== root + path.sep) return null;
          return fs.readFileSync(full);
        }
        """,
    "folder ends in a separator": """
        const root = path.normalize(options.root + path.sep);
        function serve(name) {
          const full = path.join(root, name);
          if (full.indexOf(root) !== 0) return null;
          return fs.readFileSync(full);
        }
        """,
    "constant folder with a slash": """
        const root = path.join(__dirname, "public/");
        function serve(name) {
          const full = path.join(root, name);
          if (full.indexOf(root) !== 0) return null;
          return fs.readFileSync(full);
        }
        """,
    "asks for the rest as well": """
        function serve(name) {
          const full = path.join(root, name);
          if (!full.startsWith(root) || (full.length > root.length && !full.startsWith(`${root}/`))) return null;
          return fs.readFileSync(full);
        }
        """,
    "relative": """
        function serve(name) {
          const full = path.resolve(root, name);
          if (path.relative(root, full).startsWith(up)) return null;
          return fs.readFileSync(full);
        }
        """,
    "shortened to be shown": """
        function show(file) {
          let full = path.resolve(cwd, file);
          if (full.startsWith(cwd)) full = full.slice(cwd.length + 1);
          console.log(full, fs.existsSync(full));
        }
        """,
    "of constants": """
        function serve() {
          const full = path.join(root, "index.html");
          if (!full.startsWith(root)) return null;
          return fs.readFileSync(full);
        }
        """,
    "no path": """
        function run(name) {
          const full = `${prefix}-${name}`;
          if (!full.startsWith(prefix)) return null;
          return fs.readFileSync(full);
        }
        """,
    "no files": """
        function route(name) {
          const full = path.join(base, name);
          if (!full.startsWith(base)) return null;
          return router.go(full);
        }
        """,
}


@pytest.mark.parametrize("code", REPORTED.values(), ids=REPORTED)
def test_check__reports(code: str) -> None:
    assert lines_of(run(RULE, code, path="src/serve.js")) == marked_lines(code)


@pytest.mark.parametrize("code", QUIET.values(), ids=QUIET)
def test_check__is_quiet(code: str) -> None:
    assert run(RULE, code, path="src/serve.js") == []
