from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.rules.path_traversal import RULE

REPORTED = {
    "join and read": """
        app.get('/f/:name', (req, res) => {
          const file = path.join(__dirname, 'up', req.params.name);
          fs.readFile(file, (err, data) => res.send(data)); // BAD
        });
        """,
    "send file": """
        app.get('/f', (req, res) => {
          res.sendFile('/srv/files/' + req.query.name); // BAD
        });
        """,
    "download": """
        router.get('/d', (req, res) => res.download(`./reports/${req.query.file}`)); // BAD
        """,
    "promises": """
        async function read(req) {
          const { name } = req.body;
          return await fs.promises.readFile(path.resolve(BASE, name), 'utf8'); // BAD
        }
        """,
    "unlink": """
        const remove = (req, res) => fs.unlinkSync(UPLOADS + '/' + req.body.file); // BAD
        """,
    "stream": """
        http.createServer((req, res) => {
          fs.createReadStream('public' + req.url).pipe(res); // BAD
        });
        """,
    "dots replaced": """
        function f(req) {
          const n = req.query.n.replace('../', '');
          return fs.readFileSync(path.join(BASE, n)); // BAD
        }
        """,
    "extension only": """
        function f(req) {
          if (!ALLOWED.includes(path.extname(req.query.n))) { return; }
          return fs.readFileSync(path.join(BASE, req.query.n)); // BAD
        }
        """,
    "check does not stop": """
        function f(req) {
          const p = path.resolve(BASE, req.query.n);
          if (!p.startsWith(BASE + path.sep)) { console.warn('outside'); }
          return fs.readFileSync(p); // BAD
        }
        """,
    "koa": """
        const f = async (ctx) => { ctx.body = await fs.promises.readFile('data/' + ctx.params.id); }; // BAD
        """,
    "name that was sent with an upload": """
        app.post("/photo", upload.single("photo"), (req, res) => {
          fs.renameSync(req.file.path, "./photos/" + req.file.originalname); // BAD
        });
        """,
    "members of archives": """
        function unpack(zip, out) {
          zip.getEntries().forEach((entry) => {
            fs.writeFileSync(path.join(out, entry.entryName), entry.getData()); // BAD
          });
        }
        """,
    "name of a file": """
        async function download(folder, remoteFileName) {
          return fs.readFileSync(path.join(folder, remoteFileName)); // BAD
        }
        """,
    "view": """
        app.get("/:page", (req, res) => res.render(req.params.page)); // BAD
        """,
}
QUIET = {
    "other names": """
        async function download(userName) { return fs.readFileSync(path.join(HOME, userName)); }
        async function download(fileName) { return fs.readFileSync(path.join(HOME, path.basename(fileName))); }
        """,
    "members of archives": """
        function unpack(zip, out) {
          zip.getEntries().forEach((entry) => {
            fs.writeFileSync(path.join(out, path.basename(entry.entryName)), entry.getData());
          });
        }
        reader.on("entry", (entry) => {
          const to = path.resolve(out, entry.path);
          if (!to.startsWith(out + path.sep)) throw new Error("outside");
          entry.pipe(fs.createWriteStream(to));
        });
        """,
    "entries of a folder": """
        for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
          fs.copyFileSync(path.join(folder, entry.name), path.join(out, entry.name));
        }
        """,
    "views": """
        app.get("/:page", (req, res) => res.render("page", { page: req.params.page }));
        app.get("/:page", (req, res) => res.render(PAGES[req.params.page] ? "known" : "unknown"));
        """,
    "where the server keeps an upload": """
        app.post("/photo", upload.single("photo"), async (req, res) => {
          const kept = req.file.path;
          const text = fs.readFileSync(kept, "utf8");
          fs.unlinkSync(req.file.path);
          const photo = await save(req.file.originalname);
          fs.renameSync(req.file.path, `./photos/${photo._id}`);
        });
        """,
    "constant": "fs.readFileSync(path.join(__dirname, 'a.txt'));\n",
    "basename": "const f = (req) => fs.readFileSync(path.join(BASE, path.basename(req.query.n)));\n",
    "root": "const f = (req, res) => res.sendFile(req.params.name, { root: BASE });\n",
    "contained": (
        "function f(req) { "
        "const p = path.resolve(BASE, req.query.n); "
        "if (!p.startsWith(BASE + path.sep)) { "
        "throw new Error('x'); "
        "} return fs.readFileSync(p); "
        "}\n"
    ),
    "relative": (
        "function f(req) { "
        "const p = path.resolve(BASE, req.query.n); "
        "if (path.relative(BASE, p).startsWith('..')) { "
        "return null; "
        "} return fs.readFileSync(p); "
        "}\n"
    ),
    "dots refused": (
        "function f(req) { "
        "const n = req.query.n; "
        "if (n.includes('..')) { "
        "return; "
        "} return fs.readFileSync(path.join(BASE, n)); "
        "}\n"
    ),
    "number": "const f = (req) => fs.readFileSync(`data/${Number(req.params.id)}.json`);\n",
    "allow-list": (
        "function f(req) { "
        "const n = req.query.n; "
        "if (!FILES.has(n)) return; "
        "return fs.readFileSync(path.join(BASE, n)); "
        "}\n"
    ),
    "pattern": (
        "function f(req) { "
        "const n = req.query.n; "
        "if (!/^[a-z0-9]+$/.test(n)) return; "
        "return fs.readFileSync(path.join(BASE, n)); "
        "}\n"
    ),
    "command line": "fs.readFileSync(process.argv[2]);\n",
    "plain parameter": "function load(file) { return fs.readFileSync(file); }\n",
    "content": "const f = (req) => fs.writeFileSync(TARGET, req.body.text);\n",
    "not a file": "const f = (req) => cache.open(req.query.n);\n",
    "broken code": "const f = (req => fs.readFileSync(path.join(BASE, 'a');\n",
}


@pytest.mark.parametrize("code", REPORTED.values(), ids=REPORTED)
def test_check__reports(code: str):
    hits = run(RULE, code, path="src/app.js")
    assert lines_of(hits) == marked_lines(code)
    assert {(hit.category, hit.cwe) for hit in hits} == {("path-traversal", 22)}


@pytest.mark.parametrize("code", QUIET.values(), ids=QUIET)
def test_check__is_quiet(code: str):
    assert run(RULE, code, path="src/app.ts") == []
