"""Functions of Go: their parameters, what a request offers, and what the standard library's calls are like."""

from __future__ import annotations

import re

from tree_sitter import Node

from devpulse.core.flow.operations import Parameter
from devpulse.core.flow.syntax_nodes import line_of, node_text
from devpulse.core.flow.tables import words
from devpulse.core.flow.values import Level

_REQUEST_ROOTS = re.compile(
    r"^(?:r|req|request|httpReq|(?:\w+\.)?(?:c|ctx|gc|ec|Ctx|Context)\.(?:Request|Req|Req\.Request)|"
    r"(?:this|self|ctl|controller)\.(?:Request|Req))$"
)
_CONTEXT_ROOTS = re.compile(
    r"^(?:\w+\.)?(?:c|ctx|gc|ec|context)$|^(?:c|this|self|ctl|\w*[cC]ontroller)\.(?:Ctx(?:\.Input)?|Context)$"
)
_BEEGO = frozenset({"this", "self", "ctl", "controller"})
_BEEGO_METHODS = frozenset(words("GetString GetStrings Input GetFile ParseForm"))
_CONTROLLER = re.compile(r"^\*?\w*Controller$")
"""The receiver of a Beego handler: https://beego.gocn.io/docs/module/web/input.html."""

_CHATS = re.compile(r"(?:^|\.)(?:update|upd)\.(?:Message|EditedMessage|CallbackQuery|InlineQuery|ChannelPost)$")
_SAID = frozenset(words("Text Caption Data Query CommandArguments"))
_REQUEST_FIELDS = frozenset(
    words("""URL FormValue PostFormValue Form PostForm MultipartForm FormFile Header Cookie Cookies Body Host
    PathValue RequestURI Referer UserAgent Trailer MultipartReader BasicAuth CookiesNamed PathParameter
    QueryParameter QueryParameters BodyParameter HeaderParameter PathParameters""")
)
_CONTEXT_METHODS = frozenset(
    words("""Query QueryParam QueryParams QueryArray QueryMap QueryString Queries DefaultQuery GetQuery Param Params
    ParamValues URLParam PostForm DefaultPostForm PostFormArray PostFormMap GetPostForm PostValue FormValue
    FormParams FormFile MultipartForm GetHeader GetRawData Cookie Cookies Body BodyRaw OriginalURL Bind
    BindJSON BindQuery BindUri BindXML BindHeader ShouldBind ShouldBindJSON ShouldBindQuery ShouldBindUri
    ShouldBindXML ShouldBindWith ShouldBindBodyWith MustBindWith BodyParser QueryParser ParamsParser
    ReqHeaderParser CookieParser ReadJSON ReadForm ReadQuery GetReqHeaders FormString FormTrim FormStrings PathParam
    PathParamRaw QueryTrim QueryStrings ParamsEscape URLParamDefault URLParamTrim QueryArgs PostArgs PostBody
    UserValue RequestURI Input RequestBody""")
)
SOURCES: dict[str, Level] = {
    **dict.fromkeys(
        words("""httpx.Parse httpx.ParseForm httpx.ParsePath httpx.ParseJsonBody conn.ReadJSON ws.ReadJSON
        wsConn.ReadJSON tele.Message tele.Text tele.Args tele.Data gf.Get gf.GetQuery gf.GetForm gf.GetRequest
        gf.GetRouter gf.GetBody gf.GetBodyString gf.GetHeader gf.Parse gf.GetUploadFile gf.GetUploadFiles gf.GetJson
        controller.GetString controller.GetStrings controller.Input controller.GetFile controller.ParseForm mux.Vars
        chi.URLParam chi.URLParamFromCtx render.Bind render.Decode render.DecodeJSON params.ByName
        ps.ByName p.ByName httprouter.ParamsFromContext pat.Param way.Param conn.ReadMessage ws.ReadMessage
        wsConn.ReadMessage websocket.ReadMessage web.Params"""),
        Level.REQUEST,
    ),
    **dict.fromkeys(
        words("""os.Args os.Getenv os.LookupEnv os.Stdin os.Environ flag.String flag.StringVar flag.Arg flag.Args
        fmt.Scan fmt.Scanln fmt.Scanf pflag.String pflag.StringVar"""),
        Level.LOCAL_INPUT,
    ),
    **dict.fromkeys(
        ("archive.File", "archive.Next", "tr.Next", "tarReader.Next", "member.Name", "member.Linkname"), Level.ARCHIVE
    ),
}
HARMLESS = re.compile(
    r"^\*?(?:\[\]|\.\.\.)?(?:u?int(?:8|16|32|64|ptr)?|float(?:32|64)|complex(?:64|128)|bool|byte|rune|error|"
    r"time\.(?:Time|Duration)|uuid\.UUID|big\.Int|primitive\.ObjectID)$"
)
_BYTES = re.compile(r"^(?:\[\]|\.\.\.)byte$")
_ROLES = {
    "http.Request": "r", "gin.Context": "c", "echo.Context": "c", "fiber.Ctx": "c", "iris.Context": "c",
    "tar.Header": "member", "zip.File": "member", "zip.FileHeader": "member", "rardecode.FileHeader": "member",
    "macaron.Context": "c", "zip.Reader": "archive", "zip.ReadCloser": "archive", "tar.Reader": "archive",
    "httprouter.Params": "params", "fasthttp.RequestCtx": "ctx", "app.RequestContext": "c", "ghttp.Request": "gf",
    "tele.Context": "tele", "telebot.Context": "tele", "tb.Context": "tele",
}  # fmt: skip
"""By type: the name under which the sources of an object are listed."""

