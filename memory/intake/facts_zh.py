"""Reads one Chinese clause into facts: a table of predicates, each with room for subject, modifiers and negation."""

import re
from collections.abc import Iterator

from memory.intake import lexicon_zh as lex
from memory.intake import predicates_zh as table
from memory.intake.fact import Fact
from memory.intake.numbers import amounts
from memory.intake.sentences import is_tentative
from memory.intake.words import content


def read(clause: str, inherited: str = "") -> Iterator[Fact]:
    """The facts of one clause; `inherited` is the subject of the clause before, for a clause that names none."""
    text = clause.strip(" 　。！!.，,；;\"“”'")
    if (front := table.FRONTED.match(text)) and not lex.LEAD.match(front.group("o")):
        text = front.group("s") + front.group("v") + front.group("o")
    bare = lex.LEAD.sub("", text) or text
    bare = table.ONLY_WHO.sub("", bare)
    marks = {
        "past": bool(lex.PAST.search(text)), "tentative": is_tentative(text, "zh"),
        "ended": bool(lex.ENDED.search(text)),
        "changed": bool(lex.CHANGE.search(text)), "also": bool(lex.ALSO.search(text)),
        "only": bool(lex.ONLY.search(text)),
    }  # fmt: skip
    seen = set()
    for subject, attribute, value, negated in _found(bare, inherited):
        if (attribute, value) not in seen and (value or attribute.startswith("habit:")):
            seen.add((attribute, value))
            yield Fact(subject, attribute, value, negated=negated, **marks)


def read_sentence(sentence: str) -> Iterator[Fact]:
    """The facts that only a whole sentence shows: a personal record and its time."""
    event = table.EVENT.search(sentence) if table.BEST.search(sentence) else None
    if event:
        found = [amount for amount in amounts(sentence) if amount.kind in ("duration", "clock", "mass")]
        times = [amount for amount in found if amount.start > event.start()]
        if times:
            key = "best:" + re.sub("千米|km|k", "公里", event.group("e").lower())
            value = sentence[times[-1].start : times[-1].end]
            yield Fact("user", key, value, changed=bool(lex.CHANGE.search(sentence)))


def subject_of(shown: str, inherited: str = "") -> str:
    """ "user" for the person remembered, "they" for a pronoun, else the name or noun without what stands around it."""
    bare = lex.LEAD.sub("", shown).strip(" 的，,")
    bare = re.sub(rf"(?:{lex.MODIFIERS}|能|会|可以|在|用|订|允许|禁止|一点.?)+$", "", bare)
    if not bare:
        return inherited
    if bare in lex.USER or bare in ("我家", "我们家", "咱家") or re.search("[上里中时后天，]我们?$", bare):
        return "user"
    if bare in ("你", "您", "你们"):
        return "agent"
    if bare in lex.PRONOUNS:
        return "they"
    if match := table.RELATIVE.match(bare):
        return match.group("name") or "我" + re.sub("^(?:我们?|咱)?的?", "", bare)
    return re.sub("^(?:我们?|咱们?|本)的?", "", bare).lower() or "user"


def _found(text: str, inherited: str) -> Iterator[tuple[str, str, str, bool]]:
    done: set[str] = set()
    for attribute, pattern in table.ROWS:
        match = None if attribute in done else pattern.match(text)
        if not match:
            continue
        groups = match.groupdict()
        shown = groups.get("s") or groups.get("s2") or ""
        if table.NO_SUBJECT.search(shown):
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
        elif attribute == "likes":
            yield subject, attribute, value, negated
            if re.search("最(?:喜欢|爱)", text) and len(value) > 1:
                yield subject, "favourite:" + value[-1], value, negated
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
    if match := table.DIET.match(text):
        yield subject_of(match.group("s"), inherited), "diet", "vegetarian", bool(match.group("n"))
    if match := table.GIVEN_UP.match(text):
        yield subject_of(match.group("s"), inherited), f"habit:{match.group('verb')[0]}", "", True
    if match := table.I_AM.match(text):
        if job := match.group("job"):
            yield "user", "slot:职业", re.sub("^(?:做|干|搞|当|一[名个位])|的$", "", job), False
        else:
            yield "user", "hometown", match.group("home"), False
    if match := table.MARITAL.match(text):
        yield subject_of(match.group("s"), inherited), "marital", match.group("v"), bool(match.group("n"))
    if (match := table.CAN.match(text)) and not table.CAPACITY.match(match.group("v")):
        yield subject_of(match.group("s"), inherited), "can", _cut(match.group("v")), bool(match.group("n"))
    if match := table.TAKES_ROLE.match(text):
        yield "", "slot:" + match.group("v"), subject_of(match.group("s"), inherited), False
    if match := table.ROLE.match(text):
        yield subject_of(match.group("s"), inherited), "role", match.group("v"), bool(match.group("n"))
    elif match := table.OCCUPATION.match(text):
        yield subject_of(match.group("s"), inherited), "occupation", match.group("v"), bool(match.group("n"))
    if match := table.HELD_BY.match(text):
        duty = match.group("v") or match.group("v2")
        holder = subject_of(match.group("s") or match.group("s2") or "", inherited)
        key = " ".join(sorted(content(_cut(duty))))
        if key:
            yield _cut(duty), "held_by:" + key, holder, bool(match.groupdict().get("n"))


