"""What makes a sentence worth remembering, by kind, in both languages. Patterns, no logic."""

import re


def _en(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


# A request that states what the person needs: a price, a score, an amenity, a dish. Worth keeping for the task.
CONSTRAINT_ZH = re.compile(
    "(?:评分|价格|价位|人均|消费|票价|门票|预算|房价|最低价|时长|游玩|面积|距离|星级|档次|风格|口味|颜色|尺寸|内存|"
    "续航).{0,12}?(?:\\d|免费|便宜|实惠|以[上下内]|之间|左右|不超过|"
    "至少)|\\d+(?:\\.\\d+)?\\s*(?:分|元|块|星|小时|公里|米|人|间|晚|天)(?:以[上下内]|之间|左右|以内)?|"
    "(?:经济|舒适|高档|豪华|商务|亲子|民宿|快捷)型?(?:酒店|宾馆|的)|(?:我|我们|她|他|孩子|老人)?(?:想|要|希望|打算|"
    "喜欢|需要|最好|必须).{0,12}(?:吃|住|喝|玩|去|找|有|能|"
    "提供|带|买|看)|"
    "(?:提供|支持|带|含|能吃到|可以吃到|有).{0,14}(?:服务|设施|游泳|wifi|WIFI|无线|宽带|早餐|停车|暖气|吹风机|"
    "行李寄存|无烟房|叫醒|接站|接机|租车|热水|电话|西餐|中餐|餐厅|"
    "这个?菜|这道菜)|免费(?:开放|停车|的)|"
    "(?:不要|别|不含|不加|无|少)(?:辣|糖|香菜|葱|蒜|花生|牛奶|海鲜|油)|靠窗|过道|带(?:孩子|女儿|儿子|老人|朋友|家人)"
)
CONSTRAINT_EN = _en(
    r"\b(?:under|below|over|above|at least|at most|no more than|up to|between|within|less than|more than|"
    r"cheaper than|budget of|max(?:imum)?|min(?:imum)?)\s+[$€£]?\d|\b\d+(?:\.\d+)?\s*(?:stars?|people|guests|nights|"
    r"bedrooms?|gb|inch(?:es)?|dollars|euros|pounds)\b|"
    r"\b(?:must (?:have|be|not)|needs? to (?:be|have)|has to (?:be|have)|with (?:a |an )?(?:pool|parking|wifi|wi-fi|"
    r"breakfast|balcony|gym|garden|view)|pet[- ]friendly|wheelchair|vegetarian|vegan|halal|kosher|gluten[- ]free|"
    r"non-?smoking|quiet|kid[- ]friendly|family[- ]friendly|no (?:nuts|dairy|gluten|meat|onions?|sugar))\b"
)

# A request that is to hold from now on.
STANDING_EN = _en(
    r"\b(?:from now on|from here on|going forward|in (?:the )?future|always|never|every time|whenever|each time|"
    r"by default|at all times|only ever|until further notice|no longer|any ?more|instead of \w+ing|"
    r"(?:don't|do not) (?:ever|send|call|contact|email|use|include|suggest|recommend|ship|deploy|push|show|give|tell|"
    r"ask|share|store|put|leave|write|change|touch|mention)\b|remember (?:that|to|my|this|i)|keep in mind|"
    r"make sure (?:to|that|you)|please (?:always|never|don't|do not|only|use|write|answer|reply|call|text|email|"
    r"contact|address|speak)|"
    r"\bno (?:more )?(?:\w+ )?(?:calls?|meetings?|e?mails?|messages?|texts?|emojis?|notifications?|reminders?|"
    r"deliveries|"
    r"visits?|jargon|slang|small ?talk) (?:before|after|on|during|at|between|in)|"
    r"^(?:please |and )*(?:stop|avoid|skip|drop|keep|use|write|make|add|cc|copy|include|attach|put|send|check|round|"
    r"format|sign|start|end) .{0,40}\b(?:(?:in|of|for|on|to|with) (?:all|every|each|"
    r"your (?:repl|answer|response|message|"
    r"e?mail|summar|report|comment|text)\w*))|"
    r"\buse (?:\w+ ){1,2}(?:spelling|units|tone|language|style|format|grammar|quotes|indentation|naming|notation)|"
    r"^(?:when(?:ever)?|if|before|after|any ?time|every time) (?:you|i|we|someone|somebody|a \w+|the \w+) [^,?]{3,60}, "
    r"(?:please |always |just )*(?:do|don't|never|use|add|include|sign|tell|ask|send|show|let|give|keep|put|write|"
    r"make|start|end|skip|check|mention|warn|remind|notify|copy|cc|attach|leave|call|answer|reply|book|order|round|"
    r"convert|translate|summari[sz]e|explain|wait|run)\b|"
    r"(?:contact|reach|text|call|email|message) (?:me|us) (?:by|via|on|instead)|call me [A-Z]|address me as|"
    r"answer (?:me )?in|reply in|write .{0,20} in [A-Z]|use [\w -]+ (?:instead|units|format|style|time|as))\b"
)
STANDING_ZH = re.compile(
    "以后|今后|从现在起|从今(?:天|以后)|往后|每次(?:都|要|先|请)|"
    "(?:每次|每回|每当|凡是|只要).{1,16}?(?:都|先|就|要|请|必须|给我|记得|别|不要|得)|"
    "(?:[给跟和向替帮发写做回订买点安排].{2,12}|(?:我|对方|客户|有人).{1,10})(?:时|的时候|之?前|之?后)[，,]?"
    "(?:请|都|就|要|先|记得|别|不要|必须|署名|抄送|附上|加上|注明|使用|用|提醒我|通知我|给我|告诉我)|一律|始终|总是|"
    "永远|务必|一定要|千万(?:别|不要)|"
    "(?:别|不要|不准|禁止)(?:再|给|把|用|放|发|打|推荐|提|动|改|直接|"
    "加)|别(?:再)?.{0,5}我|(?:别|不要|请勿)(?:在|于)|请?记(?:住|得)|请(?:始终|一直|务必|不要|别|只|用|放|称呼|叫我)|"
    "叫我.{1,6}|称呼我|"
    "(?:^用|请用|都用|改用|只用).{1,8}(?:写|回答|回复|说|沟通|交流|输出)|改(?:成|为|用).{1,8}(?:联系|通知|发)|"
    "默认(?:用|为|是)?|只(?:要|用|接受|看|回)|优先"
)

CORRECTION_EN = _en(
    r"^(?:no|nope|not quite|wrong|incorrect|actually|correction|sorry|wait|that's (?:not right|wrong|incorrect|"
    r"not true|outdated|not it)|you(?:'ve| have) (?:got )?(?:it )?(?:wrong|mixed)|i (?:meant|mean)|that (?:first|last|"
    r"second) one is)\b[,.:;!\s—-]*(?=\S)|(?:\bis|'s) (?:spelled|spelt|pronounced|written)\b|"
    r"\bi (?:said|meant|asked for|wanted|ordered|booked|told you) [\w' -]+, not \w+|\b(?:outdated|"
    r"no longer (?:true|correct|valid))\b|\bnot \w+, but\b"
)
SPELLED = _en(r"\b(?:spelled|spelt|pronounced|written)\b|(?:写|念|读)作")
CORRECTION_ZH = re.compile(
    "^(?:不对|不是的?|错了?|你(?:记|搞|弄|说)错了?|更正|纠正|准确地?说|应该是|其实(?:是|不)|"
    "等等)[，,。！!：:\\s]*(?=\\S)|(?:写|念|读)作|我(?:说|指|要|问|讲|订|买)的是.{1,12}[，,]?(?:不是|而不是)|"
    "不是.{1,12}(?:而)?是|"
    "已经?过时|那是(?:别人|以前)|不再(?:是|对|有效)"
)

PREFERENCE_EN = _en(
    r"\b(?:prefer(?:s|red|ence)?|favou?rites?|love[sd]?|(?<!'d )(?<!would )(?<!feels )(?<!looks )lik(?:e|es|"
    r"ed)(?= (?:to|the|my|\w+ing|\w+s?\b))|enjoy(?:s|ed)?|adore[sd]?|hate[sd]?|dislike[sd]?|detest[s]?|despise[s]?|"
    r"loathe[s]?|(?:can't|cannot|can not) (?:stand|bear|tolerate|have|eat|drink|wear|use)|avoid(?:s|ing)?|"
    r"(?:strong|deep|general|particular|real)? ?(?:aversion|dislike|preference|distaste|fondness|passion|fear|phobia|"
    r"sensitivity|intolerance|soft spot)\b|(?:strongly |firmly |completely |totally )?(?:opposed|averse|sensitive|"
    r"allergic|intolerant|partial|committed|dedicated|drawn|addicted|attracted) to|refuse[sd]? to|"
    r"rather (?:not|than|i|have|use|you|he|she|we|they|send|read|see)|would rather|would much rather|(?:i|we|he|she|"
    r"they)(?:'m| am| are| is|'re|'s)? only (?:\w+)|i only|we only|never (?:eat|drink|use|wear|watch|buy|fly|stay|"
    r"read|play|go|book|travel|visit|let|pick|shop|want)|(?:don't|do not|doesn't|does not) (?:like|want|enjoy|eat|"
    r"drink|use|wear|watch|care for|consume|support|believe in|tolerate|appreciate|buy|trust|feel comfortable)|"
    r"not (?:a fan|into|interested in|fond of|comfortable with|keen on)|fan of|fond of|keen on|into (?:\w+ing|jazz|"
    r"rock)|i(?:'m| am) (?:an? )?(?:strict |committed |devout |lifelong )?(?:vegan|vegetarian|pescatarian|"
    r"environmentalist|minimalist|introvert|morning person|night owl|celiac|coeliac|diabetic|teetotaler)|"
    r"off-putting|makes? me (?:uncomfortable|anxious|sick|dizzy|nervous)|gives? me (?:a headache|headaches|anxiety)|"
    r"(?:doesn't|don't|does not|do not|never) (?:agree|sit well) with me|upsets? my stomach|"
    r"i(?:'d| would) (?:take|pick|choose) [\w ]+ over|i (?:read|write|watch|do|pay for|buy|keep|store|listen to|book|"
    r"plan) (?:everything|all (?:of )?my|most of my)|"
    r"afraid of|scared of|fear of|turns? me off|my (?:go-to|usual|style|taste)|i(?:'d| would) (?:much )?(?:rather|"
    r"prefer)|always (?:want|choose|use|order|pick|buy|wear|go for|fly|sit|take|carry|test|prefer)|i (?:usually|"
    r"normally|generally|typically|mostly|exclusively) \w+|"
    r"important to me|matters? (?:to me|a lot)|deal-?breaker|must-have|comfortable (?:with|in)|i need (?:my|a quiet|"
    r"things)|i value|i insist|i tend to|i (?:thrive|struggle|learn best|work best|sleep best|do best)|i(?:'m|"
    r" am) (?:strongly |firmly )?(?:against|in favou?r of|pro-)|i (?:firmly |strongly |truly )?believe|"
    r"i need (?:\w+ ){1,8}(?:to be|when|in order|because)|(?:strict|special|raw|vegan|halal|kosher|plant-based|"
    r"low-\w+) diet|no (?:marketing|newsletters)|wants? (?:me|us|you) to|get anxious|overwhelm(?:s|ed|ing)? me|"
    r"struggle with|i(?:'m| am) (?:very |quite |extremely |really )?(?:passionate|particular|picky|strict|careful|"
    r"conscious|uncomfortable|uneasy|skeptical|wary) (?:about|with|of|on))\b"
)
PREFERENCE_ZH = re.compile(
    "喜欢|喜爱|热爱|偏爱|偏好|更?愿意|宁愿|宁可|倾向|最爱|爱(?:吃|喝|看|听|玩|穿|用)|讨厌|厌恶|反感|受不了|不喜|不爱|"
    "不吃|不喝|不抽|不用(?!了|谢|客气|管|担心|麻烦|急)|不穿|不坐|不看|"
    "不接受|从不|从来不|戒|过敏|习惯(?:用|了|在|于|把|先|性)?|"
    "只(?:要|吃|喝|用|坐|住|看|买|穿|喝|接受|想要|喜欢)|总是|一般(?:都|会|把|在|是|用|不)?|通常|每次都|一向|吃素|"
    "素食|清真|忌口|害怕|恐惧|恐高|怕(?!是)|迷(?:上|恋)|粉丝|口味|"
    "常(?:去|来|吃|喝|看|听|玩|买|坐)|经常(?:去|来|吃|喝|看|听|玩|买|坐|用)|"
    "(?:周末|每天|每晚|每周|平时)(?:也|都|常|会|一般)+(?:去|带|陪|跟|和|在)|"
    "不想(?:要|再|用|收)|不?希望(?=我|你|您|能|可以|以|在|把|不|每)|不愿|拒绝|避免|注重|在意|看重|讲究|"
    "对.{1,10}(?:敏感|挑剔|感兴趣|有要求)"
)

# What the body is like and what ails it: lasting, and dangerous to forget.
HEALTH_EN = _en(
    r"\b(?:i|my (?:\w+ ){0,2}\w+|we|he|she)(?:'m| am|'s| is|'re| are) (?:\w+ly )?(?:(?:left|right)-?handed|pregnant|"
    r"diabetic|asthmatic|colou?r-?blind|blind|deaf|hard of hearing|dyslexic|autistic|epileptic|an[a]?emic|bilingual|"
    r"disabled|near-?sighted|short-?sighted|lactating|breastfeeding|in (?:remission|recovery)|recovering from)\b|"
    r"\b(?:have|has|had|got|suffers? from|live with|diagnosed with) (?:an? |the |my )?(?:\w+ ){0,2}(?:asthma|diabetes|"
    r"migraines?|epilepsy|adhd|arthritis|eczema|anxiety|insomnia|high blood pressure|heart (?:condition|problem)|"
    r"bad (?:knee|back|hip)s?|surgery|operation|pacemaker|stroke|cancer|condition|disease|disorder)\b|"
    r"\b(?:broke|fractured|sprained|tore|injured) (?:my|his|her) \w+|\bblood type\b|\bdue in (?-i:[A-Z])\w+|"
    r"\bon (?:blood thinners|insulin|antidepressants|medication|antibiotics)\b"
)
# Who goes to which school, and who is whose what.
LIFE_ZH = re.compile(
    "(?:我|我们|他|她|儿子|女儿|孩子|[哥弟姐妹]).{0,10}(?:上|读|念)(?:小学|初中|高中|大学|幼儿园|托儿所|中专|大专|"
    "[一二三四五六]年级|研|博)|"
    "[我他她].{0,12}从.{1,8}(?:搬|移民|转学|调|迁)过?来的?|轮椅|助听器|假肢|拄拐|"
    "(?:开了?|经营|创办了?|合开了?|盘下)(?:一?[家个间])?.{0,8}(?:店|馆|公司|工作室|诊所|工厂|农场|民宿|酒吧|超市)|"
    "(?:我家?|我们家?|家里|他家?|她家?).{0,4}养(?:了|着)?.{0,5}(?:[只条头匹群窝箱]|几).{0,4}[\u4e00-\u9fff]|"
    "是我们?的?[^，。？]{1,6}的(?:同学|同事|朋友|邻居|老师|学生|儿子|女儿|老公|老婆|丈夫|妻子|爸爸|妈妈|哥哥|姐姐|"
    "弟弟|妹妹|"
    "室友|上司|老板|徒弟|师父|男朋友|女朋友|孩子)(?:[。！!]|$)"
)
LIFE_EN = _en(
    r"\b(?:my|our|his|her) (?:\w+ ){0,2}?(?:son|daughter|kids?|child|children|twins|nephew|niece|brother|sister)"
    r"(?: \w+)? (?:is |are )?(?:starts?|starting|goes to|attends?|(?:is|are) in|just started|finished) "
    r"(?:\w+ )?(?:school|kindergarten|nursery|college|university|(?:\w+ )?grade|year \d+)\b|"
    r"\b(?:i|we) (?:have|keep|own|raise) (?:\w+ ){0,3}(?:hens?|chickens?|ducks?|goats?|sheep|cows?|bees|pigs?|geese|"
    r"alpacas?)\b|"
    r"\bi (?:moved|came|immigrated|emigrated|relocated) (?:here |over |to \w+ )?from (?-i:[A-Z])|"
    r"\b(?:i|we|he|she) (?:run|runs|own|owns|opened|founded|started|co-founded) (?:an? |our |"
    r"the )(?:\w+ ){0,3}(?:\w*shop|"
    r"store|bakery|caf[eé]|restaurant|company|business|studio|clinic|practice|startup|farm|gallery|agency|hotel)\b|"
    r"\b(?:use|uses|using|in) (?:a|my|the) wheelchair\b|\bhearing aids?\b|\bprosthe\w+|"
    r"\b[A-Z]\w+ is my \w+(?:'s|’s) \w+"
)
# Where a thing of the household or the team is to be found.
PLACED_EN = _en(
    r"^(?:the|our|my) (?:[\w'’-]+ ){1,4}?(?:is|are) (?:\w+ly |now |always )?(?:kept |stored |hidden |parked |filed |"
    r"saved |"
    r"located )?(?:under|behind|beside|inside|above|below|beneath|next to|in|on|at|opposite|near) "
    r"(?:the|my|our|a|an) (?!(?:way|moment|phone|mood|middle|air|meantime|hospital today)\b)\w+"
)
PLACED_ZH = re.compile(
    "^(?:我们?的?|咱们?的?|公司的?|家里的?)?[^，。我你他她这那在]{2,10}(?:都|就|一般|平时)?(?:在|放在|存在|藏在|挂在|"
    "停在|保存在|收在)"
    "[^，。]{2,14}(?:里|上|下|下面|上面|里面|后面|旁边|前面|对面|中|抽屉|柜子|文件夹|目录|角落)(?:[。！!]|$)"
)
HEALTH_ZH = re.compile(
    "怀孕|预产期|做过.{0,4}手术|动过手术|骨折|左撇子|右撇子|色盲|近视|远视|散光|听力不好|失聪|高血压|低血压|糖尿病|"
    "哮喘|心脏病|"
    "癫痫|贫血|失眠|抑郁症?|焦虑症|偏头痛|关节炎|腰椎|颈椎病?|痛风|胃病|鼻炎|湿疹|残疾|备孕|哺乳|血型|在吃.{1,6}药|"
    "长期服(?:药|用)"
)

COMMITMENT_EN = _en(
    r"\b(?:i(?:'ll| will| shall)|we(?:'ll| will| shall)) (?:\w+ ){1,12}?(?:by|before|on|every|each|until|this|next|"
    r"tomorrow|tonight|monday|tuesday|wednesday|thursday|friday|weekend|week|month|end of)\b|\bpromis(?:e|es|ed|"
    r"ing)\b|\bcommit(?:s|ted|ting)? to\b|\bcommitment\b|"
    r"\b(?:i|we) (?:swear|vow|pledge|guarantee)\b|\bsaid (?:yes|no)\b|\bwill (?:send|deliver|review|finish|submit|"
    r"ship|present|follow up|get back|share|run|prepare|complete|respect|pre-read)\b|\bput(?:ting)? it on my (?:list|"
    r"calendar)\b|\b(?:i|we)(?:'ll| will) (?!be\b)(?:\w+ ){1,10}?(?:while|when|as soon as|once|after|"
    r"in (?-i:[A-Z])\w+)\b|"
    r"\b(?:i|we) owe \w+|\bowe (?:you|him|her|them)\b|^(?:from|starting) (?:now|today|tomorrow|next|this|monday|"
    r"tuesday|"
    r"wednesday|thursday|friday|january|february|march|april|may|june|july|august|september|october|november|"
    r"december)\b.{0,20}\b(?:i|we)(?:\'ll| will)\b|\bsign(?:ed)? up (?:to|for)\b"
)
COMMITMENT_ZH = re.compile(
    "承诺|答应|保证(?!金)|发誓|一定会|约定|约好|说好|我会?(?:在|于)?.{0,12}(?:之前|以前|前|内|每周|每天|每月|下周|"
    "周[一二三四五六日]|明天|月底|年底).{0,16}(?:发|交|给|完成|"
    "提交|发送|准备|搞定|处理|回复|做)|"
    "(?:\\d+[月日号点]|[一二三四五六七八九十]+月|周[一二三四五六日末]|明[天早晚]|后天|下周|月底|年底|到时候?).{0,10}"
    "我们?(?:来|会|就|帮|替|给|把|陪|送).{2,12}|[我他她].{0,4}欠.{1,8}(?:\\d|钱|块|元|人情|一顿|一次)|"
    "(?:我|我们)(?:将|会)(?:在)?.{2,30}(?:之前|前|完成|提交|发送)|以后每(?:周|天|"
    "月).{1,14}"
)
DECISION_EN = _en(
    r"\b(?:decid(?:e|es|ed)|decision|chose|chosen|opted|agreed|settled on|going with|we(?:'ll| will) (?:go|use|"
    r"switch)|went with|switch(?:ed|ing) (?:to|from|entirely)|mov(?:ed|ing) (?:to|from|away from)|migrat(?:ed|ing|e)|"
    r"adopt(?:ed|ing)|ruled out|dropp(?:ed|ing)|replac(?:ed|ing)|picked|selected|postpone[d]?|delay(?:ed)?|"
    r"reschedul(?:ed|e)|cancel(?:l?ed)|approved|signed off|"
    r"from now on|no more|upgrad(?:ed|ing)|renamed|deprecat(?:ed|ing)|standardi[sz](?:ed|ing) on|won't (?:use|"
    r"be using))\b"
)
DECISION_ZH = re.compile(
    "决定|选(?:择|定|用)了?|敲定|定下来|确定(?:用|了|采用)|达成一致|商定|一致同意|采用|推[到至迟]|挪[到至]|延[到至]|"
    "就用.{1,12}了|改用|换成|换用|切换(?:到|为)|"
    "迁移|放弃|弃用|不再使用|推迟|延期|提前到|取消了|批准|通过了|改(?:到|"
    "为|成|期)|升级到|重命名|统一(?:用|为)|就用它|定了"
)
PLAN_EN = _en(
    r"\b(?:deadline|due (?:on|by|date)|plan(?:s|ning|ned)? (?:to|on|for)|going to|intend(?:s)? to|aim(?:s|"
    r"ing)? (?:to|for)|goal|target|milestone|moving to|training for|saving (?:up )?for|scheduled|launch(?:es|ing)?|"
    r"release(?:s)? (?:on|in)|we(?:'re| are) building|working on|preparing for|next (?:spring|summer|autumn|fall|"
    r"winter|month|year|quarter)|by (?:end of|the end of|monday|tuesday|wednesday|thursday|friday|month|q[1-4]))\b"
)
PLAN_ZH = re.compile(
    "攒钱|存钱[买去]|(?:\\d{1,2}|[一二三四五六七八九十]{1,2})月(?:份|底|初|中旬)?.{0,8}(?:开工|开始|动工|启动|交付|"
    "验收|开业|完工|结束|搬|"
    "入住|出发|交房)|截止|到期|期限|计划(?:在|于|去|做|用|把|是)|打算|准备(?:在|去|做|参加|考|买|搬)|目标(?:是|为|定)|"
    "定(?:在|于)|"
    "安排在|"
    "里程碑|上线|发布(?:会|日)|下(?:周|个?月|季度|学期|半年)|"
    "月底前|年底前|入职|备考|训练|筹备|正在(?:做|开发|写|建|学|准备)|我们(?:的)?(?:项目|前端|后端|仓库|产品)"
)
OPINION_EN = _en(
    r"\b(?:i (?:think|believe|find|feel|consider|suspect|doubt|reckon|would argue|'d argue)|in my (?:opinion|view|"
    r"experience)|my (?:take|view|opinion|read|impression|sense)|honestly|frankly|personally|i(?:'m|"
    r" am) (?:skeptical|sceptical|convinced|worried|excited|not convinced))\b"
)
OPINION_ZH = re.compile(
    "我(?:个人)?(?:认为|觉得|相信|怀疑|看(?:来|法)|的看法|的意见|的理解|倒是觉得|感觉)|在我看来|依我看|老实说|说实话|"
    "坦白说|我的(?:观点|看法|意见|解读)|个人(?:认为|觉得|意见)|"
    "对.{1,30}(?:持怀疑|不看好|看好|的看法)"
)
FACT_EN = _en(
    r"^(?:just )?(?:confirmed|fact|fyi|note|for the record|quick fact|two facts|update|heads[- ]up|reminder|tip|"
    r"lesson|learned|finding|observation|result|root cause|turns out|it turns out|as of)\b|"
    r"\b(?:has |have )?(?:changed|switched|moved|raised|lowered|shortened|extended) "
    r"(?:its|their|his|her|the|our|my) (?:\w+ ){1,3}(?:to|into)\b"
)
FACT_ZH = re.compile(
    "^(?:刚刚?)?(?:确认|事实|备注|注意|提醒|说明|记录|更新|结论|经验|教训|发现|结果|原因|文件概要|数据(?:显示|证实)|"
    "已与.{1,20}确认|原来)|[^，。我你]{2,10}(?:改名|更名|改叫|改为|改成)(?:叫|为|成)?了?.{1,10}|有.{1,2}个事实|证实|"
    "事实(?:是|：)|"
    "显示最佳"
)

OUTCOME_EN = _en(
    r"\b(?:success(?:ful|fully)|succeeded|passed(?! (?:that|it|this|on))|pass now|all tests pass|tests (?:now )?pass|"
    r"deployed|fixed|resolved|completed|created|finished|works now|is (?:now )?(?:live|done|placed|paid|accepted|"
    r"refunded|green)|has been (?:\w+ed|sent|paid|done)|went through|fail(?:s|ed)?|failure|error(?:ed)?|timed out|"
    r"timeout|"
    r"crash(?:ed|es)?|was not (?:created|sent|saved)|couldn't|could not|unable to|rolled back|broke|broken|merged|"
    r"installed|uploaded|ran (?:successfully|fine|without))\b"
)
OUTCOME_ZH = re.compile(
    "成功|失败|完成了?(?!度)|已(?:经)?(?:部署|修复|创建|提交|发送|支付|退款|解决|上线|合并|安装|上传|通过|取消|更新|"
    "回滚)|跑通|通过了|报错|出错|错误(?!码)|超时(?:了|，|。|$)|"
    "崩溃|没有?(?:成功|部署上|跑通)|回滚|搞定|修好"
)
LEARNED_EN = _en(
    r"\b(?:the (?:fix|trick|workaround|solution|cause|reason|root cause|problem) (?:is|was)|turns out|because|"
    r"you (?:need|have) to|must (?:be|have|use|run|set)|needs? (?:to|the)|only works (?:if|when|with)|"
    r"works (?:only )?(?:if|when|with)|fails (?:if|when|with|unless)|requires?|don't forget|remember to|instead of|"
    r"avoid|lesson|next time|workaround)\b"
)
LEARNED_ZH = re.compile(
    "原因是|因为|需要先|必须先|要先|得先|否则|不然|才能|解决(?:办法|方法)|办法是|绕过|改用.{1,12}就|下次|教训|经验|"
    "注意|只有.{1,12}才|记得"
)

# Said to somebody who is to act: "from now on …", "please …", 请…, 别…
BIDDING = _en(
    r"^(?:and |but |so )*(?:please|don't|do not|never|always|from now on|going forward|make sure|remember|keep|use|"
    r"call|text|write|answer|contact)\b|\bfrom now on\b|请|别|不要|(?<![点分时])以后|今后|务必|记住|记得|一律"
)
UNDECIDED = _en(
    r"\b(?:maybe|perhaps|not sure|don't know(?: yet)?|no idea|can't decide)\b|也许|可能会|说不定|还没想好|不确定|不知道"
)

# "My bike is a blue Kestrel": a thing of the user's and what it is, by a name, a kind, a colour or a number. Not how it
# is doing at the moment, and not a figure of speech.
POSSESSION_EN = re.compile(
    r"^(?:my|our) (?!(?:own )?(?:problem|question|issue|point|idea|guess|turn|mistake|fault|bad|day|week|concern|"
    r"worry|answer|opinion|understanding|feeling|intention|hope)\b)(?:[\w'’-]+ ){1,3}?"
    r"(?:is|are|was called|is called|is named) "
    r"(?:(?:an? |the )?(?-i:[A-Z0-9])|an? \w|(?:red|blue|green|yellow|black|white|gr[ea]y|brown|pink|purple|orange|"
    r"silver)\b)",
    re.IGNORECASE,
)
POSSESSION_ZH = re.compile(
    r"^(?:我家|我们家|我们|咱们|咱家|我)的?(?!(?:的)?(?:问题|意思|想法|意见|目的|错|疑问|感觉|要求|建议|"
    r"理解))[\u4e00-\u9fffA-Za-z0-9]{1,10}"
    r"(?:是|叫)(?!不是|否|什么|哪|谁|吗)[^？?吗呢]{2,30}[。.!！]?$"
)
