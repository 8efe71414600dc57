from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.categories import Confidence
from devpulse.core.rules.cross_site_scripting import RULE

REPORTED = {
    "answer": """
        app.get("/hello", (req, res) => {
          res.send("<h1>Hello " + req.query.name + "</h1>"); // BAD
        });
        """,
    "as it is": """
        app.get("/echo", (req, res) => res.send(req.query.text)); // BAD
        """,
    "part of the page": """
        const name = decodeURIComponent(location.hash.slice(1));
        document.getElementById("name").innerHTML = "<b>" + name + "</b>"; // BAD
        """,
    "added to an element": """
        function show(list) {
          const query = new URLSearchParams(location.search).get("q");
          list.innerHTML += `<li>${query}</li>`; // BAD
        }
        """,
    "message of another page": """
        window.addEventListener("message", (event) => {
          panel.innerHTML = event.data.html; // BAD
        });
        """,
    "router of the browser": """
        import { useSearchParams } from "react-router-dom";
        function show(box) {
          const [params] = useSearchParams();
          box.innerHTML = params.get("note"); // BAD
        }
        """,
    "element made of the address": """
        function mark(box) {
          box.append($("<p>" + location.hash + "</p>")); // BAD
        }
        """,
    "gathered in a loop": """
        function draw(box, titles) {
          let text = "<ul>";
          titles.forEach((title) => { text += "<li>" + title; });
          box.innerHTML = text + location.hash; // BAD
        }
        """,
    "list of texts from the server": """
        async function load() {
          const notes = await (await fetch("/api/notes")).json();
          board.innerHTML = notes.map((note) => `<li><b>${note.title}</b></li>`).join(""); // BAD
        }
        """,
    "text gathered in a loop": """
        socket.on("room", (room) => {
          let html = "";
          room.people.forEach((person) => {
            html += `
              <p class="row">
                ${person.nickname}
              </p>`;
          });
          list.innerHTML = html; // BAD
        });
        """,
    "element under a name of its own": """
        $.getJSON("/api/log", (data) => {
          const table = $("#log");
          data.rows.forEach((row) => table.append("<tr><td>" + row.comment + "</td></tr>")); // BAD
        });
        """,
    "behind a status": """
        app.get("/item/:id", (req, res) => res.status(404).send("No item " + req.params.id)); // BAD
        """,
    "page filled in": """
        app.get("/hello", (req, res) => {
          const page = fs.readFileSync("hello.html", "utf8");
          res.send(page.replace("{{who}}", req.query.who)); // BAD
        });
        """,
    "Fastify, said to be HTML": """
        app.get("/hello", async (request, reply) => {
          reply.type("text/html").send(`<b>${request.query.who}</b>`); // BAD
        });
        """,
    "Koa": """
        router.get("/hello", async (ctx) => {
          ctx.body = `<h1>${ctx.query.who}</h1>`; // BAD
        });
        """,
    "answer with a type": """
        export async function GET(request) {
          const who = request.nextUrl.searchParams.get("who");
          return new Response(`<h1>${who}</h1>`, { headers: { "Content-Type": "text/html" } }); // BAD
        }
        """,
    "body that comes in parts": """
        http.createServer((req, res) => {
          let body = "";
          req.on("data", (chunk) => { body += chunk; });
          req.on("end", () => res.end(`<p>${querystring.parse(body).who}</p>`)); // BAD
        });
        """,
}
QUIET = {
    "text of an element by jQuery": """
        list.innerHTML = $("<i>").text(location.hash).html();
        $("#list").append($("<option>").val(location.hash).text(location.hash));
        """,
    "answer of a server": """
        const page = await http.get("/page", { query: location.search });
        list.innerHTML = page;
        """,
    "error": """
        fetch("/api").catch((error) => { list.innerHTML = "<b>" + error.message + "</b>"; });
        """,
    "address as it was sent": """
        app.use((req, res) => res.status(404).send("Cannot GET " + req.originalUrl));
        """,
    "text behind a status": """
        app.get("/item/:id", (req, res) => res.status(404).type("text/plain").send("No item " + req.params.id));
        app.get("/item/:id", (req, res) => res.status(404).json({ error: "No item " + req.params.id }));
        chai.request(app).post("/item").send(req.body.item);
        """,
    "picture": """
        router.get("/badge/:label", (request, response) => {
          response.type("image/svg+xml");
          response.send(badge({ label: request.params.label }));
        });
        """,
    "plain by its ending": """
        app.get("/raw", (req, res) => { res.type("txt"); res.send(req.query.text); });
        """,
    "Fastify, plain": """
        app.get("/hello", async (request, reply) => {
          reply.code(200).send("Hello " + request.query.who);
        });
        """,
    "Koa, plain": """
        router.get("/hello", async (ctx) => {
          ctx.body = "Hello " + ctx.query.who;
          ctx.body = { who: ctx.query.who };
        });
        """,
    "answer with another type": """
        export async function GET(request) {
          const who = request.nextUrl.searchParams.get("who");
          return new Response(`<h1>${who}</h1>`, { headers: { "Content-Type": "application/xml" } });
        }
        """,
    "texts that are escaped": """
        async function load() {
          const notes = await (await fetch("/api/notes")).json();
          board.innerHTML = notes.map((note) => `<li><b>${escapeHtml(note.title)}</b></li>`).join("");
          board.innerHTML = notes.map((note) => `<li>${note.id}</li>`).join("");
          const form = new FormData();
          form.append("title", notes[0].title);
        }
        """,
    "texts of the program": """
        function tabs(pages) {
          bar.innerHTML = pages.map((page) => `<button>${page.title}</button>`).join("");
        }
        """,
    "text as text": """
        fetch("/api/notes").then((answer) => answer.json()).then((notes) => {
          notes.forEach((note) => { const row = document.createElement("li"); row.textContent = note.title; });
          board.innerHTML = "";
        });
        """,
    "escaped text of a record": """
        function show(box, guest) {
          box.innerHTML = `<b>${escapeHtml(guest.nickname)}</b>`;
          box.innerHTML = "<b>" + _.escape(guest.nickname) + "</b>";
        }
        """,
    "escaped before": """
        function show(box, guest) {
          const name = esc(guest.nickname);
          box.innerHTML = `<b>${name}</b>`;
        }
        """,
    "the program's own texts": """
        function show(box, options) {
          box.innerHTML = `<b class="${options.className}">${i18n.title}</b>`;
          box.innerHTML = `<b>${labels.message}</b><i>${options.title}</i>`;
        }
        """,
    "element found by its name": """
        function find(name) { return $("#menu ." + name); }
        """,
    "numbers": """
        function show(box, guest) { box.innerHTML = `<b>${guest.age}</b>`; }
        """,
    "name in a class": """
        function show(box, name) { box.innerHTML = `<i class="icon-${name}"></i>`; }
        """,
    "set as text": """
        function show(box, guest) { box.textContent = guest.nickname; $(box).text("<b>" + guest.nickname); }
        """,
    "part of a table by numbers of the request": """
        const names = ["ada", "grace"];
        app.get("/users/:from-:to", (req, res) => {
          res.send("users " + names.slice(req.params.from, req.params.to).join(", "));
        });
        """,
    "message of a known page": """
        window.addEventListener("message", (event) => {
          if (event.origin !== "https://app.example.com") return;
          panel.innerHTML = event.data.html;
        });
        """,
    "message of a worker": """
        const worker = new Worker("draw.js");
        worker.onmessage = (event) => { panel.innerHTML = event.data; };
        """,
    "what Koa answers": """
        module.exports = (ctx) => { const { res, body } = ctx; res.end(ctx.body); };
        """,
    "content of a file": """
        app.get("/about", (req, res) => { res.send(fs.readFileSync(files[req.query.lang])); });
        """,
    "escaped": """
        app.get("/hello", (req, res) => {
          res.send("<h1>Hello " + escapeHtml(req.query.name) + "</h1>");
        });
        """,
    "json": """
        app.get("/hello", (req, res) => res.json({ name: req.query.name }));
        """,
    "object": """
        app.get("/hello", (req, res) => res.send({ name: req.query.name }));
        """,
    "text of an element": """
        document.getElementById("name").textContent = location.hash.slice(1);
        """,
    "cleaned part of the page": """
        box.innerHTML = DOMPurify.sanitize(new URLSearchParams(location.search).get("q"));
        """,
    "constant part of the page": """
        function clear(box) { const q = location.search; box.innerHTML = ""; box.innerHTML = "<p>empty</p>"; }
        """,
    "template": """
        app.get("/hello", (req, res) => res.render("hello", { name: req.query.name }));
        """,
    "status": """
        app.get("/x", (req, res) => { log(req.query.x); res.status(404).send("not found"); });
        """,
}


