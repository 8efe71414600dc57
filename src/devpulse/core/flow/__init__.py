"""Data flow inside one function: where untrusted values come from, and which calls they reach.

values        what is known of an expression: taints, text skeleton, path facts
environment   names to values, with branches joined and early exits understood
operations    the few operations every language's syntax is lowered to
python, javascript   the adapters: syntax nodes to operations, sources, parameters
transfers     how operations and known calls change values
engine        one walk over a file; the calls and returns with their values
callees       whether a function's body makes a value safe
"""
