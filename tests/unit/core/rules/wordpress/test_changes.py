from __future__ import annotations

from devpulse.core.rules.wordpress.changes import changes_of, is_public

CODE = """<?php
add_action('wp_ajax_nopriv_vote', array($this, 'vote'));
add_action( 'admin_post_save_colours', 'save_colours' );
function vote() {
  /* update_option('a', $_POST['b']); */
  update_post_meta($_POST['post'], 'votes', 1);
}
function save_colours() {
  check_admin_referer('colours');
  // current_user_can is asked by the caller
  $colours = $_POST['colours'];
  update_option('colours', $colours);
}
function shown() { return get_option('colours'); }
"""


def test_changes_of__hooks_lines_and_checks():
    vote, save = changes_of(CODE)
    assert (vote.line, vote.grave, vote.nonce, vote.right, is_public(vote)) == (6, False, False, False, True)
    assert (save.line, save.grave, save.nonce, save.right, is_public(save)) == (12, True, True, False, False)


def test_changes_of__nothing_comes_with_the_request():
    assert changes_of("<?php function a() { update_option('a', 1); }") == ()
    assert changes_of("<?php function a() { if (! isset($_GET['a'])) { update_option('a', 1); } }") == ()
    assert changes_of("<?php function a() { echo esc_html($_GET['a']); }") == ()


def test_changes_of__a_sign_of_comments_in_a_text_is_none():
    code = "<?php function a() { $c = 'a #fff // b'; check_ajax_referer('x'); update_option('a', $_POST['b']); }"
    (change,) = changes_of(code)
    assert change.nonce
