from __future__ import annotations

from textwrap import dedent

import pytest

from devpulse.core.flow.engine import analyse
from devpulse.core.flow.purposes import Purpose
from devpulse.core.flow.records import CallRecord
from devpulse.core.flow.values import HOLE, Level, Place

GET = 'String a = request.getParameter("a");\n'


def call(code: str, callee: str = "sink") -> CallRecord:
    found = [record for record in analyse("java", dedent(code)).calls if record.callee == callee]
    assert len(found) == 1, [record.callee for record in analyse("java", dedent(code)).calls]
    return found[0]


def level(code: str, callee: str = "sink", index: int = 0) -> int:
    """The highest level at an argument; 0 when nothing is known to reach it."""
    value = call(code, callee).argument(index)
    assert value is not None
    return max((taint.origin.level for taint in value.taints if taint.origin.level > Level.UNKNOWN), default=0)


@pytest.mark.parametrize(
    "expression",
    [
        'request.getParameter("x")',
        'req.getHeader("x")',
        "request.getQueryString()",
        "request.getPathInfo()",
        'request.getParameterValues("x")[0]',
        'request.getParameterMap().get("x")',
        "request.getReader().readLine()",
        "request.getCookies()[0].getValue()",
        'request.getPart("x").getSubmittedFileName()',
        'getRequest().getParameter("x")',
        'httpServletRequest.getParameter("x").trim().toLowerCase()',
        "new BufferedReader(new InputStreamReader(request.getInputStream())).readLine()",
        'String.valueOf(request.getParameter("x"))',
        'Optional.ofNullable(request.getParameter("x")).orElse("d")',
        'c ? request.getParameter("x") : "d"',
        '(String) request.getParameter("x")',
        '"a" + request.getParameter("x") + "b"',
        'String.format("%s", request.getParameter("x"))',
        'String.format(Locale.ROOT, "%2$s %1$s", 1, request.getParameter("x"))',
        '"%s".formatted(request.getParameter("x"))',
        'MessageFormat.format("{0}", request.getParameter("x"))',
        'new StringBuilder("a").append(request.getParameter("x")).toString()',
        'String.join(",", request.getParameterValues("x"))',
        'Arrays.stream(request.getParameterValues("x")).map(String::trim).collect(Collectors.joining(","))',
        'List.of("a", request.getParameter("x"))',
        'new String[] {"a", request.getParameter("x")}',
        'switch (k) { case 1 -> request.getParameter("x"); default -> "d"; }',
        'URLDecoder.decode(request.getParameter("x"), UTF_8)',
    ],
)
def test_analyse__request_reaches_the_call(expression: str):
    assert level(f"sink({expression});") == Level.REQUEST


