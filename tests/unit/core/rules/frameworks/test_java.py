from __future__ import annotations

from rule_tables import MemoryResolver, make_source, marked_lines
from tables import for_each

from devpulse.core.categories import Confidence
from devpulse.core.rules import run_rules

# Routes of today's frameworks with lines that are told beside such that are not.
EXAMPLES = [
    ("webflux", "src/main/java/x/X.java", """
@RestController
public class X {
  @GetMapping("/a")
  public Mono<String> a(@RequestParam String name) {
    return client.sql("select * from t where n = '" + name + "'").fetch().one().map(Object::toString); // BAD
  }
  @GetMapping("/a2")
  public Mono<String> a2(@RequestParam String name) {
    return client.sql("select * from t where n = :n").bind("n", name).fetch().one().map(Object::toString);
  }
  @GetMapping("/b")
  public Mono<String> b(@RequestParam String url) {
    return WebClient.create().get().uri(url).retrieve().bodyToMono(String.class); // BAD
  }
  @GetMapping("/b2")
  public Mono<String> b2(@RequestParam String id) {
    return WebClient.create("https://api.example.com").get().uri("/items/{id}", id).retrieve().bodyToMono(String.class);
  }
  public Mono<ServerResponse> c(ServerRequest request) {
    String n = request.queryParam("n").orElse("");
    return ServerResponse.ok().contentType(MediaType.TEXT_HTML).bodyValue("<h1>" + n + "</h1>"); // BAD
  }
  public Mono<ServerResponse> c2(ServerRequest request) {
    String n = request.queryParam("n").orElse("");
    return ServerResponse.ok().contentType(MediaType.TEXT_HTML).bodyValue("<h1>" + HtmlUtils.htmlEscape(n) + "</h1>");
  }
  public Mono<ServerResponse> d(ServerRequest request) {
    return request.bodyToMono(Cmd.class).flatMap(cmd -> run(cmd));
  }
  public Mono<ServerResponse> e(ServerRequest request) {
    String file = request.pathVariable("file");
    return ServerResponse.ok().bodyValue(new FileSystemResource("/data/" + file)); // BAD
  }
  @GetMapping("/f")
  public Mono<Void> f(@RequestParam String to, ServerHttpResponse response) {
    response.setStatusCode(HttpStatus.FOUND);
    response.getHeaders().setLocation(URI.create(to)); // BAD
    return response.setComplete();
  }
}
"""),
    ("micronaut", "src/main/java/x/X.java", """
@Controller("/x")
public class X {
  @Get("/a{?name}")
  public String a(@QueryValue String name) throws Exception {
    return new String(Runtime.getRuntime().exec("ping " + name).getInputStream().readAllBytes()); // BAD
  }
  @Get("/a2{?name}")
  public String a2(@QueryValue String name) throws Exception {
    return new String(new ProcessBuilder("ping", name).start().getInputStream().readAllBytes());
  }
  @Get("/b/{file}")
  public StreamedFile b(@PathVariable String file) throws Exception {
    return new StreamedFile(new FileInputStream("/data/" + file), MediaType.ALL_TYPE); // BAD
  }
  @Get("/c")
  public HttpResponse<?> c(@QueryValue String to) {
    return HttpResponse.redirect(URI.create(to)); // BAD
  }
  @Get("/c2")
  public HttpResponse<?> c2(@QueryValue String to) {
    return HttpResponse.redirect(URI.create("/home"));
  }
  @Get(value = "/d", produces = MediaType.TEXT_HTML)
  public String d(@QueryValue String n) {
  }
  @Post("/e")
  public List<?> e(@Body Map<String, String> body) {
    return em.createNativeQuery("select * from t where n = '" + body.get("n") + "'").getResultList(); // BAD
  }
  @Post("/e2")
  public List<?> e2(@Body Map<String, String> body) {
    return em.createNativeQuery("select * from t where n = ?").setParameter(1, body.get("n")).getResultList();
  }
}
"""),
    ("jaxrs", "src/main/java/x/X.java", """
@Path("/x")
public class X {
  @Inject EntityManager em;
  @GET @Path("/a")
  public List<?> a(@QueryParam("n") String n) {
    return em.createQuery("from User u where u.name = '" + n + "'").getResultList(); // BAD
  }
  @GET @Path("/a2")
  public List<?> a2(@QueryParam("n") String n) {
    return em.createQuery("from User u where u.name = :n").setParameter("n", n).getResultList();
  }
  @GET @Path("/p")
  public List<?> p(@QueryParam("n") String n) {
    return User.find("name = '" + n + "'").list(); // BAD
  }
  @GET @Path("/p2")
  public List<?> p2(@QueryParam("n") String n) {
    return User.find("name = ?1", n).list();
  }
  @GET @Path("/b/{f}")
  public Response b(@PathParam("f") String f) {
    return Response.ok(new File("/data/" + f)).build(); // BAD
  }
  @GET @Path("/b2/{f}")
  public Response b2(@PathParam("f") String f) {
    File file = new File("/data", new File(f).getName());
    return Response.ok(file).build();
  }
  @GET @Path("/c")
  public Response c(@QueryParam("to") String to) {
    return Response.seeOther(URI.create(to)).build(); // BAD
  }
  @GET @Path("/d") @Produces(MediaType.TEXT_HTML)
  public String d(@QueryParam("n") String n) {
    return "<p>" + n + "</p>"; // BAD
  }
  @GET @Path("/e")
  public String e(@QueryParam("u") String u) {
    return ClientBuilder.newClient().target(u).request().get(String.class); // BAD
  }
  @GET @Path("/e2")
  public String e2(@QueryParam("u") String u) {
    return ClientBuilder.newClient().target("https://api.example.com").path(u).request().get(String.class);
  }
  @POST @Path("/f")
  public Object f(InputStream in) throws Exception {
    return new ObjectInputStream(in).readObject(); // BAD
  }
  @GET @Path("/g")
  public Object g(@HeaderParam("X-Cmd") String c, @CookieParam("k") String k) throws Exception {
    Runtime.getRuntime().exec(new String[]{"sh", "-c", "echo " + c}); // BAD
    Runtime.getRuntime().exec(new String[]{"echo", k});
    return null;
  }
}
"""),
    ("javalin", "src/main/java/x/X.java", """
public class X {
  public static void main(String[] args) {
    Javalin app = Javalin.create();
    app.get("/a", ctx -> {
      String n = ctx.queryParam("n");
      ctx.html("<p>" + n + "</p>"); // BAD
    });
    app.get("/a2", ctx -> {
      String n = ctx.queryParam("n");
      ctx.html("<p>" + Encode.forHtml(n) + "</p>");
      ctx.result(n);
    });
    app.get("/b", ctx -> ctx.redirect(ctx.queryParam("to"))); // BAD
    app.get("/c", ctx -> ctx.result(Files.newInputStream(Paths.get("/data/" + ctx.pathParam("f"))))); // BAD
    app.get("/d", ctx -> {
      Statement st = conn.createStatement();
      st.executeQuery("select * from t where a = '" + ctx.formParam("a") + "'"); // BAD
    });
    app.get("/d2", ctx -> {
      x.withHandle(h -> h.createQuery("select 1 from t where a = :a").bind("a", ctx.formParam("a")).mapToMap().list());
    });
    app.post("/e", ctx -> {
      Runtime.getRuntime().exec("sh -c " + ctx.body()); // BAD
    });
  }
}
"""),
    ("spring", "src/main/java/x/X.java", """
@Controller
public class X {
  @GetMapping("/a")
  public void a(@RequestParam String n, HttpServletResponse response) throws Exception {
    response.setContentType("text/html");
    response.getWriter().write("<p>" + n); // BAD
  }
  @GetMapping("/b")
  public String b(@RequestParam String n) {
    return "redirect:" + n; // BAD
  }
  @GetMapping("/b2")
  public String b2(@RequestParam Long n) {
    return "redirect:/items/" + n;
  }
  @GetMapping("/c")
  public ResponseEntity<Resource> c(@RequestParam String f) throws Exception {
    Path p = Paths.get("/data").resolve(f);
    return ResponseEntity.ok(new UrlResource(p.toUri())); // BAD
  }
  @GetMapping("/c2")
  public ResponseEntity<Resource> c2(@RequestParam String f) throws Exception {
    Path base = Paths.get("/data").toAbsolutePath().normalize();
    Path p = base.resolve(f).normalize();
    if (!p.startsWith(base)) { throw new IllegalArgumentException(); }
    return ResponseEntity.ok(new UrlResource(p.toUri()));
  }
  @PostMapping("/d")
  public void d(@RequestParam MultipartFile file) throws Exception {
    file.transferTo(new File("/data/" + file.getOriginalFilename())); // BAD
  }
  @PostMapping("/d2")
  public void d2(@RequestParam MultipartFile file) throws Exception {
    file.transferTo(new File("/data/" + StringUtils.getFilename(file.getOriginalFilename())));
  }
  @GetMapping("/e")
  public Object e(@RequestParam String q) {
    return jdbcTemplate.queryForList("select * from t where a = '" + q + "'"); // BAD
  }
  @GetMapping("/e2")
  public Object e2(@RequestParam String q) {
    return jdbcTemplate.queryForList("select * from t where a = ?", q);
  }
  @GetMapping("/e3")
  public Object e3(@RequestParam String sort) {
    return jdbcTemplate.queryForList("select * from t order by " + sort); // BAD
  }
  @GetMapping("/f")
  public Object f(@RequestParam String x) {
    return new SpelExpressionParser().parseExpression(x).getValue(); // BAD
  }
  @GetMapping("/f2")
  public Object f2(@RequestParam String x) {
    return new SpelExpressionParser().parseExpression("name").getValue(x);
  }
  @GetMapping("/g")
  public Object g(@RequestParam String xml) throws Exception {
    DocumentBuilder builder = DocumentBuilderFactory.newInstance().newDocumentBuilder();
    return builder.parse(new InputSource(new StringReader(xml))); // BAD
  }
  @GetMapping("/h")
  public Object h(@RequestParam String u) throws Exception {
    return restTemplate.getForObject(u, String.class); // BAD
  }
  @GetMapping("/h2")
  public Object h2(@RequestParam String u) throws Exception {
    return restTemplate.getForObject("https://api.example.com/{id}", String.class, u);
  }
  @GetMapping("/h3")
  public Object h3(@RequestParam String u) throws Exception {
    return client.send(HttpRequest.newBuilder(URI.create(u)).build(), BodyHandlers.ofString()); // BAD
  }
  @GetMapping("/i")
  public Object i(@RequestParam String y) {
    return new Yaml().load(y); // BAD
  }
  @GetMapping("/i2")
  public Object i2(@RequestParam String y) {
    return new Yaml(new SafeConstructor(new LoaderOptions())).load(y);
  }
  @GetMapping("/j")
  public Object j(@RequestParam String y) {
    return mongoTemplate.find(new BasicQuery("{ name: '" + y + "' }"), User.class); // BAD
  }
  @GetMapping("/k")
  public Object k(@RequestParam String y) {
    return ldapTemplate.search("ou=x", "(uid=" + y + ")", mapper); // BAD
  }
  @GetMapping("/k2")
  public Object k2(@RequestParam String y) {
    return ldapTemplate.search("ou=x", new EqualsFilter("uid", y).encode(), mapper);
  }
  @GetMapping("/l")
  public Object l(@RequestParam String y) {
    return scriptEngine.eval(y); // BAD
  }
  @GetMapping("/m")
  public ModelAndView m(@RequestParam String y) {
    return new ModelAndView("redirect:" + y); // BAD
  }
  @GetMapping("/m2")
  public RedirectView m2(@RequestParam String y) {
    return new RedirectView(y); // BAD
  }
  @GetMapping("/n")
  public String n(@RequestParam String lang) {
    return "page/" + lang + "/home";
  }
}
"""),
]  # fmt: skip


@for_each(EXAMPLES, lambda row: row[0])
def test_run_rules__tells_the_marked_lines_alone(row: tuple[str, str, str]):
    _, path, code = row
    hits = run_rules(make_source(code, path=path), MemoryResolver())
    posted = {hit.start_line for hit in hits if hit.confidence is not Confidence.LOW}
    assert sorted(posted) == marked_lines(code)
