from __future__ import annotations

import pytest

from devpulse.core.flow.engine import analyse
from devpulse.core.flow.purposes import Purpose
from devpulse.core.flow.records import CallRecord
from devpulse.core.flow.values import HOLE, Level, Place

GET = 'a := r.FormValue("a")\n'


def call(code: str, callee: str = "sink") -> CallRecord:
    calls = analyse("go", code).calls
    found = [record for record in calls if record.callee == callee]
    assert len(found) == 1, [record.callee for record in calls]
    return found[0]


def level(code: str, callee: str = "sink", index: int = 0) -> int:
    """The highest level at an argument; 0 when nothing is known to reach it."""
    value = call(code, callee).argument(index)
    assert value is not None
    return max((taint.origin.level for taint in value.taints if taint.origin.level > Level.UNKNOWN), default=0)


@pytest.mark.parametrize(
    "expression",
    [
        'r.URL.Query().Get("x")',
        'r.URL.Query()["x"][0]',
        'r.FormValue("x")',
        'r.PostFormValue("x")',
        'r.Form.Get("x")',
        'r.PostForm["x"]',
        'r.Header.Get("X")',
        "r.URL.Path",
        'r.PathValue("x")',
        "r.Host",
        'mux.Vars(r)["x"]',
        'chi.URLParam(r, "x")',
        'c.Query("x")',
        'c.Param("x")',
        'c.PostForm("x")',
        'c.GetHeader("x")',
        'c.DefaultQuery("x", "y")',
        'c.QueryParam("x")',
        'c.FormValue("x")',
        'c.Params("x")',
        "c.Body()",
        'c.Request.URL.Query().Get("x")',
        'strings.TrimSpace(r.FormValue("x"))',
        'strings.ReplaceAll(strings.ToLower(r.FormValue("x")), "a", "b")',
        'strings.Split(r.FormValue("x"), ",")[0]',
        'strings.Join([]string{"a", r.FormValue("x")}, ",")',
        'fmt.Sprintf("%s", r.FormValue("x"))',
        'fmt.Sprintf("%[2]v %[1]d", 1, r.FormValue("x"))',
        'fmt.Sprintf("%d %q", 1, r.FormValue("x"))',
        'fmt.Sprint("a", r.FormValue("x"))',
        '"a" + r.FormValue("x") + "b"',
        '[]byte(r.FormValue("x"))',
        'string([]byte(r.FormValue("x")))',
        'append([]string{"a"}, r.FormValue("x"))',
        'r.FormValue("x")[1:3]',
        'T{Name: r.FormValue("x")}.Name',
        '&T{Name: r.FormValue("x")}',
        'map[string]string{"a": r.FormValue("x")}["a"]',
        '[]string{"sh", "-c", r.FormValue("x")}',
        'template.HTML(r.FormValue("x"))',
        'interface{}(r.FormValue("x")).(string)',
    ],
)
def test_analyse__request_reaches_the_call(expression: str):
    assert level(f"func f() {{ sink({expression}) }}") == Level.REQUEST


