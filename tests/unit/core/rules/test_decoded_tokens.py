from __future__ import annotations

from rule_tables import marked_lines, posted_lines
from tables import for_each

from devpulse.core.rules.decoded_tokens import RULE

REPORTED = [
    ("src/app.js", """
        function user(req, res, next) {
          const token = req.headers.authorization.split(" ")[1];
          const payload = JSON.parse(Buffer.from(token.split(".")[1], "base64").toString()); // BAD
          req.user = payload;
          next();
        }
        function admin(req, res, next) {
          const token = req.cookies.token;
          const payload = JSON.parse(atob(token.split(".")[1])); // BAD
          if (payload.role === "admin") next();
        }
        """),
    ("src/app.py", """
        import base64, json
        def current_user(request):
            token = request.headers["Authorization"].split(" ")[1]
            header, payload, last = token.split(".")
            data = json.loads(base64.urlsafe_b64decode(payload + "=="))  # BAD
            return User.objects.get(id=data["sub"])
        def is_admin(request):
            token = request.headers["Authorization"].split(" ")[1]
            raw = base64.b64decode(token.split(".")[1])  # BAD
            return json.loads(raw)["role"] == "admin"
        def page(request):
            version = request.GET["version"].split(".")
            name = request.GET["name"]
            place = 1
            size = 2
            color = 3
            kind = 4
            width = 5
            height = 6
            weight = 7
            depth = 8
            shade = 9
            border = 10
            radius = 11
            return json.loads(base64.b64decode(request.POST["state"]))["page"]
        """),
    ("src/x.php", """<?php
        function is_admin() {
          $token = str_replace('Bearer ', '', $_SERVER['HTTP_AUTHORIZATION']);
          $parts = explode('.', $token);
          $payload = json_decode(base64_decode($parts[1]), true); // BAD
          return $payload['role'] === 'admin';
        }
        function state() {
          return 1;
        }
        """),
    ("x/x.go", """
        package x
        func user(r *http.Request) (string, error) {
            token := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
            parts := strings.Split(token, ".")
            raw, err := base64.RawURLEncoding.DecodeString(parts[1]) // BAD
            var claims Claims
            return claims.Sub, json.Unmarshal(raw, &claims)
        }
        """),
    ("src/main/java/x/X.java", r"""
        class Filter {
          String user(HttpServletRequest request) throws Exception {
            String token = request.getHeader("Authorization").substring(7);
            String[] parts = token.split("\\.");
            String json = new String(Base64.getUrlDecoder().decode(parts[1])); // BAD
            return new JSONObject(json).getString("sub");
          }
        }
        """),
    ("app/controllers/x_controller.rb", """
        class ApplicationController
          def current_user
            token = request.headers["Authorization"].split(" ").last
            claims = JSON.parse(Base64.urlsafe_decode64(token.split(".")[1])) # BAD
            User.find(claims["sub"])
          end
        end
        """),
]  # fmt: skip
QUIET = [
    ("src/app.js", """
        const jwt = require("jsonwebtoken");
        function user(req, res, next) {
          const token = req.cookies.token;
          jwt.verify(token, KEY);
          const payload = JSON.parse(atob(token.split(".")[1]));
          req.user = payload;
        }
        """),
    ("src/app.js", """
        export function useUser(req) {
          const token = localStorage.getItem("token") || req.cookies.token;
          const payload = JSON.parse(atob(token.split(".")[1]));
          return payload.name;
        }
        """),
    ("src/app.py", """
        def is_admin(request):
            token = request.headers["Authorization"].split(" ")[1]
            jwt.decode(token, KEY, algorithms=["HS256"])
            return json.loads(base64.b64decode(token.split(".")[1]))["role"] == "admin"
        """),
    ("src/app.py", """
        def expires(token):
            return json.loads(base64.b64decode(token.split(".")[1]))["exp"]
        """),
    ("src/x.php", """<?php
        function state() {
          return json_decode(base64_decode($_COOKIE['state']), true);
        }
        """),
    ("src/app.py", """
        def page(request):
            if request.cookies["lang"].split(".")[0]:
                return json.loads(request.body)
            return base64.b64decode(request.body)
        """),
    ("src/app.js", """
        function upload(req, res) {
          const type = req.headers["x-name"].split(".")[1];
          const body = Buffer.from(req.body.data, "base64");
          save(type, body, JSON.parse(req.body.more));
        }
        """),
]  # fmt: skip


@for_each([*REPORTED, *QUIET], lambda row: row[0])
def test_rule__tells_the_marked_lines_alone(row: tuple[str, str]):
    path, code = row
    assert sorted(posted_lines(RULE, code, path=path)) == marked_lines(code)
