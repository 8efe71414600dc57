"""Functions of Java: their parameters, what a request offers, and what the platform's own calls are like."""

from __future__ import annotations

import re

from tree_sitter import Node

from devpulse.core.flow.facts import HOST
from devpulse.core.flow.operations import Parameter
from devpulse.core.flow.syntax_nodes import line_of, node_text
from devpulse.core.flow.tables import words
from devpulse.core.flow.values import Level

_REQUEST_ROOTS = re.compile(r"(?i)^(?:this\.)?(?:\w*request|req|rq|multipart)$")
_CONTEXTS = frozenset({"ctx", "context", "routingContext", "rc"})
_ANYWHERE = frozenset(
    {"getParameter", "getParameterValues", "getParameterMap", "getParameterNames", "getQueryString", "getPathInfo"}
)
_METHODS = _ANYWHERE | frozenset(
    words("""getHeader getHeaders getHeaderNames getCookies getInputStream getReader getPart getParts getRequestURI
    getRequestURL getServletPath getPathTranslated getFile getFiles getFileMap getMultiFileMap getQueryParams getBody
    getRemoteUser queryParams queryParam params param pathVariable bodyToMono bodyToFlux body headers header cookie
    cookies formParam getParam queryMap splat contentAsString getURI getUri uri getDecodedPath getRequestParameters""")
)
_CONTEXT_METHODS = frozenset(
    words("""queryParam queryParams queryParamMap pathParam pathParamMap formParam formParams header cookie body
    bodyAsString
    getBodyAsString getBodyAsJson uploadedFile uploadedFiles request""")
)
_ASKED = frozenset({"getSelectedItem", "getSelectedValue", "showInputDialog", "getStringExtra", "getDataString"})
_FIELD_OF_FORM = re.compile(
    r"(?:^|\.)(?:(?:j?(?:txt|tf|text|edit|input|fld|field|combo|box|area)|et)[A-Z_\d]?\w*|\w*(?:txt|tf|text|field|box|area|input|edit)\d*"
    r"|(?-i:[A-Z]\w*[a-z]\w*))$",
    re.IGNORECASE,
)
"""Controls of a window by their names; a class has no ``getText`` of its own, so a name like one is a variable."""

SOURCES: dict[str, Level] = {
    **dict.fromkeys(
        words("""exchange.getRequestURI exchange.getRequestBody exchange.getRequestHeaders exchange.getQueryParameters
        exchange.getPathParameters exchange.getRelativePath exchange.getRequestPath exchange.getQueryString
        graphql.getArgument graphql.getArguments graphql.getArgumentOrDefault env.getArgument uri.getQueryParameter"""),
        Level.REQUEST,
    ),
    "System.getenv": Level.LOCAL_INPUT,
    "System.getProperty": Level.LOCAL_INPUT,
    "System.in": Level.LOCAL_INPUT,
    "System.console": Level.LOCAL_INPUT,
    "uriInfo.getQueryParameters": Level.REQUEST,
    "uriInfo.getPathParameters": Level.REQUEST,
    "uriInfo.getPath": Level.REQUEST,
    "headers.getHeaderString": Level.REQUEST,
    "headers.getRequestHeader": Level.REQUEST,
    "archive.getNextEntry": Level.ARCHIVE,
    "archive.entries": Level.ARCHIVE,
    "archive.getEntry": Level.ARCHIVE,
    "archive.stream": Level.ARCHIVE,
    "archive.getEntries": Level.ARCHIVE,
    "archive.getFileHeaders": Level.ARCHIVE,
    "entry.getName": Level.ARCHIVE,
    "entry.getFileName": Level.ARCHIVE,
    "entry.getFileNameString": Level.ARCHIVE,
    "entry.getLinkName": Level.ARCHIVE,
}
_MEMBERS = frozenset(
    words("""getNextEntry getNextTarEntry getNextZipEntry getNextJarEntry getNextCPIOEntry getNextSevenZEntry
    nextFileHeader""")
)
"""Methods of nothing but archives that give the next member."""
_BOUND = re.compile(
    r"@(?:RequestParam|PathVariable|RequestBody|RequestHeader|CookieValue|ModelAttribute|RequestPart|MatrixVariable|"
    r"QueryParam|PathParam|FormParam|HeaderParam|CookieParam|MatrixParam|BeanParam|FormDataParam|QueryValue|Body|Argument|"
    r"Payload|DestinationVariable|RestQuery|RestPath|RestForm|RestHeader)\b"
)
_CONVERTED = re.compile(r"@(?:RequestParam|PathVariable|QueryParam|PathParam|RequestHeader|CookieValue)\b")
_ROUTES = re.compile(
    r"@(?:(?:Get|Post|Put|Patch|Delete|Request|Message|Query|Mutation|Subscribe)Mapping|GET|POST|PUT|DELETE|PATCH|Path|"
    r"Get|Post|Put|Patch|Delete|OnMessage|OnTextMessage|WebMethod)\b"
)
_QUEUES = re.compile(
    r"@(?:(?:Rabbit|Kafka|Jms|Sqs|Stream|Pulsar|RocketMQMessage)Listener|RabbitHandler|KafkaHandler|Incoming|ShellMethod)\b"
)
"""Methods that are given messages of a queue, or the words of a command."""

