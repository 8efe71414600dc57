"""Parameters of Java and Go that are called like a file, in functions whose names do not say what they are for."""

from __future__ import annotations

from rule_tables import lines_of, run
from tables import for_each

from devpulse.core.categories import Confidence
from devpulse.core.rules.path_traversal import RULE

REPORTED = (
    ("a.go", "func Lend(ticketPath string) error {", "_, err := os.ReadFile(filepath.Join(desk, ticketPath))"),
    ("a.go", "func (d *Desk) lend(fpath string) error {", "_, err := os.ReadFile(filepath.Join(d.room, fpath))"),
    ("a.go", "func (d *Desk) Drop(coverName string) error {", "return d.vfs.Remove(path.Join(d.room, coverName))"),
    ("a.go", "func (d *Desk) Drop(coverImage string) error {", "return os.Remove(d.room + \"/\" + coverImage)"),
    ("A.java", "class A { void keep(byte[] data, String shelfPath) throws IOException {",
     "FileCopyUtils.copy(data, new File(base + File.separator + shelfPath));"),
    ("A.java", "class A { void keep(byte[] data, String shelfImage) throws IOException {",
     "FileCopyUtils.copy(data, new File(base + FILE_SEPARATOR + shelfImage + File.separatorChar + \"a\"));"),
    ("A.java", "class A { void keep(byte[] data, String noteFile) throws IOException {",
     "diskHelper.saveBytes(base + \"/\" + noteFile, data);"),
)  # fmt: skip
QUIET = (
    ("a.go", "func Lend(ticketPath string) error {", "_, err := os.ReadFile(ticketPath)"),
    ("a.go", "func Lend(mode string) error {", "_, err := os.ReadFile(filepath.Join(root, mode))"),
    ("a.go", "func Lend(pastFile string) error {", "_, err := os.ReadFile(filepath.Join(root, path.Base(pastFile)))"),
    ("a.go", "func Known(shelfDir string) error {", "_, err := os.ReadFile(filepath.Join(shelfDir, shelfFile))"),
    ("a_test.go", "func Lend(ticketPath string) error {", "_, err := os.ReadFile(filepath.Join(desk, ticketPath))"),
    ("a.go", "func (d *Desk) Drop(coverName string) error {", "return d.rows.Remove(path.Join(d.room, coverName))"),
    ("A.java", "class A { void keep(byte[] data, String shelfPath) throws IOException {",
     "FileCopyUtils.copy(data, new File(base + GROUP_SEPARATOR + shelfPath));"),
    ("A.java", "class A { void keep(byte[] data, String shelfPath) throws IOException {",
     "FileCopyUtils.copy(data, new File(base + File.separator + FilenameUtils.getName(shelfPath)));"),
    ("A.java", "class A { void keep(byte[] data, String word) throws IOException {",
     "FileCopyUtils.copy(data, new File(base + File.separator + word));"),
    ("A.java", "class A { void keep(byte[] data, String noteFile) throws IOException {",
     "catalog.saveBytes(base + \"/\" + noteFile, data);"),
)  # fmt: skip


def told(path: str, head: str, statement: str) -> list[int]:
    """Lines of what is told with at least medium confidence of a statement in a function."""
    code = f"{head}\n    {statement}\n}}\n" if path.endswith("go") else f"{head}\n    {statement}\n}} }}\n"
    hits = run(RULE, code, path=f"shelf/{path}")
    return lines_of([hit for hit in hits if hit.confidence is not Confidence.LOW])


@for_each(REPORTED)
def test_of_parameter__reports(row: tuple[str, str, str]) -> None:
    assert told(*row) == [2]


@for_each(QUIET)
def test_of_parameter__is_quiet(row: tuple[str, str, str]) -> None:
    assert told(*row) == []
