from __future__ import annotations

from rule_tables import lines_of, marked_lines, run
from tables import for_each

from devpulse.core.categories import Confidence
from devpulse.core.rules.path_traversal import RULE

REPORTED = {
    "parts of a path behind a folder": """
        @cherrypy.expose
        def cover(self, *args):
            return serve_file(path=os.path.join(COVERS, *args), content_type="image/png")  # BAD
        """,
    "stored session": """
        def forget(self, sid):
            os.unlink(os.path.join(self.path, sid))  # BAD
        """,
    "body of a route": """
        @router.post("/shelves/open")
        async def show(request: OpenShelfRequest):
            return FileResponse(os.path.join(SHELVES, request.title))  # BAD
        """,
    "name that is another's": """
        @app.get("/{name}")
        def show(name: str, other: str):
            if os.path.basename(other) != name:
                log(name)
            return FileResponse(os.path.join(PAGES, other))  # BAD
        """,
    "beginning of a name": """
        async def keep(file: UploadFile):
            begins, ends = os.path.splitext(file.filename)
            with open("kept/" + begins + "-1" + ends, "wb") as target:  # BAD
                target.write(await file.read())
        """,
    "folder of a path": """
        def show():
            asked = Path("pages") / Path(request.args["page"]).parent
            return asked.read_text()  # BAD
        """,
    "part between other separators": """
        def show():
            return open("pages/" + request.args["page"].split("|")[-1]).read()  # BAD
        """,
    "asked for and opened": """
        @app.get("/{name}")
        def show(name: str):
            path = os.path.join(PAGES, name)
            if not os.path.exists(path):
                raise HTTPException(404)
            return FileResponse(path)  # BAD
        """,
    "asked for only": """
        @app.get("/{name}")
        def has(name: str):
            return os.path.exists(os.path.join(PAGES, name))  # BAD
        """,
    "parts of a form": """
        async def keep(request):
            reader = await request.multipart()
            part = await reader.next()
            with open(os.path.join("kept", part.filename), "wb") as target:  # BAD
                target.write(await part.read())
        """,
}
QUIET = {
    "parts of a path that are shown to be below": """
        @cherrypy.expose
        def cover(self, *args):
            path = os.path.join(COVERS, *args)
            if not is_subdir(path, COVERS):
                return None
            return serve_file(path=path, content_type="image/png")
        """,
    "function of the program that serves": """
        @bp.route("/<path:path>")
        def show(path):
            return serve_file(path)
        """,
    "session by its place": """
        def forget(self, place):
            os.unlink(os.path.join(self.path, place))
        """,
    "field of a request of HTTP": """
        @router.post("/shelves/open")
        async def show(request: Request):
            return FileResponse(os.path.join(SHELVES, request.title))
        """,
    "request that no route has": """
        async def show(request: OpenShelfRequest):
            return FileResponse(os.path.join(SHELVES, request.title))
        """,
    "name that is nothing else": """
        @app.get("/{name}")
        def show(name: str, other: str):
            if os.path.basename(name) != name or Path(other).name != other:
                raise HTTPException(400)
            return [FileResponse(os.path.join(PAGES, name)), FileResponse(os.path.join(PAGES, other))]
        """,
    "name of a list of the folder": """
        def show():
            name = request.args["page"]
            if name not in os.listdir("pages"):
                abort(404)
            return send_file(os.path.join("pages", name))
        """,
    "name of a path": """
        async def keep(file: UploadFile):
            target = Path("kept") / Path(file.filename).name
            target.write_bytes(await file.read())
        """,
    "name of a path that is kept": """
        def show():
            asked = Path(request.args["page"])
            return open(os.path.join("pages", asked.name)).read()
        """,
    "ending of a path": """
        async def keep(file: UploadFile):
            with open("kept/" + uuid4().hex + Path(file.filename).suffix, "wb") as target:
                target.write(await file.read())
        """,
    "ending of a name": """
        async def keep(file: UploadFile):
            ending = os.path.splitext(file.filename)[1]
            with open("kept/" + uuid4().hex + ending, "wb") as target:
                target.write(await file.read())
        """,
    "ending of a name, taken apart": """
        async def keep(file: UploadFile):
            _, ending = os.path.splitext(file.filename)
            with open(f"kept/{uuid4()}{ending}", "wb") as target:
                target.write(await file.read())
        """,
    "part behind the last dot": """
        def keep():
            file = request.files["file"]
            ending = file.filename.rsplit(".", 1)[1].lower()
            other = file.filename.split(".")[-1]
            file.save(os.path.join("kept", f"{uuid4()}.{ending}"))
            file.save(os.path.join("kept", f"{uuid4()}.{other}"))
        """,
    "name of an upload of Django": """
        def keep(request):
            file = request.FILES["file"]
            with open(os.path.join(settings.MEDIA_ROOT, file.name), "wb") as target:
                target.write(file.read())
        """,
}


@for_each(REPORTED.values())
def test_check__reports(code: str) -> None:
    hits = [hit for hit in run(RULE, code) if hit.confidence is not Confidence.LOW]
    assert lines_of(hits) == marked_lines(code)


@for_each(QUIET.values())
def test_check__is_quiet(code: str) -> None:
    assert [hit for hit in run(RULE, code) if hit.confidence is not Confidence.LOW] == []
