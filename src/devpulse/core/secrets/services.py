"""Formats of credentials of services: payment, messages, models, monitoring, and formats of no one service.

From the providers' own documentation of their credentials.
"""

from __future__ import annotations

from devpulse.core.secrets.formats import provider

SERVICES = (
    provider(
        "slack-token",
        "xoxb- xoxp- xoxa- xoxo- xoxr- xoxs- xapp- xoxe xoxc- xoxd-",
        r"(?:xox[bpe]-\d{8,14}-[A-Za-z0-9-]{12,250}|xox[aors]-(?:\d-)?[A-Za-z0-9-]{10,250}|xox[cd]-[A-Za-z0-9%-]{20,250}"
        r"|xoxe(?:\.xox[bp])?-\d-[A-Za-z0-9]{60,260}|xapp-\d-[A-Z0-9]{8,20}-\d{8,20}-[a-z0-9]{20,100})",
    ),
    provider(
        "slack-token",
        "xoxb- xoxp- xapp- xoxe",
        r"(?:xox[bpe]-|xoxe\.xox[bp]-\d-|xapp-\d-)[A-Za-z0-9%-]{10,250}",
        sure=False,
    ),
    provider(
        "slack-webhook", "hooks.slack.com", r"hooks\.slack\.com/(?:services|workflows|triggers)/([A-Za-z0-9/+]{20,120})"
    ),
    provider(
        "teams-webhook",
        ".webhook.office.com/webhookb2/ outlook.office.com/webhook/",
        r"(?:[a-z0-9-]{1,60}\.webhook|outlook)\.office\.com/webhook(?:b2)?/([A-Za-z0-9/@-]{36,220})",
        60,
    ),
    provider(
        "discord-webhook",
        "discord.com/api/webhooks/ discordapp.com/api/webhooks/",
        r"discord(?:app)?\.com/api/webhooks/\d{5,30}/([\w-]{30,120})",
    ),
    provider("discord-token", "MT Mj Mz ND NT Nj Nz OD OT", r"[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,45}"),
    provider("telegram-token", ":AA", r"\d{8,10}:AA[\w-]{32,33}", 10),
    provider("twilio-key", "SK", r"SK[0-9a-f]{32}"),
    provider("sendgrid-key", "SG.", r"SG\.[\w-]{22}\.[\w-]{43}"),
    provider("mailgun-key", "key- pubkey-", r"(?:pub)?key-[0-9a-f]{32}"),
    provider("mailchimp-key", "-us", r"[0-9a-f]{32}-us\d{1,2}", 32),
    provider("brevo-key", "xkeysib- xsmtpsib-", r"x(?:key|smtp)sib-[0-9a-f]{64}-[A-Za-z0-9]{16}"),
    provider(
        "stripe-key",
        "sk_live_ rk_live_ sk_test_ rk_test_ sk_prod_ rk_prod_ whsec_",
        r"(?:(?:sk|rk)_(?:live|test|prod)|whsec)_[A-Za-z0-9+/=]{16,247}",
    ),
    provider("square-key", "sq0 EAAA", r"(?:sq0[a-z]{3}-[\w-]{22,60}|EAAA[\w-]{60})"),
    provider("paypal-token", "access_token$", r"access_token\$(?:production|sandbox)\$[a-z0-9]{16}\$[0-9a-z]{32}"),
    provider("shopify-token", "shpat_ shpca_ shppa_ shpss_ shptka_", r"shp(?:at|ca|pa|ss|tka)_[0-9a-fA-F]{32}"),
    provider("flutterwave-key", "FLWSECK", r"FLWSECK(?:_TEST)?-[0-9a-zA-Z]{12,40}(?:-X)?"),
    provider(
        "plaid-token",
        "access-",
        r"access-(?:sandbox|development|production)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}",
    ),
    provider("lob-key", "live_ test_", r"(?:live|test)_[0-9a-f]{35}"),
    provider("easypost-key", "EZAK EZTK", r"EZ[AT]K[A-Za-z0-9]{54}"),
    provider("shippo-token", "shippo_", r"shippo_(?:live|test)_[0-9a-f]{40}"),
    provider("duffel-token", "duffel_", r"duffel_(?:live|test)_[\w=-]{43}"),
    provider("gocardless-token", "live_", r"live_[\w=-]{40}"),
    provider(
        "openai-key", "sk-", r"sk-(?:proj-|svcacct-|admin-|None-)?[A-Za-z0-9_-]{16,160}T3BlbkFJ[A-Za-z0-9_-]{16,160}"
    ),
    provider(
        "model-key",
        "sk-or-v1- gsk_ xai- pplx- r8_ nvapi- tvly- csk- fw_ tgp_v1_",
        r"(?:sk-or-v1-[0-9a-f]{64}|gsk_[A-Za-z0-9]{52}|xai-[A-Za-z0-9]{70,90}|pplx-[A-Za-z0-9]{32,64}"
        r"|r8_[A-Za-z0-9]{37}|nvapi-[\w-]{60,80}|tvly-(?:dev-|prod-)?[A-Za-z0-9-]{30,50}|csk-[a-z0-9]{48}|fw_[A-Za-z0-9]{22,30}|tgp_v1_[\w-]{40,50})",
    ),
    provider("model-key", "sk-", r"sk-(?:[0-9a-f]{32}|[A-Za-z0-9]{48})"),
    provider("model-key", "sk-proj- sk-svcacct-", r"sk-(?:proj|svcacct)-[\w-]{40,220}", sure=False),
    provider(
        "anthropic-key", "sk-ant-", r"sk-ant-(?:(?:api|admin)\d\d-[\w-]{93}AA|(?!api\d|admin\d)[\w-]{24,160})(?![\w-])"
    ),
    provider("anthropic-key", "sk-ant-", r"sk-ant-[\w-]{24,160}", sure=False),
    provider("hugging-face-token", "hf_ api_org_", r"(?:hf|api_org)_[A-Za-z0-9]{34}"),
    provider("datadog-key", "ddapp_ ddp_", r"dd(?:app|p)_[A-Za-z0-9]{34,40}"),
    provider(
        "new-relic-key",
        "NRAK- NRII- NRJS- NRAA- NRRA- NRBR-",
        r"(?:NR(?:AK|AA|RA|BR)-[A-Z0-9a-z]{27,42}|NRII-[\w-]{32}|NRJS-[0-9a-f]{19})",
    ),
    provider("new-relic-key", "FFFFNRAL", r"[0-9a-f]{32}FFFFNRAL", 32),
    provider("grafana-token", "glc_ glsa_", r"(?:glc_[A-Za-z0-9+/=]{32,400}|glsa_[A-Za-z0-9]{32}_[0-9a-fA-F]{8})"),
    provider("grafana-key", "eyJrIjoi", r"eyJrIjoi[A-Za-z0-9+/]{50,400}={0,3}"),
    provider("sentry-token", "sntrys_ sntryu_", r"(?:sntrys_eyJ[A-Za-z0-9+/=_]{60,400}|sntryu_[0-9a-f]{64})"),
    provider("dynatrace-token", "dt0c01. dt0s", r"dt0[a-z]\d\d\.[A-Z0-9]{8,24}\.[A-Z0-9]{64}"),
    provider("posthog-key", "phx_ phs_", r"ph[xs]_[\w-]{43,60}"),
    provider(
        "sourcegraph-token", "sgp_ slk_", r"(?:sgp_(?:(?:[0-9a-fA-F]{16}|local)_)?[0-9a-fA-F]{40}|slk_[0-9a-f]{64})"
    ),
    provider("linear-key", "lin_api_ lin_oauth_", r"lin_(?:api|oauth)_[A-Za-z0-9]{32,64}"),
    provider("notion-token", "ntn_ secret_", r"(?:ntn_[A-Za-z0-9]{40,50}|secret_[A-Za-z0-9]{43})"),
    provider("airtable-token", "pat", r"pat[A-Za-z0-9]{14}\.[0-9a-f]{64}"),
    provider("figma-token", "figd_ figo_ figu_", r"fig[dou]_[\w-]{36,60}"),
    provider("postman-key", "PMAK-", r"PMAK-[0-9a-f]{24}-[0-9a-f]{34}"),
    provider("dropbox-token", "sl.", r"sl\.(?:u\.)?[A-Za-z0-9_=-]{120,1400}"),
    provider("facebook-token", "EAA", r"EAA(?:C|[A-Za-z0-9]{1,3})[A-Za-z0-9]{20,300}"),
    provider("twitter-token", "AAAAAAAAAAAAAAAAAAAA", r"A{20,22}[A-Za-z0-9%]{60,100}"),
    provider("intra42-secret", "s-s4t2", r"s-s4t2(?:ud|af)-[0-9a-f]{64}"),
    provider("onfido-token", "api_live api_sandbox", r"api_(?:live|sandbox)(?:_[a-z]{2})?\.[\w-]{11}\.[\w-]{32}"),
    provider("kolide-key", "k2sk_v", r"k2sk_v\d_[A-Za-z0-9]{24}"),
    provider("contentful-token", "CFPAT-", r"CFPAT-[\w-]{43}"),
    provider("readme-key", "rdme_", r"rdme_[a-z0-9]{70}"),
    provider("frameio-token", "fio-u-", r"fio-u-[\w=-]{64}"),
    provider("typeform-token", "tfp_", r"tfp_[\w.=-]{44,59}"),
    provider("settlemint-token", "sm_", r"sm_(?:aat|pat|sat)_[A-Za-z0-9]{16}"),
    provider("adobe-secret", "p8e- p8-", r"p8e?-[0-9a-fA-F]{32}"),
    provider("mapbox-token", "sk.eyJ", r"sk\.eyJ[\w-]{30,200}\.[\w-]{20,40}"),
    provider("salesforce-token", "00D", r"00D[A-Za-z0-9]{12,15}![\w.]{80,200}"),
    provider(
        "authress-key",
        "sc_ ext_ scauth_ authress_",
        r"(?:sc|ext|scauth|authress)_[a-z0-9]{5,30}\.[a-z0-9]{4,6}\.acc_[a-z0-9-]{10,32}\.[A-Za-z0-9+/_=-]{30,120}",
    ),
    provider("clickhouse-key", "4b1d", r"4b1d[A-Za-z0-9]{38}"),
    provider("maxmind-key", "_mmk", r"[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk", 36),
    provider("jwt", "eyJ", r"eyJ[\w-]{10,2000}\.eyJ[\w-]{10,4000}(?:\.[\w-]{16,1000})?"),
    provider("jwt", "ZXlK", r"ZXlK[A-Za-z0-9+/=_-]{60,4000}"),
)
