"""The numbers of a text, each with what it measures, so that 10 litres equals 10,000 ml and 1940 is not 40 rooms."""

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from memory.intake.units import MONTHS, NUMBER_WORDS, PERIODS_PER_WEEK, UNITS, WEEKDAYS, ZH_DIGITS, ZH_SCALES


@dataclass(frozen=True, slots=True)
class Amount:
    """`kind` is what may be compared: a dimension of units.UNITS ("volume"), "date", "weekday", "clock",
    "frequency", "version", "year", "number". `value` is in the kind's base unit; a date is (year or 0, month,
    day or 0). `start` and `end` are its place in the text."""

    kind: str
    value: object
    start: int
    end: int


_ZH_NUMBER = "[零〇一二两三四五六七八九十百千万亿]+"
_MONTH = "|".join(sorted(MONTHS, key=len, reverse=True))
_WEEKDAY_EN = r"\b(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|mon|tues?|wed|thurs?|fri|sat)s?\b"
_WEEKDAY_ZH = r"(?:周|星期|礼拜)[一二三四五六日天]"
_UNIT = "|".join(re.escape(unit) for unit in sorted(UNITS, key=len, reverse=True))
_NUMBER = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?"
_WORD = "|".join(sorted(NUMBER_WORDS, key=len, reverse=True))
_PERIOD = r"(?:day|week|month|year)"
_EVERY = {"daily": "day", "weekly": "week", "monthly": "month", "yearly": "year", "annually": "year"}