@pytest.mark.parametrize(
    "expression",
    [
        'Integer.parseInt(request.getParameter("x"))',
        'Long.valueOf(request.getParameter("x"))',
        'UUID.fromString(request.getParameter("x"))',
        '(int) request.getParameter("x")',
        'request.getParameter("x").length()',
        'request.getParameter("x").equals("a")',
        'request.getParameter("x") == null',
        'String.format("%d", request.getParameter("x"))',
        "request.getMethod()",
        "session.getAttribute(a)",
        "new int[] {1, 2}",
        '"constant"',
        "MAX_SIZE",
    ],
)
def test_analyse__harmless_expressions(expression: str):
    assert level(f"sink({expression});") == 0


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (GET + 'String s = "x"; s += a; sink(s);', True),
        (GET + "StringBuilder b = new StringBuilder(); b.append(\"x\"); b.append(a); sink(b.toString());", True),
        (GET + "StringBuilder b = new StringBuilder(); b.append(\"x\").append(a).append(1); sink(b);", True),
        (GET + "StringBuilder b = new StringBuilder(); b.append(a); b.setLength(0); sink(b);", False),
        (GET + "List<String> l = new ArrayList<>(); l.add(\"x\"); l.add(a); sink(l);", True),
        (GET + 'Map<String, String> m = new HashMap<>(); m.put("k", a); sink(m.get("k"));', True),
        (GET + "for (String v : a.split(\",\")) { sink(v); }", True),
        (GET + "list.forEach(v -> sink(a));", True),
        (GET + 'Arrays.asList(a).forEach(v -> sink(v));', True),
        (GET + "try (Reader r = new StringReader(a)) { sink(r); }", True),
        (GET + "Object o = a; if (o instanceof String s) { sink(s); }", True),
        (GET + "int n = convert(a); sink(n);", False),
        (GET + "this.a = a; sink(this.a);", True),
        (GET + "String[] p = new String[2]; p[1] = a; sink(p);", True),
        (GET + 'a = "x"; sink(a);', False),
        (GET + 'if (c) { a = "x"; } sink(a);', True),
        (GET + 'if (c) { a = "x"; } else { a = "y"; } sink(a);', False),
        (GET + "byte[] buffer = new byte[9]; request.getInputStream().read(buffer); sink(buffer);", True),
        (GET + 'switch (a) { case "x": c(); break; default: return; } sink(a);', False),
        (GET + 'switch (a) { case "x" -> sink(a); default -> c(); }', False),
        (GET + 'switch (k) { case 1: a = "b"; break; default: c(); } sink(a);', True),
        (GET + "synchronized (this) { sink(a); }", True),
        (GET + "do { sink(a); } while (c);", True),
        ("class A { void f(HttpServletRequest rq) { sink(rq.getParameter(\"x\")); } }", True),
        ("for (Cookie c : request.getCookies()) { sink(c.getValue()); }", True),
        ("Enumeration<String> e = request.getParameterNames(); while (c) { sink(e.nextElement()); }", True),
    ],
)  # fmt: skip
def test_analyse__statements(code: str, expected: bool):
    assert (level(code) == Level.REQUEST) is expected


@pytest.mark.parametrize(
    "guard",
    [
        "if (!ALLOWED.contains(a)) throw new IllegalArgumentException();",
        "if (!ALLOWED.contains(a)) { return; }",
        "if (!COLUMNS.containsKey(a)) { continue; }",
        'if (!List.of("x", "y").contains(a)) { break; }',
        'if (!"x".equals(a)) { return; }',
        'if (!a.equals("x") && !a.equals("y")) { return; }',
        'if (!a.matches("[a-z]+")) { throw new BadRequest(a); }',
        "if (!NAME.matcher(a).matches()) { throw new BadRequest(); }",
        'if (!Pattern.matches("[a-z]+", a)) { return; }',
        "if (!ALLOWED.contains(a)) { System.exit(1); }",
    ],
)
def test_analyse__guards(guard: str):
    assert level(GET + guard + "\nsink(a);") == 0


@pytest.mark.parametrize(
    "guard",
    [
        "if (!ALLOWED.contains(a)) { log(a); }",
        "if (a == null) { return; }",
        "if (ALLOWED.contains(b)) { return; }",
        'if (!a.matches(".*")) { return; }',
        'if (!a.contains("x")) { return; }',
    ],
)
def test_analyse__what_guards_nothing(guard: str):
    assert level(GET + guard + "\nsink(a);") == Level.REQUEST


@pytest.mark.parametrize(
    ("code", "inside"),
    [
        (
            "File f = new File(base, a); if (!f.getCanonicalPath().startsWith(base.getCanonicalPath())) { return; }",
            True,
        ),
        ("Path f = base.resolve(a).normalize(); if (!f.startsWith(base)) { throw new E(); }", True),
        ('Path f = base.resolve(a); if (a.contains("..")) { throw new E(); }', True),
        ("Path f = base.resolve(a); if (!f.startsWith(base)) { throw new E(); }", False),
        ("File f = new File(base, new File(a).getName());", True),
        ("Path f = base.resolve(Paths.get(a).getFileName());", True),
        ("File f = new File(base, FilenameUtils.getName(a));", True),
        ("File f = new File(base, a);", False),
        ("File f = new File(base + a);", False),
    ],
)
def test_analyse__paths(code: str, inside: bool):
    value = call(GET + code + " sink(f);").argument(0)
    assert value is not None
    taints = [taint for taint in value.taints if taint.origin.level is Level.REQUEST]
    assert taints
    assert all(Purpose.PATH in taint.cleaned for taint in taints) is inside