_RECEIVERS = frozenset(
    words("onMessage onTextMessage onBinaryMessage handleMessage messageReceived channelRead0 onText")
)
"""Methods by which sockets and servers hand on what was sent."""

_SENT = frozenset({"TextMessage", "BinaryMessage", "WebSocketMessage", "PageParameters"})
_QUEUED = frozenset({"ConsumerRecord", "ObjectMessage", "MqttMessage", "MessageExt", "SqsMessage"})
_TEXT_ANSWER = re.compile(r"String|^ResponseEntity(?:<\?>)?$")
_HTML = re.compile(r"(?:@Produces\(|\bproduces\s*=)[^)]*(?:TEXT_HTML|text/html)")
_STRUCTURED = re.compile(r"\b(?:Map|List|Set|Collection|Flux|Iterable)\b|\[\]")
_INJECTED = re.compile(r"@(?:Value|Autowired|Inject|Qualifier|AuthenticationPrincipal|Context|Suspended)\b")
HARMLESS = re.compile(
    r"^(?!byte\[\])(?:(?:java\.\w+\.)*(?:Optional|List|Set|Collection)<)?(?:int|long|short|byte|double|float|boolean|Integer|Long|"
    r"Short|Byte|Double|Float|Boolean|(?:java\.math\.)?Big(?:Integer|Decimal)|(?:java\.util\.)?UUID|Local(?:Date|Time|"
    r"DateTime)|Instant|Duration|ZonedDateTime|OffsetDateTime|Date|OptionalInt|AtomicInteger)\b(?:\[\])*>?$"
)
_TEXTUAL = re.compile(r"String|CharSequence|Object|Map|MultipartFile|Part\b|char|byte|Stream|Reader|\bvar\b")
_ROLES = {
    "HttpServletRequest": "request", "ServletRequest": "request", "ServerHttpRequest": "request",
    "ServerRequest": "request",
    "WebRequest": "request", "NativeWebRequest": "request", "MultipartHttpServletRequest": "request",
    "HttpServerRequest": "request", "PortletRequest": "request", "RoutingContext": "ctx", "UriInfo": "uriInfo",
    "HttpExchange": "exchange", "HttpServerExchange": "exchange", "DataFetchingEnvironment": "graphql",
    "HttpHeaders": "headers", "ZipInputStream": "archive", "ZipFile": "archive", "JarFile": "archive",
    "TarArchiveInputStream": "archive", "ArchiveInputStream": "archive", "SevenZFile": "archive",
    "JarInputStream": "archive", "ZipArchiveInputStream": "archive", "Archive": "archive",
    **dict.fromkeys(
        ("ZipEntry", "JarEntry", "TarArchiveEntry", "ArchiveEntry", "ZipArchiveEntry", "SevenZArchiveEntry", "TarEntry",
         "FileHeader"),
        "entry",
    ),
}  # fmt: skip
_OBJECTS = re.compile(
    r"(?:Response|Session|Connection|Statement|Template|Repository|Service|Logger|Model|ModelMap|BindingResult|Errors|"
    r"Principal|Authentication|Redirect\w*|EntityManager|DataSource|Writer|OutputStream|Context|Locale|Factory|Manager|"
    r"ModelAndView|Exception|Throwable|Class|Consumer|Supplier|Function|Predicate|Executor\w*|Chain)$"
)

