from __future__ import annotations

from compared_texts import compared
from hypothesis import given, settings
from hypothesis import strategies as st
from rule_tables import MemoryResolver
from tables import for_each
from work import assert_work_in_step

from devpulse.core.change import Side
from devpulse.core.finding import Hit
from devpulse.core.rules.removed_escape import RULE
from devpulse.core.source import Source

XSS, SHELL, SQL, PATH = "cross-site-scripting", "command-injection", "sql-injection", "path-traversal"
LEFT, RIGHT = Side.LEFT, Side.RIGHT

REPORTED = [
    (
        "a.py",
        "from html import escape\nnote.body = escape(form['body'])",
        "from html import escape\nnote.body = form['body']",
        XSS,
        LEFT,
        "medium",
    ),
    (
        "a.py",
        "from html import escape\ncard = make(title=escape(title), text=escape(text))",
        "from html import escape\ncard = make(title=title, text=text)",
        XSS,
        LEFT,
        "medium",
    ),
    (
        "a.py",
        "from html import escape\ncard = make(title=escape(title), text=escape(text))",
        "from html import escape\ncard = make(title=title, text=escape(text))",
        XSS,
        LEFT,
        "medium",
    ),
    (
        "a.py",
        "import html\nkey = html.escape(request.args['key'][0])",
        "key = request.args.get('key')[0]",
        XSS,
        LEFT,
        "medium",
    ),
    (
        "a.py",
        "import bleach\nself.text = bleach.clean(\n    str(self.draft),\n    strip=True,\n)",
        "self.text = self.draft",
        XSS,
        LEFT,
        "medium",
    ),
    ("a.py", "import html\nreturn html.escape(render(entry.text))", "return render(entry.text)", XSS, LEFT, "medium"),
    (
        "a.py",
        "import os, shlex\nos.system('du ' + shlex.quote(folder))",
        "import os\nos.system('du ' + folder)",
        SHELL,
        LEFT,
        "low",
    ),
    (
        "a.py",
        "import shlex\ncommand = f'du {shlex_quote(folder)}'",
        "import shlex\ncommand = f'du {folder}'",
        SHELL,
        LEFT,
        "medium",
    ),
    (
        "a.py",
        "from werkzeug.utils import secure_filename\nupload.save(join(ROOT, secure_filename(upload.filename)))",
        "upload.save(join(ROOT, upload.filename))",
        PATH,
        LEFT,
        "medium",
    ),
    (
        "a.py",
        "import os\ntarget = os.path.join(ROOT, os.path.basename(name))",
        "import os\ntarget = os.path.join(ROOT, name)",
        PATH,
        LEFT,
        "medium",
    ),
    ("a.py", "import os\nlabel = os.path.basename(name)", "import os\nlabel = name", PATH, LEFT, "low"),
    ("a.py", "label = sanitize(name)", "label = name", XSS, LEFT, "low"),
    ("a.py", "label = '<b>' + wiki.escape(name)", "label = '<b>' + name", XSS, LEFT, "medium"),
    ("a.js", "return DOMPurify.sanitize(markup);", "return markup;", XSS, LEFT, "medium"),
    (
        "a.js",
        "box.innerHTML = `<b>${escapeHtml(user.name)}</b>`;",
        "box.innerHTML = `<b>${user.name}</b>`;",
        XSS,
        LEFT,
        "medium",
    ),
    ("a.js", "box.textContent = comment.body;", "box.innerHTML = comment.body;", XSS, RIGHT, "medium"),
    (
        "a.jsx",
        "<div>{post.body}</div>",
        "<div dangerouslySetInnerHTML={{ __html: post.body }} />",
        XSS,
        RIGHT,
        "medium",
    ),
    (
        "a.jsx",
        "<p dangerouslySetInnerHTML={{ __html: DOMPurify.sanitize(body) }} />",
        "<p dangerouslySetInnerHTML={{ __html: body }} />",
        XSS,
        LEFT,
        "medium",
    ),
    ("a.php", "<?php\necho esc_html($name);", "<?php\necho $name;", XSS, LEFT, "medium"),
    (
        "a.php",
        "<p><?= htmlspecialchars($row['city'], ENT_QUOTES) ?></p>",
        "<p><?= $row['city'] ?></p>",
        XSS,
        LEFT,
        "medium",
    ),
    ("a.php", "<?php\nexec('id ' . escapeshellarg($user));", "<?php\nexec('id ' . $user);", SHELL, LEFT, "medium"),
    (
        "a.php",
        '<?php\n$rows = $wpdb->get_results($wpdb->prepare("SELECT * FROM t WHERE id = %d", $id));',
        '<?php\n$rows = $wpdb->get_results("SELECT * FROM t WHERE id = $id");',
        SQL,
        LEFT,
        "low",
    ),
    ("a.rb", "out << CGI.escapeHTML(comment)", "out << comment", XSS, LEFT, "medium"),
    ("a.rb", 'run "tar #{Shellwords.escape(name)}"', 'run "tar #{name}"', SHELL, LEFT, "medium"),
    ("a.html.erb", "<p><%= note.body %></p>", "<p><%= raw note.body %></p>", XSS, RIGHT, "medium"),
    ("a.html.erb", "<p><%= note.body %></p>", "<p><%= note.body.html_safe %></p>", XSS, RIGHT, "medium"),
    ("a.html.erb", "<p><%= h(note.body) %></p>", "<p><%= note.body %></p>", XSS, LEFT, "low"),
    (
        "A.java",
        "out.println(HtmlUtils.htmlEscape(user.getName()));",
        "out.println(user.getName());",
        XSS,
        LEFT,
        "medium",
    ),
    # values that are joined by dots, superglobals, and the same cleaner on another value beside it
    (
        "a.php",
        "<?php\n$cell = '<td>'.htmlentities($row['name']).'</td>';",
        "<?php\n$cell = '<td>'.$row['name'].'</td>';",
        XSS,
        LEFT,
        "medium",
    ),
    ("a.php", "<?php\n$x = tidy_escape($_GET['q']);", "<?php\n$x = $_GET['q'];", XSS, LEFT, "medium"),
    ("a.php", "<?php\n$x = strip_tags($_POST['name']);", "<?php\n$x = $_POST['name'];", XSS, LEFT, "medium"),
    ("a.php", "<?php\n$x = strip_tags($name);", "<?php\n$x = $name;", XSS, LEFT, "low"),
    (
        "a.php",
        "<?php\ncase 1:\n$v = html_escape($one['value']);\nbreak;\ncase 2:\n$v = html_escape($two['value']);",
        "<?php\ncase 1:\n$v = html_escape($one['value']);\nbreak;\ncase 2:\n$v = $two['value'];",
        XSS,
        LEFT,
        "medium",
    ),
    ("a.php", "<?php\n$n = Cleaner::sql($n0);", "<?php\n$n = $n0;", SQL, LEFT, "medium"),
    (
        "a.php",
        "<?php\n$q = mysqli_real_escape_string($link, $key);",
        "<?php\n$q = $key;",
        SQL,
        LEFT,
        "medium",
    ),
    ("a.php", "<?php\necho Tidy::convertHtmlSpecialChars($name);", "<?php\necho $name;", XSS, LEFT, "medium"),
    ("a.py", "show(notes.escape(motto))", "show(motto)", XSS, LEFT, "medium"),
    ("a.jsp", '<b><c:out value="${user.name}"/></b>', "<b>${user.name}</b>", XSS, LEFT, "medium"),
    ("a.html", '<b th:text="${user.name}"></b>', '<b th:utext="${user.name}"></b>', XSS, RIGHT, "medium"),
    (
        "a.go",
        'fmt.Fprintf(w, "<b>%s</b>", html.EscapeString(name))',
        'fmt.Fprintf(w, "<b>%s</b>", name)',
        XSS,
        LEFT,
        "medium",
    ),
    ("a.html", "<b>{{ name }}</b>", "<b>{{ name | safe }}</b>", XSS, RIGHT, "medium"),
    ("a.html", "<b>{{ name|e }}</b>", "<b>{{ name }}</b>", XSS, LEFT, "low"),
    (
        "a.html",
        "{% autoescape false %}\n<b>{{ name|e }}</b>",
        "{% autoescape false %}\n<b>{{ name }}</b>",
        XSS,
        LEFT,
        "medium",
    ),
    ("a.twig", "<b>{{ name }}</b>", "<b>{{ name|raw }}</b>", XSS, RIGHT, "medium"),
    ("a.hbs", "<b>{{name}}</b>", "<b>{{{name}}}</b>", XSS, RIGHT, "medium"),
    ("a.blade.php", "<b>{{ $name }}</b>", "<b>{!! $name !!}</b>", XSS, RIGHT, "medium"),
    ("a.vue", "<p>{{ note }}</p>", '<p v-html="note"></p>', XSS, RIGHT, "medium"),
    ("a.svelte", "<p>{note}</p>", "<p>{@html note}</p>", XSS, RIGHT, "medium"),
]

