"""Names in Chinese texts: by what stands before and after them, for nothing else sets a name apart."""

import re

from memory.graph import roles
from memory.graph.collector import Collector
from memory.graph.extract_en import kind_of, trimmed
from memory.graph.lexicon import NO_PROJECTS_ZH, TOOLS_ZH, UNNAMED_ZH
from memory.graph.reading import ORGANISATION, PERSON, PLACE, PROJECT, SELF, TOOL
from memory.index.text import han_words, is_dictionary_word
from memory.intake.lexicon_zh import CITIES, SURNAMES
from memory.intake.sentences import is_question, is_tentative, sentences

# A dictionary word seen less often may be a name all the same.
RARE = 400
# A word seen less often, where only a person can stand: some names are in the dictionary.
RARE_NAME = 50
_HAN = "[\u3400-\u4dbf\u4e00-\u9fff]"
_LATIN = re.compile(r"(?<![A-Za-z0-9])[A-Z][A-Za-z0-9+#.-]*[A-Za-z0-9+#](?: [A-Z0-9][A-Za-z0-9+#.-]*)*")
_OF_ANOTHER = re.compile(
    rf"(?P<whose>{_HAN}{{2,3}}|[A-Z][a-z]+)的(?P<role>{roles.ZH})(?:[叫是]|名叫)?(?P<rest>.{{2,12}})"
)
_ROLE = re.compile(
    rf"(?P<mine>我们?|咱们?)(?:的|家)?(?P<role>{roles.ZH})(?:[叫是：:，,]|名叫|名字叫|名字是)?(?P<rest>.{{0,12}})"
)
_LONE_ROLE = re.compile(rf"(?<!{_HAN})(?P<role>{roles.ZH})(?P<rest>{_HAN}{{2,8}})")
_IS_ROLE = re.compile(rf"是我们?的?(?P<role>{roles.ZH})(?!的)")
_TITLED = re.compile(
    rf"{SURNAMES}(?:老师|医生|教授|主任|经理|总监|师傅|律师|同学|校长|院长|总(?![是会要共之在有能算体部结]))"
)
_ROOM = re.compile(
    r"(?:[A-Z]?\d{2,4}[A-Z]?|[A-Z]\d?)(?:号)?(?:会议室|教室|房间|室|号房|实验室|仓库)|会议室\s?[A-Z0-9]{1,4}|\d{1,3}号楼|[A-Z]座"
)
_QUOTED_PROJECT = re.compile(
    r"[“「《\"](?P<a>[^”」》\"]{1,16})[”」》\"]\s?项目|项目(?:代号|名称?)(?:是|为|叫|：)?[“「]?(?P<b>[\w]{2,10})"
)
_PROJECT = re.compile(rf"(?P<name>[A-Za-z][\w+#.-]*(?: [A-Z][\w-]*)?|{_HAN}{{1,8}}) ?项目")
_TAKES_PART = re.compile(r"(?P<lead>负责|牵头|主导|带)|参与|加入|在做|做|开发|跟进|推进|启动|投入")
_ALSO = re.compile(
    rf"(?P<one>{_HAN}{{2,3}})[，,]?(?:又叫|也叫|外号叫?|小名叫?|昵称(?:是|叫)?|简称|又名|绰号叫?)(?P<other>{_HAN}{{2,4}}|[A-Z][a-z]+)"
)
_PLACE_ENDS = re.compile("[市区县镇村路街省州国岛湾里]$")
_CITY = re.compile(CITIES)
_NO_ORGANISATION = frozenset(("思考", "考虑", "开始", "将来", "一份", "什么", "哪里", "继续", "努力", "尝试", "准备"))
_NO_ROOM_FOR_NAMES = frozenset("他她它我你您们这那哪谁的了是在和与有不没也都很就去来说住想要会能把给跟叫做用喜爱吃喝")


