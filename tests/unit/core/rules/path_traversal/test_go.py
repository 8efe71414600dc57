from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.categories import Confidence
from devpulse.core.rules.path_traversal import RULE

PATH = "internal/users.go"
REPORTED = {
    "open": """
        package a
        func h(w http.ResponseWriter, r *http.Request) {
            name := r.URL.Query().Get("file")
            data, err := os.ReadFile(filepath.Join("/srv/files", name)) // BAD
        }
        """,
    "servefile": """
        package a
        func h(w http.ResponseWriter, r *http.Request) {
            http.ServeFile(w, r, "./static/" + r.URL.Query().Get("f")) // BAD
        }
        """,
    "gin file": """
        package a
        func h(c *gin.Context) {
            c.File("./uploads/" + c.Param("name")) // BAD
        }
        """,
    "remove": """
        package a
        func h(c echo.Context) error {
            return os.Remove(path.Join(dir, c.QueryParam("name"))) // BAD
        }
        """,
    "zip": """
        package a
        func unzip(src, dest string) error {
            r, err := zip.OpenReader(src)
            for _, f := range r.File {
                p := filepath.Join(dest, f.Name)
                out, err := os.OpenFile(p, os.O_CREATE, f.Mode()) // BAD
            }
            return nil
        }
        """,
    "tar": """
        package a
        func untar(dest string, in io.Reader) error {
            tr := tar.NewReader(in)
            for {
                header, err := tr.Next()
                target := filepath.Join(dest, header.Name)
                f, err := os.Create(target) // BAD
            }
        }
        """,
    "file of a folder": """
        package a
        func readFileFromDir(fileName, dir string) ([]byte, error) {
            return os.ReadFile(filepath.Join(dir, fileName)) // BAD
        }
        """,
    "beego and go-restful": """
        func (this *FileController) Remove() {
            os.Remove(this.GetString("name")) // BAD
        }

        func read(request *restful.Request, response *restful.Response) {
            data, _ := os.ReadFile("/data/" + request.PathParameter("name")) // BAD
            response.Write(data)
        }
        """,
    "member that a function of the program writes": """
        package a
        func put(to string, header *tar.Header, r io.Reader) error {
            return writeEntry(filepath.Join(to, header.Name), r) // BAD
        }
        func one(to string, f *zip.File) error {
            out, err := os.Create(filepath.Join(to, f.Name)) // BAD
            return err
        }
        """,
    "upload of beego": """
        func (c *UploadController) Post() {
            c.SaveToFile("part", "static/"+c.GetString("name")) // BAD
            c.Ctx.Output.Download("files/" + c.GetString("name")) // BAD
        }
        """,
    "file of iris": """
        func sent(ctx iris.Context) {
            ctx.ServeFile("./files/" + ctx.URLParam("name")) // BAD
        }
        """,
}
QUIET = {
    "zip fixed": """
        package a
        func unzip(src, dest string) error {
            r, err := zip.OpenReader(src)
            for _, f := range r.File {
                p := filepath.Join(dest, f.Name)
                if !strings.HasPrefix(p, filepath.Clean(dest)+string(os.PathSeparator)) {
                    return fmt.Errorf("outside")
                }
                out, err := os.OpenFile(p, os.O_CREATE, f.Mode())
            }
            return nil
        }
        """,
    "tar dots": """
        package a
        func untar(dest string, in io.Reader) error {
            tr := tar.NewReader(in)
            for {
                header, err := tr.Next()
                if strings.Contains(header.Name, "..") { continue }
                f, err := os.Create(filepath.Join(dest, header.Name))
            }
        }
        """,
    "zip local": """
        package a
        func unzip(src, dest string) error {
            r, err := zip.OpenReader(src)
            for _, f := range r.File {
                if !filepath.IsLocal(f.Name) { return errBad }
                out, err := os.Create(filepath.Join(dest, f.Name))
            }
            return nil
        }
        """,
    "base": """
        package a
        func h(c *gin.Context) { os.Open(filepath.Join(dir, filepath.Base(c.Query("n")))) }
        """,
    "rooted": """
        package a
        func h(c *gin.Context) { os.Open(filepath.Join(dir, filepath.Clean("/"+c.Query("n")))) }
        """,
    "prefix": """
        package a
        func h(c *gin.Context) {
            p := filepath.Join(dir, c.Query("n"))
            if !strings.HasPrefix(p, dir) { return }
            os.Open(p)
        }
        """,
    "securejoin": """
        package a
        func h(c *gin.Context) {
            p, err := securejoin.SecureJoin(dir, c.Query("n"))
            os.Open(p)
        }
        """,
    "flag": """
        package a
        func main() { f := flag.String("f", "", ""); os.Open(*f); os.Open(os.Args[1]) }
        """,
    "plain": """
        package a
        func load(path string) { os.ReadFile(path) }
        """,
    "config join": """
        package a
        func (s *S) load() { os.ReadFile(filepath.Join(s.dir, s.name)) }
        """,
    "uploaded name has no folder": """
        package a
        func h(c *gin.Context) { file, _ := c.FormFile("f");
        c.SaveUploadedFile(file, filepath.Join(dir, file.Filename)) }
        """,
    "rel": """
        package a
        func h(c *gin.Context) {
            p := filepath.Join(dir, c.Query("n"))
            rel, err := filepath.Rel(dir, p)
            if err != nil || strings.HasPrefix(rel, "..") { return }
            os.Open(p)
        }
        """,
    "member whose place is checked": """
        package a
        func put(to string, header *tar.Header, r io.Reader) error {
            place := filepath.Join(to, header.Name)
            if !strings.HasPrefix(place, to+string(os.PathSeparator)) {
                return errOutside
            }
            return writeEntry(place, r)
        }
        func flat(to string, f *zip.File) error {
            return writeEntry(filepath.Join(to, filepath.Base(f.Name)), nil)
        }
        """,
    "name of something else": """
        package a
        func put(to string, item *Item, h *tar.Header) error { return writeEntry(filepath.Join(to, item.Label), h) }
        """,
    "number of an upload": """
        func (c *UploadController) Post() {
            id, _ := strconv.Atoi(c.GetString("id"))
            c.SaveToFile("part", fmt.Sprintf("static/%d.png", id))
        }
        """,
    "only the ending of an upload": """
        func picture(c *gin.Context) {
            ending := filepath.Ext(c.PostForm("name"))
            os.WriteFile("pictures/"+newID()+ending, body, 0o600)
        }
        """,
}


@pytest.mark.parametrize("code", REPORTED.values(), ids=REPORTED)
def test_check__reports(code: str):
    hits = run(RULE, code, path=PATH)
    assert lines_of(hits) == marked_lines(code)
    assert {(hit.category, hit.cwe) for hit in hits} == {("path-traversal", 22)}
    assert all(hit.confidence is not Confidence.LOW for hit in hits)


@pytest.mark.parametrize("code", QUIET.values(), ids=QUIET)
def test_check__is_quiet(code: str):
    assert run(RULE, code, path=PATH) == []
