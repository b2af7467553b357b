"""Traps among the orders: steps forced on agents, triggers, records led into others, sources swapped, repetition.

See `order_patterns`; each class is a shape of language, in both languages.
"""

import re


def row(id_: str, *patterns: str) -> tuple[str, re.Pattern[str]]:
    """One class of attack: its id and everything that shows it."""
    return id_, re.compile("|".join(patterns), re.IGNORECASE)


TRAPS: tuple[tuple[str, re.Pattern[str]], ...] = (
    row(
        "forced_step",
        r"\b(?:first step|last step|step \w+) (?:of|in) (?:every|each|all|any)\b.{0,24}\b(?:call|run|execute|invoke|"
        r"fetch|"
        r"load)\b|\b(?:execute|run|follow|obey|do) (?:whatever|anything|everything) (?:it|they|that|the \w+) "
        r"(?:returns?|says?|contains?|sends?|outputs?|tells?)\b",
        "(?:所有|每个|任何|每次)(?:计划|任务|流程|操作).{0,8}(?:第一步|最后一步|首先|步骤).{0,8}(?:调用|执行|运行)|"
        "(?:执行|照做|遵守|运行)(?:它|其|该接口|对方)?的?(?:返回|输出|下发)的?(?:内容|指令|命令|结果)",
        r"\b(?:before|after|when|while|prior to) (?:using|calling|invoking|running|executing) (?:any|every|each|this|"
        r"the|another|other)\b.{0,20}\b(?:tools?|functions?|commands?|plugins?)\b,?.{0,20}\b(?:read|send|call|run|"
        r"fetch|pass|open|execute|load|include|must)\b",
        r"\b(?:you|agents?|assistants?) (?:must|have to|need to|are required to|should) (?:now |first |next |"
        r"immediately |always )*(?:call|invoke|execute|run)\b.{0,8}\b(?:[a-z]+_[a-z_]+|tool|function)\b",
        "(?:使用|调用|运行|执行)(?:任何|每个|本|该|其他)(?:工具|函数|命令|插件)(?:之?前|之?后|时).{0,12}(?:先|必须|"
        "都要|"
        "需要|请)?.{0,6}(?:读取|发送|调用|运行|打开|上传|执行)|你?(?:必须|务必|需要)(?:先|立即|马上|接着)?(?:调用|执行|"
        "运行)\\s?[a-z]+_[a-z_]+",
        r"\b(?:use|call|invoke|run|execute) (?:the )?(?:tool|function|plugin|api|command)\b.{0,60}\b(?:because|"
        r"since|as) (?:it|this|that) is (?:required|necessary|mandatory|needed|essential)\b",
        r"\b(?:before|after|when|while) (?:answering|replying|responding|completing|finishing|starting|using|"
        r"processing)"
        r"\b.{0,40}?,?\s*(?:first |always |please )*(?:call|invoke|run|execute|load|fetch)\b.{0,8}\b[a-z]+_[a-z_]+\b",
        r"\b(?:before|after) (?:any|every|each) (?:other )?(?:step|task|action|tool|request|answer|"
        r"response)\b.{0,40}\b(?:call|invoke|run|use|execute|send)\b",
        "(?:必须|务必|一定要|先)(?:先)?(?:调用|使用|执行|运行)(?:工具|函数|插件|接口|命令).{0,40}(?:因为|否则|"
        "这是.{0,6}(?:必需|必要|必须|要求))|(?:每次|任何|"
        "所有)(?:任务|步骤|操作|回答|请求)(?:之?前|之?后).{0,10}(?:调用|执行|运行|发送)",
    ),
    row(
        "trigger",
        "(?:暗号|口令|暗语|触发词|关键词).{0,16}(?:就|则|必须|立即|马上).{0,4}把.{1,8}(?:转|打|汇|发|删|导出|清空|"
        "授权)",
        r"\b(?:when(?:ever)?|if|once|as soon as) (?:the |a |any )?(?:user|customer|client|someone|anyone|somebody|he|"
        r"she|they)"
        r" (?:types?|says?|writes?|mentions?|sends?|enters?|utters?)"
        r"\b.{0,4}[\"'“‘`][^\"'”’`]{2,60}[\"'”’`],?.{0,24}\b(?:export|"
        r"delete|erase|wipe|unlock|transfer|wire|approve|grant|disable|upload|forward|reset|refund|run|execute|send)\b",
        r"\b(?:code ?word|trigger (?:word|phrase)|magic word|pass ?phrase)\b.{0,80}\b(?:unlock|disable|delete|erase|"
        r"wipe|"
        r"export|transfer|wire|grant|approve|execute|run|upload)\b",
        '(?:用户|客户|有人|对方|谁)?一?(?:说|输入|发送|提到|打出|回复)[“"「『‘].{1,20}[”"」』’][，,]?.{0,4}(?:就|则|'
        "立即|马上|便).{0,4}(?:导出|"
        "删除|清空|转账|解锁|批准|授权|关闭|上传|执行|转发)",
        r"\b(?:when(?:ever)?|if|once|each time|every time|"
        r"upon)\b.{0,6}[\"'“‘`][^\"'”’`]{2,60}[\"'”’`].{0,24}\b(?:appears?|is (?:mentioned|seen|used|said|present|"
        r"included)|shows? up|occurs?|comes up)\b.{0,60}\b(?:must|have to|has to|should|need(?:s)? to|are to|shall|"
        r"always|delete|remove|drop|send|transfer)\b",
        r"\b(?:when(?:ever)?|if|once) (?:the )?(?:phrase|word|keyword|code ?word|trigger|token|"
        r"string)\b.{0,60}\b(?:delete|remove|drop|send|transfer|execute|run|approve|ignore|must|reply|wire|pay|refund|"
        r"grant|erase|wipe|disable|unlock|reset|upload|export|email|forward|override|purge|shut down)\b",
        r"\b(?:when(?:ever)?|if|once|each time|every time|as soon "
        r"as)\b.{0,4}[\"'“‘`][^\"'”’`]{2,60}[\"'”’`].{0,60}\b(?:wire|"
        r"transfer|refund|delete|erase|wipe|purge|disable|unlock|drop|export|upload|forward)\b.{0,40}\b(?:at once|"
        r"immediately|all|every|the (?:balance|funds|logs?|audit|database|records?|files?|keys?|account))\b",
        "(?:当|如果|一旦|只要|每当|凡是).{0,8}(?:出现|看到|提到|遇到|听到|"
        "包含).{0,4}[“\"「『'‘].{1,30}[”\"」』'’].{0,16}(?:就|则|必须|应当?|要|立即|删除|"
        "移除|清空|转账|发送|执行)|(?:口令|暗号|关键词|触发词).{0,16}(?:就|则|必须|立即).{0,6}(?:删除|清空|转账|"
        "发送|执行|批准)",
    ),
    row(
        "bridges_records",
        r"\b(?:when|if|once|whenever) (?:asked|answering|asking|questioned|someone asks|anyone asks)\b.{0,16}\b(?:"
        r"about|for|regarding|on)\b.{0,24}\b[A-Z]{0,4}-?\d{3,}\b,?.{0,12}\b(?:use|read|show|give|return|take|quote|"
        r"answer (?:with|from))\b.{0,30}\b[A-Z]{0,4}-?\d{3,}\b",
        r"\b[A-Z]{0,4}-?\d{3,}\b (?:is|are|equals?|means?|refers? to|maps? to|resolves? to|points? to)\b.{0,4}(?:an? |"
        r"now |the )*"
        r"(?:alias|same(?: \w+)?|identical|equal|equivalent|copy|synonym|duplicate)?\s?(?:of|as|to|for|with)?\s"
        r"(?:record |account |user |client |order |patient )?#?[A-Z]{0,4}-?\d{3,}\b",
        r"\b(?:requests?|questions?|quer(?:y|ies)|look-?ups?)\b.{0,12}\b(?:about|for|on|regarding|"
        r"of)\b.{0,12}\b[A-Z]{0,4}-?"
        r"\d{3,}\b.{0,20}\b(?:served|answered|handled|taken|resolved|fulfilled)\b.{0,12}\b[A-Z]{0,4}-?\d{3,}\b",
        "(?:账户|账号|病人|患者|客户|订单|档案|用户|记录|工单|编号|ID)\\s?[A-Z]{0,4}-?\\d{3,}(?:就是|等同于?|即为|"
        "指向|映射到|其实是)"
        "[^，。]{0,4}\\d{3,}|凡是?(?:问|查|涉及|提到).{0,4}\\d{3,}.{0,12}(?:返回|改用|读取|给出|回答|查).{0,4}\\d{3,}",
        r"\b[A-Z]{0,4}-?\d{3,}\b.{0,12}\b(?:records?|data|entries|files?|history|information|results?|orders?|account)?"
        r"\b.{0,12}\b(?:moved|merged|migrated|transferred|redirected|relocated|folded|aliased|mapped|filed|lives|"
        r"stored|kept)\b.{0,12}\b(?:under|into|to|with|in|at|as)\b\s*(?:the )?(?:patient |user |client |record |id |"
        r"account |file |order |case )?#?[A-Z]{0,4}-?\d{3,}\b",
        r"\b(?:when(?:ever)?|if|once|each time|every time)\b.{0,24}\b[A-Z]{0,4}-?\d{3,}\b.{0,16}\b(?:requested|asked|"
        r"queried|mentioned|needed|looked up|searched|comes up|appears)\b,?.{0,12}\b(?:use|read|show|give|return|take|"
        r"quote|answer|reply|respond|look up|check)\b.{0,24}\b[A-Z]{0,4}-?\d{3,}\b",
        r"\b#?(?P<a>[A-Z]{0,4}-?\d{3,})\b\s*(?:->|→|=>|=)\s*(?:use|see|look up|read|check|query|"
        r"refer to)?\s*#?[A-Z]{0,4}-?\d{3,}\b",
        r"\b(?:records?|data|entries|files?|history|information|results?|orders?|account)\b.{0,20}\b(?:of|for|on|"
        r"from)?\s*#?[A-Z]{0,4}-?\d{3,}\b.{0,30}\b(?:moved|stored|saved|merged|migrated|kept|filed|transferred|"
        r"available|found|redirected|relocated)\b.{0,16}\b(?:under|in(?:to)?|to|with|at|as)\b\s*(?:the )?(?:patient |"
        r"user |record |id |account |file )?#?[A-Z]{0,4}-?\d{3,}\b",
        r"\b(?:for|on|to|when asked|in) (?:any|every|all)? ?(?:questions?|quer(?:y|ies)|requests?|asked)? ?(?:on|"
        r"about|regarding|for|concerning)\b.{0,24}#?\b[A-Z]{0,4}-?\d{3,}\b,?\s+(?:always |please )?(?:read|use|see|"
        r"query|look up|answer (?:with|from)|check|return|refer to|consult)\b.{0,24}#?\b[A-Z]{0,4}-?\d{3,}\b",
        r"\b(?:look up|query|use|refer to|answer (?:with|from)|read|retrieve|substitute|"
        r"replace)\b.{0,24}#?\b[A-Z]{0,4}-?\d{3,}\b.{0,30}\b(?:instead of|in place of|rather than|"
        r"for any (?:question|query|request) (?:on|about)|whenever|when asked (?:for|about)|"
        r"with)\b.{0,16}#?\b[A-Z]{0,4}-?\d{3,}\b",
        "(?:\\d{3,}|[A-Z]{1,4}-?\\d{2,}).{0,10}(?:的)?(?:记录|数据|档案|资料|信息|病历|订单|账户).{0,10}(?:已|被|"
        "改)?(?:移到|转到|并入|存在|合并到|"
        "迁到|归到|保存在|挂在).{0,8}(?:\\d{3,}|[A-Z]{1,4}-?\\d{2,})|(?:查|查询|问到?|涉及|提到).{0,6}(?:\\d{3,}|"
        "[A-Z]{1,4}-?\\d{2,}).{0,10}(?:时|都|就|请|改|一律|直接)?.{0,6}(?:查|看|用|读|改查|以).{0,6}(?:\\d{3,}|"
        "[A-Z]{1,4}-?\\d{2,})",
    ),
    row(
        "foreign_source",
        r"\b(?:use|install|download|pull|fetch|get|clone|switch to|point|configure|set)\b.{0,30}\b(?:mirror|"
        r"registry|index|proxy|repo(?:sitory)?|package source|cdn|dns|"
        r"channel)\b.{0,20}\b(?:[\w-]+\.)+[a-z]{2,}\b.{0,30}\b(?:all|every|always|any|default)\b",
        r"\b(?:always|all|every)\b.{0,24}\b(?:install|download|pull)(?:ed)?\b.{0,20}\bfrom\b.{0,12}(?:https?://|"
        r"(?:[\w-]+\.)+[a-z]{2,}\b)|\bcurl\b.{0,80}\|\s*(?:ba)?sh\b",
        "(?:所有|全部|一律|以后|默认).{0,10}(?:安装|下载|依赖|拉取).{0,12}(?:从|用|走|改用).{0,10}(?:https?://|"
        "(?:[\\w-]+\\.)+[a-z]{2,})",
    ),
    row(
        "claims_repetition",
        r"\b(?:same|identical) (?:claim|statement|fact|information|advice|text|notice)\b.{0,20}\b(?:appears?|stands|"
        r"shows up|"
        r"is found|can be found|is published|is given)\b.{0,8}\b(?:on|in|across|at) (?:\d+|many|multiple|several|"
        r"dozens)",
        r"\b(?:pages|sites|websites|sources|documents|users) (?:all|unanimously) (?:state|say|confirm|claim|report|"
        r"agree)\b"
        r".{0,12}\b(?:the same|this|that)\b",
        "(?:\\d+|多|几十|数十)(?:个|家)(?:网站|网页|来源|页面|论坛).{0,4}(?:都|均)(?:说|写|称|显示|报道)",
        r"\b(?:same|this|identical) (?:claim|statement|fact|information|advice) (?:is |was |has been )?(?:repeated|"
        r"confirmed|found|reported|seen|stated)\b.{0,20}\b(?:from|by|on|in|across) \d+\b",
        r"\b(?:confirmed|verified|repeated|corroborated|backed) (?:by|from|on|across) (?:\d+|many|multiple|several|"
        r"dozens of) (?:independent |different |other |web ?)?\s?(?:sources|pages|sites|websites|users|documents|"
        r"agents)\b",
        "(?:\\d+|多|数十|许多|好几)(?:个|家)?(?:不同的?|独立的?)?(?:网页|网站|来源|文档|页面|用户)(?:都|均|一致|反复|"
        "重复)(?:证实|提到|确认|表示|显示|说)|(?:同一|"
        "相同)(?:说法|内容|结论)(?:在|被).{0,10}\\d+.{0,6}(?:重复|证实|提到)",
    ),
    row(
        "encoded",
        r"\b(?:decode|decrypt|unbase64|base64 -d|deobfuscate|rot13)\b.{0,30}\b(?:follow|execute|run|obey|apply|do|"
        r"comply|eval)\b|\b(?:follow|execute|run|obey|eval)\b.{0,30}\b(?:decoded?|decoding|base64|encoded)\b",
        "(?:解码|解密|base64).{0,12}(?:后|并|再)?(?:执行|遵守|照做|运行|按)",
    ),
)