def _numbers(text: str, inherited: str) -> Iterator[tuple[str, str, str, bool]]:
    found = amounts(text)
    kinds = {amount.kind for amount in found}
    match = None if re.search("生日|生于|出生", text) else table.SCHEDULE.match(text)
    when = amounts(match.group("v")) if match else ()
    if when and when[0].kind in ("date", "weekday", "clock") and when[0].start < 6:
        subject = "user" if table.NO_SUBJECT.search(match.group("s")) else subject_of(match.group("s"), inherited)
        if subject not in ("user", "they"):
            yield subject, "schedule", _cut(match.group("v")), bool(match.group("n"))
    if (match := table.STARTS.match(text)) and not table.NO_SUBJECT.search(match.group("s")):
        when = [amount for amount in amounts(match.group("v")) if amount.kind in ("date", "weekday", "clock")]
        subject = subject_of(match.group("s"), inherited)
        if when and when[0].start < 3 and subject not in ("user", "they"):
            yield subject, "schedule", match.group("v"), False
    for amount in found:
        if amount.kind == "frequency":
            rest = text[: amount.start] + text[amount.end :]
            shown = text[amount.start : amount.end]
            verb = re.search("[跑游骑打练健学上写开做去吃喝看读弹画爬发交更洗]", shown + rest)
            if verb and not table.NO_SUBJECT.search(text[: amount.start]):
                doer = subject_of(table.CHANGING.sub("", text[: amount.start]), inherited)
                yield doer, f"frequency:{verb.group()}", shown, False
                yield doer, f"habit:{verb.group()}", "", False
    if (match := table.BODY.match(text)) and amounts(match.group("v")):
        kind = amounts(match.group("v"))[0].kind
        if kind in ("mass", "length"):
            yield subject_of(match.group("s"), inherited), f"measure:{kind}:", match.group("v"), False
            return
    if not kinds & {"duration", "volume", "mass", "length", "money:CNY", "data", "percent", "area"}:
        return
    amount = next(
        amount for amount in found if amount.kind not in ("date", "weekday", "clock", "year", "number", "frequency")
    )
    before = re.sub(
        "(?:每[月天年周次]|一个月|(?:[涨降升减砍压缩加扩翻]|压缩|缩减|削减|缩短|延长|扩大)[到至]了?|提高到|增加到|"
        "调整到|变成了?|"
        "只要|现在|时长|容量|"
        "容积|价格|重量|长度|需要|要|收|卖|付|能装|可装|改[回成为到]|调[到成]|能装下|花|"
        "用时|大概|大约|一共|总共|约|的|是|为|开|持续|重|长|有)+$",
        "",
        text[: amount.start],
    )
    if 1 < len(before) <= 10 and not before.startswith("我") and not table.NO_SUBJECT.search(before):
        yield subject_of(before), f"measure:{amount.kind}:", text[amount.start : amount.end], False


def _slots(text: str, inherited: str) -> Iterator[tuple[str, str, str, bool]]:
    if match := table.VERSION.search(text):
        subject = subject_of(re.split("用|跑|升级|已|是|的", text)[0], inherited)
        yield subject, f"version:{match.group('name').lower()}", match.group("v"), False
    if match := table.COUNT.match(text):
        yield (
            subject_of(match.group("s"), inherited),
            "count:" + (match.group("k") or match.group("c")),
            match.group("v"),
            False,
        )
    if match := table.FRAME.match(text):
        yield (
            subject_of(match.group("s"), inherited),
            "be:" + match.group("k"),
            _cut(match.group("v")),
            bool(match.group("n")),
        )
        return
    match = table.SLOT.match(text) or table.SET.match(text) or table.NUMBER_SLOT.match(text) or table.NAMED.match(text)
    if match:
        shown = match.group("k")
        owner = "user" if shown.startswith(("我", "用户", "顾客", "客户")) else ""
        key = re.sub("^(?:我们?|咱们?|用户|顾客|客户|本)?的?|的|改?名字?$|现在|已经", "", lex.LEAD.sub("", shown))
        value = _cut(match.group("v"))
        if (
            value
            and key
            and not value.startswith(("对", "不对"))
            and not table.NO_SUBJECT.search(key)
            and not key.startswith("从")
        ):
            yield owner, "slot:" + key.lower(), value, bool(match.groupdict().get("n"))
            return
    if (
        (match := table.IS.match(text))
        and not table.NO_SUBJECT.search(match.group("s"))
        and not amounts(match.group("v"))
    ):
        yield subject_of(match.group("s"), inherited), "is", _cut(match.group("v")), bool(match.group("n"))
        return
    match = table.HAVE.match(text)
    if match and not table.NO_SUBJECT.search(match.group("s")) and not match.group("s").endswith(("只", "仅", "唯")):
        owner = subject_of(match.group("s"), inherited)
        if owner == "user" or not amounts(match.group("v")[:3]):
            yield owner, "owns", _cut(match.group("v")), bool(match.group("n"))


def _cut(value: str) -> str:
    cut = table.TAIL.sub("", value.strip(" 　。，,.!！“”\"'"))
    return cut.strip() or value.strip()
