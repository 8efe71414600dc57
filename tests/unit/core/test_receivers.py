from __future__ import annotations

import pytest

from devpulse.core.receivers import bases_of, is_called_like, likely_types


@pytest.mark.parametrize(
    ("signature", "bases"),
    [
        ("class A", ()),
        ("class A(B, c.D[T], metaclass=M)", ("B", "D")),
        ("class A(object)", ()),
        ("public class A<T> extends B<T> implements C, D", ("B", "C", "D")),
        ("interface A extends B<C<D>>", ("B",)),
        ("class A : public B, private ns::C", ("B", "C")),
        ("class A(val x: Int) : B(x), C", ("B", "C")),
        ("public sealed class A : B<T>, IC where T: D", ("B", "IC")),
        ("class A < B::C", ("C",)),
        (r"final class A extends \B\C implements D", ("C", "D")),
        ("struct A { int b; }", ()),
    ],
)
def test_bases_of__as_the_languages_write_them(signature, bases):
    assert bases_of(signature) == bases


@pytest.mark.parametrize(
    ("text", "types"),
    [
        ("def f(x, runner: web.AppRunner = None): pass", ("AppRunner",)),
        ("def f(runner: Optional['AppRunner']): pass", ("AppRunner",)),
        ("runner = await AppRunner(app)", ("AppRunner",)),
        ("const runner = new AppRunner();", ("AppRunner",)),
        ("function f(runner?: AppRunner) {}", ("AppRunner",)),
        ("private final AppRunner<T> runner;", ("AppRunner",)),
        ("func (s *S) f(runner *web.AppRunner) {", ("AppRunner",)),
        ("runner := &AppRunner{}", ("AppRunner",)),
        ("function f(AppRunner $runner) {}", ("AppRunner",)),
        ("def f(r: AppRunner):\n    runner = r\n", ("AppRunner",)),
        ("runner = make()\n", ()),
        ("runners: AppRunner", ()),
        ("", ()),
    ],
)
def test_likely_types__annotations_declarations_and_constructors(text, types):
    assert likely_types("runner", text) == types


def test_likely_types__the_most_frequent_first_and_no_pattern_from_a_name():
    assert likely_types("a", "a: One\na: Two\na: Two\n") == ("Two", "One")
    assert likely_types(".*", "x: One") == ()


def test_is_called_like__the_end_of_the_class_name():
    assert is_called_like("form_renderer", "FormRenderer")
    assert is_called_like("site", "TCPSite")
    assert not is_called_like("s", "Styles")
    assert not is_called_like("site", "SiteMap")
