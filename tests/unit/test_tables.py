import pytest
from tables import for_each

ROWS = ["a", "bb", "ccc"]


@for_each(ROWS)
def test_for_each__hands_every_row_on_beside_the_fixtures(tmp_path, row):
    assert tmp_path.is_dir()
    assert row in ROWS


def test_for_each__names_the_row_that_fails():
    @for_each(ROWS, len)
    def check(row):
        assert row != "bb"

    with pytest.raises(AssertionError) as raised:
        check()
    assert raised.value.__notes__ == ["row 2"]


def test_for_each__of_no_row_fails():
    check = for_each([])(lambda row: row.check())
    with pytest.raises(AssertionError):
        check()
