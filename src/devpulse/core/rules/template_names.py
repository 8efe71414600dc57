"""What names in templates say of a value: the request's, somebody's text, markup already made, or harmless."""

from __future__ import annotations

from devpulse.core.lazy_pattern import lazy

REQUEST = lazy(
    r"^(?:"
    r"request\.(?:GET|POST|REQUEST|args|form|values|cookies|params|parameters|query|query_params|"
    r"body|META|headers|url|path|full_path|fullpath|original_url|referer|referrer|user_agent|query_string|base_url|"
    r"original_fullpath|get_full_path|build_absolute_uri|query_parameters|path_info|data|json|arguments|uri|getParameter|"
    r"getHeader|getQueryString|getRequestURI|getRequestURL|getPathInfo|getParameterValues|input|get|all|fullUrl|old|request|"
    r"route_params|requestUri|pathInfo|queryString|QueryString|Query|Form|Params|Path|RawUrl|Url|UrlReferrer|Headers|"
    r"UserAgent|ServerVariables|Cookies|files)(?:\.|$)|"
    r"_(?:GET|POST|REQUEST|COOKIE)(?:\.|$)|_SERVER\.(?:REQUEST_URI|PHP_SELF|QUERY_STRING|PATH_INFO|HTTP_\w+)|"
    r"app\.request\.(?:get|query|request|uri|requestUri|pathInfo|headers|cookies|queryString)(?:\.|$)|"
    r"smarty\.(?:get|post|request|cookies|server)\.|"
    r"(?:Request|Input|request)(?:::|\.)(?:get|input|query|all|old|cookie|post|header|fullUrl|url|path|server)$|"
    r"req\.(?:query|params|body|cookies|headers|url|originalUrl|path|param|hostname)(?:\.|$)|ctx\.(?:query|params)\.|"
    r"(?:this\.)?\$?route\.(?:query|params|fullPath|hash)(?:\.|$)|router\.(?:query|asPath)(?:\.|$)|"
    r"(?:window\.|document\.)?location\.(?:hash|search|href|pathname)(?:\.|$)|(?:window|document)\.location$|document\.(?:referrer|URL|cookie)$|"
    r"(?:\$?page\.)?url\.searchParams\.|\$?page\.(?:params|url)\.|"
    r"(?:pageContext\.)?request\.(?:parameterMap|queryString|requestURI|requestURL)|"
    r"(?:\w+\.)?(?:get_argument|get_query_argument|get_body_argument|getParameter)$|"
    r"(?:Context\.|HttpContext\.|HttpContext\.Current\.)?Request\.(?:QueryString|Query|Form|Params|Path|RawUrl|Url|UrlReferrer|"
    r"Headers|UserAgent|Cookies)(?:\.|$)|Request$"
    r")"
)
"""Paths without their leading ``$`` and ``@``."""

NOT_SENT = lazy(
    r"request\.(?:path|url|get|headers|files)\.(?:name|length|size)$|\.(?:host|port|scheme|method|contextPath|locale|length|size|"
    r"count)$|request\.data$|^request\.(?:user|session|route\w*|ip|method|is\w*|has\w*|filled|host\w*|id|\w+_id|status|\w+_at|"
    r"segments?|getContextPath|getServerName|getLocale|csrf_token|LANGUAGE_CODE|site|resolver_match)(?:\.|$)"
)

TEXTS = lazy(
    r"(?i)^(?:(?:\w+_)?(?:name|title|subtitle|subject|headline|caption|label|nickname|nick|username|comment|comments|message|msg|"
    r"query|keywords?|search|search_?(?:term|query|text|string|word)|term|email|e?mail_?address|phone|address|city|street|company|"
    r"organi[sz]ation|bio|biography|about|about_?me|signature|website|homepage|home_?page|url|link_?url|redirect|return_?url|"
    r"referr?er|description|desc|body|text|question|answer|reply|note|notes|remarks?|feedback|review|reason|"
    r"error|errors|err|exception|error_?message|err_?msg|notice|warning|alert|flash|status_?text|filename|file_?name|"
    r"original_?name|q|keyword|author|user|owner|tags?|display_?name|"
    r"(?:first|last|full|user|display|screen|real|file|nick)_?name)|"
    r"(?-i:[a-z]\w*(?:Title|Name|Message|Comment|Description|Subject|Text|Query|Keyword|Email|Url|Caption|Label)))$"
)
"""Names of variables and fields that hold texts of people."""

