from __future__ import annotations

from rule_tables import MemoryResolver, make_source, marked_lines
from tables import for_each

from devpulse.core.categories import Confidence
from devpulse.core.rules import run_rules

# Routes of today's frameworks with lines that are told beside such that are not.
EXAMPLES = [
    ("fastapi", "src/app.py", """
from fastapi import FastAPI, Request, Query
from fastapi.responses import HTMLResponse, RedirectResponse, FileResponse
app = FastAPI()
@app.get("/a", response_class=HTMLResponse)
async def a(n: str):
    return f"<p>{n}</p>"  # BAD
@app.get("/a2")
async def a2(n: str):
    return {"n": n}
@app.get("/a3")
async def a3(n: str):
    return HTMLResponse(f"<p>{html.escape(n)}</p>")
@app.get("/b")
async def b(to: str):
    return RedirectResponse(to)  # BAD
@app.get("/b2")
async def b2(to: str):
    return RedirectResponse(url="/x?to=" + quote(to))
@app.get("/c/{f:path}")
async def c(f: str):
    return FileResponse("/data/" + f)  # BAD
@app.get("/c2/{f}")
async def c2(f: str):
    p = (BASE / f).resolve()
    if not p.is_relative_to(BASE):
        raise HTTPException(404)
    return FileResponse(p)
@app.post("/d")
async def d(item: Item, session: AsyncSession = Depends(get_session)):
    await session.execute(text(f"select * from t where a = '{item.a}'"))  # BAD
    await session.execute(text("select * from t where a = :a"), {"a": item.a})
    await session.execute(select(T).where(T.a == item.a))
@app.get("/e")
async def e(u: str):
    async with httpx.AsyncClient() as client:
        r = await client.get(u)  # BAD
        r = await client.get("https://api.example.com/", params={"u": u})
    return r.json()
@app.post("/f")
async def f(file: UploadFile):
    with open(f"/data/{file.filename}", "wb") as out:  # BAD
        out.write(await file.read())
@app.post("/f2")
async def f2(file: UploadFile):
    with open(f"/data/{uuid4()}.png", "wb") as out:
        out.write(await file.read())
@app.get("/g")
async def g(cmd: str):
    await asyncio.create_subprocess_shell("ls " + cmd)  # BAD
    await asyncio.create_subprocess_exec("ls", cmd)
@app.get("/h")
async def h(request: Request):
    q = request.query_params["q"]
    return templates.TemplateResponse("x.html", {"request": request, "q": q})
@app.get("/i")
async def i(t: str):
    return HTMLResponse(Template(t).render())  # BAD
"""),
    ("starlette", "src/app.py", """
async def a(request):
    return HTMLResponse("<p>" + request.query_params["n"])  # BAD
async def b(request):
    return RedirectResponse(request.query_params.get("to"))  # BAD
async def c(request):
    return FileResponse("/data/" + request.path_params["f"])  # BAD
async def d(request):
    form = await request.form()
    await database.execute(f"insert into t values ('{form['a']}')")  # BAD
    await database.execute("insert into t values (:a)", {"a": form["a"]})
    return PlainTextResponse(form["a"])
"""),
    ("litestar", "src/app.py", """
from litestar import get, post, MediaType
from litestar.response import Redirect, File
@get("/a", media_type=MediaType.HTML)
async def a(n: str) -> str:
@get("/b")
async def b(to: str) -> Redirect:
    return Redirect(path=to)  # BAD
@get("/c")
async def c(f: str) -> File:
    return File(path="/data/" + f)  # BAD
@get("/d")
async def d(n: str) -> dict:
    return {"n": n}
@post("/e")
async def e(data: dict, db: Connection) -> None:
    await db.execute(f"delete from t where a = '{data['a']}'")  # BAD
"""),
    ("sanic", "src/app.py", """
from sanic import Sanic, response
app = Sanic("x")
@app.get("/a")
async def a(request):
    return response.html("<p>" + request.args.get("n"))  # BAD
@app.get("/b")
async def b(request):
    return response.redirect(request.args.get("to"))  # BAD
@app.get("/c")
async def c(request):
    return await response.file("/data/" + request.args.get("f"))  # BAD
@app.get("/d")
async def d(request):
    return response.text(request.args.get("n"))
@app.post("/e")
async def e(request):
    os.system("ls " + request.json["d"])  # BAD
    return response.json({})
"""),
    ("aiohttp", "src/app.py", """
from aiohttp import web, ClientSession
async def a(request):
    return web.Response(text="<p>" + request.query["n"], content_type="text/html")  # BAD
async def a2(request):
    return web.Response(text=request.query["n"])
async def b(request):
    raise web.HTTPFound(request.query["to"])  # BAD
async def b2(request):
    raise web.HTTPFound(location="/home")
async def c(request):
    return web.FileResponse("/data/" + request.match_info["f"])  # BAD
async def d(request):
    data = await request.post()
    async with ClientSession() as session:
        async with session.get(data["url"]) as r:  # BAD
            return web.json_response(await r.json())
async def e(request):
    data = await request.json()
    async with pool.acquire() as conn:
        await conn.fetch(f"select * from t where a = '{data['a']}'")  # BAD
        await conn.fetch("select * from t where a = $1", data["a"])
"""),
    ("quart", "src/app.py", """
from quart import Quart, request, redirect, send_file
app = Quart(__name__)
@app.route("/a")
async def a():
    return "<p>" + request.args["n"]  # BAD
@app.route("/b")
async def b():
    return redirect(request.args["to"])  # BAD
@app.route("/c")
async def c():
    return await send_file("/data/" + request.args["f"])  # BAD
@app.route("/d", methods=["POST"])
async def d():
    form = await request.form
    data = await request.get_json()
    os.system("ls " + form["d"])  # BAD
    os.system("ls " + data["d"])  # BAD
    return await render_template("x.html", d=form["d"])
"""),
    ("django", "src/app.py", """
from django.http import HttpResponse, HttpResponseRedirect, FileResponse, JsonResponse
from django.shortcuts import redirect, render
def a(request):
    return HttpResponse("<p>" + request.GET["n"])  # BAD
def a2(request):
    return HttpResponse("<p>" + escape(request.GET["n"]))
def a3(request):
    return HttpResponse(request.GET["n"], content_type="text/plain")
def a4(request):
    return JsonResponse({"n": request.GET["n"]})
def a5(request):
    return HttpResponse(format_html("<p>{}</p>", request.GET["n"]))
def a6(request):
    return HttpResponse(mark_safe("<p>" + request.GET["n"]))  # BAD
def b(request):
    return redirect(request.GET.get("next"))  # BAD
def b2(request):
    n = request.GET.get("next")
    if not url_has_allowed_host_and_scheme(n, allowed_hosts={request.get_host()}):
        n = "/"
    return redirect(n)
def b3(request):
    return HttpResponseRedirect(request.POST["next"])  # BAD
def c(request):
    return FileResponse(open(os.path.join("/data", request.GET["f"]), "rb"))  # BAD
def d(request):
    User.objects.raw("select * from u where n = '%s'" % request.GET["n"])  # BAD
    User.objects.raw("select * from u where n = %s", [request.GET["n"]])
    User.objects.extra(where=["n = '%s'" % request.GET["n"]])  # BAD
    User.objects.filter(n=request.GET["n"])
    User.objects.filter(**request.GET.dict())
    User.objects.order_by(request.GET["s"])
    with connection.cursor() as cur:
        cur.execute("select * from u where n = '" + request.GET["n"] + "'")  # BAD
        cur.execute("select * from u where n = %s", [request.GET["n"]])
def e(request):
    pickle.loads(base64.b64decode(request.COOKIES["x"]))  # BAD
    yaml.load(request.body)  # BAD
    yaml.safe_load(request.body)
    yaml.load(request.body, Loader=yaml.SafeLoader)
def f(request):
    Template(request.POST["t"]).render(Context({}))  # BAD
def g(request):
    requests.get(request.GET["u"])  # BAD
    requests.get("https://api.example.com/" + request.GET["u"])
    urllib.request.urlopen(request.GET["u"])  # BAD
def h(request):
    f = request.FILES["f"]
    default_storage.save(f.name, f)
    with open("/data/" + f.name, "wb") as out:
        out.write(f.read())
def i(request):
    etree.fromstring(request.body, etree.XMLParser(resolve_entities=True))  # BAD
    etree.fromstring(request.body, etree.XMLParser(resolve_entities=False))
    ET.fromstring(request.body)
"""),
    ("litestar", "src/app.py", """
from litestar import get, MediaType
@get("/a", media_type=MediaType.HTML)
async def a(n: str) -> str:
    return f"<p>{n}</p>"  # BAD
@get("/b")
async def b(n: str) -> str:
    return f"<p>{n}</p>"
@get("/c", media_type="text/html")
async def c(n: str) -> str:
    return f"<p>{html.escape(n)}</p>"
"""),
]  # fmt: skip


@for_each(EXAMPLES, lambda row: row[0])
def test_run_rules__tells_the_marked_lines_alone(row: tuple[str, str, str]):
    _, path, code = row
    hits = run_rules(make_source(code, path=path), MemoryResolver())
    posted = {hit.start_line for hit in hits if hit.confidence is not Confidence.LOW}
    assert sorted(posted) == marked_lines(code)
