"""The fake GitHub's GraphQL, asked through the real client."""

from __future__ import annotations

import github
import pytest
import requests
from fakes.github import FakeGitHub
from repos import Repo

THREADS = """
query($owner: String!, $name: String!, $number: Int!, $after: String) {
  viewer { login }
  repository(owner: $owner, name: $name) { pullRequest(number: $number) {
    headRefOid
    reviewThreads(first: 2, after: $after) {
      pageInfo { hasNextPage endCursor }
      nodes {
        id isResolved isOutdated path line startLine diffSide
        comments(first: 10) { nodes { databaseId body author { login } viewerDidAuthor url createdAt } }
      }
    }
    comments(last: 50) { nodes { id databaseId body viewerDidAuthor author { login } isMinimized url } }
  } }
}
"""
PLACE = {"owner": "octo", "name": "shop", "number": 7}


@pytest.fixture
def shop(tmp_path):
    repo = Repo(tmp_path / "shop")
    repo.commit("base", **{"app.py": "one\n"})
    repo.git("switch", "--quiet", "--create", "work")
    repo.commit("head", **{"app.py": "one\ntwo\nthree\nfour\n"})
    return repo


def client(hub):
    return github.Github(
        base_url=hub.url,
        auth=github.Auth.Token(hub.token),
        seconds_between_requests=None,
        seconds_between_writes=None,
        retry=None,
        lazy=True,
    )


def ask(hub, query=THREADS, **variables):
    return client(hub).requester.graphql_query(query, {**PLACE, **variables} if query == THREADS else variables)[1]


def pull_of(answer):
    return answer["data"]["repository"]["pullRequest"]


def errors_of(hub, query, **variables):
    headers = {"authorization": f"bearer {hub.token}"}
    body = {"query": query, "variables": variables}
    answer = requests.post(hub.graphql_url, json=body, headers=headers, timeout=10)
    assert answer.status_code == 200
    return answer.json()["errors"]


def test_threads__come_in_pages_and_know_their_authors(shop):
    with FakeGitHub(shop) as hub:
        theirs = hub.add_thread("bob", "app.py", 3, "why?", start_line=2)
        hub.reply(theirs, "ada", "because")
        commit = client(hub).get_repo("octo/shop").get_commit(hub.head_sha)
        mine = [{"path": "app.py", "line": line, "side": "RIGHT", "body": "found"} for line in (2, 4)]
        client(hub).get_repo("octo/shop").get_pull(7).create_review(commit, "", "COMMENT", comments=mine)
        answer = ask(hub)
        assert answer["data"]["viewer"]["login"] == "github-actions[bot]"
        first = pull_of(answer)["reviewThreads"]
        second = pull_of(ask(hub, after=first["pageInfo"]["endCursor"]))["reviewThreads"]
        assert (first["pageInfo"]["hasNextPage"], second["pageInfo"]["hasNextPage"]) == (True, False)
        threads = first["nodes"] + second["nodes"]
        assert [(each["startLine"], each["line"]) for each in threads] == [(2, 3), (None, 2), (None, 4)]
        said = [
            [(one["author"]["login"], one["viewerDidAuthor"]) for one in each["comments"]["nodes"]] for each in threads
        ]
        assert said == [[("bob", False), ("ada", False)], [("github-actions", True)], [("github-actions", True)]]
        numbers = [one["databaseId"] for each in threads for one in each["comments"]["nodes"]]
        assert numbers == [one.id for each in hub.threads for one in each.comments]


def test_comments__know_who_wrote_them(shop):
    with FakeGitHub(shop) as hub:
        gone = hub.add_comment("bob", "gone")
        hub.add_comment("bob", "hello")
        client(hub).get_repo("octo/shop").get_pull(7).as_issue().create_comment("summary")
        hub.delete_comment(gone.id)
        nodes = pull_of(ask(hub))["comments"]["nodes"]
        assert [(each["author"]["login"], each["viewerDidAuthor"], each["body"]) for each in nodes] == [
            ("bob", False, "hello"),
            ("github-actions", True, "summary"),
        ]


def test_resolve__and_back(shop):
    with FakeGitHub(shop, api_path="/api/v3") as hub:
        thread = hub.add_thread("bob", "app.py", 3, "why?")
        requester = client(hub).requester
        asked = {"threadId": thread.node_id}
        requester.graphql_named_mutation("resolveReviewThread", asked, "thread { isResolved }")
        assert thread.resolved_by == hub.actor
        assert pull_of(ask(hub))["reviewThreads"]["nodes"][0]["isResolved"] is True
        requester.graphql_named_mutation("unresolveReviewThread", asked, "thread { isResolved }")
        assert thread.resolved_by is None
        assert len(hub.writes()) == 2


