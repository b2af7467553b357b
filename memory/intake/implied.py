"""Statements that cannot stand beside what another statement takes for granted: no pets, and walking the dog.

Each row: an id, what a person says of themselves (`state`), and what shows the opposite (`sign`), both as patterns
over one sentence. The state must not be past or a plan, and the sign must be about the same person.
"""

import re
from dataclasses import dataclass

_MEAT = (
    r"(?:beef|steak|pork|bacon|ham|lamb|mutton|chicken|duck|turkey|goose|veal|sausages?|burgers?|meatballs?|ribs|"
    r"salami|pepperoni|brisket|kebab|"
    r"fish|salmon|tuna|cod|prawns?|shrimps?|oysters?|crab|lobster|squid|seafood|sushi|venison|rabbit|wings)"
)
_MEAT_ZH = (
    "(?:牛肉|牛排|猪肉|羊肉|鸡肉|鸡腿|鸡翅|鸭肉|烤鸭|排骨|红烧肉|火腿|香肠|培根|腊肉|烤肉|羊排|鱼|虾|蟹|海鲜|三文鱼|"
    "生蚝|肥牛|羊肉串|烤串|汉堡|炸鸡|肉)"
)
_ATE = (
    r"(?:drink|drinks|drank|ate|eat|eats|eating|ordered|order|orders|had|have|having|grilled|cooked|put|snack(?:ed|"
    r"ing)? on|love|loves|enjoy|enjoyed|devoured|finished|tried|my usual|favou?rite)"
)
_ATE_ZH = "(?:吃|煎|炸|炒|烧了|点了|点的|来(?:一|了)?份|煮|炖|烤|啃|涮|爱|喜欢|最爱|买了)"


@dataclass(frozen=True, slots=True)
class Implied:
    id: str
    lang: str
    state: re.Pattern[str]
    sign: re.Pattern[str]


def _row(id_: str, lang: str, state: str, sign: str) -> Implied:
    return Implied(id_, lang, re.compile(state, re.IGNORECASE), re.compile(sign, re.IGNORECASE))


_NO_EN = (
    r"(?:do(?:es)?(?: not|n't) (?:have|own|keep)(?: an?y?)?|ha(?:ve|s) no|has never had an?y?|without an?y?|"
    r"never (?:had|owned|kept) an?y?)"
)

