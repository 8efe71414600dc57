from __future__ import annotations

import pytest
from rule_tables import MemoryResolver, lines_of, marked_lines, run

from devpulse.core.categories import Confidence
from devpulse.core.finding import HitKind
from devpulse.core.rules.path_traversal import RULE

REPORTED = {
    "a session that is kept in a file": """
        class FileSessions:
            def get(self, session_id):
                name = os.path.join(self.path, session_id)
                with open(name, "rb") as f:  # BAD
                    return json.load(f)
        """,
    "a tar archive beside another kind": """
        def unpack(path, target):
            if path.endswith(".zip"):
                with zipfile.ZipFile(path) as f:
                    f.extractall(target)
            elif tarfile.is_tarfile(path):
                with tarfile.open(path) as f:
                    f.extractall(target)  # BAD
        """,
    "root in a folder of a guest": """
        def put_key(key, fs):
            folder = os.path.join(fs, "root", ".ssh")
            utils.execute("mkdir", "-p", folder, run_as_root=True)  # BAD
        """,
    "whole archive": """
        def unpack(path, target):
            with tarfile.open(path) as tar:
                tar.extractall(target)  # BAD
        """,
    "members one by one": """
        def unpack(path, target):
            with tarfile.open(path) as tar:
                for member in tar:
                    tar.extract(member, target)  # BAD
        """,
    "whether it is there": """
        def known(request):
            return os.path.exists(os.path.join(FOLDER, request.GET["name"]))  # BAD
        """,
    "path object that is asked": """
        def known():
            return (pathlib.Path(FOLDER) / request.args["name"]).is_file()  # BAD
        """,
    "join and open": """
        @app.route("/files/<name>")
        def show(name):
            path = os.path.join(UPLOADS, name)
            return open(path).read()  # BAD
        """,
    "send file": """
        def download():
            return send_file("reports/" + request.args["file"])  # BAD
        """,
    "pathlib": """
        async def read(request):
            target = Path(BASE) / request.query_params["p"]
            return target.read_text()  # BAD
        """,
    "response of fastapi": """
        @router.get("/avatar/{name}")
        def avatar(name: str):
            return FileResponse(f"avatars/{name}")  # BAD
        """,
    "remove": """
        def delete():
            os.remove(os.path.join(ROOT, request.form.get("f")))  # BAD
        """,
    "dots stripped once": """
        def read_once():
            name = request.args["n"].replace("../", "")
            return open(os.path.join(ROOT, name))  # BAD
        """,
    "extension checked only": """
        def ext():
            name = request.args["n"]
            ext = name.rsplit(".", 1)[1]
            if ext not in ALLOWED:
                abort(400)
            return open(os.path.join(ROOT, name))  # BAD
        """,
    "prefix of a path that is not resolved": """
        def prefix():
            path = os.path.join(ROOT, request.args["n"])
            if not path.startswith(ROOT):
                abort(403)
            return open(path)  # BAD
        """,
    "check comes too late": """
        def late():
            path = os.path.realpath(os.path.join(ROOT, request.args["n"]))
            data = open(path).read()  # BAD
            if not path.startswith(ROOT + os.sep):
                abort(403)
            return data
        """,
    "members of an archive": """
        def unpack(stream, dest):
            with zipfile.ZipFile(stream) as archive:
                for info in archive.infolist():
                    with open(os.path.join(dest, info.filename), "wb") as out:  # BAD
                        out.write(archive.read(info))
        """,
    "uploaded name": """
        def upload():
            f = request.files["f"]
            f.save(os.path.join(UPLOADS, f.filename))  # BAD
        """,
    "parameter of a download function": """
        def download_attachment(bucket, filename, folder):
            target = os.path.join(folder, filename)
            with open(target, "wb") as out:  # BAD
                out.write(b"")
        """,
    "key of a store": """
        def fetch(self, key):
            return self.store.get(os.path.join(self.namespace, key))  # BAD
        """,
    "root in a tree of a guest": """
        def put_file(fs, path, data):
            target = os.path.join(fs, path.lstrip("/"))
            utils.execute("tee", target, process_input=data, run_as_root=True)  # BAD
        """,
    "part of the path of a handler": """
        class Files(RequestHandler):
            def get(self, name):
                with open(os.path.join(self.root, name), "rb") as file:  # BAD
                    self.write(file.read())
        """,
    "part of the path of a view": """
        class Download(View):
            def get(self, request, name):
                return FileResponse(open(os.path.join(settings.FILES, name), "rb"))  # BAD
        """,
}
QUIET = {
    "a session whose name is joined safely": """
        class FileSessions:
            def get(self, session_id):
                name = safe_join(self.path, session_id)
                with open(name, "rb") as f:
                    return json.load(f)

            def touch(self, session_id):
                if not session_id.isalnum():
                    raise ValueError
                open(os.path.join(self.path, session_id), "a").close()
        """,
    "another kind beside a tar archive": """
        def unpack(path, target):
            if tarfile.is_tarfile(path):
                with tarfile.open(path) as f:
                    f.extractall(target, filter="data")
            else:
                with zipfile.ZipFile(path) as f:
                    f.extractall(target)
        """,
    "compared with a separator at its end": """
        class Files(RequestHandler):
            def get(self, name):
                root = os.path.abspath(self.root) + os.path.sep
                target = os.path.abspath(os.path.join(root, name))
                if not (target + os.path.sep).startswith(root):
                    raise HTTPError(403)
                return open(target)
        """,
    "tree of a guest, resolved": """
        def put_file(fs, path, data):
            target = os.path.realpath(os.path.join(fs, path.lstrip("/")))
            if not target.startswith(os.path.realpath(fs) + os.sep):
                raise ValueError(path)
            utils.execute("tee", target, process_input=data, run_as_root=True)
        """,
    "tree of a guest, not as root": """
        def put_file(fs, path, data):
            utils.execute("tee", os.path.join(fs, path), process_input=data)
        """,
    "command that works on no file": """
        def look(fs):
            return utils.execute("findmnt", os.path.join(fs, "dev"), run_as_root=True)
        """,
    "archive with a filter": """
        def unpack(path, target):
            with tarfile.open(path) as tar:
                tar.extractall(target, filter="data")
        """,
    "archive looked at": """
        def unpack(path, target):
            with tarfile.open(path) as tar:
                for member in tar.getmembers():
                    if not is_inside(target, member.name):
                        raise ValueError(member.name)
                tar.extractall(target)
        """,
    "members verified in a loop before": """
        def unpack(path, target):
            with tarfile.open(path) as tar:
                for member in tar:
                    if ".." in member.name:
                        return
                for member in tar:
                    tar.extract(member, target)
        """,
    "asked before it is verified": """
        def known():
            path = os.path.realpath(os.path.join(FOLDER, request.args["name"]))
            if not os.path.isfile(path) or not path.startswith(FOLDER + os.sep):
                abort(404)
            return open(path).read()
        """,
    "zip": """
        def unpack(path, target):
            with zipfile.ZipFile(path) as archive:
                archive.extractall(target)
        """,
    "key of a cache that is a text": 'def f(self, key):\n    return self.store.get(f"users/{key}")\n',
    "key of a store that is normalised": (
        "def f(self, key):\n"
        "    path = os.path.normpath(os.path.join(self.namespace, key))\n"
        "    if not path.startswith(self.namespace):\n"
        "        raise ValueError(key)\n"
        "    return self.store.get(path)\n"
    ),
    "storage of a framework": 'def f():\n    storage.save(os.path.join("a", request.files["f"].filename), data)\n',
    "constant": 'def f():\n    return open(os.path.join(BASE, "a.txt"))\n',
    "basename": 'def f():\n    return open(os.path.join(B, os.path.basename(request.args["n"])))\n',
    "secure_filename": (
        'def f():\n    u = request.files["f"]\n    u.save(os.path.join(B, secure_filename(u.filename)))\n'
    ),
    "safe_join": 'def f():\n    return open(safe_join(B, request.args["n"]))\n',
    "send_from_directory": 'def f():\n    return send_from_directory(B, request.args["n"])\n',
    "contained": (
        "def f():\n"
        '    p = os.path.realpath(os.path.join(B, request.args["n"]))\n'
        "    if not p.startswith(B + os.sep):\n"
        "        abort(403)\n"
        "    return open(p)\n"
    ),
    "alias contained": (
        "def f():\n"
        '    p = os.path.join(B, request.args["n"])\n'
        "    if os.path.commonpath([B, os.path.realpath(p)]) != B:\n"
        "        raise ValueError\n"
        "    return open(p)\n"
    ),
    "relative to": (
        "def f():\n"
        '    p = (Path(B) / request.args["n"]).resolve()\n'
        "    if not p.is_relative_to(B):\n"
        "        raise ValueError\n"
        "    return p.read_bytes()\n"
    ),
    "relative_to raises": (
        'def f():\n    p = (Path(B) / request.args["n"]).resolve()\n    p.relative_to(B)\n    return p.read_bytes()\n'
    ),
    "parents": (
        "def f():\n"
        '    p = (Path(B) / request.args["n"]).resolve()\n'
        "    if ROOT not in p.parents:\n"
        "        raise ValueError\n"
        "    return p.open()\n"
    ),
    "dots refused": (
        "def f():\n"
        '    n = request.args["n"]\n'
        '    if ".." in n or n.startswith("/"):\n'
        "        abort(400)\n"
        "    return open(os.path.join(B, n))\n"
    ),
    "allow-list": (
        "def f():\n"
        '    n = request.args["n"]\n'
        "    if n not in os.listdir(B):\n"
        "        abort(404)\n"
        "    return open(os.path.join(B, n))\n"
    ),
    "number": 'def f():\n    return open(os.path.join(B, str(int(request.args["id"])) + ".txt"))\n',
    "pattern": (
        "def f():\n"
        '    n = request.args["n"]\n'
        '    if not re.fullmatch(r"[a-z0-9_-]+", n):\n'
        "        abort(400)\n"
        "    return open(os.path.join(B, n))\n"
    ),
    "command line": "def main():\n    return open(sys.argv[1]).read()\n",
    "plain parameter": "def load(path):\n    with open(path) as f:\n        return f.read()\n",
    "settings": "def load(self):\n    return open(os.path.join(self.root, self.name))\n",
    "content of a request": 'def f():\n    with open(PATH, "w") as out:\n        out.write(request.data)\n',
    "broken code": 'def f(:\n    return open(os.path.join(B, "a")\n',
    "in a branch that is contained": (
        "def f():\n"
        '    p = os.path.abspath(os.path.join(B, request.args["n"]))\n'
        "    if p.startswith(B + os.sep):\n"
        "        return open(p)\n"
        "    abort(404)\n"
    ),
}


