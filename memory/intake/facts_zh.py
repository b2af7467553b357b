"""Reads one Chinese clause into facts: a table of predicates, each with room for subject, modifiers and negation."""

import re
from collections.abc import Iterator

from memory.intake import lexicon_zh as lex
from memory.intake.fact import Fact
from memory.intake.numbers import amounts
from memory.intake.sentences import is_tentative
from memory.intake.words import content

_MODIFIER = re.compile(lex.MODIFIERS)
_TAIL = re.compile(r"(?:了(?:吧|呢|啊|呀|哦)?|啊|呀|吧|呢|哦|啦|的(?:啊|呀|呢)?|嘛|而已|工作|上班|居住|生活)+$|[（(].*$")
_RELATIVE = re.compile(rf"^(?:我|我们|咱|他|她)?的?{lex.RELATIVES}(?P<name>[^\s，。的]{{0,4}})$")


# A stretch of text before the verb that cannot be a subject.
_NO_SUBJECT = re.compile("请|把|说|觉得|认为|知道|听|没|别|不要|如何|怎么|得$|了$|一般|让|叫|给|帮|想|想要|需要|可以|去|来(?!源)|刚|正在|吃|喝")


_PLACES = "(?:总部|公司|办公室|店|学校|仓库|会议室|工厂|机房|服务器|数据中心|中心|门店|展厅|分部|实验室|工位|教室|宿舍)"


def _row(attribute: str, verb: str, value: str = ".+", after: str = "") -> tuple[str, re.Pattern[str]]:
    return attribute, re.compile(
        rf"^(?P<s>.{{0,16}}?)(?P<m>{lex.MODIFIERS}*)(?P<n>{lex.NEGATOR})?{lex.MODIFIERS}*{verb}(?P<v>{value}){after}$"
    )


