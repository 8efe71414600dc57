from __future__ import annotations

import pytest
from rule_tables import MemoryResolver, lines_of, make_source, marked_lines, run

from devpulse.core.categories import Confidence
from devpulse.core.change import Side
from devpulse.core.finding import Hit
from devpulse.core.rules.access_control.php import RULE

PATH = "app/Http/OrderController.php"
REPORTED = {
    "laravel routes": """<?php
        Route::post('/orders', [OrderController::class, 'store'])->middleware('auth');
        Route::put('/orders/{order}', [OrderController::class, 'update'])->middleware(['auth', 'can:update,order']);
        Route::delete('/orders/{order}', [OrderController::class, 'destroy']);  // BAD
        Route::get('/', [HomeController::class, 'index']);
        """,
    "laravel, a list of actions that leaves one out": """<?php
        class OrderController extends Controller
        {
            public function __construct()
            {
                $this->middleware('auth')->only(['store', 'update']);
            }

            public function store(Request $request) { Order::create($request->all()); }

            public function update(Request $request, $id) { Order::find($id)->update($request->all()); }

            public function destroy($id)  // BAD
            {
                Order::find($id)->delete();
            }
        }
        """,
    "laravel policies": """<?php
        class TeamController extends Controller
        {
            public function update(Request $request, Team $team)
            {
                $this->authorize('update', $team);
                $team->update($request->all());
            }

            public function archive(Team $team)
            {
                Gate::authorize('archive', $team);
                $team->archive();
            }

            public function destroy(Team $team)  // BAD
            {
                $team->delete();
            }
        }
        """,
    "the object of anybody": """<?php
        class CardController extends Controller
        {
            public function __construct() { $this->middleware('auth'); }

            public function update(Request $request, $id)
            {
                auth()->user()->cards()->findOrFail($id)->update($request->all());
            }

            public function destroy($id)
            {
                $card = Card::findOrFail($id);  // BAD
                $card->delete();
            }
        }
        """,
    "symfony": """<?php
        class InvoiceController extends AbstractController
        {
            #[Route('/invoice/new', methods: ['POST'])]
            #[IsGranted('ROLE_CLERK')]
            public function create(Request $request): Response { return $this->save($request); }

            #[Route('/invoice/{id}', methods: ['DELETE'])]
            public function delete(int $id): Response  // BAD
            {
                $this->invoices->remove($id);
                return new Response();
            }
        }
        """,
    "wordpress handlers": """<?php
        class Shop_Ajax {
            public function __construct() {
                add_action( 'wp_ajax_shop_save_settings', array( $this, 'save_settings' ) );
                add_action( 'wp_ajax_shop_delete_log', array( $this, 'delete_log' ) );
            }
            public function save_settings() {
                if ( ! current_user_can( 'manage_options' ) ) {
                    wp_die();
                }
                update_option( 'shop', $_POST['shop'] );
            }
            public function delete_log() {  // BAD
                check_ajax_referer( 'shop' );
                $this->log->delete( $_POST['id'] );
                wp_send_json_success();
            }
        }
        """,
    "wordpress rest": """<?php
        register_rest_route( 'shop/v1', '/items', array(
            'methods'             => 'POST',
            'callback'            => 'shop_add_item',
            'permission_callback' => 'shop_may_edit',
        ) );
        register_rest_route( 'shop/v1', '/items/(?P<id>\\d+)', array(  // BAD
            'methods'  => WP_REST_Server::DELETABLE,
            'callback' => 'shop_delete_item',
        ) );
        """,
}
QUIET = {
    "laravel groups": """<?php
        Route::post('/login', [LoginController::class, 'login']);
        Route::post('/basket', [BasketController::class, 'add']);
        Route::middleware(['auth'])->group(function () {
            Route::post('/orders', [OrderController::class, 'store']);
            Route::delete('/orders/{order}', [OrderController::class, 'destroy'])->middleware('can:delete,order');
        });
        Route::group(['middleware' => 'auth:admin', 'prefix' => 'admin'], function () {
            Route::delete('/users/{user}', [UserController::class, 'destroy']);
            Route::post('/users', [UserController::class, 'store'])->middleware('role:root');
        });
        """,
    "middleware before the verb": """<?php
        Route::middleware('auth')->post('/orders', [OrderController::class, 'store']);
        Route::middleware('auth:api')->delete('/orders/{order}', [OrderController::class, 'destroy']);
        """,
    "for guests on purpose": """<?php
        Route::put('/profile', [ProfileController::class, 'update'])->middleware('auth');
        Route::post('/cart', [CartController::class, 'store'])->middleware('guest');
        Route::post('/password/email', [PasswordController::class, 'send']);
        Route::post('/webhooks/mail', [MailController::class, 'receive']);
        """,
    "reading is open": """<?php
        Route::resource('posts', PostController::class)->only(['index', 'show']);
        Route::resource('posts', PostController::class)->except(['index', 'show'])->middleware('auth');
        Route::get('/members', [MemberController::class, 'index']);
        """,
    "laravel, all but reading": """<?php
        class PostController extends Controller
        {
            public function __construct() { $this->middleware('auth')->except(['index', 'show']); }
            public function index() { return Post::all(); }
            public function store(Request $request) { Post::create($request->all()); }
            public function destroy(Post $post) { $post->delete(); }
        }
        """,
    "laravel, a form request authorises": """<?php
        class PostController extends Controller
        {
            public function destroy(Post $post) { $this->authorize('delete', $post); $post->delete(); }
            public function update(UpdatePostRequest $request, Post $post) { $post->update($request->validated()); }
        }
        """,
    "symfony, guard of the class": """<?php
        #[IsGranted('ROLE_ADMIN')]
        class UserController extends AbstractController
        {
            #[Route('/users', methods: ['POST'])]
            #[IsGranted('ROLE_ROOT')]
            public function create(): Response { return $this->save(); }

            #[Route('/users/{id}', methods: ['DELETE'])]
            public function delete(int $id): Response { return $this->drop($id); }
        }
        """,
    "symfony, open on purpose": """<?php
        class CommentController extends AbstractController
        {
            #[Route('/comments/{id}', methods: ['DELETE'])]
            #[IsGranted('ROLE_ADMIN')]
            public function delete(int $id): Response { return $this->drop($id); }

            #[Route('/comments', methods: ['POST'])]
            #[IsGranted('PUBLIC_ACCESS')]
            public function create(): Response { return $this->save(); }
        }
        """,
    "a helper of the class checks": """<?php
        class LogController extends Controller
        {
            public function update($id) { $this->requireAdmin(); Log::find($id)->touch(); }
            public function destroy($id) { $this->only_staff(); Log::find($id)->delete(); }
            private function only_staff() { if (!user_is_staff()) { abort(403); } }
        }
        """,
    "wordpress, for everybody on purpose": """<?php
        add_action( 'wp_ajax_shop_save', 'shop_save' );
        add_action( 'wp_ajax_shop_add_to_cart', 'shop_add_to_cart' );
        add_action( 'wp_ajax_nopriv_shop_add_to_cart', 'shop_add_to_cart' );
        function shop_save() {
            if ( ! current_user_can( 'manage_options' ) ) {
                wp_die( 'no' );
            }
            update_option( 'shop', 1 );
        }
        function shop_add_to_cart() {
            WC()->cart->add( (int) $_POST['id'] );
        }
        """,
    "wordpress, the whole body under the check": """<?php
        add_action( 'wp_ajax_shop_save', 'shop_save' );
        add_action( 'wp_ajax_shop_delete', 'shop_delete' );
        function shop_save() {
            if ( ! current_user_can( 'manage_options' ) ) {
                wp_die( 'no' );
            }
            update_option( 'shop', 1 );
        }
        function shop_delete() {
            if ( current_user_can( 'delete_posts' ) ) {
                wp_delete_post( (int) $_POST['id'] );
            }
            wp_die();
        }
        """,
    "wordpress rest, open on purpose": """<?php
        register_rest_route( 'shop/v1', '/items', array(
            'methods'             => 'POST',
            'callback'            => 'shop_add_item',
            'permission_callback' => 'shop_may_edit',
        ) );
        register_rest_route( 'shop/v1', '/votes', array(
            'methods'             => 'POST',
            'callback'            => 'shop_vote',
            'permission_callback' => '__return_true',
        ) );
        """,
    "functions that no request runs": """<?php
        add_action( 'wp_ajax_shop_save', 'shop_save' );
        function shop_save() {
            if ( ! current_user_can( 'manage_options' ) ) {
                wp_die( 'no' );
            }
            update_option( 'shop', 1 );
        }
        function shop_delete_old_logs() {
            shop_logs()->delete( 'old' );
        }
        """,
    "nobody guarded": """<?php
        class OrderController extends BackendController
        {
            public function store(Request $request) { Order::create($request->all()); }
            public function destroy($id) { Order::find($id)->delete(); }
        }
        """,
}
SCRIPT = """<?php
    session_start();
    if (!isset($_SESSION['admin'])) {
        header('Location: login.php');
        exit;
    }
    $db->query('DELETE FROM logs');
    """