def read(text: str, found: Collector) -> None:
    for sentence in sentences(text):
        sure = not (is_question(sentence, "zh") or is_tentative(sentence, "zh"))
        words = [word for run in re.findall(f"{_HAN}+", sentence) for word in han_words(run)]
        _roles(sentence, words, found, sure)
        _projects(sentence, found, sure)
        for match in _ROOM.finditer(sentence):
            found.add(match.group().replace(" ", ""), PLACE)
        for match in _TITLED.finditer(sentence):
            found.add(match.group(), PERSON)
        for match in _ALSO.finditer(sentence):
            found.also(found.add(match.group("one")), found.add(match.group("other")))
        for word in words:
            if is_city(word):
                found.add(word, PLACE)
            elif name := _cut_to_name(word):
                found.add(name)
        for tool in TOOLS_ZH:
            if tool in sentence:
                found.add(tool, TOOL)
                sentence = sentence.replace(tool, " ")
        for match in _LATIN.finditer(sentence):
            if name := trimmed(match.group()):
                found.add(name, kind_of(name))
        for clause in re.split(r"[^\u3400-\u9fff]+|[在到去从给和]", sentence):
            # a name of two words that the splitter does not know
            joined = "".join(han_words(clause)[:2]) if len(clause) > 2 else ""
            if 3 <= len(joined) <= 6 and not _NO_ROOM_FOR_NAMES & set(joined):
                found.add(joined)
        for word in words:
            if 2 <= len(word) <= 6 and not is_dictionary_word(word, often=RARE):
                found.add(word)


def is_name(word: str, *, often: int = 1) -> bool:
    """A surname and one or two characters that together are no word of the dictionary, or one seen less `often`."""
    return (
        len(word) in (2, 3)
        and re.match(SURNAMES, word) is not None
        and not is_dictionary_word(word, often=often)
        and not _NO_ROOM_FOR_NAMES & set(word)
    )


def _cut_to_name(word: str, *, often: int = 1) -> str:
    """A name, also where the splitter has left a verb on it ("王伟去"); "" when it is none."""
    if len(word) == 3 and word[-1] in _NO_ROOM_FOR_NAMES:
        word = word[:2]
    return word if is_name(word, often=often) else ""


def is_person(shown: str) -> bool:
    """Whether the subject of a personal fact is a person's name."""
    return (
        is_name(shown, often=RARE_NAME)
        or re.fullmatch(f"[小老]{SURNAMES}", shown) is not None
        or _TITLED.fullmatch(shown) is not None
    )


def is_city(word: str) -> bool:
    """A city by name, no common noun that ends like one ("城市", "大县")."""
    if not _CITY.fullmatch(word):
        return False
    bare = word[:-1] if word[-1] in "省市县镇村" else word
    if bare is word or _CITY.fullmatch(bare):
        return True
    return len(bare) > 1 and not is_dictionary_word(word, often=RARE)


def place_of(value: str) -> str:
    """The place that a residence names, "" when it names none ("楼上")."""
    if (city := _CITY.match(value)) and is_city(city.group()):
        return city.group()
    named = _PLACE_ENDS.search(value) and not is_dictionary_word(value, often=RARE)
    return value if named and 2 <= len(value) <= 10 and not re.search("^[新老大小]|[我他她这那]|家里", value) else ""


def organisation_of(value: str) -> str:
    """The employer or school that a value names, "" when it only says of what sort it is."""
    value = re.sub(r"(?:的.*|里|那边|那儿|做|当|担任|任)$", "", value)
    unnamed = value in UNNAMED_ZH or re.match(
        "一?[家个所间名位份](?!乐福)|[这那某本]|我们?|自己|附近|当地|大厂|老家|家里", value
    )
    said = set(value) & _NO_ROOM_FOR_NAMES - {"和"} or not 2 <= len(value) <= 12 or is_city(value)
    common = is_dictionary_word(value, often=RARE) or any(word in _NO_ORGANISATION for word in han_words(value))
    return "" if unnamed or said or common else value