QUIET = [
    # another cleaner, or the same one elsewhere
    ("a.py", "import html\nx.body = html.escape(body)", "import bleach\nx.body = bleach.clean(body)"),
    ("a.py", "import html\nx.body = html.escape(body)", "import html\nbody = html.escape(body)\nx.body = body"),
    ("a.py", "import html\nx.body = html.escape(body)", "import html\nx.body = body\nsave(html.escape(body))"),
    ("a.py", "import html\nx.body = html.escape(body)", "import html\nx.body = make_harmless(body)"),
    ("a.py", "import html\nx.body = html.escape(body)", "import html\nx.body = str(int(body))"),
    ("a.py", "import html\nx.body = html.escape(clean(body))", "import html\nx.body = clean(body)"),
    ("a.py", "import html\nx.body = clean(html.escape(body))", "import html\nx.body = clean(body)"),
    (
        "a.py",
        "import html\nbody = clean_html(body)\nlog()\nx.body = html.escape(body)",
        "import html\nbody = clean_html(body)\nlog()\nx.body = body",
    ),
    ("a.php", "<?php\necho esc_html($name);", "<?php\necho esc_attr($name);"),
    ("a.php", "<?php\necho esc_html($name);", "<?php\necho wp_kses_post($name);"),
    (
        "a.php",
        '<?php\n$db->query("select * from t where n = \'" . $db->escape_string($n) . "\'");',
        "<?php\n$s = $db->prepare('select * from t where n = ?');\n$s->execute([$n]);",
    ),
    (
        "a.py",
        "import subprocess, shlex\nsubprocess.run('du ' + shlex.quote(folder), shell=True)",
        "import subprocess\nsubprocess.run(['du', folder])",
    ),
    (
        "a.js",
        "const text = escape(tag.text).trim();\nlog();\nreturn `<i title=${text}>`;",
        "const text = tag.text.trim();\nlog();\nreturn `<i title=${escape(text)}>`;",
    ),
    # refactorings
    ("a.py", "import html\nx.body = html.escape(body)", "import html\nx.text = html.escape(body)"),
    ("a.py", "import html\nx.body = html.escape(body)", "from html import escape\nx.body = escape(body)"),
    ("a.py", "import html\nx.body = html.escape(body)", "import html\nx.body = html.escape(\n    body,\n)"),
    ("a.py", "import html\nx.body = html.escape(body)", "import html\nx.body = html.escape(content)"),
    ("a.py", "import html\nx.body = html.escape(body)\nlog()", "log()"),
    ("a.py", "import html\nx.body = html.escape(body)", "x.body = other"),
    ("a.py", "import html\nx.body = html.escape(body)", "x.body = None"),
    ("a.py", "import html\nx.body = html.escape('<b>')", "x.body = '<b>'"),
    ("a.py", "import html\nx.body = html.escape(_('Hello'))", "x.body = _('Hello')"),
    ("a.php", "<?php\necho esc_html(__('Hello', 'shop'));", "<?php\necho __('Hello', 'shop');"),
    ("a.php", '<?php\n$wpdb->query($wpdb->prepare("DELETE FROM t"));', '<?php\n$wpdb->query("DELETE FROM t");'),
    ("a.py", "def escape(body):\n    return body", "def body(body):\n    return body"),
    ("a.py", "from html import escape", "from html import unescape"),
    ("a.py", "# html.escape(body)", "# body"),
    ("a.py", "import html\ndef show(body):\n    return html.escape(body)\n\nx = 1", "x = 1"),
    ("a.js", "const url = `/find?q=${encodeURIComponent(q)}`;", "const url = `/find?q=${q}`;"),
    ("a.js", "const text = JSON.stringify(value);", "const text = value;"),
    # what escapes by itself
    ("a.jsx", "<p>{escapeHtml(body)}</p>", "<p>{body}</p>"),
    ("a.blade.php", "<p>{{ e($body) }}</p>", "<p>{{ $body }}</p>"),
    ("a.html.erb", "<p><%= sanitize(body) %></p>", "<p><%= body %></p>"),
    ("a.py", "import re\nfound = re.escape(word)", "import re\nfound = word"),
    ("a.js", "const one = RegExp.escape(word);", "const one = word;"),
    (
        "a.php",
        "<?php\n$name = html_escape($name);\nshow();\necho html_escape($name);",
        "<?php\n$name = html_escape($name);\nshow();\necho $name;",
    ),
    ("a.php", "<?php\n$n = Cleaner::sql('a');", "<?php\n$n = 'a';"),
    ("a.php", "<?php\n$n = Cleaner::count($n0);", "<?php\n$n = $n0;"),
    ("a.php", "<?php\n$q = mysqli_real_escape_string($link, 'x');", "<?php\n$q = 'x';"),
    ("a.php", "<?php\n$c = '<td>'.htmlentities($a).'</td>';", "<?php\n$c = '<td>'.esc_html($a).'</td>';"),
    ("a.php", "<?php\n$x = strip_tags($_POST['name']);", "<?php\n$x = esc_html($_POST['name']);"),
    # templates
    ("a.html", "<b>{{ name|safe }}</b>", "<b>{{ name }}</b>"),
    ("a.html", "<b>{{ name|e }}</b>", "<i>{{ name|e }}</i>"),
    ("a.html", "<b>{{ name }}</b>", "<b>{{ page.menu|safe }}</b>"),
    ("a.blade.php", "<b>{!! $name !!}</b>", "<b>{{ $name }}</b>"),
    ("a.hbs", "<b>{{{name}}}</b>", "<i>{{{name}}}</i>"),
    ("a.html.erb", "<p><%= raw note.body %></p>", "<p>\n<%= raw note.body %></p>"),
    ("a.vue", '<p v-html="note"></p>', '<p v-html="note" class="a"></p>'),
    # code that is no program's
    ("tests/test_a.py", "import html\nx.body = html.escape(body)", "x.body = body"),
    ("vendor/a.php", "<?php\necho esc_html($name);", "<?php\necho $name;"),
]


