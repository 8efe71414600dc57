"""Functions of Go that open, write or serve a file, each in a statement of its own."""

from __future__ import annotations

from rule_tables import posted_lines
from tables import for_each

from devpulse.core.rules.path_traversal import RULE

REPORTED = (
    "os.Chown(p, 1, 1)",
    "os.Lchown(p, 1, 1)",
    "os.Chdir(p)",
    "os.DirFS(p)",
    "template.ParseGlob(p)",
    "viper.SetConfigFile(p)",
    "excelize.OpenFile(p)",
    "xlsx.OpenFile(p)",
    "tail.TailFile(p, tail.Config{Follow: true})",
    "toml.DecodeFile(p, &settings)",
    "ini.Load(p)",
    "imaging.Open(p)",
    "gzip.Open(p)",
    "archiver.Unarchive(p, folder)",
    'c.SaveToFile("upload", p)',
    "fasthttp.ServeFile(ctx, p)",
    "fasthttp.SaveMultipartFile(header, p)",
    "imaging.Save(picture, p)",
    "ctx.ServeFile(p)",
    "c.Ctx.Output.Download(p)",
    "files.MoveAll(p, folder)",
    "files.MoveAll(folder, p)",
    "s.fs.OpenFile(p, flags)",
    "t.vfs.Remove(p)",
    "fileutil.SaveAll(p, rows)",
    "fasthttp.SendFile(p)",
    "afero.ReadFile(fs, p)",
    "afero.WriteFile(fs, p, nil, 0o600)",
)
QUIET = (
    "os.Chdir(filepath.Base(p))",
    'excelize.OpenFile("/srv/" + filepath.Base(x))',
    'os.Create("/srv/out" + filepath.Ext(x))',
    'os.Create("/srv/out" + path.Ext(x))',
    'tail.TailFile("/var/log/app.log", tail.Config{Tag: x})',
    'c.SaveToFile(x, "/srv/upload")',
    'imaging.Save(draw(x), "/srv/picture.png")',
    "afero.WriteFile(p, known, nil, 0o600)",
    "files.ReadAll(x)",
    "files.MoveAll(filepath.Base(p), folder)",
    "s.fs.Renamer(p)",
    "fs.ReadDir(tree, p)",
    "offset.OpenFile(p)",
    "t.vfs.Remove(known[x])",
    "shop.Download(p)",
    "ini.LoadSources(known[x])",
    'toml.DecodeFile("/etc/app.toml", &settings)',
)


def told(statement: str) -> list[int]:
    """Lines of what is told of a statement that is given a path with a value of the request."""
    head = '    x := r.FormValue("x")\n    p := "/srv/" + x\n'
    code = f"func show(w http.ResponseWriter, r *http.Request) {{\n{head}    {statement}\n}}\n"
    return posted_lines(RULE, code, path="internal/app.go")


@for_each(REPORTED)
def test_check__reports(row: str) -> None:
    assert told(row) == [4]


@for_each(QUIET)
def test_check__is_quiet(row: str) -> None:
    assert told(row) == []
