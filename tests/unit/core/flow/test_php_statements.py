from __future__ import annotations

import pytest

from devpulse.core.flow.engine import analyse
from devpulse.core.flow.values import Level


@pytest.mark.parametrize(
    "text",
    [
        "<?php $x = " + "(" * 3000 + "$_GET['a']" + ")" * 3000 + "; sink($x);",
        "<?php $x = $_GET['a']" + " . 'b'" * 3000 + "; sink($x);",
        "<?php " + "if ($a) { " * 1500 + "sink($_GET['a']);" + "}" * 1500,
        "<?php if ($a) {}" + " else if ($b) {}" * 1500 + " sink($_GET['a']);",
        "<?php $x = " + "function($a) { return " * 1500 + "1" + ";}" * 1500 + "; sink($_GET['a']);",
    ],
)
def test_analyse__deep_nesting(text: str):
    (record,) = [record for record in analyse("php", text).calls if record.callee == "sink"]
    assert record.arguments[0].value.taints[0].origin.level == Level.REQUEST
