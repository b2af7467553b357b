"""Names that say by themselves what they are, and capitalised words that are no names. Data, no logic."""


def _lines(text: str) -> frozenset[str]:
    return frozenset(name.strip() for line in text.strip().split("\n") for name in line.split(",") if name.strip())


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Capitalised in English and yet no name of a person, place, organisation, tool or project.
NO_NAMES = _lines(
    """
a, an, the, i, i'm, i've, i'll, i'd, my, our, your, his, her, their, its, we, you, he, she, they, it, this, that
these, those, there, here, who, what, when, where, which, why, how, and, but, or, so, if, then, also, not, no, yes
monday, tuesday, wednesday, thursday, friday, saturday, sunday, mon, tue, tues, wed, thu, thur, thurs, fri, sat, sun
january, february, march, april, may, june, july, august, september, october, november, december, jan, feb, mar, apr
jun, jul, aug, sep, sept, oct, nov, dec, spring, summer, autumn, fall, winter, today, tomorrow, yesterday, tonight
christmas, easter, halloween, thanksgiving, new year, new year's, ramadan, diwali, hanukkah, eve, weekend
english, french, german, spanish, italian, portuguese, chinese, mandarin, cantonese, japanese, korean, russian
arabic, hindi, dutch, swedish, norwegian, danish, finnish, polish, turkish, greek, hebrew, latin, american, british
european, asian, african, indian, mexican, canadian, australian, irish, scottish, welsh, thai, vietnamese
ok, okay, hi, hello, hey, thanks, thank, please, sorry, wow, great, good, nice, sure, dear, mr, mrs, ms, dr, prof
sir, user, customer, client, assistant, agent, note, update, reminder, fyi, ps, re, tv, pc, cv, ceo, cto, cfo, coo, vp
gonna, wanna, hr, it, ai, api, id, url, faq, pdf, csv, json, html, xml, sql, http, https, vat, gdpr, usb, gps, diy
lgbtq, mom, mum, dad, grandma, grandpa, mother, father, uncle, aunt, god, internet, web, app, home, work, school
office, mission
first, second, third, last, next, every, each, some, all, any, both, one, two, three, four, five, six, seven, eight
nine, ten, am, pm, q1, q2, q3, q4, north, south, east, west, just, now, since, after, before, during, while, because
team, project, room, new, old, big, small, main, general, current, latest, let's, don't, can't, it's, that's
he's, she's, they're, we're, you're, there's, what's, bluetooth, wifi, wi-fi, covid, covid-19
"""
)
# Given names that are hardly ever anything else.
GIVEN_NAMES = _lines(
    """
aaron, abigail, adam, adele, adrian, agnes, ahmed, aisha, akira, alan, albert, alejandro, alex, alexander, alexandra
alice, alicia, alison, allison, amanda, amelia, amir, amy, ana, anastasia, andrea, andreas, andrew, andy, angela, anita
anna, anne, annie, anthony, antonio, arjun, arthur, astrid, audrey, barbara, beatrice, becky, ben, benjamin, bernard
beth, bianca, bob, boris, brandon, brenda, brian, bridget, bruno, camila, camille, carl, carla, carlos, carmen
caroline, catherine, cecilia, chloe, chris, christian, christina, christine, christopher, claire, clara, claudia, colin
connor, craig, cynthia, daisuke, daniel, daniela, danielle, david, deborah, denise, dennis, derek, diana, diego, dmitri
dominic, donald, doris, dorothy, doug, douglas, dylan, eddie, edith, edward, elena, eleanor, elias, elisa, elizabeth
ella, ellen, emily, emma, emmanuel, eric, erica, erik, erin, ernest, esther, ethan, eugene, eva, evelyn, fatima
felipe, felix, fernando, fiona, francesca, francis, frederick, gabriel, gabriela, gareth, gary, geoffrey, gerald, gina
giovanni, giulia, gloria, gordon, greg, gregory, greta, guido, gustavo, hannah, hans, harold, harriet, harry, hassan
heather, hector, heidi, helen, helena, henrik, henry, hiroshi, howard, hugo, ibrahim, ignacio, igor, ingrid, irene
isaac, isabel, isabella, ivan, jacob, jacqueline, james, jamie, jane, janet, jasmine, jason, javier, jean, jeff
jeffrey, jennifer, jenny, jeremy, jerome, jessica, jill, jim, joanna, joel, johan, johanna, john, jon, jonas, jonathan
jorge, jose, josef, joseph, josh, joshua, juan, judith, julia, julian, julie, juliet, justin, karen, karin, karl, kate
katherine, kathleen, katie, kavita, keith, kelly, kenji, kenneth, kevin, khalid, klaus, kofi, lars, laura, lauren
laurence, leah, leila, lena, leo, leon, leonard, liam, linda, lisa, liz, louis, louise, lucas, lucia, lucy, luis
luisa, lukas, luke, magnus, marc, marcel, marco, marcus, margaret, maria, mariam, marie, mario, marta, martha, martin
mary, matteo, matthew, maurice, megan, melanie, melissa, mia, michael, michelle, miguel, mikhail, mohamed, mohammed
molly, monica, muhammad, nadia, naomi, natalie, natasha, nathan, neil, nicholas, nicole, nigel, nikolai, nina, noah
nora, norman, olga, oliver, olivia, omar, oscar, otto, owen, pablo, pamela, patricia, patrick, paul, paula, pavel
pedro, peter, petra, philip, phoebe, pierre, priya, rachel, rafael, rahul, rajesh, ralph, raymond, rebecca, ricardo
richard, rita, robert, roberto, robin, rodrigo, roger, roland, ronald, rosa, rosie, roy, ruth, ryan, sabrina, sam
samantha, samuel, sandra, sanjay, sara, sarah, sean, sebastian, sergei, sergio, sharon, simon, simone, sofia, sonia
sophia, sophie, stefan, stella, stephanie, stephen, steve, steven, stuart, susan, suzanne, svetlana, sven, sylvia
takeshi, tamara, tanya, tara, ted, teresa, thea, theo, theodore, theresa, thomas, tim, timothy, tina, tobias, tom
tomas, tony, tracy, trevor, ulrich, ursula, valentina, vanessa, vera, veronica, viktor, vincent, vladimir, walter
wendy, werner, wilhelm, william, xavier, yasmin, yolanda, yuki, yusuf, yvonne, zachary, zoe
"""
)
PLACES = _lines(
    """
new york, new york city, nyc, los angeles, san francisco, united states, united kingdom, great britain, china
netherlands, holland, russia, germany, washington, saint petersburg, st petersburg, mumbai, bombay, beijing, shanghai
guangzhou, shenzhen, chengdu, chongqing, wuhan, xi'an, nanjing, hangzhou, suzhou, tianjin, hong kong, taiwan, macau
taipei, afghanistan, argentina, australia, austria, belgium, brazil, canada, chile, colombia, czech republic, czechia
denmark, egypt, england, scotland, wales, finland, france, greece, hungary, iceland, india, indonesia, iran, ireland
israel, italy, japan, kenya, malaysia, mexico, morocco, nepal, new zealand, nigeria, norway, pakistan, philippines
peru, poland, portugal, romania, saudi arabia, singapore, south africa, south korea, spain, sri lanka, sweden
switzerland, thailand, tunisia, turkey, ukraine, vietnam, kolkata, chennai, delhi, new delhi, bangalore, bengaluru
hyderabad, pune, dhaka, istanbul, ankara, munich, cologne, hamburg, frankfurt, stuttgart, leipzig, dresden, vienna
graz, salzburg, prague, brno, rome, milan, naples, florence, venice, turin, lisbon, porto, warsaw, krakow, athens
copenhagen, stockholm, gothenburg, oslo, bergen, helsinki, reykjavik, geneva, zurich, basel, bern, lausanne, moscow
kyiv, kiev, lviv, budapest, bucharest, sofia city, belgrade, zagreb, ljubljana, bratislava, london, manchester
liverpool, birmingham, leeds, glasgow, edinburgh, dublin, belfast, cardiff, bristol, oxford, cambridge, paris, lyon
marseille, toulouse, bordeaux, lille, nice city, brussels, antwerp, ghent, amsterdam, rotterdam, utrecht, the hague
madrid, barcelona, valencia, seville, bilbao, tokyo, osaka, kyoto, yokohama, nagoya, sapporo, seoul, busan, sydney
melbourne, brisbane, perth, adelaide, auckland, wellington, toronto, vancouver, montreal, ottawa, calgary, berlin
boston, chicago, seattle, denver, houston, dallas, miami, atlanta, philadelphia, san diego, san jose, portland
las vegas, phoenix, detroit, minneapolis, nashville, new orleans, california, texas, florida, oregon, hawaii, alaska
cairo, nairobi, lagos, accra, cape town, johannesburg, casablanca, tunis, dubai, abu dhabi, doha, riyadh, tel aviv
jerusalem, beirut, tehran, baghdad, karachi, lahore, kathmandu, colombo, bangkok, chiang mai, hanoi, ho chi minh city
saigon, kuala lumpur, jakarta, bali, manila, sao paulo, rio de janeiro, brasilia, buenos aires, santiago, lima
bogota, quito, mexico city, havana, europe, asia, africa, north america, south america, antarctica
"""
)
# Tools, also in small letters.
TOOLS = _lines(
    """
ansible, bigquery, bitbucket, cassandra, chatgpt, clickhouse, cmake, confluence, datadog, dbt, django, docker
docker compose, dropbox, duckdb, eslint, evernote, fastapi, ffmpeg, figma, firebase, gitea, github, github actions
gitlab, grafana, graphql, helm chart, heroku, homebrew, intellij, jenkins, jira, jupyter, k8s, kafka, kibana, kubectl
kubernetes, langchain, latex, mariadb, mastodon, matplotlib, mongodb, mysql, neovim, nextcloud, nginx, nodejs, node.js
npm, numpy, ollama, opencv, openai, photoshop, pgbouncer, playwright, pnpm, postgres, postgresql, powerpoint
prometheus, pycharm, pydantic, pytest, python, pytorch, qdrant, rabbitmq, redis, salesforce, scikit-learn, sqlite
tailwind, tensorflow, terraform, typescript, javascript, ubuntu, vercel, vim, vscode, vs code, visual studio code, vue
vue.js, webpack, wechat, whatsapp, wordpress, xcode, zsh, macos, linux, debian, java, kotlin, golang, trello, emacs
google docs, google sheets, google drive, google calendar, google maps, microsoft teams, spotify
"""
)
# Tools whose names are words too: tools where they are capitalised inside a sentence.
WORDLY_TOOLS = _lines(
    """
airflow, celery, flask, obsidian, pandas, ruff, selenium, sentry, snowflake, vite, windows, postman, asana, zoom
slack, notion, excel, teams, chrome, safari, swift, spark, bear, linear, signal, telegram, discord, canva, miro
"""
)
TOOLS_ZH = ("企业微信", "腾讯会议", "支付宝", "石墨文档", "腾讯文档", "微信", "钉钉", "飞书", "语雀", "剪映")
ORGANISATION_ENDS = _lines(
    """
inc, ltd, llc, corp, corporation, gmbh, plc, company, university, college, hospital, bank, institute, academy, labs
studios, foundation, ministry, council, airlines, bakery, clinic, school, agency, group, partners, association, union
"""
)
PLACE_ENDS = _lines(
    """
street, avenue, road, boulevard, lane, park, square, station, airport, bridge, river, lake, mountain, mountains, island
beach, valley, tower, harbour, harbor, castle, museum, cathedral, stadium, market, district, county
"""
)
# What a Chinese employer or school is called without being named.
UNNAMED_ZH = _words(
    "公司 医院 银行 学校 大学 中学 小学 工厂 机关 单位 政府 外企 国企 央企 私企 餐厅 饭店 酒店 超市 家 家里 办公室 "
    "研究所 事务所 幼儿园 医院里 创业公司 互联网公司 这里 那里 外面 国外 外地 本地 一起 同一家公司 工地 店里 新公司"
)
# What stands before 项目 in a common noun.
NO_PROJECTS_ZH = _words(
    "这个 那个 一个 两个 几个 多个 整个 每个 该 本 新 老 大 小 我们 公司 团队 部门 开源 合作 投资 研究 体育 科研 "
    "课程 毕业 大型 重点 主要 其他 相关 所有 后端 前端 运动 娱乐 旅游 工程 建设 外包 客户 当前 目前 上个 下个 个人 "
    "自己 副业 长期 短期 志愿 公益 收费 检查 测试 实验 比赛 健身 软件 硬件 数据 创业 翻译 装修 什么 哪个 这些 那些 "
    "第一个 长跑 接力 跳远 内部 实习 学校 国家 政府 社区"
)