_NUMERIC_CLASSES = ("Integer", "Long", "Short", "Byte", "Double", "Float", "Boolean", "BigInteger", "BigDecimal")
_TEXT = "append_text"
LIKE: dict[str, str] = {
    **dict.fromkeys((f"{name}.valueOf" for name in _NUMERIC_CLASSES), "int"),
    **dict.fromkeys(
        words(""".parseInt .parseLong .parseDouble .parseFloat .parseBoolean .parseShort .length .size .isEmpty .isBlank
        .hashCode .intValue .longValue .compareTo .nextInt .nextLong .nextDouble .nextBoolean .ordinal .getTime .count
        .isPresent .isFile .isDirectory .getSize .isAfter .isBefore .isInstance .lastModified UUID.fromString
        LocalDate.parse LocalDateTime.parse Instant.parse Duration.parse UUID.randomUUID .digest BigInteger BigDecimal
        Character.isDigit Character.isLetter .codePointAt .lastIndexOf"""),
        "int",
    ),
    **dict.fromkeys(
        words("""String.valueOf Objects.toString String.copyValueOf Objects.requireNonNull Objects.requireNonNullElse
        Arrays.toString Arrays.stream Optional.of Optional.ofNullable Stream.of URLDecoder.decode URI.create
        Arrays.copyOf
        IOUtils.toString IOUtils.toByteArray Collections.list Collections.singletonList StreamSupport.stream Mono.just
        StringUtils.trim StringUtils.defaultString StringUtils.strip StringUtils.defaultIfEmpty StringUtils.join
        StringUtils.lowerCase StringUtils.upperCase BufferedReader InputStreamReader Scanner ByteArrayInputStream
        StringReader DataInputStream ObjectInputStream BufferedInputStream String ArrayList LinkedList HashSet HashMap
        LinkedHashMap TreeMap URL URI ProcessBuilder InputSource StreamSource Cookie ModelAndView StringTokenizer Vector
        ResponseEntity ResponseEntity.ok .body SimpleEntry HttpGet HttpPost HttpEntity Date.from"""),
        "str",
    ),
    **dict.fromkeys(
        words(""".trim .strip .stripLeading .stripTrailing .intern .repeat .replaceFirst .subSequence .charAt .getBytes
        .toCharArray .collect .toList .stream .parallelStream .iterator .next .nextElement .nextLine .readLine .lines
        .getKey .getValue .entrySet .keySet .values .peek .poll .element .getFirst .getLast .getString .getText .asText
        .textValue .toArray .orElse .orElseGet .orElseThrow .findFirst .findAny .map .mapToObj .flatMap .filter .sorted
        .distinct .limit .skip .reduce .block .toUri .toURL .toURI .getPath .getAbsolutePath .toAbsolutePath .toFile
        .toPath .getAbsoluteFile .getOriginalFilename .getSubmittedFileName .nextToken .read .readAllBytes .toString
        .toByteArray .stripIndent .translateEscapes .getInputStream .subList .deleteCharAt .reverse .readObject .concat
        .getOrDefault .get .getPayload .getValueAt .elementAt .firstElement .boxed .chars .codePoints .decode .getReader
        .getHeaders"""),
        "copy",
    ),
    **dict.fromkeys(
        words(""".executeQuery .executeUpdate .execute .prepareStatement .prepareCall .createStatement .createQuery
        .createNativeQuery .getResultList .getSingleResult .exec .start .getForObject .postForObject .exchange .send
        .openConnection .openStream .getInstance .getSession .getAttribute .getConnection .save .getLogger .println
        .getRequestDispatcher .sendRedirect .write .getWriter .getOutputStream .matcher .compile .evaluate
        .getContentType
        .getForEntity .retrieve FileInputStream FileReader FileWriter FileOutputStream RandomAccessFile
        PrintWriter Thread
        Files.readString Files.readAllBytes Files.readAllLines Files.newInputStream Files.newBufferedReader Files.lines
        Files.copy Files.write Files.delete Files.list"""),
        "open",
    ),
    **dict.fromkeys(("File", "Paths.get", "Path.of", "FileUtils.getFile", "FileUtil.file"), "Path"),
    "FileUtils.resolveFile": "path.resolve",
    ".resolve": "joinpath",
    ".resolveSibling": "joinpath",
    **dict.fromkeys((".getCanonicalPath", ".getCanonicalFile", ".toRealPath"), "realpath"),
    **dict.fromkeys((".normalize", "FilenameUtils.normalize"), "normpath"),
    **dict.fromkeys((".getFileName", "FilenameUtils.getName", "FilenameUtils.getBaseName"), "basename"),
    **dict.fromkeys((".getParentFile", ".getParent"), "dirname"),
    ".relativize": "relpath",
    ".getName": "last_of_path",
    ".matches": "fullmatch",
    "Pattern.compile": "re.compile",
    **dict.fromkeys((".equals", ".equalsIgnoreCase", ".contentEquals"), "equals"),
    **dict.fromkeys((".contains", ".containsKey", ".containsValue"), "includes"),
    **dict.fromkeys(("String.format", ".formatted", ".printf"), "format_verbs"),
    **dict.fromkeys((".append", "StringBuilder", "StringBuffer", "StringJoiner"), _TEXT),
    ".insert": "prepend_text",
    **dict.fromkeys(
        (".add", ".addAll", ".addFirst", ".addLast", ".push", ".offer", ".addElement", ".enqueue"), "add_item"
    ),
    **dict.fromkeys((".put", ".putAll", ".putIfAbsent", ".set", ".setProperty"), "put_item"),
    **dict.fromkeys((".getHost", ".getAuthority"), "host_of"),
    ".clear": "clear",
    ".setLength": "clear",
    **dict.fromkeys(
        (
            "ZipInputStream",
            "ZipFile",
            "JarFile",
            "JarInputStream",
            "TarArchiveInputStream",
            "ZipArchiveInputStream",
            "SevenZFile",
        ),
        "ZipFile",
    ),
}
"""By ``Owner.method``, class, or ``.method`` of anything: what the call is like."""

