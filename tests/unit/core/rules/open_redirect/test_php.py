from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.categories import Confidence
from devpulse.core.rules.open_redirect import RULE

PATH = "src/go.php"
REPORTED = {
    "call that gives what was sent": """
        <?php
        header('Location: ' . Input::get('next') . '?ok=1'); // BAD
        redirect(get_query_var('next') . '?page=1'); // BAD
        redirect(Request::config('next') . '?page=1'); // BAD
        """,
    "header": """
        <?php
        header('Location: ' . $_GET['next']); // BAD
        """,
    "wordpress": """
        <?php
        wp_redirect(add_query_arg('done', '1', $_REQUEST['redirect_to'])); // BAD
        """,
    "address that begins with the request": """
        <?php
        header('Location: ' . $_GET['host'] . SITE_ROOT); // BAD
        redirect($_POST['back'] . '#top'); // BAD
        """,
    "header by its name": """
        <?php
        return $response->withHeader('Location', $request->getQueryParams()['next'])->withStatus(302); // BAD
        """,
}
QUIET = {
    "address of what was found by the request": """
        <?php
        class Favourites extends Controller {
            public function add(Request $request) {
                $given = $this->validate($request, $this->rules());
                $entry = $this->entries->visibleFromRequestData($given);
                return redirect($entry->getUrl());
            }
            public function copy(Request $request, string $slug) {
                $copy = $this->cloner->copyOf($this->find($slug), $request->get('name'));
                return redirect($copy->getUrl());
            }
        }
        """,
    "own page": """
        <?php
        wp_redirect(add_query_arg('done', '1'));
        wp_redirect(remove_query_arg('nonce'));
        header('Location: ' . add_query_arg(array('a' => $_GET['a'])));
        """,
    "own address": """
        <?php
        wp_redirect(add_query_arg('plugin', $_GET['plugin'], network_admin_url('plugins.php')));
        wp_redirect(add_query_arg(array('s' => $_GET['s']), admin_url('edit.php')));
        """,
    "safe form": """
        <?php
        wp_safe_redirect($_GET['next']);
        """,
    "address that begins with the site's own": """
        <?php
        header('Location: ' . SITE_ROOT . 'panel/' . $_GET['tab']);
        redirect(base_url('shop/') . $_GET['item']);
        redirect(config('app.url') . '/' . $_GET['item']);
        redirect(Request::url() . '/' . $_GET['item']);
        header('Location: ' . $this->getBaseUrl() . '?item=' . $_GET['item']);
        """,
    "another header": """
        <?php
        return $response->withHeader('X-Next', $request->getQueryParams()['next']);
        """,
}


@pytest.mark.parametrize("code", REPORTED.values(), ids=REPORTED)
def test_check__reports(code: str):
    hits = [hit for hit in run(RULE, code, path=PATH) if hit.confidence is not Confidence.LOW]
    assert lines_of(hits) == marked_lines(code)


@pytest.mark.parametrize("code", QUIET.values(), ids=QUIET)
def test_check__is_quiet(code: str):
    assert [hit for hit in run(RULE, code, path=PATH) if hit.confidence is not Confidence.LOW] == []