CONTROLLER = """<?php
    class TeamController extends Controller
    {
        public function __construct() { $this->middleware('auth'); }
        public function destroy(Team $team)
        {
            $this->authorize('delete', $team);
            $team->delete();
        }
    }
    """
HANDLER = """<?php
    function shop_save() {
        check_ajax_referer( 'shop' );
        if ( ! current_user_can( 'manage_options' ) ) {
            wp_die( 'no' );
        }
        update_option( 'shop', 1 );
    }
    """
CAPABILITY = """        if ( ! current_user_can( 'manage_options' ) ) {
            wp_die( 'no' );
        }
"""
REMOVED = {
    "session of a script": (SCRIPT, SCRIPT[SCRIPT.index("    if (") : SCRIPT.index("    $db")], "", [3]),
    "policy": (CONTROLLER, "            $this->authorize('delete', $team);\n", "", [7]),
    "middleware": (CONTROLLER, " $this->middleware('auth'); ", " ", [4]),
    "route": ("<?php\n    Route::post('/a', 'A@b')->middleware('auth');\n", "->middleware('auth')", "", [2]),
    "capability": (HANDLER, CAPABILITY, "", [4]),
}
KEPT = {
    "another middleware": (CONTROLLER, "'auth'", "'auth:api'"),
    "another ability": (HANDLER, "'manage_options'", "'edit_posts'"),
    "another check": (
        CONTROLLER,
        "$this->authorize('delete', $team);",
        "abort_unless(auth()->id() === $team->owner, 403);",
    ),
    "a check in a wrapper": (HANDLER, CAPABILITY, "        shop_require_user_can( 'manage_options' );\n"),
}


