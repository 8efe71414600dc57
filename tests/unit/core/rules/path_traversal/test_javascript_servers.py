from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.categories import Confidence
from devpulse.core.rules.path_traversal import RULE

"""Servers of files, unpacked archives, and the checks in front of them."""

REPORTED = {
    "member of a zip": """
        const AdmZip = require("adm-zip");
        exports.unpack = (file, folder) => {
          for (const entry of new AdmZip(file).getEntries()) {
            fs.writeFileSync(path.join(folder, entry.entryName), entry.getData()); // BAD
          }
        };
        """,
    "member of a stream": """
        const unzipper = require("unzipper");
        source.pipe(unzipper.Parse()).on("entry", (entry) => {
          const name = entry.path;
          entry.pipe(fs.createWriteStream(path.join(folder, name))); // BAD
        });
        """,
    "header of a tar": """
        import tar from "tar-stream";
        unpack.on("entry", (header, stream, next) => {
          stream.pipe(fs.createWriteStream(`${folder}/${header.name}`)); // BAD
        });
        """,
    "server of an older class": """
        Server.prototype.serve = function (req, res) {
          this.send(decodeURI(url.parse(req.url).pathname), res);
        };
        Server.prototype.send = function (name, res) {
          fs.createReadStream(path.join(this.root, name)).pipe(res); // BAD
        };
        """,
    "reader that is given": """
        module.exports = async (request, response, handlers) => {
          const file = path.join(root, decodeURIComponent(url.parse(request.url).pathname));
          handlers.createReadStream(file).pipe(response); // BAD
        };
        """,
    "uploaded file is moved": """
        app.post("/photo", (req, res) => {
          req.files.photo.mv("./public/" + req.files.photo.name); // BAD
        });
        """,
    "nothing but a null character refused": """
        app.get("/f", (req, res) => {
          const file = path.join(ROOT, req.query.f);
          if (file.indexOf("\\0") !== -1) return res.end();
          fs.readFile(file, done); // BAD
        });
        """,
}
_CHECKS = {
    "begins at the root": "if (file.indexOf(ROOT) !== 0) return res.end();",
    "does not begin elsewhere": "if (!file.startsWith(ROOT + path.sep)) return res.end();",
    "first part is the root": "if (file.slice(0, ROOT.length) !== ROOT) return res.end();",
    "no dots": "if (file.indexOf('..') !== -1) return res.end();",
    "no dots, by a bit": "if (~file.indexOf('..')) return res.end();",
    "no dots, negative": "if (file.indexOf('..') >= 0) { throw new Error('dots'); }",
    "no dots, by a pattern": "if (/(^|\\/)\\.\\.(\\/|$)/.test(file)) return res.end();",
    "no dots, by a match": "if (file.match(/\\.\\.\\//)) return res.end();",
    "relative": "const rel = path.relative(ROOT, file); if (rel.indexOf('..') === 0) return res.end();",
}
QUIET = {
    **{
        name: f"""
        app.get("/f", (req, res) => {{
          const file = path.join(ROOT, req.query.f);
          {check}
          fs.readFile(file, done);
        }});
        """
        for name, check in _CHECKS.items()
    },
    "climbing taken away": """
        app.get("/f", (req, res) => {
          const name = path.normalize(req.query.f).replace(/^(\\.\\.[\\/\\\\])+/, "");
          fs.readFile(path.join(ROOT, name), done);
        });
        """,
    "member inside": """
        const AdmZip = require("adm-zip");
        exports.unpack = (file, folder) => {
          for (const entry of new AdmZip(file).getEntries()) {
            const target = path.join(folder, entry.entryName);
            if (!target.startsWith(folder + path.sep)) throw new Error("outside");
            fs.writeFileSync(target, entry.getData());
          }
        };
        """,
    "folder of the disk": """
        const tar = require("tar");
        for (const entry of fs.readdirSync(from, { withFileTypes: true })) {
          fs.writeFileSync(path.join(to, entry.name), fs.readFileSync(path.join(from, entry.name)));
        }
        """,
    "entry of a log": """
        const log = require("./log");
        log.on("entry", (entry) => fs.writeFileSync(path.join(folder, entry.name), entry.text));
        """,
    "member that is read": """
        const zip = require("jszip");
        exports.all = (folder) => list.map((entry) => fs.readFileSync(path.join(folder, entry.name)));
        """,
}


def posted(code: str, path: str = "lib/index.js"):
    return [hit for hit in run(RULE, code, path=path) if hit.confidence is not Confidence.LOW]


@pytest.mark.parametrize("code", REPORTED.values(), ids=REPORTED)
def test_check__reports(code: str):
    assert lines_of(posted(code)) == marked_lines(code)


@pytest.mark.parametrize("code", QUIET.values(), ids=QUIET)
def test_check__is_quiet(code: str):
    assert posted(code) == []
