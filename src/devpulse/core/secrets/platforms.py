"""Formats of credentials of clouds, code hosts, package registries and infrastructure, as data.

From the providers' own documentation of their credentials.
"""

from __future__ import annotations

from devpulse.core.secrets.formats import provider

_UUID = "[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}"
_AWS_NAMES = "aws Aws AWS secretAccessKey SecretAccessKey secret_access_key SECRET_ACCESS_KEY"

PLATFORMS = (
    provider("aws-key", "AKIA ASIA ABIA ACCA", r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}"),
    provider(
        "aws-secret",
        _AWS_NAMES,
        r"(?i:(?:aws[a-z_. -]{0,20}(?:secret|key)|secret_?access_?key)[a-z_. -]{0,20}\\?['\"]?\]?[ \t]{0,4}"
        r"(?::=|=>|=|:)[ \t]{0,4})\\?['\"]?([A-Za-z0-9/+]{40})",
    ),
    provider("aws-session-token", "FwoGZXIvYXdz IQoJb3JpZ2lu", r"(?:FwoGZXIvYXdz|IQoJb3JpZ2lu)[A-Za-z0-9/+=]{80,2000}"),
    provider("aws-bedrock-key", "ABSK bedrock-api-key-", r"(?:ABSK|bedrock-api-key-)[A-Za-z0-9+/=]{32,1200}"),
    provider("aws-marketplace-token", "amzn.mws.", rf"amzn\.mws\.{_UUID}"),
    provider("aws-appsync-key", "da2-", r"da2-[a-z0-9]{26}"),
    provider("google-key", "AIza", r"AIza[\w-]{35}"),
    provider(
        "google-oauth",
        "GOCSPX- ya29. 1//0",
        r"(?:GOCSPX-[\w-]{28}|ya29\.[\w-]{20,500}|1//0[\w-]{40,200})",
    ),
    provider(
        "azure-key",
        "AccountKey= SharedAccessKey= accountkey= sharedaccesskey=",
        r"(?i:AccountKey|SharedAccessKey)=([A-Za-z0-9+/]{42,86}={0,2})",
    ),
    provider(
        "azure-key",
        "AzCa AzSe +ASt +ARm +ACDb +AMC ASbT AIoT APIM",
        r"[A-Za-z0-9+/]{33,80}"
        r"(?:AzCa|AzSe|\+ASt|\+ARm|\+ACDb|ACDb|\+AMC|ASbT|AIoT|APIM)[A-Za-z0-9+/]{5,8}={0,2}",
        80,
    ),
    provider("azure-signature", "sig=", r"sig=([A-Za-z0-9%]{43,110}(?:%3[dD]|=))"),
    provider("azure-client-secret", "7Q~ 8Q~", r"[\w.~-]{3}[78]Q~[\w.~-]{31,34}", 3),
    provider("azure-devops-token", "AZDO", r"[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}", 76),
    provider("azure-openai-key", "JQQJ99", r"[A-Za-z0-9]{52}JQQJ99[A-Za-z0-9]{26}", 52),
    provider("alibaba-key", "LTAI", r"LTAI[A-Za-z0-9]{12,20}"),
    provider("tencent-key", "AKID", r"AKID[A-Za-z0-9]{32}"),
    provider("digitalocean-token", "dop_v1_ doo_v1_ dor_v1_", r"do[opr]_v1_[0-9a-f]{64}"),
    provider("heroku-key", "HRKU-", r"HRKU-[\w-]{36,80}"),
    provider(
        "cloudflare-token", "v1.0- cfat_ cfut_ cfk_", r"(?:v1\.0-[0-9a-f]{24}-[0-9a-f]{146}|cf(?:at|ut|k)_\w{40,60})"
    ),
    provider("fly-token", "FlyV1 fm1_ fm2_ fo1_", r"(?:(?:FlyV1 )?fm[12][ar]?_[A-Za-z0-9+/=]{80,1000}|fo1_[\w-]{43})"),
    provider("vercel-token", "vcp_ vci_ vca_ vcr_ vck_", r"vc[piark]_[\w-]{24,80}"),
    provider("netlify-token", "nfp_", r"nfp_[A-Za-z0-9]{36,40}"),
    provider("render-key", "rnd_", r"rnd_[A-Za-z0-9]{28,40}"),
    provider("scaleway-key", "SCW", r"SCW[A-Z0-9]{17}"),
    provider(
        "yandex-key",
        "AQVN t1. YC",
        r"(?:AQVN[\w-]{35,38}|t1\.[A-Z0-9a-z_-]{10,200}={0,2}\.[\w-]{86}={0,2}|YC[\w-]{38})",
    ),
    provider("akamai-token", "akab-", r"akab-[a-z0-9]{16}-[a-z0-9]{16}"),
    provider("github-token", "ghp_ gho_ ghu_ ghs_ ghr_", r"gh[pousr]_[A-Za-z0-9]{36,255}"),
    provider("github-token", "github_pat_", r"github_pat_[A-Za-z0-9_]{50,255}"),
    provider(
        "gitlab-token",
        "glpat- gldt- glrt- glptt- glft- glsoat- gloas- glcbt- glimt- glagent- glrtr- GR1348941 glffct-",
        r"(?:gl(?:pat|dt|rt|rtr|ft|soat|ffct)-[\w-]{20}|glptt-[0-9a-f]{40}|gloas-[0-9a-f]{64}|glimt-[\w-]{25}"
        r"|glcbt-[0-9a-z]{1,5}_[\w-]{20}|glagent-[\w-]{50}|gl(?:pat|rt)-[\w-]{27,300}\.[0-9a-z]{9}|GR1348941[\w-]{20})(?![\w-])",
    ),
    provider(
        "gitlab-token",
        "glpat- gldt- glrt- glptt- glft- glsoat- gloas- glcbt- glimt- glagent- GR1348941",
        r"(?:gl(?:pat|dt|rt|ptt|ft|soat|oas|cbt|imt|agent)-|GR1348941)[\w.-]{20,300}",
        sure=False,
    ),
    provider("gitlab-session", "_gitlab_session=", r"_gitlab_session=([0-9a-f]{32})"),
    provider(
        "atlassian-token",
        "ATATT3 ATCTT3 ATBB BBDC- ATOA",
        r"(?:AT[AC]TT3[\w=-]{60,250}|ATBB[\w=-]{24,50}|BBDC-[A-Za-z0-9+/]{40,50})",
    ),
    provider("npm-token", "npm_", r"npm_[A-Za-z0-9]{36}"),
    provider("pypi-token", "pypi-AgE", r"pypi-AgE(?:IcHlwaS|NdGVzdC)[\w-]{50,1000}"),
    provider("rubygems-key", "rubygems_", r"rubygems_[0-9a-f]{48}"),
    provider("nuget-key", "oy2", r"oy2[a-z0-9]{43}"),
    provider("clojars-token", "CLOJARS_", r"CLOJARS_[0-9a-fA-F]{60}"),
    provider("docker-token", "dckr_pat_ dckr_oat_", r"dckr_[po]at_[\w-]{27,40}"),
    provider("artifactory-token", "AKC cmVmdGtuOj", r"(?:AKCp?[A-Za-z0-9]{10,80}|cmVmdGtuOj[A-Za-z0-9]{50,60})"),
    provider("terraform-token", ".atlasv1.", r"[A-Za-z0-9]{14}\.atlasv1\.[\w-]{60,80}", 14),
    provider("vault-token", "hvs. hvb. hvr.", r"hv[sbr]\.[\w-]{24,400}"),
    provider("doppler-token", "dp.", r"dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{40,44}"),
    provider("pulumi-token", "pul-", r"pul-[0-9a-f]{40}"),
    provider("infracost-key", "ico-", r"(?<![./])ico-[A-Za-z0-9]{32}"),
    provider(
        "1password-token",
        "ops_eyJ A3-",
        r"(?:ops_eyJ[\w-]{100,1500}={0,3}|A3-[A-Z0-9]{6}-(?:[A-Z0-9]{5,11}-){4,5}[A-Z0-9]{5})",
    ),
    provider("age-key", "AGE-SECRET-KEY-1", r"AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}"),
    provider(
        "encoded-private-key",
        "LS0tLS1CRUdJTi",
        r"LS0tLS1CRUdJTi(?:BQUklW|BSU0Eg|BFQyBQ|BPUEVOU|BEU0Eg|BFTkNSWVBU|BQR1Ag)[A-Za-z0-9+/=_-]{40,20000}",
    ),
    provider("nkey-seed", "SU SA SO SN SC", r"S[UAONC][A-Z2-7]{56}"),
    provider("databricks-token", "dapi", r"dapi[0-9a-f]{32}(?:-\d)?"),
    provider("planetscale-token", "pscale_", r"pscale_(?:tkn|oauth|pw)_[\w=.-]{32,64}"),
    provider("supabase-key", "sbp_ sb_secret_", r"(?:sbp_[0-9a-f]{40}|sb_secret_[\w-]{20,60})"),
    provider("snowflake-key", "ver:1-hint:", r"ver:1-hint:\d{1,20}-ETMsDgAAA[\w+/=-]{50,400}"),
    provider("tailscale-key", "tskey-", r"tskey-(?:auth|api|client|scim|webhook)-[\w-]{20,80}"),
    provider("nebula-key", "dnkey-", r"dnkey-[a-z0-9=_-]{26}-[a-z0-9=_-]{52}|dnkey-[A-Z0-9=_-]{26}-[A-Z0-9=_-]{52}"),
    provider("openshift-token", "sha256~", r"sha256~[\w-]{43}"),
    provider("buildkite-token", "bkua_", r"bkua_[0-9a-f]{40}"),
    provider("circleci-token", "CCIPAT_ CCIPRJ_", r"CCIP(?:AT|RJ)_[A-Za-z0-9]{22}_[0-9a-f]{40}"),
    provider("sonar-token", "squ_ sqp_ sqa_", r"sq[upa]_[0-9a-fA-F]{40}"),
    provider("octopus-key", "API-", r"API-[A-Z0-9]{26}"),
    provider("prefect-key", "pnu_ pnb_", r"pn[ub]_[A-Za-z0-9]{36}"),
    provider("harness-token", "pat. sat.", r"[ps]at\.[\w-]{22}\.[0-9a-f]{24}\.[A-Za-z0-9]{20}"),
    provider("scalingo-token", "tk-us-", r"tk-us-[\w-]{48}"),
)