_SENT = re.compile(
    r"^(?:ssh\.Session|net\.Conn|\*?(?:events\.\w*Request|mcp\.CallToolRequest|(?:tgbotapi|tgbot|models)\.Update|"
    r"tgbotapi\.Message|(?:tele|telebot|tb)\.Message|discordgo\.(?:MessageCreate|InteractionCreate)|slack\.SlashCommand|"
    r"\w*(?:pb|proto|rpc)(?:v\d\w*)?\.\w+Req(?:uest)?))$"
)
"""What a caller of the program sends: of a lambda, a tool, a chat, a connection, a remote procedure call."""

_QUEUED = re.compile(
    r"^\*?(?:amqp\w*\.Delivery|sarama\.ConsumerMessage|kafka\.Message|nats\.Msg|jetstream\.Msg|mqtt\.Message|MQTT\.Message|"
    r"pubsub\.Message|primitive\.MessageExt|asynq\.Task|redis\.Message|stan\.Msg|nsq\.Message)$"
)
"""A message of a queue, which another part of the system put there."""

_OBJECTS = re.compile(
    r"^(?:context\.Context|http\.(?:ResponseWriter|Handler|HandlerFunc|Client)|(?:sql|sqlx|gorm|pgx|pgxpool|redis|mongo|zap|"
    r"logrus|log|slog|template|tls|testing|sync|trace)\.\w+|chan\b.*|func\b.*|\w*(?:Logger|DB|Store|Repository|Service|Client|"
    r"Handler|Server|Config))$"
)

PACKAGES = frozenset(
    words("""fmt strings strconv path filepath url html template json xml yaml os io ioutil bufio bytes exec sql http
    log slog errors regexp time rand sha256 sha1 md5 hmac base64 hex mux chi render flag context sort slices
    maps shellescape pq bcrypt jwt tls x509 zip tar gzip net math unicode utf8 shlex filepathx gob csv proto
    mapstructure pflag sync atomic httputil textproto securejoin bluemonday schema logrus zap tls rsa aes
    cipher des rc4 ldap xmlpath xmlquery""")
)

