from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.rules.wordpress.access import RULE

REPORTED = {
    "a function that answers like a handler, hooked elsewhere": """
        <?php
        class Log { public function clear() {
          delete_option('log_' . absint($_POST['id'])); // BAD
          wp_send_json_success();
        } }
        """,
    "words of a check in what is changed": """
        <?php
        add_action('wp_ajax_remove', 'remove_one');
        add_action('wp_ajax_store', 'store_one');
        add_action('wp_ajax_key', 'store_key');
        add_action('wp_ajax_late', 'late');
        function remove_one() { wp_delete_user($_POST['user_id']); } // BAD
        function store_one() { wp_set_password($_POST['password'], absint($_POST['id'])); } // BAD
        function store_key() { update_option('secure_api_key', $_POST['value']); } // BAD
        function late() {
          update_option('limit', $_POST['limit']); // BAD
          check_ajax_referer('limit');
        }
        """,
    "handler without a check": """
        <?php
        add_action('wp_ajax_clear_log', array($this, 'clear_log'));
        class Log { public function clear_log() {
          global $wpdb;
          $wpdb->delete($wpdb->prefix . 'log', array('id' => absint($_POST['id']))); // BAD
          wp_send_json_success();
        } }
        """,
    "each request to the administration": """
        <?php
        add_action('admin_init', 'keep_settings');
        function keep_settings() {
          if (!empty($_POST['keep'])) { update_option('keep', $_POST['keep']); } // BAD
        }
        """,
    "people who are not logged in": """
        <?php
        add_action( 'wp_ajax_nopriv_drop_page', 'drop_page' );
        function drop_page() { wp_delete_post( $_REQUEST['page'] ); } // BAD
        """,
}
QUIET = {
    "a function that answers like a handler and looks before": """
        <?php
        class Log { public function clear() {
          check_ajax_referer('clear-log');
          delete_option('log_' . absint($_POST['id']));
          wp_send_json_success();
        } }
        """,
    "a function that answers nobody, hooked elsewhere": """
        <?php
        class Log { public function clear() { delete_option('log_' . absint($_POST['id'])); } }
        """,
    "the page that is shown": """
        <?php
        add_action('admin_init', 'upgrade');
        function upgrade() { if (isset($_GET['page']) && $_GET['page'] === 'mine') { update_option('version', 2); } }
        """,
    "capability": """
        <?php
        add_action('wp_ajax_clear_log', 'clear_log');
        function clear_log() {
          if (!current_user_can('manage_options')) { wp_die(); }
          delete_option('log_' . absint($_POST['id']));
        }
        """,
    "check of its own": """
        <?php
        add_action('wp_ajax_clear_log', 'clear_log');
        function clear_log() { require_permission(); delete_option('log_' . absint($_POST['id'])); }
        """,
    "nonce": """
        <?php
        add_action('wp_ajax_clear_log', 'clear_log');
        function clear_log() { check_ajax_referer('log'); delete_option('log_' . absint($_POST['id'])); }
        """,
    "one's own account": """
        <?php
        add_action('wp_ajax_hide_tip', 'hide_tip');
        function hide_tip() { update_user_meta(get_current_user_id(), 'tip', absint($_POST['tip'])); }
        """,
    "votes of everybody": """
        <?php
        add_action('wp_ajax_nopriv_vote', 'vote');
        add_action('wp_ajax_vote', 'vote');
        function vote() { update_post_meta(absint($_POST['post']), 'votes', 1); }
        """,
    "no handler": """
        <?php
        function clear_log() { delete_option('log_' . absint($_POST['id'])); }
        """,
}


@pytest.mark.parametrize("code", REPORTED.values(), ids=REPORTED)
def test_check__reports(code: str):
    assert lines_of(run(RULE, code, path="src/a.php")) == marked_lines(code)


@pytest.mark.parametrize("code", QUIET.values(), ids=QUIET)
def test_check__is_quiet(code: str):
    assert run(RULE, code, path="src/a.php") == []
