"""Names that mean the same thing: data, and whether two values are one."""

import re
from difflib import SequenceMatcher
from functools import lru_cache

from memory.intake.clean import HAN, normalise
from memory.intake.numbers import amounts, same_amount
from memory.intake.words import content

# Each line is one thing. Only names whose sense is the same wherever they stand.
_GROUPS = """
new york city|new york|nyc|big apple|纽约|纽约市
los angeles|la|l.a|洛杉矶
san francisco|sf|旧金山|三藩市
united states of america|united states|usa|us|u.s|u.s.a|america|us of america|the us|the states|american|美国
united kingdom|uk|u.k|great britain|britain|united kingdom of great britain and ireland|british|英国
european union|eu|欧盟
united arab emirates|uae|阿联酋
soviet union|ussr|苏联
people's republic of china|china|prc|中国|中华人民共和国
south korea|republic of korea|korea|韩国
netherlands|the netherlands|holland|荷兰
russia|russian federation|俄罗斯
germany|federal republic of germany|deutschland|德国
washington|washington dc|washington d.c|华盛顿
saint petersburg|st petersburg|petersburg|圣彼得堡
mumbai|bombay|孟买
ho chi minh city|saigon|胡志明市|西贡
beijing|peking|北京|北京市|帝都|京城|首都
shanghai|上海|上海市|魔都|沪
guangzhou|canton|广州|广州市|羊城|花城
shenzhen|深圳|深圳市|鹏城
chengdu|成都|成都市|蓉城
chongqing|重庆|重庆市|山城
wuhan|武汉|武汉市|江城
xi'an|xian|西安|西安市|长安
nanjing|南京|南京市|金陵
hangzhou|杭州|杭州市
suzhou|苏州|苏州市|姑苏
tianjin|天津|天津市|津门
hong kong|hk|香港|港岛
taiwan|台湾
macau|macao|澳门
association football|football|soccer|足球
ice hockey|hockey
basketball|hoops|篮球
table tennis|ping pong|ping-pong|乒乓球|兵乓
badminton|羽毛球
kubernetes|k8s
javascript|js
typescript|ts
postgresql|postgres|pg|psql
mongodb|mongo
visual studio code|vs code|vscode
google cloud platform|google cloud|gcp
amazon web services|aws
microsoft azure|azure
elasticsearch|elastic|es
golang|go
c#|csharp|c sharp
macos|mac os|os x
wechat|weixin|微信
alipay|支付宝
github|gh
chief executive officer|ceo|chief executive|首席执行官
chief technology officer|cto|首席技术官
human resources|hr|人事|人力资源
quality assurance|qa
pull request|pr|merge request
vegetarian|素食者|素食主义者|吃素|素食
e-mail|email|电子邮件|邮件|邮箱
mobile phone|cell phone|cellphone|手机
tomato|西红柿|番茄
potato|土豆|马铃薯
coriander|cilantro|香菜|芫荽
aubergine|eggplant|茄子
courgette|zucchini|西葫芦
rocket|arugula
prawn|shrimp|虾
bicycle|bike|自行车|单车|脚踏车
flat|apartment|公寓
car|automobile|汽车|小汽车
wife|老婆|妻子|爱人|太太|媳妇
husband|老公|丈夫|先生
mother|mom|mum|妈妈|母亲|老妈|妈
father|dad|爸爸|父亲|老爸|爸
catholic church|catholicism|roman catholic church|catholic|roman catholic|天主教
english|english language|en|英语|英文
french|french language|fr|法语|法文
german|german language|de|德语|德文
spanish|spanish language|es language|西班牙语
chinese|mandarin|chinese language|zh|中文|汉语|普通话
japanese|japanese language|ja|日语|日文
russian|russian language|ru|俄语
italian|italian language|it language|意大利语
portuguese|portuguese language|pt|葡萄牙语
arabic|arabic language|ar|阿拉伯语
korean|korean language|ko|韩语|韩文
hip hop|hip hop music|hip-hop|rap
rock|rock music|rock and roll|rock 'n' roll|摇滚|摇滚乐
pop|pop music|流行|流行音乐
jazz|jazz music|爵士|爵士乐
coach|manager|head coach|association football manager|football manager|trainer
british broadcasting corporation|bbc
national broadcasting company|nbc
american broadcasting company|abc
home box office|hbo
association football club|football club|fc
university of california los angeles|ucla
massachusetts institute of technology|mit
monday|mon|周一|星期一|礼拜一
"""
ALIASES = {name: number for number, line in enumerate(_GROUPS.strip().split("\n")) for name in line.split("|")}

