from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.categories import Confidence
from devpulse.core.rules.sql_injection import RULE

PATH = "src/main/java/app/Users.java"
REPORTED = {
    "servlet statement": """
        class A { void doGet(HttpServletRequest request, HttpServletResponse response) throws Exception {
          String name = request.getParameter("name");
          Statement st = connection.createStatement();
          ResultSet rs = st.executeQuery("SELECT * FROM users WHERE name = '" + name + "'"); // BAD
        } }
        """,
    "prepare built": """
        class A { void f(HttpServletRequest request) throws Exception {
          String sql = "DELETE FROM t WHERE id = " + request.getParameter("id");
          PreparedStatement ps = conn.prepareStatement(sql); // BAD
        } }
        """,
    "jdbctemplate": """
        @RestController class A { @GetMapping("/u") List<User> f(@RequestParam String name) {
          return jdbcTemplate.query("select * from users where name like '%" + name + "%'", mapper); // BAD
        } }
        """,
    "order by": """
        @RestController class A { @GetMapping("/u") List<User> f(@RequestParam String sort) {
          String sql = String.format("select * from users order by %s", sort);
          return jdbcTemplate.queryForList(sql); // BAD
        } }
        """,
    "jpql": """
        class Dao { List<User> find(String name) {
          return em.createQuery("from User u where u.name = '" + name + "'").getResultList(); // BAD
        } }
        """,
    "builder": """
        class Dao { List<User> find(String name) {
          StringBuilder sql = new StringBuilder("SELECT * FROM users WHERE 1=1");
          sql.append(" AND name = '").append(name).append("'");
          return em.createNativeQuery(sql.toString()).getResultList(); // BAD
        } }
        """,
    "hibernate": """
        class Dao { void f(@PathVariable String id) {
          session.createSQLQuery("delete from t where id = '" + id + "'").executeUpdate(); // BAD
        } }
        """,
    "concat +=": """
        class A { void doGet(HttpServletRequest request) throws Exception {
          String q = "SELECT * FROM t WHERE 1=1 ";
          if (request.getParameter("a") != null) { q += " AND a = '" + request.getParameter("a") + "'"; }
          stmt.execute(q); // BAD
        } }
        """,
    "control of a window": """
        class Desk extends JFrame {
            void save() throws SQLException {
                statement.executeUpdate("delete from people where name = '" + nameField.getText() + "'"); // BAD
                String asked = JOptionPane.showInputDialog("Which?");
                statement.executeQuery("select id from people where name = '" + asked + "'"); // BAD
                statement.executeQuery("select id from people where kind = '" + kinds.getSelectedItem() + "'"); // BAD
            }
        }
        """,
    "variable called like a class": """
        class Desk extends JFrame {
            void find() throws SQLException {
                String who = Person_Name.getText();
                statement.executeQuery("select id from people where name = '" + who + "'"); // BAD
            }
        }
        """,
    "argument of a graph": """
        class Books {
            @QueryMapping
            public List<Book> books(@Argument String title) {
                return jdbcTemplate.query("select id from book where title = '" + title + "'", mapper); // BAD
            }

            public Object book(DataFetchingEnvironment asked) {
                return jdbcTemplate.queryForList("select id from b where t = '" + asked.getArgument("t") + "'"); // BAD
            }
        }
        """,
    "query of objects": """
        public List<Book> books(PersistenceManager pm, HttpServletRequest request) {
            String title = request.getParameter("t");
            return (List<Book>) pm.newQuery("select from Book where title == '" + title + "'").execute(); // BAD
        }
        """,
}
QUIET = {
    "bound": """
        class A { void f(HttpServletRequest request) throws Exception {
          PreparedStatement ps = conn.prepareStatement("SELECT * FROM t WHERE id = ?");
          ps.setString(1, request.getParameter("id"));
          ps.executeQuery();
        } }
        """,
    "template bound": """
        class A { void f(@RequestParam String n) { jdbcTemplate.query("select * from t where n = ?", mapper, n); } }
        """,
    "typed": """
        class A { void f(@PathVariable Long id) throws Exception {
        st.executeQuery("SELECT * FROM t WHERE id = " + id); } }
        """,
    "parsed": """
        class A { void f(HttpServletRequest request) throws Exception {
        int id = Integer.parseInt(request.getParameter("id"));
        st.executeQuery("SELECT * FROM t WHERE id = " + id); } }
        """,
    "named parameter": """
        class Dao { List<User> find(String name) {
        return em.createQuery("from User u where u.name = :n").setParameter("n", name).getResultList(); } }
        """,
    "allow-list": """
        class A { private static final Set<String> COLUMNS = Set.of("a", "b");
        void f(HttpServletRequest request) throws Exception {
          String sort = request.getParameter("sort");
          if (!COLUMNS.contains(sort)) { throw new IllegalArgumentException(); }
          st.executeQuery("SELECT * FROM t ORDER BY " + sort);
        } }
        """,
    "switch": """
        class A { void f(HttpServletRequest request) throws Exception {
          String dir = "desc".equals(request.getParameter("d")) ? "DESC" : "ASC";
          st.executeQuery("SELECT * FROM t ORDER BY a " + dir);
        } }
        """,
    "constant table": """
        class A { static final String TABLE = "users"; void f(String a) throws Exception {
          PreparedStatement ps = conn.prepareStatement("SELECT * FROM " + TABLE + " WHERE a = ?"); } }
        """,
    "table of the class": """
        class A { void f(String a) throws Exception {
          PreparedStatement ps = conn.prepareStatement("SELECT * FROM " + this.table + " WHERE a = ?"); } }
        """,
    "placeholders": """
        class A { void f(List<String> ids) throws Exception {
          String marks = ids.stream().map(x -> "?").collect(Collectors.joining(","));
          PreparedStatement ps = conn.prepareStatement("SELECT * FROM t WHERE id IN (" + marks + ")"); } }
        """,
    "execute something else": """
        class A { void f(HttpServletRequest request) { executor.execute(new Task(request.getParameter("q")));
        service.update(request.getParameter("x")); } }
        """,
    "a store of objects": """
        class A { Mono<Page> f(ServerRequest request) { return client.update(request.bodyToMono(Page.class)); } }
        """,
    "a client of another kind": """
        class A { HttpResponse f(HttpServletRequest request) throws Exception {
        return httpClient.execute(new HttpGet(BASE + "?select=a&from=" + request.getParameter("q"))); } }
        """,
    "control bound or a number": """
        class Desk extends JFrame {
            void save() throws SQLException {
                PreparedStatement st = con.prepareStatement("delete from people where name = ?");
                st.setString(1, nameField.getText());
                st.executeUpdate();
                int id = Integer.parseInt(idField.getText());
                statement.executeUpdate("delete from people where id = " + id);
                title.setText("deleted " + nameField.getText());
            }
        }
        """,
    "batch of a service": """
        @PostMapping("/prices")
        public int prices(@RequestBody JSONObject changes) {
            return priceService.batchUpdate(changes);
        }
        """,
    "document as a whole": """
        @PostMapping("/notes")
        public void note(@RequestBody String body, @RequestParam Long id) {
            notes.insertOne(Document.parse(body));
            template.find(new BasicQuery("{id: " + id + "}"), Note.class);
        }
        """,
}


@pytest.mark.parametrize("code", REPORTED.values(), ids=REPORTED)
def test_check__reports(code: str):
    hits = run(RULE, code, path=PATH)
    assert lines_of(hits) == marked_lines(code)
    assert {(hit.category, hit.cwe) for hit in hits} == {("sql-injection", 89)}
    assert all(hit.confidence is not Confidence.LOW for hit in hits)


@pytest.mark.parametrize("code", QUIET.values(), ids=QUIET)
def test_check__is_quiet(code: str):
    assert run(RULE, code, path=PATH) == []
