"""Things of which one is chosen at a time: a window or an aisle seat, mail or phone, English or German."""

import re
from dataclasses import dataclass
from functools import lru_cache

# kind -> options, one a line; an option is "english words/chinese words". What names none of a kind chooses nothing.
_TABLE: dict[str, tuple[str, ...]] = {
    "seat": (
        "window(?: seats?)?/靠窗|窗边",
        "aisle(?: seats?)?/(?:靠)?过道|走廊边",
        "middle seats?/中间座",
    ),
    "part of day": (
        "mornings?|before noon/早上|上午|早晨|清晨",
        "afternoons?/下午|午后",
        "evenings?|at night|nights?/晚上|夜里|傍晚",
        "midday|noon|lunchtime/中午",
    ),
    "length": (
        "short|brief|concise|terse|to the point|one[- ](?:line(?:rs?)?|paragraph|sentence)|shorter/一[段句](?:话)?|"
        "简短|简洁|精简|简单点|短一?点|长话短说",
        "long(?:er)?|detailed|in[- ]depth|thorough|elaborate|comprehensive/详细|详尽|具体一?点|写?长一?点|展开",
    ),
    "channel": (
        "e-?mails?|emailing|mail me/邮件|邮箱|电邮",
        "(?:phone )?calls?|calling|by phone|ring me/电话|来电",
        "text(?:s|ing| messages?)?(?= |$|[.,!])(?! editor| file)|sms/短信",
        "whatsapp",
        "slack",
        "telegram",
        "signal",
        "by post|letters?|paper mail/信件|邮寄",
        "/微信",
        "/钉钉",
        "/飞书",
        "/qq|QQ",
    ),
    "payment": (
        "(?:credit|debit) ?card|by card/信用卡|刷卡|银行卡",
        "cash/现金",
        "(?:bank |wire )?transfer|wire/转账|汇款",
        "paypal",
        "invoice/月结",
        "apple pay",
        "/微信支付|微信付",
        "/支付宝",
    ),
    "tongue": tuple(
        f"{english}/{chinese}"
        for english, chinese in (
            ("english", "英文|英语"),
            ("german", "德文|德语"),
            ("french", "法文|法语"),
            ("spanish", "西班牙语|西语"),
            ("chinese|mandarin", "中文|普通话|汉语"),
            ("japanese", "日文|日语"),
            ("italian", "意大利语"),
            ("dutch", "荷兰语"),
            ("portuguese", "葡萄牙语"),
            ("russian", "俄语|俄文"),
            ("korean", "韩语|韩文"),
            ("cantonese", "粤语|广东话"),
            ("turkish", "土耳其语"),
            ("polish", "波兰语"),
        )
    ),
    "travel": (
        "subway|metro|underground|tube/地铁",
        "bus(?:es)?/公交|公交车|巴士|大巴",
        "trains?/火车|高铁|动车",
        "fly|flying|planes?|flights?/飞机",
        "driv(?:e|es|ing)|by car/开车|自驾",
        "bik(?:e|es|ing)|cycl(?:e|es|ing)|bicycle/骑车|骑自行车|单车|自行车",
        "walk(?:s|ing)?|on foot/走路|步行",
        "taxis?|uber|cab/打车|出租车|网约车",
        "ferry/轮渡",
    ),
    "address": (
        "(?:the |my )?office|work(?:place)?/公司|单位|办公室",
        "(?:my )?(?:home|house|flat|apartment)/我?家里?(?!人)",
    ),
    "sugar": (
        "full sugar/全糖",
        "half sugar/半糖|五分糖",
        "/七分糖",
        "/三分糖|少糖",
        "no sugar|sugar[- ]free/无糖|不加糖",
    ),
    "grade": tuple(
        f"{english} (?:grade|floor|form|year)/{chinese}(?:年级|楼)"
        for english, chinese in (
            ("first|1st", "一"),
            ("second|2nd", "二"),
            ("third|3rd", "三"),
            ("fourth|4th", "四"),
            ("fifth|5th", "五"),
            ("sixth|6th", "六"),
            ("seventh|7th", "七"),
            ("eighth|8th", "八"),
        )
    ),
    "theme": (
        "dark (?:mode|theme)/深色|暗色|夜间",
        "light (?:mode|theme)/浅色|亮色|日间",
    ),
    "layout": (
        "bullet(?:s| points)|lists?/要点|列表|分条",
        "paragraphs?|prose|full sentences/段落|整段|成段",
        "tables?/表格",
    ),
    "measures": (
        "metric|celsius|kilomet(?:er|re)s/公制|摄氏",
        "imperial|fahrenheit|miles/英制|华氏",
    ),
    "manner": (
        "formal/正式|书面",
        "casual|informal|relaxed/随意|口语|轻松",
    ),
    "coffee": (
        "black|no milk/黑咖啡|美式",
        "with (?:oat |soy )?milk|latte|cappuccino/加奶|拿铁",
    ),
    "warmth": (
        "hot|warm/热的?|温的?",
        "iced|cold/冰的?|凉的?|冷的?",
    ),
    "doorstep": (
        "front door|doorstep/(?:送到?|放)?(?:家)?门口|家里",
        "reception|front desk/前台|物业",
        "(?:parcel )?locker/丰巢柜?|快递柜|自提柜",
        "neighbou?r/邻居",
        "pick[- ]?up point|post office/驿站|代收点",
        "/保安室|门卫",
    ),
    "print": (
        "kindle|e-?books?|e-reader/电子书|电子版",
        "paper(?:backs?| books?)?|printed|hardcopy/纸质书?|纸质版|打印",
        "audiobooks?/有声书",
    ),
    "place of work": (
        "from home|remote(?:ly)?|home office/在家(?:办公)?|远程|居家",
        "(?:from|in|at) the office|on[- ]site/在公司|去公司|到岗|坐班",
    ),
    "hue": tuple(
        f"{english}/{chinese}"
        for english, chinese in (
            ("red", "红色?"),
            ("blue", "蓝色?"),
            ("green", "绿色?"),
            ("yellow", "黄色?"),
            ("black", "黑色"),
            ("white", "白色?"),
            ("gr[ea]y", "灰色?"),
            ("pink", "粉色?"),
            ("purple", "紫色?"),
            ("orange", "橙色"),
        )
    ),
    "browser": ("chrome/谷歌浏览器", "firefox/火狐", "safari", "edge", "opera", "brave", "vivaldi"),
    "desktop": ("windows", "mac(?: ?os|book)?s?|os x/苹果电脑", "linux|ubuntu|debian|fedora"),
    "phone": ("iphones?|ios/苹果手机", "android|pixel|galaxy/安卓", "/华为手机", "/小米手机"),
    "cloud": (
        "aws|amazon web services",
        "azure",
        "gcp|google cloud",
        "heroku",
        "fly(?:\\.io)",
        "/阿里云",
        "/腾讯云",
        "/华为云",
    ),
    "chat tool": ("slack", "(?:microsoft )?teams", "mattermost", "discord", "zulip", "/飞书", "/钉钉", "/企业微信"),
    "board": ("trello", "jira", "linear", "asana", "redmine", "/禅道", "/tapd|TAPD"),
    "editor": ("vim|neovim", "emacs", "vs ?code|visual studio code", "sublime", "pycharm|intellij|webstorm", "zed"),
    "code host": ("github", "gitlab", "bitbucket", "gitee/码云"),
    "notes": ("notion", "obsidian", "evernote/印象笔记", "onenote", "/语雀", "/有道云笔记"),
    "plan": (
        "free (?:plan|tier)/免费版",
        "basic|standard|starter/基础|标准|普通",
        "pro(?:fessional)?|premium|plus/高级|专业|尊享|豪华",
        "enterprise/企业版",
    ),
    "role in life": (
        "student|at school|at university/学生|在读|上学",
        "graduated|full[- ]time|permanent (?:position|job|contract)/毕业|工作了|上班了|入职",
        "retired/退休",
        r"freelanc\w+|self-employed/自由职业",
        "unemployed|between jobs/失业|待业",
    ),
}
# One main tool of a kind: switching to another one leaves it.
TOOLS = frozenset({"browser", "desktop", "phone", "cloud", "chat tool", "board", "editor", "code host", "notes"})
# Of these one is chosen only where both statements speak of the same thing; the others settle how one is dealt with.
ABOUT_A_THING = frozenset({"hue", "part of day", "warmth", "coffee", "print", "travel", "plan", "grade", "address"})
# How one is answered, whatever the verb.
OF_ANSWERS = frozenset({"tongue", "length", "layout", "manner"})
# States of a person: one follows another.
STATES = frozenset({"role in life"})


def _option(row: str) -> re.Pattern[str]:
    english, _, chinese = row.partition("/")
    parts = [rf"\b(?:{english})(?![\w'])" if english else "", chinese]
    return re.compile("|".join(part for part in parts if part), re.IGNORECASE)


_KINDS = tuple((kind, tuple(_option(row) for row in rows)) for kind, rows in _TABLE.items())


@dataclass(frozen=True, slots=True)
class Choice:
    """`option`: its place in the table. `shown`: as written. `left`: the text without it."""

    kind: str
    option: int
    shown: str
    left: str


@lru_cache(maxsize=2048)
def choices(text: str) -> tuple[Choice, ...]:
    """What a text chooses, one for each kind of which it names exactly one option."""
    found = []
    for kind, options in _KINDS:
        named = [(place, match) for place, option in enumerate(options) if (match := option.search(text))]
        if len(named) == 1:
            place, match = named[0]
            found.append(Choice(kind, place, match.group(), text[: match.start()] + " " + text[match.end() :]))
    return tuple(found)
