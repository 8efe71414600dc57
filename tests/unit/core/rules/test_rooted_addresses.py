from __future__ import annotations

from rule_tables import marked_lines, posted_lines
from tables import for_each

from devpulse.core.rules.open_redirect import RULE

EXAMPLES = [
    ("src/app.py", """
        from flask import request, redirect
        @app.route("/a")
        def a():
            return redirect("/" + request.args.get("next"))  # BAD
        @app.route("/a2")
        def a2():
            return redirect("/app/" + request.args.get("next"))
        @app.route("/a3")
        def a3():
            return redirect("/" + request.args.get("next").lstrip("/"))
        @app.route("/a4")
        def a4():
            return redirect(f"/{request.args['next']}")  # BAD
        @app.route("/a5")
        def a5():
            return redirect(f"/{request.args['user']}/edit")  # BAD
        @app.route("/b")
        def b():
            n = request.args.get("next")
            if not n.startswith("/") or n.startswith("//"):
                return "no"
            return redirect(n)
        @app.route("/b1")
        def b1():
            n = request.args.get("next")
            if not n.startswith("/"):
                return "no"
            return redirect(n)  # BAD
        @app.route("/b2")
        def b2():
            n = request.args.get("next")
            if n.startswith("/") and not n.startswith("//"):
                return redirect(n)
            return redirect("/")
        @app.route("/b3")
        def b3():
            n = request.args.get("next")
            if n.startswith("/"):
                return redirect(n)  # BAD
            return redirect("/")
        @app.route("/b4/<path:rest>")
        def b4(rest):
            return redirect("/" + rest)  # BAD
        @app.route("/b5/<name>")
        def b5(name):
            return redirect("/" + name)
        @app.route("/b6")
        def b6():
            n = request.args.get("next")
            if n.startswith("//"):
                return "no"
            return redirect("/" + n)  # BAD
        @app.route("/b7")
        def b7():
            return redirect("/?q=" + request.args.get("q"))
        @app.route("/b8")
        def b8():
            return redirect("/%s" % request.args.get("q"))  # BAD
        """),
    ("src/app.js", r"""
        const app = require("express")();
        app.get("/a", (req, res) => res.redirect("/" + req.query.next)); // BAD
        app.get("/a1", (req, res) => res.redirect(`/${req.query.next}`)); // BAD
        app.get("/a2", (req, res) => res.redirect("/app/" + req.query.next));
        app.get("/a3", (req, res) => res.redirect(`/${req.params.id}`));
        app.get("/a5", (req, res) => res.redirect(`/${req.params.id}/edit`));
        app.get("/a4", (req, res) => res.redirect("/" + encodeURIComponent(req.query.next)));
        app.get("/b", (req, res) => {
          const n = req.query.next;
          if (!n.startsWith("/") || n.startsWith("//")) return res.end();
          res.redirect(n);
        });
        app.get("/b1", (req, res) => {
          const n = req.query.next;
          if (!n.startsWith("/")) return res.end();
          res.redirect(n); // BAD
        });
        app.get("/b2", (req, res) => {
          const n = req.query.next;
          if (n[0] !== "/" || n[1] === "/") return res.end();
          res.redirect(n);
        });
        app.get("/b3", (req, res) => {
          const n = req.query.next;
          if (n.charAt(0) !== "/" || n.charAt(1) === "/") return res.end();
          res.redirect(n);
        });
        app.get("/b4", (req, res) => {
          const n = req.query.next;
          if (!/^\/[^\/\\]/.test(n)) return res.end();
          res.redirect(n);
        });
        app.get("/b5", (req, res) => {
          const n = req.query.next;
          res.redirect(n.startsWith("/") && !n.startsWith("//") ? n : "/");
        });
        app.get("/b6", (req, res) => {
          const n = req.query.next;
          res.redirect(n.startsWith("/") ? n : "/"); // BAD
        });
        app.get("/b7", (req, res) => {
          const n = req.query.next;
          if (n.indexOf("/") !== 0 || n.indexOf("//") === 0) return res.end();
          res.redirect(n);
        });
        app.get("/b8", (req, res) => {
          res.redirect("/?tab=" + req.query.tab);
        });
        """),
    ("src/x.php", """<?php
        header("Location: /" . $_GET['next']); // BAD
        header("Location: /app/" . $_GET['next']);
        header("Location: /" . ltrim($_GET['next'], '/'));
        header("Location: /" . urlencode($_GET['next']));
        header("Location: /?page=" . $_GET['page']);
        """),
    ("src/x.php", """<?php
        function a() {
          $n = $_GET['next'];
          if (strpos($n, '/') !== 0 || strpos($n, '//') === 0) { die(); }
          header("Location: " . $n);
        }
        function b() {
          $n = $_GET['next'];
          if (!str_starts_with($n, '/') || str_starts_with($n, '//')) { die(); }
          header("Location: " . $n);
        }
        function c() {
          $n = $_GET['next'];
          if (!str_starts_with($n, '/')) { die(); }
          header("Location: " . $n); // BAD
        }
        function d() {
          $n = $_GET['next'];
          if ($n[0] !== '/' || $n[1] === '/') { die(); }
          header("Location: " . $n);
        }
        function e() {
          $n = $_GET['next'];
          if (substr($n, 0, 1) !== '/' || substr($n, 0, 2) === '//') { die(); }
          header("Location: " . $n);
        }
        """),
    ("app/controllers/x_controller.rb", """
        class XController < ApplicationController
          def a
            redirect_to "/" + params[:next] # BAD
          end
          def a1
            redirect_to "/#{params[:next]}" # BAD
          end
          def a2
            redirect_to "/users/#{params[:id]}"
          end
          def b
            n = params[:next]
            if n.start_with?("/") && !n.start_with?("//")
              redirect_to n
            end
          end
          def c
            n = params[:next]
            return head(:bad_request) if !n.start_with?("/") || n.start_with?("//")
            redirect_to n
          end
          def d
            n = params[:next]
            return head(:bad_request) unless n.start_with?("/")
            redirect_to n # BAD
          end
        end
        """),
    ("src/main/java/x/X.java", """
        public class X extends HttpServlet {
          protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.sendRedirect("/" + request.getParameter("next")); // BAD
          }
          protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.sendRedirect("/app/" + request.getParameter("next"));
          }
          protected void doPut(HttpServletRequest request, HttpServletResponse response) throws IOException {
            String n = request.getParameter("next");
            if (!n.startsWith("/") || n.startsWith("//")) { return; }
            response.sendRedirect(n);
          }
          protected void doDelete(HttpServletRequest request, HttpServletResponse response) throws IOException {
            String n = request.getParameter("next");
            if (!n.startsWith("/")) { return; }
            response.sendRedirect(n); // BAD
          }
          protected void doHead(HttpServletRequest request, HttpServletResponse response) throws IOException {
            String n = request.getParameter("next");
            if (n.charAt(0) != '/' || n.charAt(1) == '/') { return; }
            response.sendRedirect(n);
          }
        }
        """),
    ("x/x.go", """
        package x
        func a(w http.ResponseWriter, r *http.Request) {
            http.Redirect(w, r, "/"+r.FormValue("next"), 302) // BAD
        }
        func a1(w http.ResponseWriter, r *http.Request) {
            http.Redirect(w, r, "/app/"+r.FormValue("next"), 302)
        }
        func b(w http.ResponseWriter, r *http.Request) {
            n := r.FormValue("next")
            if !strings.HasPrefix(n, "/") || strings.HasPrefix(n, "//") {
                return
            }
            http.Redirect(w, r, n, 302)
        }
        func c(w http.ResponseWriter, r *http.Request) {
            n := r.FormValue("next")
            if !strings.HasPrefix(n, "/") {
                return
            }
            http.Redirect(w, r, n, 302) // BAD
        }
        func d(w http.ResponseWriter, r *http.Request) {
            n := r.FormValue("next")
            if n[0] != '/' || n[1] == '/' {
                return
            }
            http.Redirect(w, r, n, 302)
        }
        func e(w http.ResponseWriter, r *http.Request) {
            http.Redirect(w, r, "/"+mux.Vars(r)["id"], 302)
        }
        func f(w http.ResponseWriter, r *http.Request) {
            http.Redirect(w, r, "/"+strings.TrimLeft(r.FormValue("next"), "/"), 302)
        }
        func g(w http.ResponseWriter, r *http.Request) {
            http.Redirect(w, r, fmt.Sprintf("/%s", r.FormValue("next")), 302) // BAD
        }
        """),
]  # fmt: skip


@for_each(EXAMPLES, lambda row: row[0])
def test_rule__tells_the_marked_lines_alone(row: tuple[str, str]):
    path, code = row
    assert sorted(posted_lines(RULE, code, path=path)) == marked_lines(code)
