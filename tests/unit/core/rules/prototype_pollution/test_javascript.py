from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.rules.javascript.prototype_pollution import RULE

REPORTED = {
    "merged in a loop": """
        function combine(into, from) {
          for (const key in from) {
            if (from[key] && typeof from[key] === "object") {
              if (!into[key]) into[key] = {};
              combine(into[key], from[key]); // BAD
            } else {
              into[key] = from[key];
            }
          }
        }
        """,
    "merged for each key": """
        module.exports = function mix(a, b) {
          Object.keys(b).forEach(function (k) {
            if (typeof a[k] === "object") { a[k] = mix(a[k], b[k]); } // BAD
            else { a[k] = b[k]; }
          });
          return a;
        };
        """,
    "set by a path": """
        export function assign(root, path, value) {
          const names = path.split(".");
          while (names.length > 1) {
            const name = names.shift();
            if (!root[name]) root[name] = {};
            root = root[name]; // BAD
          }
          root[names[0]] = value;
        }
        """,
    "set in a copy of the name": """
        exports.put = (store, keys, val) => {
          let here = store;
          for (let n = 0; n < keys.length - 1; n++) {
            here = here[keys[n]] = here[keys[n]] || {}; // BAD
          }
          here[keys[keys.length - 1]] = val;
        };
        """,
    "down by itself": """
        function put(tree, path, value) {
          const head = path[0];
          if (path.length === 1) { tree[head] = value; return; }
          put(tree[head], path.slice(1), value); // BAD
        }
        """,
}
QUIET = {
    "refused keys": """
        function combine(into, from) {
          for (const key in from) {
            if (key === "__proto__" || key === "constructor") continue;
            if (typeof from[key] === "object") combine(into[key], from[key]);
            else into[key] = from[key];
          }
        }
        """,
    "own members of the target": """
        function combine(into, from) {
          for (const key in from) {
            if (Object.prototype.hasOwnProperty.call(into, key)) combine(into[key], from[key]);
            else into[key] = from[key];
          }
        }
        """,
    "a copy": """
        function copy(from) {
          const made = {};
          for (const key in from) made[key] = copy(from[key]);
          return made;
        }
        """,
    "read by a path": """
        function read(root, path) {
          for (const name of path.split(".")) root = root[name];
          return root;
        }
        """,
    "down a tree": """
        function insert(node, path, value) {
          for (let side = 0; side < 2; side++) { node = node[0]; }
          node[1] = value;
        }
        """,
    "without a prototype": """
        function put(keys, value) {
          const root = Object.create(null);
          let here = root;
          for (const key of keys) { here[key] = here[key] || Object.create(null); here = here[key]; }
          here[keys[0]] = value;
        }
        """,
    "known names": """
        function put(root, path, value) {
          for (const key of path.split(".")) {
            if (!NAMES.includes(key)) return;
            root = root[key];
          }
          root[path] = value;
        }
        """,
}


@pytest.mark.parametrize("code", REPORTED.values(), ids=REPORTED)
def test_check__reports(code: str) -> None:
    hits = run(RULE, code, path="src/merge.js")
    assert lines_of(hits) == marked_lines(code)
    assert {hit.cwe for hit in hits} == {1321}


@pytest.mark.parametrize("code", QUIET.values(), ids=QUIET)
def test_check__is_quiet(code: str) -> None:
    assert run(RULE, code, path="src/merge.js") == []
