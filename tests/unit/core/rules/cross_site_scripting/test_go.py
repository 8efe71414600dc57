from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.categories import Confidence
from devpulse.core.rules.cross_site_scripting import RULE

REPORTED = {
    "formatted": """
        func hello(w http.ResponseWriter, r *http.Request) {
            name := r.URL.Query().Get("name")
            fmt.Fprintf(w, "<h1>Hello %s</h1>", name) // BAD
        }
        """,
    "written": """
        func hello(w http.ResponseWriter, r *http.Request) {
            w.Write([]byte("<p>" + r.FormValue("q") + "</p>")) // BAD
        }
        """,
    "declared safe": """
        func page(w http.ResponseWriter, r *http.Request) {
            data := Page{Body: template.HTML(r.FormValue("body"))} // BAD
            pages.Execute(w, data)
        }
        """,
    "echo": """
        func hello(c echo.Context) error {
            return c.HTML(http.StatusOK, "<b>"+c.QueryParam("name")+"</b>") // BAD
        }
        """,
    "template that does not escape": """
        import "text/template"

        var page = template.Must(template.New("p").Parse("<html><p>{{.}}</p></html>"))

        func show(w http.ResponseWriter, r *http.Request) {
            page.Execute(w, r.FormValue("q")) // BAD
        }
        """,
    "bytes of a page": """
        func show(c *gin.Context) {
            c.Data(200, "text/html", []byte("<p>"+c.Query("q")+"</p>")) // BAD
        }
        """,
    "text of fiber said to be HTML": """
        func greet(c *fiber.Ctx) error {
            c.Set("Content-Type", "text/html")
            return c.SendString("<b>" + c.Query("who") + "</b>") // BAD
        }
        """,
    "context of beego": """
        func (c *GreetController) Get() {
            c.Ctx.WriteString("<b>" + c.GetString("who") + "</b>") // BAD
        }
        """,
    "page of iris": """
        func greet(ctx iris.Context) {
            ctx.HTML("<b>" + ctx.URLParam("who") + "</b>") // BAD
        }
        """,
    "formatted as text": """
        func greet(w http.ResponseWriter, r *http.Request) {
            fmt.Fprintf(w, "<b>%d %s</b>", 1, r.FormValue("who")) // BAD
        }
        """,
    "answer of a lambda": """
        func handle(ctx context.Context, call events.APIGatewayProxyRequest) (events.APIGatewayProxyResponse, error) {
            who := call.QueryStringParameters["who"]
            return events.APIGatewayProxyResponse{ // BAD
                Body: "<b>" + who + "</b>", Headers: map[string]string{"Content-Type": "text/html"},
            }, nil
        }
        """,
}
QUIET = {
    "escaped": """
        func hello(w http.ResponseWriter, r *http.Request) {
            fmt.Fprintf(w, "<h1>Hello %s</h1>", html.EscapeString(r.FormValue("name")))
            io.WriteString(w, "<p>"+template.HTMLEscapeString(r.FormValue("q"))+"</p>")
        }
        """,
    "template": """
        func page(w http.ResponseWriter, r *http.Request) {
            pages.ExecuteTemplate(w, "page.html", r.FormValue("name"))
        }
        """,
    "plain text": """
        func echo(w http.ResponseWriter, r *http.Request) {
            w.Header().Set("Content-Type", "text/plain")
            fmt.Fprintf(w, "Hello %s", r.FormValue("name"))
        }
        """,
    "json": """
        func api(w http.ResponseWriter, r *http.Request) {
            data, _ := json.Marshal(r.FormValue("name"))
            w.Write(data)
        }
        """,
    "console": """
        func log(r *http.Request) {
            fmt.Fprintf(os.Stderr, "request for %s", r.FormValue("name"))
        }
        """,
    "number": """
        func page(w http.ResponseWriter, r *http.Request) {
            n, _ := strconv.Atoi(r.FormValue("n"))
            fmt.Fprintf(w, "<p>Page %d</p>", n)
        }
        """,
    "template that escapes": """
        import "html/template"

        var page = template.Must(template.New("p").Parse("<html><p>{{.}}</p></html>"))

        func show(w http.ResponseWriter, r *http.Request) {
            page.Execute(w, r.FormValue("q"))
        }
        """,
    "template of a text": """
        import "text/template"

        var page = "<html></html>"

        func mail(w http.ResponseWriter, r *http.Request) {
            var body bytes.Buffer
            letter.Execute(&body, r.FormValue("q"))
        }
        """,
    "bytes of something else": """
        func show(c *gin.Context) {
            c.Data(200, "application/json", []byte(c.Query("q")))
        }
        """,
    "numbers and JSON": """
        func counted(w http.ResponseWriter, r *http.Request) {
            who := r.FormValue("who")
            fmt.Fprintf(w, "<b>%d</b>", sizeOf(who))
            fmt.Fprintf(w, `{"who": %q}`, who)
            w.Write(answerTo(who).ToJSON())
        }
        """,
    "texts of frameworks": """
        func greet(c *fiber.Ctx) error {
            return c.SendString("hello " + c.Query("who"))
        }

        func echoed(c echo.Context) error {
            return c.String(http.StatusOK, "hello "+c.QueryParam("who"))
        }
        """,
    "JSON of a lambda": """
        func handle(ctx context.Context, call events.APIGatewayProxyRequest) (events.APIGatewayProxyResponse, error) {
            return events.APIGatewayProxyResponse{
                Body: call.Body, Headers: map[string]string{"Content-Type": "application/json"},
            }, nil
        }
        """,
}


@pytest.mark.parametrize("code", REPORTED.values(), ids=REPORTED)
def test_check__reports(code: str) -> None:
    hits = [hit for hit in run(RULE, code, path="internal/app.go") if hit.confidence is not Confidence.LOW]
    assert lines_of(hits) == marked_lines(code)
    assert all(hit.cwe == 79 and hit.trace is not None for hit in hits)


@pytest.mark.parametrize("code", QUIET.values(), ids=QUIET)
def test_check__is_quiet(code: str) -> None:
    assert [hit for hit in run(RULE, code, path="internal/app.go") if hit.confidence is not Confidence.LOW] == []
