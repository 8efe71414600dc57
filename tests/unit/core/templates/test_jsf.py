from __future__ import annotations

from tables import for_each
from template_tables import assert_quiet, assert_reported

PATH = "web/find.xhtml"
REPORTED = [
    '<html><h:outputText value="#{param.q}" escape="false"/></html>',
    '<html><h:outputText escape="false" value="#{user.name}"/></html>',
    '<html>\n<h:outputText value="#{user.name}"/>\n<h:outputText value="#{user.bio}" escape="false"/> // BAD\n</html>',
]
QUIET = [
    '<html><h:outputText value="#{param.q}"/></html>',
    '<html><h:outputText value="#{param.q}" escape="true"/><b title=\'escape="false"\'/></html>',
    '<html><!-- <h:outputText value="#{param.q}" escape="false"/> --></html>',
    '<html><h:outputText value="#{page.content}" escape="false"/></html>',
    '<html><h:outputText value="#{bean.sanitize(user.bio)}" escape="false"/></html>',
]


@for_each(REPORTED)
def test_tags__raw_output_of_data_is_reported(page: str) -> None:
    assert_reported(PATH, page)


@for_each(QUIET)
def test_tags__what_is_harmless_is_quiet(page: str) -> None:
    assert_quiet(PATH, page)