_LEGAL = re.compile(r"\b(?:inc|ltd|llc|corp|corporation|company|co|gmbh|plc|the|a|an|city|mr|mrs|ms|dr|sir|prof|jr|sr)\b\.?|(?:有限公司|公司|集团|股份)$")
_SMALL = frozenset({"of", "the", "and", "for", "de", "in"})


@lru_cache(maxsize=4096)
def _folded(value: str) -> str:
    folded = normalise(value)
    return " ".join(_LEGAL.sub(" ", folded).split()) or folded


@lru_cache(maxsize=4096)
def same_value(one: str, other: str) -> bool:
    """True when two values name the same thing: numbers by what they measure, names by alias, order, initials or a
    part left out, spelling by one slip. Digits must agree."""
    first, second = _folded(one), _folded(other)
    if first == second:
        return True
    numbers = _same_numbers(one, other)
    if numbers is not None:
        return numbers and (not _words_beside(one, other) or _same_names(first, second))
    if re.findall(r"\d+", first) != re.findall(r"\d+", second):
        return False
    return _same_names(first, second)


def _same_numbers(one: str, other: str) -> bool | None:
    """None when no number of one can be compared with a number of the other."""
    pairs = [same_amount(a, b) for a in amounts(one)[:4] for b in amounts(other)[:4]]
    compared = [pair for pair in pairs if pair is not None]
    return any(compared) if compared else None


def _words_beside(one: str, other: str) -> bool:
    """True when both values have words beside their numbers that could differ: "Python 3", "Ruby 3"."""
    return bool(_proper(one)) and bool(_proper(other))


def _proper(value: str) -> list[str]:
    bare = value
    for amount in reversed(amounts(value)):
        bare = bare[: amount.start] + bare[amount.end :]
    return re.findall(r"\b[A-Z][\w+#]+", bare)


def _same_names(first: str, second: str) -> bool:
    known, other_known = ALIASES.get(first), ALIASES.get(second)
    if known is not None and known == other_known:
        return True
    if HAN.search(first) or HAN.search(second):
        return known is None and other_known is None and _han_part(first, second)
    words, others = first.split(), second.split()
    if sorted(words) == sorted(others) or content(first) == content(second) and content(first):
        return True
    if _initials(words) == second.replace(".", "").replace(" ", "") or _initials(others) == first.replace(".", "").replace(" ", ""):
        return True
    short, long = sorted((words, others), key=len)
    kept = [word for word in short if word not in _SMALL]
    if kept and set(kept) <= set(long) and (len(kept) > 1 or len(long) <= 3 or kept[0] == long[-1]):
        return True
    return len(first) > 6 and first[0] == second[0] and SequenceMatcher(None, first, second).ratio() >= 0.85


def _han_part(first: str, second: str) -> bool:
    """西安 and 西安市: a Chinese name that the other only extends."""
    short, long = sorted((first, second), key=len)
    return len(short) >= 2 and (long.startswith(short) or long.endswith(short)) and len(long) - len(short) <= 2


def _initials(words: list[str]) -> str:
    letters = "".join(word[0] for word in words if word not in _SMALL)
    return letters if len(letters) > 1 else "-"
