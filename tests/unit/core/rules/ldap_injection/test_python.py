from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.categories import Confidence
from devpulse.core.rules.ldap_injection import RULE

REPORTED = {
    "entry that logs in": """
        def login(username, password):
            conn.simple_bind_s("uid=" + username + ",ou=people", password)  # BAD
        """,
    "entry that is made": """
        def register(record):
            conn.add_s("uid=%s,%s" % (record.username, BASE), FIELDS)  # BAD
        """,
    "filter": """
        def find():
            name = request.args["user"]
            return connection.search_s(BASE, ldap.SCOPE_SUBTREE, "(uid=" + name + ")")  # BAD
        """,
    "ldap3": """
        def login(username, password):
            conn.search("dc=example,dc=com", f"(&(uid={username})(active=1))")  # BAD
        """,
    "name of an entry": """
        def groups(request):
            team = request.GET["team"]
            return conn.search_ext_s("ou=" + team + ",dc=example,dc=com", ldap.SCOPE_BASE)  # BAD
        """,
    "name kept in a field": """
        class Login:
            def find(self):
                where = "({0}={1})".format(ATTRIBUTE, self.username)
                self.conn.search(search_base=BASE, search_filter=where)  # BAD
        """,
}
QUIET = {
    "escaped entry": """
        def login(username, password):
            conn.simple_bind_s("uid=" + ldap.dn.escape_dn_chars(username) + ",ou=people", password)
        """,
    "own entry": """
        def login(self, password):
            conn.simple_bind_s(self.reader, password)
        """,
    "escaped": """
        def find():
            name = escape_filter_chars(request.args["user"])
            return connection.search_s(BASE, ldap.SCOPE_SUBTREE, "(uid=" + name + ")")
        """,
    "constant": """
        def everybody():
            return connection.search_s(BASE, ldap.SCOPE_SUBTREE, "(objectClass=person)")
        """,
    "pattern": """
        def find(word):
            return re.search("name=" + word, TEXT)
        """,
    "escaped name of a field": """
        class Login:
            def find(self):
                where = "({0}={1})".format(ATTRIBUTE, escape_filter_chars(self.username))
                self.conn.search(search_base=BASE, search_filter=where)
        """,
}


@pytest.mark.parametrize("code", REPORTED.values(), ids=REPORTED)
def test_check__reports(code: str) -> None:
    hits = [hit for hit in run(RULE, code) if hit.confidence is not Confidence.LOW]
    assert lines_of(hits) == marked_lines(code)
    assert all(hit.cwe == 90 and hit.trace is not None for hit in hits)


@pytest.mark.parametrize("code", QUIET.values(), ids=QUIET)
def test_check__is_quiet(code: str) -> None:
    assert [hit for hit in run(RULE, code) if hit.confidence is not Confidence.LOW] == []
