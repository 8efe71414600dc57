from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.categories import Confidence
from devpulse.core.rules.command_injection import RULE

REPORTED = {
    "runtime": """
        public class PingServlet extends HttpServlet {
            protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
                String host = request.getParameter("host");
                Process p = Runtime.getRuntime().exec("ping -c 1 " + host); // BAD
            }
        }
        """,
    "variable of the runtime": """
        class Convert {
            @PostMapping("/convert")
            public String convert(@RequestParam String name) throws IOException {
                Runtime rt = Runtime.getRuntime();
                rt.exec(String.format("convert %s out.png", name)); // BAD
                return "ok";
            }
        }
        """,
    "script of a shell": """
        class Backup {
            void dump(String table) throws IOException {
                String[] cmd = {"/bin/sh", "-c", "mysqldump app " + table + " > /backup/t.sql"};
                Runtime.getRuntime().exec(cmd); // BAD
            }
        }
        """,
    "builder with a shell": """
        class Logs {
            @GetMapping("/logs")
            public void logs(@RequestParam("q") String q) throws IOException {
                ProcessBuilder pb = new ProcessBuilder("bash", "-c", "grep " + q + " app.log"); // BAD
                pb.start();
            }
        }
        """,
    "list for a builder": """
        class Logs {
            void tail(HttpServletRequest req) throws IOException {
                String file = req.getParameter("file");
                ProcessBuilder pb = new ProcessBuilder();
                pb.command(Arrays.asList("sh", "-c", "tail " + file)); // BAD
                pb.start();
            }
        }
        """,
    "method of the class called by its bare name": """
        class Ping extends HttpServlet {
            protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
                launch(request.getParameter("host"));
            }
            private void launch(String host) throws IOException {
                Runtime.getRuntime().exec(host); // BAD
            }
        }
        """,
    "remote shell": """
        class Remote {
            void remove(Session session, String name) throws JSchException {
                ChannelExec channel = (ChannelExec) session.openChannel("exec");
                channel.setCommand("rm -rf /data/" + name); // BAD
            }
        }
        """,
    "field of a constructor": """
        class Pings {
            private final String host;
            Pings(String host) {
                this.host = host;
            }
            void run() throws IOException {
                Runtime.getRuntime().exec("ping " + host); // BAD
            }
        }
        """,
    "socket": """
        @ServerEndpoint("/shell")
        class Shell {
            @OnMessage
            public void onMessage(String line, Session session) throws IOException {
                Runtime.getRuntime().exec(new String[]{"/bin/sh", "-c", line}); // BAD
            }
        }

        class Talk extends TextWebSocketHandler {
            protected void handleTextMessage(WebSocketSession session, TextMessage message) throws Exception {
                Runtime.getRuntime().exec("ping " + message.getPayload()); // BAD
            }
        }
        """,
    "queue": """
        class Work {
            @RabbitListener(queues = "work")
            public void run(String line) throws IOException {
                new ProcessBuilder("bash", "-c", line).start(); // BAD
            }
        }
        """,
    "hutool": """
        @GetMapping("/probe")
        public String probe(@RequestParam String host) {
            return RuntimeUtil.execForStr("ping " + host); // BAD
        }
        """,
    "receiver of a socket": """
        class Shell implements MessageHandler.Whole<String> {
            public void onMessage(String line) {
                Runtime.getRuntime().exec(new String[]{"/bin/sh", "-c", line}); // BAD
            }
        }
        """,
}
QUIET = {
    "field of another kind": """
        class Pings {
            private final int count;
            private String host = Settings.HOST;
            Pings(int count) {
                this.count = count;
            }
            void run() throws IOException {
                Runtime.getRuntime().exec("ping -c " + count);
                Runtime.getRuntime().exec("ping " + host);
            }
        }
        """,
    "argument list": """
        class PingServlet extends HttpServlet {
            protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
                new ProcessBuilder("ping", "-c", "1", request.getParameter("host")).start();
            }
        }
        """,
    "array without a shell": """
        class Convert {
            void convert(String name) throws IOException {
                Runtime.getRuntime().exec(new String[] {"convert", name, "out.png"});
            }
        }
        """,
    "constant": """
        class Restart {
            void restart() throws IOException {
                Runtime.getRuntime().exec("systemctl restart app");
                Runtime.getRuntime().exec(new String[] {"sh", "-c", "date > now.txt"});
            }
        }
        """,
    "number": """
        class Wait {
            void pause(HttpServletRequest request) throws IOException {
                int seconds = Integer.parseInt(request.getParameter("s"));
                Runtime.getRuntime().exec("sleep " + seconds);
            }
        }
        """,
    "allowed": """
        class Restart {
            private static final Set<String> NAMES = Set.of("web", "worker");
            void restart(HttpServletRequest request) throws IOException {
                String name = request.getParameter("name");
                if (!NAMES.contains(name)) {
                    throw new IllegalArgumentException(name);
                }
                Runtime.getRuntime().exec("systemctl restart " + name);
            }
        }
        """,
    "something else that executes": """
        class Rows {
            void run(Statement statement, ExecutorService pool, String name) {
                pool.exec("task " + name);
                statement.exec("something " + name);
            }
        }
        """,
    "strict pattern": """
        class Ping {
            void ping(HttpServletRequest request) throws IOException {
                String host = request.getParameter("host");
                if (!host.matches("[a-z0-9.]{1,60}")) {
                    return;
                }
                Runtime.getRuntime().exec("ping " + host);
            }
        }
        """,
    "order of a queue as arguments": """
        class Work {
            @RabbitListener(queues = "work")
            public void run(Order order) throws IOException {
                new ProcessBuilder("convert", order.getSource(), order.getTarget()).start();
            }

            @GetMapping("/version")
            public String version() {
                return RuntimeUtil.execForStr("git --version");
            }
        }
        """,
    "program of its own with a name in the list": """
        class Thumbs {
            @KafkaListener(topics = "pictures")
            public void make(String name) throws IOException {
                new ProcessBuilder("convert", name, "-resize", "64x64", "thumb.png").start();
            }

            @OnMessage
            public void count(int number, Session session) throws IOException {
                Runtime.getRuntime().exec("sleep " + number);
            }
        }
        """,
    "hutool with a number": """
        @GetMapping("/probe")
        public String probe(@RequestParam int count) {
            return RuntimeUtil.execForStr("ping -c " + count + " localhost");
        }
        """,
    "receiver of a socket that looks the word up": """
        class Shell implements MessageHandler.Whole<String> {
            public void onMessage(String line) throws IOException {
                String known = COMMANDS.get(line);
                if (known != null) {
                    new ProcessBuilder("svc", known).start();
                }
            }
        }
        """,
}


@pytest.mark.parametrize("code", REPORTED.values(), ids=REPORTED)
def test_check__reports(code: str) -> None:
    hits = [hit for hit in run(RULE, code, path="src/main/java/App.java") if hit.confidence is not Confidence.LOW]
    assert lines_of(hits) == marked_lines(code)
    assert all(hit.cwe == 78 and hit.trace is not None for hit in hits)


@pytest.mark.parametrize("code", QUIET.values(), ids=QUIET)
def test_check__is_quiet(code: str) -> None:
    assert [hit for hit in run(RULE, code, path="src/main/java/App.java") if hit.confidence is not Confidence.LOW] == []