PLAIN_TEXTS = lazy(
    r"(?i)^(?:(?:(?:user|author|owner|customer|contact|search|post|comment|product|project|group|file|first|last|full|display|screen|"
    r"real|nick|company|category|item|event|task|room|team|channel|thread|ticket|topic)_)?"
    r"(?:name|title|subject|text|query|email|description|url|label|term|keywords?)|subtitle|headline|caption|nickname|nick|username|"
    r"comment|message|msg|q|search|bio|biography|about_?me|signature|website|feedback|error|err|filename|question|answer|user_?input|"
    r"(?:error|err|flash|user|chat|success|status|warning|alert)_?(?:message|msg)|"
    r"(?-i:(?:first|last|full|user|display|screen|real|file|nick|author|customer|search|product|project)"
    r"(?:Name|Title|Query|Term|Text|Keyword|Email|Message|Comment|Description)))$"
)
"""As ``TEXTS``, of variables that stand alone."""

MARKUP = lazy(
    r"(?i)html|markup|mark(?:ed)?_?down|linkif|render|formatted|sanit|purif|escaped|safe|cooked|processed|parsed|highlight|^(?:content|contents|form|widget|icon|icons|svg|csrf\w*|slot|yield|block|blocks|pagination|"
    r"pager|links?|scripts?|styles?|css|js|json\w*|ld_?json|main|head|header|footer|sidebar|menu|nav|navigation|layout|template|"
    r"page_?content|body_?content|toolbar|buttons?|banner|captcha|recaptcha|editor|snippet|embed|code|iframe|table|tabs?|"
    r"attributes?|attrs?|media|help_?text|errors_?list|inner|output|output_?\w*|partial|component|view|page|preview|"
    r"excerpt|summary|toc|breadcrumbs?|analytics|tracking\w*|meta\w*|seo\w*|.*(?:content|_content|_icon|_svg|_widget|_form|_js|"
    r"_script|_css|_json|_links?|_button|_buttons|_table|_block|_tpl|_template|_markup|(?-i:Svg|Icon|Json|Script|Form|Template)))$"
)
"""Names of markup that the program has made."""

HARMLESS = lazy(
    r"(?i)^(?:(?:\w+_)?(?:id|ids|uuid|pk|count|counts|size|length|number|num|total|sum|index|idx|position|width|height|year|"
    r"month|day|date|datetime|time|timestamp|price|amount|quantity|percent\w*|rating|score|version|locale|lang|language|"
    r"port|csrf_?token|csrf|token|nonce|static_?url|media_?url|base_?url|root|context_?path|charset|i18n|level|"
    r"depth|class|classes|css_?class|color|colour|order|weight|offset|limit|page_?number|created_?(?:at|on)|updated_?(?:at|on)|"
    r"enabled|disabled|active|checked|selected|visible|required|readonly|loop|first|last|errorcode|code|status_?code)|"
    r"\w+(?:_at|_on|_count|_id|_ids|_size|_date|_time|_class)|(?-i:\w+(?:Id|Ids|Count|Size|Date|At|Class|Width|Height|Total))|"
    r"(?:is|has|can|should|show)_\w+|(?-i:(?:is|has|can|should|show)[A-Z]\w*)|\w+\?|(?-i:[A-Z][A-Z0-9_]+))$"
)
"""Names of numbers, dates, marks and constants."""

