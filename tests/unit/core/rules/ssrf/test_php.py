from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.categories import Confidence
from devpulse.core.rules.ssrf import RULE

PATH = "src/fetch.php"
REPORTED = {
    "a parameter of what takes in images": """
        <?php function importImage($image_url) {
          return file_get_contents($image_url); // BAD
        }
        """,
    "option": """
        <?php
        $ch = curl_init();
        curl_setopt($ch, CURLOPT_RETURNTRANSFER, true);
        curl_setopt($ch, CURLOPT_URL, $_GET['feed']); // BAD
        """,
    "table of options": """
        <?php
        $ch = curl_init();
        curl_setopt_array($ch, [CURLOPT_TIMEOUT => 5, CURLOPT_URL => $_POST['hook']]); // BAD
        """,
    "wordpress": """
        <?php
        function preview() {
          $response = wp_remote_get(urldecode($_REQUEST['url'])); // BAD
        }
        """,
    "wordpress download": """
        <?php
        $file = download_url($_POST['image_url']); // BAD
        """,
    "chain of a facade and what is called an address": """
        <?php
        Http::timeout(5)->get($request->input('hook')); // BAD
        Http::withToken('a')->acceptJson()->post($request->input('hook'), []); // BAD
        $page = file_get_contents($_GET['feed_url']); // BAD
        """,
}
QUIET = {
    "a parameter of a client": """
        <?php function get($url) { return file_get_contents($url); }
        """,
    "a parameter of what takes in images that is checked": """
        <?php function importImage($image_url) {
          if (parse_url($image_url, PHP_URL_HOST) !== 'covers.example.org') { return null; }
          return file_get_contents($image_url);
        }
        """,
    "other options": """
        <?php
        $ch = curl_init('https://api.example.com/v1/send');
        curl_setopt($ch, CURLOPT_POSTFIELDS, json_encode($_POST['message']));
        curl_setopt($ch, CURLOPT_HTTPHEADER, $_POST['lines']);
        curl_setopt_array($ch, array(CURLOPT_POSTFIELDS => http_build_query($_POST)));
        """,
    "query of a fixed host": """
        <?php
        $ch = curl_init();
        curl_setopt($ch, CURLOPT_URL, 'https://api.example.com/search?q=' . urlencode($_GET['q']));
        """,
    "safe form": """
        <?php
        $response = wp_safe_remote_get($_REQUEST['url']);
        """,
    "constant": """
        <?php
        curl_setopt_array($ch, [CURLOPT_URL => 'https://example.com/feed', CURLOPT_USERAGENT => $_GET['a']]);
        """,
    "other methods beside a facade": """
        <?php
        $kept = Cache::get($request->input('hook'));
        Http::timeout(5)->get('https://api.example.com/?q=' . $request->input('hook'));
        $page = file_get_contents('pages/' . $_GET['feed_url']);
        """,
}


@pytest.mark.parametrize("code", REPORTED.values(), ids=REPORTED)
def test_check__reports(code: str):
    hits = [hit for hit in run(RULE, code, path=PATH) if hit.confidence is not Confidence.LOW]
    assert lines_of(hits) == marked_lines(code)


@pytest.mark.parametrize("code", QUIET.values(), ids=QUIET)
def test_check__is_quiet(code: str):
    assert [hit for hit in run(RULE, code, path=PATH) if hit.confidence is not Confidence.LOW] == []
