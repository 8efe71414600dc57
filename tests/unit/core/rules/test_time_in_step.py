"""Every rule over hostile files: what takes long in small ones would stop a run on large ones."""

from __future__ import annotations

import pytest
from rule_tables import MemoryResolver, make_source
from work import assert_time_in_step

from devpulse.core.rules import run_rules

# What a pattern has to find before it is slow, and what it is then slow over; the size stands for %s.
BAITS = {
    "long word beside an archive": ("a.py", "archive.extractall()\nx = tarfile.open(p)\n", "f0"),
    "calls of connections": ("a.py", "cursor.execute('select 1')\n", "connect connect("),
    "classes": ("A.java", 'Runtime.getRuntime().exec("sh -c " + name);\n', "class Ab {} Ab ( "),
    "pages of a template": ("a.go", 'import "text/template"\nt.Execute(w, name)\n', "http.ResponseWriter "),
    "handlers": ("a.php", "<?php function a() { update_option('a', $_POST['b']); }\n", "add_action('wp_ajax_"),
    "escapes": ("a.php", "<?php echo $row['title'];\n", "htmlspecialchars( $row["),
    "merged objects": ("a.js", "function merge(a, b) { merge(a[k], b[k]); }\n", "f(a[b], c[b]);\n"),
    "paths": ("a.js", "obj = obj[keys[i]]\n", "a = a[a "),
    "blanks of a loop": ("a.js", "function m(a, b) { m(a[k], b[k]); a[k] = b[k]\n", "for(                    x;;){} "),
    "fields of Ruby": ("a.rb", "class A\n def initialize(name)\n  @name = name\n end\n system(@name)\nend\n", " \n"),
    "functions in functions": ("a.php", "<?php ", "function a() { update_option('a', $_POST['b']); "),
    "underlines": ("a.txt", "", "_"),
    "redirects": ("a.py", "def f(request):\n x = request.args['x']\n", " redirect(x)\n"),
    "redirects of Go": (
        "a.go",
        "package a\nfunc f(w http.ResponseWriter, r *http.Request) {\n x := r.FormValue(`x`)\n",
        " http.Redirect(w, r, x, 302)\n",
    ),
    "writers": ("A.java", "class A { void f(HttpServletRequest q) { String x = q.getHeader(n);\n", "out.print(x);\n"),
    "signing keys": ("a.js", "", "jwt.sign(a, KEY);\n"),
    "keys given back": ("a.go", "package a\nfunc f() {\n", 'return []byte("a"), nil\n'),
    "random numbers of Go": ("a.go", 'package a\nimport "math/rand"\nfunc f() {\n', "token := rand.Intn(5)\n"),
    "loaded objects": ("a.py", "def f(request):\n x = request.args['x']\n", " pickle.loads(x)\n"),
    "programs of Node": ("a.js", "app.get('/', (q, res) => {\n", "exec('ls ' + q.query.x);\n"),
    "blanks of Jinja": ("a.html", "<p>{{ a|safe }}{% set a =", " "),
    "blanks of FreeMarker": ("a.ftl", "<p>${a}<#assign a =", " "),
    "definitions of a component": ("a.vue", '<p v-html="a + ba + cba"></p><script>\n', "cba=1;\n"),
    "scripts that are templates": ("a.html", "<p>{{{ user.name }}}", "<script type=text/x-tmpl>\n"),
    "blocks of ERB": ("a.html.erb", "<p>", "<%== foo {             x %>\n"),
    "checkouts of a workflow": (
        ".github/workflows/a.yml",
        "on: pull_request_target\njobs:\n a:\n  steps:\n",
        "   - uses: actions/checkout@v5\n     with:\n      path: a\n      ref: ${{ github.head_ref }}\n",
    ),
    "expressions of a workflow": (
        ".github/workflows/a.yml",
        "on: issues\njobs:\n a:\n  steps:\n   - run: |\n      ",
        "${{",
    ),
    "statements of a mapper": ("A.java", '@Select("select ${a}")\n', '@Select("${'),
}


@pytest.mark.slow
@pytest.mark.parametrize(("path", "before", "bait"), BAITS.values(), ids=BAITS)
def test_run_rules__take_time_in_step_with_the_text(path, before, bait):
    def work(text):
        run_rules(make_source(text, path=path), MemoryResolver())

    assert_time_in_step(work, lambda size: before + bait * (size // len(bait)) + "\n", 20_000)