@pytest.mark.parametrize(
    "expression",
    [
        'len(r.FormValue("x"))',
        'int64(r.FormValue("x"))',
        'strconv.Itoa(convert(r.FormValue("x")))',
        'fmt.Sprintf("%d", r.FormValue("x"))',
        'fmt.Sprintf("%05.2f", r.FormValue("x"))',
        'r.FormValue("x") == "a"',
        'strings.HasPrefix(r.FormValue("x"), "a")',
        'v.(int)',
        "r.Method",
        "http.StatusOK",
        "ctx",
        '"constant"',
        'T{Name: r.FormValue("x"), Other: "c"}.Other',
    ],
)  # fmt: skip
def test_analyse__harmless_expressions(expression: str):
    assert level(f"func f() {{ sink({expression}) }}") == 0


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (GET + "b := a\nsink(b)", True),
        (GET + 'var s string\ns += "x"\ns += a\nsink(s)', True),
        (GET + "var s, t = a, 1\nsink(s)", True),
        (GET + "var s, t = 1, a\nsink(s)", False),
        (GET + "s, t := 1, a\nsink(t)", True),
        (GET + "s, t := 1, a\nsink(s)", False),
        (GET + "n, err := strconv.Atoi(a)\nsink(n)", False),
        (GET + "var n int = convert(a)\nsink(n)", False),
        (GET + "b, err := url.QueryUnescape(a)\nif err != nil {\n return\n}\nsink(b)", True),
        (GET + "b, err := url.QueryUnescape(a)\nsink(err)", False),
        (GET + "var b strings.Builder\nb.WriteString(\"x\")\nb.WriteString(a)\nsink(b.String())", True),
        (GET + "var b bytes.Buffer\nfmt.Fprintf(&b, \"x %s\", a)\nsink(b.String())", True),
        (GET + "l := []string{}\nl = append(l, a)\nsink(l)", True),
        (GET + "for i, v := range strings.Split(a, \",\") {\n sink(v)\n}", True),
        (GET + "m := map[string]string{}\nm[\"k\"] = a\nsink(m[\"k\"])", True),
        (GET + "s.name = a\nsink(s.name)", True),
        (GET + "*p = a\nsink(*p)", True),
        (GET + "f := func() { sink(a) }\nf()", True),
        (GET + "go func() { sink(a) }()", True),
        (GET + "defer sink(a)", True),
        (GET + "switch v := x.(type) {\ncase string:\n sink(a)\n}", True),
        ("switch v := r.Form[\"a\"].(type) {\ncase string:\n sink(v)\n}", True),
        (GET + "select {\ncase m := <-ch:\n sink(a + m)\n}", True),
        (GET + 'a = "x"\nsink(a)', False),
        (GET + 'if c {\n a = "x"\n}\nsink(a)', True),
        (GET + 'if c {\n a = "x"\n} else {\n a = "y"\n}\nsink(a)', False),
        (GET + 'switch a {\ncase "x", "y":\ndefault:\n return\n}\nsink(a)', False),
        (GET + 'switch a {\ncase "x":\n sink(a)\n}', False),
        ("body, _ := io.ReadAll(r.Body)\nsink(body)", True),
        ("var x T\njson.NewDecoder(r.Body).Decode(&x)\nsink(x.Name)", True),
        ("var x T\nif err := json.NewDecoder(r.Body).Decode(&x); err != nil {\n return\n}\nsink(x.Name)", True),
        ("body, _ := io.ReadAll(r.Body)\nvar x T\njson.Unmarshal(body, &x)\nsink(x.Name)", True),
        ("var x T\nif err := c.ShouldBindJSON(&x); err != nil {\n return\n}\nsink(x.Name)", True),
        ("x := new(T)\nc.Bind(x)\nsink(x.Name)", True),
        ("var x T\nhttpx.Parse(r, &x)\nsink(x.Name)", True),
        ("var x T\nhttpx.ParseDuration(r, &x)\nsink(x.Name)", False),
        ("var x T\nerr := c.Bind(&x)\nsink(err)", False),
        ("k, err := r.Cookie(\"x\")\nsink(k.Value)", True),
        ("vars := mux.Vars(r)\nid, ok := vars[\"id\"]\nif !ok {\n return\n}\nsink(id)", True),
    ],
)  # fmt: skip
def test_analyse__statements(code: str, expected: bool):
    assert (level(f"func f() {{\n{code}\n}}") == Level.REQUEST) is expected


@pytest.mark.parametrize(
    "guard",
    [
        "if _, ok := allowed[a]; !ok {\n return\n}",
        "_, ok := allowed[a]\nif !ok {\n http.Error(w, \"bad\", 400)\n return\n}",
        "if !allowed[a] {\n continue\n}",
        "if !slices.Contains(allowed, a) {\n panic(a)\n}",
        'if a != "x" {\n log.Fatal("bad")\n}',
        'if a != "x" && a != "y" {\n return\n}',
        "if !valid.MatchString(a) {\n return\n}",
        'if !regexp.MustCompile(`^[a-z]+$`).MatchString(a) {\n return\n}',
        'if !strings.EqualFold(a, "x") {\n return\n}',
    ],
)  # fmt: skip
def test_analyse__guards(guard: str):
    assert level(f"func f() {{\n{GET}{guard}\nsink(a)\n}}") == 0


@pytest.mark.parametrize(
    "guard",
    [
        "if _, ok := allowed[a]; !ok {\n log.Print(a)\n}",
        'if a == "" {\n return\n}',
        "if _, ok := allowed[b]; !ok {\n return\n}",
        'if !regexp.MustCompile(`^.*$`).MatchString(a) {\n return\n}',
        "if err != nil {\n return\n}",
    ],
)  # fmt: skip
def test_analyse__what_guards_nothing(guard: str):
    assert level(f"func f() {{\n{GET}{guard}\nsink(a)\n}}") == Level.REQUEST


