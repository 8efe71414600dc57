from __future__ import annotations

from tables import for_each

from devpulse.core.languages import language_of
from devpulse.core.rules.cleaner_calls import MAX_CALL, cleaner_calls
from devpulse.core.source import Source

CALLS = [
    (
        "a.py",
        "import html\nx = html.escape(a.b, quote=True)",
        [("html.escape", "a.b", "quote=True", "cross-site-scripting")],
    ),
    ("a.py", "import html\nx = html.escape(f(a, ')'))", [("html.escape", "f(a, ')')", "", "cross-site-scripting")]),
    ("a.php", "$wpdb->query($wpdb->prepare('x %d', $id));", [("wpdb.prepare", "'x %d'", "$id", "sql-injection")]),
    ("a.go", "os.Open(filepath.Join(root, filepath.Base(name)))", [("filepath.Base", "name", "", "path-traversal")]),
    ("a.php", "ldap_escape($name)", [("ldap_escape", "$name", "", "ldap-injection")]),
    ("A.java", "TextUtil.replaceEntities(name)", [("TextUtil.replaceEntities", "name", "", "cross-site-scripting")]),
    ("A.java", "HtmlUtil.encode(name)", [("HtmlUtil.encode", "name", "", "cross-site-scripting")]),
    ("a.go", "pathutil.Clean(name)", [("pathutil.Clean", "name", "", "path-traversal")]),
    ("a.js", "q = `SELECT a FROM ${this.escape(name)}`", [("this.escape", "name", "", "sql-injection")]),
    ("a.php", "sanitize_word($_GET['w'])", [("sanitize_word", "$_GET['w']", "", "cross-site-scripting")]),
    ("a.php", "sanitize_word($w)", []),
    ("A.java", "Base.encode(name)", []),
    ("a.go", "list.Clean(name)", []),
    ("a.py", "import urllib\nurllib.parse.quote_url(a)", []),
    ("a.js", "encodeURIComponent(a)", []),
    ("a.py", "def escape(text):", []),
    ("a.py", "import html\nhtml.escape(a", []),
    ("a.py", "import html\nhtml.escape(" + "a" * MAX_CALL + ")", []),
    ("a.py", "show(a)", []),
]


@for_each(CALLS)
def test_cleaner_calls__with_their_arguments(row: tuple[str, str, list[tuple[str, str, str, str]]]) -> None:
    path, text, expected = row
    found = list(cleaner_calls(text, Source(path, language_of(path), text, frozenset())))
    assert [(call.name, call.first, call.rest, call.category) for call in found] == expected
    assert all(text[call.end - 1] == ")" for call in found)
