"""What passes: courtesy, start-up texts, talk of the moment, requests, code. Patterns in both languages, no logic."""

import re


def _en(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


# Taken out of a message; when nothing is left, the message was only courtesy.
COURTESY_EN = _en(
    r"\b(?:hi(?: there| again| all)?|hello(?: there| again)?|hey(?: there)?|howdy|hiya|yo|greetings|good (?:morning|"
    r"afternoon|evening|night|day)|"
    r"morning|evening|welcome(?: back)?|back again|nice to (?:meet|see) you|how are you(?: doing)?(?: today)?|"
    r"how's it going|what's up|long time no see|"
    r"thank you|thanks|thx|ty|thank u|cheers|much appreciated|appreciate it|appreciated|many thanks|(?:so|very) much|"
    r"a lot|a bunch|for (?:your|the|all (?:your|the)) (?:help|support|time|assistance|info|update)|"
    r"ok(?:ay)?|k|kk|yes|yep|yeah|yup|no|nope|nah|sure(?: thing)?|right|alright|all right|got it|gotcha|understood|"
    r"noted|roger|copy that|will do|"
    r"sounds (?:good|great|fine|perfect)|looks (?:good|great)|lgtm|makes sense|good to know|fair enough|i see|"
    r"i understand|of course|certainly|absolutely|exactly|agreed|correct|"
    r"that (?:did|does) it|that (?:works|worked|helps|helped)|it works|works for me|done|all good|no (?:problem|"
    r"worries)|never ?mind|"
    r"great|good|nice|cool|awesome|perfect|excellent|brilliant|wonderful|amazing|fantastic|lovely|super|wow|"
    r"interesting|neat|sweet|haha+|hehe+|lol|lmao|hmm+|oh|ah|aha|ooh|oops|sorry|please|"
    r"you're (?:very |most )?welcome|my pleasure|don't mention it|anytime|happy to help|glad (?:to help|it helped|"
    r"that helped|i could help)|take care|have a (?:nice|great|good|lovely) (?:day|one|weekend|evening|time)|"
    r"bye(?: ?bye)?|goodbye|see you(?: (?:later|soon|tomorrow|then))?|see ya|later|cya|talk (?:to you )?(?:later|"
    r"soon)|good luck|congrat(?:s|ulations)|go ahead|go on|do it|do that|continue|carry on|proceed|"
    r"it's me)\b"
)
# Words that may stand between courtesies and say nothing of their own.
FILLER_EN = _en(
    r"\b(?:just|really|very|so|again|then|now|too|and|but|the|a|all|team|everyone|folks|guys|mate|man|buddy|friend|"
    r"sir|madam|bot|assistant|"
    r"that|that's|it|it's|this|is|you|for|your|to|i|we|me|us|my|with|in|of|as|on|one|first)\b"
)
# A name that is greeted, thanked, or gives itself.
GREETED = re.compile(
    r"(?i:\b(?:hi|hello|hey|dear|morning|afternoon|evening|thanks|thank you|cheers|welcome|bye|goodbye|yes|ok|okay|"
    r"it's)\b[,\s]+(?:there[,\s]+)?)(?P<n>[\w-]+)[\s.,!]*$"
)
COURTESY_ZH = re.compile(
    "你好呀?|您好|大家好|哈喽|哈啰|嗨|嘿|喂|早上好|上午好|中午好|下午好|晚上好|早安|晚安|早啊?|好久不见|在不在|在吗|"
    "在么|有人吗|"
    "(?:非常|十分|太|真的?|很|实在|真是|还是|多)*(?:感谢|谢谢|多谢|谢了|谢啦|谢|辛苦)(?:了|啦)?(?:你|您|你们|大家|"
    "各位)?(?:们)?(?:了|啦|啊|呀|哦|的)*|"
    "(?:你|您)?的?(?:帮助|帮忙|服务|解答|推荐|耐心|细心|建议|回复)|为我(?:提供|解答)(?:了)?(?:这么|那么)?多?|"
    "提供(?:这么)?多?|"
    "好[的吧呀啊嘞滴哒啦]*|行[吧啊]?|可以[的啊呀]*|没问题|没有?(?:其他|其它|别的)?(?:的)?问题(?:了|啦)?|嗯+|哦+|噢|"
    "恩+|唔|对[的啊呀]*|是[的啊呀]+|当然|收到|明白了?|了解了?|"
    "知道了?|懂了|清楚了|记(?:下|住)了?|"
    "搞定了?|解决了|问完了|没事[的了]?|没关系的?|不用了|算了|客气[啦了]?|不(?:用)?(?:客气|谢)|别客气|不必客气|应该的|"
    "很高兴(?:能)?为您效劳|很高兴|乐意效劳|"
    "再见|拜拜|拜|回见|回头见|明天见|下次见|88+|8|晚点聊|祝(?:你|您|大家)?[^，。！!]{0,8}(?:愉快|顺利|开心|平安|成功|"
    "健康)|玩(?:的|得)开心|一生平安|好人|生活愉快|"
    "哈+|嘻+|呵+|嘿+|厉害|牛[啊逼]?|赞|棒|太棒了|太好了|真好|不错|真不错|完美|漂亮|哇+|哇哦|天哪|真的吗?|原来如此|"
    "这样啊|有道理|有意思|辛苦|加油|恭喜(?:你|您)?|请继续|继续|"
    "ok(?:ay)?|OK|Ok|哦了|有问题(?:再|随时|我再|在)?(?:随时)?(?:联系|问|找)(?:我|你|您)?|随时联系|(?:我|这边|我这边|"
    "我们)(?:的)?|(?:你|您|他|她)(?:们)?|了|"
    "啊|呀|吧|呢|哦|哈|啦|嘛|嘞|的|都|就|也|还|那|这|真|太|很|再|又|"
    "团队|大家|各位|朋友|老师|亲|小助手|助手|机器人"
)

HEARTBEAT = _en(
    r"^\W*(?:heart ?beat|ping|pong|keep-?alive|health ?check|status ?ok|ack|nop|noop|tick|alive|test(?:ing)?|心跳|"
    r"心跳包|"
    r"保活|测试|在线)\W*(?:\d+|ok|正常)?\W*$"
)

BOOT_EN = _en(
    r"^(?:system prompt:|you are (?:now )?(?:an?|the|my) (?:\w+[ -]){0,5}(?:assistant|agent|ai|chatbot|bot|model|"
    r"expert)\b|you are \w+(?:-\w+)?, an? \w+ (?:assistant|agent)|"
    r"as an ai(?: language model)?\b|your (?:task|role|job|goal) is to\b|(?:current|"
    r"today's) date(?: and time)?(?: is)?:|available tools:|<system>|\[system\]|"
    r"always respond in (?:json|markdown)|do not reveal (?:these|your) instructions|knowledge cutoff)"
)
BOOT_ZH = re.compile(
    "^(?:系统提示|系统指令|你(?:现在)?是(?:一个|一名|一位)?[^，。]{0,12}(?:助手|智能体|机器人|AI|模型|客服|专家|"
    "助理)|作为(?:一个)?(?:AI|人工智能)|你的(?:任务|职责|"
    "角色)是|可用工具|当前(?:日期|时间))"
)

ASSISTANT_TALK_EN = _en(
    r"^(?:(?:would|do|should|shall|can|could|may|did|are|is|what|which|how|when|where|who) .*\?|let me\b|i(?:'ll|"
    r" will| can| could| am|'m) (?:help|check|look|take|start|see|try|now|go|get|fetch|search|find|"
    r"happy|sorry|glad|here|ready|working|looking|checking|going)\b|sure\b|of course\b|certainly\b|here(?:'s| is|"
    r" are)\b|great question|good question|i understand\b|looking at\b|checking\b|based on what i remember|"
    r"according to (?:my|the) (?:memory|memories|records)|as (?:you|i) (?:mentioned|said|remember)|you (?:mentioned|"
    r"said|told me)|i apologi[sz]e|sorry\b|welcome\b|congratulations|let's\b|feel free)"
)
ASSISTANT_TALK_ZH = re.compile(
    "^(?:还?需要我|要不要我|请问|我(?:来|会|先|帮你|帮您|可以|正在|这就)|让我|好的|当然|没问题|根据(?:我的)?(?:记忆|"
    "记录)|正如|您(?:刚才|之前)?(?:提到|说过)|抱歉|对不起|欢迎|"
    "恭喜|以下是|这是|您好|稍等|正在|开始|明白|记(?:住|下)了|辛苦)"
)
RECALLED_PREFIX = _en(
    r"^(?:based on what i remember|from (?:my )?memory|according to (?:my )?(?:memory|memories)|recalled memor(?:y|"
    r"ies)|relevant memories|memories?:|根据(?:我的)?记忆|相关记忆|记忆(?:内容)?[:：]|已回忆|回忆到)"
)

EPHEMERAL_EN = _en(
    r"\b(?:it(?:'s| is)? (?:\w+ )?(?:raining|snowing|sunny|cloudy|windy|freezing|hot|cold|late|early|"
    r"noisy)(?: (?:right now|today|outside|out|here|again|in here))?[.!]*$|(?:right now|at the moment|just now|"
    r"as we speak|this very (?:moment|minute))|"
    r"^i(?:'m| am) (?:\w+ )?(?:hungry|tired|sleepy|bored|busy|cold|hot|back|here|late|running late|stuck in traffic|"
    r"on (?:a call|the phone|my way)|in a meeting|about to)|brb|be right back|one (?:sec|second|moment|minute)|"
    r"give me a (?:sec|second|moment|minute)|"
    r"just a (?:sec|second|moment|minute)|hold on|hang on|wait a (?:sec|second|moment|minute)|lunch time|gotta go|"
    r"(?:nice|lovely|terrible|bad) weather|what a (?:day|mess|week|night)|on my way|having (?:lunch|dinner|breakfast|"
    r"a coffee)|"
    r"(?:the )?(?:kids?|baby|children) (?:is|are) (?:\w+ )?(?:asleep|awake|crying|napping)|"
    r"(?:making|having|grabbing|getting) (?:some |a |my )?(?:tea|coffee|water|lunch|dinner|breakfast|snack))\b"
)
EPHEMERAL_ZH = re.compile(
    "(?:孩子|宝宝|娃|小孩).{0,4}(?:睡(?:着|了)|醒了|在哭|哭了)|^我?(?:去|先去)?(?:倒|喝|泡|接|买).{0,3}(?:水|茶|咖啡)|"
    "(?:外面|现在|今天|这会儿|这里|刚刚?|今早|今晚)?(?:正在|又|还在)?(?:下(?:着)?(?:雨|雪|冰雹)|刮风|打雷|起雾|"
    "出太阳)|天气(?:真|很|好|不|太)|太阳(?:真|很)|好(?:热|冷|"
    "饿|困|累|渴|无聊)啊?$|"
    "^(?:我)?(?:现在|刚|正)?(?:有点|好|很|太)?(?:饿|困|累|渴|无聊|冷|热)(?:了|死了|啊)*$|(?:马上|这就|一会儿?|稍后|"
    "等(?:一)?下|等会儿?|稍等|待会儿?)(?:就|"
    "再)?(?:回来|到|来|出发|开会|吃饭|说|聊)|"
    "^(?:我)?(?:正在|在)(?:开会|路上|吃饭|打电话|忙|堵车|排队|等车|地铁上)|堵车|先(?:吃饭|开会|忙|下|睡|去)了|"
    "外面(?:正在)?.{0,4}(?:雨|雪|风)|今天(?:真|好|太)?(?:热|"
    "冷|累|忙)"
)

# Over in an hour, though it may read as a fact: how a device is doing, that one has just come home.
MOMENT_EN = _en(
    r"\b(?:my|the) (?:\w+ )?(?:battery|phone|laptop|internet|wi-?fi|connection|network|signal)(?: is|'s)? "
    r"(?:\w+ )?(?:at \w+ percent|at \d+ ?%|low|dying|dead|almost (?:dead|empty)|slow|frozen|laggy|down|charging|"
    r"acting up)\b|^(?:i(?:'ve| have)? )?just (?:got|arrived|came|woke|finished|left|landed|sat|"
    r"had)\b(?!.* (?:job|married|"
    r"engaged|divorced|promoted|pregnant|diagnosed|dog|cat|puppy|kitten|house|car|baby))"
)
MOMENT_ZH = re.compile(
    "(?:手机|电脑|笔记本|平板|电池|耳机).{0,4}(?:没电|快没电|只剩.{1,8}电|卡(?:死|住)?了|死机|在充电|好卡|很卡)|"
    "(?:电量|电)(?:只剩|不足|不多)|(?:网络?|信号|wifi|WiFi)(?:好|很|太|有点|又)?(?:差|卡|慢|断)|"
    "^(?:怎么)?(?:又|终于|总算)(?:是|到)?(?:周|星期)[一二三四五六日末天].{0,3}$|"
    "^我?(?:刚|才)(?:刚)?(?:到|回)(?:家|公司|酒店|机场)"
)
# "把文件重命名为 …": told to do, not told of.
BID_ZH = re.compile("^(?:请|麻烦|帮我|你)*(?:把|将)(?!.*(?:了[。！!]?$|已经|决定|都|以后))")

EXCLAMATION = _en(r"^[^.?。？]{1,60}[!！]+\W*$")

REQUEST_EN = _en(
    r"^(?:(?:please|pls|kindly|now|then|ok|so|and|also|just|next|first|hey|hi)[, ]+)*(?:(?:can|could|would|will) you|"
    r"i need you to|i(?:'d| would) like you to|help me|let's|tell me|show me|give me|send me|find me|remind me|"
    r"(?:fix|run|delete|show|add|create|make|update|remove|check|open|close|start|stop|restart|deploy|build|install|"
    r"write|read|list|find|search|get|set|change|move|copy|rename|translate|summari[sz]e|explain|describe|"
    r"convert|calculate|compare|generate|refactor|rewrite|review|test|commit|push|pull|merge|revert|rebase|clean|"
    r"format|print|download|upload|import|export|book|order|cancel|call|email|send|schedule|plan|draft|"
    r"reply|forward|look|try|retry|redo|undo|continue|repeat|watch|stop|turn|put|take|bring|pick|choose|select|sort|"
    r"filter|count|analy[sz]e|investigate|debug|implement|design|prepare|finish|submit|save|load|use)\b)"
)
REQUEST_ZH = re.compile(
    "^(?:好的?[，,。]?|嗯[，,]?|那[么就]?[，,]?|然后[，,]?|麻烦(?:你|您)?|请(?:你|您)?|帮(?:我|忙)|给我|替我|再|先|"
    "顺便|现在|接着)*(?:你?(?:能|可以)(?:不能|"
    "帮)?|帮(?:我|我们|忙)|给(?:我|我们)(?!们的)|替我|推荐|显示|运行|使用.{2,12}运行|删除|从.{1,8}删除|新建|创建|"
    "修改|修复|更新|查(?:一下|看|找|询)?|打开|关闭|启动|"
    "停止|重启|部署(?:到|一下)?|构建|安装|写(?:一[个段篇])|翻译|总结|解释|列出|搜索|找(?:一下|个|一)?|发(?:送|给)?|"
    "预[订定]|订|取消|安排|生成|转换|计算|比较|提交|推送|合并|回滚|"
    "下载|上传|看(?:一下|看)|试(?:一下|试)|告诉|说(?:一下|说)|讲(?:一下|讲)|来(?:个|点|一|两)|换(?:一|个))"
)

CODE = _en(
    r"```|^\s*(?:def |class |import |from \w+ import|function |const |let |var |public |private |#include|SELECT |"
    r"INSERT |UPDATE |CREATE TABLE|<\?php|package |using )|[{};]\s*$|=>|^\s*[$>] \w+|^\s*(?:Traceback|at \w+\.|"
    r"File \")"
)
DEICTIC = _en(
    r"^(?:it|this|that|these|those|them|this one|that one|the (?:first|second|last) one|your (?:shop|idea|answer|"
    r"suggestion)s?|the (?:idea|suggestion|answer|recommendation))\b|^(?:这|那|它|这个|那个|这些|那些|这里|那里|这样)"
)
