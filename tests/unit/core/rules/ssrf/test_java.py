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
    "hutool, a socket and a driver": """
        @GetMapping("/fetch")
        public void fetch(@RequestParam String from) throws Exception {
            HttpUtil.get(from); // BAD
            new Socket(from, 80); // BAD
            DriverManager.getConnection(from, "sa", ""); // BAD
            restTemplate.delete(from); // BAD
        }
        """,
    "read from an address": """
        @GetMapping("/fetch")
        public void fetch(@RequestParam String from) throws Exception {
            IOUtils.toString(new URL(from), "UTF-8"); // BAD
            URL address = new URL(from);
            ImageIO.read(address); // BAD
        }
        """,
    "host only written down": """
        @GetMapping("/fetch")
        public void fetch(@RequestParam String from) {
            log.info(URI.create(from).getHost());
            restTemplate.getForObject(from, String.class); // BAD
        }
        """,
    "begins with part of a host": """
        @GetMapping("/fetch")
        public void fetch(@RequestParam String from) {
            if (from.startsWith("https://api.example.com")) {
                restTemplate.getForObject(from, String.class); // BAD
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
    "upload and content of a note": """
        @PostMapping("/upload")
        public void upload(@RequestParam("file") MultipartFile file, Note note) throws Exception {
            ImageIO.read(file.getInputStream());
            IOUtils.toByteArray(file.getInputStream());
            if (note.getContent().contains("@")) {
                mention(note);
            }
        }
        """,
    "key of a client": """
        @DeleteMapping("/cache/{key}")
        public void forget(@PathVariable String key) {
            redisTemplate.delete(key);
            cache.put(key, "");
        }
        """,
    "host looked up or compared": """
        @GetMapping("/fetch")
        public void fetch(@RequestParam String from) throws Exception {
            URI address = URI.create(from);
            if (!KNOWN.contains(address.getHost())) {
                throw new IllegalArgumentException("unknown host");
            }
            restTemplate.getForObject(from, String.class);
        }

        @GetMapping("/pull")
        public void pull(@RequestParam String from) throws Exception {
            URL address = new URL(from);
            if (!"api.example.com".equals(address.getHost())) {
                return;
            }
            address.openStream();
        }
        """,
    "begins with the whole host": """
        @GetMapping("/fetch")
        public void fetch(@RequestParam String from) {
            if (from.startsWith("https://api.example.com/")) {
                restTemplate.getForObject(from, String.class);
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
