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
}


@pytest.mark.parametrize("code", REPORTED.values(), ids=REPORTED)
def test_check__reports(code: str) -> None:
    hits = [hit for hit in run(RULE, code, path="src/main/java/App.java") if hit.confidence is not Confidence.LOW]
    assert lines_of(hits) == marked_lines(code)
    assert all(hit.cwe == 79 and hit.trace is not None for hit in hits)


@pytest.mark.parametrize("code", QUIET.values(), ids=QUIET)
def test_check__is_quiet(code: str) -> None:
    assert [hit for hit in run(RULE, code, path="src/main/java/App.java") if hit.confidence is not Confidence.LOW] == []