SHIFTED = {
    "MessageFormat.format": "format",
    "String.join": "join",
    "Objects.equals": "equals",
}
"""Calls whose first argument plays the receiver's part."""

CHANGING = frozenset({"append_text", "prepend_text", "add_item", "put_item", "clear"})
"""What leaves its result in the name it is called on."""

_GETTER = re.compile(r"(?:get|as|to)[A-Z]\w*")
_TEST = re.compile(r"(?:is|has)[A-Z]\w*")


def like_of(callee: str, count: int) -> str:
    """What a call with ``count`` arguments is like; empty when it is not known."""
    method = callee.rpartition(".")[2]
    known = LIKE.get(".".join(callee.split(".")[-2:])) or (LIKE.get(f".{method}") if "." in callee else None)
    if known is not None or count:
        return known or ("open" if method.endswith(("Exception", "Error")) else "")
    return "copy" if "." in callee and _GETTER.fullmatch(method) else "int" if _TEST.fullmatch(method) else ""


def request_field(owner: str, name: str) -> Level | None:
    """The level of ``owner.name``, also where ``name`` is a method that reads input."""
    if name in _ANYWHERE and owner and owner != HOST:  # which is also a role
        return Level.REQUEST
    if name in _METHODS and _REQUEST_ROOTS.match(owner):
        return Level.REQUEST
    if name in _CONTEXT_METHODS and owner in _CONTEXTS:
        return Level.REQUEST
    if name in _MEMBERS and owner:
        return Level.ARCHIVE
    if (name == "getText" and _FIELD_OF_FORM.search(owner)) or (name in _ASKED and owner):
        return Level.LOCAL_INPUT
    return SOURCES.get(f"{owner}.{name}")


