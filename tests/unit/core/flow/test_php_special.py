from __future__ import annotations

import pytest

from devpulse.core.flow.engine import analyse
from devpulse.core.flow.values import Level


def level(code: str) -> int:
    """How far the first argument of the one call of ``sink`` is to be distrusted."""
    (call,) = [call for call in analyse("php", f"<?php\n{code}").calls if call.callee == "sink"]
    return max((taint.origin.level for taint in call.arguments[0].value.taints), default=Level.UNKNOWN)


@pytest.mark.parametrize(
    "given",
    [
        "file_get_contents('php://input')",
        "File_Get_Contents('PHP://input')",
        "getenv('HTTP_HOST')",
        "getenv('QUERY_STRING')",
        "optional_param('a', '', PARAM_RAW)",
        "required_param('a', PARAM_URL)",
        "filter_var($_GET['a'], FILTER_DEFAULT)",
        "apply_filters('name', $_GET['a'], 1)",
        "add_query_arg('k', 'v', $_GET['u'])",
        "add_query_arg(['k' => 'v'])",
        "remove_query_arg('k')",
        "unserialize($_GET['a'])",
        "GETPOST('a', 'none')",
        "print_r($_GET['a'], true)",
    ],
)
def test_special__what_the_request_gives(given: str) -> None:
    assert level(f"sink({given});") == Level.REQUEST


@pytest.mark.parametrize(
    "given",
    [
        "file_get_contents('php://memory')",
        "getenv('HOME_FOLDER')",
        "optional_param('a', 0, PARAM_INT)",
        "required_param('a', PARAM_ALPHANUM)",
        "GETPOST('a', 'aZ09')",
        "GETPOST('a')",
        "filter_input(INPUT_GET, 'a', FILTER_VALIDATE_INT)",
        "apply_filters('name', 'fixed', $_GET['a'])",
    ],
)
def test_special__what_it_does_not(given: str) -> None:
    assert level(f"sink({given});") < Level.REQUEST


@pytest.mark.parametrize(
    "test", ["in_array($a, ['x', 'y'], true)", "array_key_exists($a, ['x' => 1])", "isset($t[$a])"]
)
def test_special__membership_decides(test: str) -> None:
    head = "$t = ['x' => 1, 'y' => 2];\n$a = $_GET['a'];\n"
    assert level(f"{head}if (!{test}) {{ exit; }}\nsink($a);") < Level.REQUEST
    assert level(f"{head}if ({test}) {{ exit; }}\nsink($a);") == Level.REQUEST


def test_special__membership_in_another_case_alone_decides() -> None:
    head = "$a = $_GET['a'];\n"
    assert level(f"{head}if (!in_array(strtolower($a), ['x', 'y'])) {{ exit; }}\nsink($a);") < Level.REQUEST
    assert level(f"{head}if (!in_array(trim($a), ['x', 'y'])) {{ exit; }}\nsink($a);") == Level.REQUEST


def _callees(code: str) -> list[str]:
    return [call.callee for call in analyse("php", f"<?php\n{code}").calls]


def test_special__the_option_of_a_request_that_is_its_address() -> None:
    assert _callees("curl_setopt($c, CURLOPT_URL, $u);") == ["curl_setopt"]
    assert _callees("curl_setopt($c, CURLOPT_POSTFIELDS, $u);") == ["curl_option"]
    assert _callees("curl_setopt($c, $option, $u);") == ["curl_setopt"]
    (call,) = analyse("php", "<?php\ncurl_setopt_array($c, [CURLOPT_POST => 1, CURLOPT_URL => $_GET['u']]);").calls
    assert [taint.origin.level for taint in call.arguments[2].value.taints] == [Level.REQUEST]


def test_special__data_without_classes_is_data() -> None:
    assert _callees("unserialize($a, ['allowed_classes' => false]);") == ["json_decode"]
    assert _callees("unserialize($a, ['allowed_classes' => true]);") == ["unserialize"]
    assert _callees("unserialize($a);") == ["unserialize"]


def test_special__a_filter_for_pages_escapes() -> None:
    assert _callees("filter_var($a, FILTER_SANITIZE_SPECIAL_CHARS);") == ["htmlspecialchars"]