@pytest.mark.parametrize(
    ("code", "inside"),
    [
        ("f := filepath.Join(base, filepath.Base(a))", True),
        ("f := filepath.Join(base, a)\nif !strings.HasPrefix(f, base) {\n return\n}", True),
        ('f := filepath.Join(base, a)\nif strings.Contains(a, "..") {\n return\n}', True),
        ('f := filepath.Join(base, filepath.Clean("/"+a))', True),
        ("if !filepath.IsLocal(a) {\n return\n}\nf := filepath.Join(base, a)", True),
        ("f, err := securejoin.SecureJoin(base, a)", True),
        ("f := filepath.Join(base, a)", False),
        ("f := base + a\nif !strings.HasPrefix(f, base) {\n return\n}", False),
        ("f := filepath.Join(base, filepath.Clean(a))", False),
    ],
)
def test_analyse__paths(code: str, inside: bool):
    value = call(f"func f() {{\n{GET}{code}\nsink(f)\n}}").argument(0)
    assert value is not None
    taints = [taint for taint in value.taints if taint.origin.level is Level.REQUEST]
    assert taints
    assert all(Purpose.PATH in taint.cleaned for taint in taints) is inside


@pytest.mark.parametrize(
    ("parameter", "expected"),
    [
        ("q string", Level.PARAMETER),
        ("p, q string", Level.PARAMETER),
        ("q ...string", Level.PARAMETER),
        ("q []byte", Level.PARAMETER),
        ("q *Options", Level.PARAMETER),
        ("q interface{}", Level.PARAMETER),
        ("q int", 0),
        ("q ...int64", 0),
        ("q bool", 0),
        ("q time.Duration", 0),
        ("q uuid.UUID", 0),
        ("q *sql.DB", 0),
        ("q context.Context", 0),
        ("q http.ResponseWriter", 0),
        ("q *shelfpb.FindRequest", Level.REQUEST),
        ("q events.APIGatewayProxyRequest", Level.REQUEST),
        ("q mcp.CallToolRequest", Level.REQUEST),
        ("q net.Conn", Level.REQUEST),
        ("q amqp.Delivery", Level.LOCAL_INPUT),
        ("q *ssh.Session", Level.PARAMETER),
        ("q *shelf.Request", Level.PARAMETER),
    ],
)
def test_parameters__levels(parameter: str, expected: int):
    assert level(f"func (s *Server) f(n int, {parameter}) error {{ sink(q); return nil }}") == expected


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("func f(w http.ResponseWriter, rq *http.Request) { sink(rq.URL.Path) }", Level.REQUEST),
        ('func f(g *gin.Context) { sink(g.Query("x")) }', Level.REQUEST),
        ('func f(e echo.Context) error { return sink(e.QueryParam("x")) }', Level.REQUEST),
        ('func f(w http.ResponseWriter, r *http.Request, p httprouter.Params) { sink(p.ByName("x")) }', Level.REQUEST),
        ("func main() { sink(os.Args[1]) }", Level.LOCAL_INPUT),
        ('func main() { sink(os.Getenv("X")) }', Level.LOCAL_INPUT),
        ('func main() { x := flag.String("x", "", ""); sink(*x) }', Level.LOCAL_INPUT),
        ("func main() { var x string; fmt.Scanln(&x); sink(x) }", Level.LOCAL_INPUT),
        ("func main() { s := bufio.NewScanner(os.Stdin); sink(s.Text()) }", Level.LOCAL_INPUT),
        ("func f() { z, err := zip.OpenReader(p); for _, m := range z.File { sink(m.Name) } }", Level.ARCHIVE),
        ("func f() { t := tar.NewReader(p); h, err := t.Next(); sink(h.Name) }", Level.ARCHIVE),
        ('func init() { http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) { sink(r.Host) }) }', 5),
    ],
)
def test_analyse__sources(code: str, expected: int):
    assert level(code) == expected


@pytest.mark.parametrize(
    ("code", "callee", "index"),
    [
        ('db.Query("x" + a)', "db.Query", 0),
        ("s.repo.Find(1, a)", "s.repo.Find", 1),
        ('exec.Command("sh", "-c", a).Run()', "exec.Command", 2),
        ("os.Open(a)", "os.Open", 0),
        ("get().Run(a)", ".Run", 0),
        ("run[int](a)", "run", 0),
        ('http.Redirect(w, r, a, 302)', "http.Redirect", 2),
        ('fmt.Fprintf(w, "%s", a)', "fmt.Fprintf", 2),
        ("c.String(200, a)", "c.String", 1),
    ],
)  # fmt: skip
def test_analyse__callees(code: str, callee: str, index: int):
    assert level(f"func f() {{\n{GET}{code}\n}}", callee, index) == Level.REQUEST


