from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.categories import Confidence
from devpulse.core.rules.ssrf import RULE

REPORTED = {
    "url of a request": """
        class Proxy extends HttpServlet {
            protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
                URL url = new URL(request.getParameter("url"));
                InputStream in = url.openStream(); // BAD
            }
        }
        """,
    "connection": """
        class Preview {
            @GetMapping("/preview")
            public String preview(@RequestParam String link) throws IOException {
                HttpURLConnection connection = (HttpURLConnection) new URL(link).openConnection(); // BAD
                return read(connection);
            }
        }
        """,
    "rest template": """
        class Hook {
            @PostMapping("/hook")
            public String call(@RequestParam String target) {
                return restTemplate.getForObject(target, String.class); // BAD
            }
        }
        """,
    "host in a text": """
        class Status {
            @GetMapping("/status")
            public String status(@RequestParam String host) {
                return restTemplate.getForObject("http://" + host + "/status", String.class); // BAD
            }
        }
        """,
    "jsoup": """
        class Titles {
            @GetMapping("/title")
            public String title(@RequestParam String page) throws IOException {
                return Jsoup.connect(page).get().title(); // BAD
            }
        }
        """,
    "apache client": """
        class Fetch {
            void fetch(HttpServletRequest request, CloseableHttpClient client) throws IOException {
                HttpGet get = new HttpGet(request.getParameter("u")); // BAD
                client.execute(get);
            }
        }
        """,
}
QUIET = {
    "host is fixed": """
        class Users {
            @GetMapping("/user")
            public String user(@RequestParam String id) {
                return restTemplate.getForObject("https://api.example.com/users/" + id, String.class);
            }
        }
        """,
    "host from the configuration": """
        class Users {
            @Value("${api.base}")
            private String base;
            @GetMapping("/user")
            public String user(@RequestParam String id) {
                return restTemplate.getForObject(base + "/users/" + id, String.class);
            }
        }
        """,
    "variable of a pattern": """
        class Users {
            @GetMapping("/user")
            public String user(@RequestParam String id) {
                return restTemplate.getForObject("https://api.example.com/users/{id}", String.class, id);
            }
        }
        """,
    "allowed hosts": """
        class Preview {
            private static final Set<String> LINKS = Set.of("https://a.example.com/", "https://b.example.com/");
            @GetMapping("/preview")
            public String preview(@RequestParam String link) throws IOException {
                if (!LINKS.contains(link)) {
                    throw new IllegalArgumentException("link");
                }
                return read(new URL(link).openStream());
            }
        }
        """,
    "given by the caller": """
        class Client {
            InputStream open(String address) throws IOException {
                return new URL(address).openStream();
            }
        }
        """,
    "number in the path": """
        class Users {
            @GetMapping("/user")
            public String user(@RequestParam int port) {
                return restTemplate.getForObject("http://localhost:" + port + "/health", String.class);
            }
        }
        """,
}


@pytest.mark.parametrize("code", REPORTED.values(), ids=REPORTED)
def test_check__reports(code: str) -> None:
    hits = [hit for hit in run(RULE, code, path="src/main/java/App.java") if hit.confidence is not Confidence.LOW]
    assert lines_of(hits) == marked_lines(code)
    assert all(hit.cwe == 918 and hit.trace is not None for hit in hits)


@pytest.mark.parametrize("code", QUIET.values(), ids=QUIET)
def test_check__is_quiet(code: str) -> None:
    assert [hit for hit in run(RULE, code, path="src/main/java/App.java") if hit.confidence is not Confidence.LOW] == []