LIKE: dict[str, str] = {
    **dict.fromkeys(
        words("""int int8 int16 int32 int64 uint uint8 uint16 uint32 uint64 float32 float64 bool rune byte len cap
        strconv.Atoi strconv.ParseInt strconv.ParseUint strconv.ParseFloat strconv.ParseBool strconv.Itoa
        strconv.FormatInt strconv.FormatUint strconv.FormatFloat strconv.FormatBool uuid.Parse
        uuid.MustParse uuid.New uuid.NewString time.Parse time.ParseDuration time.Now time.Since rand.Int
        rand.Intn rand.Read strings.Count strings.Index strings.LastIndex strings.IndexByte sha256.Sum256
        sha1.Sum md5.Sum sha512.Sum512 .Int .Int64 .Bool .Unix .Len .IsValid .IsZero bytes.Equal
        hmac.Equal subtle.ConstantTimeCompare .QueryInt .ParamsInt primitive.ObjectIDFromHex
        bson.ObjectIdHex .RequireInt .RequireFloat .RequireBool .GetInt .GetInt64 .GetFloat .GetBool
        .RemoteAddr .LocalAddr"""),
        "int",
    ),
    **dict.fromkeys(
        words("""io.ReadAll ioutil.ReadAll io.LimitReader io.TeeReader io.NopCloser bufio.NewReader bufio.NewScanner
        json.NewDecoder xml.NewDecoder yaml.NewDecoder gob.NewDecoder url.QueryUnescape url.PathUnescape
        url.Parse url.ParseRequestURI url.ParseQuery strconv.Unquote strconv.Quote strings.NewReader
        bytes.NewReader bytes.NewBufferString bytes.NewBuffer json.Marshal json.MarshalIndent
        http.NewRequest http.NewRequestWithContext http.MaxBytesReader base64.NewDecoder template.HTML
        template.JS template.URL template.HTMLAttr template.JSStr filepath.ToSlash filepath.FromSlash
        utils.CopyString slices.Clone base64.DecodeString hex.DecodeString hex.EncodeToString gzip.NewReader
        maps.Values maps.Keys slices.Sorted mapstructure.Decode xml.Marshal yaml.Marshal
        http.CanonicalHeaderKey"""),
        "str",
    ),
    **dict.fromkeys(
        words(""".Get .Values .String .Text .Bytes .ReadString .ReadBytes .ReadLine .ReadAll .DecodeString .Runes
        .Query .EscapedPath .RawQuery .Filename .Vars .ByName .Cookie .Value .Encode .Elem
        .Interface .Raw .Trim .Next .Peek .FormValue .Result .UserAgent .Referer .ParseForm .Params .Lookup
        .User .RequireString .GetArguments .GetRawArguments .Payload .CommandArguments"""),
        "copy",
    ),
    **dict.fromkeys(
        words("""new make errors.New fmt.Errorf errors.Wrap errors.Wrapf fmt.Print fmt.Println fmt.Printf log.Print
        log.Printf log.Println log.Fatal log.Fatalf panic exec.Command exec.CommandContext os.Open
        os.OpenFile os.Create os.ReadFile os.WriteFile os.Remove os.RemoveAll os.Mkdir os.MkdirAll os.Stat
        os.Lstat os.ReadDir ioutil.ReadFile ioutil.WriteFile ioutil.ReadDir http.Get http.Post http.Head
        http.PostForm http.Error http.Redirect http.ServeFile http.SetCookie sql.Open context.WithTimeout
        context.WithCancel context.WithValue .Exec .ExecContext .QueryRow .QueryContext .QueryRowContext
        .Prepare .PrepareContext .Queryx .Where .Order .First .Find .Joins .Group .Having .Table .Select .Do
        .Output .CombinedOutput .Run .Start .Scan .Printf .Println .Errorf .Infof .Execute .ExecuteTemplate
        .JSON .HTML .Redirect .Error .Close .Commit .Begin .Rows .StructScan template.New template.Must
        template.ParseFiles .Parse .Save bcrypt.CompareHashAndPassword bcrypt.GenerateFromPassword jwt.Parse
        jwt.ParseWithClaims .Sum .Count .Pluck .FindOne .InsertOne .UpdateOne .DeleteOne .Aggregate .Writer"""),
        "open",
    ),
    "fmt.Sprintf": "format_verbs",
    **dict.fromkeys(("regexp.MustCompile", "regexp.Compile"), "re.compile"),
    **dict.fromkeys(("fmt.Sprint", "fmt.Sprintln"), "append_text"),
    "filepath.Join": "path.resolve",  # its result has no ".." left
    "path.Join": "path.resolve",
    "securejoin.SecureJoin": "safe_join",
    **dict.fromkeys(("filepath.Clean", "path.Clean"), "rooted_path"),
    **dict.fromkeys(("filepath.Abs", "filepath.EvalSymlinks"), "realpath"),
    **dict.fromkeys(("filepath.Base", "path.Base"), "basename"),
    **dict.fromkeys(("filepath.Dir", "path.Dir"), "dirname"),
    "filepath.Rel": "relpath",
    "filepath.IsLocal": "is_local",
    **dict.fromkeys(("url.QueryEscape", "url.PathEscape"), "encodeURIComponent"),
    **dict.fromkeys(
        ("html.EscapeString", "template.HTMLEscapeString", "template.JSEscapeString", "template.HTMLEscaper"),
        "html.escape",
    ),
    "shellescape.Quote": "shlex.quote",
    **dict.fromkeys(("pq.QuoteIdentifier", "pq.QuoteLiteral"), "quote_identifier"),
    **dict.fromkeys((".MatchString", ".Match", "regexp.MatchString", "regexp.Match"), "test"),
    **dict.fromkeys((".WriteString", ".Write", ".WriteByte", ".WriteRune", ".ReadFrom"), "append_text"),
    **dict.fromkeys((".Add", ".Set", ".Store"), "put_item"),
    ".Hostname": "host_of",
    ".Reset": "clear",
    ".ReplaceAllString": "ReplaceAllString",
    **dict.fromkeys(
        ("zip.OpenReader", "zip.NewReader", "tar.NewReader"),
        "ZipFile",
    ),
}
"""By ``package.Function``, builtin, or ``.Method`` of anything: what the call is like."""

