"""Parameters of Java and Go that are called like a file, in functions whose names do not say what they are for."""

from __future__ import annotations

from rule_tables import lines_of, run
from tables import for_each

from devpulse.core.categories import Confidence
from devpulse.core.rules.path_traversal import RULE

REPORTED = (
    ("a.go", "func Rewind(historyPath string) error {", "_, err := os.ReadFile(filepath.Join(root, historyPath))"),
    ("a.go", "func (b *Box) props(box, p string) error {", "_, err := os.ReadFile(filepath.Join(b.dir, box, p))"),
    ("a.go", "func (b *Box) Head(objectName string) error {", "return b.vfs.Remove(path.Join(b.dir, objectName))"),
    ("a.go", "func (b *Box) Head(coverImage string) error {", "return os.Remove(b.dir + \"/\" + coverImage)"),
    ("A.java", "class A { void keep(byte[] data, String shelfPath) throws IOException {",
     "FileCopyUtils.copy(data, new File(base + File.separator + shelfPath));"),
    ("A.java", "class A { void keep(byte[] data, String shelfImage) throws IOException {",
     "FileCopyUtils.copy(data, new File(base + FILE_SEPARATOR + shelfImage + File.separatorChar + \"a\"));"),
    ("A.java", "class A { void keep(byte[] data, String noteFile) throws IOException {",
     "diskHelper.saveBytes(base + \"/\" + noteFile, data);"),
)  # fmt: skip
QUIET = (
    ("a.go", "func Rewind(historyPath string) error {", "_, err := os.ReadFile(historyPath)"),
    ("a.go", "func Rewind(mode string) error {", "_, err := os.ReadFile(filepath.Join(root, mode))"),
    ("a.go", "func Rewind(pastFile string) error {", "_, err := os.ReadFile(filepath.Join(root, path.Base(pastFile)))"),
    ("a.go", "func Known(shelfDir string) error {", "_, err := os.ReadFile(filepath.Join(shelfDir, shelfFile))"),
    ("a_test.go", "func Rewind(historyPath string) error {", "_, err := os.ReadFile(filepath.Join(root, historyPath))"),
    ("a.go", "func (b *Box) Head(objectName string) error {", "return b.rows.Remove(path.Join(b.dir, objectName))"),
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
