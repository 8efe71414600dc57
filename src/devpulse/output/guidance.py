"""What each category means and how it is put right, for readers of code scanning and reports."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from devpulse.core.categories import CATEGORIES, Category


@dataclass(frozen=True, slots=True)
class Guidance:
    """``problem`` is one sentence on what goes wrong, ``remedy`` one on what to do instead."""

    problem: str
    remedy: str


def category_of(name: str) -> Category:
    """The category of a name; one we do not know is treated as ``other``."""
    return CATEGORIES.get(name, CATEGORIES["other"])


def guidance_for(name: str) -> Guidance:
    """The guidance for a category; that of ``other`` for one we do not know."""
    return GUIDANCE[category_of(name).name]


def cwe_url(number: int) -> str:
    """The page of a weakness at MITRE."""
    return f"https://cwe.mitre.org/data/definitions/{number}.html"


GUIDANCE: Mapping[str, Guidance] = MappingProxyType(
    {
        "sql-injection": Guidance(
            "Input becomes part of an SQL statement and can change what the statement does.",
            "Pass values as bound parameters; choose table and column names from a fixed list.",
        ),
        "hardcoded-secret": Guidance(
            "A password, key or token stands in the source, readable by everyone who can read the repository.",
            "Revoke it, since the history keeps it, and read the new one from the environment or a secret store.",
        ),
        "command-injection": Guidance(
            "Input becomes part of a command line and can start other programs.",
            "Start the program with a list of arguments and no shell; check values that could be options.",
        ),
        "code-injection": Guidance(
            "Input is evaluated as code or as a template.",
            "Parse the input as data, or map it to a fixed set of operations; keep templates out of reach of users.",
        ),
        "insecure-deserialization": Guidance(
            "Data from outside is turned into objects by a format that can run code.",
            "Use a data-only format such as JSON, or a safe loader, and check the structure afterwards.",
        ),
        "weak-authentication": Guidance(
            "The identity of a caller is not established well enough.",
            "Verify credentials and signatures completely, and hash passwords with a slow, salted function.",
        ),
        "broken-access-control": Guidance(
            "An action or a record is reachable without checking that this caller may have it.",
            "Check the permission on the server for this caller and this object, and refuse by default.",
        ),
        "path-traversal": Guidance(
            "Input becomes part of a file path and can lead outside the intended folder.",
            "Resolve the path and check that it lies in the intended folder, or use names from a fixed list.",
        ),
        "ssrf": Guidance(
            "The server fetches an address that a caller can choose, internal ones included.",
            "Allow only listed hosts and schemes, resolve once, refuse private addresses and do not follow redirects.",
        ),
        "xml-external-entity": Guidance(
            "XML from outside is parsed with external entities enabled, which can read files and reach hosts.",
            "Switch document types and external entities off, or use a parser that has none.",
        ),
        "cross-site-scripting": Guidance(
            "Input reaches a page as markup and runs as script in the reader's browser.",
            "Let the template escape it, or set it as text; sanitise where markup is really wanted.",
        ),
        "open-redirect": Guidance(
            "A redirect leads where the caller says, which lends this site's name to any other.",
            "Redirect only to paths of this site or to hosts from a fixed list.",
        ),
        "weak-cryptography": Guidance(
            "An algorithm, mode or source of randomness is too weak for its purpose.",
            "Use a current algorithm with authentication, and the system's secure random numbers.",
        ),
        "ldap-injection": Guidance(
            "Input becomes part of an LDAP filter and can change what it matches.",
            "Escape filter characters with the library's function before building the filter.",
        ),
        "xpath-injection": Guidance(
            "Input becomes part of an XPath expression and can change what it selects.",
            "Pass values as XPath variables instead of joining strings.",
        ),
        "csrf": Guidance(
            "Another site can make a signed-in browser carry out this action.",
            "Require a token bound to the session for every request that changes something.",
        ),
        "insecure-cookie": Guidance(
            "A cookie that matters can be read by scripts or sent without encryption.",
            "Set Secure, HttpOnly and SameSite.",
        ),
        "hidden-unicode": Guidance(
            "The source holds characters that do not show or that reorder text, so it reads as other than it runs.",
            "Remove them, or write them as escapes where they are needed.",
        ),
        "prompt-injection": Guidance(
            "The text addresses an automated reader and tries to give it orders.",
            "Remove it; where text from outside goes to a model, mark it as data and limit what the model may do.",
        ),
        "other": Guidance(
            "A weakness that fits none of the other categories.",
            "See the description of the finding.",
        ),
    }
)