OWN = lazy(
    r"(?i)^(?:\w*(?:settings?|config\w*)|\w*(?:formatted|render|sanit|escaped)\w*|(?:\w+_)?(?:options?|opts|theme|site|blog|store|shop|block|blocks|widget|field|form|page|layout|meta|"
    r"app|icon\w*|i18n|lang\w*|l10n|translations?|locale|plugin|view|template|tpl|helper|component|forloop|loop|self|"
    r"super|static|html|assets?|menu\w*|nav\w*|column|columns?|col|tab|tabs|button|action|actions|"
    r"params|request|req|setup|environment|env|links?|pag(?:er|inat\w*)|present(?:er)?|decorat\w*|global\w*|core|system|module|extension|features?|slots?|props?|theme_\w+|schema|spec|type))$"
)
"""Objects whose texts the program or whoever runs it gives."""

PEOPLE = lazy(
    r"(?i)^\w*(?:user|comment|review|message|msg|reply|feedback|ticket|question|answer|note|contact|customer|member|visitor|"
    r"guest|author|sender|chat|inquiry|complaint|account|profile|person|people|student|patient|patron|employee|applicant|"
    r"participant|lead|client)$"
)
"""Objects of which anybody may have written the texts."""

OFFERED = lazy(
    r"(?i)^(?:\w*(?:product|category|manufacturer|supplier|vendor|brand|collection)|slide|banner|promotion)$"
)
"""Objects that whoever runs a shop describes, mostly in an editor."""

LONG_TEXTS = lazy(
    r"(?i)^(?:body|text|description|desc|content|about|excerpt|summary|details?|notes?|bio|biography|answer|message|signature|"
    r"\w+(?:_text|_body|_description|_message|_notes?|Text|Body|Description|Message))$"
)
"""Fields that may well be written in an editor and cleaned when they are stored."""

UNDOES = lazy(r"(?i)decode|unescape")
"""What takes back what a cleaner did."""

CLEANERS = lazy(
    r"(?i)^(?:h|e|j|he|hsc|esc|escape\w*|\w*_escape|\w*escape_?(?:html|xml|js|attr|javascript|string|once|ejs)\w*|html_?escape\w*|"
    r"(?:\w*[_.])?(?:esc_\w+)|\w*sanitiz\w*|\w*sanitis\w*|strip_?tags|striptags|strip_?html|html_?specialchars|html_?entities|htmlentities2?|purify|"
    r"purifier|\w*purif\w*|clean|cleaned|cleanhtml|clean_\w+|\w+_clean|bleach\w*|kses\w*|wp_kses\w*|kcSanitize|"
    r"html|xhtml|xml|js_string|json_string|url_?encode|encode\w*|rawurlencode|uri_?escape|encodeURI\w*|htmlEncode|"
    r"html_encode|urlencode|urlize|urlizetrunc|linebreaks|linebreaksbr|force_escape|forceescape|escapejs|jsescape|js_escape|addslashes_html|slugify|slug|parameterize|to_param|"
    r"dasherize|md5|sha1|sha256|hash|base64|base64_?encode\w*|b64encode|hexdigest|simple_format|auto_link|to_sentence_safe|"
    r"escapeXml|fn:escapeXml|htmlEscape|forHtml\w*|forJavaScript\w*|forXml\w*|forCssString|encodeForHTML\w*|"
    r"specialchars|xssafe|xss|filterXSS|xss_clean|safe_html|json_script|tojson|to_json|toJson|Js::from|html5_safe|HtmlEncode|JavaScriptStringEncode|"
    r"number_format|date|date_format|dateformat|strftime|format_date|localize|naturaltime|timesince|filesizeformat|intcomma|"
    r"floatformat|pluralize|yesno|length|count|size|sizeof|strlen|int|integer|intval|floatval|to_i|to_f|toFixed|parseInt|parseFloat|"
    r"Number|Boolean|abs|round|money|currency|number|time_ago\w*|distance_of_time\w*|l|number_to_\w+|"
    r"time_tag|isset|empty|is_\w+|in_array|wordcount)$"
)
"""Calls whose result has no markup of their argument: escapes, sanitizers, numbers and dates."""

