"""What a question asks of the graph: whom it names, and which relations it asks for. Pure; English and Chinese."""

import re
from collections.abc import Iterator

from memory.graph import roles
from memory.intake.clean import HAN, normalise

# words of one name in a question, and characters of a Chinese one
LONGEST_WORDS, LONGEST_HAN = 4, 8
_SAID = {
    "residence": r"\b(?:live[sd]?|living|reside[sd]?|address|based|home|where)\b|住|家在|地址|哪里|哪儿|在哪",
    "employer": (
        r"\b(?:work|works|worked|working|job|jobs|employers?|employed|company|where)\b|工作|上班|公司|单位|雇主|任职"
    ),
    "works_in": r"\b(?:work|works|working|where)\b|工作|上班|在哪",
    "school": r"\b(?:stud(?:y|ies|ied|ying)|school|university|college|attends?)\b|读书|上学|学校|大学|念书",
    "project": r"\b(?:projects?|working on|works? on)\b|项目",
    "leads": r"\b(?:leads?|led|leading|manages?|runs?|owner|owns|in charge|responsible)\b|负责|牵头|主导|带领",
    "uses_tool": r"\b(?:use[sd]?|using|tools?|editor|software)\b|用什么|使用|工具|软件",
    "runs_on": r"\b(?:runs? on|hosted|platform|database|deployed)\b|运行|部署|跑在",
    "hometown": r"\b(?:from|hometown|home town|grew up)\b|老家|家乡|来自",
    "birthplace": r"\b(?:born|birthplace)\b|出生",
    "spouse": r"\b(?:married|spouse|wife|husband)\b|结婚|老公|老婆|丈夫|妻子",
}
_PREDICATES = {predicate: re.compile(words, re.IGNORECASE) for predicate, words in _SAID.items()}
_ROLE = re.compile(rf"\b(?:{roles.EN})\b", re.IGNORECASE)
_ROLE_ZH = re.compile(roles.ZH)
_MINE = re.compile(
    r"\b(?:my|our|(?:the )?user['’]?s?) (?:\w+ ){0,2}?(?P<what>[\w-]+)(?=['’]s\b|\b)|"
    r"(?:我们?|咱们?|用户)(?:的|家)?(?P<zh>.{1,4})",
    re.IGNORECASE,
)
# what is the user's own, by the word for it
_OWN = {
    "company": "employer", "employer": "employer", "workplace": "employer", "firm": "employer", "office": "employer",
    "school": "school", "university": "school", "college": "school", "project": "project", "projects": "project",
    "city": "residence", "town": "residence", "hometown": "hometown",
    "公司": "employer", "单位": "employer", "学校": "school", "大学": "school", "项目": "project", "城市": "residence",
    "老家": "hometown", "家乡": "hometown",
}  # fmt: skip


def names_in(query: str) -> Iterator[str]:
    """Every stretch of a question that may be a name, as names are normalised; longer ones first."""
    folded = normalise(query)
    words = re.findall(rf"{HAN.pattern}+|[^\s\u3400-\u9fff]+", folded)
    for size in range(min(LONGEST_WORDS, len(words)), 0, -1):
        for start in range(len(words) - size + 1):
            yield " ".join(words[start : start + size])
            if words[start + size - 1].endswith("'s"):
                yield " ".join(words[start : start + size])[:-2]
    for run in re.findall(rf"{HAN.pattern}+", folded):
        for size in range(min(LONGEST_HAN, len(run) - 1), 1, -1):
            for start in range(len(run) - size + 1):
                yield run[start : start + size]
    # Chinese glues a name to its surroundings: "猎鹰B组"
    yield from re.findall(rf"(?:[a-z0-9]+|{HAN.pattern}+){{2,3}}", folded)


def predicates_in(query: str) -> frozenset[str]:
    """The relations a question asks for, roles among them."""
    found = {predicate for predicate, words in _PREDICATES.items() if words.search(query)}
    found |= {role for word in (*_ROLE.findall(query), *_ROLE_ZH.findall(query)) if (role := roles.role_of(word))}
    return frozenset(found)


def own_in(query: str) -> frozenset[str]:
    """The relations from the user by which a question names somebody: "my sister", "我们公司"."""
    found = set()
    for match in _MINE.finditer(query):
        if what := (match.group("what") or "").lower():
            found |= {_OWN.get(what, "") or roles.role_of(what)}
        elif said := match.group("zh"):
            found |= {_OWN.get(said[:2], "")}
            if role := _ROLE_ZH.match(said):
                found |= {roles.role_of(role.group())}
    return frozenset(found - {""})
