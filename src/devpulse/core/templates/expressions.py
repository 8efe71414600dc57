"""Expressions in templates, read well enough to say what of them is written: one reader for all template languages.

What cannot be read becomes ``unknown``. Nothing of an expression is evaluated.
"""

from __future__ import annotations

from collections.abc import Callable

from devpulse.core.lazy_pattern import lazy
from devpulse.core.templates.nodes import Kind, Node
from devpulse.core.templates.tokens import Syntax, Token, tokens_of

MAX_DEPTH = 40

_HOLE = lazy(r"#\{([^{}]*)\}|\$\{([^{}]*)\}|\{?(\$[A-Za-z_]\w*(?:->\w+(?:\([^()]*\))?|\[[^\[\]]*\])*)\}?")
_COMPARE = frozenset({"==", "===", "!=", "!==", "<", ">", "<=", ">=", "<=>"})
_NUMBERS = frozenset({"-", "*", "/", "**"})
_MEMBER = frozenset({".", "?.", "&.", "->", "?->"})
_CLOSERS = {"(": ")", "[": "]", "{": "}"}
_UNKNOWN = Node(Kind.UNKNOWN)
_PLAIN = Node(Kind.PLAIN)
_CASTS = frozenset({"int", "integer", "float", "double", "bool", "boolean"})
_NO_ARGUMENT = frozenset({"do", "if", "unless", "else", "and", "or", "then", "as", "rescue", "while"})


def parse_expression(text: str, syntax: Syntax) -> Node:
    """The tree of an expression."""
    reader = _Reader(tuple(tokens_of(text, syntax)), syntax)
    node = reader.value()
    return node if reader.at_end() else Node(Kind.EITHER, parts=(node, _UNKNOWN))


