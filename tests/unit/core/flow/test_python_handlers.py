from __future__ import annotations

from rule_tables import lines_of, marked_lines, run
from tables import for_each

from devpulse.core.categories import Confidence
from devpulse.core.finding import Hit
from devpulse.core.flow.python_handlers import is_number_of, read_off
from devpulse.core.flow.values import Level
from devpulse.core.rules import (
    code_injection,
    command_injection,
    insecure_deserialization,
    path_traversal,
    sql_injection,
)
from devpulse.core.source import Rule

SENT = {
    "request of a view": """
        def send(request: HttpRequest, line):
            subprocess.run(line, shell=True)  # BAD
        """,
    "handed to a thread": """
        @bot.command()
        async def sh(ctx, *, line):
            await asyncio.to_thread(os.system, line)  # BAD
        """,
    "handed to an executor": """
        @app.post("/run")
        async def run(line: str):
            return await loop.run_in_executor(None, subprocess.getoutput, line)  # BAD
        """,
    "handed to a thread of its own": """
        @app.route("/run")
        def run():
            threading.Thread(target=os.system, args=(request.args["line"],)).start()  # BAD
            return "started"
        """,
    "handed to a pool": """
        @app.route("/run")
        def run():
            pool.submit(subprocess.run, request.args["line"], shell=True)  # BAD
            return "started"
        """,
    "command of a chat": """
        @bot.command(name="look")
        async def look(ctx, *, where):
            return subprocess.run(where, shell=True, capture_output=True)  # BAD
        """,
    "command in a cog, told by the type": """
        class Net(commands.Cog):
            @app_commands.command()
            async def trace(self, talk: discord.Interaction, line: str):
                return subprocess.check_output(line, shell=True)  # BAD
        """,
    "message of a chat": """
        @client.event
        async def on_message(message):
            os.system(message.content)  # BAD
        """,
    "message of Telegram": """
        @router.message(Command("sh"))
        async def sh(message: types.Message):
            await asyncio.create_subprocess_shell(message.text[4:])  # BAD
        """,
    "words behind a command of Telegram": """
        async def sh(update, context):
            os.system(" ".join(context.args))  # BAD
        """,
    "type of a message": """
        async def sh(answer: types.Message):
            os.system(answer.text)  # BAD
        """,
    "pattern of an event": """
        @client.on(events.NewMessage(pattern="/sh (.+)"))
        async def sh(event):
            os.system(event.pattern_match.group(1))  # BAD
        """,
    "command of Slack": """
        @app.command("/run")
        def run(ack, command):
            ack()
            os.system(command["text"])  # BAD
        """,
    "tool of a model": """
        @mcp.tool()
        def search(pattern: str) -> str:
            return subprocess.getoutput("grep -rn " + pattern + " notes")  # BAD
        """,
    "tool whose text is the command": """
        @tool
        def shell(line: str) -> str:
            return subprocess.getoutput(line)  # BAD
        """,
    "socket": """
        def serve(server):
            peer, address = server.accept()
            os.system(peer.recv(1024).decode())  # BAD
        """,
    "imported functions handed to threads": """
        import subprocess as s
        from os import system

        @app.post("/run")
        async def run(line: str):
            await asyncio.to_thread(s.run, line, shell=True)  # BAD
            await asyncio.to_thread(system, line)  # BAD
            threading.Thread(daemon=True, target=system, args=(line,)).start()  # BAD
        """,
    "web socket": """
        @app.websocket("/ws")
        async def ws(websocket: WebSocket):
            os.system(await websocket.receive_text())  # BAD
        """,
    "event of Socket.IO": """
        @socketio.on("run")
        def on_run(data):
            os.system(data["line"])  # BAD
        """,
    "protocol": """
        class Control(LineReceiver):
            def lineReceived(self, line):
                os.system(line.decode())  # BAD
        """,
    "service": """
        class Control(rpyc.Service):
            def exposed_run(self, line):
                os.system(line)  # BAD
        """,
    "message of a broker": """
        def on_message(client, userdata, msg):
            os.system(msg.payload.decode())  # BAD
        """,
    "message of a queue": """
        def work(ch, method, properties, body):
            os.system(body.decode())  # BAD
        """,
    "consumer": """
        class Chat(WebsocketConsumer):
            def receive(self, text_data):
                os.system(text_data)  # BAD
        """,
    "function in a cloud": """
        def main(event, context):
            os.system(event["line"])  # BAD
        """,
    "request of WSGI": """
        def application(environ, start_response):
            os.system(environ["QUERY_STRING"])  # BAD
        """,
    "request of ASGI": """
        async def application(scope, receive, send):
            os.system(scope["query_string"].decode())  # BAD
        """,
    "request of a small server": """
        class Control(BaseHTTPRequestHandler):
            def do_GET(self):
                os.system(parse_qs(urlparse(self.path).query)["line"][0])  # BAD
        """,
    "schema": """
        class Query(ObjectType):
            def resolve_run(self, info, line):
                os.system(line)  # BAD
        """,
    "variable of a gateway": 'os.system(os.environ["QUERY_STRING"])  # BAD\n',
    "page with fields": 'line = st.text_input("line")\nos.system(line)  # BAD\n',
}
NOT_SENT = {
    "request of a client": """
        def send(request: PreparedRequest, line):
            subprocess.run(line, shell=True)
        """,
    "name of a host, as a library tells": """
        @app.route("/ping")
        def ping():
            host = request.args["host"]
            if not validators.domain(host):
                abort(400)
            return os.popen("ping -c 1 " + host).read()
        """,
    "list handed to a thread": """
        @app.post("/run")
        async def run(name: str):
            await asyncio.to_thread(subprocess.run, ["touch", name])
        """,
    "function of the program handed to a thread": """
        @app.post("/run")
        async def run(name: str):
            await asyncio.to_thread(greet, name)
        """,
    "other functions with a sink's name handed to a thread": """
        from greetings import system

        @app.post("/run")
        async def run(line: str):
            await asyncio.to_thread(system, line)
            threading.Thread(daemon=True, target=system, args=(line,)).start()
        """,
    "constant handed to a thread": """
        @app.post("/run")
        async def run(name: str):
            threading.Thread(target=os.system, args=("uptime",)).start()
            await loop.run_in_executor(pool, greet, name)
        """,
    "address of a host": """
        @app.route("/ping")
        def ping():
            host = ipaddress.ip_address(request.args["host"])
            return os.popen(f"ping -c 1 {host}").read()
        """,
    "file that is thrown away": """
        def draw():
            with tempfile.NamedTemporaryFile(suffix=".svg") as file:
                os.system("convert " + file.name + " drawn.png")
        """,
    "command only for the owner": """
        @bot.command()
        @commands.is_owner()
        async def sh(ctx, *, line):
            subprocess.run(line, shell=True)
        """,
    "function with the same name": """
        def on_message(line):
            subprocess.run(line, shell=True)
        """,
    "genes that mutate": """
        class Pool:
            def mutate(self, line):
                subprocess.run(line, shell=True)
        """,
    "object that receives": """
        class Pool:
            def receive(self, line):
                subprocess.run(line, shell=True)
        """,
    "what answers": """
        @socketio.on("run")
        def on_run(sid, data):
            subprocess.run(sid, shell=True)
        """,
    "arguments of something else": """
        def build(context):
            subprocess.run(context.args, shell=True)
        """,
    "other variable": 'subprocess.run(os.environ["EDITOR"], shell=True)\n',
    "name of the server": """
        def application(environ, start_response):
            subprocess.run(environ["SERVER_SOFTWARE"], shell=True)
        """,
    "path of another object": """
        class Control(Worker):
            def run(self):
                subprocess.run(self.path, shell=True)
        """,
    "list of arguments": """
        @mcp.tool()
        def ping(host: str) -> str:
            return subprocess.run(["ping", "-c1", "--", host], capture_output=True).stdout
        """,
    "quoted": """
        @bot.command()
        async def ping(ctx, host):
            os.system("ping -c1 -- " + shlex.quote(host))
        """,
    "one of a few": """
        @socketio.on("run")
        def on_run(data):
            if data["line"] in ("up", "down"):
                os.system(data["line"])
        """,
}
NUMBERS = {
    "where a message was written": """
        @bot.message_handler(commands=["start"])
        def start(message):
            cursor.execute(f"SELECT * FROM seen WHERE chat = {message.chat.id}")
        """,
    "who wrote it": """
        @bot.message_handler(commands=["start"])
        def start(message):
            who = message.from_user.id
            cursor.execute("SELECT * FROM seen WHERE who = '%s'" % who)
        """,
    "server of a chat": """
        @bot.command()
        async def stats(ctx):
            cursor.execute(f"SELECT count(*) FROM seen WHERE place = {ctx.guild.id}")
        """,
    "chat of an event": """
        @client.on(events.NewMessage)
        async def seen(event):
            cursor.execute(f"SELECT * FROM seen WHERE chat = {event.chat_id}")
        """,
}
TEXTS = {
    "name of who wrote it": """
        @bot.message_handler(commands=["start"])
        def start(message):
            cursor.execute(f"INSERT INTO seen VALUES ('{message.from_user.first_name}')")  # BAD
        """,
    "number that a form has": """
        @app.post("/x")
        async def x(form: Form):
            cursor.execute(f"SELECT * FROM seen WHERE id = '{form.item.id}'")  # BAD
        """,
}
RULES: dict[str, tuple[Rule, str]] = {
    "bytes of a socket": (
        insecure_deserialization.RULE,
        "def f(sock):\n    data, peer = sock.recvfrom(65535)\n    return pickle.loads(data)  # BAD\n",
    ),
    "parts of bytes": (
        insecure_deserialization.RULE,
        """
        def read(peer):
            whole = b""
            while part := peer.recv(4096):
                whole += part
            return pickle.loads(whole)  # BAD
        """,
    ),
    "file of a small server": (
        path_traversal.RULE,
        """
        class Files(SimpleHTTPRequestHandler):
            def do_GET(self):
                with open("www" + self.path, "rb") as file:  # BAD
                    self.wfile.write(file.read())
        """,
    ),
    "file of WSGI": (
        path_traversal.RULE,
        """
        def application(environ, start_response):
            with open(os.path.join(ROOT, environ.get("PATH_INFO", "").lstrip("/"))) as file:  # BAD
                return [file.read()]
        """,
    ),
    "file of a tool": (
        path_traversal.RULE,
        "@mcp.tool()\ndef note(name: str) -> str:\n    return open(os.path.join(NOTES, name)).read()  # BAD\n",
    ),
    "uploaded file in a function of its own": (
        path_traversal.RULE,
        "def keep(file: UploadFile):\n    with open('kept/' + file.filename, 'wb') as to:  # BAD\n        pass\n",
    ),
    "code of a chat": (
        code_injection.RULE,
        "@app.on_message(filters.command('ev'))\nasync def ev(client, message):\n    exec(message.text)  # BAD\n",
    ),
    "expression of a body": (
        code_injection.RULE,
        "class Sum:\n    def POST(self):\n        return eval(web.data())  # BAD\n",
    ),
}