# In order; the first row of an attribute that matches is the one that counts. (?P<n>) negates.
_TABLE: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("allergy", re.compile(r"^(?P<s>.{0,12}?)(?P<m>)对(?P<v>.{1,16}?)(?:有点|严重|轻度|都|也|已经|现在)*(?P<n>不再|不|没有?)?(?:会)?过敏(?:了|的)?$")),
    ("name", re.compile(r"^(?P<s>我|我的名字|名字|姓名|我的?大?名)(?P<m>)(?P<n>不)?(?:叫做?|是|：|:)(?P<v>[\u4e00-\u9fffA-Za-z·]{2,12})$")),
    ("slot:surname", re.compile(r"^(?P<s>我)(?P<m>)(?P<n>不)?姓(?P<v>.{1,2})$")),
    ("age", re.compile(r"^(?P<s>.{0,8}?)(?P<m>(?:今年|现在|已经|才|刚满?|快|都)*)(?P<n>)(?P<v>(?:\d{1,3}|[一二三四五六七八九十]{1,3})岁)了?$")),
    _row("employer", "(?:跳槽(?:到|去)|入职|加入|就职于|任职于|供职于|受雇于)了?", after="(?:上班|工作|任职|了)*", value=".+?"),
    _row("employer", "(?:转到|换到|调到|去)了?", after="(?:上班|工作|任职)了?", value=".+?"),
    ("left", re.compile(rf"^(?P<s>.{{0,8}}?)(?P<m>{lex.MODIFIERS}*)(?P<n>)(?:(?:从|离开)了?(?P<v>.{{1,16}}?)(?:离职|辞职|离开|出来)?了?)$")),
    ("works", re.compile(
        rf"^(?P<s>.{{0,8}}?)(?P<m>{lex.MODIFIERS}*)(?P<n>{lex.NEGATOR})?在(?![学看练做想听玩吃喝忙准读写])(?P<v>.{{1,16}}?)(?:工作|上班|任职|就职|实习|(?<!叫)(?:做|当|担任|任)(?P<w>.+?))(?:了|的)?$"
    )),
    _row("residence", "(?:住在|住(?![院宿])|搬(?:家)?(?:到|去|回|进|至|往)|定居(?:在|于|到)?|家在|现居|居住在|移居(?:到)?|生活在)了?"),
    _row("hometown", "(?:老家(?:在|是)|来自|出生在|籍贯是?)"),
    ("birthday", re.compile(r"^(?P<s>.{0,6}?)(?P<m>)(?P<n>)的?(?:生日|出生日期|出生年月)(?:是|在|：|:|为)?(?P<v>.*\d.*)$|^(?P<s2>.{0,6}?)(?:出?生于|出生在|出生日期)(?P<v2>.*\d.*?)(?:出生)?$")),
    _row("dislikes", lex.DISLIKE + lex.FILLERS + "?"),
    _row("likes", lex.LIKE + lex.FILLERS + "?"),
    _row("pet", "养(?:了|着|过)?", value=rf"(?:[一二两三四五六七八九十\\d]+[只条匹头个])?.{{0,6}}?{lex.PETS}"),
    _row("contact", "(?:发|打|用)?(?=短信|邮件|邮箱|电话|微信|钉钉)", value="(?:短信|邮件|邮箱|电话|微信|钉钉)(?:联系.*|通知.*|就行|即可)?"),
    _row("language", "(?:会说|会讲|讲|说|精通)", value=".{1,6}(?:语|话|文)"),
    _row("wears", "穿", value=r"\s?\d+(?:\.\d)?\s?码.*"),
    ("relation", re.compile(rf"^(?P<s>.{{1,10}}?)(?P<m>)(?P<n>不)?是我们?的?(?P<v>{lex.RELATIVES})$")),
    ("residence", re.compile(rf"^(?:我们?的?)?(?P<s>[^我你他她，。]{{0,8}}?{_PLACES})(?P<m>{lex.MODIFIERS}*)(?P<n>不)?(?:在|位于|设在|迁到|迁至|迁往|搬到|搬至|换到|挪到|调到)了?(?P<v>[^，。]{{2,10}})$")),
    ("residence", re.compile(rf"^(?P<s>[^，。]{{1,6}}?)(?P<m>{lex.MODIFIERS}*)(?P<n>不)?(?:在|到了?|去了?)(?P<v>{lex.CITIES}[^，。]{{0,4}})$")),
    _row("school", "(?:就读于|转学到|转学去|转到|考上|考入|在读于)了?"),
    ("school", re.compile(rf"^(?P<s>.{{0,8}}?)(?P<m>{lex.MODIFIERS}*)(?P<n>{lex.NEGATOR})?在(?P<v>.{{2,14}}?)(?:读书|上学|念书|就读|读(?:大学|研|博|高中|初中|小学)|上(?:大学|高中|初中|小学))$")),
    ("runs_on", re.compile(rf"^(?P<s>.{{0,16}}?)(?P<m>{lex.MODIFIERS}*)(?P<n>{lex.NEGATOR})?(?:跑在|运行在|部署在|托管在|基于|建在|迁移到了?)\s*(?P<v>.+?)(?:上|里|中)?$")),
    ("uses_tool", re.compile(
        rf"^(?P<s>.{{0,16}}?)(?P<m>{lex.MODIFIERS}*)(?P<n>{lex.NEGATOR})?(?:习惯)?(?:从.{{1,12}})?(?:改用|换用|换成|换到|切换(?:到|为|成)|改成|采用|选用|使用|用的?是?|升级到)了?\s*(?P<v>[^，。]{{1,30}})$"
    )),
    ("habit", re.compile(rf"^(?P<s>.{{0,10}}?)(?P<m>{lex.MODIFIERS}*)(?P<n>{lex.NEGATOR}|戒了?)?{lex.MODIFIERS}*(?P<verb>吃|喝|抽|戒)(?P<v>[^，。]{{1,12}})$")),
)  # fmt: skip
_DIET = re.compile(rf"^(?P<s>.{{0,8}}?)(?P<m>{lex.MODIFIERS}*)(?P<n>{lex.NEGATOR})?{lex.MODIFIERS}*(?:是(?:一[名个位]|个)?)?(?P<v>吃素|素食主义者|素食者|素食|纯素|严格素食|全素)")
_MARITAL = re.compile(r"^(?P<s>.{0,6}?)(?P<m>还|已经|现在|是|目前)*(?P<n>没有?|不|未)?(?P<v>单身|结婚|已婚|未婚|离婚|离异|订婚)了?$")
_ROLE = re.compile(rf"^(?P<only>只有|仅有)?(?P<s>.{{1,10}}?)(?P<m>{lex.MODIFIERS}*)(?P<n>不再是|不是|不再)?(?:是|成了|成为了?|当上?了?|升为|升任|担任|出任|被任命为|被提拔为|兼任)(?:了|唯一的?|一[名个位]|个|我们的?)*(?P<v>{lex.ROLES})(?:了|的)?$")
_CAN = re.compile(rf"^(?:只有|仅有|仅)?(?P<s>.{{1,8}}?)(?:{lex.MODIFIERS})*(?P<n>不)?(?:能|可以|有权|知道|掌握|会(?=[游开骑弹唱跳打下说做]))(?P<v>[^，。]{{2,12}})$")
_TAKES_ROLE = re.compile(r"^(?P<s>.{1,8}?)(?:现在|已经|昨天|上周|今天)*(?:当上了?|当了|当选了?|接任了?|升任了?|成了|成为了?|担任了?|接替.{1,6}?(?:担任|成为|当)了?)(?:新的?|我们的?)?(?P<v>(?:.{0,6})(?:组长|队长|班长|会长|主席|总裁|CEO|CTO|校长|院长|店长|主编|负责人|总经理|董事长|团长|部长|主教练))$")
_OCCUPATION = re.compile(rf"^(?P<s>.{{0,8}}?)(?P<m>{lex.MODIFIERS}*)(?P<n>不再是|不是|不再)?(?:是|当|做|担任|在当|在做|从事)(?:了|一[名个位]|个|的是)*(?P<v>{lex.OCCUPATIONS})(?:了|的)?$")
_HELD_BY = re.compile(rf"^(?P<s>.{{1,10}}?)(?P<m>{lex.MODIFIERS}*)(?P<n>不再|不)?{lex.MODIFIERS}*(?:负责|主管|接手|接管|牵头|维护|主持|带(?!我|狗|猫|孩|女|儿|去|你|给))了?(?P<v>.{{2,20}})$|^(?P<v2>.{{2,16}}?)(?:现在|已经|目前)*(?:由|归|交给了?)(?P<s2>.{{1,8}}?)(?:负责|管|维护|接手|接管|牵头|带|来做|做)?了?$")
_SCHEDULE = re.compile(
    rf"^(?P<s>.{{1,16}}?)(?P<m>{lex.MODIFIERS}*)(?P<n>{lex.NEGATOR})?(?:定在|改到|改在|推迟到|推迟至|改期到|改期至|改签到|顺延到|推后到|提前到|提前至|延期到|延后到|延到|挪到|调整?到|调整为|安排在|改为|改成|排在|放在|定于|订在|截止到|开始于|是|在|于|：)(?P<v>.+)$"
)
_SLOT = re.compile(
    rf"^(?P<k>.{{0,20}}?{lex.SLOT_NOUNS})(?P<m>{lex.MODIFIERS}*)(?P<n>不是|不)?(?:是|为|：|:|改成|改为|改到|改回|调到|调整为|调成|提高到|提升到|上调到|上调为|降到|降低到|降为|变成|变为|设为|设成|用|叫|在|换成|=)了?\s*(?P<v>.+)$"
)
_NUMBER_SLOT = re.compile(r"^(?P<k>[^，。我你他她是0-9]{2,12}?)(?P<n>不)?(?:是|为|：|:|=)\s*(?P<v>.*\d.*)$")
_NAMED = re.compile(r"^(?P<k>[^，。我你他她]{2,10}?)(?:名字)?叫做?(?P<v>[^，。]{1,10})$")
_SET = re.compile(r"^(?:把)?(?P<k>.{2,14}?)(?:改回|改成|改为|改到|调到|调成|调回|设为|设成|恢复到|恢复成|换成|换回|升到|涨到|降到|减到|达到|缩短到|延长到|换到|转到)了?(?P<v>.+)$")
_STARTS = re.compile(r"^(?P<s>[^，。0-9]{2,10}?)(?:是|在)?(?P<v>(?:每|下)?(?:周|星期|早上|上午|中午|下午|晚上|凌晨|\d|[一二三四五六七八九十]{1,2}[点月]).{0,12}?)(?:开始|举行|召开|上课|开课|开会|结束|出发|开门|关门|截止|发布|上线)$")
_BODY = re.compile(rf"^(?P<s>.{{0,6}}?)(?:的)?(?:{lex.MODIFIERS})*(?:体重|身高|身长)?(?:是|有|为|到|只有|已经)*(?:瘦到了?|胖到了?|减到了?|长到了?|降到了?|重|高)?(?:了|约|大概)?(?P<v>\d[\d.]*\s?(?:公斤|千克|斤|kg|厘米|公分|cm|米))了?$")
_CHANGING = re.compile("(?:改成|改为|改到|改|变成|变为|调整为|调成|换成)$")
_FRAME = re.compile(r"^(?P<s>.{1,12}?)(?P<n>不)?(?P<k>建于|成立于|位于|坐落于|坐落在|创办于|毕业于|成立|开业于|始建于|属于)(?P<v>.+)$")
_VERSION = re.compile(r"(?P<name>[A-Z][A-Za-z+#.]+)\s*v?(?P<v>\d+(?:\.\d+)*)")
_IS = re.compile(rf"^(?P<s>[^，。]{{0,8}}?)(?:{lex.MODIFIERS})*(?P<n>不再|不)?是(?:一[名个位条只家种])?(?P<v>[^，。的]{{1,8}})$")
_COUNT = re.compile(r"^(?P<s>[^我]{1,10}?)(?:一共|共|总共|现在|只|还)*有(?P<v>\d+|[一二两三四五六七八九十百]+)(?P<c>[间个台辆层张条只家名位人])(?P<k>[^，。]{0,8})$")
_BEST = re.compile(r"最好成绩|最佳成绩|个人最佳|最快|纪录|记录|PB|新高")
_EVENT = re.compile(r"(?P<e>(?:\d+|[一二三四五六七八九十百]+)\s?(?:公里|千米|米|k|K|km)|半程?马拉?松?|全程?马拉?松?|马拉松|卧推|深蹲|硬拉)")
_HAVE = re.compile(rf"^(?P<s>.{{1,10}}?)(?P<m>{lex.MODIFIERS}*)(?:(?P<n>没有|无)|(?P<h>(?<!没)有))了?(?P<v>(?!点|些|什么|用|被|把|人)[^，。]{{1,14}})$")


