"""Active defence: what must not slip into memory is rejected, held for a person, or labelled, each with its reason."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from memory.intake import orders
from memory.intake.aliases import same_value
from memory.intake.clean import fingerprint, language, normalise
from memory.intake.facts import facts_of
from memory.intake.numbers import amounts
from memory.intake.types import Claim, Event, Reason, ScreenContext, SourceClass, ToolRun
from memory.intake.words import content, overlap

# So many different values for one thing one origin may bring; the next is a flood.
FLOOD_AFTER = 3
ALIKE = 0.5
SAME = 0.8

_SAYS_SUCCESS = re.compile(
    r"\b(?:success(?:ful|fully)?|succeeded|passe[sd]|pass(?= now|\b.{0,12}$)|deployed|fixed|resolved|completed|"
    r"created|finished|works(?: now)?|done|placed|paid|accepted|"
    r"refunded|sent|saved|merged|installed|uploaded|updated|green|went through|is (?:now )?(?:live|up|running)|"
    r"on its way|ran (?:fine|without))\b|成功|完成了?|搞定|修好|修复了?|跑通|通过了?|已(?:经)?(?:部署|修复|创建|提交|"
    r"发送|支付|退款|解决|上线|合并|安装|上传|取消|"
    r"更新|保存|生效|发货)",
    re.IGNORECASE,
)
_SAYS_FAILURE = re.compile(
    r"\b(?:not|n't|fail(?:s|ed|ure)?|error|unable|could not|cannot|never|unsuccessful|will|would|should|try|trying|"
    r"if|once|when|after|was failing|timed out|rolled back|can't see)\b|没有?|未|失败|不成功|报错|出错|超时|其实没|"
    r"尚未|如果|等.{1,8}后|抱歉",
    re.IGNORECASE,
)


_NO = re.compile(r"\b(?:not|no|never)\b|n't\b|不|没|未|无|别", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Finding:
    """What one screen says of one claim.

    `action`: block | hold | label. `kind` is the kind of conflict a hold opens. `against`: ids of the tool runs
    that speak against the claim."""

    claim_index: int
    screen_id: str
    kind: str
    reason: Reason
    against: tuple[int, ...] = ()
    action: str = "hold"


@dataclass(frozen=True, slots=True)
class Screen:
    """One row of the table that the settings page lists; memory/reasons.py says what it finds (`about_<id>`).

    `action` is what it does where a workspace says nothing.
    """

    id: str
    kind: str
    action: str = "hold"


ACTIONS = ("block", "hold", "label")
SCREENS = (
    Screen("hidden_text", "injection"),
    Screen("instruction", "injection"),
    Screen("claims_trust", "injection"),
    Screen("exfiltration", "injection"),
    Screen("external_claim", "injection"),
    Screen("misreport", "misreport"),
    Screen("repeat", "repeat"),
    Screen("flood", "flood"),
    Screen("repetition", "flood", "block"),
    Screen("identity", "identity"),
    Screen("recall_echo", "repeat", "block"),
    Screen("boot_text", "repeat", "block"),
)
DEFAULT_ACTIONS = {screen.id: screen.action for screen in SCREENS}


def screen(
    event: Event, claims: Sequence[Claim], context: ScreenContext, actions: Mapping[str, str] | None = None
) -> list[Finding]:
    """Every finding on the event's claims. `actions` are the workspace's own, by screen id: block, hold or label."""
    found: list[Finding] = []
    for index, claim in enumerate(claims):
        found.extend(_lesson(index, claim, context))
        found.extend(_echo(index, event, claim, context))
        found.extend(_orders(index, event, claim))
        found.extend(_misreport(index, event, claim, context))
        found.extend(_identity(index, event, claim, context))
        found.extend(_flood(index, event, claim, context))
        if not any(finding.claim_index == index for finding in found):
            found.extend(_external(index, event, claim))
    chosen = DEFAULT_ACTIONS | dict(actions or {})
    return [replace(finding, action=chosen[finding.screen_id]) for finding in found]


def _lesson(index: int, claim: Claim, context: ScreenContext) -> list[Finding]:
    told = context.lessons.get(fingerprint(claim.text))
    if told is None:
        mine = _slots(claim.text)
        told = next(
            (text for text in context.lessons.values() if mine and mine == _slots(text) and _alike(text, claim.text)),
            None,
        )
    return [] if told is None else [Finding(index, "repeat", "repeat", Reason("rejected_before", {"text": told[:200]}))]


def _echo(index: int, event: Event, claim: Claim, context: ScreenContext) -> list[Finding]:
    if event.role == "user":
        return []
    mine = normalise(claim.text)
    if len(mine) > 5 and any(mine == normalise(text) for text in context.recalled_texts):
        return [Finding(index, "recall_echo", "repeat", Reason("judge_recall_echo"))]
    if len(mine) > 11 and any(mine in normalise(text) for text in context.boot_texts):
        return [Finding(index, "boot_text", "repeat", Reason("judge_boot_text"))]
    return []


def _orders(index: int, event: Event, claim: Claim) -> list[Finding]:
    if event.role == "user" and event.source_class is SourceClass.USER_INPUT:
        return []
    mine = [order for order in orders.find(event) if order.quote in claim.quote or claim.quote in order.quote]
    if not mine:
        return []
    classes = [order.id for order in mine]
    screen_id = next((id_ for id_ in ("claims_trust", "exfiltration") if id_ in classes), "instruction")
    screen_id = "hidden_text" if mine[0].hidden else screen_id
    return [Finding(index, screen_id, "injection", Reason(f"screen_{classes[0]}"))]


def _misreport(index: int, event: Event, claim: Claim, context: ScreenContext) -> list[Finding]:
    """The agent reports success; the newest run of the tool that it speaks of says error."""
    if event.role != "assistant" or not _SAYS_SUCCESS.search(claim.text) or _SAYS_FAILURE.search(claim.text):
        return []
    run = _last_run(claim, context.tool_runs)
    if run is None or not _failed(run):
        return []
    params = {"tool": run.name, "result": " ".join(run.text.split())[:200]}
    return [Finding(index, "misreport", "misreport", Reason("tool_says_error", params), (run.id,))]


def _last_run(claim: Claim, runs: Sequence[ToolRun]) -> ToolRun | None:
    """The newest run that shares words with the claim, else the newest of all when it failed."""
    words = content(claim.text)
    related = [run for run in runs if words & (content(run.text[:2000]) | content(run.name.replace("_", " ")))]
    return (related or list(runs) or [None])[0]


def _failed(run: ToolRun) -> bool:
    return run.status == "error"


def _identity(index: int, event: Event, claim: Claim, context: ScreenContext) -> list[Finding]:
    if event.role == "user":
        return []
    subjects = {fact.subject for fact in facts_of(claim.text, language(claim.text))} | {claim.subject.lower()}
    for subject in subjects - {"", "user", "they", "it", "agent"}:
        for name in context.user_names:
            if subject != name.lower() and _near_name(subject, name.lower()):
                return [
                    Finding(
                        index,
                        "identity",
                        "identity",
                        Reason("name_nearly_the_user", {"subject": subject, "name": name}),
                    )
                ]
    subject, attribute, value = claim.subject, claim.attribute, claim.value
    if subject == "user" and attribute:
        for other, slot, held in context.facts_of_others:
            if slot == attribute and value and same_value(value, held):
                return [
                    Finding(
                        index,
                        "identity",
                        "identity",
                        Reason("known_of_another", {"other": other, "value": held}),
                    )
                ]
    return []


def _flood(index: int, event: Event, claim: Claim, context: ScreenContext) -> list[Finding]:
    """The same again in other words is turned away; many different values for one thing wait for a person."""
    if event.role == "user":
        return []
    alike = [text for text in context.similar_by_origin if _alike(text, claim.text)]
    if any(_same_value(text, claim.text) for text in alike):
        return [Finding(index, "repetition", "flood", Reason("origin_said_it"))]
    if len(alike) >= FLOOD_AFTER:
        return [Finding(index, "flood", "flood", Reason("origin_floods", {"times": len(alike)}))]
    return []


def _external(index: int, event: Event, claim: Claim) -> list[Finding]:
    if event.source_class is not SourceClass.EXTERNAL_CONTENT:
        return []
    about = [
        fact
        for fact in facts_of(claim.text, language(claim.text))
        if fact.subject and fact.subject not in ("it", "agent")
    ]
    personal = any(
        fact.subject in ("user", "they")
        or not fact.attribute.startswith(
            ("slot:", "be:", "measure:", "version:", "count:", "schedule", "is", "held_by:", "uses_tool", "runs_on")
        )
        for fact in about
    )
    if personal or orders.permits(claim.text, language(claim.text)):
        return [Finding(index, "external_claim", "injection", Reason("outside_text_about_user"))]
    return []


def _slots(text: str) -> frozenset[tuple[str, str, bool]]:
    return frozenset((fact.attribute, normalise(fact.value), fact.negated) for fact in facts_of(text, language(text)))


def _alike(one: str, other: str) -> bool:
    """About one thing, whatever the numbers and however they are written."""
    first, second = (frozenset(word for word in content(text) if not word.isdigit()) for text in (one, other))
    return overlap(first, second) >= ALIKE


def _same_value(one: str, other: str) -> bool:
    """The same numbers and the same yes or no; the words are known to be alike."""
    values = [
        # a bare 2000 may be a year, 2,000 may not: both are the number
        (
            sorted(str((amount.kind.replace("year", "number"), amount.value)) for amount in amounts(text)),
            len(_NO.findall(text)) % 2,
        )
        for text in (one, other)
    ]
    return values[0] == values[1] and (bool(amounts(one)) or overlap(content(one), content(other)) >= SAME)


def _near_name(one: str, other: str) -> bool:
    """One sign apart in a Chinese name of the same length, or one letter in a longer one."""
    if len(one) != len(other) or len(one) < 2:
        return False
    apart = sum(a != b for a, b in zip(one, other, strict=True))
    return apart == 1 and (len(one) >= 5 or bool(re.search("[\u4e00-\u9fff]", one)) and len(one) >= 3)
