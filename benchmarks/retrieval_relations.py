"""A set of the project's own: questions that name somebody by what they are, or lead on to what is said of another.

Hand-written, in English and Chinese, among claims about the same things: the public sets ask hardly any such question.
Each claim is a line; a question is followed by the numbers of the claims that answer it.
"""

from datetime import UTC, datetime, timedelta

from benchmarks.retrieval_data import Doc, Query, RetrievalSet

NAME = "own_relations"
_FIRST = datetime(2026, 1, 5, 9, tzinfo=UTC)

_EN = """
My sister Anna lives in Lisbon.
Anna is allergic to shellfish.
Anna works at Brightwell as an auditor.
Brightwell closes its offices in August.
Brightwell moved to a building near the harbour.
My boss Tom Keller hates long meetings.
Tom wants the report by Thursday noon.
Tom Keller bought a sailing boat.
My neighbour Clara has a spare key.
Clara feeds the cat while we are away.
Clara teaches the cello at Northgate School.
Northgate School has a concert in June.
I work at Initech as a planner.
Initech pays on the 25th of each month.
Initech switched to Slack for chat.
I'm working on Project Heron.
Heron needs a new budget by autumn.
Project Heron is late by two weeks.
My brother Felix studies at Delft University.
Delft University starts again in September.
Felix rides a red motorcycle.
My dentist Dr. Okafor speaks Portuguese.
Okafor has no free slot before May.
Marta leads the Kestrel project.
Marta prefers calls to mail.
The Kestrel project runs on PostgreSQL.
PostgreSQL was upgraded to 17 last night.
My colleague Priya sits in Room 214.
Room 214 has a broken heater.
Room 215 has a new screen.
My friend Hugo moved to Utrecht.
Hugo plays the trumpet in a band.
I bought bread and olives at the market.
The train to work was late again.
I sleep badly when it is warm.
The garden needs water twice a week.
My favourite dish is mushroom risotto.
I go swimming on Mondays.
The car is in the garage for repairs.
I read a book about lighthouses.
The office moved the coffee machine.
The meeting about the budget was short.
I prefer tea to coffee in the morning.
A new bakery opened next to the station.
The auditor asked for last year's invoices.
The school bus stops at the corner.
I watched a concert on television.
The harbour is closed to cars on Sundays.
"""
_EN_ASKED = """
What must my sister not eat? | 2
When does my sister's employer close? | 4
Where is my sister's company? | 5
What does my boss want from me? | 7
What did my boss buy? | 8
Who looks after the pet, and what does my neighbour do for us? | 10
When is the concert at my neighbour's school? | 12
On which day does my company pay? | 14
What does my company use for chat? | 15
What does my project need? | 17
How late is my project? | 18
When does my brother's university begin again? | 20
What does my brother ride? | 21
Which languages does my dentist speak? | 22
When does my dentist have time? | 23
How do I best reach whoever leads Kestrel? | 25
What is the state of the database under the Kestrel project? | 27
What is wrong in my colleague's room? | 29
What instrument does my friend play? | 32
Where does my friend live now? | 31
"""
_ZH = """
我姐姐李梅在字节跳动工作
李梅对花生过敏
字节跳动下个月搬到新园区
字节跳动每月十号发工资
我的老板张强不喜欢长会
张强想在周五前看到方案
张强买了一艘帆船
我邻居陈静有我们家的备用钥匙
陈静出差时请我照顾她的猫
我参与猎鹰项目
猎鹰的预算下周要重新审批
猎鹰已经推迟了两周
我弟弟李强就读于浙江大学
浙江大学九月开学
李强最近在学潜水
我同事王伟负责天枢星项目
王伟喜欢打电话胜过发邮件
天枢星的数据库昨晚升级了
我在腾讯上班
腾讯把周会改到了周三
我朋友赵敏住在苏州
赵敏在乐队里吹小号
我今天在市场买了面包和橄榄
上班的地铁又晚点了
天热的时候我睡不好
花园每周要浇两次水
我最喜欢的菜是蘑菇烩饭
我每周一去游泳
车送去修理厂了
我在看一本关于灯塔的书
办公室换了咖啡机
关于预算的会很短
早上我更喜欢喝茶
车站旁边新开了面包店
会计要去年的发票
学校的班车停在路口
我在电视上看了音乐会
周日港口不让车进
"""
_ZH_ASKED = """
我姐姐不能吃什么？ | 2
我姐姐的公司什么时候搬家？ | 3
我姐姐那边哪天发工资？ | 4
老板什么时候要方案，我老板想要什么？ | 6
我的老板买了什么？ | 7
我邻居请我帮什么忙？ | 9
我的项目推迟了多久？ | 12
我们项目的预算怎么样了？ | 11
我弟弟的学校什么时候开学？ | 14
我弟弟最近在学什么？ | 15
怎么联系天枢星的负责人最好？ | 17
我同事喜欢怎样沟通？ | 17
我公司的周会改到哪天？ | 20
我朋友在乐队里做什么？ | 22
"""


def relations() -> RetrievalSet:
    docs, queries = {}, []
    for user, said, asked in (("en", _EN, _EN_ASKED), ("zh", _ZH, _ZH_ASKED)):
        lines = said.strip().split("\n")
        docs[user] = [
            Doc(f"{user}:{number}", line, f"{user}:{number}", _FIRST + timedelta(days=number))
            for number, line in enumerate(lines, start=1)
        ]
        now = _FIRST + timedelta(days=len(lines) + 1)
        for place, line in enumerate(asked.strip().split("\n")):
            question, numbers = line.split(" | ")
            evidence = frozenset(f"{user}:{number}" for number in numbers.split())
            queries.append(Query(f"own:{user}:q{place}", question, user, now, evidence, user))
    return RetrievalSet(NAME, docs, queries)