def read(clause: str, inherited: str = "") -> Iterator[Fact]:
    """The facts of one clause; `inherited` is the subject of the clause before, for a clause that names none."""
    text = clause.strip(" 　。！!.，,；;\"“”'")
    bare = lex.LEAD.sub("", text) or text
    marks = {
        "past": bool(lex.PAST.search(text)), "tentative": is_tentative(text, "zh"), "ended": bool(lex.ENDED.search(text)),
        "changed": bool(lex.CHANGE.search(text)), "also": bool(lex.ALSO.search(text)), "only": bool(lex.ONLY.search(text)),
    }  # fmt: skip
    seen = set()
    for subject, attribute, value, negated in _found(bare, inherited):
        if (attribute, value) not in seen and (value or attribute == "marital"):
            seen.add((attribute, value))
            yield Fact(subject, attribute, value, negated=negated, **marks)


def read_sentence(sentence: str) -> Iterator[Fact]:
    """The facts that only a whole sentence shows: a personal record and its time."""
    event = _EVENT.search(sentence) if _BEST.search(sentence) else None
    if event:
        found = [amount for amount in amounts(sentence) if amount.kind in ("duration", "clock", "mass")]
        times = [amount for amount in found if amount.start > event.start()]
        if times:
            key = "best:" + re.sub("千米|km|k", "公里", event.group("e").lower())
            value = sentence[times[-1].start : times[-1].end]
            yield Fact("user", key, value, changed=bool(lex.CHANGE.search(sentence)))


