"""What a statement says is left behind: "text me instead of emailing me" gives up emailing, 从Vue换成React Vue.

A statement may also say what becomes of a thing (sold, died, closed): that gives up having it, not liking it.
"""

import re
from dataclasses import dataclass
from functools import lru_cache


@dataclass(frozen=True, slots=True)
class GivenUp:
    """`phrase` is as written. `thing`: the thing itself is gone, so only having or using it has ended."""

    phrase: str
    thing: bool = False


_END = (
    r"(?=[,.;!?]|\s(?:and|but|to|for|in|on|at|last|now|anymore|any more|because|so|please|since|with|when|as|by|"
    r"from)\b|$)"
)
_LEFT = (
    r"(?:instead of|rather than|in place of|no longer|stopped|stop|quit|gave up|given up|giving up|"
    r"dropped|dropping|cancel(?:l?ed)?|unsubscribed from|left|resigned from|retired from|done with|finished with|"
    r"(?:am |is |are |'m |'re )?tired of|ditched|abandoned|skip|skipping|lost interest in|never again|"
    r"no need (?:for|to)|stepped down as|called off|broke (?:off|up with)|split (?:up )?(?:from|with)|cut out|"
    r"gone off|went off|"
    r"(?:(?<=^)|(?<=, )|(?<=\. )|(?<=please ))(?:don't|do not))"
)
_FROM = (
    r"(?:switch|mov|migrat|chang|went|convert|upgrad|transferr?|took over|port|shift|transition|replac)\w*"
    r"(?: [\w']+){0,4}? from (?P<g>.+?)(?: to | into | onto |$)"
)
_EN = tuple(
    (re.compile(pattern, re.IGNORECASE), thing)
    for pattern, thing in (
        (rf"\b{_LEFT} (?P<g>[\w' -]+?){_END}", False),
        (rf"\b{_FROM}", False),
        (r"(?:don't|doesn't|do not|does not|not) (?P<g>[\w' -]+?) any ?more", False),
        (r"\blet (?P<g>(?:my|our|the) [\w ]+?) go\b", True),
        (r"\bfinished (?:my|the|our) (?P<g>[\w -]+?)(?=[,.;!?]|$)", True),
        (r"\breplaced (?P<g>.+?) (?:with|by) ", False),
        (r"\b(?:replaced|succeeded|(?:took|taking) over from|relieved|in for) (?P<g>(?-i:[A-Z])\w+)\b(?! with|"
         r" by)", False),
        (r"(?:,| and| but) not (?P<g>[\w' -]+?)(?=[,.;!?]|$)", False),
        (r"\b(?:handed|passed|gave|transferred)(?: over)? (?P<g>.+?)(?: over)? to [A-Z]", True),
        (r"\b(?:sold|lost|gave away|got rid of|traded in|threw (?:out|away)|returned|scrapped|deleted|removed|closed|"
         rf"uninstalled) (?:my|our|the|his|her|their) (?P<g>[\w' -]+?){_END}", True),
        (r"\b(?P<g>(?-i:[A-Z])\w+), (?:my|our|his|her|their) [\w ]+, (?:has |have )?(?:passed away|died|ran away|"
         r"run away)\b",
         True),
        (r"\b(?:my|our|the|his|her|their) (?P<g>[\w' -]+?) (?:has |have |was |is |were |got )?(?:passed away|died|dead|"
         r"gone|been sold|sold|stolen|broken for good|been cancel+ed|been deleted|been removed|run away|"
         r"ran away)\b", True),
    )
)  # fmt: skip
_ZH_TO = "(?:换|改|切换|迁移?|搬|转|升级?|跳槽|调整?|变|交接?|移交)"
_ZH = tuple(
    (re.compile(pattern), thing)
    for pattern, thing in (
        (f"(?:从|由)(?P<g>[^，。；]{{1,14}}?)(?:离职|辞职|毕业)?(?:全部|正式|已经|都)?{_ZH_TO}(?:成|到|为|至|用|去|给|"
         f"了)", False),
        ("(?:别|不要|不用|无需|不必|停止|不准|请勿)(?:再)?(?:给我)?(?P<g>[^，。；！!了]{1,12})", False),
        ("(?:不再|放弃了?|退订了?|取消了?|戒掉?了?|弃用了?|停用了?|辞去了?|离开了?|"
         "退出了?)(?P<g>[^，。；！!了]{1,12})", False),
        ("(?:已经|早就|现在)?不(?P<g>[^，。；！!了会能]{1,8})了(?=$|[，。；！!])", False),
        ("(?P<g>[^，。；我]{2,8}?)(?:我们?)(?:已经|都|早就|已)*(?:停|辞掉?|取消|卖掉?|退掉?|关掉?|丢)了", True),
        ("(?:而不是|不是|代替|取代)(?P<g>[^，。；！!]{1,12}?)(?=而是|$|[，。；！!])", False),
        (f"(?P<g>[^，。；我]{{1,10}}?)(?:已经|都|已|被)*{_ZH_TO}(?:成|为)(?=.)", True),
        ("(?:把|将)?(?P<g>[^，。；]{1,10}?)(?:已经|都|已|被|上个?[月周]|去年|昨天|刚|就|[春夏秋冬]天)*(?:卖掉?了?|"
         "送人了|丢了|没了|去世了?|走丢了|死了|"
         "报废了|注销了?|关停了|退掉了|拆了)", True),
        ("(?:卖掉?了?|丢掉?了?|送走了?|注销了?|关掉了?)(?P<g>[^，。；！!了]{1,10})", True),
    )
)  # fmt: skip


@lru_cache(maxsize=2048)
def given_up(text: str, lang: str) -> tuple[GivenUp, ...]:
    """Everything a text says is left behind, as written; empty for most texts. Never raises."""
    found = []
    for pattern, thing in _ZH if lang == "zh" else _EN:
        for match in pattern.finditer(text.replace("’", "'")):
            phrase = match.group("g").strip()
            if phrase:
                found.append(GivenUp(phrase, thing))
    return tuple(found)
