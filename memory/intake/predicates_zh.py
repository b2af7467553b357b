"""Chinese predicates and the slot each fills: data for facts_zh. (?P<s>) subject, (?P<n>) negation, (?P<v>) value."""

import re

from memory.intake import lexicon_zh as lex

TAIL = re.compile(
    r"(?:了(?:吧|呢|啊|呀|哦)?|啊|呀|吧|呢|哦|啦|的(?:啊|呀|呢)?|嘛|而已|工作|上班|居住|生活|[跟和](?:我|我们|孩子|儿子|女儿)(?:一起)?住了?)+$|[（(].*$"
)
RELATIVE = re.compile(rf"^(?:我|我们|咱|他|她)?的?{lex.RELATIVES}(?P<name>[^\s，。的]{{0,4}})$")


# A stretch of text before the verb that cannot be a subject.
NO_SUBJECT = re.compile(
    "请|把|说|觉得|认为|知道|听|没|别|不要|如何|怎么|得$|了$|一般|让|叫|给|帮|想|想要|需要|可以|去|来(?!源)|刚|正在|"
    "吃|喝"
)


_PLACES = "(?:总部|公司|办公室|店|学校|仓库|会议室|工厂|机房|服务器|数据中心|中心|门店|展厅|分部|实验室|工位|教室|宿舍)"


# "Only Zhang has the key": the one comes before what the one has.
ONLY_WHO = re.compile("^(?:只有|仅有|唯有)(?=.{1,6}?(?:有|能|是|可以|知道|会|才))")


def _row(attribute: str, verb: str, value: str = ".+", after: str = "") -> tuple[str, re.Pattern[str]]:
    return attribute, re.compile(
        rf"^(?P<s>.{{0,16}}?)(?P<m>{lex.MODIFIERS}*)(?P<n>{lex.NEGATOR})?{lex.MODIFIERS}*{verb}(?P<v>{value}){after}$"
    )


