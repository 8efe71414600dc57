"""Queries of document databases and the escapes of statements in Javascript, by libraries' names."""

from __future__ import annotations

from rule_tables import posted_lines
from tables import for_each

from devpulse.core.rules.sql_injection import RULE

REPORTED = (
    "User.find().$where(`this.name === '${req.query.x}'`);",
    'User.$where("this.name == \'" + req.body.x + "\'");',
    "User.findOneAndReplace({ key: req.body.x }, known);",
    "User.findOneAndRemove({ key: req.body.x });",
    "User.exists({ key: req.body.x });",
    "users.deleteMany({ key: req.body.x });",
    "db.reviewsCollection.update({ _id: req.body.x }, { $set: { seen: true } });",
    "collection.remove({ key: req.body.x });",
    "pool.query(`SELECT * FROM users WHERE name = '${req.query.x}'`);",
    "pool.query(pgPrint('SELECT * FROM users WHERE name = %L', req.query.x));",
)
QUIET = (
    "User.find().$where('this.seen > this.made');",
    "User.find().where('name').equals(String(req.query.x));",
    "User.exists({ key: String(req.body.x) });",
    "db.reviewsCollection.update({ _id: String(req.body.x) }, { $set: { text: req.body.text } });",
    "user.update({ name: req.body.x });",
    "users.deleteMany({ key: `${req.body.x}` });",
    "pool.query(pgFormat('SELECT * FROM users WHERE name = %L', req.query.x));",
    "pool.query(pgformat('SELECT * FROM users WHERE name = %L', req.query.x));",
)


def told(statement: str) -> list[int]:
    """Lines of what is told of a statement in a route."""
    code = (
        "const mongoose = require('mongoose');\nconst User = mongoose.model('User', shape);\n"
        f"app.post('/x', async (req, res) => {{\n  {statement}\n}});\n"
    )
    return posted_lines(RULE, code, path="src/app.js")


@for_each(REPORTED)
def test_check__reports(row: str) -> None:
    assert told(row) == [4]


@for_each(QUIET)
def test_check__is_quiet(row: str) -> None:
    assert told(row) == []
