"""Data flow through the functions of a file: where untrusted values come from, and which calls they reach.

values        what is known of an expression: taints, text skeleton, path facts
environment   names to values, with branches joined and early exits understood
operations    the few operations every language's syntax is lowered to
python, javascript   the adapters: syntax nodes to operations, sources, parameters
transfers     how operations and known calls change values
constants     calculating with literals, so that dead branches are known
containers    collections whose elements are known one by one
facts, patterns   what conditions and regular expressions prove
state, calls, evaluate   the value of each node, from those below it
definitions   the functions of a file, and which one a call means
frames, inlining   one function on the way; what evaluating it for a call comes to
branching, walking   one walk over a tree: branches, loops, functions looked into for their calls
python_names   what a Python expression is called
engine        the calls and returns of a text with their values
callees       whether a function's body makes a value safe
"""
