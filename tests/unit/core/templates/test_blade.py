from __future__ import annotations

from tables import for_each
from template_tables import assert_quiet, assert_reported

PATH = "resources/views/show.blade.php"
REPORTED = [
    "<p>{!! $request->q !!}</p>",
    "<p>{!! request('q') !!}</p>",
    "<p>{!! $_GET['q'] !!}</p>",
    "<p>{!! $comment->body !!}</p>",
    "<p>{!! $user->name !!}</p>",
    "<p>{!! nl2br($user->bio) !!}</p>",
    "<p>{!! old('title') !!}</p>",
    "<p>{!! '<b>' . $user->name . '</b>' !!}</p>",
    '<p>{!! "<b>$name</b>" !!}</p>',
    "<p>\n{{ $name }}\n{!! $name !!} // BAD\n</p>",
    "<p>{!! __('Hello :name', ['name' => $user->name]) !!}</p>",
    "<p>{!! session('error') ?? $message !!}</p>",
    "<p>{!! $row['title'] !!}</p>",
    "<script>var page = {{ request()->query('page') }};</script>",
    "<p>{!! Request::get('q') !!}</p>",
    "@php($q = request('q'))\n<p>{!! $q !!}</p> // BAD",
    "<p>{!! strtoupper($user->name) !!}</p>",
]
QUIET = [
    "<p>{{ $request->q }}</p>",
    "<p>{!! e($request->q) !!}</p>",
    "<p>{!! nl2br(e($comment->body)) !!}</p>",
    "<p>{!! clean($post->body) !!}</p>",
    "<p>{!! __('Hello') !!}</p>",
    "<p>{!! trans('a.b', ['count' => 3]) !!}</p>",
    "<p>{!! $users->links() !!}</p>",
    "<p>{!! csrf_field() !!}</p>",
    "<p>{!! Form::open(['url' => 'a']) !!}</p>",
    "<p>{!! $slot !!}</p>",
    "<p>{!! $post->content !!}</p>",
    "<p>{!! $html !!}</p>",
    "<script>var rows = {!! json_encode($rows) !!};</script>",
    "{{-- {!! $_GET['q'] !!} --}}<p></p>",
    "<p>@{!! $_GET['q'] !!}</p>",
    "<p>{!! (int) $request->page !!}</p>",
    "<p>{!! $count !!}</p>",
    "<p>{!! $user->isAdmin() ? '<b>yes</b>' : 'no' !!}</p>",
    "<p>{!! strip_tags($user->bio) !!}</p>",
    "<p>{!! htmlspecialchars($_GET['q']) !!}</p>",
    "<script>var page = @json(request('page'));</script>",
    "@verbatim {!! $_GET['q'] !!} @endverbatim<p></p>",
    "<p>{!! $user->present()->nameUrl() !!}</p>",
]


@for_each(REPORTED)
def test_tags__raw_output_of_data_is_reported(page: str) -> None:
    assert_reported(PATH, page)


@for_each(QUIET)
def test_tags__what_is_harmless_is_quiet(page: str) -> None:
    assert_quiet(PATH, page)
