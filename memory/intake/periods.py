"""When a statement says it holds: "since March", "from Monday", "until 2025-06-01", 3月起, as times."""

import re
from datetime import UTC, datetime, timedelta

from memory.intake.numbers import Amount, amounts

_FROM = re.compile(
    r"\b(?P<w>since|from|as of|starting(?: on| from)?|effective|beginning)\s+(?P<v>.{2,30})|"
    r"^(?P<v2>[A-Z][a-z]{2,8}\.? (?:\d{1,2},? )?(?:19|20)\d\d)\s*:",
    re.IGNORECASE,
)
_UNTIL = re.compile(r"\b(?:until|till|through|valid to|expires? (?:on|in)|ends? on)\s+(?P<v>.{2,30})", re.IGNORECASE)
_ZH_FROM = re.compile(
    r"(?:从|自从?)?(?P<v>[^，。从自]{2,12}?)(?:起|开始|以来|之后一直)|(?:从|自)(?P<v2>\d[^，。]{2,12}?)(?=[，,]|在|"
    r"就|改|搬|换)"
)
# "In 2015 I lived in Ghent", "From 2010 to 2014": the years of a statement, first and last.
_YEARS = re.compile(
    r"^(?:in|during) (?P<y>(?:19|20)\d\d)\b(?!s)|\bin (?P<y2>(?:19|20)\d\d)[.!]?$|"
    r"\b(?:from|between) (?P<a>(?:19|20)\d\d) (?:to|until|till|and|-) (?P<b>(?:19|20)\d\d)\b|"
    r"(?P<a2>(?:19|20)\d\d)年?(?:到|至|-|—|~)(?P<b2>(?:19|20)\d\d)年|"
    r"^(?P<y3>(?:19|20)\d\d)年(?!起|以来|后|开始|之?前|以前|[初底末]|\d|[一二三四五六七八九十]+月)",
    re.IGNORECASE,
)
_BEGAN = re.compile(
    r"\b(?:moved|joined|started|began|born|founded|built|opened|bought|married|since|stopped|quit|graduated)\b"
    r"|搬|加入|入职|开始|出生|成立|建|买|结婚|毕业|戒|起",
    re.IGNORECASE,
)
_ZH_UNTIL = re.compile(
    r"(?:直到|截至|截止到?|有效期(?:至|到))(?P<v>[^，。]{2,14})|到(?P<v2>[^，。到]{2,12}?)(?:为止|止)"
)
_RELATIVE = {
    "today": 0, "now": 0, "tomorrow": 1, "yesterday": -1, "next week": 7, "今天": 0, "明天": 1, "昨天": -1, "下周": 7,
    "现在": 0, "今日": 0, "后天": 2,
}  # fmt: skip
_DAY = timedelta(days=1)


def period(text: str, lang: str, said: datetime) -> tuple[datetime | None, datetime | None]:
    """(valid_from, valid_to) as stated, in UTC, at the start of the day; None where nothing is stated or the date
    cannot exist. A date without a year is the one that fits best around `said`."""
    if years := years_of(text):
        return years
    begins, ends = (_ZH_FROM, _ZH_UNTIL) if lang == "zh" else (_FROM, _UNTIL)
    return _first(begins, text, said, -1), _first(ends, text, said, 1)


def years_of(text: str) -> tuple[datetime | None, datetime | None] | None:
    """(begin, end) of the years a statement is about; None when it names none, or only when something began."""
    match = _YEARS.search(text)
    if match is None or (_BEGAN.search(text) and not (match.group("a") or match.group("a2"))):
        return None
    named = {name: int(value) for name, value in match.groupdict().items() if value}
    first, last = min(named.values()), max(named.values())
    return _made(first, 1, 1), _made(last + 1, 1, 1)


def _first(pattern: re.Pattern[str], text: str, said: datetime, direction: int) -> datetime | None:
    for match in pattern.finditer(text):
        groups = match.groupdict()
        shown = (groups.get("v") or groups.get("v2") or "").strip()
        word = (groups.get("w") or "").lower()
        ahead = word.startswith(("from", "starting", "effective", "beginning")) or shown.startswith(("下", "明"))
        toward = 1 if ahead else direction
        if (found := _time(shown, said, toward)) is not None:
            return found
    return None


def _time(shown: str, said: datetime, toward: int) -> datetime | None:
    today = said.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    low = shown.lower()
    for word, days in _RELATIVE.items():
        if low.startswith(word) and not re.match(r"下周[一二三四五六日天]", low):
            return today + days * _DAY
    found = [amount for amount in amounts(shown) if amount.kind in ("date", "weekday", "year") and amount.start <= 5]
    if not found:
        month = re.match(r"(?:the )?(?P<m>[a-z]{3,9})\b", low)
        zh_month = re.fullmatch(r"\d{1,2}月", low)
        named = f"{low}1日" if zh_month else f"1 {month.group('m')}" if month else ""
        found = list(amounts(named))[:1]
        if not found or found[0].kind != "date":
            return None
        found = [Amount("date", (found[0].value[0], found[0].value[1], 0), 0, 0)]
    return _resolve(found[0], today, toward)


def _resolve(amount: Amount, today: datetime, toward: int) -> datetime | None:
    if amount.kind == "weekday":
        ahead = (int(amount.value) - today.weekday()) % 7
        return today + ahead * _DAY if toward > 0 else today - ((7 - ahead) % 7) * _DAY
    if amount.kind == "year":
        return _made(int(amount.value), 1, 1)
    year, month, day = amount.value
    if year:
        return _made(year, month, day or 1)
    options = [made for offset in (-1, 0, 1) if (made := _made(today.year + offset, month, day or 1))]
    past = [option for option in options if option <= today]
    ahead = [option for option in options if option >= today]
    if toward < 0:
        return past[-1] if past else None
    # "from March" said in May is the March just gone; said in February, the one to come.
    return min(options, key=lambda option: abs(option - today)) if not ahead or toward == 1 and past else ahead[0]


def _made(year: int, month: int, day: int) -> datetime | None:
    try:
        return datetime(year, month, day, tzinfo=UTC)
    except ValueError:
        return None
