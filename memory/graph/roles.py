"""What people are to each other, under one English key in both languages: data for reading and asking."""

import re

from memory.intake.lexicon_en import RELATIVES as RELATIVES_EN
from memory.intake.lexicon_zh import RELATIVES as RELATIVES_ZH

_SAME = {
    "mother": "mom mum mommy 妈妈 老妈 妈 母亲",
    "father": "dad daddy 爸爸 老爸 爸 父亲",
    "wife": "老婆 妻子 太太 媳妇",
    "husband": "老公 丈夫",
    "spouse": "爱人",
    "girlfriend": "女朋友 女友",
    "boyfriend": "男朋友 男友",
    "fiancee": "fiance fiancé fiancée 未婚夫 未婚妻",
    "son": "儿子",
    "daughter": "女儿 闺女",
    "child": "kid 孩子 宝宝 娃",
    "brother": "哥哥 弟弟 哥 弟",
    "sister": "姐姐 妹妹 姐 妹",
    "grandmother": "grandma 奶奶 外婆 姥姥",
    "grandfather": "grandpa 爷爷 外公 姥爷",
    "uncle": "舅舅 叔叔 姑父",
    "aunt": "阿姨 姑姑 姨妈 舅妈 婶婶",
    "cousin": "表哥 表姐 表弟 表妹 堂哥 堂姐 堂弟 堂妹",
    "nephew": "侄子 外甥",
    "niece": "侄女 外甥女",
    "mother-in-law": "岳母 婆婆",
    "father-in-law": "岳父 公公",
    "brother-in-law": "姐夫 妹夫",
    "sister-in-law": "嫂子 弟媳",
    "friend": "朋友 好友 闺蜜",
    "colleague": "coworker co-worker teammate 同事",
    "classmate": "同学",
    "roommate": "flatmate 室友",
    "neighbour": "neighbor 邻居",
    "boss": "老板 领导 上司",
    "manager": "经理",
    "mentor": "导师 师父",
    "assistant": "助理",
    "client": "客户",
    "teacher": "老师",
    "doctor": "医生",
    "landlord": "房东",
    "ex": "前任",
}
_KEY = {name: key for key, names in _SAME.items() for name in (key, *names.split())}
# Roles that one person may well have at once, or one after the other. A role in none of them goes with itself only.
_TOGETHER = (
    frozenset({"wife", "husband", "spouse", "partner", "girlfriend", "boyfriend", "fiancee", "ex"}),
    frozenset({"son", "daughter", "child", "twin"}),
    frozenset({
        "friend", "colleague", "classmate", "roommate", "neighbour", "boss", "manager", "mentor", "assistant", "client",
    }),
)  # fmt: skip
EN = RELATIVES_EN.pattern.removeprefix(r"\b").removesuffix(r"\b")
# longest first, so that 姐夫 is not read as 姐
ZH = "(?:" + "|".join(sorted(re.sub("[(?:)]", "", RELATIVES_ZH).split("|"), key=len, reverse=True)) + ")"


def role_of(word: str) -> str:
    """The key of a role as said ("mum", "姐姐"), "" when it is none."""
    folded = " ".join(word.lower().split()).removeprefix("best ")
    for form in (folded, folded.removesuffix("s")):
        if form in _KEY:
            return _KEY[form]
        if re.fullmatch(EN, form):
            return form
    return ""


def go_together(one: str, other: str) -> bool:
    """Whether one person can be both to the user."""
    return one == other or any(one in group and other in group for group in _TOGETHER)


def group_of(role: str) -> str:
    """A name for the roles that go together with this one: the same for all of them."""
    return next((min(group) for group in _TOGETHER if role in group), role)
