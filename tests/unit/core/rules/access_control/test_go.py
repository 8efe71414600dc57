from __future__ import annotations

import pytest
from rule_tables import MemoryResolver, lines_of, make_source, marked_lines, run

from devpulse.core.categories import Confidence
from devpulse.core.change import Side
from devpulse.core.finding import Hit
from devpulse.core.rules.access_control.go import RULE

PATH = "server/routes.go"
REPORTED = {
    "net/http": """
        func routes(mux *http.ServeMux, s *server) {
            mux.HandleFunc("POST /orders", s.requireAuth(s.createOrder))
            mux.HandleFunc("PUT /orders/{id}", s.requireAuth(s.updateOrder))
            mux.HandleFunc("DELETE /orders/{id}", s.deleteOrder)  // BAD
        }
        """,
    "net/http without methods": """
        func routes(s *server) {
            http.Handle("/orders/create", requireLogin(http.HandlerFunc(s.create)))
            http.HandleFunc("/orders/delete", s.remove)  // BAD
            http.HandleFunc("/", s.home)
        }
        """,
    "gorilla": """
        func routes(r *mux.Router, h *handlers) {
            r.HandleFunc("/users", h.AuthMiddleware(h.CreateUser)).Methods("POST")
            r.HandleFunc("/users/{id}", h.AuthMiddleware(h.UpdateUser)).Methods("PUT")
            r.HandleFunc("/users/{id}", h.DeleteUser).Methods(http.MethodDelete)  // BAD
        }
        """,
    "gin": """
        func routes(r *gin.Engine) {
            r.POST("/posts", AuthRequired(), createPost)
            r.PUT("/posts/:id", AuthRequired(), updatePost)
            r.DELETE("/posts/:id", deletePost)  // BAD
        }
        """,
    "echo": """
        func routes(e *echo.Echo, h *Handler) {
            e.POST("/notes", h.Create, middleware.JWT(key))
            e.PUT("/notes/:id", h.Update, middleware.JWT(key))
            e.DELETE("/notes/:id", h.Delete)  // BAD
        }
        """,
    "chi": """
        func routes(r chi.Router, h *Handler) {
            r.With(auth.Required).Post("/items", h.Create)
            r.With(auth.Required).Put("/items/{id}", h.Update)
            r.Delete("/items/{id}", h.Delete)  // BAD
        }
        """,
    "handlers that check themselves": """
        func routes(mux *http.ServeMux) {
            mux.HandleFunc("POST /keys", createKey)
            mux.HandleFunc("DELETE /keys/{id}", deleteKey)  // BAD
        }

        func createKey(w http.ResponseWriter, r *http.Request) {
            if !isAdmin(r) {
                http.Error(w, "no", http.StatusForbidden)
                return
            }
            keys.Create(r.FormValue("name"))
        }

        func deleteKey(w http.ResponseWriter, r *http.Request) {
            keys.Delete(r.PathValue("id"))
        }
        """,
}
QUIET = {
    "gin group": """
        func routes(r *gin.Engine) {
            r.POST("/login", login)
            r.POST("/vote", vote)
            admin := r.Group("/admin")
            admin.Use(AuthRequired())
            admin.POST("/users", createUser)
            admin.DELETE("/users/:id", RequireRoot(), deleteUser)
            staff := admin.Group("/staff")
            staff.POST("/a", RequireRoot(), a)
            staff.DELETE("/b", b)
        }
        """,
    "group with its middleware": """
        func routes(e *echo.Echo) {
            g := e.Group("/admin", middleware.KeyAuth(valid))
            g.POST("/users", createUser, requireAdmin)
            g.DELETE("/users/:id", deleteUser)
        }
        """,
    "chi closures": """
        func routes(r chi.Router, h *Handler) {
            r.Post("/contact", h.Contact)
            r.Group(func(r chi.Router) {
                r.Use(Authenticator)
                r.Post("/items", h.Create)
                r.With(requireAdmin).Delete("/items/{id}", h.Delete)
                r.Route("/drafts", func(r chi.Router) {
                    r.With(requireAdmin).Post("/", h.CreateDraft)
                    r.Delete("/{id}", h.DeleteDraft)
                })
            })
        }
        """,
    "closures over the same router, guards behind them": """
        func routes(m *macaron.Macaron) {
            m.Post("/install", install)
            m.Group("/admin", func() {
                m.Post("/users", reqRoot(), createUser)
                m.Delete("/users/:id", deleteUser)
            }, reqAdmin())
        }
        """,
    "login, health and webhooks": """
        func routes(mux *http.ServeMux, s *server) {
            mux.HandleFunc("POST /orders", s.requireAuth(s.createOrder))
            mux.HandleFunc("POST /login", s.login)
            mux.HandleFunc("POST /webhooks/stripe", s.stripe)
            mux.HandleFunc("GET /healthz", s.health)
            mux.HandleFunc("POST /signup", s.signup)
        }
        """,
    "reading is open": """
        func routes(r *gin.Engine) {
            r.POST("/posts", AuthRequired(), createPost)
            r.GET("/posts", listPosts)
            r.GET("/users/:id", showUser)
        }
        """,
    "nobody guarded": """
        func routes(mux *http.ServeMux, s *server) {
            mux.HandleFunc("POST /orders", s.createOrder)
            mux.HandleFunc("DELETE /orders/{id}", s.deleteOrder)
        }
        """,
    "all guarded": """
        func routes(r *gin.Engine) {
            r.POST("/posts", AuthRequired(), createPost)
            r.DELETE("/posts/:id", auth.RequireRole("admin"), deletePost)
        }
        """,
    "another wrapper may check": """
        func routes(mux *http.ServeMux, s *server) {
            mux.HandleFunc("POST /orders", s.requireAuth(s.createOrder))
            mux.HandleFunc("DELETE /orders/{id}", s.staff(s.deleteOrder))
        }
        """,
    "the handler asks": """
        func routes(mux *http.ServeMux, s *server) {
            mux.HandleFunc("POST /orders", s.requireAuth(s.createOrder))
            mux.HandleFunc("DELETE /orders/{id}", s.deleteOrder)
        }

        func (s *server) deleteOrder(w http.ResponseWriter, r *http.Request) {
            user := s.userFrom(r)
            s.orders.Delete(user, r.PathValue("id"))
        }
        """,
    "calls of a client": """
        func save(c *api.Client) error {
            c.Post("/orders", requireAuth(body))
            c.Delete("https://shop.example/orders/1", nil)
            return c.Put("/orders/1", body)
        }
        """,
    "another router": """
        func routes(public, private *gin.RouterGroup) {
            private.POST("/posts", AuthRequired(), createPost)
            public.POST("/votes", vote)
        }
        """,
}
ROUTES = """
    func routes(r *gin.Engine) {
        r.DELETE("/posts/:id", AuthRequired(), deletePost)
        admin := r.Group("/admin")
        admin.Use(AdminOnly())
        admin.POST("/users", createUser)
    }
    """
