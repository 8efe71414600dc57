from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.categories import Confidence
from devpulse.core.rules.cross_site_scripting import RULE

PATH = "src/page.php"
REPORTED = {
    "short tag alone": """
        <?php $name = isset($_GET['name']) ? $_GET['name'] : ''; ?>
        <input value="<?=$name?>"> // BAD
        """,
    "short tag in a template": """
        <?php if ($show): ?>
        <p>
        <?= $_REQUEST['title'] ?> // BAD
        <?php endif; ?>
        """,
    "filter without a filter": """
        <?php
        echo filter_input(INPUT_GET, 'q'); // BAD
        """,
    "a program's own reader": """
        <?php
        $back = gpc_get_string('return', '');
        echo '<a href="' . $back . '">back</a>'; // BAD
        print get_request_var('host'); // BAD
        """,
    "query var of WordPress": """
        <?php
        printf('<h2>%s</h2>', get_query_var('city')); // BAD
        """,
    "chained request": """
        <?php
        class View { public function show() {
          echo '<b>' . $this->getRequest()->getParam('tab') . '</b>'; // BAD
        } }
        """,
    "input of the application": """
        <?php
        $app = JFactory::getApplication();
        echo $app->input->getString('label'); // BAD
        """,
    "header by getenv": """
        <?php
        echo 'From ' . getenv('HTTP_X_FORWARDED_FOR'); // BAD
        """,
    "address of the page": """
        <?php
        echo '<a href="' . add_query_arg('tab', 'log') . '">Log</a>'; // BAD
        echo '<form action="' . remove_query_arg(array('done', 'page')) . '">'; // BAD
        """,
    "error page": """
        <?php
        wp_die('No such form: ' . $_GET['form']); // BAD
        """,
    "shortcode that is returned": """
        <?php
        function button_shortcode($atts, $content = null) {
          $atts = shortcode_atts(array('class' => '', 'link' => ''), $atts, 'button');
          $html = '<a class="' . $atts['class'] . '" href="' . esc_url($atts['link']) . '">';
          $html .= esc_html($content) . '</a>';
          return $html; // BAD
        }
        """,
    "shortcode that prints": """
        <?php
        class Player { public function render($attr) {
          $a = shortcode_atts(array('width' => '100%'), $attr);
          ob_start(); ?>
          <video width="<?php echo $a['width']; ?>"></video> // BAD
          <?php return ob_get_clean();
        } }
        """,
    "a field that is escaped beside it": """
        <?php foreach ($news as $item): ?>
          <a href="<?= $item['link'] ?>" title="<?= htmlspecialchars($item['link']) ?>">more</a> // BAD
        <?php endforeach ?>
        """,
    "one of a record whose others are escaped": """
        <?php
        foreach ($books as $book) {
          echo '<td>' . esc_html($book->author) . '</td><td>' . $book->summary . '</td>'; // BAD
        }
        """,
    "a field whose slashes are taken out before it is escaped": """
        <?php
        foreach ($books as $book) {
          echo '<td title="' . htmlspecialchars(stripslashes($book['title'])) . '">' . $book['title'] . '</td>'; // BAD
        }
        """,
    "a variable that the function escapes elsewhere": """
        <h1><?php echo htmlspecialchars($headline, ENT_QUOTES); ?></h1>
        <a href="/" title="<?php echo $headline; ?>">home</a> // BAD
        """,
    "a field of the object that another method reads": """
        <?php
        class Search {
          public function __construct() { $this->words = $_GET['words']; }
          public function box() {
            echo '<input name="words" value="' . $this->words . '">'; // BAD
          }
        }
        """,
    "text without tags in the value of an attribute": """
        <?php
        $city = isset($_GET['city']) ? sanitize_text_field(wp_unslash($_GET['city'])) : '';
        ?>
        <input name="city" value="<?php echo $city; ?>" /> // BAD
        <?php echo "<a title='" . strip_tags($_POST['title']) . "'>more</a>"; // BAD
        """,
    "a getter whose value is escaped elsewhere": """
        <?php
        function heading($page) { echo '<h1>' . html_escape($page->title()) . '</h1>'; }
        function crumbs($page) { echo '<li title="' . $page->title() . '">'; } // BAD
        """,
    "rows of a helper that gives HTML back": """
        <?php
        function listing($entries) {
          $html = '';
          foreach ($entries as $entry) {
            $html .= '<li><b>' . $entry->subject . '</b> ' . htmlspecialchars($entry->author) . '</li>';
          }
          return $html; // BAD
        }
        """,
    "a link made of what it is given": """
        <?php
        class Links { public function anchor($href, $words) {
          return '<a href="' . $href . '">' . htmlspecialchars($words) . '</a>'; // BAD
        } }
        """,
    "said to be a page": """
        <?php
        header('Content-Type: text/html; charset=utf-8');
        echo $_GET['word']; // BAD
        """,
    "answers with tags": """
        <?php
        function greet(Request $request) {
            return new Response('<p>' . $request->query->get('name') . '</p>'); // BAD
        }
        function hail(Request $request) {
            return response("<b>{$request->input('name')}</b>"); // BAD
        }
        """,
    "attributes of a shortcode as variables": """
        <?php
        function song_shortcode($atts) {
            extract(shortcode_atts(array('style' => ''), $atts));
            return '<div class="' . $style . '">song</div>'; // BAD
        }
        """,
}
QUIET = {
    "field that is checked afterwards": """
        <?php class Page {
          function read() {
            $this->tab = $_GET['tab'];
            if (!in_array($this->tab, ['main', 'more'], true)) { $this->tab = 'main'; }
          }
          function show() { echo "<div>{$this->tab}</div>"; }
        }
        """,
    "parts of mails and documents": """
        <?php function send($mail, $pdf) {
          $mail->addContent('<b>' . $_POST['m'] . '</b>');
          $pdf->addHTML('<b>' . $_POST['m'] . '</b>');
        }
        """,
    "table of a router": """
        <?php class Router {
          function add($path, $handler) { $this->GET[$path] = $handler; }
          function show($path) { echo "<h1>" . $this->GET[$path] . "</h1>"; }
        }
        """,
    "number": """
        <p><?= (int) ($_GET['page'] ?? 1) ?> of <?= count($rows) ?></p>
        """,
    "short tag": """
        <?php $name = htmlspecialchars($_GET['name'] ?? ''); ?>
        <input value="<?=$name?>"> <?= (int) $_GET['page'] ?> <?= esc_attr($_GET['a']) ?>
        """,
    "filters": """
        <?php
        echo filter_input(INPUT_GET, 'q', FILTER_SANITIZE_FULL_SPECIAL_CHARS);
        echo filter_input(INPUT_GET, 'n', FILTER_SANITIZE_NUMBER_INT);
        $n = filter_var($_GET['b'], FILTER_SANITIZE_SPECIAL_CHARS); echo $n;
        """,
    "escapes of the program": """
        <?php
        echo blog_specialchars($_GET['a']), htmlspecialchars_uni($_GET['b']), string_attribute($_GET['c']);
        echo $this->text->e($_GET['d']), rcube::Q($_GET['e']), html_escape($_GET['f']), Format::htmlchars($_GET['g']);
        echo $view->escape($_GET['h']), escape_input($_GET['i']), $security->xss_clean($_GET['j']);
        """,
    "numbers of the request": """
        <?php
        echo $mybb->get_input('page', MyBB::INPUT_INT);
        echo optional_param('id', 0, PARAM_INT);
        echo gpc_get_int('id');
        """,
    "what another function makes of it": """
        <?php
        echo count_posts($_GET['user']);
        echo $table->display($_GET['view']);
        """,
    "shortcode": """
        <?php
        function box($atts, $content = null) {
          $atts = shortcode_atts(array('class' => '', 'width' => 0), $atts, 'button');
          return '<a class="' . esc_attr($atts['class']) . '">' . absint($atts['width']) . esc_html($content) . '</a>';
        }
        """,
    "shortcode that gives no HTML of its own": """
        <?php
        function field_shortcode($atts) {
          $atts = shortcode_atts(array('name' => ''), $atts);
          return get_field_value($atts['name']);
        }
        """,
    "address of another page": """
        <?php
        echo '<a href="' . add_query_arg('tab', 'log', admin_url('tools.php')) . '">Log</a>';
        echo '<a href="' . add_query_arg(array('tab' => 'log'), menu_page_url('shop', false)) . '">Log</a>';
        echo '<a href="' . esc_url(add_query_arg('tab', 'log')) . '">', esc_url(remove_query_arg('done')), '</a>';
        """,
    "filters of WordPress": """
        <?php
        function search_title() {
          $terms = get_query_var('terms');
          return apply_filters('search_title', sprintf('Results for %s', esc_html($terms)), $terms);
        }
        echo search_title();
        """,
    "arguments of another function": """
        <?php
        function make_box($args) { return '<div class="' . $args['class'] . '"></div>'; }
        """,
    "joomla's plain get": """
        <?php
        $app = JFactory::getApplication();
        echo $app->input->get('view'), $app->input->getInt('id'), $app->input->getCmd('task');
        """,
    "a variable that is escaped in another function": """
        <?php
        function heading($phrase) { echo '<h1>' . esc_html($phrase) . '</h1>'; }
        function shout($phrase) { echo '<b>' . $phrase . '</b>'; }
        """,
    "a variable of the program that is escaped elsewhere": """
        <?php echo esc($controller_name); ?>
        <a href="<?= $controller_name ?>/new">new</a>
        """,
    "a field of the object that is escaped when it is set": """
        <?php
        class Search {
          public function __construct() {
            $this->words = htmlspecialchars($_GET['words']);
            $this->page = (int) $_GET['page'];
          }
          public function box() {
            echo '<input name="words" value="' . $this->words . '" data-page="' . $this->page . '">';
          }
        }
        """,
    "another field of the object": """
        <?php
        class Search {
          public function __construct($title) { $this->words = $_GET['words']; $this->kind = 'all'; }
          public function box() { echo '<b>' . $this->kind . '</b>' . htmlspecialchars($this->words); }
        }
        """,
    "text without tags between tags": """
        <?php
        $city = sanitize_text_field($_GET['city']);
        echo '<b>' . $city . '</b>';
        echo strip_tags($_GET['city']);
        ?>
        <p class="city"><?php echo $city; ?></p>
        <p title="<?php echo esc_attr($city); ?>"><?php echo $city; ?></p>
        """,
    "all fields escaped": """
        <?php
        foreach ($books as $book) {
          echo '<td>' . esc_html($book->author) . '</td><td>' . esc_html( $book->summary ) . '</td>';
        }
        """,
    "number of a record whose texts are escaped": """
        <?php
        foreach ($books as $book) {
          echo '<td id="' . $book['id'] . '">' . esc_html($book['title']) . '</td><td>' . $book['pages'] . '</td>';
        }
        """,
    "a field that was escaped before": """
        <?php
        foreach ($books as $book) {
          $book['title'] = htmlspecialchars($book['title']);
          echo '<td>' . $book['title'] . '</td>';
        }
        """,
    "texts of another record": """
        <?php
        foreach ($books as $book) {
          echo '<td>' . esc_html($book->author) . '</td><th>' . $column->title . '</th>';
        }
        """,
    "only compared": """
        <?php
        foreach ($books as $book) {
          echo '<td>' . ($book->title === 'x' ? 'yes' : 'no') . esc_html($book->title) . '</td>';
        }
        """,
    "a field that is HTML": """
        <?php
        foreach ($books as $book) {
          echo '<td>' . esc_html($book->title) . '</td><td>' . $book->summary_html . '</td>';
        }
        """,
    "a helper that escapes all": """
        <?php
        class Links { public function anchor($href, $words) {
          $href = htmlspecialchars($href);
          return '<a href="' . $href . '">' . htmlspecialchars($words) . '</a>';
        } }
        """,
    "a helper that is given HTML": """
        <?php
        function cell($html, $class) { return '<td class="' . esc_attr($class) . '">' . $html . '</td>'; }
        """,
    "words of a command line": r"""
        <?php
        echo 'usage: ' . $_SERVER['argv'][0] . " FILE\n";
        """,
    "said to be no page": """
        <?php
        header('Content-Type: text/plain; charset=utf-8');
        echo $_GET['word'];
        """,
    "object that writes JSON": """
        <?php
        $json = new Json_Writer();
        echo $json->encode($_POST);
        """,
    "answers without tags": """
        <?php
        function greet(Request $request) {
            return new Response('<p>' . e($request->query->get('name')) . '</p>');
        }
        function hail(Request $request) {
            return response($request->input('name'));
        }
        """,
    "escaped attributes of a shortcode": """
        <?php
        function song_shortcode($atts) {
            extract(shortcode_atts(array('style' => ''), $atts));
            return '<div class="' . esc_attr($style) . '">song</div>';
        }
        """,
}


@pytest.mark.parametrize("code", REPORTED.values(), ids=REPORTED)
def test_check__reports(code: str):
    hits = [hit for hit in run(RULE, code, path=PATH) if hit.confidence is not Confidence.LOW]
    assert lines_of(hits) == marked_lines(code)


@pytest.mark.parametrize("code", QUIET.values(), ids=QUIET)
def test_check__is_quiet(code: str):
    assert [hit for hit in run(RULE, code, path=PATH) if hit.confidence is not Confidence.LOW] == []