def _run(path: str, old: str, new: str) -> list[Hit]:
    return list(RULE.run(compared(path, old, new), MemoryResolver()))


@for_each(REPORTED)
def test_removed_escape__is_reported(row: tuple[str, str, str, str, Side, str]) -> None:
    path, old, new, *expected = row
    (hit,) = _run(path, old, new)
    assert [hit.category, hit.side, hit.confidence] == expected
    text = old if hit.side is LEFT else new
    assert set(range(hit.start_line, hit.end_line + 1)) <= set(range(1, text.count("\n") + 2))


@for_each(QUIET)
def test_removed_escape__is_quiet(row: tuple[str, str, str]) -> None:
    assert _run(*row) == []


@for_each(REPORTED)
def test_removed_escape__an_added_escape_is_none(row: tuple[str, str, str, str, Side, str]) -> None:
    path, old, new, *_ = row
    assert _run(path, new, old) == []


def test_removed_escape__needs_a_base() -> None:
    text = "import html\nx.body = body\n"
    assert list(RULE.run(Source("a.py", "python", text, frozenset({1, 2})), MemoryResolver())) == []


def test_removed_escape__stands_on_all_lines_of_its_call() -> None:
    path, old, new, *_ = next(row for row in REPORTED if "bleach" in row[1])
    (hit,) = _run(path, old, new)
    assert (hit.start_line, hit.end_line, hit.guards) == (2, 5, (2, 3, 4, 5))


