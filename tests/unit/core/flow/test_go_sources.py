"""What frameworks, chats and queues of Go hand to a program, by level."""

from __future__ import annotations

from tables import for_each

from devpulse.core.flow.engine import analyse
from devpulse.core.flow.values import Level

SENT = (
    ("q *ghttp.Request", 'sink(q.Get("x").String())', Level.REQUEST),
    ("q *ghttp.Request", 'sink(q.GetQuery("x"))', Level.REQUEST),
    ("q *ghttp.Request", 'sink(q.GetForm("x").String())', Level.REQUEST),
    ("q *ghttp.Request", 'sink(q.GetRequest("x"))', Level.REQUEST),
    ("q *ghttp.Request", 'sink(q.GetRouter("x").String())', Level.REQUEST),
    ("q *ghttp.Request", "sink(q.GetBodyString())", Level.REQUEST),
    ("q *ghttp.Request", "sink(string(q.GetBody()))", Level.REQUEST),
    ("q *ghttp.Request", 'sink(q.GetHeader("X-Name"))', Level.REQUEST),
    ("q *ghttp.Request", 'sink(q.GetUploadFile("x").Filename)', Level.REQUEST),
    ("q *ghttp.Request", 'sink(q.GetQuery("x").Int())', Level.UNKNOWN),
    ("q *ghttp.Request", "sink(q.Response.Status)", Level.UNKNOWN),
    ("w http.ResponseWriter, q *http.Request", "var req Asked; httpx.Parse(q, &req); sink(req.Name)", Level.REQUEST),
    ("w http.ResponseWriter, q *http.Request", "var req Asked; httpx.ParseForm(q, &req); sink(req.A)", Level.REQUEST),
    ("w http.ResponseWriter, q *http.Request", "var req Asked; httpx.ParsePath(q, &req); sink(req.A)", Level.REQUEST),
    ("w http.ResponseWriter, q *http.Request", "var o Asked; httpx.ParseJsonBody(q, &o); sink(o.A)", Level.REQUEST),
    ("w http.ResponseWriter, q *http.Request", "var req Asked; sink(req.Name)", Level.UNKNOWN),
    ("q tele.Context", "sink(q.Text())", Level.REQUEST),
    ("q tele.Context", "sink(q.Args()[0])", Level.REQUEST),
    ("q tele.Context", "sink(q.Data())", Level.REQUEST),
    ("q telebot.Context", "sink(q.Message().Payload)", Level.REQUEST),
    ("q tb.Context", "sink(q.Message().Text)", Level.REQUEST),
    ("q *tb.Message", "sink(q.Payload)", Level.REQUEST),
    ("s *discordgo.Session, q *discordgo.MessageCreate", "sink(q.Content)", Level.REQUEST),
    ("s *discordgo.Session, q *discordgo.InteractionCreate", "sink(q.ApplicationCommandData().Name)", Level.REQUEST),
    ("q slack.SlashCommand", "sink(q.Text)", Level.REQUEST),
    ("q *tgbotapi.Message", "sink(q.Text)", Level.REQUEST),
    ("ctx context.Context, q *asynq.Task", "sink(string(q.Payload()))", Level.LOCAL_INPUT),
    ("q *nats.Msg", "sink(string(q.Data))", Level.LOCAL_INPUT),
    ("q jetstream.Msg", "sink(string(q.Data()))", Level.LOCAL_INPUT),
    ("q *redis.Message", "sink(q.Payload)", Level.LOCAL_INPUT),
    ("q *primitive.MessageExt", "sink(string(q.Body))", Level.LOCAL_INPUT),
    ("q *pubsub.Message", "sink(string(q.Data))", Level.LOCAL_INPUT),
    ("q *discordgo.Channel", "sink(q.Topic)", Level.PARAMETER),
    ("q *shelf.Message", "sink(q.Text)", Level.PARAMETER),
)


def level(parameters: str, body: str) -> Level:
    """The highest level of what comes to ``sink``."""
    calls = [call for call in analyse("go", f"func f({parameters}) {{\n{body}\n}}").calls if call.callee == "sink"]
    taints = [taint for call in calls for argument in call.arguments for taint in argument.value.taints]
    assert calls
    return max((taint.origin.level for taint in taints), default=Level.UNKNOWN)


@for_each(SENT)
def test_analyse__what_is_sent(row: tuple[str, str, Level]) -> None:
    parameters, body, expected = row
    assert level(parameters, body) is expected
