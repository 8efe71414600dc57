from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.categories import Confidence
from devpulse.core.rules.ldap_injection import RULE

REPORTED = {
    "filter": """
        class Login {
            boolean find(HttpServletRequest request, DirContext ctx) throws NamingException {
                String filter = "(&(objectClass=person)(uid=" + request.getParameter("user") + "))";
                return ctx.search("ou=people,dc=example", filter, controls).hasMore(); // BAD
            }
        }
        """,
    "given by the caller": """
        class Directory {
            List<String> groups(String name) {
                return ldapTemplate.search("ou=groups", "(cn=" + name + ")", mapper); // BAD
            }
        }
        """,
    "connection of unboundid": """
        public boolean known(LDAPConnection ldap, String user) throws LDAPException {
            return ldap.search("dc=example", SearchScope.SUB, "(uid=" + user + ")").getEntryCount() > 0; // BAD
        }
        """,
}
QUIET = {
    "arguments": """
        class Login {
            boolean find(HttpServletRequest request, DirContext ctx) throws NamingException {
                Object[] values = {request.getParameter("user")};
                return ctx.search("ou=people,dc=example", "(uid={0})", values, controls).hasMore();
            }
        }
        """,
    "encoded": """
        class Directory {
            List<String> groups(String name) {
                return ldapTemplate.search("ou=groups", "(cn=" + LdapEncoder.filterEncode(name) + ")", mapper);
            }
        }
        """,
    "another search": """
        class Items {
            List<Item> find(String name, Index index) {
                return index.search("(name=" + name + ")");
            }
        }
        """,
}


@pytest.mark.parametrize("code", REPORTED.values(), ids=REPORTED)
def test_check__reports(code: str) -> None:
    hits = [hit for hit in run(RULE, code, path="src/main/java/App.java") if hit.confidence is not Confidence.LOW]
    assert lines_of(hits) == marked_lines(code)
    assert all(hit.cwe == 90 and hit.trace is not None for hit in hits)


@pytest.mark.parametrize("code", QUIET.values(), ids=QUIET)
def test_check__is_quiet(code: str) -> None:
    assert [hit for hit in run(RULE, code, path="src/main/java/App.java") if hit.confidence is not Confidence.LOW] == []
