from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.categories import Confidence
from devpulse.core.rules.open_redirect import RULE

REPORTED = {
    "returned view": """
        @Controller
        class Login {
            @PostMapping("/login")
            public String login(@RequestParam String next) {
                return "redirect:" + next; // BAD
            }
        }
        """,
    "redirect": """
        class Login extends HttpServlet {
            protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
                String next = request.getParameter("next");
                response.sendRedirect(next); // BAD
            }
        }
        """,
    "view": """
        class Login {
            @GetMapping("/out")
            public ModelAndView out(@RequestParam String url) {
                return new ModelAndView("redirect:" + url); // BAD
            }
        }
        """,
    "redirect view": """
        class Login {
            @GetMapping("/out")
            public RedirectView out(@RequestParam("to") String to) {
                return new RedirectView(to); // BAD
            }
        }
        """,
    "header": """
        protected void doGet(HttpServletRequest request, HttpServletResponse response) {
            response.setStatus(302);
            response.setHeader("Location", request.getParameter("next")); // BAD
        }
        """,
}
QUIET = {
    "returned view of the site": """
        @Controller
        class Items {
            @PostMapping("/items")
            public String save(@RequestParam String id) {
                return "redirect:/items/" + id;
            }

            @GetMapping("/page")
            public String page(@RequestParam String name) {
                return "pages/" + name;
            }
        }
        """,
    "redirect of a body": """
        @RestController
        class Items {
            @PostMapping("/items")
            public String save(@RequestParam String id) {
                return "redirect:" + id;
            }
        }
        """,
    "fixed": """
        class Login extends HttpServlet {
            protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
                response.sendRedirect("/home?from=" + request.getParameter("from"));
            }
        }
        """,
    "context path": """
        class Login extends HttpServlet {
            protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
                response.sendRedirect(request.getContextPath() + "/login");
            }
        }
        """,
    "view of the program": """
        class Pages {
            @GetMapping("/page")
            public ModelAndView page(@RequestParam String id) {
                return new ModelAndView("redirect:/items/" + id);
            }
        }
        """,
    "allowed": """
        class Login extends HttpServlet {
            private static final List<String> PAGES = List.of("/home", "/cart");
            protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
                String next = request.getParameter("next");
                if (PAGES.contains(next)) {
                    response.sendRedirect(next);
                }
            }
        }
        """,
    "another header": """
        protected void doGet(HttpServletRequest request, HttpServletResponse response) {
            response.setHeader("X-Shelf", request.getParameter("shelf"));
            response.setHeader("Location", "/shelves/" + request.getParameter("shelf"));
        }
        """,
    "begins as a path and as no host": """
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            String next = request.getParameter("next");
            if (next == null || !next.startsWith("/") || next.startsWith("//")) {
                next = "/";
            }
            response.sendRedirect(next);
        }
        """,
    "host compared": """
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws Exception {
            String next = request.getParameter("next");
            URI address = new URI(next);
            if (address.getHost() != null && !address.getHost().equals("shelf.example")) {
                return;
            }
            response.sendRedirect(next);
        }
        """,
    "address that an object gives": """
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.sendRedirect(wiki.getViewURL(request.getParameter("page")));
        }
        """,
    "behind the path of the application": """
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.sendRedirect(request.getContextPath() + request.getParameter("page"));
        }
        """,
}


@pytest.mark.parametrize("code", REPORTED.values(), ids=REPORTED)
def test_check__reports(code: str) -> None:
    hits = [hit for hit in run(RULE, code, path="src/main/java/App.java") if hit.confidence is not Confidence.LOW]
    assert lines_of(hits) == marked_lines(code)
    assert all(hit.cwe == 601 and hit.trace is not None for hit in hits)


@pytest.mark.parametrize("code", QUIET.values(), ids=QUIET)
def test_check__is_quiet(code: str) -> None:
    assert [hit for hit in run(RULE, code, path="src/main/java/App.java") if hit.confidence is not Confidence.LOW] == []