WRAPPED = """
    func routes(mux *http.ServeMux, s *server) {
        mux.HandleFunc("POST /orders", s.requireAuth(s.save))
    }
    """
HANDLER = """
    func deleteKey(w http.ResponseWriter, r *http.Request) {
        if !isAdmin(r) {
            http.Error(w, "no", http.StatusForbidden)
            return
        }
        keys.Delete(r.PathValue("id"))
    }
    """
REMOVED = {
    "middleware of a route": (ROUTES, '"/posts/:id", AuthRequired(), ', '"/posts/:id", ', [3]),
    "middleware of a group": (ROUTES, "        admin.Use(AdminOnly())\n", "", [5]),
    "wrapper of a handler": (WRAPPED, "s.requireAuth(s.save)", "s.save", [3]),
    "check in a handler": (HANDLER, HANDLER[HANDLER.index("        if") : HANDLER.index("        keys")], "", [3]),
}
KEPT = {
    "another middleware": (ROUTES, "AuthRequired()", "RequireRole(admin)"),
    "another check": (HANDLER, "!isAdmin(r)", "!hasPermission(r, deleting)"),
    "the route went": (ROUTES, 'r.DELETE("/posts/:id", AuthRequired(), deletePost)', ""),
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
    before, old, new, expected = REMOVED[name]
    assert old in before
    found = list(RULE.run(make_source(before.replace(old, new), path=PATH, before=before), MemoryResolver()))
    assert [hit.start_line for hit in found if hit.side is Side.LEFT] == expected


@pytest.mark.parametrize("name", KEPT)
def test_check__guard_replaced(name: str) -> None:
    before, old, new = KEPT[name]
    assert old in before
    found = RULE.run(make_source(before.replace(old, new), path=PATH, before=before), MemoryResolver())
    assert [hit for hit in found if hit.side is Side.LEFT] == []
