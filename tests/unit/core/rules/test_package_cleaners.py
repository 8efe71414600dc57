from __future__ import annotations

from rule_tables import marked_lines, posted_lines
from tables import for_each

from devpulse.core.rules import cross_site_scripting, path_traversal
from devpulse.core.source import Rule

EXAMPLES = [
    (path_traversal.RULE, "src/app.js", """
        import sanitize from 'sanitize-filename';
        import slugify from 'slugify';
        import filenamify from 'filenamify';
        import { clean } from './names';
        app.post("/a", (request, response) => {
          const name = path.join("/data", sanitize(request.body.original_file));
          fs.copyFileSync(name, "/x");
          fs.unlinkSync(path.join("/data", sanitize(request.body.a)));
          fs.unlinkSync(path.join("/data", request.body.folder, sanitize(request.body.a))); // BAD
          fs.unlinkSync(path.join("/data", slugify(request.body.title) + ".md"));
          fs.unlinkSync(path.join("/data", filenamify(request.body.title)));
          fs.unlinkSync(path.join("/data", request.body.title.toLowerCase())); // BAD
        });
        """),
    (cross_site_scripting.RULE, "src/app.js", """
        import escapeHtml from 'escape-html';
        import he from 'he';
        import { encode } from 'html-entities';
        import sanitizeHtml from 'sanitize-html';
        import xss from 'xss';
        import filterXSS from 'xss';
        import _ from 'lodash';
        import escape from 'lodash/escape';
        import validator from 'validator';
        import DOMPurify from 'isomorphic-dompurify';
        import { JSDOM } from 'jsdom';
        import striptags from 'striptags';
        import { escape as esc } from 'html-escaper';
        app.get("/a", (req, res) => {
          res.send("<p>" + escapeHtml(req.query.a));
          res.send("<p>" + he.encode(req.query.a));
          res.send("<p>" + encode(req.query.a));
          res.send("<p>" + sanitizeHtml(req.query.a));
          res.send("<p>" + xss(req.query.a));
          res.send("<p>" + _.escape(req.query.a));
          res.send("<p>" + escape(req.query.a));
          res.send("<p>" + validator.escape(req.query.a));
          res.send("<p>" + DOMPurify.sanitize(req.query.a));
          res.send("<p>" + striptags(req.query.a));
          res.send("<p>" + esc(req.query.a));
        });
        app.get("/b", (req, res) => { res.send("<p>" + he.decode(req.query.a)); }); // BAD
        app.get("/c", (req, res) => { res.send("<p>" + req.query.a.trim()); }); // BAD
        app.get("/d", (req, res) => { res.send("<p>" + _.upperCase(req.query.a)); }); // BAD
        """),
]  # fmt: skip


@for_each(EXAMPLES, lambda row: row[1])
def test_rule__tells_the_marked_lines_alone(row: tuple[Rule, str, str]):
    rule, path, code = row
    assert sorted(posted_lines(rule, code, path=path)) == marked_lines(code)
