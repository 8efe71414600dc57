from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run
from work import assert_work_in_step

from devpulse.core.categories import Confidence
from devpulse.core.rules.sql_injection import RULE

PATH = "internal/users.go"
REPORTED = {
    "sprintf": """
        package a
        func h(w http.ResponseWriter, r *http.Request) {
            name := r.URL.Query().Get("name")
            q := fmt.Sprintf("SELECT * FROM users WHERE name = '%s'", name)
            rows, err := db.Query(q) // BAD
        }
        """,
    "concat context": """
        package a
        func h(w http.ResponseWriter, r *http.Request) {
            rows, err := db.QueryContext(r.Context(), "SELECT * FROM users WHERE id = " + r.FormValue("id")) // BAD
        }
        """,
    "pgx": """
        package a
        func h(c *gin.Context) {
            id := c.Param("id")
            _, err := conn.Exec(c.Request.Context(), "DELETE FROM t WHERE id = '" + id + "'") // BAD
        }
        """,
    "gorm where": """
        package a
        func h(c *gin.Context) {
            db.Where("name = '" + c.Query("name") + "'").Find(&users) // BAD
        }
        """,
    "gorm order": """
        package a
        func h(c *gin.Context) {
            db.Order(c.Query("sort")).Find(&users) // BAD
        }
        """,
    "gorm raw": """
        package a
        func h(c *gin.Context) {
            db.Raw(fmt.Sprintf("SELECT * FROM t WHERE a LIKE '%%%s%%'", c.Query("a"))).Scan(&r) // BAD
        }
        """,
    "repo method": """
        package a
        func (s *Store) Find(name string) (*User, error) {
            row := s.db.QueryRow("SELECT id FROM users WHERE name = '" + name + "'") // BAD
            return nil, nil
        }
        """,
    "builder": """
        package a
        func h(w http.ResponseWriter, r *http.Request) {
            var b strings.Builder
            b.WriteString("SELECT * FROM t WHERE a = '")
            b.WriteString(r.FormValue("a"))
            b.WriteString("'")
            db.Exec(b.String()) // BAD
        }
        """,
    "order of a context in a field": """
        func (p *Page) sorted(db *gorm.DB) *gorm.DB {
            direction := p.ctx.DefaultQuery("order", "desc")
            return db.Order("name " + direction) // BAD
        }
        """,
    "column that is asked for": """
        func (s *Shop) search(c *gin.Context) {
            s.db.Where(fmt.Sprintf("%s LIKE ?", c.Query("field")), "%"+c.Query("text")+"%").Find(&items) // BAD
        }
        """,
    "column that the caller chooses": """
        package a
        func (s *Shelf) Books(field, text string) {
            s.db.Where(fmt.Sprintf("%s LIKE ?", field), text).Find(&books) // BAD
        }
        func (s *Shelf) Sorted(req ListRequest) {
            s.db.Order(fmt.Sprintf("%s %s", req.SortBy, req.Direction)).Find(&books) // BAD
        }
        """,
    "remote procedure": """
        func (s *Catalog) Find(ctx context.Context, in *shelfpb.FindRequest) (*shelfpb.FindReply, error) {
            rows, err := s.db.Query("SELECT id FROM books WHERE title = '" + in.GetTitle() + "'") // BAD
            return reply(rows), err
        }
        """,
    "own method": """
        func (s *Catalog) all(where string) (*sql.Rows, error) {
            return s.db.Query("SELECT id FROM books WHERE " + where) // BAD
        }

        func (s *Catalog) ServeHTTP(w http.ResponseWriter, r *http.Request) {
            rows, _ := s.all("title = '" + r.FormValue("title") + "'")
            show(w, rows)
        }
        """,
    "message of a queue": """
        func store(m *sarama.ConsumerMessage) {
            db.Exec("INSERT INTO events VALUES ('" + string(m.Value) + "')") // BAD
        }
        """,
    "controller of beego": """
        func (c *BookController) Get() {
            o.Raw("SELECT id FROM books WHERE title = '" + c.GetString("title") + "'").QueryRows(&books) // BAD
        }
        """,
}
QUIET = {
    "bound": """
        package a
        func h(w http.ResponseWriter, r *http.Request) {
            db.Query("SELECT * FROM t WHERE a = ?", r.FormValue("a"))
            db.QueryContext(r.Context(), "SELECT * FROM t WHERE a = $1", r.FormValue("a"))
            conn.Query(ctx, "SELECT * FROM t WHERE a = $1", r.FormValue("a"))
        }
        """,
    "gorm bound": """
        package a
        func h(c *gin.Context) {
            db.Where("name = ?", c.Query("name")).Find(&users)
            db.Where(&User{Name: c.Query("name")}).First(&u)
            db.Exec("UPDATE t SET a = ?", c.Query("a"))
        }
        """,
    "number": """
        package a
        func h(c *gin.Context) {
            id, err := strconv.Atoi(c.Param("id"))
            db.Query(fmt.Sprintf("SELECT * FROM t WHERE id = %d", id))
            db.Query("SELECT * FROM t WHERE id = " + strconv.Itoa(id))
        }
        """,
    "typed parameter": """
        package a
        func (s *Store) Get(id int64) { s.db.QueryRow(fmt.Sprintf("SELECT * FROM t WHERE id = %v", id)) }
        """,
    "allow-list map": """
        package a
        var columns = map[string]string{"a": "a", "b": "b"}
        func h(c *gin.Context) {
            col, ok := columns[c.Query("sort")]
            if !ok { col = "a" }
            db.Query("SELECT * FROM t ORDER BY " + col)
        }
        """,
    "allow-list switch": """
        package a
        func h(c *gin.Context) {
            sort := c.Query("sort")
            switch sort {
            case "a", "b":
            default:
                return
            }
            db.Query("SELECT * FROM t ORDER BY " + sort)
        }
        """,
    "table of the store": """
        package a
        func (s *Store) All() { s.db.Query(fmt.Sprintf("SELECT * FROM %s WHERE a = ?", s.table), 1) }
        """,
    "quoted": """
        package a
        func h(c *gin.Context) { db.Query("SELECT * FROM " + pq.QuoteIdentifier(c.Query("t"))) }
        """,
    "placeholders": """
        package a
        func (s *Store) Many(ids []string) { marks := strings.Repeat("?,", len(ids));
        s.db.Query("SELECT * FROM t WHERE id IN (" + marks + ")") }
        """,
    "placeholders loop": """
        package a
        func (s *Store) Many(ids []string) {
            marks := make([]string, len(ids))
            for i := range ids { marks[i] = "?" }
            s.db.Query("SELECT * FROM t WHERE id IN (" + strings.Join(marks, ",") + ")") }
        """,
    "placeholders numbered": """
        package a
        func (s *Store) Many(ids []string) {
            var marks []string
            for i, id := range ids { marks = append(marks, fmt.Sprintf("$%d", i+1)); args = append(args, id) }
            s.db.Query("SELECT * FROM t WHERE id IN (" + strings.Join(marks, ",") + ")", args...) }
        """,
    "direction of two": """
        func (p *Page) sorted(db *gorm.DB) *gorm.DB {
            direction := p.ctx.DefaultQuery("order", "desc")
            if direction != "asc" && direction != "desc" {
                direction = "desc"
            }
            return db.Order("name " + direction)
        }
        """,
    "value of a column": """
        func (s *Shop) search(c *gin.Context) {
            s.db.Where("name LIKE ?", "%"+c.Query("text")+"%").OrderBy("name DESC").Find(&items)
        }
        """,
    "column that the caller chooses from a list": """
        package a
        func (s *Shelf) Books(field, text string) {
            if isColumn(field) {
                s.db.Where(fmt.Sprintf("%s LIKE ?", field), text).Find(&books)
            }
        }
        func (s *Shelf) Sorted(sort string) {
            if !allowed[sort] {
                return
            }
            s.db.Order(sort + " desc").Find(&books)
        }
        """,
    "clause that the caller writes": """
        package a
        func (s *Shelf) Where(clause string) { s.db.Order(clause + " desc").Find(&books) }
        """,
    "words joined for something else": """
        func links(w http.ResponseWriter, r *http.Request) {
            found := []string{"<" + r.FormValue("from") + ">"}
            w.Header().Set("Link", strings.Join(found, ","))
        }
        """,
    "prepared in a constant group": """
        func id(name, word string) (found int) {
            const (
                byName = `SELECT id FROM people WHERE name = ? AND word = ?`
            )
            stmt, err := db.Prepare(byName)
            if err != nil {
                return 0
            }
            stmt.QueryRow(name, word).Scan(&found)
            return found
        }

        func handle(w http.ResponseWriter, r *http.Request) {
            id(r.FormValue("name"), r.FormValue("word"))
        }
        """,
    "own method with values": """
        func (s *Catalog) all(values ...any) (*sql.Rows, error) {
            return s.db.Query("SELECT id FROM books WHERE title = ?", values...)
        }

        func (s *Catalog) ServeHTTP(w http.ResponseWriter, r *http.Request) {
            rows, _ := s.all(r.FormValue("title"))
            show(w, rows)
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


def test_check__many_calls_of_one_function_take_work_in_step() -> None:
    def text_of(count: int) -> str:
        calls = "".join(f'\trun{n}("SELECT a FROM b WHERE c = \'" + id + "\'")\n' for n in range(count))
        return f"package a\n\nfunc find(id string) {{\n{calls}}}\n"

    assert_work_in_step(lambda text: run(RULE, text, path=PATH), text_of, 150)