class _Reader:
    """Reads tokens from left to right; each method leaves the place behind what it has read."""

    def __init__(self, tokens: tuple[Token, ...], syntax: Syntax, at: int = 0, depth: int = 0) -> None:
        self._tokens, self._syntax, self.place, self._depth = tokens, syntax, at, depth

    def at_end(self) -> bool:
        return self.place >= len(self._tokens)

    def value(self) -> Node:
        """An expression with its conditions: only what it can become counts."""
        return self._deeper(self._choice)

    def _deeper(self, read: Callable[[], Node]) -> Node:
        if self._depth >= MAX_DEPTH:
            self.place = len(self._tokens)
            return _UNKNOWN
        self._depth += 1
        try:
            return read()
        finally:
            self._depth -= 1

    def _choice(self) -> Node:
        first = self._operators()
        if self._takes("?:"):
            return Node(Kind.EITHER, parts=(first, self.value()))
        if self._takes("?"):
            yes = self.value()
            no = self.value() if self._takes(":") else _PLAIN
            return Node(Kind.EITHER, parts=(yes, no))
        word = self._peek()
        if word is not None and word.kind == "name" and word.text in ("if", "unless"):
            self.place += 1
            self.value()
            word = self._peek()
            if word is not None and word.text == "else":
                self.place += 1
                return Node(Kind.EITHER, parts=(first, self.value()))
        return first

    def _operators(self) -> Node:
        """Operands with operators between them, all at one rank: a comparison or arithmetic makes the whole plain,
        of ``a && b`` only the latter counts."""
        parts = [self._operand()]
        plain = False
        while (token := self._peek()) is not None and token.kind == "operator":
            operator = token.text
            if operator in ("||", "??", "%") or operator in self._syntax.joins or operator == "&&":
                self.place += 1
                if plain and operator in ("&&", "||", "??"):
                    parts, plain = [], False
                elif operator == "&&":
                    del parts[-1:]
                parts.append(self._operand())
            elif operator in _COMPARE or operator in _NUMBERS:
                self.place += 1
                self._operand()
                plain = True
            else:
                break
        if plain:
            return _PLAIN
        return parts[0] if len(parts) == 1 else Node(Kind.EITHER, parts=tuple(parts))

    def _operand(self) -> Node:
        return self._deeper(self._unary)

    def operand(self) -> Node:
        """A value with what follows it, without operators."""
        return self._followed(self._primary())

    def _unary(self) -> Node:
        if self._takes("!"):
            self._operand()
            return _PLAIN
        for skipped in ("-", "+", "&", "*", "~", "@"):
            if self._takes(skipped):
                return self._operand()
        return self.operand()

    def _primary(self) -> Node:
        token = self._peek()
        if token is None:
            return _PLAIN
        self.place += 1
        if token.kind == "operator":
            return self._bracketed(token)
        if token.kind == "number":
            return _PLAIN
        return self._text(token.text) if token.kind == "text" else self._named(token)

    def _bracketed(self, token: Token) -> Node:
        if token.text == "(":
            inner = self.value()
            while self._takes(","):
                inner = Node(Kind.EITHER, parts=(inner, self.value()))
            self._skip_to(")")
            return self._cast(inner)
        if token.text in "[{":
            return Node(Kind.LIST, parts=self._arguments(_CLOSERS[token.text]))
        if token.text == ":" and (word := self._peek()) is not None and word.kind in ("name", "text"):
            self.place += 1
            return Node(Kind.TEXT, word.text.strip("'\""))
        return _UNKNOWN

    def _cast(self, inner: Node) -> Node:
        """What stands behind a name in brackets is the value, and the name its type."""
        after = self._peek()
        if inner.kind is not Kind.NAME or after is None or after.kind == "operator":
            return inner
        value = self._operand()
        return _PLAIN if inner.name in _CASTS else value

    def _named(self, token: Token) -> Node:
        if token.text in ("new", "await") and (after := self._peek()) is not None and after.kind == "name":
            return self._operand()
        if token.text in ("true", "false", "nil", "null", "None", "True", "False", "undefined"):
            return _PLAIN
        if token.text in ("typeof", "defined?") or (token.text == "empty" and self._is_name(0)):
            self._operand()
            return _PLAIN
        return self._command(Node(Kind.NAME, token.text))

    def _followed(self, node: Node) -> Node:
        """Members, indexes, calls and filters behind a value."""
        while (token := self._peek()) is not None and token.kind == "operator":
            operator = token.text
            if operator == "(" and node.kind in (Kind.NAME, Kind.MEMBER) and not node.index:
                self.place += 1
                node = Node(Kind.CALL, node.name, node.receiver, self._arguments(")"))
            elif operator == "[" and not (self._syntax.commands and token.spaced):
                self.place += 1
                node = self._indexed(node)
            elif operator in _MEMBER and operator not in self._syntax.joins:
                self.place += 1
                node = self._member(node)
            elif operator == self._syntax.filters and self._is_name(1):
                self.place += 1
                node = self._filtered(node)
            elif operator == "!" and self._syntax.filters == "?":  # the default value of FreeMarker
                self.place += 1
                after = self._peek()
                if after is not None and (after.kind != "operator" or after.text == "("):
                    node = Node(Kind.EITHER, parts=(node, self._operand()))
            elif operator == "{" and node.kind is Kind.CALL and self._syntax.ruby:
                self.place += 1
                self._skip_to("}")
            else:
                break
        return node

    def _member(self, node: Node) -> Node:
        token = self._peek()
        if token is None or token.kind == "operator":
            if token is not None and token.text in ("(", "["):  # ``a?.[b]``
                return node
            return _UNKNOWN
        self.place += 1
        return self._command(Node(Kind.MEMBER, token.text.strip("'\""), node))

    def _indexed(self, node: Node) -> Node:
        parts = self._arguments("]")
        key = parts[0] if len(parts) == 1 else _UNKNOWN
        name = key.name if key.kind is Kind.TEXT and not key.parts else ""
        return Node(Kind.MEMBER, name, node, index=True)

    def _filtered(self, node: Node) -> Node:
        token = self._tokens[self.place]
        self.place += 1
        parts: tuple[Node, ...] = ()
        if self._takes("("):
            parts = self._arguments(")")
        else:
            while not self._is_spaced() and self._takes(":"):
                parts = (*parts, self._followed_unfiltered())
                while self._syntax.filters == "|" and self._takes(","):
                    parts = (*parts, self._followed_unfiltered())
        return Node(Kind.CALL, token.text, node, parts)

    def _followed_unfiltered(self) -> Node:
        """The argument of a filter, without the filters behind it: these are of the whole."""
        node = self._primary()
        while (token := self._peek()) is not None and token.text in _MEMBER and token.text not in self._syntax.joins:
            self.place += 1
            node = self._member(node)
        return node

    def _command(self, node: Node) -> Node:
        """A call without brackets, when something that can only be an argument stands behind the name."""
        token = self._peek()
        if not self._syntax.commands or token is None or not token.spaced or node.name[:1] in "@$":
            return node
        starts = token.kind in ("text", "number") or (token.kind == "name" and token.text not in _NO_ARGUMENT)
        if token.kind == "operator" and token.text in (":", "[", "(", "!", "&"):
            after = self._tokens[self.place + 1] if self.place + 1 < len(self._tokens) else None
            starts = after is not None and (token.text in "[(" or (after.kind != "operator" and not after.spaced))
        if not starts:
            return node
        parts = self._spaced_arguments() if self._syntax.commands == " " else self._arguments("")
        return Node(Kind.CALL, node.name, node.receiver, parts)

    def _spaced_arguments(self) -> tuple[Node, ...]:
        parts: list[Node] = []
        while (token := self._peek()) is not None and token.text not in (")", "}", "as"):
            if token.text == "=":
                self.place += 1
                parts[-1:] = []
                continue
            # What stands without brackets is no command itself, and what follows it no filter of it.
            inner = self if token.text == "(" else _Reader(self._tokens, Syntax(), self.place, self._depth)
            before = self.place
            parts.append(inner.operand())
            self.place = inner.place
            if self.place == before:
                break
        return tuple(parts)

    def _arguments(self, closer: str) -> tuple[Node, ...]:
        """Values up to a closing bracket, or to the end of a command; of a pair only the value."""
        parts: list[Node] = []
        while (token := self._peek()) is not None:
            if token.text == closer and token.kind == "operator":
                self.place += 1
                break
            if token.text in (")", "]", "}", "do") and not closer:
                break
            before = self.place
            node = self.value()
            while self._takes(":") or self._takes("=>") or self._takes("="):
                node = self.value()
            parts.append(node)
            if not self._takes(",") and self.place == before:
                self.place += 1
            elif not closer and not self._was(","):
                break
        return tuple(parts)

    def _was(self, text: str) -> bool:
        return self._tokens[self.place - 1].text == text

    def _text(self, written: str) -> Node:
        inner = written[1:-1]
        if written[0] == "'" or not ("#{" in inner or "$" in inner):
            return Node(Kind.TEXT, inner)
        holes = (next(filter(None, match.groups()), "") for match in _HOLE.finditer(inner))
        if self._depth > MAX_DEPTH // 2:
            return _UNKNOWN
        return Node(Kind.TEXT, "", parts=tuple(parse_expression(hole, self._syntax) for hole in holes))

    def _peek(self) -> Token | None:
        return self._tokens[self.place] if self.place < len(self._tokens) else None

    def _is_name(self, ahead: int) -> bool:
        at = self.place + ahead
        return at < len(self._tokens) and self._tokens[at].kind == "name"

    def _is_spaced(self) -> bool:
        token = self._peek()
        return token is not None and token.spaced

    def _takes(self, text: str) -> bool:
        token = self._peek()
        if token is None or token.kind != "operator" or token.text != text:
            return False
        self.place += 1
        return True

    def _skip_to(self, closer: str) -> None:
        depth = 0
        opener = "{" if closer == "}" else "("
        while (token := self._peek()) is not None:
            self.place += 1
            if token.kind != "operator":
                continue
            if token.text == opener:
                depth += 1
            elif token.text == closer:
                if not depth:
                    return
                depth -= 1
