from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.categories import Confidence
from devpulse.core.finding import Hit
from devpulse.core.rules.command_injection import RULE

GO, RUBY = "internal/app.go", "lib/app.rb"
REPORTED = {
    "revision of a caller": (
        GO,
        """
        func (g *Checkout) switchTo(ctx context.Context, dir string, ref string) error {
            cmd := exec.CommandContext(ctx, "git", "checkout", ref) // BAD
            cmd.Dir = dir
            return cmd.Run()
        }
        """,
    ),
    "added to a list": (
        GO,
        """
        func history(w http.ResponseWriter, r *http.Request) {
            args := []string{"log", "--oneline"}
            args = append(args, r.URL.Query().Get("rev"))
            out, _ := exec.Command("git", args...).Output() // BAD
            fmt.Println(len(out))
        }
        """,
    ),
    "open3": (
        RUBY,
        """
        class History
          def log(ref)
            out, _ = Open3.capture2("git", "log", "--oneline", ref)  # BAD
            out.lines
          end
        end
        """,
    ),
}
QUIET = {
    "options end before it": (
        GO,
        """
        func show(ctx context.Context, ref string) error {
            exec.CommandContext(ctx, "git", "fetch", "--", ref).Run()
            return exec.CommandContext(ctx, "git", "show", "--end-of-options", ref).Run()
        }
        """,
    ),
    "refused": (
        GO,
        """
        func checkout(ref string) error {
            if strings.HasPrefix(ref, "-") {
                return errors.New("no revision")
            }
            return exec.Command("git", "checkout", ref).Run()
        }
        """,
    ),
    "value of an option": (
        GO,
        """
        func branch(ref string) error {
            return exec.Command("git", "checkout", "-b", ref).Run()
        }
        """,
    ),
    "behind other text": (
        GO,
        """
        func tracked(branch string) error {
            return exec.Command("git", "rev-parse", "refs/heads/"+branch).Run()
        }
        """,
    ),
    "no revision": (
        GO,
        """
        func stage(dir string, file string) error {
            return exec.Command("git", "-C", dir, "diff", file).Run()
        }
        """,
    ),
    "argument behind a context": (
        GO,
        """
        func resize(w http.ResponseWriter, r *http.Request) {
            exec.CommandContext(r.Context(), "convert", "-size", r.FormValue("size"), "out.png").Run()
        }
        """,
    ),
    "asked in ruby": (
        RUBY,
        """
        class History
          def log(ref)
            raise ArgumentError, "revision" if ref.start_with?("-")
            system("git", "log", ref)
          end
        end
        """,
    ),
}


def _told(path: str, code: str) -> list[Hit]:
    return [hit for hit in run(RULE, code, path=path) if hit.confidence is not Confidence.LOW]


@pytest.mark.parametrize(("path", "code"), REPORTED.values(), ids=REPORTED)
def test_reach_of_option__reports(path: str, code: str) -> None:
    hits = _told(path, code)
    assert lines_of(hits) == marked_lines(code)
    assert all(hit.cwe == 88 for hit in hits)


@pytest.mark.parametrize(("path", "code"), QUIET.values(), ids=QUIET)
def test_reach_of_option__is_quiet(path: str, code: str) -> None:
    assert _told(path, code) == []
