"""Connections that Ruby opens to a host, each in a statement of its own."""

from __future__ import annotations

from rule_tables import posted_lines
from tables import for_each

from devpulse.core.rules.ssrf import RULE

REPORTED = (
    "Socket.tcp(params[:x], 80)",
    "TCPSocket.new(params[:x], 80)",
    "TCPSocket.open(params[:x], 80)",
    "Net::HTTP.start(params[:x], 443)",
)
QUIET = (
    "Socket.tcp('db.example.org', params[:x])",
    "TCPSocket.new('db.example.org', 80).write(params[:x])",
    "Socket.tcp_server_sockets(params[:x], 80)",
)


def told(statement: str) -> list[int]:
    """Lines of what is told of a statement in an action."""
    code = f"class UsersController < ApplicationController\n  def show\n    {statement}\n  end\nend\n"
    return posted_lines(RULE, code, path="app/controllers/users_controller.rb")


@for_each(REPORTED)
def test_check__reports(row: str) -> None:
    assert told(row) == [3]


@for_each(QUIET)
def test_check__is_quiet(row: str) -> None:
    assert told(row) == []