def _name_at_start(rest: str, words: list[str]) -> str:
    """The person's name that a text after a role begins with; `words` are the whole sentence's."""
    if latin := re.match(r"\s?(?P<name>[A-Z][a-z]+(?: [A-Z][a-z]+)?)", rest):
        return trimmed(latin.group("name"))
    for word in words:
        if rest.startswith(word) and (name := _cut_to_name(word, often=RARE)):
            return name
    run = re.match(f"{_HAN}+", rest)
    word = next(iter(han_words(run.group())), "") if run else ""
    if name := _cut_to_name(word, often=RARE):
        return name
    short = re.match(f"[小老阿]{SURNAMES}", rest)
    return short.group() if short and word == short.group() else ""


def _roles(sentence: str, words: list[str], found: Collector, sure: bool) -> None:
    for match in _ROLE.finditer(sentence):
        role = roles.role_of(match.group("role"))
        name = _name_at_start(match.group("rest"), words)
        if not role or re.match("的", match.group("rest")):
            continue
        place = found.add(name, PERSON, role)
        if name and sure:
            found.relate(place, role)
    for match in _LONE_ROLE.finditer(sentence):
        role, name = roles.role_of(match.group("role")), _name_at_start(match.group("rest"), words)
        if role and name:
            place = found.add(name, PERSON, role)
            if sure:
                found.relate(place, role)
    for match in _OF_ANOTHER.finditer(sentence):
        role, whose = roles.role_of(match.group("role")), match.group("whose")
        name = _name_at_start(match.group("rest"), words)
        if sure and role and name and (whose[0].isascii() or is_person(whose)):
            found.link(found.add(whose), found.add(name, PERSON), role)
    for match in _IS_ROLE.finditer(sentence):
        role = roles.role_of(match.group("role"))
        before = re.search(f"(?:{_HAN}+|[A-Z][a-z]+(?: [A-Z][a-z]+)?)$", sentence[: match.start()])
        shown = before.group() if before else ""
        if role and shown and (shown[0].isascii() or is_person(shown)):
            place = found.add(shown, PERSON, role)
            if sure:
                found.relate(place, role)


def _projects(sentence: str, found: Collector, sure: bool) -> None:
    for match in _QUOTED_PROJECT.finditer(sentence):
        _project(match.group("a") or match.group("b"), sentence, match.start(), found, sure)
    for match in _PROJECT.finditer(sentence):
        name = match.group("name")
        if not name.isascii():
            name = _before_project(name)
        if name and name.lower() not in ("the", "this"):
            _project(name, sentence, match.end("name") - len(name), found, sure)


def _before_project(run: str) -> str:
    """The name at the end of what stands before 项目, "" when that is a common noun."""
    words = han_words(run)
    if not words or words[-1] in NO_PROJECTS_ZH or words[-1].endswith("的"):
        return ""
    name = words[-1]
    if len(name) == 1 and len(words) > 1 and not _TAKES_PART.fullmatch(words[-2]):
        name = words[-2] + name
    common = is_dictionary_word(name, often=RARE)
    return "" if len(name) < 2 or common or set(name) & _NO_ROOM_FOR_NAMES else name


def _project(name: str, sentence: str, start: int, found: Collector, sure: bool) -> None:
    place = found.add(name if name.endswith("项目") else f"{name}项目", PROJECT)
    before = sentence[:start]
    doing = _TAKES_PART.search(before)
    if not (doing and sure):
        return
    predicate = "leads" if doing.group("lead") else "project"
    who = before[: doing.start()]
    people = [word for run in re.findall(f"{_HAN}+", who) for word in han_words(run) if is_person(word)]
    if people:
        found.link(found.add(people[-1]), place, predicate)
    elif not who.strip() or "我" in who:
        found.link(SELF, place, predicate)


def employer(value: str) -> tuple[str, str]:
    """The kind and the name of where somebody works: an organisation, or only a city; ("", "") when none is named."""
    if is_city(value):
        return PLACE, value
    name = organisation_of(value)
    return (ORGANISATION, name) if name else ("", "")
