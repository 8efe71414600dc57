"""Cut GitHub's published descriptions down to what DevPulse uses, for the tests' fake.

Fetches two npm packages with `npm pack`, so it needs npm and a registry; no test runs it. What it keeps is named
here; what it leaves out and why stands in tests/data/contracts/README.md.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

from graphql import (
    DocumentNode,
    EnumTypeDefinitionNode,
    FieldDefinitionNode,
    InputObjectTypeDefinitionNode,
    InputValueDefinitionNode,
    InterfaceTypeDefinitionNode,
    NamedTypeNode,
    Node,
    ObjectTypeDefinitionNode,
    assert_valid_schema,
    build_schema,
    parse,
    print_ast,
)

CONTRACTS = Path(__file__).parent.parent / "tests" / "data" / "contracts"
OPENAPI = ("@octokit/openapi", "package/generated/api.github.com.json")
GRAPHQL = ("@octokit/graphql-schema", "package/schema.graphql")

_N = TypeVar("_N", bound=Node)
_REPO = "/repos/{owner}/{repo}"
OPERATIONS = {
    "/rate_limit": ("get",),
    "/user": ("get",),
    _REPO: ("get",),
    f"{_REPO}/check-runs": ("post",),
    f"{_REPO}/check-runs/{{check_run_id}}": ("patch",),
    f"{_REPO}/collaborators/{{username}}/permission": ("get",),
    f"{_REPO}/commits/{{ref}}": ("get",),
    f"{_REPO}/compare/{{basehead}}": ("get",),
    f"{_REPO}/contents/{{path}}": ("get",),
    f"{_REPO}/git/blobs/{{file_sha}}": ("get",),
    f"{_REPO}/git/trees/{{tree_sha}}": ("get",),
    f"{_REPO}/issues/comments/{{comment_id}}": ("patch", "delete"),
    f"{_REPO}/issues/comments/{{comment_id}}/reactions": ("post",),
    f"{_REPO}/issues/{{issue_number}}/comments": ("get", "post"),
    f"{_REPO}/pulls": ("get",),
    f"{_REPO}/pulls/comments/{{comment_id}}": ("patch", "delete"),
    f"{_REPO}/pulls/{{pull_number}}": ("get",),
    f"{_REPO}/pulls/{{pull_number}}/comments": ("get", "post"),
    f"{_REPO}/pulls/{{pull_number}}/comments/{{comment_id}}/replies": ("post",),
    f"{_REPO}/pulls/{{pull_number}}/files": ("get",),
    f"{_REPO}/pulls/{{pull_number}}/reviews": ("get", "post"),
}
_WRITTEN = (
    "author authorAssociation body createdAt databaseId fullDatabaseId id isMinimized minimizedReason updatedAt url "
    "viewerCanMinimize viewerDidAuthor"
)
_ACCOUNT = "databaseId id login url"
_CONNECTION = "edges nodes pageInfo totalCount"
FIELDS = {
    "Query": "id node rateLimit repository viewer",
    "Mutation": "minimizeComment resolveReviewThread unresolveReviewThread",
    "Actor": "login url",
    "Bot": _ACCOUNT,
    "Mannequin": _ACCOUNT,
    "Organization": _ACCOUNT,
    "User": _ACCOUNT,
    "EnterpriseUserAccount": "id login url",
    "Comment": "author authorAssociation body createdAt id updatedAt viewerDidAuthor",
    "Minimizable": "isMinimized minimizedReason viewerCanMinimize",
    "Node": "id",
    "PageInfo": "endCursor hasNextPage hasPreviousPage startCursor",
    "RateLimit": "cost limit remaining resetAt used",
    "Repository": "id name nameWithOwner pullRequest url",
    "PullRequest": (
        "author authorAssociation baseRefName baseRefOid body comments createdAt fullDatabaseId headRefName headRefOid "
        "id isCrossRepository isDraft number reviewThreads title updatedAt url viewerDidAuthor"
    ),
    "IssueComment": _WRITTEN,
    "IssueCommentConnection": _CONNECTION,
    "IssueCommentEdge": "cursor node",
    "PullRequestReviewComment": (
        f"{_WRITTEN} diffHunk line originalLine originalStartLine outdated path replyTo startLine subjectType"
    ),
    "PullRequestReviewCommentConnection": _CONNECTION,
    "PullRequestReviewCommentEdge": "cursor node",
    "PullRequestReviewThread": (
        "comments diffSide id isCollapsed isOutdated isResolved line originalLine originalStartLine path resolvedBy "
        "startDiffSide startLine subjectType viewerCanReply viewerCanResolve viewerCanUnresolve"
    ),
    "PullRequestReviewThreadConnection": _CONNECTION,
    "PullRequestReviewThreadEdge": "cursor node",
    "MinimizeCommentPayload": "clientMutationId minimizedComment",
    "ResolveReviewThreadPayload": "clientMutationId thread",
    "UnresolveReviewThreadPayload": "clientMutationId thread",
}
_PROSE = ("description", "summary", "title", "example", "examples", "externalDocs", "tags", "x-github", "deprecated")
# It repeats what oneOf says, and names a list as if it had a property.
_REPEATED = ("discriminator",)
_REF = "$ref"
# Keys below which names are the user's own, not the description's vocabulary.
_NAMES = ("properties", "schemas", "parameters", "responses", "headers")


def prune_openapi(whole: Mapping[str, Any]) -> dict[str, Any]:
    """The chosen operations and all they refer to, without prose."""
    paths = {
        path: {
            key: _bare(value) for key, value in whole["paths"][path].items() if key in methods or key == "parameters"
        }
        for path, methods in OPERATIONS.items()
    }
    components: dict[str, dict[str, Any]] = {}
    open_references = list(_references(paths))
    while open_references:
        _, _, kind, name = open_references.pop().split("/")
        if name not in components.setdefault(kind, {}):
            components[kind][name] = _bare(whole["components"][kind][name])
            open_references += _references(components[kind][name])
    return {
        "openapi": whole["openapi"],
        "info": {key: whole["info"][key] for key in ("title", "version", "license")},
        "servers": [{"url": "https://api.github.com"}],
        "paths": paths,
        "components": {kind: dict(sorted(named.items())) for kind, named in sorted(components.items())},
    }


def _bare(node: Any, key: str = "") -> Any:
    """The node without prose; a response keeps an empty description, which the format requires."""
    if isinstance(node, list):
        return [_bare(each) for each in node]
    if not isinstance(node, dict):
        return node
    if key in _NAMES:
        bare = {name: _bare(value) for name, value in node.items()}
        if key == "responses":
            return {name: value if _REF in value else {"description": "", **value} for name, value in bare.items()}
        return bare
    return {name: _bare(value, name) for name, value in node.items() if name not in (*_PROSE, *_REPEATED)}


def _references(node: Any) -> Iterator[str]:
    if isinstance(node, list):
        for each in node:
            yield from _references(each)
    elif isinstance(node, dict):
        for key, value in node.items():
            if key == _REF and isinstance(value, str):
                yield value
            else:
                yield from _references(value)


def prune_schema(sdl: str) -> str:
    """The chosen fields of the chosen types, with the scalars, enums and inputs they need, without prose."""
    whole = {each.name.value: each for each in parse(sdl, no_location=True).definitions if hasattr(each, "name")}
    kept = {name: _bare_type(whole[name], fields.split()) for name, fields in FIELDS.items()}
    open_names = [name for each in kept.values() for name in _named_in(each)]
    while open_names:
        name = open_names.pop()
        if name in kept or name not in whole:
            continue
        node = whole[name]
        if isinstance(node, ObjectTypeDefinitionNode | InterfaceTypeDefinitionNode):
            sys.exit(f"a kept field leads to the type {name}: name its fields or drop the field")
        kept[name] = _bare_type(node, None)
        open_names += _named_in(kept[name])
    text = print_ast(DocumentNode(definitions=tuple(node for _, node in sorted(kept.items())))) + "\n"
    assert_valid_schema(build_schema(text))
    return text


def _bare_type(node: Any, fields: list[str] | None) -> Any:
    """A type without prose, directives, other interfaces than ours, and fields that were not chosen."""
    changes: dict[str, Any] = {"description": None, "directives": ()}
    if isinstance(node, EnumTypeDefinitionNode):
        changes["values"] = tuple(_changed(each, description=None, directives=()) for each in node.values or ())
    if isinstance(node, InputObjectTypeDefinitionNode):
        changes["fields"] = tuple(map(_bare_input, node.fields or ()))
    if fields is not None:
        chosen = [each for each in node.fields if each.name.value in fields]
        if missing := set(fields) - {each.name.value for each in chosen}:
            sys.exit(f"{node.name.value} has no field {sorted(missing)}")
        changes["fields"] = tuple(map(_bare_field, chosen))
        changes["interfaces"] = tuple(each for each in node.interfaces or () if each.name.value in FIELDS)
    return _changed(node, **changes)


def _bare_field(node: FieldDefinitionNode) -> FieldDefinitionNode:
    return _changed(node, description=None, directives=(), arguments=tuple(map(_bare_input, node.arguments or ())))


def _bare_input(node: InputValueDefinitionNode) -> InputValueDefinitionNode:
    return _changed(node, description=None, directives=())


def _changed(node: _N, **changes: Any) -> _N:
    return type(node)(**{**{key: getattr(node, key, None) for key in node.keys}, **changes})


def _named_in(node: Any) -> Iterator[str]:
    """The types a definition names in its fields and arguments."""
    for each in getattr(node, "fields", None) or ():
        yield _name_of(each.type)
        for argument in getattr(each, "arguments", None) or ():
            yield _name_of(argument.type)


def _name_of(node: Any) -> str:
    while not isinstance(node, NamedTypeNode):
        node = node.type
    return node.name.value


def read_package(package: str, member: str, scratch: Path) -> tuple[str, str]:
    """The text of one file of an npm package, and the package's version."""
    npm = shutil.which("npm")
    if npm is None:
        sys.exit("npm is needed to fetch the published descriptions: install Node.js")
    packed = subprocess.run(  # noqa: S603  (fixed arguments)
        [npm, "pack", "--silent", package], cwd=scratch, check=True, capture_output=True, text=True
    )
    with tarfile.open(scratch / packed.stdout.split()[-1]) as archive:
        return _member(archive, member), str(json.loads(_member(archive, "package/package.json"))["version"])


def _member(archive: tarfile.TarFile, name: str) -> str:
    stream = archive.extractfile(name)
    if stream is None:
        sys.exit(f"the package has no file {name}")
    return stream.read().decode()


def main() -> None:
    """Write both contracts and name them with the versions they come from."""
    with tempfile.TemporaryDirectory() as folder:
        openapi, openapi_version = read_package(*OPENAPI, Path(folder))
        sdl, sdl_version = read_package(*GRAPHQL, Path(folder))
    rest = CONTRACTS / "github.json"
    pruned = json.dumps(prune_openapi(json.loads(openapi)), indent=1, ensure_ascii=False)
    rest.write_text(pruned + "\n", encoding="utf-8", newline="\n")
    print(f"{rest}: {OPENAPI[0]} {openapi_version}")
    graphql = CONTRACTS / "github.graphql"
    graphql.write_text(prune_schema(sdl), encoding="utf-8", newline="\n")
    print(f"{graphql}: {GRAPHQL[0]} {sdl_version}")


if __name__ == "__main__":
    main()
