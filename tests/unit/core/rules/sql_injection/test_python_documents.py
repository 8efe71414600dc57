from __future__ import annotations

from rule_tables import lines_of, marked_lines, run
from tables import for_each

from devpulse.core.categories import Confidence
from devpulse.core.rules.sql_injection import RULE

REPORTED = {
    "body as the query": """
        from pymongo import MongoClient
        def login():
            sent = json.loads(request.data)
            return db.users.find_one(sent)  # BAD
        """,
    "fields of a body": """
        from pymongo import MongoClient
        def login():
            sent = request.get_json()
            return db.users.find_one({"name": sent["name"], "key": sent.get("key")})  # BAD
        """,
    "fields of a body, awaited": """
        from motor.motor_asyncio import AsyncIOMotorClient
        async def login(request):
            sent = await request.json()
            return await request.app["mongo"].users.find_one({"mail": sent["mail"]})  # BAD
        """,
    "what is changed": """
        from pymongo import MongoClient
        def reset():
            users.update_one({"token": request.json["token"]}, {"$set": {"open": True}})  # BAD
        """,
    "data of Django's framework": """
        from pymongo import MongoClient
        from rest_framework.views import APIView
        class Login(APIView):
            def post(self, request):
                return db.users.find_one({"name": request.data["name"]})  # BAD
        """,
}
QUIET = {
    "text of it": """
        from pymongo import MongoClient
        def login():
            sent = request.get_json()
            return db.users.find_one({"name": str(sent["name"])})
        """,
    "field of a form": """
        from pymongo import MongoClient
        def login():
            return db.users.find_one({"name": request.form["name"], "key": request.args["key"]})
        """,
    "made an id": """
        from pymongo import MongoClient
        def show():
            return db.users.find_one({"_id": ObjectId(request.json["id"])})
        """,
    "type asked for": """
        from pymongo import MongoClient
        def login():
            name = request.get_json()["name"]
            if not isinstance(name, str):
                abort(400)
            return db.users.find_one({"name": name})
        """,
    "body that is no JSON": """
        from pymongo import MongoClient
        def show():
            return db.pages.find_one({"text": request.data})
        """,
    "stored, not asked": """
        from pymongo import MongoClient
        def keep():
            db.users.insert_one(request.get_json())
        """,
    "another database": """
        def login():
            return table.find_one({"name": request.get_json()["name"]})
        """,
    "part of a text": """
        from pymongo import MongoClient
        def show():
            return request.get_json()["text"].find(request.get_json()["part"])
        """,
}


@for_each(REPORTED.values())
def test_judge__reports(code: str) -> None:
    hits = [hit for hit in run(RULE, code) if hit.confidence is not Confidence.LOW]
    assert lines_of(hits) == marked_lines(code)
    assert all(hit.cwe == 943 for hit in hits)


@for_each(QUIET.values())
def test_judge__is_quiet(code: str) -> None:
    assert [hit for hit in run(RULE, code) if hit.confidence is not Confidence.LOW] == []
