from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.categories import Confidence
from devpulse.core.rules.sql_injection import RULE

REPORTED = {
    "fields": """
        const User = require("../models/user");
        app.post("/login", async (req, res) => {
          const user = await User.findOne({ email: req.body.email, password: req.body.password }); // BAD
        });
        """,
    "whole query": """
        const mongoose = require("mongoose");
        router.get("/posts", async (req, res) => res.json(await Post.find(req.query))); // BAD
        """,
    "taken apart": """
        const { MongoClient } = require("mongodb");
        export async function reset(req, res) {
          const { token } = req.body;
          await db.collection("users").updateOne({ token }, { $set: { open: true } }); // BAD
        }
        """,
    "one of several": """
        const Seat = require("../models/seat");
        router.post("/seats", async (req, res) => {
          const taken = await Seat.findOne({ $or: [{ row: req.body.row }, { label: req.body.label }] }); // BAD
        });
        """,
    "validation only in a comment": """
        const User = require("../models/user");
        // no validation of the fields yet
        router.post("/in", async (req, res) => {
          const wanted = { mail: req.body.mail, pin: req.body.pin };
          const found = await User.findOne(wanted); // BAD
        });
        """,
    "checks loaded and not used": """
        const Box = require("../models/box");
        const { validationResult } = require("express-validator");
        router.post("/box", async (req, res) => Box.findOne({ code: req.body.code })); // BAD
        """,
    "code for the server": """
        const { MongoClient } = require("mongodb");
        app.get("/bills", (req, res) => {
          db.collection("bills").find({ $where: "this.total > " + req.params.least }).toArray(send); // BAD
        });
        """,
}
QUIET = {
    "code without a value": """
        const { MongoClient } = require("mongodb");
        app.get("/bills", (req, res) => {
          db.collection("bills").find({ $where: "this.total > this.paid" }).toArray(send);
          db.collection("bills").find({ $where: `this.total > ${Number(req.query.least)}` }).toArray(send);
        });
        """,
    "query builder of SQL": """
        const User = require("../models/User");
        router.post("/in", async (req, res) => {
          const found = await User.query().findOne({ email: req.body.email });
        });
        """,
    "several texts": """
        const Seat = require("../models/seat");
        router.post("/seats", async (req, res) => {
          await Seat.findOne({ $or: [{ row: String(req.body.row) }, { label: `${req.body.label}` }] });
        });
        """,
    "text of the path": """
        const User = require("../models/user");
        app.get("/u/:name", async (req, res) => res.json(await User.findOne({ name: req.params.name })));
        """,
    "made a text": """
        const User = require("../models/user");
        app.post("/login", async (req, res) => {
          await User.findOne({ email: String(req.body.email) });
          await User.findOne({ email: req.body.email.toLowerCase() });
          await User.findOne({ email: `${req.body.email}` });
        });
        """,
    "only texts": """
        const User = require("../models/user");
        app.post("/login", async (req, res) => {
          if (typeof req.body.email !== "string") return res.sendStatus(400);
          await User.findOne({ email: req.body.email });
        });
        """,
    "validated": """
        const User = require("../models/user");
        const { body } = require("express-validator");
        app.post("/login", body("email").isEmail(), async (req, res) => User.findOne({ email: req.body.email }));
        """,
    "tables": """
        const { User } = require("../models");
        app.post("/login", async (req, res) => User.findOne({ where: { email: req.body.email } }));
        """,
    "list": """
        const mongoose = require("mongoose");
        app.get("/x", (req, res) => res.json(items.find((item) => item.id === req.query.id)));
        """,
    "no database": """
        app.get("/x", (req, res) => res.json(Catalogue.find(req.query)));
        """,
}


@pytest.mark.parametrize("code", REPORTED.values(), ids=REPORTED)
def test_judge__reports(code: str):
    hits = [hit for hit in run(RULE, code, path="src/app.js") if hit.confidence is not Confidence.LOW]
    assert lines_of(hits) == marked_lines(code)
    assert {hit.cwe for hit in hits} == {943}


@pytest.mark.parametrize("code", QUIET.values(), ids=QUIET)
def test_judge__is_quiet(code: str):
    assert [hit for hit in run(RULE, code, path="src/app.js") if hit.confidence is not Confidence.LOW] == []