ROWS: tuple[Implied, ...] = (
    _row("no_meat", "en",
        r"\b(?:vegetarian|vegan|do(?:es)?(?: not|n't) eat (?:any )?meat|never eats? meat|plant-based|meat-free)\b"
    , rf"\b{_ATE}\b.{{0,30}}\b{_MEAT}\b|\b{_MEAT}\b.{{0,20}}\b(?:my usual|favou?rite)\b"),
    _row("no_animal_food", "en", r"\bvegan\b",
        rf"\b{_ATE}\b.{{0,30}}\b(?:cheese|milk|eggs?|omelet\w*|butter|yogh?urt|honey|ice cream|latte|"
        rf"cappuccino)\b(?! alternative)"
    ),
    _row("no_meat", "zh", "吃素|素食|纯素|不吃(?:任何)?(?:肉|荤)|不沾荤", f"{_ATE_ZH}.{{0,8}}{_MEAT_ZH}"),
    _row("no_pets", "en", rf"\b{_NO_EN} (?:pets?|animals|dogs?|cats?)\b",
        r"\b(?:my|our|his|her|their|the) (?:\w+ )?(?:dog|cat|puppy|kitten|pet|hamster|rabbit|parrot|corgi|"
        r"poodle)s?\b|\bwalk(?:ed|ing|s)? (?:my|the|his|her|our) dog"
    ),
    _row("no_pets", "zh", "(?:没有?|不|从不|从没)养?(?:过)?(?:任何)?(?:宠物|狗|猫)|没有宠物",
        "(?:带|遛|喂|给|抱|撸)(?:着|了)?(?:我家|我的|自己的|家里的)?(?:狗|猫|小狗|小猫|兔子|仓鼠|狗狗|猫咪)|(?:我家|"
        "我的|家里)(?:的)?(?:狗|猫|猫咪|狗狗|柯基|金毛)|养了"
    ),
    _row("no_car", "en",
        rf"\b{_NO_EN} (?:car|vehicle|driving licen[cs]e)\b|\b(?:can(?:not|'t)|do(?:es)?(?: not|n't)) drive\b"
    ,
        r"\b(?:drove|driving|drive|drives|parked|parking|park) (?:my|the|his|her|our) (?:\w+ )?(?:car|van|truck|suv|"
        r"tesla|vehicle)|\bmy (?:\w+ )?(?:car|van|truck|suv)\b|\b(?:drove|drives?) (?:\w+ )?(?:to work|home|there|"
        r"to the)\b"
    ),
    _row("no_car", "zh", "没有?(?:买)?(?:私家)?(?:车|驾照|驾驶证)|不会开车|不开车",
        "开(?:着)?(?:我的|自己的)?车(?:去|上班|回|送|接|来|带)|(?:我的|我家的?|新)车|把车停|停好车|给车加油|洗车|自驾"
    ),
    _row("no_children", "en", rf"\b{_NO_EN} (?:kids?|children|child|sons?|daughters?)\b|\bchild(?:less|-free)\b",
        r"\b(?:my|our|his|her) (?:\w+ )?(?:son|daughter|kids?|children|child|toddler|baby|twins)\b"
    ),
    _row("no_children", "zh", "没有?(?:要)?(?:孩子|小孩|娃|子女)|丁克",
        "(?:我|我们|他|她)?(?:的|家)?(?:女儿|儿子|孩子|娃|宝宝|闺女)(?!都没)"
    ),
    _row("no_partner", "en",
        r"\b(?:am|is|'m|'s) (?:still )?(?:single|unmarried|not married)\b|\bnever (?:got )?married\b"
    ,
        r"\b(?:my|his|her) (?:wife|husband|spouse|fianc[eé]e?|girlfriend|boyfriend)\b|\bwedding anniversary\b"
    ),
    _row("no_partner", "zh", "(?:还|是|一直)?(?:单身|未婚|没结婚|没有?(?:女朋友|男朋友|对象|老婆|老公))",
        "(?:我|他|她|[^，。]{2,4})(?:的)?(?:老婆|老公|妻子|丈夫|太太|媳妇|女朋友|男朋友|女友|男友|爱人|对象)(?!都没)|"
        "结婚纪念日"
    ),
    _row("no_siblings", "en", rf"\bonly child\b|\b{_NO_EN} (?:siblings|brothers?|sisters?)\b",
        r"\b(?:my|his|her) (?:\w+ )?(?:brother|sister|siblings?|twin)\b(?!-in-law)"
    ),
    _row("no_siblings", "zh", "独生子女?|独生女|没有?(?:兄弟|姐妹|兄弟姐妹)",
        "(?:我|他|她)(?:的)?(?:哥哥|姐姐|弟弟|妹妹|哥|姐|弟|妹)(?!夫|们)"
    ),
    _row("no_alcohol", "en",
        r"\b(?:do(?:es)?(?: not|n't) drink(?: alcohol| any alcohol)?(?=[.,!]|$)|never drinks?(?: alcohol)?(?=[.,!]|"
        r"$)|teetotal(?:ler)?|sober|quit drinking|gave up (?:alcohol|drinking))"
    ,
        r"\b(?:beers?|wine|whisk[e]?y|vodka|gin|rum|cocktails?|champagne|pints?|hangover|hungover|tequila|"
        r"sake)\b(?! vinegar)"
    ),
    _row("no_alcohol", "zh", "(?:不|从不|从来不|不再)喝酒|滴酒不沾|戒酒|不沾酒|酒精过敏",
        "(?<!不)(?:喝|干|开|来)了?.{0,6}(?:啤酒|白酒|红酒|葡萄酒|威士忌|鸡尾酒|黄酒|清酒|酒)|喝醉|宿醉"
    ),
    _row("no_smoking", "en",
        r"\b(?:do(?:es)?(?: not|n't) smoke|never smoked?|non-?smoker|quit smoking|gave up smoking)\b"
    , r"\b(?:smoke break|cigarettes?|lit up|my (?:cigar|pipe)|out for a smoke|a pack of)\b"),
    _row("no_smoking", "zh", "(?:不|从不|从来不|不再)(?:抽|吸)烟|戒烟|戒了烟",
        "(?<!不)(?<!没)(?:抽|吸)了?(?:一|两|几|半)?(?:根|支|口|包)?烟|买(?:了)?(?:包|条)烟"
    ),
    _row("no_coffee", "en",
        r"\b(?:do(?:es)?(?: not|n't)|never) drinks? (?:any )?(?:coffee|caffeine)\b|\b(?:quit|gave up) coffee\b"
    ,
        r"\b(?:my (?:morning |daily |usual )?(?:coffee|espresso|latte|cappuccino|flat white)|(?:third|second|another|"
        r"a) (?:cup of )?(?:coffee|espresso|latte|cappuccino))\b"
    ),
    _row("no_coffee", "zh", "(?:不|从不|从来不|不再)喝咖啡|戒(?:了)?咖啡",
        "(?<!不)喝(?:了|着)?(?:[一两二三四五六七八九十几]|第.杯|第.|\\d|杯)*(?:杯)?(?:咖啡|拿铁|美式|卡布奇诺|浓缩)|"
        "第.杯(?:咖啡|拿铁|美式|卡布奇诺|浓缩)|(?:点|"
        "买|来)了?(?:一)?杯(?:咖啡|拿铁|美式|卡布奇诺)"
    ),
    _row("no_nuts", "en", r"\ballergic to (?:all )?(?:nuts|peanuts)\b|\b(?:peanut|nut) allergy\b",
        rf"\b{_ATE}\b.{{0,30}}\b(?:almonds?|peanuts?|peanut butter|cashews?|walnuts?|hazelnuts?|pistachios?|nuts)\b"
    ),
    _row("no_dairy", "en",
        r"\b(?:lactose[- ]intolerant|allergic to (?:dairy|milk)|dairy-free|(?:do(?:es)?(?: not|n't)|never) (?:eat|"
        r"have|drink)s? (?:any )?dairy)\b"
    , rf"\b{_ATE}\b.{{0,30}}\b(?:cheese|milk|ice cream|yogh?urt|latte|cappuccino|milkshake|butter)\b"),
    _row("no_seafood", "en", r"\ballergic to (?:seafood|shellfish|fish)\b",
        rf"\b{_ATE}\b.{{0,30}}\b(?:shrimps?|prawns?|crab|lobster|oysters?|clams?|mussels?|salmon|tuna|sushi)\b"
    ),
    _row("no_seafood", "zh", "对(?:海鲜|虾|贝类|鱼).{0,4}过敏",
        f"(?<!不){_ATE_ZH}.{{0,8}}(?:海鲜|虾|蟹|生蚝|扇贝|三文鱼|寿司|龙虾|鱼)"
    ),
    _row("no_nuts", "zh", "对(?:花生|坚果|核桃|杏仁|腰果).{0,3}过敏|(?:花生|坚果)过敏",
        f"(?<!不){_ATE_ZH}.{{0,8}}(?:花生|坚果|核桃|杏仁|腰果|榛子|开心果)"
    ),
    _row("no_gluten", "en", r"\b(?:coeliac|celiac|gluten[- ](?:free|intolerant)|allergic to (?:gluten|wheat))\b",
        rf"\b{_ATE}\b.{{0,30}}(?<!free )\b(?:bread|pasta|pizza|croissants?|bagels?|noodles|toast)\b"
    ),
    _row("no_gluten", "zh", "麸质过敏|对(?:麸质|小麦).{0,3}过敏|乳糜泻",
        f"(?<!不){_ATE_ZH}.{{0,8}}(?:面包|馒头|包子|面条|饺子|披萨|意面)"
    ),
    _row("no_flying", "en",
        r"\b(?:never fl(?:y|ies)|(?:do(?:es)?(?: not|n't)) fly|refuses? to fly|won't fly)\b"
    ,
        r"\b(?:took|caught|boarded|booked|missed) (?:a|the|my|his|her) (?:\w+ )?(?:flight|plane)|"
        r"\bflew (?:to|from|back|"
        r"home|with)\b"
    ),
    _row("no_flying", "zh", "(?:从不|从来不|不|不敢)(?:坐|乘)飞机", "(?<!不)(?<!没)(?:坐|乘|赶)(?:了|"
                                                        "的)?.{0,4}(?:飞机|航班)|飞(?:去|回|到)了"),
    _row("couple", "en", r"\b(?:are|is) (?:dating|going out with|a couple|in a relationship)\b",
        r"\b(?:broke up|split up|separated|parted ways)\b"
    ),
    _row("couple", "zh", "在?谈恋爱|是(?:情侣|一对|男女朋友)|在交往", "分手|分开了|掰了"),
    _row("early_riser", "en", r"\b(?:morning person|early (?:riser|bird)|(?:get|gets|wake|wakes) up early)\b",
        r"\b(?:night (?:owl|person)|late riser|(?:sleep|sleeps) (?:in )?until noon|(?:get|gets|wake|wakes) up late)\b"
    ),
    _row("early_riser", "zh", "早起|早睡|晨型人", "夜猫子|夜型人|睡懒觉|熬夜到|睡到中午|晚睡"),
    _row("no_dairy", "zh", "乳糖不耐|对(?:牛奶|奶制品|乳制品).{0,3}过敏|不喝牛奶",
        f"(?<!不)(?:喝|{_ATE_ZH}).{{0,6}}(?:牛奶|奶酪|冰淇淋|酸奶|拿铁|奶茶|芝士)"
    ),
    _row("no_spice", "zh", "不(?:能)?吃辣|吃不了辣|不沾辣",
        "(?<!不)(?:吃|点了?|来|涮|爱).{0,6}(?:麻辣|辣子鸡|水煮鱼|变态辣|特辣|重辣|辣锅|火锅)"
    ),
    _row("no_swimming", "en", r"\b(?:can(?:not|'t)|never learn(?:ed|t) (?:how )?to) swim\b",
        r"\b(?:swam|swimming (?:laps|lessons with|club|\w+ times|every)|swim (?:every|\d|twice|once|laps))\b"
    ),
    _row("no_swimming", "zh", "不会游泳",
        "(?:游|游泳)了.{0,8}(?:米|公里|圈|小时)|每(?:天|周).{0,4}游泳|去游泳了|游泳(?:比赛|馆)"
    ),
    _row("works_at_home", "en",
        r"\b(?:works?|working) (?:fully |entirely |only )?(?:from home|remotely)\b|\bfully remote\b"
    ,
        r"\b(?:commut(?:e|es|ed|ing)\b.{0,30}\b(?:office|work|daily|every)|in the office every day|"
        r"drive to the office)"
    ),
    _row("no_job", "en",
        r"\b(?:am|is|'m|'s) (?:currently )?(?:retired|unemployed|between jobs|out of work|not working)\b"
    ,
        r"\b(?:my (?:boss|manager|shift|office|employer)|at work today|after work|start(?:ed)? work at)\b"
    ),
    _row("no_job", "zh", "退休了|失业|没有?(?:上班|工作)|待业|不上班",
        "(?:我|他|她)(?:的)?(?:老板|领导|主管|单位)|加班|上班(?:去|迟到|路上)|在公司|下班(?:后|了)"
    ),
    _row("lives_alone", "en", r"\blives? (?:all )?(?:alone|by myself|on my own)\b",
        r"\b(?:my|his|her) (?:flatmate|roommate|housemate)s?\b"
    ),
    _row("lives_alone", "zh", "(?:一个人|独自|自己)住|独居", "(?:我|他|她)?(?:的)?(?:室友|合租)"),
    _row("no_television", "en", rf"\b{_NO_EN} (?:tv|television)\b", r"\b(?:my|our) (?:new )?(?:tv|television)\b"),
)  # fmt: skip


def shown_by(state: str, sign: str, lang: str) -> tuple[str, str] | None:
    """(id of the row, the words of the sign) when the first text is a state that the second shows not to be so."""
    for row in ROWS:
        if (
            row.lang == lang
            and row.state.search(state)
            and not row.state.search(sign)
            and (match := row.sign.search(sign))
        ):
            return row.id, match.group()
    return None