@pytest.mark.parametrize(
    ("parameter", "expected"),
    [
        ('@RequestParam("q") String q', Level.REQUEST),
        ("@PathVariable String q", Level.REQUEST),
        ("@RequestBody User q", Level.REQUEST),
        ("@RequestHeader(value = \"X\") String q", Level.REQUEST),
        ("@CookieValue String q", Level.REQUEST),
        ("@ModelAttribute Form q", Level.REQUEST),
        ("MultipartFile q", Level.REQUEST),
        ("@QueryParam(\"q\") String q", Level.REQUEST),
        ("@FormParam(\"q\") final String q", Level.REQUEST),
        ("@RequestParam Optional<String> q", Level.REQUEST),
        ("@RequestParam List<String> q", Level.REQUEST),
        ("@PathVariable Long q", 0),
        ("@PathVariable int q", 0),
        ("@PathVariable UUID q", 0),
        ("@RequestParam boolean q", 0),
        ("@RequestParam List<Integer> q", 0),
        ("@RequestParam Color q", 0),
        ("HttpServletRequest q", 0),
        ("Connection q", 0),
        ("String q", Level.PARAMETER),
        ("String... q", Level.PARAMETER),
        ("long q", 0),
    ],
)  # fmt: skip
def test_parameters__levels(parameter: str, expected: int):
    assert level(f"void f(final int n, {parameter}) throws IOException {{ sink(q); }}") == expected


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("@GetMapping(\"/x\") String f(String q) { sink(q); }", Level.REQUEST),
        ("@POST @Path(\"x\") Response f(String q) { sink(q); }", Level.REQUEST),
        ("public static void main(String[] args) { sink(args[0]); }", Level.LOCAL_INPUT),
        ('sink(System.getenv("X"));', Level.LOCAL_INPUT),
        ("Scanner s = new Scanner(System.in); sink(s.nextLine());", Level.LOCAL_INPUT),
        ("Scanner s = new Scanner(System.in); sink(s.nextInt());", 0),
        ("@PostMapping void f(@RequestBody User u) { sink(u.getName()); }", Level.REQUEST),
        ("@PostMapping void f(@RequestBody User u) { sink(u.isActive()); }", 0),
        ("@OnMessage public void f(String q, Session s) { sink(q); }", Level.REQUEST),
        ('@RabbitListener(queues = "x") void f(String q) { sink(q); }', Level.LOCAL_INPUT),
        ("@RabbitListener void f(int q) { sink(q); }", 0),
        ("void f(TextMessage m) { sink(m.getPayload()); }", Level.REQUEST),
        ("void f() { sink(txtName.getText()); }", Level.LOCAL_INPUT),
        ("void f() { sink(Person_Name.getText()); }", Level.LOCAL_INPUT),
        ("void f() { sink(element.getText()); }", 0),
        ("void f(HttpExchange e) { sink(e.getRequestURI().getQuery()); }", Level.REQUEST),
        ("ZipInputStream z = new ZipInputStream(in); ZipEntry e = z.getNextEntry(); sink(e.getName());", Level.ARCHIVE),
    ],
)  # fmt: skip
def test_analyse__sources(code: str, expected: int):
    assert level(code) == expected