@pytest.mark.parametrize("code", REPORTED.values(), ids=REPORTED)
def test_check__reports(code: str) -> None:
    hits = [hit for hit in run(RULE, code, path="src/app.js") if hit.confidence is not Confidence.LOW]
    assert lines_of(hits) == marked_lines(code)
    assert all(hit.cwe == 79 and hit.trace is not None for hit in hits)


@pytest.mark.parametrize("code", QUIET.values(), ids=QUIET)
def test_check__is_quiet(code: str) -> None:
    assert [hit for hit in run(RULE, code, path="src/app.js") if hit.confidence is not Confidence.LOW] == []


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("{ __html: router.query.note }", True),
        ("{ __html: `<b>${$route.query.note}</b>` }", True),
        ("{ __html: DOMPurify.sanitize(router.query.note) }", False),
        ("{ __html: NOTE }", False),
        ("{ other: router.query.note }", False),
        ("html", False),
    ],
)
def test_check__jsx(value: str, expected: bool):
    code = f"export const Note = ({{ html }}) => <div dangerouslySetInnerHTML={{{value}}} />;\n"
    hits = [hit for hit in run(RULE, code, path="src/note.jsx") if hit.confidence is not Confidence.LOW]
    assert bool(hits) is expected


def test_check__jsx_attributes_of_another_kind():
    assert (
        run(RULE, "const a = <div className={router.query.note} title={{ __html: 1 }} hidden />;\n", path="a.tsx") == []
    )


