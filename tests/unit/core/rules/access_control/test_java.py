from __future__ import annotations

import pytest
from rule_tables import MemoryResolver, lines_of, make_source, marked_lines, run

from devpulse.core.categories import Confidence
from devpulse.core.change import Side
from devpulse.core.finding import Hit
from devpulse.core.rules.access_control.java import RULE

PATH = "src/main/java/shop/Orders.java"
REPORTED = {
    "spring, one method of three": """
        @RestController
        @RequestMapping("/api/products")
        class Products {
            @PreAuthorize("hasRole('EDITOR')")
            @PostMapping
            Product create(@RequestBody Product product) { return store.save(product); }

            @PreAuthorize("hasRole('EDITOR')")
            @PutMapping("/{id}")
            Product change(@PathVariable long id, @RequestBody Product product) { return store.save(product); }

            @DeleteMapping("/{id}")  // BAD
            void delete(@PathVariable long id) {
                store.deleteById(id);
            }
        }
        """,
    "spring, request mapping with its method": """
        @Controller
        class Coupons {
            @Secured("ROLE_MANAGER")
            @RequestMapping(value = "/coupons", method = RequestMethod.POST)
            public String add(Coupon coupon) { coupons.add(coupon); return "list"; }

            @RequestMapping(value = "/coupons/{code}", method = RequestMethod.DELETE)  // BAD
            public String drop(@PathVariable String code) {
                coupons.drop(code);
                return "list";
            }
        }
        """,
    "shiro": """
        @RestController
        @RequestMapping("/sys/dict")
        public class DictController {
            @RequiresPermissions("sys:dict:add")
            @PostMapping("/add")
            public Result add(@RequestBody Dict dict) { return Result.of(service.save(dict)); }

            @RequiresPermissions("sys:dict:edit")
            @PostMapping("/edit")
            public Result edit(@RequestBody Dict dict) { return Result.of(service.update(dict)); }

            @PostMapping("/deleteBatch")  // BAD
            public Result deleteBatch(@RequestBody List<Long> ids) {
                return Result.of(service.removeByIds(ids));
            }
        }
        """,
    "jax-rs": """
        @Path("/accounts")
        public class Accounts {
            @POST
            @RolesAllowed("clerk")
            public Response open(Account account) { return created(account); }

            @DELETE
            @Path("{id}")  // BAD
            public Response close(@PathParam("id") long id) {
                accounts.close(id);
                return Response.noContent().build();
            }
        }
        """,
    "servlet whose reading is guarded": """
        public class Settings extends HttpServlet {
            @Override
            protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
                if (request.getSession().getAttribute("admin") == null) {
                    response.sendError(HttpServletResponse.SC_FORBIDDEN);
                    return;
                }
                show(response);
            }

            @Override
            protected void doPost(HttpServletRequest request, HttpServletResponse response) {  // BAD
                settings.put(request.getParameter("key"), request.getParameter("value"));
            }
        }
        """,
    "jenkins": """
        public class Server extends AbstractDescribableImpl<Server> {
            public static class DescriptorImpl extends Descriptor<Server> {
                @POST
                public FormValidation doTestConnection(@QueryParameter String url) {
                    Jenkins.get().checkPermission(Jenkins.ADMINISTER);
                    return connect(url);
                }

                public FormValidation doSendTestMail(@QueryParameter String url, @QueryParameter String to) {  // BAD
                    return mail(url, to);
                }
            }
        }
        """,
    "check of a service in the neighbours": """
        @RestController
        public class Teams {
            @PostMapping("/teams/{id}/members")
            public void addMember(@PathVariable long id, @RequestBody Member member) {
                access.checkTeamPermission(id, Right.WRITE);
                teams.add(id, member);
            }

            @PutMapping("/teams/{id}")
            public void rename(@PathVariable long id, @RequestBody Name name) {
                access.checkTeamPermission(id, Right.WRITE);
                teams.rename(id, name);
            }

            @DeleteMapping("/teams/{id}")  // BAD
            public void dissolve(@PathVariable long id) {
                teams.dissolve(id);
            }
        }
        """,
}
QUIET = {
    "all guarded": """
        @RestController
        class Users {
            @PreAuthorize("hasRole('ADMIN')")
            @PostMapping("/users")
            void add(@RequestBody User user) { users.add(user); }

            @PreAuthorize("hasAuthority('delete')")
            @DeleteMapping("/users/{id}")
            void drop(@PathVariable long id) { users.drop(id); }
        }
        """,
    "nobody guarded: a filter chain elsewhere decides": """
        @RestController
        class Owners {
            @PostMapping("/owners")
            void add(@RequestBody Owner owner) { owners.add(owner); }

            @DeleteMapping("/owners/{id}")
            void drop(@PathVariable long id) { owners.drop(id); }
        }
        """,
    "guard of the class": """
        @RestController
        @PreAuthorize("hasRole('ADMIN')")
        class Users {
            @PostMapping("/users")
            @PreAuthorize("hasRole('ROOT')")
            void add(@RequestBody User user) { users.add(user); }

            @DeleteMapping("/users/{id}")
            void drop(@PathVariable long id) { users.drop(id); }
        }
        """,
    "open on purpose": """
        @Path("/orders")
        public class Orders {
            @POST
            @RolesAllowed("clerk")
            public Response change(Order order) { return save(order); }

            @POST
            @Path("draft")
            @PermitAll
            public Response draft(Order order) { return save(order); }
        }
        """,
    "permitAll in an expression": """
        @RestController
        class Baskets {
            @PreAuthorize("isAuthenticated()")
            @PostMapping("/baskets/{id}/buy")
            void buy(@PathVariable long id) { baskets.buy(id); }

            @PreAuthorize("permitAll()")
            @PostMapping("/baskets")
            void start() { baskets.start(); }
        }
        """,
    "login and registration": """
        @RestController
        class Accounts {
            @PreAuthorize("isAuthenticated()")
            @PutMapping("/account")
            void change(@RequestBody Account account) { accounts.change(account); }

            @PostMapping("/login")
            Token login(@RequestBody Login login) { return accounts.login(login); }

            @PostMapping("/register")
            void register(@RequestBody Account account) { accounts.add(account); }
        }
        """,
    "reading is open where writing is not": """
        @RestController
        class Articles {
            @PreAuthorize("hasRole('AUTHOR')")
            @PostMapping("/articles")
            void add(@RequestBody Article article) { articles.add(article); }

            @GetMapping("/articles/{id}")
            Article show(@PathVariable long id) { return articles.get(id); }

            @GetMapping("/members")
            List<Member> members() { return members.all(); }
        }
        """,
    "health": """
        @Path("/system")
        public class SystemResource {
            @GET
            @RolesAllowed("admin")
            @Path("settings")
            public Settings settings() { return settings; }

            @GET
            @Path("health")
            public String health() { return "ok"; }
        }
        """,
    "the caller is a parameter": """
        @RestController
        class Notes {
            @PreAuthorize("hasRole('MODERATOR')")
            @DeleteMapping("/notes/{id}")
            void drop(@PathVariable long id) { notes.drop(id); }

            @PostMapping("/notes")
            void add(@AuthenticationPrincipal User user, @RequestBody Note note) { notes.add(user, note); }
        }
        """,
    "a helper of the class checks": """
        public class Settings extends HttpServlet {
            protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
                if (!request.isUserInRole("admin")) {
                    response.sendError(403);
                    return;
                }
                show(response);
            }

            protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
                if (refused(request, response)) {
                    return;
                }
                settings.put(request.getParameter("key"), request.getParameter("value"));
            }

            private boolean refused(HttpServletRequest request, HttpServletResponse response) throws IOException {
                if (!request.isUserInRole("admin")) {
                    response.sendError(HttpServletResponse.SC_FORBIDDEN);
                    return true;
                }
                return false;
            }
        }
        """,
    "jenkins checks forms for everybody": """
        public static class DescriptorImpl extends Descriptor<Server> {
            @POST
            public FormValidation doTestConnection(@QueryParameter String url) {
                Jenkins.get().checkPermission(Jenkins.ADMINISTER);
                return connect(url);
            }

            public FormValidation doCheckName(@QueryParameter String value) {
                return value.isEmpty() ? FormValidation.error("empty") : FormValidation.ok();
            }
        }
        """,
    "methods that are no routes": """
        @Service
        class Orders {
            @PreAuthorize("hasRole('CLERK')")
            public void cancel(long id) { orders.cancel(id); }

            public void deleteExpired() { orders.deleteExpired(); }
        }
        """,
    "open to its client, in an interface": """
        @FeignClient("stock")
        interface Stock {
            @PreAuthorize("hasRole('CLERK')")
            @PostMapping("/stock")
            void add(@RequestBody Item item);

            @DeleteMapping("/stock/{id}")
            void drop(@PathVariable long id);
        }
        """,
    "the object's guard says nothing of new ones": """
        @RestController
        class Reviews {
            @PreAuthorize("@reviews.isOwner(#id)")
            @PutMapping("/reviews/{id}")
            void change(@PathVariable long id, @RequestBody Review review) { reviews.change(id, review); }

            @PostMapping("/reviews")
            void add(@RequestBody Review review) { reviews.add(review); }
        }
        """,
}
CHAIN = """
    @Configuration
    class Security {
        @Bean
        SecurityFilterChain chain(HttpSecurity http) throws Exception {
            return http.authorizeHttpRequests(rules -> rules
                .requestMatchers("/login").permitAll()
                .requestMatchers("/admin/**").hasRole("ADMIN")
                .anyRequest().authenticated()
            ).build();
        }
    }
    """
