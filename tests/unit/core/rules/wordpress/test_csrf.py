from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.rules.wordpress.csrf import RULE

REPORTED = {
    "a function that answers like a handler and asks for the capability alone": """
        <?php
        class Log { public function clear() {
          if (!current_user_can('manage_options')) { return; }
          delete_option('log_' . absint($_POST['id'])); // BAD
          wp_send_json_success();
        } }
        """,
    "handler that asks for the capability alone": """
        <?php
        add_action('wp_ajax_store_limit', 'store_limit');
        function store_limit() {
          if (!current_user_can('manage_options')) { wp_die(); }
          update_option('limit', absint($_POST['limit'])); // BAD
        }
        """,
    "page of settings": """
        <?php
        class Screen {
          public function __construct() { add_options_page('Limits', 'Limits', 'edit_posts', 'l', [$this, 'show']); }
          public function show() {
            if (isset($_POST['limit'])) {
              update_option('limit', sanitize_text_field($_POST['limit'])); // BAD
            }
          }
        }
        """,
    "one's own account": """
        <?php
        add_action('admin_post_hide_tip', array('Tips', 'hide'));
        class Tips { public static function hide() {
          update_user_meta(get_current_user_id(), 'tip', absint($_REQUEST['tip'])); // BAD
        } }
        """,
}
QUIET = {
    "a function that answers nobody and asks for the capability": """
        <?php
        class Log { public function clear() {
          if (!current_user_can('manage_options')) { return; }
          delete_option('log_' . absint($_POST['id']));
        } }
        """,
    "nonce": """
        <?php
        add_action('wp_ajax_store_limit', 'store_limit');
        function store_limit() {
          check_ajax_referer('limit');
          if (!current_user_can('manage_options')) { wp_die(); }
          update_option('limit', absint($_POST['limit']));
        }
        """,
    "page whose form has a nonce": """
        <?php
        function show() {
          if (isset($_POST['limit']) && check_admin_referer('limits')) { store(); }
          echo '<form method="post">'; wp_nonce_field('limits');
        }
        function store() { update_option('limit', absint($_POST['limit'])); }
        add_options_page('Limits', 'Limits', 'manage_options', 'limits', 'show');
        """,
    "for everybody": """
        <?php
        add_action('wp_ajax_nopriv_vote', 'vote');
        function vote() { update_post_meta(absint($_POST['post']), 'votes', 1); }
        """,
    "no change": """
        <?php
        add_action('wp_ajax_find', 'find');
        function find() { if (current_user_can('read')) { wp_send_json(get_posts(['s' => $_GET['s']])); } }
        """,
    "a function that others call": """
        <?php
        function store_limit() { update_option('limit', absint($_POST['limit'])); }
        """,
}


@pytest.mark.parametrize("code", REPORTED.values(), ids=REPORTED)
def test_check__reports(code: str):
    assert lines_of(run(RULE, code, path="src/a.php")) == marked_lines(code)


@pytest.mark.parametrize("code", QUIET.values(), ids=QUIET)
def test_check__is_quiet(code: str):
    assert run(RULE, code, path="src/a.php") == []