_COMPONENT = """
export class Results {{
  show() {{
    {body}
  }}
}}
"""


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("this.value = this.sanitizer.bypassSecurityTrustHtml(this.route.snapshot.queryParams.q.trim());", True),
        ("const q = this.route.snapshot.queryParamMap.get('q'); this.box.nativeElement.innerHTML = q;", True),
        ("this.activatedRoute.queryParams.subscribe((p) => { this.v = this.s.bypassSecurityTrustHtml(p.q); });", True),
        ("this.route.fragment.pipe(take(1)).subscribe(f => { this.u = this.s.bypassSecurityTrustUrl(f); });", True),
        ("this.value = this.route.snapshot.queryParams.q;", False),
        ("this.u = this.s.bypassSecurityTrustUrl('/p/' + encodeURIComponent(this.route.snapshot.params.id));", False),
        ("this.u = this.s.bypassSecurityTrustResourceUrl(`//v.test/${this.route.snapshot.params.id}`);", False),
        ("this.service.items.subscribe((p) => { this.v = this.s.bypassSecurityTrustHtml(p.label); });", False),
        ("this.v = this.s.bypassSecurityTrustHtml(this.route.snapshot.data.intro);", False),
        ("this.v = this.s.bypassSecurityTrustHtml('<b>' + parseInt(this.route.snapshot.params.id) + '</b>');", False),
    ],
)  # fmt: skip
def test_check__angular(body: str, expected: bool):
    code = _COMPONENT.format(body=body)
    hits = [hit for hit in run(RULE, code, path="src/results.component.ts") if hit.confidence is not Confidence.LOW]
    assert bool(hits) is expected