TRANSPARENT = lazy(
    r"(?i)^(?:raw|html_?safe|safe|safeseq|mark_?safe|markup|noescape|no_esc|nofilter|html\.raw|htmlstring|markupstring|"
    r"(?:mb_)?strto(?:upper|lower)|lcfirst|ltrim|rtrim|trim|strip|lstrip|rstrip|chomp|nl2br|newline_to_br|br|upper|uppercase|upcase|lower|lowercase|downcase|capitalize|titleize|humanize|capfirst|title|"
    r"truncate\w*|substr|substring|mb_substr|slice|ellipsis|str_limit|limit|join|implode|replace(?:All|First)?|str_replace|gsub|sub|preg_replace|"
    r"sprintf|printf|format|concat|default|default_if_none|str|string|tostring|to_s|to_str|strval|value|ucfirst|ucwords|"
    r"first|last|reverse|html_entity_decode|htmlspecialchars_decode|unescape\w*|decode\w*|urldecode|stripslashes|wordwrap|"
    r"Str::\w+|safe_join|squish|presence|to_html_safe|addslashes|center|ljust|rjust|cut|split|explode|HtmlString|toLowerCase|toUpperCase|"
    r"toLocaleUpperCase|toLocaleLowerCase|cdata|unicode|force_text|force_str|try|fetch|dig|n)$"
)
"""Calls whose result has the markup of what they are given or called on."""

FILLED = lazy(
    r"(?i)^(?:s?printf|format|concat|default\w*|replace|str_replace|gsub|sub|join|implode|append|fetch|String::format)$"
)
"""Of these, calls whose result has their arguments too, whatever they are called on."""

DECLARES_SAFE = lazy(
    r"^(?:raw|html_safe|safe|safeseq|mark_safe|Markup|noescape|no_esc|nofilter|Raw|HtmlString|MarkupString|SafeString|"
    r"unescape|n)$"
)
"""Calls that tell an engine not to escape a value."""

TRANSLATES = lazy(
    r"^(?:t|tr|__|_|_e|_x|_n|n_|gettext|ngettext|pgettext|ugettext|trans|transchoice|trans_choice|translate|I18n\.t|lang|Lang|"
    r"get_string|i18n|\$t|\$tc|\$te|\$n|\$d|localize|message|getText|getMessage|l10n|xlt|advancedmsg|msg|ts|L|\w*[Tt]ranslat\w*)$"
)
"""Calls that look a message up; only the values put into it are anybody's."""

ADDRESSES = lazy(
    r"(?i)^(?:\w+_(?:path|url)|url|url_for|url_?to|route|path|asset\w*|mix|vite\w*|secure_\w+|action|static|reverse|absolute_url|"
    r"image_tag|image_path|base_url|site_url|site_?link|src|srcset|link|basePath|contextPath)$"
)
"""Calls that give addresses of the program itself."""

BUILDERS = lazy(
    r"(?i)^(?:link_to\w*|button_to|render\w*|content_tag|tag|form_\w+|form|yield|content_for|csrf_?field|csrf\w*|method_field|image_tag|"
    r"javascript_\w+|stylesheet_\w+|pagina\w*|links|form::\w+|html::\w+|field|include|partial|component|block|parent|super|"
    r"stack|section|hiddenfield|submit|label|input|select|text_field|options_for_select|options_from\w*|grid|wp_\w+|svg\w*|icon\w*|"
    r"menu\w*|widget\w*|view|cell|turbo_\w+|vite\w*|recaptcha\w*|captcha\w*|do_action|get_\w+|the_\w+|"
    r"as_p|as_table|as_ul|css_tag|js_tag|media|as_widget|display\w*|fetch_partial|caller|capture)$"
)
"""Calls that give markup of their own, escaped by their framework."""
