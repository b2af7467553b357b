"""The times a question names, in English and Chinese: "on 3 May", "last Friday", "5月3日那天"."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, tzinfo

MONTH_NAMES = [
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
]  # fmt: skip
MONTHS = {name: number for number, name in enumerate(MONTH_NAMES, 1)}
MONTHS |= {name[:3]: number for name, number in MONTHS.items()} | {"sept": 9}
WEEKDAY_NAMES = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
WEEKDAYS = {name: number for number, name in enumerate(WEEKDAY_NAMES)}
CHINESE_WEEKDAYS = {sign: number for number, sign in enumerate("一二三四五六日")} | {"天": 6}
SHORT_WEEKDAYS = {name[:3]: number for name, number in WEEKDAYS.items()} | {"tues": 1, "thur": 3, "thurs": 3}
WORDS_FOR_NUMBERS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "eleven": 11, "twelve": 12, "couple": 2,
}  # fmt: skip
# The month each season begins in, in the northern hemisphere: nothing says where the asker lives.
SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12, "春": 3, "夏": 6, "秋": 9, "冬": 12}
CHINESE_DIGITS = {sign: number for number, sign in enumerate("零一二三四五六七八九")} | {"两": 2, "〇": 0}

MONTH = "|".join(sorted(MONTHS, key=len, reverse=True))
# "based on sun" names no day, "on Sun" does
WEEKDAY = "|".join([*WEEKDAY_NAMES, *sorted(SHORT_WEEKDAYS.keys() - {"sun"}, key=len, reverse=True), "(?-i:Sun|SUN)"])
COUNT = "|".join(WORDS_FOR_NUMBERS)
HAN_NUMBER = r"\d{1,3}|[一二两三四五六七八九]?十[一二三四五六七八九]?|[一二两三四五六七八九]"
# "去年初中毕业" and "五月初五" name no beginning.
PART = "初(?![一二三四五六七八九十中级步次恋])|底(?!层)|末"
# What comes, and what comes again and again, is no time that has been.
NOT_PAST = "(?<![每下个明后同当周])(?<!每年)(?<!每个)(?<!明年)(?<!后年)"

ENGLISH = re.compile(
    rf"\b(?:(?P<iso>(?:19|20)\d\d[-/.]\d\d?[-/.]\d\d?)"
    rf"|(?:(?P<month>{MONTH})\.? (?P<day>\d\d?)(?:st|nd|rd|th)?"
    rf"|(?P<day2>\d\d?)(?:st|nd|rd|th)? (?:of )?(?P<month2>{MONTH}))"
    rf"\b(?:,? (?P<year>(?:19|20)\d\d))?"
    rf"|(?:in|during|since|last|of) (?P<month3>{MONTH})(?:,? (?P<year3>(?:19|20)\d\d))?"
    rf"|(?:in|during) (?P<year4>(?:19|20)\d\d)"
    rf"|(?P<near>today|yesterday|the day before yesterday|last night)"
    rf"|(?P<season_when>in|during|since|last|this) (?:the )?(?P<season>spring|summer|autumn|fall|winter)"
    rf"(?:(?: of|,)? (?P<season_year>(?:19|20)\d\d)(?![-/.]\d))?"
    rf"|(?P<half>half a year ago)"
    rf"|(?P<which>this|last) (?P<unit>week|weekend|month|year)"
    rf"|(?P<ago>\d{{1,3}}|{COUNT}|(?:a )?(?:couple(?: of)?|few)) (?P<ago_unit>day|week|month|year)s? ago"
    rf"|(?:(?:on|last|this|past) )(?P<weekday>{WEEKDAY}))\b",
    re.IGNORECASE,
)
CHINESE = re.compile(
    rf"(?<![\d一二两三四五六七八九十百千万])"
    rf"(?:(?:(?P<year>(?:19|20)\d\d)年|(?P<near_year>今年|去年|前年))?的?(?P<month>{HAN_NUMBER})月"
    rf"(?:份|(?P<day>{HAN_NUMBER})[日号]|(?P<month_part>{PART}))?"
    rf"|(?:(?P<only_year>(?:19|20)\d\d)年|(?P<only_near_year>今年|去年|前年))"
    rf"(?:的?(?P<season>[春夏秋冬])[天季]|年?(?P<year_part>{PART}))?"
    rf"|{NOT_PAST}(?:(?P<bare_season>[春夏秋冬])[天季]|月(?P<bare_month_part>{PART})|年(?P<bare_year_part>{PART}))"
    rf"|(?P<near>今天|昨天|昨晚|昨日|大前天|前天)"
    rf"|(?P<which>上上|上|这|本)个?(?:周|星期|礼拜)(?P<weekday>[一二三四五六日天])?(?P<weekend>末)?"
    rf"|(?:周|星期|礼拜)(?P<bare_weekday>[一二三四五六日天])"
    rf"|(?P<which_month>上上|上|这|本)个?月(?P<which_month_part>{PART})?"
    rf"|(?P<half>半年(?:以)?前)|前[几些]个?(?P<few>天|日|周|星期|礼拜|月|年)"
    rf"|(?P<ago>{HAN_NUMBER}|几)个?(?P<ago_unit>天|周|星期|礼拜|月|年)(?:以)?前)"
)
DAYS_BACK = {"today": 0, "yesterday": 1, "the day before yesterday": 2, "last night": 1}
DAYS_BACK |= {"今天": 0, "昨天": 1, "昨晚": 1, "昨日": 1, "前天": 2, "大前天": 3}
YEARS_BACK = {"今年": 0, "去年": 1, "前年": 2}
UNITS = {"天": "day", "日": "day", "周": "week", "星期": "week", "礼拜": "week", "月": "month", "年": "year"}


@dataclass(frozen=True, slots=True)
class Period:
    """From start (included) to end (excluded), in epoch seconds."""

    start: float
    end: float


def periods_in(text: str, *, now: datetime, recurring: bool = True) -> list[Period]:
    """The past times the text names, read at `now` in its zone (timezone-aware). Never raises on any text.

    Without `recurring`, only those that come but once: "last winter" and "in March 2024", not "in winter". A day, month
    or season without a year is the last one that has begun; seasons are those of the northern hemisphere. What is no
    date, like 31 February or a time before the calendar, is left out.
    """
    zone, today = now.tzinfo, now.date()
    spans = [
        *_spans(ENGLISH, _english, text, today, recurring),
        *_spans(CHINESE, _chinese, text, today, recurring),
    ]  # fmt: skip
    return [_period(first, last, zone) for first, last in dict.fromkeys(spans)]


def days_in(text: str) -> Iterator[str]:
    """The calendar days the text writes out, each as "05-03" and, where the year is there, "2023-05-03" as well."""
    for match in ENGLISH.finditer(text):
        if match["iso"]:
            year, month, day = match["iso"].replace("/", "-").replace(".", "-").split("-")
        else:
            year, month, day = match["year"], match["month"] or match["month2"], match["day"] or match["day2"]
        if month and day:
            yield from _day_names(year, MONTHS.get(month.lower()) or int(month), int(day))
    for match in CHINESE.finditer(text):
        if match["day"]:
            yield from _day_names(match["year"], _number(match["month"]), _number(match["day"]))


def _day_names(year: str | None, month: int, day: int) -> Iterator[str]:
    if 1 <= month <= 12 and 1 <= day <= 31:
        yield f"{month:02}-{day:02}"
        if year:
            yield f"{year}-{month:02}-{day:02}"


Span = tuple[date, date]  # first and last day, both included


def _spans(pattern: re.Pattern, read, text: str, today: date, recurring: bool) -> Iterator[Span]:
    for match in pattern.finditer(text):
        found = {name: value for name, value in match.groupdict().items() if value}
        if not recurring and _recurs(match.group().lower(), found):
            continue
        try:
            span = read(found, today)
        except (ValueError, OverflowError):
            continue
        if span:
            yield span


def _recurs(named: str, found: dict[str, str]) -> bool:
    """Whether such a time comes again each week, month or year: no year and no "last" says which one is meant."""
    if named.startswith(("last", "this", "past", "上", "这", "本")):
        return False
    if found.keys() & {"iso", "year", "year3", "year4", "near_year", "only_year", "only_near_year", "season_year"}:
        return False
    parts = {"month", "month2", "month3", "season", "bare_season", "weekday", "bare_weekday"}
    return bool(found.keys() & (parts | {"bare_month_part", "bare_year_part"}))


def _english(found: dict[str, str], today: date) -> Span | None:
    found = {name: value.lower() for name, value in found.items()}
    month = found.get("month") or found.get("month2") or found.get("month3")
    year = found.get("year") or found.get("year3") or found.get("year4")
    day = found.get("day") or found.get("day2")
    if "iso" in found:
        return _on(*(int(part) for part in re.split(r"[-/.]", found["iso"])))
    if "season" in found:
        year = found.get("season_year")
        return _season(found["season"], year and int(year), today, over=found["season_when"] == "last")
    if month or year:
        return _calendar(year and int(year), MONTHS[month] if month else None, day and int(day), today)
    if "near" in found:
        return _days_back(DAYS_BACK[found["near"]], today)
    if "ago" in found:
        count = found["ago"].removeprefix("a ").removesuffix(" of")
        if count == "few":
            return _few_ago(found["ago_unit"], today)
        return _ago(WORDS_FOR_NUMBERS.get(count) or int(count), found["ago_unit"], today)
    if "half" in found:
        return _half_a_year_ago(today)
    if "weekday" in found:
        weekday = (WEEKDAYS | SHORT_WEEKDAYS)[found["weekday"]]
        return _days_back((today.weekday() - weekday) % 7 or 7, today)
    return _unit(found["unit"], 1 if found["which"] == "last" else 0, today)


def _chinese(found: dict[str, str], today: date) -> Span | None:
    year = found.get("year") or found.get("only_year")
    near_year = found.get("near_year") or found.get("only_near_year")
    season = found.get("season") or found.get("bare_season")
    whole_year = int(year) if year else today.year - YEARS_BACK[near_year] if near_year else None
    if season:
        # "This year's winter" said in January is the one that began in December.
        return _season(season, None if near_year == "今年" else whole_year, today)
    if whole_year is not None or "month" in found:
        month, day = (_number(found[part]) if part in found else None for part in ("month", "day"))
        if "month_part" in found and whole_year is None:
            return _last_begun("month", found["month_part"], today, month=month)
        span = _calendar(whole_year, month, day, today)
        return _part(span, found.get("month_part") or found.get("year_part"))
    for unit in ("month", "year"):
        if f"bare_{unit}_part" in found:
            return _last_begun(unit, found[f"bare_{unit}_part"], today)
    if "near" in found:
        return _days_back(DAYS_BACK[found["near"]], today)
    if "half" in found:
        return _half_a_year_ago(today)
    if "few" in found or found.get("ago") == "几":
        return _few_ago(UNITS[found.get("few") or found["ago_unit"]], today)
    if "ago" in found:
        return _ago(_number(found["ago"]), UNITS[found["ago_unit"]], today)
    if "which_month" in found:
        return _part(_unit("month", found["which_month"].count("上"), today), found.get("which_month_part"))
    if "bare_weekday" in found:
        return _days_back((today.weekday() - CHINESE_WEEKDAYS[found["bare_weekday"]]) % 7, today)
    weeks_back = found["which"].count("上")
    if "weekday" in found:
        monday, _ = _unit("week", weeks_back, today)
        return (day := monday + timedelta(CHINESE_WEEKDAYS[found["weekday"]])), day
    return _unit("weekend" if "weekend" in found else "week", weeks_back, today)


def _number(text: str) -> int:
    if text.isdigit():
        return int(text)
    tens, ten, ones = text.rpartition("十")
    return (CHINESE_DIGITS[tens] if tens else 1 if ten else 0) * 10 + (CHINESE_DIGITS[ones] if ones else 0)


def _calendar(year: int | None, month: int | None, day: int | None, today: date) -> Span:
    """A day, month or year of the calendar; without a year the last one that has begun."""
    if not month:
        return date(year, 1, 1), date(year, 12, 31)
    if year is None:
        year = today.year if (month, day or 1) <= (today.month, today.day) else today.year - 1
    return _on(year, month, day) if day else (date(year, month, 1), _month_end(year, month))


def _season(name: str, year: int | None, today: date, *, over: bool = False) -> Span:
    """The season that begins in the year; without one the last that has begun or, when `over`, has ended."""
    month = SEASONS[name]

    def of(year: int) -> Span:
        end_year, end_month = (year + 1, 2) if month == 12 else (year, month + 2)
        return date(year, month, 1), _month_end(end_year, end_month)

    if year is not None:
        return of(year)
    first, last = of(today.year)
    back = 0
    while (last >= today) if over else (first > today):
        back += 1
        first, last = of(today.year - back)
    return first, last


def _part(span: Span, part: str | None) -> Span:
    """The first or last ten days of a month, the first or last two months of a year; without a part all of it."""
    first, last = span
    if not part:
        return span
    of_year = (last - first).days > 31
    if part == "初":
        return first, _month_end(first.year, 2) if of_year else first + timedelta(9)
    return date(last.year, 11, 1) if of_year else last - timedelta(9), last


def _last_begun(unit: str, part: str, today: date, *, month: int | None = None) -> Span:
    """The latest such part of a month or year that has begun; `month` says of which month of the year."""
    if month:
        spans = ((date(year, month, 1), _month_end(year, month)) for year in (today.year, today.year - 1))
    else:
        spans = (_unit(unit, back, today) for back in (0, 1))
    this, before = (_part(span, part) for span in spans)
    return this if this[0] <= today else before


def _on(year: int, month: int, day: int) -> Span:
    return date(year, month, day), date(year, month, day)


def _month_end(year: int, month: int) -> date:
    return date(year + month // 12, month % 12 + 1, 1) - timedelta(1)


def _days_back(days: int, today: date) -> Span:
    return today - timedelta(days), today - timedelta(days)


def _unit(unit: str, back: int, today: date) -> Span:
    """The calendar week, weekend, month or year `back` before the present one."""
    monday = today - timedelta(today.weekday() + 7 * back)
    if unit == "week":
        return monday, monday + timedelta(6)
    if unit == "weekend":
        return monday + timedelta(5), monday + timedelta(6)
    if unit == "year":
        return date(today.year - back, 1, 1), date(today.year - back, 12, 31)
    months = today.year * 12 + today.month - 1 - back
    year, month = months // 12, months % 12 + 1
    return date(year, month, 1), _month_end(year, month)


def _ago(count: int, unit: str, today: date) -> Span:
    """Some time ago, taken as loosely as people mean it."""
    if unit == "day":
        return _days_back(count, today)
    days = count * {"week": 7, "month": 30, "year": 365}[unit]
    slack = {"week": 3, "month": 15, "year": 180}[unit]
    middle = today - timedelta(days)
    return middle - timedelta(slack), middle + timedelta(slack)


def _few_ago(unit: str, today: date) -> Span:
    """Two to six units back."""
    days = {"day": 1, "week": 7, "month": 30, "year": 365}[unit]
    return today - timedelta(6 * days), today - timedelta(2 * days)


def _half_a_year_ago(today: date) -> Span:
    middle = today - timedelta(182)
    return middle - timedelta(45), middle + timedelta(45)


def _period(first: date, last: date, zone: tzinfo | None) -> Period:
    start = datetime.combine(first, time.min, zone)
    return Period(start.timestamp(), datetime.combine(last + timedelta(1), time.min, zone).timestamp())