_RECEIVED = frozenset({"String", "byte[]", "ByteBuf", "ByteBuffer"})
"""Types in which a method that receives is given what was sent."""


def parameters_of(function: Node) -> tuple[Parameter, ...]:
    """The parameters with their levels: those a framework fills from the request are requests."""
    listed = function.child_by_field_name("parameters")
    if listed is None:
        return ()
    if listed.type == "identifier":
        return (Parameter(node_text(listed), Level.PARAMETER, line_of(listed)),)
    own = _modifiers(function)
    routed, queued = bool(_ROUTES.search(own)), bool(_QUEUES.search(own))
    called = node_text(function.child_by_field_name("name"))
    main = called == "main" and listed.named_child_count == 1
    found: list[Parameter] = []
    for node in listed.named_children:
        name = _name(node)
        if name:
            kind = "".join(node_text(node.child_by_field_name("type") or _first_type(node)).split())
            level = _level(kind, _modifiers(node), routed=routed)
            if called in _RECEIVERS and level is Level.PARAMETER and kind in _RECEIVED:
                level = Level.REQUEST
            local = (main and kind.startswith("String")) or (queued and level is Level.PARAMETER)
            level = Level.LOCAL_INPUT if local else level
            found.append(Parameter(name, level, line_of(node), role_of(kind)))
    return tuple(found)


def answers_of(function: Node) -> str:
    """As what call the returns of a Spring route count that gives back a text; empty for any other method.

    The text is the answer itself (``ResponseBody.return``, ``Produces.return``, ``produces.return``), in an entity
    (``ResponseEntity.return``), or the name of what makes it (``Controller.return``).
    """
    own = _modifiers(function)
    kind = node_text(function.child_by_field_name("type"))
    if not _TEXT_ANSWER.search(kind) or _STRUCTURED.search(kind) or not _ROUTES.search(own):
        return ""
    if "produces" in own and not re.search(r"(?i)html", own):
        return ""
    around = function.parent.parent if function.parent is not None else None
    outer = _modifiers(around) if around is not None else ""
    if _HTML.search(own) or (_HTML.search(outer) and "@Produces" not in own):
        return "Produces.return" if "@Produces" in own + outer else "produces.return"
    if "ResponseEntity" in kind:
        return "ResponseEntity.return"
    if "@RestController" in outer or "@ResponseBody" in own + outer:
        return "ResponseBody.return" if "@ResponseBody" in own + outer else "RestController.return"
    return "Controller.return" if "@Controller" in outer else ""


def role_of(kind: str) -> str:
    """What is known to be in an object of a type."""
    plain = kind.rpartition(".")[2]
    return _ROLES.get(plain, "object" if _OBJECTS.search(plain) else "")


def _modifiers(node: Node) -> str:
    first = node.children[0] if node.children else None
    return node_text(first) if first is not None and first.type == "modifiers" else ""


def _name(node: Node) -> str:
    if node.type == "spread_parameter":
        node = next((child for child in node.named_children if child.type == "variable_declarator"), node)
    name = node if node.type == "identifier" else node.child_by_field_name("name")
    return node_text(name)


def _first_type(node: Node) -> Node | None:
    return next((child for child in node.named_children if child.type.endswith("type_identifier")), None)


def _level(kind: str, annotations: str, *, routed: bool) -> Level | None:
    if HARMLESS.match(kind) or role_of(kind) or _INJECTED.search(annotations):
        return None
    plain = kind.rpartition(".")[2].partition("<")[0]
    if plain in ("MultipartFile", "FilePart", "Part") or plain in _SENT:
        return Level.REQUEST
    if plain in _QUEUED:
        return Level.LOCAL_INPUT
    if _CONVERTED.search(annotations) and kind and not _TEXTUAL.search(kind):
        return Level.UNKNOWN  # an enumeration, or something else that text is converted to
    return Level.REQUEST if routed or _BOUND.search(annotations) else Level.PARAMETER
