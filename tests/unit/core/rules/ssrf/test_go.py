from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.categories import Confidence
from devpulse.core.rules.ssrf import RULE

REPORTED = {
    "any address of a host": """
        func status(c *gin.Context) {
            host := c.Query("host")
            ip := net.ParseIP(host)
            if ip == nil {
                return
            }
            http.Get("http://" + host + "/status") // BAD
            http.Get("http://" + ip.String() + "/status") // BAD
        }
        """,
    "get": """
        func proxy(w http.ResponseWriter, r *http.Request) {
            resp, err := http.Get(r.URL.Query().Get("url")) // BAD
            answer(w, resp, err)
        }
        """,
    "new request": """
        func proxy(w http.ResponseWriter, r *http.Request) {
            target := r.FormValue("target")
            req, err := http.NewRequest("GET", target, nil) // BAD
            send(req, err)
        }
        """,
    "with a context": """
        func preview(c *gin.Context) {
            link := c.Query("link")
            req, _ := http.NewRequestWithContext(c, http.MethodGet, link, nil) // BAD
            client.Do(req)
        }
        """,
    "host in a text": """
        func status(c echo.Context) error {
            url := fmt.Sprintf("http://%s/status", c.QueryParam("host"))
            resp, err := http.Get(url) // BAD
            return answer(c, resp, err)
        }
        """,
    "resty": """
        func mirror(c *gin.Context) {
            resp, err := client.R().Get(c.Query("from")) // BAD
            c.JSON(200, resp)
        }
        """,
    "client of a name": """
        func mirror(w http.ResponseWriter, r *http.Request) {
            resp, _ := http.DefaultClient.Get(r.FormValue("from")) // BAD
            defer resp.Body.Close()
        }
        """,
    "clone": """
        func mirror(c *gin.Context) {
            git.PlainClone("/tmp/mirror", false, &git.CloneOptions{URL: c.Query("from")}) // BAD
        }
        """,
}
QUIET = {
    "range of the host": """
        func status(c *gin.Context) {
            host := c.Query("host")
            ip := net.ParseIP(host)
            if ip == nil || ip.IsPrivate() || ip.IsLoopback() {
                return
            }
            http.Get("http://" + host + "/status")
        }
        """,
    "host is fixed": """
        func user(w http.ResponseWriter, r *http.Request) {
            resp, err := http.Get("https://api.example.com/users/" + r.FormValue("id"))
            answer(w, resp, err)
        }
        """,
    "given by the caller": """
        func fetch(url string) (*http.Response, error) {
            return http.Get(url)
        }
        """,
    "allowed": """
        var links = map[string]bool{"https://a.example.com/": true}

        func preview(w http.ResponseWriter, r *http.Request) {
            link := r.FormValue("link")
            if !links[link] {
                http.Error(w, "link", http.StatusBadRequest)
                return
            }
            resp, err := http.Get(link)
            answer(w, resp, err)
        }
        """,
    "looked up": """
        func hook(w http.ResponseWriter, r *http.Request) {
            target := targets[r.FormValue("name")]
            http.Post(target, "application/json", r.Body)
        }
        """,
    "key of a cache": """
        func cached(c *gin.Context) {
            value, err := redisClient.Get(ctx, c.Query("key")).Result()
            c.JSON(200, value)
        }
        """,
    "fixed host of resty": """
        func mirror(c *gin.Context) {
            resp, err := client.R().Get("https://api.example.com/items/" + c.Query("id"))
            c.JSON(200, resp)
        }
        """,
    "host compared": """
        func mirror(c *gin.Context) {
            u, err := url.Parse(c.Query("from"))
            if err != nil || u.Hostname() != "api.example.com" {
                return
            }
            http.Get(u.String())
        }
        """,
}


@pytest.mark.parametrize("code", REPORTED.values(), ids=REPORTED)
def test_check__reports(code: str) -> None:
    hits = [hit for hit in run(RULE, code, path="internal/app.go") if hit.confidence is not Confidence.LOW]
    assert lines_of(hits) == marked_lines(code)
    assert all(hit.cwe == 918 and hit.trace is not None for hit in hits)


@pytest.mark.parametrize("code", QUIET.values(), ids=QUIET)
def test_check__is_quiet(code: str) -> None:
    assert [hit for hit in run(RULE, code, path="internal/app.go") if hit.confidence is not Confidence.LOW] == []