# In order: what matches earlier takes its characters away from what comes later.
_PATTERNS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (name, re.compile(pattern, re.IGNORECASE))
    for name, pattern in (
        ("date_iso",
            r"(?<!\d)(?P<y>(?:1[89]|20)\d\d)[-/.年]\s?(?P<m>\d{1,2})(?:[-/.月]\s?(?P<d>\d{1,2})[日号]?|月份?)(?!\d)"
        ),
        ("date_zh", rf"(?<!\d)(?P<m>\d{{1,2}}|{_ZH_NUMBER})月(?:份|(?P<d>\d{{1,2}}|{_ZH_NUMBER})[日号])(?!\d)"),
        ("date_dm",
            rf"(?<!\d)(?P<d>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?(?P<m>{_MONTH})\b\.?,?(?:\s+(?P<y>(?:1[89]|"
            rf"20)\d\d))?"
        ),
        ("date_md",
            rf"\b(?P<m>{_MONTH})\b\.?\s+(?P<d>\d{{1,2}})(?:st|nd|rd|th)?(?!\d|:|\s*%)(?:,?\s+(?P<y>(?:1[89]|"
            rf"20)\d\d))?"
        ),
        ("date_my", rf"\b(?P<m>{_MONTH})\b\.?,?\s+(?P<y>(?:1[89]|20)\d\d)\b"),
        ("clock", r"(?<![\d:.])(?P<h>\d{1,3}):(?P<min>\d\d)(?::(?P<s>\d\d))?(?![\d:])\s*(?P<half>[ap]\.?m\.?)?"),
        ("clock_half", r"(?<![\d:.])(?P<h>1?\d)\s?(?P<half>[ap]\.?m\b\.?)"),
        ("clock_past", rf"\b(?P<q>half|quarter) (?P<to>past|to) (?P<h>{_WORD}|1?\d)\b(?:\s*(?P<half>[ap]\.?m\.?))?"),
        ("clock_zh",
            rf"(?P<half>凌晨|早上|上午|中午|下午|晚上|傍晚)?(?<!\d)(?P<h>\d{{1,2}}|{_ZH_NUMBER})点(?:钟|"
            rf"(?P<min>\d{{1,2}}|"
            rf"{_ZH_NUMBER})分|(?P<halved>半)|(?P<quarter>一刻))?(?!击|赞|数|评)"
        ),
        ("version",
            r"(?<![A-Za-z0-9_.])v?\d+\.\d+(?:\.\d+)+(?!\.?\d)|(?<![A-Za-z0-9_.])v\d+(?:\.\d+)*(?![A-Za-z0-9_])"
        ),
        ("freq_times",
            rf"\b(?:(?P<n>once|twice|thrice)|(?P<t>{_WORD}|\d+)(?:\s+times?|x))\s+(?:an?|per|each|"
            rf"every)\s+(?P<p>{_PERIOD})\b"
        ),
        ("freq_every", rf"\bevery\s+(?:(?P<n>other|second|\d+|{_WORD})\s+)?(?P<p>{_PERIOD})s?\b"),
        ("freq_days", "(?P<days>天天|日日|隔天|每隔一天|隔日)"),
        ("freq_word", r"\b(?P<w>daily|weekly|monthly|yearly|annually)\b"),
        ("freq_zh",
            rf"每?(?:(?P<k>\d+|{_ZH_NUMBER})?个?)(?P<p>天|周|星期|礼拜|月|"
            rf"年)(?:[^，。0-9一二两三四五六七八九十]{{0,3}})(?P<n>\d+|"
            rf"{_ZH_NUMBER})[次回趟]|每(?P<q>天|周|星期|月|年)(?![一二三四五六日天])"
        ),
        ("weekday", rf"{_WEEKDAY_EN}|{_WEEKDAY_ZH}"),
        ("compound_zh", rf"(?P<n>\d+|{_ZH_NUMBER})(?P<u>米|块|秒)(?P<rest>\d{{1,2}}|"
                        rf"[一二三四五六七八九]{{1,2}})(?![\d个间台]|{_UNIT})"),
        ("minsec", rf"(?<!\d)(?P<min>\d{{1,3}}|{_ZH_NUMBER})分(?:钟)?(?P<s>\d{{1,2}}|{_ZH_NUMBER})秒?"),
        ("half_zh", rf"(?P<n>\d+|{_ZH_NUMBER})?个?半(?:个)?(?P<u>小时|钟头|月|年|天)"),
        ("year_zh", r"(?<!\d)(?P<y>(?:1[6-9]|20)\d\d)年(?![前后内])"),
        ("money", rf"(?P<u>[€$£¥])\s?(?P<n>{_NUMBER})(?P<k>k\b)?"),
        ("percent_zh", rf"百分之(?P<n>\d+(?:\.\d+)?|{_ZH_NUMBER})"),
        ("measure", rf"(?<![A-Za-z0-9_.])(?P<n>{_NUMBER})(?P<k>k\b)?[\s-]?(?P<u>{_UNIT})(?![A-Za-z])"),
        ("measure_words",
            rf"\b(?P<n>half an?|an?|{_WORD})(?:\s+and\s+a\s+half)?[\s-](?P<u>seconds?|minutes?|hours?|days?|weeks?|"
            rf"months?|years?|litres?|liters?|kilos?|miles?|euros?|pounds?|dollars?)(?P<half>\s+and\s+a\s+half)?\b"
        ),
        ("measure_zh", rf"(?P<n>{_ZH_NUMBER})(?P<u>{_UNIT})"),
        ("year",
            r"(?<![A-Za-z0-9_.,-])(?P<y>(?:1[6-9]|20)\d\d)(?:年)?(?![A-Za-z_.,-]*\d)(?!\d)(?!\s*(?:rooms?|times|"
            r"people|users))"
        ),
        ("number", rf"(?<![A-Za-z0-9_.])(?P<n>{_NUMBER})(?P<k>k\b)?(?![A-Za-z0-9_])"),
        ("number_words", rf"\b(?P<n>{_WORD})\b(?!\s+of\b)"),
        ("pair_zh", r"(?P<n>[俩仨])(?=[\u4e00-\u9fff])"),
        ("number_zh", rf"(?P<n>{_ZH_NUMBER})(?=[个只条头位名间辆台部本张次岁套双份楼层口人])"),
    )
)  # fmt: skip
_MIGHT_HOLD = re.compile(
    rf"\d|[零〇一二两三四五六七八九十百每半隔天]|[周星期礼拜俩仨]|\b(?:{_WORD}|every|daily|weekly|monthly)\b|"
    rf"{_WEEKDAY_EN}|"
    rf"\b(?:{_MONTH})\b|"
    rf"an? (?:hour|week|month)|half an? ",
    re.IGNORECASE,
)


