from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.categories import Confidence
from devpulse.core.rules.cross_site_scripting import RULE

PATH = "src/shelf.php"
REPORTED = {
    "a country beside an escaped field": """
        <?php function shelf($books) {
          foreach ($books as $b) {
            echo '<td>' . esc_html($b['place']) . '</td><td>' . $b['country'] . '</td>'; // BAD
          }
        }
        """,
    "a field beside one that is escaped": """
        <?php function shelf($books) {
          foreach ($books as $book) {
            echo '<td>' . esc_html($book['place']) . '</td><td>' . $book['binding'] . '</td>'; // BAD
          }
        }
        """,
    "a name that is no field's of a form": """
        <?php function item($name) { return '<b class="big">' . $name . '</b>'; } // BAD
        """,
    "a field in a short tag": """
        <td data-place="<?= $book['subtitle'] ?>"></td> // BAD
        """,
    "a cell of a table": """
        <?php function shelf($table, $book) {
          $table->add_cell("<b>{$book['title']}</b>"); // BAD
        }
        """,
    "a tag that begins on the line before": """
        <h2>
          <?php
          echo $headline; ?> // BAD
        </h2>
        """,
    "a field of a record between tags": """
        <?php function shelf($book) {
          echo '<td>' . $book->title . '</td>'; // BAD
        }
        """,
    "a field of a row in a page": """
        <?php $row = find_book($id); ?>
        <h2><?php echo $row['author']; ?></h2> // BAD
        """,
    "a field of what is looped over": """
        <?php function shelves($books) {
          foreach ($books as $key => $book) {
            echo "<li>$book[comment]</li>"; // BAD
          }
        }
        """,
    "a field of a field": """
        <?php class Shelf { function show() {
          echo '<b>' . $this->book->title . '</b>'; // BAD
        } }
        """,
    "a parameter": """
        <?php function heading($caption) {
          print '<h1>' . $caption . '</h1>'; // BAD
        }
        """,
    "a parameter with a word before": """
        <?php function trouble(string $errormessage) {
          echo '<p class="trouble">' . $errormessage . '</p>'; // BAD
        }
        """,
    "an attribute that holds a text": """
        <?php function box($given) {
          ?><input name="shelf" value="<?php echo $given; ?>"> // BAD
          <?php
        }
        """,
    "an attribute that begins a line before": """
        <?php function box($given) { ?>
          <input name="shelf" value="<?php
            echo $given; ?>"> // BAD
        <?php }
        """,
    "an attribute in a text": """
        <?php function option($row) {
          return "<option value=\\"$row->path\\">x</option>"; // BAD
        }
        """,
    "what WordPress keeps": """
        <input name="motto" value="<?php echo get_option('motto'); ?>"> // BAD
        """,
    "a getter of a text": """
        <?php function show($id) {
          $book = Books::find($id);
          echo '<b>' . $book->getTitle() . '</b>'; // BAD
        }
        """,
    "HTML that is given back": """
        <?php function item($book) {
          $html = '<li>';
          $html .= '<b>' . $book['name'] . '</b>';
          return $html . '</li>'; // BAD
        }
        """,
    "HTML that is joined": """
        <?php function items($books) {
          foreach ($books as $book) {
            $found[] = '<li>' . $book->name . '</li>';
          }
          return implode('', $found); // BAD
        }
        """,
    "HTML that an object collects": """
        <?php class Shelf { function add($book) {
          $this->output .= '<li>' . $book->comment . '</li>'; // BAD
        } }
        """,
    "over several lines": """
        <?php function item($book) {
          $html = '<a href="' . address(
            'shelf'
          ) . '">' . $book['title'] . '</a>';
          return $html; // BAD
        }
        """,
    "a text with tags in an exception": """
        <?php function check($url) {
          throw new Exception('Bad: <i>' . $url . '</i>'); // BAD
        }
        """,
    "a function called like one that prints": """
        <?php function shelf($book) {
          print_line('<b>' . $book->title . '</b>'); // BAD
        }
        """,
    "Smarty": """
        <?php class Page { function show() {
          $this->smarty->assign('shelf', $_GET['shelf']); // BAD
        } }
        """,
}
NOT_SURE = {
    "an attribute that holds a word of the program": """
        <?php function box($name) { ?>
          <input name="<?php
            echo $name; ?>" type="text">
        <?php }
        """,
    "a class in an attribute": """
        <?php function box($box_class, $id) { echo '<input value="' . $id . '" title="' . $box_class . '">'; }
        """,
}
"""Flaws, perhaps: too little is known of the values."""