_OF_FIRST = {
    **dict.fromkeys(
        words("""TrimSpace Trim TrimLeft TrimRight TrimPrefix TrimSuffix TrimFunc ToLower ToUpper Title Replace
        Split SplitN SplitAfter Fields FieldsFunc Repeat Map Cut CutPrefix CutSuffix ToTitle
        ToValidUTF8 Clone"""),
        "copy",
    ),
    **dict.fromkeys(("Contains", "ContainsAny", "ContainsRune"), "includes"),
    "ReplaceAll": "ReplaceAll",
    "HasPrefix": "startsWith",
    "HasSuffix": "endsWith",
    "EqualFold": "equals",
}
SHIFTED: dict[str, tuple[str, int]] = {
    **{f"{package}.{name}": (like, 0) for package in ("strings", "bytes") for name, like in _OF_FIRST.items()},
    "strings.Join": ("join", 1),
    "bytes.Join": ("join", 1),
    "slices.Contains": ("includes", 0),
    **dict.fromkeys(("net.ParseIP", "netip.ParseAddr"), ("host_text", 0)),
    "append": ("add_item", 0),
    "fmt.Fprintf": ("append_format", 0),
    "fmt.Fprint": ("append_text", 0),
    "fmt.Fprintln": ("append_text", 0),
    "io.WriteString": ("append_text", 0),
}
"""Calls in which one argument, by its position, plays the receiver's part."""

CHANGING = frozenset({"append_text", "append_format", "put_item", "clear"})
"""What leaves its result in the name it is called on."""

OUTPUTS = frozenset(
    words("""Decode Unmarshal Bind BindJSON BindQuery BindUri BindXML BindHeader ShouldBind ShouldBindJSON
    ShouldBindQuery ShouldBindUri ShouldBindXML ShouldBindWith ShouldBindBodyWith MustBindWith BodyParser
    QueryParser ParamsParser ReqHeaderParser CookieParser ReadJSON ReadForm ReadQuery DecodeJSON
    ReadXML ParseForm UnmarshalStrict StringVar Sscanf Sscan Sscanln Scanln Scanf Fscan Fscanf Fscanln Read""")
)
"""Functions and methods that write to the addresses they are given."""

NAMED_OUTPUTS = frozenset(words("httpx.Parse httpx.ParsePath httpx.ParseJsonBody"))
"""The same of packages, whose names are too common without them: go-zero's
https://pkg.go.dev/github.com/zeromicro/go-zero/rest/httpx#Parse."""

_GETTER = re.compile(r"Get[A-Z]\w*")


def like_of(callee: str, count: int) -> str:
    """What a call with ``count`` arguments is like; empty when it is not known."""
    method = callee.rpartition(".")[2]
    known = LIKE.get(callee)
    if known is None and "." in callee and callee.partition(".")[0] not in PACKAGES:
        known = LIKE.get(f".{method}") or ("copy" if not count and _GETTER.fullmatch(method) else None)
    return known or ""


def request_field(owner: str, name: str) -> Level | None:
    """The level of ``owner.name``, also where ``name`` is a method that reads input."""
    if name in _REQUEST_FIELDS and _REQUEST_ROOTS.match(owner):
        return Level.REQUEST
    if name in _CONTEXT_METHODS and _CONTEXT_ROOTS.match(owner):
        return Level.REQUEST
    if name in _BEEGO_METHODS and owner in _BEEGO:
        return Level.REQUEST
    if name in _SAID and _CHATS.search(owner):
        return Level.REQUEST
    return SOURCES.get(f"{owner}.{name}") or SOURCES.get(f"{owner.rpartition('.')[2]}.{name}")


def parameters_of(function: Node) -> tuple[Parameter, ...]:
    """The parameters with their levels, the receiver first; numbers and well-known objects cannot do harm."""
    found: list[Parameter] = []
    for part, own in (
        (function.child_by_field_name("receiver"), True),
        (function.child_by_field_name("parameters"), False),
    ):
        for node in part.named_children if part is not None else []:
            kind = "".join(node_text(node.child_by_field_name("type")).split())
            if node.type == "variadic_parameter_declaration":
                kind = f"...{kind}"
            level, role = None if own else _level(kind), _role(kind, own=own)
            names = map(node_text, node.children_by_field_name("name"))
            found.extend(Parameter(name, level, line_of(node), role, "receiver" if own else "") for name in names)
    return tuple(found)


def _role(kind: str, *, own: bool) -> str:
    return "controller" if own and _CONTROLLER.match(kind) else role_of(kind)


def role_of(kind: str) -> str:
    """What is known to be in an object of a type."""
    plain = kind.lstrip("*")
    return _ROLES.get(plain, "object" if _OBJECTS.match(plain) else "")


def _level(kind: str) -> Level | None:
    if _SENT.match(kind):
        return Level.REQUEST
    if _QUEUED.match(kind):
        return Level.LOCAL_INPUT
    harmless = (HARMLESS.match(kind) and not _BYTES.match(kind)) or role_of(kind)
    return None if harmless else Level.PARAMETER