_MONTHS_ALONE = re.compile(
    rf"\b(?:in|on|until|till|to|by|from|since|through|for|end of|early|late|mid-?) (?P<m>{_MONTH})\b(?!\s*\d)|"
    rf"(?P<z>\d{{1,2}}|[一二三四五六七八九十]{{1,2}})月(?!\d)|(?P<e>[月年][初中底])",
    re.IGNORECASE,
)


@lru_cache(maxsize=1024)
def amounts(text: str) -> tuple[Amount, ...]:
    """Every number, date and frequency of a text, by place; no two overlap. Never raises."""
    if not _MIGHT_HOLD.search(text):
        return ()
    folded = "".join(unicodedata.normalize("NFKC", sign) if "！" <= sign <= "～" else sign for sign in text)
    left = list(folded)
    found: list[Amount] = []
    for name, pattern in _PATTERNS:
        for match in pattern.finditer("".join(left)):
            made = _make(name, match)
            if made is not None:
                kind, value = made
                found.append(Amount(kind, value, match.start(), match.end()))
                left[match.start() : match.end()] = "\x00" * (match.end() - match.start())
    return tuple(sorted(found, key=lambda amount: amount.start))


def times_without_a_day(text: str) -> tuple[Amount, ...]:
    """Months and ends of months that stand for a time, as "until August", 三月, 年底: of kind "month", by place. Not
    among `amounts`, for most of them only say when something was so."""
    return tuple(
        Amount("month", float(number), match.start(), match.end())
        for match in _MONTHS_ALONE.finditer(text)
        if (number := _month_number(match.group("m") or match.group("z") or match.group("e"))) is not None
    )


def _month_number(shown: str) -> float | None:
    low = shown.lower()
    if low in MONTHS:
        return float(MONTHS[low])
    return {"月初": 13.0, "月中": 14.0, "月底": 15.0, "年初": 16.0, "年中": 17.0, "年底": 18.0}.get(low, number_of(low))


def number_of(shown: str) -> float | None:
    """The number that digits, an English word or Chinese numerals show; None for anything else."""
    shown = shown.replace(",", "").strip().lower()
    try:
        return float(shown)
    except ValueError:
        pass
    if shown in NUMBER_WORDS:
        return float(NUMBER_WORDS[shown])
    return _zh_number(shown)


def same_amount(one: Amount, other: Amount) -> bool | None:
    """True or False when the two can be compared, None when they measure different things."""
    kinds = {one.kind, other.kind}
    if kinds == {"year", "number"}:
        return one.value == other.value
    if one.kind != other.kind:
        return None
    if one.kind == "date":
        return all(a == b or not a or not b for a, b in zip(one.value, other.value, strict=True))
    if isinstance(one.value, float) and isinstance(other.value, float):
        return abs(one.value - other.value) <= 1e-6 * max(1.0, abs(one.value))
    return one.value == other.value


def _zh_number(shown: str) -> float | None:
    if not shown or any(sign not in ZH_DIGITS and sign not in ZH_SCALES for sign in shown):
        return None
    if all(sign in ZH_DIGITS for sign in shown):
        return float("".join(str(ZH_DIGITS[sign]) for sign in shown))
    total, part, digit = 0, 0, 0
    for sign in shown:
        if sign in ZH_DIGITS:
            digit = ZH_DIGITS[sign]
        elif ZH_SCALES[sign] >= 10_000:
            total, part, digit = total + (part + digit or 1) * ZH_SCALES[sign], 0, 0
        else:
            part, digit = part + (digit or 1) * ZH_SCALES[sign], 0
    return float(total + part + digit)


