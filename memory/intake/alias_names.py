"""Names that mean the same thing wherever they stand: data for aliases. Each line is one thing."""

GROUPS = """
new york city|new york|nyc|big apple|纽约|纽约市
los angeles|la|l.a|洛杉矶
san francisco|sf|旧金山|三藩市
united states of america|united states|usa|us|u.s|u.s.a|america|us of america|the us|the states|american|美国
united kingdom|uk|u.k|great britain|britain|united kingdom of great britain and ireland|british|英国
european union|eu|欧盟
united arab emirates|uae|阿联酋
soviet union|ussr|苏联
people's republic of china|china|prc|中国|中华人民共和国
south korea|republic of korea|korea|韩国
netherlands|the netherlands|holland|荷兰
russia|russian federation|俄罗斯
germany|federal republic of germany|deutschland|德国
washington|washington dc|washington d.c|华盛顿
saint petersburg|st petersburg|petersburg|圣彼得堡
mumbai|bombay|孟买
ho chi minh city|saigon|胡志明市|西贡
beijing|peking|北京|北京市|帝都|京城
shanghai|上海|上海市|魔都|沪
guangzhou|canton|广州|广州市|羊城|花城
shenzhen|深圳|深圳市|鹏城
chengdu|成都|成都市|蓉城
chongqing|重庆|重庆市|山城
wuhan|武汉|武汉市|江城
xi'an|xian|西安|西安市
nanjing|南京|南京市|金陵
hangzhou|杭州|杭州市
suzhou|苏州|苏州市|姑苏
tianjin|天津|天津市|津门
hong kong|hk|香港|港岛
taiwan|台湾
macau|macao|澳门
association football|football|soccer|association soccer|footie|足球
ice hockey|hockey
goalkeeper|goalie|goaltender|keeper|守门员|门将
africa|african|非洲
europe|european|欧洲
asia|asian|亚洲
north america|north american|北美洲|北美
basketball|hoops|篮球
table tennis|ping pong|ping-pong|乒乓球|兵乓
badminton|羽毛球
kubernetes|k8s
javascript|js
typescript|ts
postgresql|postgres|pg|psql
mongodb|mongo
visual studio code|vs code|vscode
google cloud platform|google cloud|gcp
amazon web services|aws
microsoft azure|azure
elasticsearch|elastic|es
golang|go
c#|csharp|c sharp
macos|mac os|os x
wechat|weixin|微信
alipay|支付宝
github|gh
chief executive officer|ceo|chief executive|首席执行官
chief technology officer|cto|首席技术官
human resources|hr|人事|人力资源
quality assurance|qa
pull request|pr|merge request
vegetarian|素食者|素食主义者|吃素|素食
e-mail|email|电子邮件|邮件|邮箱
mobile phone|cell phone|cellphone|手机
tomato|西红柿|番茄
potato|土豆|马铃薯
coriander|cilantro|香菜|芫荽
aubergine|eggplant|茄子
courgette|zucchini|西葫芦
rocket|arugula
prawn|shrimp|虾
bicycle|bike|自行车|单车|脚踏车
flat|apartment|公寓
car|automobile|汽车|小汽车
wife|老婆|妻子|爱人|太太|媳妇
husband|老公|丈夫|先生
mother|mom|mum|妈妈|母亲|老妈|妈
father|dad|爸爸|父亲|老爸|爸
catholic church|catholicism|roman catholic church|catholic|roman catholic|天主教
english|english language|en|英语|英文
french|french language|fr|法语|法文
german|german language|de|德语|德文
spanish|spanish language|es language|西班牙语
chinese|mandarin|chinese language|zh|中文|汉语|普通话
japanese|japanese language|ja|日语|日文
russian|russian language|ru|俄语
italian|italian language|it language|意大利语
portuguese|portuguese language|pt|葡萄牙语
arabic|arabic language|ar|阿拉伯语
korean|korean language|ko|韩语|韩文
hip hop|hip hop music|hip-hop|rap
rock|rock music|rock and roll|rock 'n' roll|摇滚|摇滚乐
pop|pop music|流行|流行音乐
jazz|jazz music|爵士|爵士乐
coach|head coach|association football manager|football manager
british broadcasting corporation|bbc
national broadcasting company|nbc
american broadcasting company|abc
home box office|hbo
association football club|football club|fc
university of california los angeles|ucla
massachusetts institute of technology|mit
monday|mon|周一|星期一|礼拜一
afghanistan|afghan|afg|阿富汗
argentina|argentine republic|argentine|arg|阿根廷
australia|commonwealth of australia|aus|australian|澳大利亚|澳洲
austria|republic of austria|österreich|aut|austrian|奥地利
belgium|kingdom of belgium|belgië|belgique|bel|belgian|比利时
brazil|brasil|federative republic of brazil|bra|brazilian|巴西
canada|can|canadian|加拿大
chile|republic of chile|chl|chilean|智利
colombia|republic of colombia|col|colombian|哥伦比亚
czech republic|czechia|cze|czech|捷克
denmark|kingdom of denmark|danmark|dnk|danish|丹麦
egypt|arab republic of egypt|egy|egyptian|埃及
finland|republic of finland|suomi|fin|finnish|芬兰
france|french republic|république française|la france|fra|法国
greece|hellenic republic|hellas|ellada|grc|greek|希腊
hungary|magyarország|hun|hungarian|匈牙利
iceland|ísland|isl|icelandic|冰岛
india|republic of india|bharat|hindustan|ind|indian|印度
indonesia|republic of indonesia|idn|indonesian|印度尼西亚|印尼
iran|islamic republic of iran|persia|irn|iranian|伊朗
ireland|republic of ireland|éire|eire|irl|irish|爱尔兰
israel|state of israel|isr|israeli|以色列
italy|italian republic|italia|ita|意大利
japan|nippon|nihon|jpn|日本
malaysia|mys|malaysian|马来西亚
mexico|méxico|united mexican states|mex|mexican|墨西哥
new zealand|aotearoa|nzl|nz|新西兰
nigeria|federal republic of nigeria|nga|nigerian|尼日利亚
norway|kingdom of norway|norge|nor|norwegian|挪威
pakistan|islamic republic of pakistan|pak|pakistani|巴基斯坦
philippines|republic of the philippines|the philippines|pilipinas|phl|菲律宾
poland|republic of poland|polska|pol|polish|波兰
portugal|portuguese republic|prt|葡萄牙
romania|românia|rou|romanian|罗马尼亚
saudi arabia|kingdom of saudi arabia|ksa|sau|沙特|沙特阿拉伯
singapore|republic of singapore|sgp|新加坡
south africa|republic of south africa|rsa|zaf|南非
spain|kingdom of spain|españa|esp|西班牙
sweden|kingdom of sweden|sverige|swe|swedish|瑞典
switzerland|swiss confederation|schweiz|suisse|che|swiss|瑞士
thailand|kingdom of thailand|siam|tha|thai|泰国
turkey|türkiye|republic of turkey|turkiye|tur|turkish|土耳其
ukraine|ukr|ukrainian|乌克兰
vietnam|viet nam|vnm|vietnamese|越南
kolkata|calcutta|加尔各答
chennai|madras|金奈
dhaka|dacca|达卡
istanbul|constantinople|伊斯坦布尔
munich|münchen|慕尼黑
cologne|köln|科隆
vienna|wien|维也纳
prague|praha|布拉格
rome|roma|罗马
milan|milano|米兰
naples|napoli|那不勒斯
florence|firenze|佛罗伦萨
venice|venezia|威尼斯
lisbon|lisboa|里斯本
warsaw|warszawa|华沙
athens|athína|雅典
copenhagen|københavn|哥本哈根
geneva|genève|日内瓦
moscow|moskva|莫斯科
kyiv|kiev|基辅
london|伦敦
paris|巴黎
tokyo|东京
seoul|首尔|汉城
sydney|悉尼
toronto|多伦多
vancouver|温哥华
berlin|柏林
australian rules football|footy
baseball|棒球
volleyball|排球
cricket|板球
rugby union|rugby|橄榄球
judaism|jewish|犹太教
islam|muslim|islamic|伊斯兰教
buddhism|buddhist|佛教
hinduism|hindu|印度教
protestantism|protestant|新教
"""

ALIASES = {name: number for number, line in enumerate(GROUPS.strip().split("\n")) for name in line.split("|")}


def _one_names() -> dict[str, str]:
    found = {}
    for line in GROUPS.strip().split("\n"):
        names = [name for name in line.split("|") if name.isascii()]
        if single := [name for name in names if " " not in name]:
            found |= dict.fromkeys(names, max(single, key=len))
    return found


# An English name -> the one word by which its line goes.
ONE_NAMES = _one_names()