@pytest.mark.parametrize("code", REPORTED.values(), ids=REPORTED)
def test_check__reports(code: str):
    hits = run(RULE, code)
    assert lines_of(hits) == marked_lines(code)
    assert all(hit.kind is HitKind.LEAD and hit.cwe in (22, 59) and hit.severity == "high" for hit in hits)


@pytest.mark.parametrize("code", QUIET.values(), ids=QUIET)
def test_check__is_quiet(code: str):
    assert run(RULE, code) == []


CHECKED = """
def show(name):
    full = os.path.join(BASE, request.args["n"])
    if not is_inside(full):
        abort(403)
    return open(full)
"""


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (None, [(Confidence.LOW, ("is_inside",))]),
        ("def is_inside(p):\n    return os.path.realpath(p).startswith(BASE + os.sep)\n", []),
        ("def is_inside(p):\n    return len(p) > 0\n", [(Confidence.HIGH, ())]),
    ],
    ids=["unknown", "checks", "checks nothing"],
)
def test_check__asks_the_guard(body: str | None, expected: list[tuple[Confidence, tuple[str, ...]]]):
    resolver = MemoryResolver({"is_inside": body} if body else {})
    assert [(hit.confidence, hit.asks) for hit in run(RULE, CHECKED, resolver=resolver)] == expected


def test_check__a_check_of_the_whole_says_less_than_one_of_the_part():
    code = 'def f():\n    data = request.json\n    {}\n    return open("keys/" + data["name"])\n'
    (whole,) = run(RULE, code.format("validate_data(data)"))
    (part,) = run(RULE, code.format('validate_name(data["name"])'))
    assert (whole.confidence, part.confidence) == (Confidence.MEDIUM, Confidence.LOW)


@pytest.mark.parametrize(
    ("base", "name"), [("RequestHandler", "page"), ("Cache", "key")], ids=["number of a handler", "get of a cache"]
)
def test_check__is_unsure_of_what_comes_out_of_no_path(base: str, name: str):
    (hit,) = run(
        RULE, f"class Kept({base}):\n    def get(self, {name}):\n        return open(join(self.root, {name}))\n"
    )
    assert hit.confidence is Confidence.LOW


def test_check__trusts_a_function_of_another_file_that_says_it_checks():
    code = """
        class Files(RequestHandler):
            def get(self, name):
                target = self.validated_path(self.root, name)
                return open(os.path.join(self.root, target))
        """
    (hit,) = run(RULE, code)
    assert hit.confidence is Confidence.LOW