def subject_of(shown: str, inherited: str = "") -> str:
    """"user" for the person remembered, "they" for a pronoun, else the name or noun without what stands around it."""
    bare = lex.LEAD.sub("", shown).strip(" 的，,")
    bare = re.sub(rf"(?:{lex.MODIFIERS})+$", "", bare)
    if not bare:
        return inherited
    if bare in lex.USER:
        return "user"
    if bare in ("你", "您", "你们"):
        return "agent"
    if bare in lex.PRONOUNS:
        return "they"
    if match := _RELATIVE.match(bare):
        return match.group("name") or "我" + re.sub("^(?:我们?|咱)?的?", "", bare)
    return re.sub("^(?:我们?|咱们?|本)的?", "", bare).lower() or "user"


def _found(text: str, inherited: str) -> Iterator[tuple[str, str, str, bool]]:
    done: set[str] = set()
    for attribute, pattern in _TABLE:
        match = None if attribute in done else pattern.match(text)
        if not match:
            continue
        groups = match.groupdict()
        shown = groups.get("s") or groups.get("s2") or ""
        if _NO_SUBJECT.search(shown):
            continue
        subject = subject_of(shown, inherited)
        value, negated = _cut(groups.get("v") or groups.get("v2") or ""), bool(groups.get("n"))
        if attribute == "works":
            yield subject, "employer", value, negated
            if job := groups.get("w"):
                yield subject, "occupation", _cut(job), negated
            done.add("employer")
        elif attribute == "left":
            if re.search("离职|辞职|离开", text):
                yield subject, "employer", value, True
        elif attribute == "pet":
            kind = re.sub(r"^[一二两三四五六七八九十\d]+[只条匹头个]", "", value)
            if kind != value:
                yield subject, "count:" + kind, value.removesuffix(kind)[:-1], negated
            yield subject, attribute, kind, negated
        elif attribute == "uses_tool":
            latin = re.match(r"[A-Za-z][A-Za-z0-9.+#-]*(?:\s[A-Z0-9][A-Za-z0-9.+#-]*)*", value)
            yield subject, attribute, latin.group() if latin else value, negated
            if gone := re.search(r"从\s*(?P<v>.{1,12}?)(?:换成|换到|切换|迁移|改成|升级|转)", text):
                yield subject, attribute, gone.group("v").strip(), True
        elif attribute == "habit":
            if done.isdisjoint({"likes", "dislikes", "uses_tool"}):
                yield subject, f"habit:{groups['verb'].replace('戒', '抽')}", value, negated or "戒" in text
        else:
            yield subject, attribute, value, negated
        done.add(attribute)
        if attribute in ("dislikes", "allergy", "residence"):
            done.add("likes")
    yield from _states(text, inherited)
    yield from _numbers(text, inherited)
    if done.isdisjoint({"allergy", "residence", "employer", "likes", "dislikes", "name", "pet", "relation"}):
        yield from _slots(text, inherited)


