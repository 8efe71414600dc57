from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.categories import Confidence
from devpulse.core.rules.insecure_deserialization import RULE

REPORTED = {
    "full loader for what was sent": """
        @app.post("/load")
        def load():
            return yaml.load(request.data, Loader=yaml.FullLoader)  # BAD
        """,
    "pickle of a cookie": """
        @app.route("/")
        def index():
            state = pickle.loads(base64.b64decode(request.cookies["state"]))  # BAD
            return state.name
        """,
    "pickle of a parameter": """
        def decode(message):
            return pickle.loads(message)  # BAD
        """,
    "yaml without a loader": """
        def read(path):
            with open(path) as file:
                return yaml.load(file)  # BAD
        """,
    "yaml with the unsafe loader": """
        def read(text):
            return yaml.load(text, Loader=yaml.UnsafeLoader)  # BAD
        """,
    "imported loader": """
        from yaml import Loader
        def read(path):
            with open(path) as file:
                return yaml.load(file, Loader=Loader)  # BAD
        """,
    "jsonpickle": """
        def restore():
            return jsonpickle.decode(request.data)  # BAD
        """,
    "numpy": """
        def upload():
            return numpy.load(request.files["a"], allow_pickle=True)  # BAD
        """,
    "objects over a socket": "def loop(self):\n    return self.socket.recv_pyobj()  # BAD\n",
    "unsafe kind of YAML": "from ruamel.yaml import YAML\ndef f(t):\n    return YAML(typ='unsafe').load(t)  # BAD\n",
    "weights of a caller": "def f(path):\n    return torch.load(path, map_location='cpu')  # BAD\n",
    "model without its safe mode": "def f(path):\n    return keras.models.load_model(path, safe_mode=False)  # BAD\n",
    "yaml of a file that a function opens": """
        def settings(place):
            opened = _open(normalized(place))
            return yaml.load(opened)  # BAD
        """,
    "decoded for addresses": """
        def restore(token):
            return pickle.loads(base64.urlsafe_b64decode(token.encode()))  # BAD
        """,
}
QUIET = {
    "full loader for an own file": """
        def settings():
            with open("settings.yml") as file:
                return yaml.load(file, Loader=yaml.FullLoader)
        """,
    "json": """
        def decode(message):
            return json.loads(message)
        """,
    "safe yaml": """
        from yaml import SafeLoader
        def read(text):
            first = yaml.safe_load(text)
            second = yaml.load(text, Loader=yaml.SafeLoader)
            third = yaml.load(text, yaml.CSafeLoader)
            return first, second, third, yaml.load(text, Loader=SafeLoader)
        """,
    "constant": """
        DEFAULTS = yaml.load("a: 1")
        EMPTY = pickle.loads(b"N.")
        """,
    "model of the program": """
        def model():
            with open(MODEL_PATH, "rb") as file:
                return pickle.load(file)
        """,
    "numpy without pickle": """
        def upload():
            return numpy.load(request.files["a"])
        """,
    "written, not read": """
        def save(value):
            return pickle.dumps(value)
        """,
    "other load": """
        def start(request):
            plugin.load(request.args["name"])
            return schema.load(request.json)
        """,
    "JSON over a socket": "def loop(self):\n    return self.socket.recv_json()\n",
    "safe kind of YAML": "from ruamel.yaml import YAML\ndef f(text):\n    return YAML(typ='safe').load(text)\n",
    "yaml that a function opens": "def f(place):\n    return yaml.safe_load(_open(normalized(place)))\n",
    "decoded, not loaded": "def f(token):\n    return json.loads(base64.urlsafe_b64decode(token))\n",
    "weights only": "def f(path):\n    return torch.load(path, map_location='cpu', weights_only=True)\n",
    "model with its safe mode": "def f(path):\n    return keras.models.load_model(path, safe_mode=True)\n",
}


@pytest.mark.parametrize("code", REPORTED.values(), ids=REPORTED)
def test_check__reports(code: str) -> None:
    hits = [hit for hit in run(RULE, code) if hit.confidence is not Confidence.LOW]
    assert lines_of(hits) == marked_lines(code)
    assert all(hit.cwe == 502 and hit.severity == "critical" for hit in hits)


@pytest.mark.parametrize("code", QUIET.values(), ids=QUIET)
def test_check__is_quiet(code: str) -> None:
    assert [hit for hit in run(RULE, code) if hit.confidence is not Confidence.LOW] == []


def test_check__yaml_says_which_loader_to_use() -> None:
    (hit,) = run(RULE, REPORTED["yaml without a loader"])
    assert "safe_load" in hit.fix


def test_check__a_verified_signature_leaves_a_doubt() -> None:
    code = """
        def restore(key, sent, body):
            if not hmac.compare_digest(sent, hmac.new(key, body, "sha256").hexdigest()):
                raise ValueError(sent)
            return pickle.loads(body)
        """
    assert [hit.confidence for hit in run(RULE, code)] == [Confidence.LOW]
