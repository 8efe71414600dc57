from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.categories import Confidence
from devpulse.core.rules.insecure_deserialization import RULE

REPORTED = {
    "objects of a request": """
        class Session extends HttpServlet {
            protected void doPost(HttpServletRequest request, HttpServletResponse response) throws Exception {
                ObjectInputStream in = new ObjectInputStream(request.getInputStream());
                Object state = in.readObject(); // BAD
            }
        }
        """,
    "objects of a cookie": """
        class Session {
            Object restore(HttpServletRequest request) throws Exception {
                byte[] data = Base64.getDecoder().decode(request.getHeader("X-State"));
                ObjectInputStream stream = new ObjectInputStream(new ByteArrayInputStream(data));
                return stream.readObject(); // BAD
            }
        }
        """,
    "bytes given by the caller": """
        class Codec {
            public Object decode(byte[] data) throws Exception {
                try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(data))) {
                    return in.readObject(); // BAD
                }
            }
        }
        """,
    "xstream": """
        class Import {
            @PostMapping("/import")
            public Object load(@RequestBody String body) {
                XStream xstream = new XStream();
                return xstream.fromXML(body); // BAD
            }
        }
        """,
    "yaml of a request": """
        class Import {
            @PostMapping("/import")
            public Object load(@RequestBody String body) {
                Yaml yaml = new Yaml();
                return yaml.load(body); // BAD
            }
        }
        """,
    "snakeyaml as it is": """
        class Changes { Map<String, Object> parse(String content) {
        return (new Yaml()).load(content); } } // BAD
        """,
    "cookie": """
        class Cookies { Object of(Cookie cookie) {
        return SerializationUtils.deserialize(Base64.getUrlDecoder().decode(cookie.getValue())); } } // BAD
        """,
    "another function limits its own": """
        class Mixed {
            Object open(byte[] body) throws Exception {
                return new ObjectInputStream(new ByteArrayInputStream(body)).readObject(); // BAD
            }

            Object shut(byte[] body) throws Exception {
                ValidatingObjectInputStream in = new ValidatingObjectInputStream(new ByteArrayInputStream(body));
                in.accept(Shelf.class);
                return in.readObject();
            }
        }
        """,
    "kryo made in place": """
        @PostMapping("/shelf")
        public Object shelf(@RequestBody byte[] body) {
            return new Kryo().readClassAndObject(new Input(body)); // BAD
        }
        """,
}
QUIET = {
    "types a validator knows": """
        class Mappers {
            void limit(ObjectMapper mapper, PolymorphicTypeValidator validator) {
                mapper.activateDefaultTyping(validator, ObjectMapper.DefaultTyping.NON_FINAL);
            }
        }
        """,
    "json": """
        class Import {
            @PostMapping("/import")
            public User load(@RequestBody String body) throws Exception {
                return new ObjectMapper().readValue(body, User.class);
            }
        }
        """,
    "own serialization": """
        class Point implements Serializable {
            private void readObject(ObjectInputStream in) throws Exception {
                in.defaultReadObject();
            }
        }
        """,
    "properties": """
        class Import {
            void load(HttpServletRequest request, Properties properties) throws Exception {
                properties.load(request.getInputStream());
            }
        }
        """,
    "safe yaml": """
        class Import {
            @PostMapping("/import")
            public Object load(@RequestBody String body) {
                Yaml yaml = new Yaml(new SafeConstructor(new LoaderOptions()));
                return yaml.load(body);
            }
        }
        """,
    "filtered stream": """
        class Session {
            Object restore(HttpServletRequest request) throws Exception {
                ObjectInputStream in = new ObjectInputStream(request.getInputStream());
                in.setObjectInputFilter(ObjectInputFilter.Config.createFilter("app.State;!*"));
                return in.readObject();
            }
        }
        """,
    "stream that knows its classes": """
        class Session {
            Object restore(HttpServletRequest request) throws Exception {
                ValidatingObjectInputStream in = new ValidatingObjectInputStream(request.getInputStream());
                in.accept(State.class);
                return in.readObject();
            }
        }
        """,
    "snakeyaml with safe classes": """
        class Changes { Map<String, Object> parse(String content) {
        return new Yaml(new SafeConstructor()).load(content); } }
        """,
    "snakeyaml for one class": """
        class Changes { Settings parse(String content) {
        return new Yaml(new Constructor(Settings.class)).load(content); } }
        """,
    "a class that is read": """
        class Session implements Serializable {
        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
        in.defaultReadObject(); this.id = (String) in.readObject(); } }
        """,
    "another function makes the stream": """
        class Kept {
            Object read(byte[] body) throws Exception {
                ObjectInputStream in = opened(body);
                return in.readObject();
            }

            ObjectInputStream opened(byte[] body) throws Exception {
                return new ValidatingObjectInputStream(new ByteArrayInputStream(body)).accept(Shelf.class);
            }
        }
        """,
    "safe beside safe": """
        class Texts {
            @PostMapping("/one")
            Object one(@RequestBody String text) {
                return new Yaml(new SafeConstructor(new LoaderOptions())).load(text);
            }

            @PostMapping("/two")
            Object two(@RequestBody String text) {
                return new Yaml(new SafeConstructor(new LoaderOptions())).load(text.trim());
            }
        }
        """,
    "serializer of its own": """
        class Cache {
            Object get(byte[] body) {
                return serializer().deserialize(body);
            }
        }
        """,
}


@pytest.mark.parametrize("code", REPORTED.values(), ids=REPORTED)
def test_check__reports(code: str) -> None:
    hits = [hit for hit in run(RULE, code, path="src/main/java/App.java") if hit.confidence is not Confidence.LOW]
    assert lines_of(hits) == marked_lines(code)
    assert all(hit.cwe == 502 and hit.trace is not None for hit in hits)


@pytest.mark.parametrize("code", QUIET.values(), ids=QUIET)
def test_check__is_quiet(code: str) -> None:
    assert [hit for hit in run(RULE, code, path="src/main/java/App.java") if hit.confidence is not Confidence.LOW] == []


def test_check__types_from_the_data():
    code = """
        class Mappers {
            ObjectMapper open() {
                ObjectMapper mapper = new ObjectMapper();
                mapper.enableDefaultTyping(); // BAD
                mapper.activateDefaultTyping(LaissezFaireSubTypeValidator.instance); // BAD
                return mapper;
            }
        }
        """
    assert lines_of(run(RULE, code, path="src/main/java/App.java")) == marked_lines(code)