GUARDED = """
    @RestController
    class Users {
        @PreAuthorize("hasRole('ADMIN')")
        @DeleteMapping("/users/{id}")
        void drop(@PathVariable long id) {
            access.checkAdmin();
            users.drop(id);
        }
    }
    """
REMOVED = {
    "annotation and call": (GUARDED, ("        @PreAuthorize(\"hasRole('ADMIN')\")\n", "access.checkAdmin();"), [4, 7]),
    "annotation alone": (GUARDED, ("        @PreAuthorize(\"hasRole('ADMIN')\")\n",), [4]),
    "rule of a filter chain": (CHAIN, ('.requestMatchers("/admin/**").hasRole("ADMIN")',), [8]),
}
KEPT = {
    "another annotation": (GUARDED, "@PreAuthorize(\"hasRole('ADMIN')\")", '@Secured("ROLE_ADMIN")'),
    "the method went": (GUARDED, "void drop(", "void remove("),
    "a stricter rule of the chain": (CHAIN, 'hasRole("ADMIN")', 'hasAuthority("ROOT")'),
    "the check was written otherwise": (GUARDED, "access.checkAdmin();", "if (!user.isAdmin()) return;"),
}


def hits(code: str) -> list[Hit]:
    return [hit for hit in run(RULE, code, path=PATH) if hit.confidence is not Confidence.LOW]


@pytest.mark.parametrize("name", REPORTED)
def test_check__reported(name: str) -> None:
    assert lines_of(hits(REPORTED[name])) == marked_lines(REPORTED[name])


@pytest.mark.parametrize("name", QUIET)
def test_check__quiet(name: str) -> None:
    assert hits(QUIET[name]) == []


@pytest.mark.parametrize("name", REMOVED)
def test_check__removed_guard(name: str) -> None:
    before, gone, expected = REMOVED[name]
    after = before
    for part in gone:
        after = after.replace(part, "")
    found = list(RULE.run(make_source(after, path=PATH, before=before), MemoryResolver()))
    assert [hit.start_line for hit in found if hit.side is Side.LEFT] == expected


@pytest.mark.parametrize("name", KEPT)
def test_check__guard_replaced(name: str) -> None:
    before, old, new = KEPT[name]
    assert old in before
    found = RULE.run(make_source(before.replace(old, new), path=PATH, before=before), MemoryResolver())
    assert [hit for hit in found if hit.side is Side.LEFT] == []
