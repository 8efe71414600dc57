from __future__ import annotations

from rule_tables import marked_lines, posted_lines
from tables import for_each

from devpulse.core.rules import command_injection, cross_site_scripting, sql_injection
from devpulse.core.source import Rule

EXAMPLES = [
    (sql_injection.RULE, "src/app.py", """
        from flask import request
        from pymongo import MongoClient
        db = MongoClient().app
        @app.route("/a", methods=["POST"])
        def a():
            data = request.get_json()
            db.users.find_one({"name": data["name"]})  # BAD
            db.users.find_one({"name": {"$eq": data["name"]}})
            db.users.find_one({"name": str(data["name"])})
            db.users.find_one({"name": {"$ne": data["name"]}})
            db.users.find_one({"$or": [{"name": "x"}], "name": data["name"]})  # BAD
            db.users.find_one(data)  # BAD
            return "x"
        """),
    (sql_injection.RULE, "src/app.js", """
        const app = require("express")();
        const { MongoClient } = require("mongodb");
        app.post("/a", async (req, res) => {
          const db = client.db("x");
          await db.collection("users").findOne({ name: req.body.name }); // BAD
          await db.collection("users").findOne({ name: { $eq: req.body.name } });
          await db.collection("users").findOne({ name: String(req.body.name) });
          await User.findOne({ name: { $eq: req.body.name }, pass: { $eq: req.body.pass } });
          await db.collection("users").findOne({ name: { $in: [req.body.name] } });
        });
        """),
    (cross_site_scripting.RULE, "src/main/java/x/X.java", """
        import com.google.common.html.HtmlEscapers;
        import org.owasp.esapi.ESAPI;
        import org.owasp.encoder.Encode;
        import org.springframework.web.util.HtmlUtils;
        import org.apache.commons.text.StringEscapeUtils;
        public class X extends HttpServlet {
          protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            String n = request.getParameter("n");
            response.setContentType("text/html");
            PrintWriter out = response.getWriter();
            out.println("<b>" + n + "</b>"); // BAD
            out.println("<b>" + HtmlEscapers.htmlEscaper().escape(n) + "</b>");
            out.println("<b>" + ESAPI.encoder().encodeForHTML(n) + "</b>");
            out.println("<b>" + Encode.forHtml(n) + "</b>");
            out.println("<b>" + Encode.forHtmlContent(n) + "</b>");
            out.println("<b title='" + Encode.forHtmlAttribute(n) + "'></b>");
            out.println("<b title='" + ESAPI.encoder().encodeForHTMLAttribute(n) + "'></b>");
            out.println("<b>" + HtmlUtils.htmlEscape(n) + "</b>");
            out.println("<b>" + StringEscapeUtils.escapeHtml4(n) + "</b>");
            out.println("<b>" + Jsoup.clean(n, Safelist.basic()) + "</b>");
            out.println("<b>" + sanitizer.sanitize(n) + "</b>");
            out.println("<b>" + ESAPI.encoder().decodeForHTML(n) + "</b>");
            out.println("<b>" + XmlEscapers.xmlContentEscaper().escape(n) + "</b>");
            Escaper e = HtmlEscapers.htmlEscaper();
            out.println("<b>" + e.escape(n) + "</b>");
            out.println("<b>" + UrlEscapers.urlFragmentEscaper().escape(n) + "</b>");
            Encoder enc = ESAPI.encoder();
            out.println("<b>" + enc.encodeForHTML(n) + "</b>");
            Encode.forHtml(out, n);
            out.println("<a href='/x?q=" + URLEncoder.encode(n, "UTF-8") + "'></a>");
          }
        }
        """),
    (command_injection.RULE, "src/main/java/x/X.java", """
        public class X extends HttpServlet {
          protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            String n = request.getParameter("n");
            Runtime.getRuntime().exec("sh -c " + n); // BAD
            Runtime.getRuntime().exec("sh -c ls " + ESAPI.encoder().encodeForOS(new UnixCodec(), n));
          }
        }
        """),
]  # fmt: skip


@for_each(EXAMPLES, lambda row: row[1])
def test_rule__tells_the_marked_lines_alone(row: tuple[Rule, str, str]):
    rule, path, code = row
    assert sorted(posted_lines(rule, code, path=path)) == marked_lines(code)