def _states(text: str, inherited: str) -> Iterator[tuple[str, str, str, bool]]:
    if match := _DIET.match(text):
        yield subject_of(match.group("s"), inherited), "diet", "vegetarian", bool(match.group("n"))
    if match := _MARITAL.match(text):
        yield subject_of(match.group("s"), inherited), "marital", match.group("v"), bool(match.group("n"))
    if match := _CAN.match(text):
        yield subject_of(match.group("s"), inherited), "can", _cut(match.group("v")), bool(match.group("n"))
    if match := _TAKES_ROLE.match(text):
        yield "", "slot:" + match.group("v"), subject_of(match.group("s"), inherited), False
    if match := _ROLE.match(text):
        yield subject_of(match.group("s"), inherited), "role", match.group("v"), bool(match.group("n"))
    elif match := _OCCUPATION.match(text):
        yield subject_of(match.group("s"), inherited), "occupation", match.group("v"), bool(match.group("n"))
    if match := _HELD_BY.match(text):
        duty = match.group("v") or match.group("v2")
        holder = subject_of(match.group("s") or match.group("s2") or "", inherited)
        key = " ".join(sorted(content(_cut(duty))))
        if key:
            yield _cut(duty), "held_by:" + key, holder, bool(match.groupdict().get("n"))