def _make(name: str, match: re.Match[str]) -> tuple[str, object] | None:
    groups = match.groupdict()
    if name.startswith("date"):
        return _date(groups)
    if name.startswith("clock"):
        return _clock(groups)
    if name.startswith("freq"):
        return _frequency(groups)
    if name == "version":
        return "version", match.group().lower().lstrip("v")
    if name == "weekday":
        word = match.group().lower()
        return "weekday", WEEKDAYS.get(word, WEEKDAYS.get(word.rstrip("s")))
    if name == "minsec":
        minutes, seconds = number_of(groups["min"]), number_of(groups["s"])
        return None if minutes is None or seconds is None else ("duration", minutes * 60 + seconds)
    if name == "compound_zh":
        dimension, factor = UNITS[groups["u"]]
        tail = "".join(str(ZH_DIGITS.get(sign, sign)) for sign in groups["rest"])
        number = number_of(groups["n"])
        return None if number is None else (dimension, float(f"{number:.0f}.{tail}") * factor)
    if name == "half_zh":
        unit = {"小时": "小时", "钟头": "小时", "月": "个月", "年": "年", "天": "天"}[groups["u"]]
        return "duration", ((number_of(groups["n"] or "零") or 0.0) + 0.5) * UNITS[unit][1]
    if name == "pair_zh":
        return "number", 2.0 if groups["n"] == "俩" else 3.0
    if name == "percent_zh":
        number = number_of(groups["n"])
        return None if number is None else ("percent", number)
    if name.startswith("year"):
        return "year", float(groups["y"])
    return _measure(match.group(), groups)


def _measure(shown: str, groups: dict[str, str | None]) -> tuple[str, object] | None:
    word = (groups["n"] or "").lower()
    number = 0.5 if word.startswith("half") else 1.0 if word in ("a", "an") else number_of(word)
    if number is None:
        return None
    if "and a half" in shown.lower():
        number += 0.5
    if groups.get("k"):
        number *= 1000
    unit = (groups.get("u") or "").lower()
    if not unit:
        return "number", number
    dimension, factor = UNITS.get(unit) or UNITS.get(unit.rstrip("s")) or ("number", 1.0)
    return dimension, number * factor


def _date(groups: dict[str, str | None]) -> tuple[str, object] | None:
    month_word = (groups.get("m") or "").lower()
    month = MONTHS.get(month_word) or number_of(month_word)
    day = number_of(groups.get("d") or "") or 0
    if not month or not 1 <= month <= 12 or day > 31:
        return None
    return "date", (int(groups.get("y") or 0), int(month), int(day))


def _clock(groups: dict[str, str | None]) -> tuple[str, object] | None:
    hours = number_of(groups["h"] or "")
    if part := groups.get("q"):
        minutes = 30 if part.lower() == "half" else 15
        return (
            None if hours is None else ("clock", hours * 60 + (minutes if groups["to"].lower() == "past" else -minutes))
        )
    minutes = number_of(groups.get("min") or "0")
    if hours is None or minutes is None:
        return None
    if groups.get("halved") or groups.get("quarter"):
        minutes = 30.0 if groups.get("halved") else 15.0
    half = (groups.get("half") or "").lower()
    if hours < 12 and (half.startswith("p") or half in ("下午", "晚上", "傍晚")):
        hours += 12
    value = hours * 60 + minutes
    return ("duration", value * 60 + float(groups["s"])) if groups.get("s") else ("clock", value)


def _frequency(groups: dict[str, str | None]) -> tuple[str, object] | None:
    if days := groups.get("days"):
        return "frequency", 7.0 if days in ("天天", "日日") else 3.5
    if word := groups.get("w"):
        return "frequency", PERIODS_PER_WEEK[_EVERY[word.lower()]]
    if every := groups.get("q"):
        return "frequency", PERIODS_PER_WEEK[every]
    per_week = PERIODS_PER_WEEK[(groups["p"] or "").lower()]
    word = (groups.get("n") or groups.get("t") or "").lower()
    if "k" in groups:
        number, each = number_of(word), number_of(groups["k"] or "一")
        return None if not number or not each else ("frequency", number * per_week / each)
    if word in ("other", "second"):
        return "frequency", per_week / 2
    number = number_of(word) if word else 1.0
    return None if number is None else ("frequency", per_week * number)