@pytest.mark.parametrize(
    ("code", "callee", "index"),
    [
        ("new File(BASE, a);", "File", 1),
        ("new java.io.FileInputStream(a);", "FileInputStream", 0),
        ("new ProcessBuilder(List.of(\"sh\", \"-c\", a)).start();", "ProcessBuilder", 0),
        ("new ArrayList<String>(a);", "ArrayList", 0),
        ("Runtime.getRuntime().exec(a);", ".exec", 0),
        ("this.repo.find(1, a);", "this.repo.find", 1),
        ("jdbcTemplate.query(\"x\" + a, mapper);", "jdbcTemplate.query", 0),
        ("exec(a);", "exec", 0),
        ("response.getWriter().println(a);", ".println", 0),
        ("super.run(a);", "super.run", 0),
    ],
)  # fmt: skip
def test_analyse__callees(code: str, callee: str, index: int):
    assert level(GET + code, callee, index) == Level.REQUEST


@pytest.mark.parametrize(
    ("code", "skeleton", "place"),
    [
        ("\"SELECT x FROM t WHERE a = '\" + a + \"'\"", f"SELECT x FROM t WHERE a = '{HOLE}'", Place.QUOTED),
        ('"SELECT x FROM t WHERE a = " + a', f"SELECT x FROM t WHERE a = {HOLE}", Place.DATA),
        ('String.format("SELECT %d FROM %s", n, a)', f"SELECT {HOLE} FROM {HOLE}", Place.IDENTIFIER),
        ('"""\nSELECT x FROM t\nORDER BY """ + a', f"\nSELECT x FROM t\nORDER BY {HOLE}", Place.IDENTIFIER),
        ('new StringBuilder("FROM t").append(" WHERE a = ").append(a)', f"FROM t WHERE a = {HOLE}", Place.DATA),
        ("a", HOLE, Place.WHOLE),
    ],
)  # fmt: skip
def test_analyse__skeletons(code: str, skeleton: str, place: Place):
    value = call(GET + f"sink({code});").argument(0)
    assert value is not None
    assert value.skeleton == skeleton
    assert {taint.place for taint in value.taints if taint.origin.level is Level.REQUEST} == {place}


def test_analyse__collections_keep_their_parts():
    value = call(GET + 'List<String> l = new ArrayList<>(); l.add("sh"); l.add("-c"); l.add(a); sink(l);').argument(0)
    assert value is not None
    assert [item.skeleton for _, item in value.fields] == ["sh", "-c", HOLE]


def test_analyse__whole_class():
    code = """
        package a.b;
        import java.sql.*;
        @RestController
        public class Users {
            private static final String QUERY = "SELECT x FROM t WHERE a = '";
            private final JdbcTemplate jdbc;
            @GetMapping("/users")
            public List<User> all(@RequestParam String name) {
                String query = QUERY + name + "'";
                return jdbc.query(query, mapper);
            }
            private String clean(String text) { return text.replace("'", ""); }
        }
    """
    assert level(code, "jdbc.query") == Level.REQUEST
    assert [scope.name for scope in analyse("java", dedent(code)).scopes] == ["", "all", "clean"]


@pytest.mark.parametrize(
    "code",
    [
        GET + "sink(a);",
        "void f() { " + GET + "sink(a); }",
        "} catch (E e) { " + GET + "sink(a);",
        GET + "if (x) { sink(a);",
        GET + "foo(; sink(a);",
        "int f( { } class X { void g() { " + GET + "sink(a); } }",
    ],
)
def test_analyse__fragments(code: str):
    assert level(code) == Level.REQUEST


@pytest.mark.parametrize(
    "code",
    [
        "sink(" + "(" * 1500 + "a" + ")" * 1500 + ");",
        'String s = "a"' + ' + "b"' * 1500 + ";",
        "b" + ".append(a)" * 1200 + ";",
        "if (a) b(); " + "else if (a) b(); " * 1500,
        "{" * 1500 + "}" * 1500,
        "f(" * 1500 + ")" * 1500 + ";",
        "x -> " * 1500 + "y;",
        "a" + ".b" * 1200 + ".c();",
        "switch (a) { case 1: " * 1200 + "}" * 1200,
        "abstract class A { abstract void f(); } interface B { void g(); }",
        "new; case : -> ; ? : ; instanceof; switch { default } ; (int) ; @",
    ],
)  # fmt: skip
def test_analyse__depth_and_rubble(code: str):
    analyse("java", code)