def _numbers(text: str, inherited: str) -> Iterator[tuple[str, str, str, bool]]:
    found = amounts(text)
    kinds = {amount.kind for amount in found}
    match = None if re.search("生日|生于|出生", text) else _SCHEDULE.match(text)
    when = amounts(match.group("v")) if match else ()
    if when and when[0].kind in ("date", "weekday", "clock") and when[0].start < 6:
        subject = "user" if _NO_SUBJECT.search(match.group("s")) else subject_of(match.group("s"), inherited)
        if subject not in ("user", "they"):
            yield subject, "schedule", _cut(match.group("v")), bool(match.group("n"))
    if (match := _STARTS.match(text)) and not _NO_SUBJECT.search(match.group("s")):
        when = [amount for amount in amounts(match.group("v")) if amount.kind in ("date", "weekday", "clock")]
        subject = subject_of(match.group("s"), inherited)
        if when and when[0].start < 3 and subject not in ("user", "they"):
            yield subject, "schedule", match.group("v"), False
    for amount in found:
        if amount.kind == "frequency":
            rest = text[: amount.start] + text[amount.end :]
            shown = text[amount.start : amount.end]
            verb = re.search("[跑游骑打练健学上写开做去吃喝看读弹画爬发交更洗]", shown + rest)
            if verb and not _NO_SUBJECT.search(text[: amount.start]):
                yield subject_of(_CHANGING.sub("", text[: amount.start]), inherited), f"frequency:{verb.group()}", shown, False
    if (match := _BODY.match(text)) and amounts(match.group("v")):
        kind = amounts(match.group("v"))[0].kind
        if kind in ("mass", "length"):
            yield subject_of(match.group("s"), inherited), f"measure:{kind}:", match.group("v"), False
            return
    if not kinds & {"duration", "volume", "mass", "length", "money:CNY", "data", "percent", "area"}:
        return
    amount = next(amount for amount in found if amount.kind not in ("date", "weekday", "clock", "year", "number", "frequency"))
    before = re.sub("(?:每[月天年周次]|一个月|涨到了?|降到了?|升到了?|减到了?|提高到|增加到|调整到|变成了?|只要|现在|时长|容量|容积|价格|重量|长度|需要|要|能装|可装|改[回成为到]|调[到成]|能装下|花|用时|大概|大约|一共|总共|约|的|是|为|开|持续|重|长|有)+$", "", text[: amount.start])
    if 1 < len(before) <= 10 and not before.startswith("我") and not _NO_SUBJECT.search(before):
        yield subject_of(before), f"measure:{amount.kind}:", text[amount.start : amount.end], False


def _slots(text: str, inherited: str) -> Iterator[tuple[str, str, str, bool]]:
    if match := _VERSION.search(text):
        subject = subject_of(re.split("用|跑|升级|已|是|的", text)[0], inherited)
        yield subject, f"version:{match.group('name').lower()}", match.group("v"), False
    if match := _COUNT.match(text):
        yield subject_of(match.group("s"), inherited), "count:" + (match.group("k") or match.group("c")), match.group("v"), False
    if match := _FRAME.match(text):
        yield subject_of(match.group("s"), inherited), "be:" + match.group("k"), _cut(match.group("v")), bool(match.group("n"))
        return
    match = _SLOT.match(text) or _SET.match(text) or _NUMBER_SLOT.match(text) or _NAMED.match(text)
    if match:
        shown = match.group("k")
        owner = "user" if shown.startswith(("我", "用户", "顾客", "客户")) else ""
        key = re.sub("^(?:我们?|咱们?|用户|顾客|客户|本)?的?|的|改?名字?$|现在|已经", "", lex.LEAD.sub("", shown))
        value = _cut(match.group("v"))
        if value and key and not value.startswith(("对", "不对")) and not _NO_SUBJECT.search(key) and not key.startswith("从"):
            yield owner, "slot:" + key.lower(), value, bool(match.groupdict().get("n"))
            return
    if (match := _IS.match(text)) and not _NO_SUBJECT.search(match.group("s")) and not amounts(match.group("v")):
        yield subject_of(match.group("s"), inherited), "is", _cut(match.group("v")), bool(match.group("n"))
        return
    match = _HAVE.match(text)
    if match and not _NO_SUBJECT.search(match.group("s")) and not match.group("s").endswith(("只", "仅", "唯")) and not amounts(match.group("v")[:3]):
        yield subject_of(match.group("s"), inherited), "owns", _cut(match.group("v")), bool(match.group("n"))


def _cut(value: str) -> str:
    cut = _TAIL.sub("", value.strip(" 　。，,.!！“”\"'"))
    return cut.strip() or value.strip()
