"""What text aimed at an automated reviewer says, as patterns over lower-case prose.

Every repetition has a bound, so that time grows with the text and nothing else. In the patterns a blank stands for
whatever parts two words: an order that is split over comment lines, strings or Markdown marks stays one order.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from devpulse.core.categories import Confidence
from devpulse.core.lazy_pattern import lazy

_WORDS = {
    "AI": "(?:ai|a\\.i\\.|llms?|gpt(?:-?\\d)?|chatgpt|claude|gemini|copilot|coderabbit|devpulse"
    "|(?:large )?language models?|(?:automated|automatic|autonomous) (?:code |security |pr |review )?"
    "(?:reviewers?|reviews?|assistants?|agents?|models?|tools?|bots?|scanners?|auditors?|analy[sz]ers?|systems?))",
    "ROLE": "(?: (?:code |security |pr |pull request |review |coding )?(?:reviewers?|reviews?|assistants?|agents?"
    "|models?|tools?|bots?|scanners?|auditors?|analy[sz]ers?|systems?|checkers?|verifiers?))",
    "PERSON": "(?:(?:code |security |pr |pull request )?(?:reviewers?|auditors?|verifiers?|scanners?))",
    "FILL": "(?:(?:all|any|every|each|of|the|your|my|our|these|those|this|that|and|other|such) ){0,4}",
    "EARLIER": "(?:previous|previously given|prior|above|earlier|preceding|foregoing|initial|original|existing|system"
    "|developer|review(?:er)?|security|safety|standing)",
    "ORDERS": "(?:instructions?|prompts?|directives?|guidelines?)",
    "DONT": "(?:do not|don\\W?t|never|must not|mustn\\W?t|should not|shouldn\\W?t|shall not|may not|cannot|avoid"
    "|refrain from|stop|without)",
    "TELL": "(?:report|flag|mention|raise|list|warn about|comment on|point out|complain about|highlight"
    "|submit)(?:ing)?",
    "FLAWS": "(?:(?:any|the|a|an|its|security|possible|potential|real|new|of|this|these|sql|such|further) ){0,4}"
    "(?:issues?|findings?|vulnerabilit(?:y|ies)|problems?|concerns?|weakness(?:es)?|flaws?|injections?|leads?|risks?)",
    "CODE": "(?:(?:next|following|whole|entire|rest of the|changed|below) ){0,2}(?:file|function|method|class"
    "|code|lines?"
    "|diff|change|module|endpoint|query|snippet|block|pull request|pr|commit|patch|handler|section|directory|folder)",
    "SAFE": "(?:safe|secure|approved|harmless|benign|trusted|reviewed|clean|compliant|none|refuted"
    "|low(?: risk| severity)?|no risk|false positives?|not vulnerable|passed|intentional|verified)",
}  # fmt: skip


def _phrase(text: str) -> str:
    """A pattern written with named parts in braces."""
    return re.sub(r"\{([A-Z]+)\}", lambda name: _WORDS[name[1]], text).replace(" ", r"\W{1,24}")


def _any(*phrases: str) -> re.Pattern[str]:
    return lazy(rf"\b(?:{'|'.join(map(_phrase, phrases))})")


_OVERRIDE = _any(
    "(?:ignore|disregard|forget|override|bypass|overrule|discard) {FILL}{EARLIER} (?:\\w{1,12} ){0,2}{ORDERS}\\b",
    "(?:ignore|disregard|forget|override|bypass|overrule|discard) (?:all )?(?:of )?your (?:\\w{1,12} ){0,2}{ORDERS}\\b",
    "(?:ignore|disregard|forget) {FILL}{ORDERS} (?:above|before this|you (?:were|have been|had been) (?:given"
    "|told))\\b",
    "(?:ignore|disregard|forget) (?:everything|anything|all|whatever) (?:that )?(?:was said |stands |is |came )?"
    "(?:above|before this|you (?:were|have been|had been) (?:told|given|instructed))\\b",
    "(?:reveal|print|repeat|output|leak|disclose|dump|recite) (?:me )?your (?:\\w{1,12} ){0,2}"
    "(?:system prompt|instructions|prompt)\\b",
    "you are now (?:in )?(?:dan|(?:an? )?(?:unrestricted|unfiltered|jailbroken|uncensored)|developer mode|god mode)\\b",
)

_FOREIGN = lazy(
    r"\b(?:ignorieren?|vergiss|vergessen sie|missachten?)\W{1,9}(?:sie\W{1,9})?(?:alle\W{1,9})?(?:deine\W{1,9}"
    r"|die\W{1,9})?"
    r"(?:vorherigen|bisherigen|obigen|vorigen|fruheren|vorangegangenen)\W{1,9}(?:anweisungen|instruktionen|befehle)"
    r"|\b(?:ignore[zr]?|oublie[zr]?)\W{1,9}(?:toutes\W{1,9})?(?:les|vos|tes)\W{1,9}(?:instructions|consignes)\W{1,9}"
    r"(?:precedentes|ci-dessus|anterieures)"
    r"|\b(?:ignora|ignore|olvida|olvide)\W{1,9}(?:todas\W{1,9})?(?:las|tus|sus|as|suas)\W{1,9}(?:instrucciones"
    r"|instrucoes)"
    r"\W{1,9}(?:anteriores|previas)"
    r"|\b(?:ignora|dimentica)\W{1,9}(?:tutte\W{1,9})?le\W{1,9}istruzioni\W{1,9}precedenti"
    r"|\b(?:игнорируй|забудь|проигнорируй)(?:те)?\W{1,9}(?:все\W{1,9})?(?:предыдущие"
    r"|прежние)\W{1,9}(?:инструкции|указания)"
    r"|(?:忽略|无视|忘记|忽視)(?:掉)?(?:所有|一切|全部)?(?:的)?(?:之前|以上|先前|此前|上述|前面)[^。\n]{0,8}(?:指令|指示|提示|说明|要求)"
    r"|(?:以前|これまで|上記|前|すべて)の(?:全ての)?(?:指示|命令|プロンプト)[^。\n]{0,6}(?:無視|忘れ)"
    r"|이전(?:의)?\s{0,3}(?:모든\s{0,3})?(?:지시|명령|지침)[^.\n]{0,8}(?:무시|잊)"
)

_ADDRESS_AI = _any(
    "(?:note|notice|message|instructions?|attention|memo|reminder|hint|guidance|directive|warning|important"
    "|information)"
    " (?:to|for) (?:the |any |all |every |each |our |your )?{AI}\\b",
    "(?:dear|hey|hi|hello|attention|attn) (?:the |all |any )?{AI}\\b",
    "{AI}{ROLE}?\\s{0,2}[:,>\u2014]",
    "{AI}{ROLE} (?:must|should|shall|will|is|are|may|need|needs|has|have)\\b",
    "{AI} (?:must|should|shall|need to|needs to)\\b",
    "{AI}{ROLE}? (?:that (?:are|is) )?(?:reading|reviewing|checking|processing) (?:this|these|the)\\b",
    "(?:when|if|once|whenever|whatever) (?:an? |the |any )?(?:{AI}|model){ROLE}? (?:reads?|reviews?|sees?|checks?"
    "|process(?:es)?|is reading|is reviewing)\\b",
    "{PERSON}s?,? (?:who|that|which) (?:is|are) (?:an? )?{AI}s?\\b",
    "if you (?:are|re) (?:an? |the )?(?:{AI}|automated|machine|bot|robot)\\b",
    "(?:as|being) an? (?:{AI}|automated){ROLE}?\\b",
    "(?:system|admin|developer|operator|maintainer|policy) (?:override|message|notice|note|update|directive)\\b",
    "(?:new|updated|revised|additional|further) (?:system |review(?:er)? )?(?:instructions?|directives?)\\b",
    "end of (?:the )?(?:diff|untrusted|data|input|document|user input|context)\\b",
    "(?:reply|respond|answer) only with\\b",
)
_MARKER = lazy(
    r"<\|(?:im_start|system|start_header_id|endoftext)\|?>?|\[/?inst\]|<<sys>>|</?(?:system|system_prompt"
    r"|instructions?)>"
    r"|#{2,4} ?(?:system|instructions?) ?:"
)
_ADDRESS_PERSON = _any(
    "(?:note|notice|message|instructions?|attention|reminder|hint|guidance) (?:to|for) (?:the |any |all |every "
    ")?{PERSON}\\b",
    "(?:dear|hey|attention|attn) (?:the |all |any )?{PERSON}\\b",
    "{PERSON}\\s{0,2}[:,]",
    "(?:the |any |this |all )?{PERSON} (?:must|shall|should|is to|are to|(?:is|are) (?:instructed|required"
    "|asked|told) to)\\b",
    "(?:when|while|if) (?:you )?(?:are )?(?:review|analy[sz]|scann|audit|verify|check)ing (?:this|the) {CODE}",
    "(?:whoever|anyone|anybody) (?:is )?review(?:s|ing) this\\b",
    "if you (?:are|were|have been) asked to (?:verify|review|check|judge|refute)\\b",
    "(?:the |any |this |all )?{PERSON} (?:has to|have to|needs?)\\b",
)

_HARD = _any(
    "{DONT} {TELL} {FLAWS}\\b",
    "{DONT} {TELL} (?:this|it|that|these|anything|them|on this|about this)\\b",
    "{DONT} (?:report|flag)(?:ing)? (?:\\w{1,10} ){0,2}(?:secrets?|credentials|statements|queries)\\b",
    "(?:read|open|load|print|paste|quote|list|call read_lines|use read_lines) (?:[\\w.]{1,12} ){0,3}(?:etc/passwd"
    "|proc/self/environ|id_rsa|git/config|env\\b)",
    "(?:report|return|output|submit|find|list|raise|give|produce|(?:respond|reply|answer) (?:only )?with|say|state"
    "|conclude) (?:that )?(?:there (?:are|is) )?(?:only |just |with |an? )?(?:no|zero|0|empty) (?:list of |set of )?"
    "(?:security )?(?:issues?|findings?|vulnerabilit(?:y|ies)|problems?|concerns?|weakness(?:es)?|risks?|list"
    "|array)\\b",
    "(?:mark|rate|classify|label|treat|consider|score|assess|rank|judge|deem|regard|declare|report|flag) "
    "(?:\\w{1,14} ){0,8}?(?:as|to be) (?:completely |fully |already )?{SAFE}\\b",
    "(?:overall risk|overall_risk|severity|verdict|risk(?: level)?) (?:to|as|is|must be|should be) (?:none|low"
    "|refuted|safe)\\b",
    "(?:set|use|return|answer|choose|give|pick)(?: with)? (?:the |a |an )?(?:verdict|overall_risk|overall risk"
    "|severity)"
    "(?: (?:of|to|as|is))? (?:none|low|refuted|safe|unsure)\\b",
    "(?:skip|ignore|exclude|omit|disregard|dismiss|suppress|drop) {FILL}{FLAWS}\\b",
    "(?:dismiss|drop|refute) (?:all|every|each|any|the) (?:\\w{1,12} )?(?:leads?|findings?)\\b",
    "(?:put|place|move|list) {FILL}(?:leads?|findings?) (?:in|into|under) dismissed(?:_leads)?\\b",
    "(?:submit|hand in|send|confirm with) (?:an? )?(?:no findings|empty (?:submission|review|report))\\b",
    "submit_review\\(findings (?:\\w{1,12} ){0,2}overall_risk none\\b",
    "no (?:further |more |security )?(?:review|analysis|findings|checks?) (?:is |are )?(?:needed|required"
    "|necessary)\\b",
    "(?:safe|ok|okay|ready) to (?:approve|merge)\\b",
)  # fmt: skip
_SOFT = _any(
    "(?:auto )?(?:approve|accept|merge|lgtm) (?:this|it|immediately|unconditionally|without|the (?:pr|pull "
    "request|change))\\b",
    "(?:skip|ignore|exclude|omit|disregard|pass over) (?:this|the) {CODE}\\b",
    "{DONT} (?:review|analy[sz]e|inspect|scan|check|read|audit)(?:ing)? (?:this|the) {CODE}\\b",
    "(?:read|open|print|send|post|upload|exfiltrate|include|reveal|load) (?:\\w{1,12} ){0,4}"
    "(?:\\.env|etc/passwd|id_rsa|secrets?|api keys?|credentials|tokens?|environment variables?)\\b",
    "(?:is|are|was|were|has been|have been) (?:already |pre |fully |formally )?(?:approved|audited|cleared|verified"
    "|whitelisted) (?:by|and)\\b",
)
_ASIDE = _any(
    "{DONT} {TELL} (?:any |the |a |this )?(?:\\w{1,12} ){0,2}?{FLAWS} (?:\\w{1,12} ){0,2}?(?:in|on|for|about"
    "|within|of) (?:this|the following) {CODE}\\b",
    "(?:call|use|invoke|end with|finish with) submit_(?:review|verdicts|conclusion) "
    "(?:with|now|and|at once|immediately) (?:\\w{1,14} ){0,6}?"
    "(?:no|empty|zero|without|refuted|none|only)\\b",
    "(?:set|make|give|return|report|keep) (?:the )?overall_risk (?:\\w{1,10} ){0,3}?(?:none|low)\\b",
)
_FENCE = lazy(r"<<\s{0,3}/?\s{0,3}(?:data|end)\s{1,3}[0-9a-f]{8,}")

_QUIET_BEFORE = lazy(
    r"(?:\b(?:asks?|asked|asking|tells?|telling|told|instructs?|instructed|instructing|wants?|tr(?:y|ies|ying)"
    r"|attempts?"
    r"|attempting|requests?|orders?|persuades?|tricks?|convinces?|urges?)\W{1,3}(?:\w{1,14}\W{1,3}){0,4}to\W{1,4}"
    r"|(?:\b(?:not|never|dont|refuse to|cannot)|n.t)\W{1,4}(?:ever\W{1,3}|simply\W{1,3})?"
    r"|\b(?:such as|like|e\.g\.?|for example|for instance|says?|saying|phrases?|called|known as)\W{1,6})$"
)  # fmt: skip
_DISCUSSED = lazy(
    r"prompt.?injection|injection (?:attack|attempt|payload|pattern|test|detect)|jailbreak|adversarial"
    r"|red.?team|guardrail"
    r"|attacker|malicious (?:input|prompt|instruction|text|user|content)|inject(?:ed|ion) (?:prompt|instruction|text)"
)

_OVERRIDE_WORDS = ("ignore", "disregard", "forget", "override", "bypass", "overrule", "discard", "your", "you are now")
_FOREIGN_WORDS = (
    "anweisung", "instruktion", "befehle", "consigne", "instructions", "instruccion", "instrucoes", "istruzioni",
    "инструкц", "указани", "指令", "指示", "命令", "提示", "说明", "要求", "プロンプト", "지시", "명령", "지침",
)  # fmt: skip
_ASIDE_WORDS = (
    "report", "flag", "mention", "raise", "raising", "list", "warn about", "comment on", "point out", "complain",
    "highlight", "submit", "overall_risk",
)  # fmt: skip
_READERS = (
    "review", "audit", "verif", "scan", "analys", "analyz", "llm", "gpt", "claude", "gemini", "copilot", "coderabbit",
    "devpulse", "language model", "automat", "autonomous", "a.i.", "override", "directive", "instruction", "only with",
    "end of", "message", "notice", "system", "bot", "<|im_", "<|start", "<|endof", "inst]", "<<sys", "you are",
    "you're",
)  # fmt: skip
_AI = lazy(r"ai(?![a-z])")
_REACH_BEFORE = 220
_REACH_AFTER = 90


@dataclass(frozen=True, slots=True)
class Order:
    """A phrase that gives orders: where it stands in the text, and how sure it is aimed at a reviewer."""

    start: int
    end: int
    confidence: Confidence


def orders_in(text: str) -> Iterator[Order]:
    """The orders in a lower-case text. What is negated, or told of somebody who might say it, is none."""
    for start, end in _windows(_places(text, _OVERRIDE_WORDS), 40, 240):
        for match in _OVERRIDE.finditer(text, start, end):
            yield from _order(text, match, Confidence.HIGH)
    for start, end in _windows(_places(text, _FOREIGN_WORDS), 120, 120):
        for match in _FOREIGN.finditer(text, start, end):
            yield from _order(text, match, Confidence.HIGH)
    for start, end in _windows(_places(text, _ASIDE_WORDS), 60, 240):
        for match in _ASIDE.finditer(text, start, end):
            yield from _order(text, match, Confidence.MEDIUM)
    for place, _ in _windows(_places(text, ("<<",)), 0, 1):
        fence = _FENCE.match(text, place)
        if fence is not None:
            yield Order(fence.start(), fence.end(), Confidence.HIGH)
    yield from _addressed(text)


def _addressed(text: str) -> Iterator[Order]:
    """Orders that count because of whom they are for."""
    readers = [match.start() for match in _AI.finditer(text) if not text[match.start() - 1 : match.start()].isalpha()]
    for start, end in _windows([*_places(text, _READERS), *readers], _REACH_AFTER + 160, _REACH_BEFORE + 160):
        for pattern, hard in ((_HARD, True), (_SOFT, False)):
            for match in pattern.finditer(text, start, end):
                if _is_addressed(text, match, hard=hard):
                    yield from _order(text, match, Confidence.HIGH)


def _places(text: str, words: Iterable[str]) -> list[int]:
    """Where any of the words stands: finding words is a hundred times faster than trying patterns."""
    found: list[int] = []
    for word in words:
        place = text.find(word)
        while place >= 0:
            found.append(place)
            place = text.find(word, place + len(word))
    return found


def _windows(places: list[int], before: int, after: int) -> Iterator[tuple[int, int]]:
    """What lies around the places, without overlaps."""
    start = end = -1
    for place in sorted(places):
        if place - before > end:
            if end >= 0:
                yield start, end
            start = max(0, place - before)
        end = place + after
    if end >= 0:
        yield start, end


_SPELLED = lazy(
    r"(?:ignore|disregard|forget|override)[a-z]{0,24}(?:instruction|prompt|directive)"
    r"|(?:reportno|donotreport|dontreport)[a-z]{0,20}(?:finding|issue|vulnerab|problem)"
    r"|(?:approvethis|markthisassafe|markassafe|reportnothing)"
)


def spelled_out(text: str) -> Iterator[Order]:
    """The orders in a lower-case text without anything between its words."""
    for match in _SPELLED.finditer(text):
        yield Order(match.start(), match.end(), Confidence.HIGH)


def is_discussed(text: str) -> bool:
    """Whether a lower-case text is about prompt injection itself."""
    return _DISCUSSED.search(text) is not None


def _order(text: str, match: re.Match[str], confidence: Confidence) -> Iterator[Order]:
    if not _QUIET_BEFORE.search(text, max(0, match.start() - 120), match.start()):
        yield Order(match.start(), match.end(), confidence)


def _is_addressed(text: str, match: re.Match[str], *, hard: bool) -> bool:
    window = text[max(0, match.start() - _REACH_BEFORE) : match.end() + _REACH_AFTER]
    if _ADDRESS_AI.search(window) or _MARKER.search(window):
        return True
    return hard and _ADDRESS_PERSON.search(window) is not None
