"""How hard the properties are tried: a few fixed examples in the normal suite, ever new ones in `make fuzz`."""

from __future__ import annotations

import datetime
import os

from hypothesis import HealthCheck, settings

_EXAMPLES = os.environ.get("FUZZ_EXAMPLES", "")
_FEW = 12
_HANG = datetime.timedelta(seconds=10)
"""One example takes milliseconds; what takes so long on a busy machine has hung."""

fuzzed = settings(
    max_examples=int(_EXAMPLES or _FEW),
    derandomize=not _EXAMPLES,
    deadline=_HANG,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
    print_blob=True,
)
