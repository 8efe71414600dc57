from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.categories import Confidence
from devpulse.core.rules.sql_injection import RULE

PATH = "src/users.php"
REPORTED = {
    "a statement read by a class of the program": """
        <?php function shelf($title) {
          $sql = "SELECT id FROM books WHERE title = '" . $title . "'";
          return Store::read($sql); // BAD
        }
        """,
    "a statement whose rows are asked for": """
        <?php function shelf($shelf) {
          return $this->books->getArray("SELECT id FROM books WHERE shelf = $shelf"); // BAD
        }
        """,
    "sorted by a parameter in a query of the program": """
        <?php function shelf($sortkey) {
          return query('SELECT id FROM books ORDER BY ' . $sortkey); // BAD
        }
        """,
    "those that do not begin a group": """
        <?php
        foreach ($_POST['to'] as $one) {
          if (str_contains($one, 'group')) { $groups[] = (int) substr($one, 6); } else { $users[] = $one; }
        }
        $db->query('SELECT mail FROM users WHERE id IN (' . implode(',', $users) . ')'); // BAD
        """,
    "mysqli": """
        <?php
        $id = $_GET['id'];
        $r = mysqli_query($conn, "SELECT * FROM users WHERE id = '$id'"); // BAD
        """,
    "method": """
        <?php
        function find($mysqli) {
          return $mysqli->query("SELECT * FROM t WHERE a = '" . $_POST['a'] . "'"); // BAD
        }
        """,
    "pdo prepare built": """
        <?php
        $stmt = $pdo->prepare("SELECT * FROM t WHERE a = " . $_REQUEST['a']); // BAD
        $stmt->execute();
        """,
    "this db": """
        <?php
        class A { function f($name) {
          return $this->db->query("SELECT * FROM users WHERE name = '" . $name . "'"); // BAD
        } }
        """,
    "wpdb": """
        <?php
        function f() {
          global $wpdb;
          $order = $_GET['orderby'];
          return $wpdb->get_results("SELECT * FROM {$wpdb->posts} ORDER BY $order"); // BAD
        }
        """,
    "wpdb prepare built": """
        <?php
        function f() {
          global $wpdb;
          $x = $_GET['x'];
          return $wpdb->get_var($wpdb->prepare("SELECT id FROM t WHERE a = %s AND b = '$x'", $_GET['a'])); // BAD
        }
        """,
    "sprintf": """
        <?php
        $sql = sprintf("SELECT * FROM t WHERE a = '%s'", $_GET['a']);
        mysql_query($sql); // BAD
        """,
    "laravel": """
        <?php
        class C { function index(Request $request) {
          return DB::select("select * from t where a = '" . $request->input('a') . "'"); // BAD
        } }
        """,
    "laravel whereRaw": """
        <?php
        class C { function index(Request $request) {
          return User::query()->whereRaw("name like '%" . $request->name . "%'")->get(); // BAD
        } }
        """,
    "laravel orderByRaw": """
        <?php
        class C { function index(Request $request) {
          return User::orderByRaw($request->input('sort'))->get(); // BAD
        } }
        """,
    "doctrine": """
        <?php
        class R { function f($name) {
          return $this->em->createQuery("SELECT u FROM User u WHERE u.name = '" . $name . "'")->getResult(); // BAD
        } }
        """,
    "concat": """
        <?php
        $sql = "SELECT * FROM t WHERE 1=1";
        if (isset($_GET['q'])) { $sql .= " AND a LIKE '%" . $_GET['q'] . "%'"; }
        $res = pg_query($link, $sql); // BAD
        """,
    "escaped outside of quotes": """
        <?php
        $id = mysqli_real_escape_string($conn, $_GET['id']);
        mysqli_query($conn, "SELECT * FROM orders WHERE id = $id"); // BAD
        """,
    "escaped order": """
        <?php
        function rows() {
          global $wpdb;
          $order = !empty($_REQUEST['orderby']) ? esc_sql($_REQUEST['orderby']) : 'id';
          $sql = "SELECT * FROM {$wpdb->prefix}items";
          $sql .= ' ORDER BY ' . $order;
          return $wpdb->get_results($sql, 'ARRAY_A'); // BAD
        }
        """,
    "keys of a form": """
        <?php
        foreach ($mybb->input['title'] as $key => $title) {
          $db->delete_query('icons', "iid = '{$key}'", 1); // BAD
        }
        """,
    "condition of a wrapper": """
        <?php
        $sql->db_Update("news", "news_title='" . $_POST['title'] . "' WHERE news_id=1"); // BAD
        """,
    "moodle": """
        <?php
        $name = optional_param('name', '', PARAM_RAW);
        $DB->get_records_select('course', "shortname = '$name'"); // BAD
        """,
    "column to sort by out of a table": """
        <?php
        class Orders { public function all($filter) {
          $sql = "SELECT * FROM orders WHERE open = 1 ORDER BY " . $filter['sort'];
          return $this->db->query($sql); // BAD
        } }
        """,
    "escape by its name outside of quotes": """
        <?php
        $row = real_escape($link, $_POST['row']);
        mysqli_query($link, "SELECT * FROM singers WHERE id = $row"); // BAD
        """,
    "a cleaner by the look of its name, of nobody knows what": """
        <?php
        $name = quote_smart($_POST['name']);
        mysqli_query($link, "SELECT * FROM singers WHERE name = '$name'"); // BAD
        """,
    "condition of a query that is built": """
        <?php
        $db->fetchAll($db->select()->from('songs')->where("artist = '" . $_GET['artist'] . "'")); // BAD
        """,
    "conditions of a program's own reader": """
        <?php
        $rows = $songs->readWithWhere("artist = '" . $_GET['artist'] . "'"); // BAD
        """,
    "requests of other frameworks": """
        <?php
        $row = I('get.row');
        $found = $db->query("SELECT * FROM songs WHERE id = $row"); // BAD
        $title = JRequest::getVar('title');
        $db->setQuery("SELECT * FROM #__songs WHERE title = '" . $title . "'"); // BAD
        $way = Yii::$app->request->get('way');
        Yii::$app->db->createCommand("SELECT * FROM songs WHERE way = '$way'")->queryAll(); // BAD
        """,
    "array from the request in a document": r"""
        <?php
        $songs = (new MongoDB\Client())->shop->songs;
        $found = $songs->findOne(['artist' => $_POST['artist'], 'pin' => $_POST['pin']]); // BAD
        """,
    "attributes of a shortcode as variables": """
        <?php
        function song_shortcode($atts) {
            global $wpdb;
            extract(shortcode_atts(array('song' => '', 'limit' => 3), $atts));
            return $wpdb->get_var("SELECT title FROM songs WHERE id = " . $song); // BAD
        }
        """,
}
QUIET = {
    "a statement read with its values": """
        <?php function shelf($title) { return Store::read('SELECT id FROM books WHERE title = ?', [$title]); }
        """,
    "a text that is read and is no statement": """
        <?php function shelf($title) { return Files::read("shelf of $title"); }
        """,
    "sorted by an escaped parameter": """
        <?php function shelf($sortkey) { return query('SELECT id FROM books ORDER BY ' . db_escape($sortkey)); }
        """,
    "those that do not begin a group, as numbers": """
        <?php
        $users = [];
        foreach ($_POST['to'] as $one) {
          if (str_contains($one, 'group')) { $groups[] = (int) substr($one, 6); } else { $users[] = (int) $one; }
        }
        $db->query('SELECT mail FROM users WHERE id IN (' . implode(',', $users) . ')');
        """,
    "escaped in quotes": """
        <?php
        $id = mysqli_real_escape_string($conn, $_GET['id']);
        mysqli_query($conn, "SELECT * FROM orders WHERE id = '$id' AND name LIKE '%$id%'");
        $ids = implode("','", array_map('esc_sql', $_POST['ids']));
        $wpdb->query("DELETE FROM orders WHERE id IN ('$ids')");
        mysqli_query($conn, 'SELECT * FROM orders WHERE id = "' . $id . '"');
        """,
    "escaped by parts": """
        <?php
        $where = array();
        if (isset($_GET['a'])) { $where[] = "a = '" . esc_sql($_GET['a']) . "'"; }
        $wpdb->get_results('SELECT * FROM t WHERE ' . implode(' AND ', $where));
        """,
    "escaped by its own function": """
        <?php
        function clean($db, $x) { return mysqli_real_escape_string($db, trim($x)); }
        $a = clean($db, $_POST['a']);
        mysqli_query($db, "INSERT INTO t (a) VALUES ('$a')");
        """,
    "keys that are numbers": """
        <?php
        foreach ($mybb->input['title'] as $key => $title) {
          $key = (int) $key;
          $db->delete_query('icons', "iid = '{$key}'", 1);
        }
        $db->update_query('icons', array('name' => $title), "iid='" . $mybb->get_input('iid', MyBB::INPUT_INT) . "'");
        """,
    "moodle": """
        <?php
        $id = required_param('id', PARAM_INT);
        $DB->get_records_select('course', "id = $id");
        $DB->get_records_select('course', 'shortname = ?', [optional_param('name', '', PARAM_RAW)]);
        """,
    "bound": """
        <?php
        $stmt = $pdo->prepare("SELECT * FROM t WHERE a = ?");
        $stmt->execute([$_GET['a']]);
        $m = $mysqli->prepare("SELECT * FROM t WHERE a = ?");
        $m->bind_param("s", $_GET['a']);
        """,
    "wpdb prepared": """
        <?php
        function f() { global $wpdb;
        $wpdb->get_results($wpdb->prepare("SELECT * FROM {$wpdb->prefix}t WHERE a = %s", $_GET['a'])); }
        """,
    "intval": """
        <?php
        $id = intval($_GET['id']); mysqli_query($c, "SELECT * FROM t WHERE id = $id");
        mysqli_query($c, "SELECT * FROM t WHERE id = " . (int) $_GET['id']);
        """,
    "escaped": """
        <?php
        $a = mysqli_real_escape_string($c, $_GET['a']);
        mysqli_query($c, "SELECT * FROM t WHERE a = '$a'");
        $b = $db->real_escape_string($_GET['b']); $db->query("SELECT * FROM t WHERE a = '$b'");
        $q = $pdo->quote($_GET['b']); $pdo->query("SELECT * FROM t WHERE a = $q");
        """,
    "in_array": """
        <?php
        $s = $_GET['s'];
        if (!in_array($s, ['a', 'b'], true)) { $s = 'a'; }
        $db->query("SELECT * FROM t ORDER BY $s");
        """,
    "ternary": """
        <?php
        $d = $_GET['d'] === 'desc' ? 'DESC' : 'ASC';
        $db->query("SELECT * FROM t ORDER BY a $d");
        """,
    "own table": """
        <?php
        class A { function f() { return $this->db->query("SELECT * FROM " . $this->table . " WHERE a = 1"); } }
        """,
    "eloquent": """
        <?php
        class C { function index(Request $request) {
        return User::where('name', $request->name)->whereRaw('a = ?', [$request->a])->get(); } }
        """,
    "raw binding": """
        <?php
        class C { function index(Request $request) {
        return DB::select('select * from t where a = ?', [$request->input('a')]); } }
        """,
    "placeholders": """
        <?php
        $marks = implode(',', array_fill(0, count($ids), '?'));
        $db->prepare("SELECT * FROM t WHERE id IN ($marks)");
        """,
    "numbers": """
        <?php
        $ids = implode(',', array_map('intval', $_POST['ids']));
        $db->query("DELETE FROM t WHERE id IN ($ids)");
        """,
    "other query": """
        <?php
        $c->query($_GET['a']); $client->execute("select " . $name);
        """,
    "column to sort by out of a list": """
        <?php
        class Orders { public function all($filter) {
          $sql = "SELECT * FROM orders WHERE open = 1";
          if (isset($filter['sort']) && in_array($filter['sort'], ['id', 'day'])) {
            $sql .= " ORDER BY " . $filter['sort'];
          }
          return $this->db->query($sql);
        } }
        """,
    "one of a list in any case": """
        <?php
        $way = in_array(strtolower($_GET['way']), array('asc', 'desc')) ? strtolower($_GET['way']) : 'asc';
        $db->query("SELECT * FROM songs ORDER BY title $way");
        """,
    "values that a query has taken": """
        <?php
        $found = $db->fetchAll($db->select()->from('songs')->where('artist = ?', $_GET['artist'])->limit(5));
        $this->db->query($this->db->delete('table.songs')->where('id = ?', $_POST['id']));
        """,
    "escape by its name between quotes": """
        <?php
        $name = real_escape($link, $_POST['name']);
        mysqli_query($link, "SELECT * FROM singers WHERE name = '$name'");
        """,
    "conditions by name and value": """
        <?php
        $rows = $songs->findWhere(['artist' => $_GET['artist']]);
        $rows = $songs->findWhere('artist', $_GET['artist']);
        """,
    "text from the request in a document": r"""
        <?php
        $songs = (new MongoDB\Client())->shop->songs;
        $found = $songs->findOne(['artist' => (string) $_POST['artist'], 'year' => intval($_POST['year'])]);
        $other = $repository->findOne(['artist' => 'x']);
        """,
    "numbers of a shortcode as variables": """
        <?php
        function song_shortcode($atts) {
            global $wpdb;
            extract(shortcode_atts(array('song' => '', 'limit' => 3), $atts));
            $song = absint($song);
            $names = in_array('other', $known, true) ? $known : array();
            return $wpdb->get_var("SELECT title FROM songs WHERE id = " . $song . " LIMIT " . count($names));
        }
        """,
}


@pytest.mark.parametrize("code", REPORTED.values(), ids=REPORTED)
def test_check__reports(code: str):
    hits = run(RULE, code, path=PATH)
    assert lines_of(hits) == marked_lines(code)
    assert {(hit.category, hit.cwe) for hit in hits} <= {("sql-injection", 89), ("sql-injection", 943)}
    assert all(hit.confidence is not Confidence.LOW for hit in hits)


@pytest.mark.parametrize("code", QUIET.values(), ids=QUIET)
def test_check__is_quiet(code: str):
    assert run(RULE, code, path=PATH) == []
