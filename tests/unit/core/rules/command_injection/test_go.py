from __future__ import annotations

import pytest
from rule_tables import lines_of, marked_lines, run

from devpulse.core.categories import Confidence
from devpulse.core.rules.command_injection import RULE

REPORTED = {
    "script of a shell": """
        func ping(w http.ResponseWriter, r *http.Request) {
            host := r.URL.Query().Get("host")
            out, _ := exec.Command("sh", "-c", "ping -c 1 "+host).Output() // BAD
            w.Write(out)
        }
        """,
    "formatted": """
        func convert(w http.ResponseWriter, r *http.Request) {
            cmd := fmt.Sprintf("convert %s out.png", r.FormValue("name"))
            exec.Command("/bin/bash", "-c", cmd).Run() // BAD
        }
        """,
    "with a context": """
        func dump(ctx context.Context, table string) error {
            return exec.CommandContext(ctx, "bash", "-c", "mysqldump app "+table+" > t.sql").Run() // BAD
        }
        """,
    "program chosen": """
        func run(c *gin.Context) {
            out, err := exec.Command(c.Query("tool"), "--version").CombinedOutput() // BAD
            c.String(200, string(out), err)
        }
        """,
    "remote shell": """
        func remove(session *ssh.Session, name string) error {
            return session.Run("rm -rf /data/" + name) // BAD
        }
        """,
    "message of a socket": """
        func shell(w http.ResponseWriter, r *http.Request) {
            conn, _ := upgrader.Upgrade(w, r, nil)
            _, message, err := conn.ReadMessage()
            if err == nil {
                exec.Command("sh", "-c", strings.TrimSpace(string(message))).Run() // BAD
            }
        }
        """,
    "script behind a context": """
        func run(w http.ResponseWriter, r *http.Request) {
            exec.CommandContext(r.Context(), "sh", "-c", r.FormValue("line")).Run() // BAD
        }
        """,
    "runner of the program": """
        func restart(unit string) error {
            if err := RunCommand("systemctl restart " + unit); err != nil { // BAD
                return err
            }
            return cmd.Exec(fmt.Sprintf("journalctl -u %s", unit)) // BAD
        }
        """,
    "tool of a model": """
        func probe(ctx context.Context, call mcp.CallToolRequest) (*mcp.CallToolResult, error) {
            host, err := call.RequireString("host")
            if err != nil {
                return nil, err
            }
            out, _ := exec.Command("sh", "-c", "dig "+host).Output() // BAD
            return mcp.NewToolResultText(string(out)), nil
        }
        """,
    "chat": """
        func said(bot *tgbotapi.BotAPI, update tgbotapi.Update) {
            exec.Command("sh", "-c", update.Message.Text).Run() // BAD
        }
        """,
    "socket": """
        func talk(w http.ResponseWriter, r *http.Request) {
            ws, _ := upgrader.Upgrade(w, r, nil)
            var order Order
            ws.ReadJSON(&order)
            exec.Command("sh", "-c", order.Line).Run() // BAD
        }

        func serve(conn net.Conn) {
            line, _ := bufio.NewReader(conn).ReadString('\\n')
            exec.Command("sh", "-c", line).Run() // BAD
        }
        """,
    "record of a command": """
        func convert(w http.ResponseWriter, r *http.Request) {
            cmd := &exec.Cmd{Path: "/bin/sh", Args: []string{"sh", "-c", "convert " + r.FormValue("src")}} // BAD
            cmd.Run()
        }
        """,
    "address that nobody looks at": """
        func ping(c *gin.Context) {
            host := c.PostForm("host")
            ip := net.ParseIP(host)
            log.Println(ip)
            exec.Command("sh", "-c", "ping -c 1 "+host).Run() // BAD
        }
        """,
}
QUIET = {
    "constant revision": """
        func log(ctx context.Context, w http.ResponseWriter, r *http.Request) {
            out, _ := exec.CommandContext(ctx, "git", "log", "--format=%H", "HEAD").Output()
            w.Write(out)
        }
        """,
    "argument list": """
        func ping(w http.ResponseWriter, r *http.Request) {
            out, _ := exec.Command("ping", "-c", "1", r.URL.Query().Get("host")).Output()
            w.Write(out)
        }
        """,
    "constant": """
        func restart() error {
            return exec.Command("sh", "-c", "date | tee now.txt").Run()
        }
        """,
    "script without the value": """
        func show(name string) error {
            return exec.Command("sh", "-c", "cat \\"$1\\"", "_", name).Run()
        }
        """,
    "number": """
        func wait(r *http.Request) {
            n, err := strconv.Atoi(r.FormValue("n"))
            if err != nil {
                return
            }
            exec.Command("sh", "-c", fmt.Sprintf("sleep %d", n)).Run()
        }
        """,
    "chosen by a switch": """
        func status(w http.ResponseWriter, r *http.Request) {
            var line string
            switch r.FormValue("what") {
            case "disk":
                line = "df -h"
            default:
                line = "free -m"
            }
            exec.Command("sh", "-c", line).Run()
        }
        """,
    "a test or a job that runs": """
        func (s *Suite) each(job *Job, name string) {
            job.Run("sub " + name)
            s.server.Start("listening " + name)
        }
        """,
    "runner of the program with a list": """
        func restart(unit string) error {
            log.Printf("running command for %s", unit)
            return RunCommand("systemctl", "restart", unit)
        }
        """,
    "order of a queue as arguments": """
        func work(d amqp.Delivery) {
            var order Order
            json.Unmarshal(d.Body, &order)
            exec.Command("convert", order.Source, order.Target).Run()
        }
        """,
    "number of a tool": """
        func probe(ctx context.Context, call mcp.CallToolRequest) (*mcp.CallToolResult, error) {
            count, _ := call.RequireInt("count")
            out, _ := exec.Command("sh", "-c", fmt.Sprintf("ping -c %d localhost", count)).Output()
            return mcp.NewToolResultText(string(out)), nil
        }
        """,
    "address of a host": """
        func ping(c *gin.Context) {
            host := c.PostForm("host")
            ip := net.ParseIP(host)
            if ip == nil {
                c.AbortWithStatus(400)
                return
            }
            exec.Command("sh", "-c", "ping -c 1 "+host).Run()
            exec.Command("sh", "-c", "ping -c 2 "+ip.String()).Run()
        }
        """,
}


@pytest.mark.parametrize("code", REPORTED.values(), ids=REPORTED)
def test_check__reports(code: str) -> None:
    hits = [hit for hit in run(RULE, code, path="internal/app.go") if hit.confidence is not Confidence.LOW]
    assert lines_of(hits) == marked_lines(code)
    assert all(hit.cwe == 78 and hit.trace is not None for hit in hits)


@pytest.mark.parametrize("code", QUIET.values(), ids=QUIET)
def test_check__is_quiet(code: str) -> None:
    assert [hit for hit in run(RULE, code, path="internal/app.go") if hit.confidence is not Confidence.LOW] == []
