"""Words by which one statement takes the place of another, in both languages: data for relate_gist. No logic here."""

import re

from memory.intake import lexicon_zh


def _any(*parts: str) -> re.Pattern[str]:
    """English alternatives (whole words) first, then Chinese ones."""
    english, chinese = parts
    return re.compile(rf"\b(?:{english})\b|{chinese}", re.IGNORECASE)


NOBODY = frozenset({"", "user", "they", "it", "agent"})
SLOT = re.compile(lexicon_zh.SLOT_NOUNS)
# Said to the agent: whatever is read as its subject is none.
BIDS = re.compile(
    r"(?:from now on,? |please,? |pls |always |never |just |do not |don't |and |ok(?:ay)?,? )*(?:email|mail|call|text|"
    r"write|reply|answer|send|book|use|put|leave|give|deliver|schedule|keep|make|message|address|ship|speak|respond|"
    r"format|show|contact|reach|remind|ring|stop|switch|add|order|pay|set|tell|get|let|start|wake|notify|include|skip|"
    r"pick|charge)\b|请|以后|今后|从现在起|别|不要|帮我|给我|麻烦|默认",
    re.IGNORECASE,
)
FROM_NOW_ON = _any(
    r"from now on|from here on|going forward|please|instead|decided|i'd rather|i(?:'d| would) like(?! to)",
    "以后|今后|从现在起|往后|请|别|不用|不要",
)
# The new statement takes the place of another.
TAKES_PLACE = _any(
    r"now|from now on|from this (?:week|month|year)|these days|nowadays|instead|in the end|switch(?:ed|ing)|"
    r"chang(?:ed|ing)|mov(?:ed|ing)|renamed|replaced|relocated|converted|renewed|adjusted|climbed|jumped|bumped|set|"
    r"upgraded|downgraded|migrated|rescheduled|postponed|slipped|pushed(?: back)?|brought forward|extended|shortened|"
    r"raised|lowered|increased|reduced|cut|went (?:up|down)|gone (?:up|down)|dropped|rose|fell|grew|best|fastest|"
    r"highest|record|took|got|became|just|new|shrank|doubled|halved|no longer|(?:down|up) to|took over|turned|decided|"
    r"settled on|only",
    "现在|如今|目前|已经|以后|今后|从现在起|改|换|升(?=[级到至为任了上])|涨|降|减|砍|压[到缩]|(?<!空)调|延|推|提前|"
    "变成|转|扩|搬|迁|缩|增加|提高|最后|最终|重新|"
    "最快|新高|纪录|破了|再(?=[交开去做来])|只(?=[收用接能要剩])",
)
# Verbs of which several objects stand side by side: "now supports XML" takes no place.
MANY = re.compile(
    r"\b(?:support|ha[sv]e?|had|like|love|enjoy|know|speak|own|offer|include|sell|accept|learn|play|eat|want|need|"
    r"teach|visit|collect|watch)(?:s|ed|ing)?\b|有|支持|喜欢|爱|会|学|玩|养|想|去过",
    re.IGNORECASE,
)
ONLY = _any("only|just", "只|仅")
MOVES = re.compile(r"\b(?:switch|chang|replac|renam|mov|migrat|upgrad)\w+|换|改|升级|迁|转", re.IGNORECASE)
ALSO = _any("also|as well|too|in addition|besides|another|second|both", "也|还|另外|另一|同时|兼")
HAVING = _any(
    "have|has|had|own|owns|got|keep|drive|drives|use|uses|run|runs|ride|manage|manages|lead|leads|on|deploy|host|rent|"
    "with|called|named|name",
    "有|叫|养|开|用|是|在|骑|负责|租|订|请",
)
# The words of the gist that say that nothing is to be paid.
FREE = {"en": frozenset({"fre"}), "zh": frozenset("免费")}
# How one wants to be dealt with.
WISH = re.compile(
    r"^(?:please |pls |just |always |and )*(?:email|e-mail|mail|call|text|write|reply|answer|send|book|use|put|leave|"
    r"give|deliver|schedule|keep|make|message|address|ship|speak|respond|format|show|contact|reach)\b|\bi (?:want|"
    r"prefer|like|take|pay|drink|need|read|would)\b|\bi'd rather\b|^(?:请|以后|今后|有事|快递|帮我|给我|回复|回答|"
    r"用.{1,6}(?:回|写|说|沟通)|叫我|默认|.{1,4}要.{0,3}糖|.*(?:一点|就够|就行|即可|至少|最多)|会议|发票|咖啡)|"
    r"我(?:喜欢|想|要|平时|一般)|放.{1,8}(?:就行|就好|即可)",
    re.IGNORECASE,
)
# What stands before a number that tells things apart: Room 101, 2号楼.
NUMBERED = re.compile(
    r"\b(?:room|gate|order|invoice|ticket|case|flight|server|floor|line|platform|building|unit|apartment) "
    r"?#?([a-z]{0,2}\d+)\b|(\d+|[一二三四五六七八九十]+)(?=[号楼层室班组])|"
    r"(?:订单|发票|房间|航班|工单)号?([a-z]{0,2}\d+)"
)


def _words(english: str, chinese: str) -> frozenset[str]:
    return frozenset(english.split()) | frozenset(chinese)


# Stems and signs that name no topic: of measuring, and of changing.
LIGHT = _words(
    "now have get use go do make take be want need send put new best month monthli year week limit about last rais "
    "lower increas reduc cut went up down to reset turn extend slip push move chang upgrad switch pay from this that "
    "only end come thing wear until due climb set just",
    "升级涨降改换成为调高提减延长前推迟变新扩建后钱每月定起",
)
# Stems and signs of dealing with somebody: they tell no topic where one chooses how to be dealt with.
ANSWERING = _words("answer rep respond writ speak talk messag email mail tell", "回复答说写")
ADJUSTED = _words(
    "now new move chang upgrad switch extend slip push rais lower increas reduc cut went up down to turn from lik eat "
    "drink read only onli instead decid end prefer pleas rename renam replac see",
    "升级涨降改换成为调高提减延长前推迟变新扩建后定起转到",
)
