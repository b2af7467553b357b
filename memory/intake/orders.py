"""Text that orders agents about, lends itself trust it has not earned, or leads one record into another."""

import base64
import binascii
import re
from dataclasses import dataclass
from functools import lru_cache

from memory.intake.disguise import unmasked
from memory.intake.order_patterns import ORDERS
from memory.intake.sentences import sentences
from memory.intake.types import Event


@dataclass(frozen=True, slots=True)
class Order:
    """`id` names the class, `quote` is the literal sentence (or hidden piece) it was found in."""

    id: str
    quote: str
    hidden: bool = False


_BASE64 = re.compile(r"(?<![A-Za-z0-9+/=])[A-Za-z0-9+/]{16,}={0,2}(?![A-Za-z0-9+/=])")
_ORDER_WORDS = re.compile(
    r"\b(?:ignore|disregard|rules?|instructions?|execute|delete|send|export|upload|password|secret|approve|transfer|"
    r"admin)\b|忽略|指令|执行|删除|发送|上传|导出",
    re.IGNORECASE,
)
_QUOTED = re.compile(
    r"“[^”]{2,200}”|\"[^\"]{2,200}\"|「[^」]{2,200}」|『[^』]{2,200}』|‘[^’]{2,200}’|'[^']{6,200}'|`[^`]{2,200}`"
)
_TEACHES = re.compile(
    r"\b(?:example|examples|e\.g\.|quot(?:e|es|ed|ing)|such as|slides?|talk|article|paper|blog|lecture|course|"
    r"training|workshop|presentation|explain(?:s|ed|ing)?|demonstrat\w+|research\w*|test cases?|detect\w*|attacks?|"
    r"phrase)\b|"
    "例如|比如|例子|示例|举例|引用|文章|论文|演讲|课程|培训|讲解|演示|研究|测试用例|检测|攻击手法|短语|写在",
    re.IGNORECASE,
)
# An agent that tells of such text does not give its orders.
_REPORTS = re.compile(
    r"\b(?:page|mail|email|text|document|file|comment|site|website|message|tool|result|it)\b.{0,30}\b(?:asked|asks|"
    r"told|tells|tried|tries|wanted|wants|"
    r"contains?|contained|attempted|says|said|instructs?|instructed)\b|\bi (?:did not|didn't|ignored|refused|won't)\b|"
    r"(?:网页|页面|邮件|文件|文档|注释|网站|内容).{0,10}(?:要求|试图|让我|含有|包含|提到|想让)|我(?:没有|不会|拒绝)",
    re.IGNORECASE,
)
# "outside the allowed directories" describes a setting; nobody has allowed anything
_PERMITS = re.compile(
    r"\b(?:has |have |had )?(?:agreed|consented|authori[sz]ed|approved"
    r"|(?:allowed|permitted)(?! (?:director|path|host|origin|value|type|method|domain|file|extension|range|size))"
    r"|granted|given permission|opted in)\b",
    re.IGNORECASE,
)
_PERMITS_ZH = re.compile("(?:已经?|已)?(?:同意|授权|允许|批准|许可)(?:了|将|把|给|向|开放|让)?")


def find(event: Event) -> tuple[Order, ...]:
    """Every order in the event's text and in what it hides, in order; one per sentence and class."""
    return _find(event.text, event.hidden, event.role == "assistant")


@lru_cache(maxsize=256)
def _find(text: str, hidden: tuple[str, ...], by_agent: bool) -> tuple[Order, ...]:
    if by_agent and _REPORTS.search(text):
        return ()
    found = [Order(id_, quote) for quote in sentences(text)[:200] for id_ in classes(quote)]
    known = {order.id for order in found}
    # Marks such as "![" end a sentence but not a line.
    lines = [line.strip() for line in text.split("\n")[:200]]
    found.extend(Order(id_, line) for line in lines for id_ in classes(line) if id_ not in known)
    known |= {order.id for order in found}
    plain = unmasked(text)
    if plain != text:
        # what is only there once the disguise is off was hidden from somebody
        found.extend(Order(id_, text, hidden=True) for id_ in classes(plain) if id_ not in known)
    for piece in hidden:
        found.extend(Order(id_, piece, hidden=True) for id_ in classes(piece))
    return tuple(dict.fromkeys(found))


def classes(text: str) -> tuple[str, ...]:
    """The ids of the classes one sentence belongs to. What is quoted as an example belongs to none."""
    bare = _QUOTED.sub(" … ", text) if _TEACHES.search(_QUOTED.sub(" ", text)) else text
    found = [id_ for id_, pattern in ORDERS if pattern.search(bare)]
    if "encoded" not in found and _decodes_to_orders(bare):
        found.append("encoded")
    return tuple(found)


def permits(text: str, lang: str) -> bool:
    """True for a statement that somebody has agreed to or allowed something."""
    return bool((_PERMITS if lang == "en" else _PERMITS_ZH).search(text))


def _decodes_to_orders(text: str) -> bool:
    for match in _BASE64.finditer(text):
        shown = match.group()
        try:
            plain = base64.b64decode(shown + "=" * (-len(shown) % 4), validate=True).decode("utf-8")
        except (binascii.Error, ValueError):
            continue
        if plain.isprintable() and _ORDER_WORDS.search(plain):
            return True
    return False
