from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.categories import Confidence
from devpulse.core.rules.path_traversal import RULE

PATH = "src/users.php"
REPORTED = {
    "a name behind a constant folder": """
        <?php
        function deleteImage($name) {
          unlink(COVERS . $name); // BAD
        }
        """,
    "a name in one word": """
        <?php
        function showCover(string $fileName) {
          readfile('covers/' . $fileName); // BAD
        }
        """,
    "include": """
        <?php
        include "pages/" . $_GET['page'] . ".php"; // BAD
        """,
    "require var": """
        <?php
        $p = $_GET['p'];
        require_once($p); // BAD
        """,
    "read": """
        <?php
        echo file_get_contents('uploads/' . $_GET['f']); // BAD
        """,
    "readfile": """
        <?php
        $file = $_GET['file'];
        $path = DIR . '/' . $file;
        if (file_exists($path)) {
          readfile($path); // BAD
        }
        """,
    "unlink": """
        <?php
        class C { function del(Request $request) {
          unlink(storage_path('app/' . $request->input('name'))); // BAD
        } }
        """,
    "upload": """
        <?php
        move_uploaded_file($_FILES['f']['tmp_name'], 'uploads/' . $_FILES['f']['name']); // BAD
        """,
    "download": """
        <?php
        class C { function d(Request $request) {
          return response()->download(public_path('x/' . $request->file)); // BAD
        } }
        """,
    "name that the client gave an upload": """
        <?php
        function store($request) {
          $file = $request->getUploadedFiles()['doc'];
          $file->moveTo('files/' . $file->getClientFilename()); // BAD
          file_put_contents('files/' . $file->getClientName(), $text); // BAD
        }
        """,
    "folders left in the name": r"""
        <?php
        readfile('notes/' . str_replace('../', '', $_GET['note'])); // BAD
        readfile('notes/' . str_replace('\\', '/', $_GET['note'])); // BAD
        readfile('notes/' . strtr($_GET['note'], '.', '/')); // BAD
        readfile('notes/' . strtr($_GET['note'], ['_' => '/', '/' => '//'])); // BAD
        """,
    "views, downloads and members of an archive": """
        <?php
        $this->load->view('pages/' . $_GET['page']); // BAD
        force_download('./songs/' . $this->input->get('song'), NULL); // BAD
        $member = $zip->getNameIndex($i);
        copy("zip://$zipped#$member", "out/$member"); // BAD
        """,
    "named member of an archive": """
        <?php
        $told = $zip->statIndex($i);
        file_put_contents($folder . '/' . $told['name'], $zip->getFromIndex($i)); // BAD
        """,
}
QUIET = {
    "a name without folders behind a constant folder": """
        <?php function deleteImage($name) { unlink(COVERS . basename($name)); }
        """,
    "a parameter behind a constant folder that names no file": """
        <?php function deleteDay($day) { unlink(LOGS . $day); }
        """,
    "basename": """
        <?php
        readfile('uploads/' . basename($_GET['f']));
        """,
    "realpath": """
        <?php
        $p = realpath('uploads/' . $_GET['f']);
        if ($p === false || strpos($p, $base) !== 0) { exit; }
        readfile($p);
        """,
    "starts with": """
        <?php
        $p = realpath(BASE . '/' . $_GET['f']);
        if (!str_starts_with($p, BASE)) { throw new Exception(); }
        readfile($p);
        """,
    "allow-list": """
        <?php
        $p = $_GET['p'];
        if (!in_array($p, ['home', 'about'])) { $p = 'home'; }
        include "pages/$p.php";
        """,
    "switch": """
        <?php
        switch ($_GET['p']) { case 'a': $p = 'a.php'; break; default: $p = 'b.php'; }
        include $p;
        """,
    "dots": """
        <?php
        $f = $_GET['f'];
        if (strpos($f, '..') !== false) { die('no'); }
        readfile('x/' . $f);
        """,
    "tmp_name": """
        <?php
        move_uploaded_file($_FILES['f']['tmp_name'], $target);
        $data = file_get_contents($_FILES['f']['tmp_name']);
        $tmp = $_FILES['f']['tmp_name'];
        $h = fopen($tmp, 'r');
        """,
    "constant include": """
        <?php
        require_once __DIR__ . '/../lib.php'; require ABSPATH . 'wp-load.php'; include $this->dir . '/view.php';
        """,
    "pattern": """
        <?php
        $f = $_GET['f'];
        if (!preg_match('/^[a-z0-9]+$/', $f)) { exit; }
        readfile("x/$f.txt");
        """,
    "autoload": r"""
        <?php
        function load($class) { include __DIR__ . '/' . str_replace('\\', '/', $class) . '.php'; }
        """,
    "number": """
        <?php
        readfile('x/' . (int) $_GET['id'] . '.pdf');
        """,
    "input stream": """
        <?php
        $data = json_decode(file_get_contents('php://input'), true);
        """,
    "name of its own for an upload": """
        <?php
        function store($request) {
          $file = $request->getUploadedFiles()['doc'];
          $file->moveTo('files/' . basename($file->getClientFilename()));
          file_put_contents('files/' . $file->getRandomName(), $text);
        }
        """,
    "folders taken out of the name": r"""
        <?php
        $skin = strtr($_GET['skin'], ['.' => '', '/' => '', '\\' => '']);
        include "skins/$skin/head.php";
        $tongue = str_replace(array('/', '\\', '..'), '', $_COOKIE['tongue']);
        require 'words/' . $tongue . '.php';
        readfile('notes/' . strtr($_GET['note'], './', '__'));
        """,
    "download of a content": """
        <?php
        force_download($this->input->get('name') . '.csv', $rows);
        $this->load->view('pages/' . basename($_GET['page']), $data);
        """,
    "file of a record is removed": """
        <?php
        class Covers {
            public function deleteImage(Cover $cover) {
                unlink($this->folder . '/' . $cover->id . '.png');
            }
            public function clear($size) {
                unlink($this->folder . '/' . $size);
            }
        }
        """,
}


@pytest.mark.parametrize("code", REPORTED.values(), ids=REPORTED)
def test_check__reports(code: str):
    hits = run(RULE, code, path=PATH)
    assert lines_of(hits) == marked_lines(code)
    assert {hit.cwe for hit in hits} == ({98} if "include" in code or "require" in code else {22})
    assert all(hit.confidence is not Confidence.LOW for hit in hits)


@pytest.mark.parametrize("code", QUIET.values(), ids=QUIET)
def test_check__is_quiet(code: str):
    assert run(RULE, code, path=PATH) == []
