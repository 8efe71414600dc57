from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.rules.mybatis_texts import RULE

REPORTED = {
    "value": """
        interface Guests {
            @Select("select * from guest where name = '${name}'") // BAD
            List<Guest> named(@Param("name") String name);
        }
        """,
    "order": """
        interface Guests {
            @Select("select * from guest order by ${order}") // BAD
            List<Guest> ordered(String order);
        }
        """,
    "member of the parameter": """
        interface Guests {
            @Delete("delete from guest where id in (${ids})") // BAD
            void remove(GuestQuery query);
        }
        """,
}
QUIET = {
    "bound": """
        interface Guests {
            @Select("select * from guest where name = #{name}")
            List<Guest> named(@Param("name") String name);
        }
        """,
    "number": """
        interface Guests {
            @Select("select * from guest where id = ${id}")
            Guest find(@Param("id") Long id);
        }
        """,
    "table of the program": """
        interface Guests {
            @Select("select * from ${tableName} where id = #{id}")
            Guest find(@Param("tableName") String tableName, @Param("id") Long id);
        }
        """,
    "wrapper of the library": """
        interface Guests {
            @Select("select * from guest ${ew.customSqlSegment}")
            List<Guest> all(@Param("ew") Wrapper<Guest> wrapper);
        }
        """,
    "another annotation": """
        class Settings {
            @Value("${guest.limit}")
            private String limit;
        }
        """,
    "comment": """
        interface Guests {
            // @Select("select ${name}")
            Guest find(String name);
        }
        """,
}


@pytest.mark.parametrize("code", REPORTED.values(), ids=REPORTED)
def test_check__reports(code: str) -> None:
    assert lines_of(run(RULE, code, path="src/Guests.java")) == marked_lines(code)


@pytest.mark.parametrize("code", QUIET.values(), ids=QUIET)
def test_check__is_quiet(code: str) -> None:
    assert run(RULE, code, path="src/Guests.java") == []