@for_each(
    [
        ("x.body = escape(body)\n" * 1_000, False),
        ("x.body = escape(body)\n" * 1_001, True),
        ("x.body = body\n" * 1_001, False),
        (f"x.body = escape(body)  # {'-' * 1_000}\n", True),
    ]
)
def test_removed_escape__says_when_a_place_is_too_long_to_becompared(row: tuple[str, bool]) -> None:
    text, too_much = row
    lines = frozenset(range(1, text.count("\n") + 1))
    old = Source("a.py", "python", text, lines)
    new = Source("a.py", "python", "y = 1\n", frozenset({1}), before=old)
    assert RULE.stopped(new) is too_much


_PIECES = st.lists(
    st.sampled_from(
        [
            "escape(",
            "esc_html(",
            ")",
            "{{",
            "}}",
            "|e",
            "|safe",
            "<%= h ",
            "%>",
            "x",
            "'",
            "\n",
            " = ",
            "a.b",
            ",",
            "`${",
            "{!!",
            "prepare(",
            "?",
            "th:utext=",
            "\\",
            "\x00",
            "\u2028",
        ]
    ),
    max_size=30,
).map("".join)


@settings(max_examples=60, deadline=None)
@given(_PIECES, _PIECES, st.sampled_from(["a.py", "a.php", "a.html", "a.js", "a.html.erb", "notes.txt"]))
def test_removed_escape__any_texts(old: str, new: str, path: str) -> None:
    for hit in _run(path, old, new):
        assert 1 <= hit.start_line <= hit.end_line


@for_each(
    [
        lambda n: "x.body = escape(body)\nlog()\n" * n,
        lambda n: "x.body = escape(body)\n" * n,
        lambda n: f"x = {'escape(' * n}a{')' * n}",
        lambda n: "<b>{{{ name|e }}}</b><%= h name\n" * n,
        lambda n: "x.body = escape(" * n,
    ]
)
def test_removed_escape__work_in_step_with_the_text(row) -> None:
    def work(text: str) -> list[Hit]:
        old = Source(
            "a.py", "python", text, frozenset(n for n, line in enumerate(text.split("\n"), 1) if "log" not in line)
        )
        new = text.replace("escape(", "(")
        return list(RULE.run(Source("a.py", "python", new, old.changed, before=old), MemoryResolver()))

    assert_work_in_step(work, row, 60)
