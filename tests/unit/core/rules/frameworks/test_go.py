from __future__ import annotations

from rule_tables import MemoryResolver, make_source, marked_lines
from tables import for_each

from devpulse.core.categories import Confidence
from devpulse.core.rules import run_rules

# Routes of today's frameworks with lines that are told beside such that are not.
EXAMPLES = [
    ("echo", "x/x.go", """
package x
func a(c echo.Context) error {
    return c.HTML(200, "<p>"+c.QueryParam("n")+"</p>") // BAD
}
func a2(c echo.Context) error {
    return c.HTML(200, "<p>"+html.EscapeString(c.QueryParam("n"))+"</p>")
}
func b(c echo.Context) error {
    return c.Redirect(302, c.QueryParam("to")) // BAD
}
func b2(c echo.Context) error {
    return c.File("/data/" + c.Param("f")) // BAD
}
func b3(c echo.Context) error {
    return c.File(filepath.Join("/data", filepath.Base(c.Param("f"))))
}
func d(c echo.Context) error {
    var q struct{ Name string }
    if err := c.Bind(&q); err != nil {
        return err
    }
    db.Raw("select * from t where n = '" + q.Name + "'").Scan(&rows) // BAD
    db.Raw("select * from t where n = ?", q.Name).Scan(&rows)
    db.Where("n = '" + q.Name + "'").Find(&rows) // BAD
    db.Where("n = ?", q.Name).Find(&rows)
    db.Order(q.Name).Find(&rows) // BAD
    return c.JSON(200, rows)
}
func e(c echo.Context) error {
    f, err := c.FormFile("file")
    dst, err := os.Create("/data/" + f.Filename)
    return err
}
func e2(c echo.Context) error {
    return c.Attachment("/data/"+c.QueryParam("f"), "x") // BAD
}
"""),
    ("fiber", "x/x.go", """
package x
func a(c *fiber.Ctx) error {
    c.Set("Content-Type", "text/html")
    return c.SendString("<p>" + c.Query("n") + "</p>") // BAD
}
func a2(c *fiber.Ctx) error {
    return c.SendString("hello " + c.Query("n"))
}
func b(c *fiber.Ctx) error {
    return c.Redirect(c.Query("to")) // BAD
}
func d(c *fiber.Ctx) error {
    return c.SendFile("./data/" + c.Params("f")) // BAD
}
func d2(c *fiber.Ctx) error {
    return c.SendFile("./data/" + filepath.Base(c.Params("f")))
}
func e(c *fiber.Ctx) error {
    var q Req
    if err := c.BodyParser(&q); err != nil {
        return err
    }
    out, err := exec.Command("sh", "-c", "convert "+q.Name).Output() // BAD
    out, err = exec.Command("convert", q.Name).Output()
    return c.Send(out)
}
func f(c *fiber.Ctx) error {
    file, _ := c.FormFile("f")
    return c.SaveFile(file, "./up/"+file.Filename)
}
func g(c *fiber.Ctx) error {
    return proxy.Do(c, c.Query("u")) // BAD
}
"""),
    ("chi", "x/x.go", """
package x
func a(w http.ResponseWriter, r *http.Request) {
    id := chi.URLParam(r, "id")
    rows, err := db.QueryContext(r.Context(), fmt.Sprintf("select * from t where id = '%s'", id)) // BAD
    rows, err = db.QueryContext(r.Context(), "select * from t where id = $1", id)
}
func b(w http.ResponseWriter, r *http.Request) {
    http.ServeFile(w, r, "/data/"+chi.URLParam(r, "f")) // BAD
}
func b2(w http.ResponseWriter, r *http.Request) {
    p := filepath.Join("/data", filepath.Clean("/"+chi.URLParam(r, "f")))
    http.ServeFile(w, r, p)
}
func b3(w http.ResponseWriter, r *http.Request) {
    p := filepath.Join("/data", r.FormValue("f"))
    if !strings.HasPrefix(p, "/data/") {
        return
    }
    http.ServeFile(w, r, p)
}
func c(w http.ResponseWriter, r *http.Request) {
    w.Header().Set("Content-Type", "text/html")
    fmt.Fprintf(w, "<p>%s</p>", r.URL.Query().Get("n")) // BAD
    fmt.Fprintf(w, "<p>%s</p>", template.HTMLEscapeString(r.URL.Query().Get("n")))
    io.WriteString(w, "<p>"+r.FormValue("n")) // BAD
    w.Write([]byte("<p>" + r.FormValue("n"))) // BAD
}
func d(w http.ResponseWriter, r *http.Request) {
    var in struct{ URL string }
    json.NewDecoder(r.Body).Decode(&in)
    resp, err := http.Get(in.URL) // BAD
}
func e(w http.ResponseWriter, r *http.Request) {
    render.HTML(w, r, "<p>"+r.FormValue("n")) // BAD
    render.JSON(w, r, r.FormValue("n"))
}
func f(w http.ResponseWriter, r *http.Request) {
    w.Header().Set("Location", r.FormValue("to")) // BAD
    w.WriteHeader(302)
}
func g(w http.ResponseWriter, r *http.Request) {
    t.Execute(w, template.HTML(r.FormValue("n"))) // BAD
}
func h(w http.ResponseWriter, r *http.Request) {
    f, err := os.Open(path.Join("/data", r.PathValue("f"))) // BAD
    root, err := os.OpenRoot("/data")
    g, err := root.Open(r.PathValue("f"))
}
func i(w http.ResponseWriter, r *http.Request) {
    mr, _ := r.MultipartReader()
    part, _ := mr.NextPart()
    os.Create("/data/" + part.FileName())
}
"""),
    ("gin", "x/x.go", """
package x
func a(c *gin.Context) {
    c.Data(200, "text/html", []byte("<p>"+c.Query("n"))) // BAD
    c.Header("Content-Type", "text/html")
    c.String(200, "<p>"+c.Query("n")) // BAD
}
func b(c *gin.Context) {
    c.Redirect(302, c.Query("to")) // BAD
}
func b2(c *gin.Context) {
    c.File("/data/" + c.Param("f")) // BAD
    c.FileAttachment("/data/"+c.Query("f"), "x") // BAD
}
func d(c *gin.Context) {
    f, _ := c.FormFile("f")
    c.SaveUploadedFile(f, "/data/"+f.Filename)
    c.SaveUploadedFile(f, "/data/"+filepath.Base(f.Filename))
}
func e(c *gin.Context) {
    var q Req
    if c.ShouldBindJSON(&q) != nil {
        return
    }
    db.Exec("update t set n = '" + q.Name + "'") // BAD
    db.Exec("update t set n = ?", q.Name)
    coll.Find(ctx, bson.M{"name": q.Name})
    dbx.Select(&rows, "select * from t where n = '"+q.Name+"'") // BAD
    pool.Query(ctx, "select * from t where n = '"+q.Name+"'") // BAD
    sq.Select("*").From("t").Where("n = '" + q.Name + "'") // BAD
    sq.Select("*").From("t").Where(sq.Eq{"n": q.Name})
}
func f(c *gin.Context) {
    l.Search(ldap.NewSearchRequest("ou=x", 0, 0, 0, 0, false, "(uid="+c.Query("u")+")", nil, nil)) // BAD
    l.Search(ldap.NewSearchRequest("ou=x", 0, 0, 0, 0, false, "(uid="+ldap.EscapeFilter(c.Query("u"))+")", nil, nil))
}
"""),
]  # fmt: skip


@for_each(EXAMPLES, lambda row: row[0])
def test_run_rules__tells_the_marked_lines_alone(row: tuple[str, str, str]):
    _, path, code = row
    hits = run_rules(make_source(code, path=path), MemoryResolver())
    posted = {hit.start_line for hit in hits if hit.confidence is not Confidence.LOW}
    assert sorted(posted) == marked_lines(code)