QUIET = {
    "a page number beside an escaped field": """
        <?php function shelf($books) {
          foreach ($books as $b) { echo '<td>' . esc_html($b['place']) . '</td><td>' . $b['row_count'] . '</td>'; }
        }
        """,
    "words of a language in an attribute": """
        <?php function box() { global $lang; echo '<input title="' . $lang['search'] . '">'; }
        """,
    "XML": """
        <?php function feed($title) { return '<?xml version="1.0"?><book>' . $title . '</book>'; }
        """,
    "a text whose line ends are made tags": """
        <?php function lines($text) {
          $text = preg_replace('/[ ]*\\n/', "<br />\\n", $text);
          return $text;
        }
        """,
    "a number beside an escaped field": """
        <?php function shelf($books) {
          foreach ($books as $b) { echo '<td>' . esc_html($b['place']) . '</td><td>' . $b['page_count'] . '</td>'; }
        }
        """,
    "escaped": """
        <?php function shelf($book, $caption) {
          echo '<td>' . esc_html($book->title) . '</td><td>' . htmlspecialchars($caption) . '</td>';
        }
        """,
    "a number beside an escaped text": """
        <?php function shelf($books) {
          foreach ($books as $book) { echo '<td>' . esc_html($book['title']) . '</td><td>' . $book['pages'] . '</td>'; }
        }
        """,
    "no page": """
        <?php function shelf($book) { log_line('shelf ' . $book->title); return $book->title; }
        """,
    "named HTML": """
        <?php function shelf($html, $title_html) { echo '<td>' . $html . $title_html . '</td>'; }
        """,
    "words of the program": """
        <?php function shelf($lang, $conf, $column_name) {
          echo '<td>' . $lang['title'] . $conf['name'] . $column_name . '</td>';
        }
        """,
    "a field of the object itself": """
        <?php class Shelf { function show() { echo '<b>' . $this->title . '</b>'; } }
        """,
    "kept text that is escaped": """
        <input name="motto" value="<?php echo esc_attr(get_option('motto')); ?>">
        """,
    "kept text that is no attribute": """
        <?php function mode() { return get_option('mode') === 'dark' ? '<b>dark</b>' : '<b>light</b>'; }
        """,
    "a getter of something else": """
        <?php function show($id) { $book = Books::find($id); echo '<b>' . $book->getPages() . '</b>'; }
        """,
    "escaped before": """
        <?php function item($book) {
          $name = htmlspecialchars($book['name']);
          return '<li>' . $name . '</li>';
        }
        """,
    "an escape of the program": """
        <?php function item($book) { return '<li>' . escape_html($book['name']) . '</li>'; }
        """,
    "compared": """
        <?php function item($book) { return '<li>' . ($book['name'] == 'a' ? 'first' : 'other') . '</li>'; }
        """,
    "the name of a field of a form": """
        <?php function select($name, $values) {
          $html = '<select name="' . $name . '" id="form-' . $name . '" ' . implode(' ', $values) . '>';
          return $html . '</select>';
        }
        """,
    "numbers in attributes": """
        <div data-position="<?= $book['position'] ?>" data-due-date="<?= $book['date_due'] ?>"></div>
        """,
    "a number": """
        <?php function item(int $value, $book) { return '<li title="' . $value . '">' . (int) $book->name . '</li>'; }
        """,
    "an exception without tags": """
        <?php function check($url) { throw new Exception('Bad: ' . $url); }
        """,
    "Smarty with what is escaped": """
        <?php class Page { function show() { $this->smarty->assign('shelf', htmlspecialchars($_GET['shelf'])); } }
        """,
    "assigned to something else": """
        <?php class Page { function show() { $this->roles->assign('shelf', $_GET['shelf']); } }
        """,
    "JSON": """
        <?php function show($book) { header('Content-Type: text/plain'); echo json_encode(['a' => $book->title]); }
        """,
}


@pytest.mark.parametrize("code", REPORTED.values(), ids=REPORTED)
def test_is_written_raw__reported(code: str):
    told = [hit for hit in run(RULE, code, path=PATH) if hit.confidence is not Confidence.LOW]
    assert lines_of(told) == marked_lines(code)


@pytest.mark.parametrize("code", QUIET.values(), ids=QUIET)
def test_is_written_raw__quiet(code: str):
    assert [hit for hit in run(RULE, code, path=PATH) if hit.confidence is not Confidence.LOW] == []


@pytest.mark.parametrize("code", NOT_SURE.values(), ids=NOT_SURE)
def test_is_written_raw__too_little_is_known(code: str):
    assert [hit for hit in run(RULE, code, path=PATH) if hit.confidence is not Confidence.LOW] == []