def test_resolve__needs_the_right_to_write_contents(shop):
    mutation = "mutation($id: ID!) { resolveReviewThread(input: {threadId: $id}) { thread { isResolved } } }"
    with FakeGitHub(shop) as hub:
        thread = hub.add_thread("bob", "app.py", 3, "why?")
        assert errors_of(hub, mutation, id="PRRT_other")[0]["type"] == "NOT_FOUND"
        hub.faults.may_not_resolve = True
        error = errors_of(hub, mutation, id=thread.node_id)[0]
        assert (error["type"], error["path"]) == ("FORBIDDEN", ["resolveReviewThread"])
        assert thread.resolved_by is None


def test_minimize__hides_a_comment_of_either_kind(shop):
    with FakeGitHub(shop) as hub:
        hub.add_comment("bob", "hello")
        thread = hub.add_thread("bob", "app.py", 3, "why?")
        comment = client(hub).get_repo("octo/shop").get_pull(7).as_issue().get_comments()[0]
        assert comment.minimize("OUTDATED")
        assert pull_of(ask(hub))["comments"]["nodes"][0]["isMinimized"] is True
        wanted = {"subjectId": f"PRRC_kwDO{thread.comments[0].id:06d}", "classifier": "RESOLVED"}
        requester = client(hub).requester
        requester.graphql_named_mutation("minimizeComment", wanted, "minimizedComment { isMinimized minimizedReason }")
        assert thread.comments[0].minimized == "resolved"


def test_moved__outdates_a_thread(shop):
    with FakeGitHub(shop) as hub:
        hub.add_thread("bob", "app.py", 2, "why?")
        hub.add_thread("bob", "app.py", 4, "and this?")
        shop.commit("more", **{"app.py": "one\n2\nand\nthree\nfour\n"})
        hub.moved()
        answer = pull_of(ask(hub))
        assert answer["headRefOid"] == hub.head_sha
        assert [(each["isOutdated"], each["line"]) for each in answer["reviewThreads"]["nodes"]] == [
            (True, None),
            (False, 5),
        ]


@pytest.mark.parametrize(
    ("bounds", "kind"), [("", "MISSING_PAGINATION_BOUNDARIES"), ("(first: 101)", "EXCESSIVE_PAGINATION")]
)
def test_connection__wants_a_page_size_of_at_most_100(shop, bounds, kind):
    query = '{ repository(owner: "octo", name: "shop") { pullRequest(number: 7) { comments%s { totalCount } } } }'
    with FakeGitHub(shop) as hub:
        assert errors_of(hub, query % bounds)[0]["type"] == kind


def test_connection__goes_backwards(shop):
    query = (
        'query($before: String) { repository(owner: "octo", name: "shop") { pullRequest(number: 7) {'
        " comments(last: 2, before: $before) { pageInfo { startCursor hasPreviousPage } nodes { body } } } } }"
    )
    with FakeGitHub(shop) as hub:
        for body in "abc":
            hub.add_comment("bob", body)
        newest = pull_of(ask(hub, query))["comments"]
        oldest = pull_of(ask(hub, query, before=newest["pageInfo"]["startCursor"]))["comments"]
        assert [each["body"] for each in newest["nodes"] + oldest["nodes"]] == ["b", "c", "a"]
        assert (newest["pageInfo"]["hasPreviousPage"], oldest["pageInfo"]["hasPreviousPage"]) == (True, False)


def test_query__off_the_schema_is_an_error_and_a_violation(shop):
    with pytest.raises(AssertionError, match="Cannot query field 'secrets'"), FakeGitHub(shop) as hub:
        assert errors_of(hub, "{ viewer { secrets } }")


def test_repository__another_is_not_found(shop):
    with FakeGitHub(shop) as hub:
        assert errors_of(hub, '{ repository(owner: "o", name: "r") { id } }')[0]["type"] == "NOT_FOUND"


def test_graphql_down__leaves_rest_alone(shop):
    with FakeGitHub(shop) as hub:
        hub.faults.graphql_down = True
        with pytest.raises(github.GithubException) as caught:
            ask(hub)
        assert caught.value.status == 502
        assert client(hub).get_repo("octo/shop").get_pull(7).title