def _told(rule: Rule, code: str) -> list[Hit]:
    return [hit for hit in run(rule, code) if hit.confidence is not Confidence.LOW]


@for_each(SENT.values())
def test_sent_to__marks_what_is_sent(code: str) -> None:
    assert lines_of(_told(command_injection.RULE, code)) == marked_lines(code)


@for_each(NOT_SENT.values())
def test_sent_to__leaves_others_alone(code: str) -> None:
    assert _told(command_injection.RULE, code) == []


@for_each(NUMBERS.values())
def test_is_number_of__numbers_change_no_statement(code: str) -> None:
    assert _told(sql_injection.RULE, code) == []


@for_each(TEXTS.values())
def test_is_number_of__texts_do(code: str) -> None:
    assert lines_of(_told(sql_injection.RULE, code)) == marked_lines(code)


@for_each(RULES.values())
def test_sent_to__reaches_other_sinks(row: tuple[Rule, str]) -> None:
    rule, code = row
    assert lines_of(_told(rule, code)) == marked_lines(code)


def test_is_number_of__only_of_who_speaks() -> None:
    assert is_number_of("message.chat", "id")
    assert is_number_of("event", "chat_id")
    assert not is_number_of("user", "id")
    assert not is_number_of("form", "chat_id")


def test_read_off__by_name() -> None:
    assert read_off("sock", "recv") is Level.REQUEST
    assert read_off("self.box", "GetValue") is Level.LOCAL_INPUT
    assert read_off("os.environ", "HOME") is None
