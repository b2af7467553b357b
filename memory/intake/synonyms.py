"""Words that say one thing, and words that deny another: data for `gist`. No logic but their compilation."""

import re

from memory.index.stemming import stem


def _en(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


# How things are typed in haste, and fixed phrases that are one word.
EN_TYPED = tuple(
    (_en(pattern), written)
    for pattern, written in (
        (r"\b(do|does|did|is|are|was|were|ca|wo|has|have|could|should|would)nt\b", r"\1n't"),
        (r"\bgonna\b", "going to"),
        (r"\b(?:any ?more|at all|from now on|these days|of course|in the end|for good)\b", " "),
        (r"\b(?:works?|job|working|worked) as an? |\bby (?:profession|trade)\b", " "),
        (r"\b(?:date of birth|birth ?date|was born|born on)\b", "birthday"),
        (r"\b(?:is|are) (?:called|named)\b", "name"),
        (r"\bsquare met(?:re|er)s?\b", "m²"),
        (r"\bunited states(?: of america)?\b|\busa\b|\bu\.s\.(?:a\.)?", "us"),
        (r"\bphone ?calls?\b|\bring(?:ing)?(?= me)|\bphon(?:e|ing)(?= me| us)", "call"),
        (r"\b(?:until|till) (?:next |the end of )?\w+$", " "),
        (r"\battends?\b", "go to"),
        (r"\b(?:a|one|a single) (?:word|bit|drop|clue) (?:of|about)\b", " "),
        (r"\b(?:terrified|petrified|frightened|scared)\b", "afraid"),
        (r"\be-mail", "email"),
        (r"\b(is|are|was|turned|switched|set to) on(?= *$| *[.,;!]| now| by default)", r"\1 enabled"),
        (r"\b(is|are|was|turned|switched|set to) off(?= *$| *[.,;!]| now| by default)", r"\1 disabled"),
    )
)  # fmt: skip
# What denies, and the word it denies.
EN_DENIED = tuple(
    (_en(pattern), word)
    for pattern, word in (
        (r"\b(?:hates?|hated|dislikes?|detests?|despises?|loathes?|can(?:'t|not| not) (?:stand|bear|abide)|"
         r"couldn't (?:stand|bear)|averse to|not (?:a fan of|fond of|keen on|into)|sick of|tired of|disgusts? me|"
         r"gross(?:es)? me out|"
         r"makes? me sick|not my (?:thing|cup of tea)|couldn't care less about|indifferent to)\b", "like"),
        (r"\b(?:(?:is|are|'s|'re) )?(?:forbidden|prohibited|banned|disallowed|off limits|not (?:allowed|permitted))\b",
         "allowed"),
        (r"\b(?:stop(?:s|ped)?|quit|quits|gave up|give up|given up|dropped|drop|unsubscribed from|cancel(?:l?ed)?|"
         r"no longer|done with|finished with|refuses? to|avoids?)\b", ""),
        (r"\bcharges? (?:an? )?(?:entrance |entry |admission )?fee\b|\bcosts money\b|\bpaid entry\b", "free"),
        (r"\b(?:unable to|incapable of|not able to)\b", ""),
        (r"\bcosts? (?=[€$£]?\d|\w+ (?:euros?|dollars?|pounds?|cents?)\b)", "free"),
        (r"\b(?:don't|doesn't) (?:scare|frighten|bother|worry)(?: me| him| her)?\b", "afraid"),
        (r"\b(?:unemployed|out of work|between jobs)\b", "job"),
    )
)  # fmt: skip
_SAME = (
    "like love loves loved enjoy enjoys enjoyed adore fond fan fave/child children kid kids/flat apartment "
    "condo/bicycle bike bikes cycle/doctor physician/car automobile/home house/work job employed/study studying "
    "learn learning lesson lessons class classes/allowed allow allows permitted permit permits/favorite favourite "
    "fav/color colour/afraid scared frightened fear/mother mum mom mommy/father dad daddy/buy bought purchase "
    "purchased/have has own owns owning got keep/live lives living reside resides based located/large big/begin "
    "start starts/finish end ends/sport sports/film films movie movies/holiday vacation/ill sick/fast quick/phone "
    "mobile cellphone/mail email emails emailing/text sms texting/boss manager/rise rose risen/subscribed "
    "subscription/eat eating eats/drink drinking drinks/smoke smoking smokes/married marry/meeting meetings "
    "meet/afternoon pm/fee charge charges/trip journey/remind reminder reminders/required mandatory compulsory "
    "obligatory/weigh weight weighs/last lasts take takes duration/engaged engagement/member "
    "membership/allergic allergy/intolerant intolerance/pass passes passed succeed succeeds succeeded/fail fails failed"
)  # fmt: skip
EN_SAME = {
    stem(word): stem(group.split()[0]) for group in _SAME.split("/") for word in group.split()
}  # fmt: skip
for _word in ("have", "name", "live"):
    EN_SAME = {word: "" if same == stem(_word) else same for word, same in EN_SAME.items()}
EN_SAME |= dict.fromkeys(("pleas", "everi", "time", "down", "up", "off", "out", "away", "back", "all"), "")
# Opposites of a state: the second is the first, denied. Never sizes: a big and a small room are two rooms.
_OPPOSITES = (
    "required/optional required/voluntary open/closed open/shut enabled/disabled allowed/forbidden public/private "
    "available/unavailable "
    "working/broken possible/impossible happy/unhappy valid/invalid active/inactive alive/dead present/absent "
    "accept/reject include/exclude online/offline married/single married/divorced "
    "safe/unsafe vegetarian/carnivore healthy/ill pass/fail introvert/extrovert optimist/pessimist allow/"
    "block "
    "full-time/part-time manual/automatic permanent/temporary left-handed/right-handed indoor/outdoor remote/on-site"
)
EN_FLIPS = {stem(pair.split("/")[1]): stem(pair.split("/")[0]) for pair in _OPPOSITES.split()}

ZH_SAME = tuple(
    (re.compile(pattern), written)
    for pattern, written in (
        ("更?喜爱|热爱|钟爱|偏爱|酷爱|爱好|(?<!可)爱(?=[吃喝看听玩穿用打上逛做读])", "喜欢"),
        ("喜欢(?=[吃喝看听玩用穿打])", ""),
        ("上班|任职|就职", "工作"),
        ("已婚", "结婚"),
        ("营业|开门(?!红)|开馆", "开放"),
        ("念书|上学|就读", "读书"),
        ("孩子|小孩|宝宝", "娃"),
        ("俩", "两个"),
        ("家在|居住在?|住在|定居在?", "住"),
        ("我的名字(?:是|叫)|我名叫|名叫", "叫"),
        ("(?:的)?职业是|从事|当(?=.{1,4}$)", ""),
        ("星期|礼拜", "周"),
        ("每个", "每"),
        ("一共|总共|总计|为期|时长|历时|持续", ""),
        ("小狗|狗狗|[只条]狗", "狗"),
        ("猫咪|小猫|只猫", "猫"),
        ("北大", "北京大学"),
        ("魔都", "上海"),
        ("帝都|首都北京", "北京"),
        ("羊城", "广州"),
        ("我家养?|家里养?|养着?|我?家里?有", "有"),
        ("会议时间|开会时间|开会", "会议"),
        ("打电话|来电|致电|电联", "电话"),
        ("发邮件|写邮件|邮件联系|电邮", "邮件"),
        ("吸烟", "抽烟"),
        ("称呼", "叫"),
        ("截止日期|截止时间|截止到|截至", "截止"),
        ("妈妈|母亲|老妈", "妈"),
        ("爸爸|父亲|老爸", "爸"),
        ("妻子|太太|爱人|媳妇", "老婆"),
        ("丈夫|先生(?=$|[，。])", "老公"),
        ("出生日期|出生于|生于", "生日"),
    )
)  # fmt: skip
ZH_DENIED = tuple(
    (re.compile(pattern), written)
    for pattern, written in (
        ("没有?兴趣|不感兴趣|无感", "喜欢"),
        ("讨厌|厌恶|反感|受不了|嫌弃|不待见|(?<!不)恨|不喜欢|不爱(?=[吃喝看听玩穿用打上])|不喜", "喜欢"),
        ("滴酒不沾|戒酒", "喝酒"),
        ("戒了?烟", "抽烟"),
        ("(?P<v>[吃喝看听用穿])(?:不了|不惯|不来|不下)", r"\g<v>"),
        ("戒掉?了?", ""),
        ("(?:要|需要?|得)?收(?=\\d|[一二两三四五六七八九十百]+(?:块|元|毛))", "免费"),
        ("禁止|不允许|不准|不许|严禁|谢绝|不让", "允许"),
        ("不免费|收费|要钱|要收费|需付费|付费", "免费"),
        ("不再|放弃了?|停止了?|退订了?|取消了?", ""),
    )
)  # fmt: skip
ZH_FLIPS = tuple(
    (re.compile(pattern), written)
    for pattern, written in (
        ("关闭|关门|停业|倒闭|歇业|打烊|(?<=[一二三四五六日天末假])(?:休息|"
         "不开门)", "开放"), ("停用|禁用", "启用"), ("私有|不公开", "公开"), ("失败", "成功"),
        ("反对|拒绝|驳回", "同意"), ("离线|下线", "在线"), ("单身|未婚|离婚|离异", "结婚"),
        ("危险", "安全"), ("选修", "必修"), ("坏了|用不了|失灵|出故障", "用"),
    )
)  # fmt: skip
