"""Units by dimension and what one of each is in the dimension's base unit; months, weekdays, number words."""

# unit word -> (dimension, factor to the base unit)
UNITS: dict[str, tuple[str, float]] = {}

_TABLE = {
    "duration": {  # seconds
        1e-3: "ms millisecond milliseconds 毫秒",
        1: "s sec secs second seconds 秒 秒钟",
        60: "min mins minute minutes 分钟 分",
        3600: "h hr hrs hour hours 小时 个小时 钟头 个钟头",
        86400: "day days 天",
        604800: "week weeks 周 星期 个星期",
        2629800: "month months 个月",
        31557600: "year years yr yrs 年",
    },
    "length": {  # metres
        1e-3: "mm millimetre millimetres millimeter millimeters 毫米",
        1e-2: "cm centimetre centimetres centimeter centimeters 厘米 公分",
        1: "m metre metres meter meters 米",
        1000: "km kilometre kilometres kilometer kilometers 公里 千米",
        0.0254: "inch inches 英寸",
        0.3048: "ft foot feet 英尺",
        1609.344: "mile miles 英里",
        500: "里 华里",
    },
    "mass": {  # kilograms
        1e-6: "mg 毫克",
        1e-3: "g gram grams 克",
        1: "kg kilo kilos kilogram kilograms 公斤 千克",
        1000: "tonne tonnes 吨",
        0.45359237: "lb lbs pound-mass 磅",
        0.5: "斤",
    },
    "volume": {  # litres
        1e-3: "ml millilitre millilitres milliliter milliliters 毫升",
        0.01: "cl",
        1: "l litre litres liter liters 升",
        3.785411784: "gallon gallons 加仑",
    },
    "data": {  # bytes
        1e3: "kb", 1e6: "mb", 1e9: "gb g内存", 1e12: "tb",
    },
    "area": {1: "sqm m² 平方米 平米 平", 1e4: "hectare hectares 公顷"},
    "percent": {1: "% percent per-cent 个百分点"},
    "temperature": {1: "°c ℃ celsius 摄氏度 度"},
    "speed": {1: "km/h kmh kph"},
    "money:EUR": {1: "eur euro euros €  欧元"},
    "money:USD": {1: "usd dollar dollars $ 美元"},
    "money:GBP": {1: "gbp pound pounds £ quid 英镑"},
    "money:CNY": {1: "cny rmb yuan ¥ 元 块 块钱 人民币", 10000: "万元 万块"},
}  # fmt: skip
for _dimension, _rows in _TABLE.items():
    for _factor, _words in _rows.items():
        for _word in _words.split():
            UNITS[_word] = (_dimension, _factor)

MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan", "february feb", "march mar", "april apr", "may", "june jun", "july jul", "august aug",
            "september sept sep", "october oct", "november nov", "december dec",
        ),
        start=1,
    )
    for name in names.split()
}  # fmt: skip

WEEKDAYS = {
    name: number
    for number, names in enumerate(
        (
            "monday mon 周一 星期一 礼拜一", "tuesday tue tues 周二 星期二 礼拜二", "wednesday wed 周三 星期三 礼拜三",
            "thursday thu thur thurs 周四 星期四 礼拜四", "friday fri 周五 星期五 礼拜五",
            "saturday sat 周六 星期六 礼拜六",
            "sunday sun 周日 星期日 星期天 礼拜天 礼拜日 周天",
        )
    )
    for name in names.split()
}  # fmt: skip

_TO_TWENTY = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty"
)
NUMBER_WORDS = {word: number for number, word in enumerate(_TO_TWENTY.split())} | {
    "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90, "hundred": 100,
     "once": 1, "twice": 2, "thrice": 3, "dozen": 12}  # fmt: skip

ZH_DIGITS = {"零": 0, "〇": 0, "一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9}
ZH_SCALES = {"十": 10, "百": 100, "千": 1000, "万": 10_000, "亿": 100_000_000}

PERIODS_PER_WEEK = {
    "day": 7.0, "week": 1.0, "month": 12 / 52, "year": 1 / 52, "天": 7.0, "日": 7.0, "周": 1.0, "星期": 1.0,
    "礼拜": 1.0,
    "月": 12 / 52, "个月": 12 / 52, "年": 1 / 52,
}  # fmt: skip
