from __future__ import annotations

from rule_tables import MemoryResolver, make_source, marked_lines
from tables import for_each

from devpulse.core.categories import Confidence
from devpulse.core.rules import run_rules

# Routes of today's frameworks with lines that are told beside such that are not.
EXAMPLES = [
    ("nest", "src/app.ts", """
import { Controller, Get, Query, Res, Body, Post, Param, Redirect } from "@nestjs/common";
@Controller("x")
export class X {
  constructor(private readonly ds: DataSource, private readonly repo: Repository<User>, private http: HttpService) {}
  @Get("a")
  a(@Query("n") n: string) {
    return this.ds.query(`select * from t where n = '${n}'`); // BAD
  }
  @Get("a2")
  a2(@Query("n") n: string) {
    return this.ds.query("select * from t where n = $1", [n]);
  }
  @Get("a3")
  a3(@Query("n") n: string) {
    return this.repo.createQueryBuilder("u").where(`u.name = '${n}'`).getMany(); // BAD
  }
  @Get("a4")
  a4(@Query("n") n: string) {
    return this.repo.createQueryBuilder("u").where("u.name = :n", { n }).getMany();
  }
  @Get("a5")
  a5(@Query("sort") sort: string) {
    return this.repo.createQueryBuilder("u").orderBy(sort).getMany();
  }
  @Get("b")
  b(@Query("to") to: string, @Res() res: Response) {
    return res.redirect(to); // BAD
  }
  @Get("b2")
  @Redirect()
  b2(@Query("to") to: string) {
  }
  @Get("c/:f")
  c(@Param("f") f: string, @Res() res: Response) {
    res.sendFile("/data/" + f); // BAD
  }
  @Get("c2")
  c2(@Query("f") f: string) {
    return new StreamableFile(createReadStream(join("/data", f))); // BAD
  }
  @Get("c3")
  c3(@Query("f") f: string) {
    return new StreamableFile(createReadStream(join("/data", basename(f))));
  }
  @Post("d")
  d(@Body() body: CreateDto) {
    return this.http.get(body.url); // BAD
  }
  @Post("e")
  e(@Body("cmd") cmd: string) {
    exec(`convert ${cmd}`); // BAD
    execFile("convert", [cmd]);
  }
  @Get("f")
  @Header("content-type", "text/html")
  f(@Query("n") n: string) {
    return `<p>${n}</p>`; // BAD
  }
}
"""),
    ("next", "src/app.ts", """
import { NextRequest, NextResponse } from "next/server";
import { redirect } from "next/navigation";
export async function GET(request: NextRequest) {
  const to = request.nextUrl.searchParams.get("to");
  return NextResponse.redirect(to); // BAD
}
export async function POST(request: Request) {
  const { q, url, file } = await request.json();
  const rows = await prisma.$queryRawUnsafe(`select * from t where a = '${q}'`); // BAD
  const ok = await prisma.$queryRaw`select * from t where a = ${q}`;
  const ok2 = await sql`select * from t where a = ${q}`;
  const r = await fetch(url); // BAD
  const r2 = await fetch(`https://api.example.com/${encodeURIComponent(url)}`);
  const data = await fs.readFile(path.join(process.cwd(), "data", file)); // BAD
  return new Response(`<h1>${q}</h1>`, { headers: { "content-type": "text/html" } }); // BAD
}
export async function PUT(request: Request, { params }: { params: { id: string } }) {
  const rows = await db.execute(`delete from t where id = ${params.id}`); // BAD
  return Response.json({ id: params.id });
}
export async function PATCH(request: Request) {
  const form = await request.formData();
  const name = form.get("name");
  await pool.query("update t set n = '" + name + "'"); // BAD
  redirect(form.get("to")); // BAD
}
export async function DELETE(request: Request) {
  const { searchParams } = new URL(request.url);
}
"""),
    ("nextpage", "src/app.ts", """
export default function handler(req: NextApiRequest, res: NextApiResponse) {
  res.redirect(req.query.to as string); // BAD
}
export async function getServerSideProps(ctx) {
  const r = await fetch(ctx.query.url); // BAD
  return { redirect: { destination: ctx.query.to, permanent: false } }; // BAD
}
"""),
    ("nextaction", "app/page.tsx", """
"use server";
export async function save(formData: FormData) {
  const name = formData.get("name");
  await db.query(`insert into t values ('${name}')`); // BAD
  await db.query("insert into t values ($1)", [name]);
}
export default function Page({ searchParams }) {
  return <div dangerouslySetInnerHTML={{ __html: searchParams.q }} />; // BAD
}
"""),
    ("fastify", "src/app.js", """
const fastify = require("fastify")();
fastify.get("/a", async (request, reply) => {
  return reply.redirect(request.query.to); // BAD
});
fastify.get("/b", async (request, reply) => {
  reply.type("text/html").send(`<p>${request.query.n}</p>`); // BAD
});
fastify.get("/b2", async (request, reply) => {
  reply.send(`<p>${request.query.n}</p>`);
});
fastify.get("/c", async (request, reply) => {
  return reply.sendFile(request.query.f);
});
fastify.post("/d", async (request, reply) => {
  const { rows } = await fastify.pg.query("select * from t where a = '" + request.body.a + "'"); // BAD
  const ok = await fastify.pg.query("select * from t where a = $1", [request.body.a]);
  return rows;
});
fastify.get("/e", async (request, reply) => {
  const s = fs.createReadStream("/data/" + request.params["*"]); // BAD
  return reply.send(s);
});
fastify.get("/f", async (request, reply) => {
  const r = await axios.get(request.query.u); // BAD
  const q = await axios.get("https://api.example.com/x", { params: { u: request.query.u } });
  const g = await got(request.query.u); // BAD
  const h = await undici.request(request.query.u); // BAD
  return r.data;
});
"""),
    ("hono", "src/app.js", """
import { Hono } from "hono";
const app = new Hono();
app.get("/a", (c) => c.html(`<p>${c.req.query("n")}</p>`)); // BAD
app.get("/a2", (c) => c.text(c.req.query("n")));
app.get("/a3", (c) => c.html(html`<p>${c.req.query("n")}</p>`));
app.get("/b", (c) => c.redirect(c.req.query("to"))); // BAD
app.get("/c", async (c) => {
  const body = await c.req.json();
  await c.env.DB.prepare(`select * from t where a = '${body.a}'`).all(); // BAD
  await c.env.DB.prepare("select * from t where a = ?").bind(body.a).all();
  return c.json({});
});
app.get("/d", async (c) => {
  return fetch(c.req.query("u")); // BAD
});
app.get("/e/:f", async (c) => {
  return c.body(await readFile(`/data/${c.req.param("f")}`)); // BAD
});
"""),
    ("koa", "src/app.js", """
const Koa = require("koa");
const router = require("@koa/router")();
router.get("/a", (ctx) => { ctx.body = `<p>${ctx.query.n}</p>`; }); // BAD
router.get("/a2", (ctx) => { ctx.body = { n: ctx.query.n }; });
router.get("/b", (ctx) => { ctx.redirect(ctx.query.to); }); // BAD
router.get("/c", async (ctx) => { await send(ctx, ctx.params.f, { root: "/data" }); });
router.get("/d", async (ctx) => { ctx.body = fs.createReadStream(path.join("/data", ctx.query.f)); }); // BAD
router.post("/e", async (ctx) => {
  await knex.raw(`select * from t where a = '${ctx.request.body.a}'`); // BAD
  await knex.raw("select * from t where a = ?", [ctx.request.body.a]);
  await knex("t").whereRaw(`a = '${ctx.request.body.a}'`); // BAD
  await sequelize.query(`select * from t where a = '${ctx.request.body.a}'`); // BAD
  await sequelize.query("select * from t where a = :a", { replacements: { a: ctx.request.body.a } });
});
"""),
    ("remix", "src/app.ts", """
export async function loader({ request, params }) {
  const url = new URL(request.url);
  const to = url.searchParams.get("to");
  if (to) return redirect(to); // BAD
  const f = await fs.readFile(`/data/${params.f}`); // BAD
  return json({ f });
}
export async function action({ request }) {
  const form = await request.formData();
  await db.$executeRawUnsafe(`delete from t where a = '${form.get("a")}'`); // BAD
  const r = await fetch(form.get("url")); // BAD
  return redirect("/done");
}
"""),
    ("express", "src/app.js", """
const app = require("express")();
app.get("/a", (req, res) => { res.send("<p>" + req.query.n + "</p>"); }); // BAD
app.get("/a1", (req, res) => { res.send("<p>" + escapeHtml(req.query.n) + "</p>"); });
app.get("/a2", (req, res) => { res.json({ n: req.query.n }); });
app.get("/a3", (req, res) => { res.type("text/plain").send(req.query.n); });
app.get("/c", (req, res) => { eval(req.query.c); }); // BAD
app.get("/c2", (req, res) => { new Function(req.query.c)(); }); // BAD
app.get("/c3", (req, res) => { vm.runInNewContext(req.query.c); }); // BAD
app.get("/d", (req, res) => { require(req.query.m); }); // BAD
app.get("/d2", async (req, res) => { await import(req.query.m); }); // BAD
app.get("/e", (req, res) => { res.sendFile(req.query.f, { root: "/data" }); });
app.get("/e2", (req, res) => { res.download("/data/" + req.query.f); }); // BAD
app.get("/e3", (req, res) => {
  const p = path.normalize(path.join("/data", req.query.f));
  if (!p.startsWith("/data/")) return res.sendStatus(403);
  res.sendFile(p);
});
app.post("/f", (req, res) => { req.files.f.mv("/data/" + req.files.f.name); }); // BAD
app.post("/g", (req, res) => { libxml.parseXml(req.body, { noent: true }); }); // BAD
app.post("/h", (req, res) => { serialize.unserialize(req.body.x); }); // BAD
app.post("/h2", (req, res) => { yaml.load(req.body.x); });
app.get("/k", (req, res) => { ejs.render(req.query.t, {}); }); // BAD
app.get("/k2", (req, res) => { ejs.render("<%= t %>", { t: req.query.t }); });
app.get("/l", (req, res) => { Handlebars.compile(req.query.t)({}); }); // BAD
app.get("/l2", (req, res) => { pug.compile(req.query.t)(); }); // BAD
app.get("/m", (req, res) => { res.set("Location", req.query.to); res.status(302).end(); }); // BAD
app.get("/m2", (req, res) => { res.writeHead(302, { Location: req.query.to }); res.end(); }); // BAD
app.get("/n", (req, res) => { http.get(req.query.u, (r) => r.pipe(res)); }); // BAD
app.get("/n2", (req, res) => { request(req.query.u).pipe(res); }); // BAD
app.get("/n3", (req, res) => { page.goto(req.query.u); }); // BAD
app.get("/o", (req, res) => { mysql.query("select * from t where a = " + mysql.escape(req.query.a)); });
app.get("/o2", (req, res) => { mysql.query("select * from t where a = " + Number(req.query.a)); });
app.get("/o3", (req, res) => { mysql.query(`select * from t order by ${req.query.s}`); }); // BAD
app.get("/p", (req, res) => { spawn("sh", ["-c", "ls " + req.query.d]); }); // BAD
app.get("/p2", (req, res) => { spawn("ls", [req.query.d]); });
app.get("/p3", (req, res) => { spawn("ls " + req.query.d, { shell: true }); }); // BAD
app.get("/p4", (req, res) => { $`ls ${req.query.d}`; });
app.get("/p5", (req, res) => { execa.command("ls " + req.query.d); }); // BAD
app.get("/p6", (req, res) => { shell.exec("ls " + req.query.d); }); // BAD
app.get("/q", (req, res) => { new RegExp(req.query.r).test("x"); });
"""),
    ("ldap", "src/app.js", """
const client = ldap.createClient({ url: "ldap://x" });
app.post("/i", (req, res) => { client.search("ou=x", { filter: `(uid=${req.body.u})` }, cb); }); // BAD
app.post("/j", (req, res) => { client.search("ou=x", { filter: new EqualityFilter({ value: req.body.u }) }, cb); });
app.post("/k", (req, res) => { es.search({ index: "x", query: { match: { t: req.body.u } } }); });
"""),
    ("mongo", "src/app.js", """
const mongoose = require("mongoose");
app.post("/j", (req, res) => { User.find({ $where: `this.name == '${req.body.n}'` }); }); // BAD
app.post("/j2", (req, res) => { User.find({ $where: "this.a == this.b" }); });
app.post("/j3", (req, res) => { User.aggregate([{ $match: { $expr: { $function: { body: req.body.f } } } }]); });
"""),
    ("page", "app/page.tsx", """
export default function Page({ searchParams }) {
  return <div dangerouslySetInnerHTML={{ __html: searchParams.q }} />; // BAD
}
"""),
    ("page2", "app/page.tsx", """
export default async function Page({ searchParams }: { searchParams: Promise<{ q: string }> }) {
  const { q } = await searchParams;
  return <div dangerouslySetInnerHTML={{ __html: q }} />; // BAD
}
"""),
    ("page3", "app/page.tsx", """
export default async function Page({ params, searchParams }) {
  const rows = await db.query(`select * from t where a = '${params.id}'`); // BAD
  const ok = await db.query("select * from t where a = $1", [searchParams.id]);
  return <div>{searchParams.q}</div>;
}
"""),
]  # fmt: skip


@for_each(EXAMPLES, lambda row: row[0])
def test_run_rules__tells_the_marked_lines_alone(row: tuple[str, str, str]):
    _, path, code = row
    hits = run_rules(make_source(code, path=path), MemoryResolver())
    posted = {hit.start_line for hit in hits if hit.confidence is not Confidence.LOW}
    assert sorted(posted) == marked_lines(code)