# In order; the first row of an attribute that matches is the one that counts. (?P<n>) negates.
ROWS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("allergy", re.compile(
        r"^(?P<s>.{0,12}?)(?P<m>)对(?P<v>.{1,16}?)(?:有点|严重|轻度|都|也|已经|现在)*(?P<n>不再|不|"
        r"没有?)?(?:会)?过敏(?:了|的)?$"
    )),
    ("name", re.compile(
        r"^(?P<s>我|我的名字|名字|姓名|我的?大?名)(?P<m>)(?P<n>不)?(?:叫做?|是|：|"
        r":)(?P<v>[\u4e00-\u9fffA-Za-z·]{2,12})$"
    )),
    ("slot:surname", re.compile(r"^(?P<s>我)(?P<m>)(?P<n>不)?姓(?P<v>.{1,2})$")),
    ("age", re.compile(
        r"^(?P<s>.{0,8}?)(?P<m>(?:今年|现在|已经|才|刚满?|快|都)*)(?P<n>)(?P<v>(?:\d{1,3}|"
        r"[一二三四五六七八九十]{1,3})岁)了?$"
    )),
    _row("employer",
        "(?:跳槽(?:到|去)|入职|加入|就职于|任职于|供职于|受雇于)了?"
    , after="(?:上班|工作|任职|了)*", value=".+?"),
    _row("employer", "(?:转到|换到|调到|去)了?", after="(?:上班|工作|任职)了?", value=".+?"),
    ("left", re.compile(
        rf"^(?P<s>.{{0,8}}?)(?P<m>{lex.MODIFIERS}*)(?P<n>)(?:(?:从|离开)了?(?P<v>.{{1,16}}?)(?:离职|辞职|离开|"
        rf"出来)?了?)$"
    )),
    ("works", re.compile(
        rf"^(?P<s>.{{0,8}}?)(?P<m>{lex.MODIFIERS}*)(?P<n>{lex.NEGATOR})?在(?![学看练做想听玩吃喝忙准读写])(?P<v>.{{1,"
        rf"16}}?)(?:工作|"
        rf"上班|任职|就职|实习|(?<!叫)(?:做|当|担任|任)(?P<w>.+?))(?:了|的)?$"
    )),
    _row("residence",
        "(?:住在|住(?![院宿])|搬(?:家)?(?:到|去|来|回|进|至|往)|定居(?:在|于|到)?|家在|现居|居住在|移居(?:到)?|"
        "生活在)了?"
    ),
    _row("hometown", "(?:老家(?:在|是)|来自|出生在|籍贯是?)"),
    ("birthday", re.compile(
        r"^(?P<s>.{0,6}?)(?P<m>)(?P<n>)的?(?:生日|出生日期|出生年月)(?:是|在|：|:|为)?(?P<v>.*\d.*)$|"
        r"^(?P<s2>.{0,6}?)(?:出?生于|出生在|"
        r"出生日期)(?P<v2>.*\d.*?)(?:出生)?$"
    )),
    _row("dislikes", lex.DISLIKE + lex.FILLERS + "?"),
    _row("likes", lex.LIKE + lex.FILLERS + "?"),
    _row("pet", "养(?:了|着|过)?", value=rf"(?:[一二两三四五六七八九十\\d]+[只条匹头个])?.{{0,6}}?{lex.PETS}"),
    _row("contact", "(?:发|打|用)?(?=短信|邮件|邮箱|电话|微信|钉钉)", value= (
        "(?:短信|邮件|邮箱|电话|微信|钉钉)(?:联系.*|通知.*|就行|即可)?"
    )),
    _row("language", "(?:会说|会讲|讲|说|精通)", value=".{1,6}(?:语|话|文)"),
    ("commute", re.compile(
        r"^(?P<s>.{0,8}?)(?P<m>)(?P<n>不)?(?:每天|平时|一般|现在|都|改)*(?P<v>(?:坐|乘|搭|骑|开|打)(?:地铁|公交|班车|"
        r"高铁|车|自行车|电动车|单车|摩托)|走路|"
        r"步行)(?:去)?(?:上班|上学|通勤|去公司)了?$"
    )),
    _row("wears", "穿", value=r"\s?\d+(?:\.\d)?\s?码.*"),
    ("relation", re.compile(rf"^(?P<s>.{{1,10}}?)(?P<m>)(?P<n>不)?是我们?的?(?P<v>{lex.RELATIVES})$")),
    ("residence", re.compile(
        rf"^(?:我们?的?)?(?P<s>[^我你他她，。]{{0,8}}?{_PLACES})(?P<m>{lex.MODIFIERS}*)(?P<n>不)?(?:在|位于|设在|"
        rf"迁到|迁至|迁往|搬到|搬至|换到|"
        rf"挪到|调到)了?(?P<v>[^，。]{{2,10}})$"
    )),
    ("residence", re.compile(
        rf"^(?P<s>[^，。]{{1,6}}?)(?P<m>{lex.MODIFIERS}*)(?P<n>不)?(?:在|到了?|去了?)(?P<v>{lex.CITIES}(?!出差|旅游|"
        rf"旅行|玩|开会|工作|"
        rf"上班|上学|读|转机|度假|等)[^，。]{{0,4}})$"
    )),
    _row("school", "(?:就读于|转学到|转学去|转到|考上|考入|在读于)了?"),
    ("school", re.compile(
        rf"^(?P<s>.{{0,8}}?)(?P<m>{lex.MODIFIERS}*)(?P<n>{lex.NEGATOR})?在(?P<v>.{{2,14}}?)(?:读书|上学|念书|就读|"
        rf"读(?:大学|研|博|"
        rf"高中|初中|小学)|上(?:大学|高中|初中|小学))$"
    )),
    ("runs_on", re.compile(
        rf"^(?P<s>.{{0,16}}?)(?P<m>{lex.MODIFIERS}*)(?P<n>{lex.NEGATOR})?(?:跑在|运行在|部署在|托管在|基于|建在|"
        rf"迁移到了?)\s*(?P<v>.+?)(?:上|里|中)?$"
    )),
    ("uses_tool", re.compile(
        rf"^(?P<s>.{{0,16}}?)(?P<m>{lex.MODIFIERS}*)(?P<n>{lex.NEGATOR})?(?:习惯)?(?:从.{{1,12}})?(?:改用|换用|换成|"
        rf"换到|切换(?:到|"
        rf"为|成)|改成|采用|选用|使用|用的?是?|升级到)了?\s*(?P<v>[^，。]{{1,30}})$"
    )),
    ("habit", re.compile(
        rf"^(?P<s>.{{0,10}}?)(?P<m>{lex.MODIFIERS}*)(?P<n>{lex.NEGATOR}|戒了?)?{lex.MODIFIERS}*(?P<verb>吃|喝|抽|"
        rf"戒)(?P<v>[^，。]{{1,12}})$"
    )),
)  # fmt: skip
DIET = re.compile(
    rf"^(?P<s>.{{0,8}}?)(?P<m>{lex.MODIFIERS}*)(?P<n>{lex.NEGATOR})?{lex.MODIFIERS}*(?:是(?:一[名个位]|"
    rf"个)?)?(?P<v>吃素|"
    rf"素食主义者|素食者|素食|纯素|严格素食|全素)"
)
GIVEN_UP = re.compile(
    rf"^(?P<s>.{{0,6}}?)(?:{lex.MODIFIERS})*(?:不再|不)(?:去)?(?P<verb>跑步|游泳|健身|打球|打篮球|爬山|骑车|跳舞|"
    rf"练琴|弹琴|画画|写作|钓鱼|下棋|滑雪|"
    rf"瑜伽)了?$"
)
MARITAL = re.compile(
    r"^(?P<s>.{0,6}?)(?P<m>还|已经|现在|是|目前)*(?P<n>没有?|不|未)?(?P<v>单身|结婚|已婚|未婚|离婚|离异|订婚)了?$"
)
ROLE = re.compile(
    rf"^(?P<only>只有|仅有)?(?P<s>.{{1,10}}?)(?P<m>{lex.MODIFIERS}*)(?P<n>不再是|不是|不再)?(?:是|成了|成为了?|"
    rf"当上?了?|升为|升任|担任|出任|被任命为|"
    rf"被提拔为|兼任)(?:了|唯一的?|一[名个位]|个|我们的?)*(?P<v>{lex.ROLES})(?:了|的)?$"
)
CAN = re.compile(
    rf"^(?:只有|仅有|仅)?(?P<s>.{{1,8}}?)(?:{lex.MODIFIERS})*(?P<n>不)?(?:(?<![功性技智职动机])能|可以|有权|知道|掌握|"
    rf"会(?=[游开骑弹唱跳打下说做]))(?P<v>[^，。]{{2,12}})$"
)
TAKES_ROLE = re.compile(
    r"^(?P<s>.{1,8}?)(?:现在|已经|昨天|上周|今天)*(?:当上了?|当了|当选了?|接任了?|升任了?|成了|成为了?|担任了?|"
    r"接替.{1,6}?(?:担任|成为|当)了?)(?:新的?|"
    r"我们的?)?(?P<v>(?:.{0,6})(?:组长|队长|班长|会长|主席|总裁|CEO|CTO|校长|院长|店长|主编|负责人|总经理|董事长|"
    r"团长|部长|主教练))$"
)
OCCUPATION = re.compile(
    rf"^(?P<s>.{{0,8}}?)(?P<m>{lex.MODIFIERS}*)(?P<n>不再是|不是|不再)?(?:是|当|做|担任|在当|在做|从事)(?:了|"
    rf"一[名个位]|个|"
    rf"的是)*(?P<v>{lex.OCCUPATIONS})(?:了|的)?$"
)
HELD_BY = re.compile(
    rf"^(?P<s>.{{1,10}}?)(?P<m>{lex.MODIFIERS}*)(?P<n>不再|不)?{lex.MODIFIERS}*(?:负责|主管|接手|接管|牵头|维护|主持|"
    rf"带(?!我|狗|猫|孩|女|儿|"
    rf"去|你|给))了?(?P<v>.{{2,20}})$|^(?P<v2>.{{2,16}}?)(?:现在|已经|目前)*(?:由|归|"
    rf"交给了?)(?P<s2>.{{1,8}}?)(?:负责|管|维护|接手|接管|牵头|带|"
    rf"来做|做)?了?$"
)
SCHEDULE = re.compile(
    rf"^(?P<s>.{{1,16}}?)(?P<m>{lex.MODIFIERS}*)(?P<n>{lex.NEGATOR})?(?:定在|改到|改在|推迟到|推迟至|改期到|改期至|"
    rf"改签到|顺延到|推后到|提前到|提前至|"
    rf"延期到|延后到|延到|挪到|调整?到|调整为|安排在|改为|改成|排在|放在|定于|订在|截止到|开始于|是|在|于|：)(?P<v>.+)$"
)
SLOT = re.compile(
    rf"^(?P<k>.{{0,20}}?{lex.SLOT_NOUNS})(?P<m>{lex.MODIFIERS}*)(?P<n>不是|不)?(?:是|为|：|:|改成|改为|改到|改回|"
    rf"调到|调整为|调成|提高到|提升到|"
    rf"上调到|上调为|降到|降低到|降为|变成|变为|设为|设成|用|叫|在|换成|=)了?\s*(?P<v>.+)$"
)
NUMBER_SLOT = re.compile(r"^(?P<k>[^，。我你他她是0-9]{2,12}?)(?P<n>不)?(?:是|为|：|:|=)\s*(?P<v>.*\d.*)$")
NAMED = re.compile(r"^(?P<k>[^，。我你他她]{2,10}?)(?:名字)?叫做?(?P<v>[^，。]{1,10})$")
SET = re.compile(
    r"^(?:把)?(?P<k>.{2,14}?)(?:改回|改成|改为|改到|调到|调成|调回|设为|设成|恢复到|恢复成|换成|换回|升到|涨到|降到|"
    r"减到|达到|缩短到|延长到|换到|转到)了?(?P<v>.+)$"
)
STARTS = re.compile(
    r"^(?P<s>[^，。0-9]{2,10}?)(?:是|在)?(?P<v>(?:每|下)?(?:周|星期|早上|上午|中午|下午|晚上|凌晨|\d|"
    r"[一二三四五六七八九十]{1,2}[点月]).{0,12}?)(?:开始|"
    r"举行|召开|上课|开课|开会|结束|出发|开门|关门|开饭|营业|打烊|下班|上班|熄灯|起床|发车|抵达|截止|发布|上线)$"
)
BODY = re.compile(
    rf"^(?P<s>.{{0,6}}?)(?:的)?(?:{lex.MODIFIERS})*(?:体重|身高|身长)?(?:是|有|为|到|只有|已经)*(?:瘦到了?|胖到了?|"
    rf"减到了?|长到了?|降到了?|重|"
    rf"高)?(?:了|约|大概)?(?P<v>\d[\d.]*\s?(?:公斤|千克|斤|kg|厘米|公分|cm|米))了?$"
)
CHANGING = re.compile("(?:改成|改为|改到|改|变成|变为|调整为|调成|换成)$")
FRAME = re.compile(
    r"^(?P<s>.{1,12}?)(?P<n>不)?(?P<k>建于|成立于|位于|坐落于|坐落在|创办于|毕业于|成立|开业于|始建于|属于)(?P<v>.+)$"
)
VERSION = re.compile(r"(?P<name>[A-Z][A-Za-z+#.]+)\s*v?(?P<v>\d+(?:\.\d+)*)")
IS = re.compile(
    rf"^(?P<s>[^，。]{{0,8}}?)(?:{lex.MODIFIERS})*(?P<n>不再|不)?是(?:一[名个位条只家种])?(?P<v>[^，。的]{{1,8}})$"
)
COUNT = re.compile(
    r"^(?P<s>[^我]{1,10}?)(?:一共|共|总共|现在|只|还)*有(?P<v>\d+|"
    r"[一二两三四五六七八九十百]+)(?P<c>[间个台辆层张条只家名位人])(?P<k>[^，。]{0,8})$"
)
BEST = re.compile(r"最好成绩|最佳成绩|个人最佳|最快|纪录|记录|PB|新高")
EVENT = re.compile(
    r"(?P<e>(?:\d+|[一二三四五六七八九十百]+)\s?(?:公里|千米|米|k|K|km)|半程?马拉?松?|全程?马拉?松?|马拉松|卧推|深蹲|"
    r"硬拉)"
)
HAVE = re.compile(
    rf"^(?P<s>.{{1,10}}?)(?P<m>{lex.MODIFIERS}*)(?:(?P<n>没有|无)|(?P<h>(?<!没)有))了?(?P<v>(?!点|些|什么|用|被|把|"
    rf"人)[^，。]{{1,14}})$"
)
