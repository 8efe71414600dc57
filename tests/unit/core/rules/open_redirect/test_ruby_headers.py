"""Answers of Ruby whose ``Location`` a program sets itself."""

from __future__ import annotations

from rule_tables import posted_lines
from tables import for_each

from devpulse.core.rules.open_redirect import RULE

REPORTED = (
    "response.headers['Location'] = params[:x]",
    "headers['Location'] = params[:x]",
    "response.location = params[:x]",
    "self.location = params[:x]",
)
QUIET = (
    "response.headers['Location'] = url_from(params[:x]) || root_path",
    "headers['Location'] = \"/users/#{params[:x]}\"",
    "headers['X-Asked'] = params[:x]",
    "response.location = user_url(known)",
    'self.location = "https://example.org/users/#{params[:x]}"',
    "user.location = params[:x]",
    "location = params[:x]",
)


def told(statement: str) -> list[int]:
    """Lines of what is told of a statement in an action."""
    code = f"class UsersController < ApplicationController\n  def show\n    {statement}\n    head :found\n  end\nend\n"
    return posted_lines(RULE, code, path="app/controllers/users_controller.rb")


@for_each(REPORTED)
def test_check__reports(row: str) -> None:
    assert told(row) == [3]


@for_each(QUIET)
def test_check__is_quiet(row: str) -> None:
    assert told(row) == []