def test_analyse__records():
    record = call("func f() {\n" + GET + "http.SetCookie(w, &http.Cookie{Value: a, Secure: false})\n}", "http.Cookie")
    value, secure = record.keyword("Value"), record.keyword("Secure")
    assert value is not None
    assert value.taints[0].origin.level is Level.REQUEST
    assert secure is not None
    assert (secure.skeleton or "").lower() == "false"


@pytest.mark.parametrize(
    ("code", "skeleton", "place"),
    [
        ('"SELECT x FROM t WHERE a = \'" + a + "\'"', f"SELECT x FROM t WHERE a = '{HOLE}'", Place.QUOTED),
        ('fmt.Sprintf("SELECT %d FROM %s", n, a)', f"SELECT {HOLE} FROM {HOLE}", Place.IDENTIFIER),
        ("`SELECT x FROM t\nORDER BY ` + a", f"SELECT x FROM t\nORDER BY {HOLE}", Place.IDENTIFIER),
        ("a", HOLE, Place.WHOLE),
    ],
)
def test_analyse__skeletons(code: str, skeleton: str, place: Place):
    value = call(f"func f() {{\n{GET}sink({code})\n}}").argument(0)
    assert value is not None
    assert value.skeleton == skeleton
    assert {taint.place for taint in value.taints if taint.origin.level is Level.REQUEST} == {place}


def test_analyse__builder_keeps_its_text():
    code = 'var b strings.Builder\nb.WriteString("FROM t WHERE a = ")\nb.WriteString(a)\nsink(b.String())'
    value = call(f"func f() {{\n{GET}{code}\n}}").argument(0)
    assert value is not None
    assert value.skeleton == f"FROM t WHERE a = {HOLE}"


def test_analyse__a_response_is_no_text():
    code = 'w.Write([]byte(a))\nsink(w)'  # fmt: skip
    assert level(f"func f(w http.ResponseWriter, r *http.Request) {{\n{GET}{code}\n}}") == 0


@pytest.mark.parametrize(
    "code",
    [
        GET + "sink(a)",
        "package a\n\nimport (\n\t\"net/http\"\n)\n\nfunc f() {\n" + GET + "sink(a)\n}",
        "}\n" + GET + "sink(a)",
        "func f() {\n" + GET + "if x {\nsink(a)",
        "func f( {\n" + GET + "sink(a)\n}",
        "func f() { foo(; }\nfunc g() {\n" + GET + "sink(a)\n}",
    ],
)  # fmt: skip
def test_analyse__fragments(code: str):
    assert level(code) == Level.REQUEST


@pytest.mark.parametrize(
    "code",
    [
        "func f() { sink(" + "(" * 1500 + "a" + ")" * 1500 + ") }",
        'func f() { s := "a"' + ' + "b"' * 1500 + " }",
        "func f() { b" + ".Append(a)" * 1200 + " }",
        "func f() { if a { b() } " + "else if a { b() } " * 1200 + "}",
        "func f() {" + "{" * 1500 + "}" * 1500 + "}",
        "func f() { " + "f(" * 1500 + ")" * 1500 + " }",
        "func f() { " + "x = func() {" * 1200 + "}" * 1200 + " }",
        "func f() { " + "&" * 1500 + "a }",
        "func f() { x := []T{" + "{" * 1500 + "}" * 1500 + "} }",
        "func f()\nfunc (r T) g()\ntype X interface { h() }",
        ":= ; case x: ; switch { default } ; a[ ; range ; func ; <- ; var = 1",
    ],
)
def test_analyse__depth_and_rubble(code: str):
    analyse("go", code)


def test_analyse__methods_of_the_file() -> None:
    code = """
    func (s *Shelf) sorted(by string) string {
        return "order by " + by
    }

    func (s *Shelf) list(r *http.Request) {
        sink(s.sorted(r.FormValue("by")))
    }
    """
    value = call(code).argument(0)
    assert value is not None
    assert value.skeleton == f"order by {HOLE}"


def test_analyse__a_method_of_the_same_name_as_that_of_a_result() -> None:
    code = """
    func (s *Shelf) Get(id string) *Book {
        return s.books[id]
    }

    func handle(r *http.Request) {
        sink(r.URL.Query().Get("id"))
    }
    """
    assert level(code) == Level.REQUEST
