from __future__ import annotations

from rule_tables import marked_lines, posted_lines
from tables import for_each

from devpulse.core.rules.ssrf import RULE

EXAMPLES = [
    ("src/app.py", """
        from flask import request
        import pycurl, socket, ftplib, smtplib, ipaddress, requests
        @app.route("/a")
        def a():
            x = request.args.get("x")
            c = pycurl.Curl()
            c.setopt(c.URL, x)  # BAD
            c.setopt(pycurl.URL, x)  # BAD
            c.setopt(c.URL, "https://api.example.com/" + x)
            c.setopt(c.USERAGENT, x)
            c.perform()
        @app.route("/b")
        def b():
            x = request.args.get("x")
            socket.create_connection(("example.com", x))
            db.connect(x)
            socket.create_connection((x, 80))  # BAD
            s = socket.socket()
            s.connect((x, 80))  # BAD
            s.connect(("example.com", 80))
            s.send(x.encode())
        @app.route("/c")
        def c():
            x = request.args.get("x")
            ftplib.FTP(x)  # BAD
            smtplib.SMTP(x)  # BAD
            smtplib.SMTP("localhost").sendmail("a@b", x, "hi")
            ftp = ftplib.FTP("example.com", x, x)
            smtplib.SMTP_SSL(host=x)  # BAD
            telnetlib.Telnet(x)  # BAD
            http.client.HTTPConnection(x)  # BAD
            asyncio.open_connection(x, 80)  # BAD
            ssh.connect(x)  # BAD
            ssh.connect("example.com", username=x)
        @app.route("/d")
        def d():
            host = request.args.get("host")
            try:
                ipaddress.ip_address(host)
            except ValueError:
                return "no"
            return requests.get("http://" + host + "/")  # BAD
        @app.route("/e")
        def e():
            host = request.args.get("host")
            ip = ipaddress.ip_address(host)
            if ip.is_private or ip.is_loopback:
                return "no"
            return requests.get("http://" + host + "/").text
        @app.route("/f")
        def f():
            host = request.args.get("host")
            if not ipaddress.ip_address(host).is_global:
                return "no"
            return requests.get("http://" + host + "/").text
        """),
    ("src/main/java/x/X.java", """
        public class X extends HttpServlet {
          protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            String h = request.getParameter("h");
            new Socket(h, 80); // BAD
            new Socket("example.com", 80);
            new InetSocketAddress(h, 80);
            socket.connect(new InetSocketAddress(h, 80)); // BAD
            InetAddress.getByName(h);
            SSLSocketFactory.getDefault().createSocket(h, 443); // BAD
          }
        }
        """),
    ("x/x.go", """
        package x
        func a(w http.ResponseWriter, r *http.Request) {
            h := r.FormValue("h")
            net.Dial("tcp", h) // BAD
            net.DialTimeout("tcp", h, 5) // BAD
            net.Dial("tcp", "example.com:80")
            net.Dial("tcp", net.JoinHostPort(h, "80")) // BAD
            tls.Dial("tcp", h, nil) // BAD
            smtp.Dial(h) // BAD
            ftp.Dial(h) // BAD
            d := net.Dialer{}
            d.DialContext(ctx, "tcp", h) // BAD
        }
        """),
]  # fmt: skip


@for_each(EXAMPLES, lambda row: row[0])
def test_rule__tells_the_marked_lines_alone(row: tuple[str, str]):
    path, code = row
    assert sorted(posted_lines(RULE, code, path=path)) == marked_lines(code)
