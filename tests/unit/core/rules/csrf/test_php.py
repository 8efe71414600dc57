from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.categories import Confidence
from devpulse.core.rules.csrf import RULE

REPORTED = {
    "everything excepted": """
        <?php
        class VerifyCsrfToken extends Middleware {
            protected $except = ['*']; // BAD
        }
        """,
    "middleware taken off a route": """
        <?php
        Route::post('/transfer', [TransferController::class, 'store'])
            ->withoutMiddleware([VerifyCsrfToken::class]); // BAD
        """,
    "form": """
        <?php
        class TransferType extends AbstractType {
            public function configureOptions(OptionsResolver $resolver): void {
                $resolver->setDefaults(['csrf_protection' => false]); // BAD
            }
        }
        """,
    "controller": """
        <?php
        class AccountController extends Controller {
            public $enableCsrfValidation = false; // BAD
        }
        """,
}
QUIET = {
    "webhooks excepted": """
        <?php
        class VerifyCsrfToken extends Middleware {
            protected $except = ['stripe/*', 'api/hooks'];
        }
        """,
    "other middleware": """
        <?php
        Route::get('/health', HealthController::class)->withoutMiddleware([LogRequests::class]);
        """,
    "on": """
        <?php
        $config['csrf_protection'] = TRUE;
        """,
    "other exceptions": """
        <?php
        class TrimStrings extends Middleware {
            protected $except = ['password'];
        }
        """,
}


@pytest.mark.parametrize("code", REPORTED.values(), ids=REPORTED)
def test_check__reports(code: str) -> None:
    hits = [hit for hit in run(RULE, code, path="src/app.php") if hit.confidence is not Confidence.LOW]
    assert lines_of(hits) == marked_lines(code)
    assert {hit.category for hit in hits} == {"csrf"}


@pytest.mark.parametrize("code", QUIET.values(), ids=QUIET)
def test_check__is_quiet(code: str) -> None:
    assert [hit for hit in run(RULE, code, path="src/app.php") if hit.confidence is not Confidence.LOW] == []
