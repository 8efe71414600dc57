from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.categories import Confidence
from devpulse.core.rules.csrf import RULE

REPORTED = {
    "chained": """
        class Security {
          void configure(HttpSecurity http) throws Exception {
            http.csrf().disable() // BAD
                .authorizeRequests().anyRequest().authenticated().and().formLogin();
          }
        }
        """,
    "lambda": """
        class Security {
          SecurityFilterChain chain(HttpSecurity http) throws Exception {
            return http.csrf(csrf -> csrf.disable()).formLogin(withDefaults()).build(); // BAD
          }
        }
        """,
    "method reference": """
        class Security {
          SecurityFilterChain chain(HttpSecurity http) throws Exception {
            http.csrf(AbstractHttpConfigurer::disable); // BAD
            return http.build();
          }
        }
        """,
}
QUIET = {
    "without sessions": """
        class Security {
          SecurityFilterChain chain(HttpSecurity http) throws Exception {
            http.csrf(csrf -> csrf.disable());
            http.sessionManagement(s -> s.sessionCreationPolicy(SessionCreationPolicy.STATELESS));
            return http.build();
          }
        }
        """,
    "tokens in a header": """
        class Security {
          SecurityFilterChain chain(HttpSecurity http) throws Exception {
            return http.csrf().disable().oauth2ResourceServer(OAuth2ResourceServerConfigurer::jwt).build();
          }
        }
        """,
    "kept": """
        class Security {
          SecurityFilterChain chain(HttpSecurity http) throws Exception {
            http.csrf(csrf -> csrf.csrfTokenRepository(CookieCsrfTokenRepository.withHttpOnlyFalse()));
            http.cors(cors -> cors.disable());
            return http.build();
          }
        }
        """,
}


@pytest.mark.parametrize("code", REPORTED.values(), ids=REPORTED)
def test_check__reports(code: str) -> None:
    hits = [hit for hit in run(RULE, code, path="src/main/java/App.java") if hit.confidence is not Confidence.LOW]
    assert lines_of(hits) == marked_lines(code)
    assert {hit.category for hit in hits} == {"csrf"}


@pytest.mark.parametrize("code", QUIET.values(), ids=QUIET)
def test_check__is_quiet(code: str) -> None:
    assert [hit for hit in run(RULE, code, path="src/main/java/App.java") if hit.confidence is not Confidence.LOW] == []
