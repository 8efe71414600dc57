from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.categories import Confidence
from devpulse.core.rules.cross_site_scripting import RULE

REPORTED = {
    "returned from a rest controller": """
        @RestController
        class Greeting {
            @GetMapping("/hello")
            public String hello(@RequestParam String name) {
                return "<h1>Hello " + name + "</h1>"; // BAD
            }
        }
        """,
    "returned as the body": """
        @Controller
        class Greeting {
            @RequestMapping("/hello")
            @ResponseBody
            public String hello(@RequestParam String name) {
                return "Hello " + name; // BAD
            }
        }
        """,
    "writer": """
        class Hello extends HttpServlet {
            protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
                response.setContentType("text/html");
                response.getWriter().println("<h1>Hello " + request.getParameter("name") + "</h1>"); // BAD
            }
        }
        """,
    "variable of the writer": """
        class Search extends HttpServlet {
            protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
                PrintWriter out = response.getWriter();
                String q = request.getParameter("q");
                out.print("<p>Results for " + q + "</p>"); // BAD
            }
        }
        """,
    "formatted": """
        class Error extends HttpServlet {
            protected void doGet(HttpServletRequest req, HttpServletResponse resp) throws IOException {
                String message = String.format("<b>%s</b>", req.getParameter("message"));
                resp.getWriter().write(message); // BAD
            }
        }
        """,
    "entity with tags": """
        @RestController
        class Greeting {
            @GetMapping("/greet")
            public ResponseEntity<String> greet(@RequestParam String who) {
                return ResponseEntity.ok("<b>" + who + "</b>"); // BAD
            }

            @GetMapping("/part")
            public ResponseEntity<?> part(@RequestParam String who) {
                return new ResponseEntity<>("<b>" + who + "</b>", HttpStatus.OK); // BAD
            }
        }
        """,
    "page of a resource": """
        @Path("/greet")
        class Greeting {
            @GET
            @Produces(MediaType.TEXT_HTML)
            public String greet(@QueryParam("who") String who) {
                return "<b>" + who + "</b>"; // BAD
            }
        }
        """,
    "server of the platform": """
        class Greeting implements HttpHandler {
            public void handle(HttpExchange exchange) throws IOException {
                String answer = "<h1>" + exchange.getRequestURI().getQuery() + "</h1>";
                exchange.sendResponseHeaders(200, answer.length());
                OutputStream os = exchange.getResponseBody();
                os.write(answer.getBytes()); // BAD
            }
        }
        """,
    "stream of a servlet": """
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            ServletOutputStream os = response.getOutputStream();
            os.println("<b>" + request.getParameter("who") + "</b>"); // BAD
        }
        """,
}
QUIET = {
    "returned view": """
        @Controller
        class Greeting {
            @GetMapping("/hello")
            public String hello(@RequestParam String name, Model model) {
                return "users/" + name;
            }
        }
        """,
    "returned as json": """
        @RestController
        class Greeting {
            @GetMapping(value = "/hello", produces = MediaType.APPLICATION_JSON_VALUE)
            public String hello(@RequestParam String name) {
                return "{\\"name\\": \\"" + name + "\\"}";
            }

            @GetMapping("/all")
            public List<String> all(@RequestParam String name) {
                return List.of(name);
            }
        }
        """,
    "returned and escaped": """
        @RestController
        class Greeting {
            @GetMapping("/hello")
            public String hello(@RequestParam String name) {
                return "<h1>Hello " + HtmlUtils.htmlEscape(name) + "</h1>";
            }
        }
        """,
    "escaped": """
        class Hello extends HttpServlet {
            protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
                PrintWriter out = response.getWriter();
                out.println("<h1>" + HtmlUtils.htmlEscape(request.getParameter("name")) + "</h1>");
                out.println("<p>" + Encode.forHtml(request.getParameter("q")) + "</p>");
            }
        }
        """,
    "number": """
        class Page extends HttpServlet {
            protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
                int page = Integer.parseInt(request.getParameter("page"));
                response.getWriter().println("<p>Page " + page + "</p>");
            }
        }
        """,
    "plain text": """
        class Echo extends HttpServlet {
            protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
                response.setContentType("text/plain");
                response.getWriter().println(request.getParameter("text"));
            }
        }
        """,
    "json": """
        class Api extends HttpServlet {
            protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
                response.setContentType("application/json");
                response.getWriter().write("{\\"name\\": \\"" + request.getParameter("name") + "\\"}");
            }
        }
        """,
    "console": """
        class Tool {
            void show(HttpServletRequest request) {
                System.out.println("Name: " + request.getParameter("name"));
            }
        }
        """,
    "file": """
        class Export {
            void export(FileWriter writer, String name) throws IOException {
                writer.write("<b>" + name + "</b>");
            }
        }
        """,
    "text that is put together": """
        class Ports {
            String address(HttpServletRequest request) {
                StringBuilder text = new StringBuilder();
                text.append("/home").append("?").append(request.getQueryString());
                return text.toString();
            }
        }
        """,
    "entity without tags, or of JSON": """
        @RestController
        class Greeting {
            @GetMapping("/saved")
            public ResponseEntity<String> saved(@RequestParam String who) {
                return ResponseEntity.ok("saved " + who);
            }

            @GetMapping("/data")
            public ResponseEntity<String> data(@RequestParam String who) {
                return ResponseEntity.ok().contentType(MediaType.APPLICATION_JSON).body("<" + who + ">");
            }

            @GetMapping("/book")
            public ResponseEntity<Book> book(@RequestParam String title) {
                return ResponseEntity.ok(books.find("<b>" + title));
            }
        }
        """,
    "JSON of a resource": """
        @Path("/greet")
        class Greeting {
            @GET
            @Produces(MediaType.APPLICATION_JSON)
            public String greet(@QueryParam("who") String who) {
                return "{\\"who\\": \\"" + who + "\\"}";
            }
        }
        """,
    "into a file": """
        protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
            OutputStream out = new FileOutputStream("notes.txt");
            out.write(request.getParameter("note").getBytes());
            PrintWriter writer = new PrintWriter(new FileWriter("log.txt"));
            writer.println(request.getParameter("note"));
        }
        """,
    "declared as text by the platform's server": """
        class Greeting implements HttpHandler {
            public void handle(HttpExchange exchange) throws IOException {
                exchange.getResponseHeaders().set("Content-Type", "text/plain");
                exchange.getResponseBody().write(("<h1>" + exchange.getRequestURI().getQuery()).getBytes());
            }
        }
        """,
    "number in a format": """
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            PrintWriter out = response.getWriter();
            out.printf("<b>%d</b>", sizeOf(request.getParameter("who")));
        }
        """,
}


@pytest.mark.parametrize("code", REPORTED.values(), ids=REPORTED)
def test_check__reports(code: str) -> None:
    hits = [hit for hit in run(RULE, code, path="src/main/java/App.java") if hit.confidence is not Confidence.LOW]
    assert lines_of(hits) == marked_lines(code)
    assert all(hit.cwe == 79 and hit.trace is not None for hit in hits)


@pytest.mark.parametrize("code", QUIET.values(), ids=QUIET)
def test_check__is_quiet(code: str) -> None:
    assert [hit for hit in run(RULE, code, path="src/main/java/App.java") if hit.confidence is not Confidence.LOW] == []
