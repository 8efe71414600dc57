from __future__ import annotations

from rule_tables import marked_lines, posted_lines
from tables import for_each

from devpulse.core.rules.command_injection import RULE

EXAMPLES = [
    ("x/x.go", """
        package x
        import "github.com/gogf/gf/v2/net/ghttp"
        type Query struct { Name string }
        func list(r *ghttp.Request) {
            name := r.Get("name").String()
            exec.Command("sh", "-c", "ls "+name).Run() // BAD
            exec.Command("ls", name).Run()
        }
        func parsed(r *ghttp.Request) {
            var q Query
            if err := r.Parse(&q); err != nil {
                return
            }
            exec.Command("sh", "-c", "ls "+q.Name).Run() // BAD
            exec.Command("ls", q.Name).Run()
        }
        func flags() {
            var q Query
            parser.Parse("x")
            exec.Command("sh", "-c", "ls "+q.Name).Run()
        }
        """),
]  # fmt: skip


@for_each(EXAMPLES, lambda row: row[0])
def test_rule__tells_the_marked_lines_alone(row: tuple[str, str]):
    path, code = row
    assert sorted(posted_lines(RULE, code, path=path)) == marked_lines(code)