def hits(code: str) -> list[Hit]:
    return [hit for hit in run(RULE, code, path=PATH) if hit.confidence is not Confidence.LOW]


@pytest.mark.parametrize("name", REPORTED)
def test_check__reported(name: str) -> None:
    assert lines_of(hits(REPORTED[name])) == marked_lines(REPORTED[name])


@pytest.mark.parametrize("name", QUIET)
def test_check__quiet(name: str) -> None:
    assert hits(QUIET[name]) == []


@pytest.mark.parametrize("name", REMOVED)
def test_check__removed_guard(name: str) -> None:
    before, old, new, expected = REMOVED[name]
    assert old in before
    found = list(RULE.run(make_source(before.replace(old, new), path=PATH, before=before), MemoryResolver()))
    assert [hit.start_line for hit in found if hit.side is Side.LEFT] == expected


@pytest.mark.parametrize("name", KEPT)
def test_check__guard_replaced(name: str) -> None:
    before, old, new = KEPT[name]
    assert old in before
    found = RULE.run(make_source(before.replace(old, new), path=PATH, before=before), MemoryResolver())
    assert [hit for hit in found if hit.side is Side.LEFT] == []


@pytest.mark.timeout(20)  # which a time that grows with the square of the lines would take many times over
def test_check__blank_lines_behind_a_hook() -> None:
    assert not hits("<?php\nadd_action('wp_ajax_a'," + "\n" * 300_000)
