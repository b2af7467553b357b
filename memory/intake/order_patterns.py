"""The table of orders: each class of attack by its id, English and Chinese patterns side by side.

Nobody's sentence is quoted here: each class is a shape of language. memory/reasons.py says `screen_<id>` to people.
"""

import re

from memory.intake.order_patterns_traps import TRAPS, row

_AGENTS = r"(?:ai|llms?|assistants?|agents?|chat ?bots?|bots?|language models?|models?|copilots?|gpt|claude)"
_SECRETS = (
    r"(?:api[ _-]?keys?|keys|passwords?|credentials?|secrets?|tokens?|\.env|ssh keys?|cookies?|contacts?|"
    r"address book|chat history|conversation|customer data|user data|database|files?|emails?|personal data|"
    r"source code)"
)
_SECRETS_ZH = (
    "(?:密钥|私钥|密码|口令|凭[据证]|令牌|token|\\.env|通讯录|联系人|聊天记录|对话|用户数据|客户数据|数据库|文件|"
    "源码|身份证|银行卡)"
)
_SEND = (
    r"(?:send|sent|post(?:ed)?|upload(?:ed)?|forward(?:ed)?|transmit(?:ted)?|e?mail(?:ed)?|submit(?:ted)?|leak|"
    r"exfiltrate|export(?:ed)?|copy|copied|share[d]?|report(?:ed)?|append(?:ed)?)"
)
_PLACE = (
    r"(?:https?://|www\.|[\w.-]+@[\w-]+\.|[\w-]+\.(?:example|com|net|org|io|ru|cn|xyz|top)\b|the (?:status|public|"
    r"following|external) )"
)

ORDERS: tuple[tuple[str, re.Pattern[str]], ...] = (
    row(
        "override",
        r"\byou are (?:now |hereby )(?:in |running in |operating in |free (?:of|from) |no longer (?:bound|limited|"
        r"restricted)|unrestricted|jailbroken|dan\b|(?:a |an )?(?:unrestricted|unfiltered|uncensored))",
        r"\b(?:god|unrestricted|unfiltered|jailbreak|dan) mode\b.{0,20}\b(?:on|enabled|active|activated|engaged)\b|"
        r"\b(?:safety|content|policy) (?:checks|filters|rules|limits|guardrails?|restrictions) (?:are|have been) "
        r"(?:now )?(?:off|disabled|lifted|suspended|removed|void)\b",
        "你(?:现在|从现在起|已经?)?(?:是|变成|成为|进入).{0,4}(?:没有|不受|毫无|无)(?:任何)?(?:限制|约束|审查|规则)|"
        "(?:上帝|无限制|越狱)模式.{0,6}(?:开启|启用|激活|生效)|"
        "(?:忽略|无视|不必遵守|抛开)(?:一切|任何|所有)?(?:安全|内容|系统)(?:规则|限制|策略|检查|审查)|"
        "(?:安全|内容|权限)(?:检查|规则|过滤|限制)(?:已经?|现已)?(?:关闭|停用|解除|取消)",
        r"\b(?:ignore|disregard|forget|override|bypass|discard|do not follow|stop following)\b.{0,20}\b(?:all|any|"
        r"your|the|every|these|my)?\s*(?:of )?(?:the |your )?(?:previous|prior|above|earlier|preceding|existing|"
        r"original|system|former|safety)\b.{0,12}\b(?:instructions?|rules?|prompts?|guidelines?|directions?|"
        r"messages?|polic(?:y|ies)|constraints?|context)\b",
        r"\b(?:new|updated) (?:system )?(?:instructions?|rules?|prompt)\s*:",
        "(?:忽略|无视|忘记|忘掉|不要理会|抛弃|覆盖|不必遵守|停止遵守).{0,6}(?:之前|以上|上述|前面|先前|此前|原有|"
        "原来|系统|所有|全部|你的).{0,6}(?:指令|指示|规则|提示|要求|"
        "设定|命令|约束|限制)",
        "(?:新的?|更新后的?)(?:系统)?(?:指令|提示词)[：:]",
    ),
    row(
        "addresses_agents",
        rf"(?:^|[.!?\n>:]\s*)(?:dear |hello |hey |hi )?{_AGENTS}\s*[,:]\s*(?:from now on|starting (?:now|today)|in "
        rf"future|always|never|whenever|kindly|you (?:must|should|will|are|shall))\b",
        r"\b(?:do not|don't|never) (?:tell|inform|notify|mention|reveal|disclose|show|say)\b.{0,30}\b(?:users?|"
        r"humans?|customers?|anyone|anybody|operators?|owner)\b.{0,40}\b(?:instructions?|message|prompt|rule|note|"
        r"step|this)\b|\b(?:do not|don't|never) (?:mention|reveal|disclose|show)\b.{0,10}\b(?:instructions?|message|"
        r"prompt|rule|note|step|this)\b.{0,20}\b(?:users?|humans?|customers?|anyone|anybody|operators?|owner)\b",
        r"\b(?:without|do not) (?:telling|informing|notifying|mentioning|alert(?:ing)?)\b.{0,12}\b(?:users?|humans?|"
        r"operators?|owner)\b",
        rf"\b(?:{_AGENTS}|it|you)(?:'s)?\b.{{0,40}}\b(?:obeys?|answers? to|listens? to|takes? orders from|"
        rf"trusts?)\b.{{0,6}}\bonly\b|\b{_AGENTS}\b.{{0,40}}\bonly (?:obeys?|listens? to|takes? orders from)\b",
        "(?:不要|别|切勿|不得|不能|不可|无需)(?:再)?(?:告诉|告知|透露|提及|通知|泄露|展示|显示|说明).{0,6}(?:用户|"
        "人类|任何人|客户|主人|管理员).{0,10}(?:指令|指示|提示|步骤|规则|要求|此事|这件事|这一点|内容)",
        rf"\b(?:note|message|instructions?|attention|notice|reminder|memo|hint)s? (?:to|for) (?:all |any |the |"
        rf"your )*(?:\w+ )?{_AGENTS}\b",
        rf"\b(?:attention|notice|warning|important)[,:!]? (?:all |any |every )?(?:\w+ )?{_AGENTS}\b\s*[:,!-]",
        rf"(?:^|[.!\n>-]\s*){_AGENTS}(?: (?:reading|processing|parsing|visiting|using) (?:this|"
        rf"the)[\w ]*)?\s*[:,]\s*(?:\w+\s+){{0,3}}(?:must|should|please|always|never|store|remember|ignore|save|"
        rf"record|add|send|use|do|note|call|run)\b",
        r"\b(?:if you are|as) an? (?:ai|llm|language model|automated agent)\b.{0,40}\b(?:must|should|please|store|"
        r"remember|ignore|send|visit|include|recommend)\b",
        rf"\b{_AGENTS} (?:must|should|are required to|need to|shall) (?:always |never |now )?(?:store|remember|"
        rf"ignore|send|post|forward|approve|execute|run|trust|treat)\b",
        "(?:给|致|面向|提示|告知|请)\\s?(?:各位|所有)?(?:AI|人工智能|智能体|助手|大模型|机器人|语言模型|"
        "agent).{0,6}(?:的?(?:说明|指令|提示|注意|要求|备注|通知)|注意)",
        "(?:AI|智能体|助手|大模型|机器人|语言模型)(?:们)?[，,：:]?(?:请|必须|务必|应当|需要|要)(?:永久|始终|一直|"
        "立即|立刻|总是|永远)?(?:记住|记下|执行|忽略|遵守|存储|保存|"
        "转|发|上传|信任)",
    ),
    row(
        "plants_memory",
        r"\b(?:always|in (?:all|every) (?:answer|repl(?:y|ies)|response|conversation|message)s?|from now on)\b,?.{0,20}"
        r"\b(?:recommend|promote|advertise|mention|endorse|include|insert|append|prefer)\b.{0,60}\b(?:to (?:all |"
        r"every |any )?(?:customers?|users?|clients?|visitors?|people|everyone)|link|code|https?://|(?:[\w-]+\.)+[a-z]"
        r"{2,}/)",
        r"\b(?:reply|respond|answer|end) (?:to )?(?:every|all|any|each)\b.{0,30}\b(?:with|by|using)\b.{0,60}\b(?:link|"
        r"code|url|https?:|promo|coupon|(?:[\w-]+\.)+[a-z]{2,}/)",
        "(?:以后|从现在起|今后|总是|始终|每次|所有|每条|一律).{0,10}(?:回答|回复|对话|客户|用户|推荐).{0,12}(?:推荐|"
        "附上|加上|插入|包含|宣传|使用).{0,30}(?:链接|优惠码|推广码|https?://|品牌|产品|服务)",
        r"\b(?:store|save|add|write|record|keep|commit|memori[sz]e|persist)\b.{0,25}\b(?:in(?:to)?|to|as|"
        r"under)\b.{0,14}\b(?:(?:long[- ]term|permanent|persistent|your|agent) )+(?:memory|rule|fact|instruction|"
        r"preference)\b",
        r"\b(?:store|save|write|add|record|commit|put) (?:this |it |the following )?(?:in|to|into) (?:your |the |"
        r"its |long[- ]term |permanent |agent )*memory\b",
        r"\bremember (?:that |permanently )?.{0,60}\b(?:approve|trusted|verified|authori[sz]ed|without (?:asking|"
        r"approval|confirm))",
        r"\b(?:permanently|forever) (?:remember|store|trust|allow)\b|\bin every (?:future )?session\b|"
        r"\bevery (?:new )?session\b.{0,30}\b(?:follow|run|execute|send|load)\b|\b(?:follow|run|execute|send|load|"
        r"decode)\b.{0,60}\bevery (?:new )?session\b",
        "(?:永久|长期|永远)(?:地)?(?:记住|保存|存储|遵守)|(?:写入|存入|存到|保存到|加入)(?:你的|智能体的?|"
        "助手的?)?(?:长期|永久)?记忆|请?记住[：:，]?(?:该|这位|"
        "此)?(?:用户|顾客|客户).{0,10}(?:同意|授权|允许|批准|是VIP|已认证)",
    ),
    row(
        "exfiltration",
        r"https?://[^\s)\"'<>]*[?&#][^\s)\"'<>]*(?:\{|%7[Bb]|<|\[)[^\s)\"'}]{0,20}(?:conversation|chat|history|"
        r"prompt|context|message|secret|passw|token|memory|e?mail|phone|address)",
        rf"\b{_SEND}\b.{{0,40}}\b(?:last |latest |full |entire |whole |user'?s? |their |previous )+(?:messages?|"
        rf"prompts?|questions?|answers?|phone|number|address|name|e?mail|data|history|conversation|chat)\b.{{0,20}}"
        rf"\bto\b.{{0,12}}{_PLACE}",
        r"\b(?:read|open|cat|load|fetch|attach)\b.{0,24}(?:~/|/etc/|\.ssh|id_rsa|\.env\b|\.aws|\.npmrc|credentials|"
        r"secrets?\.(?:json|ya?ml|txt)).{0,24}\b(?:and|then|to)\b.{0,24}\b(?:pass|send|put|paste|include|attach|"
        r"upload|post|add|append|return|share)\b",
        "(?:把|将).{0,12}(?:手机号|电话|地址|姓名|邮箱|身份证号?|消息|提问|回答|历史|资料|信息).{0,6}(?:发送?|上传|"
        "提交|"
        "转发|附加|拼接?|贴)(?:到|至|给|在).{0,4}(?:https?://|www\\.|[\\w.-]+@|"
        "[\\w-]+\\.(?:com|net|cn|xyz|io|example))",
        rf"\b{_SEND}\b.{{0,50}}\b{_SECRETS}.{{0,50}}\bto\b.{{0,12}}{_PLACE}",
        rf"\b{_SECRETS}\b.{{0,40}}\b(?:must|should|need to|have to|can|are to|is to|"
        rf"will)?\s?(?:be )?{_SEND}\b.{{0,20}}\bto\b.{{0,12}}{_PLACE}",
        r"!\[[^\]]*\]\(https?://[^)\s]*[?&][^)\s]*=(?:\{|%7b|<|\$|[A-Za-z0-9+/]{24,})",
        rf"(?:上传|发送|发到|转发|提交|导出|同步|抄送|泄露|粘贴).{{0,16}}{_SECRETS_ZH}.{{0,16}}(?:到|给|至)|"
        rf"把.{{0,12}}{_SECRETS_ZH}.{{0,10}}(?:上传|发送|发|转发|提交|导出|同步|贴)(?:到|给|至)?",
    ),
    row(
        "redirects_payment",
        r"\b(?:pay(?:ments?)?|transfers?|refunds?|invoices?|wire|deposits?|funds?)\b.{0,40}\b(?:go|goes|sent?|made|"
        r"routed|redirect(?:ed)?|wired|paid|transfer(?:red)?)?\s?(?:to|into)\b.{0,20}\b(?:new|other|following|this|"
        r"updated|different) (?:bank )?(?:account|iban|wallet|address|card)\b",
        r"\b(?:account|iban|wallet|card) (?:ending|number)\b.{0,20}\b(?:from now on|instead|always|permanently)\b",
        "(?:付款|转账|汇款|退款|打款|货款|款项|收款).{0,10}(?:一律|全部|统一|以后|改|都|均)?.{0,4}(?:转到|转入|打到|"
        "汇到|付到|改到|转至|付至|打入).{0,16}(?:账户|"
        "账号|卡|尾号|钱包)",
    ),
    row(
        "claims_trust",
        r"[\[【(<{][^\]】)>}]{0,40}\b(?:verified|approved|certified|authori[sz]ed|confirmed|reviewed|"
        r"trusted)\b[^\]】)>}]{0,40}[\]】)>}]",
        r"\b(?:verified|approved|certified|authori[sz]ed|signed off|confirmed) by (?:an? |the |our |"
        r"your )?(?:\w+ )?(?:admin(?:istrator)?s?|system|security(?: team)?|root|operator|moderators?|owner|"
        r"compliance|developers?)\b",
        r"\b(?:trust|credibility|confidence|reliability|authority|priority)(?:[ _-]?(?:score|level|rating|"
        r"weight))?\s*(?:[:=]|is|of|\s)\s*(?:1(?:\.0+)?\b|0?\.9\d*|100\s?%?|max(?:imum)?|highest|absolute|high\b)",
        r"\b(?:supersedes?|overrides?|replaces?|takes? precedence over|outranks?)\b.{0,16}\b(?:all|any|every|"
        r"earlier|previous|prior|other|existing|older)\b.{0,16}\b(?:entr(?:y|ies)|memor(?:y|ies)|records?|claims?|"
        r"facts?|rules?|notes?|instructions?)\b",
        r"\b(?:source|author|origin|signed|issued by)\s*[:=]\s*(?:the )?(?:system|admin\w*|root|security\w*|operators?|"
        r"developers?|moderators?|ceo)\b|(?:来源|作者|签发人?)[：:]\s?(?:系统|管理员|安全|官方|开发者|超管)",
        r"\bsecurity[_ ]review\b.{0,12}\b(?:passed|ok|approved|done|true)\b|\bno (?:further )?(?:review|"
        r"verification|checks?) (?:is |are )?(?:needed|required|necessary)\b|\bdo not (?:review|question|verify|"
        r"flag) this\b",
        "[\\[【（(〔《].{0,16}(?:已|经)?(?:核实|验证|认证|审核通过|批准|确认|授权|可信).{0,16}[\\]】）)〕》]",
        "(?:可信度|置信度|信任度|信任等级|可靠性|优先级|权重)\\s?(?:[:：=为是]|等于)?\\s?(?:1(?:\\.0+)?(?!\\d)|"
        "0?\\.9\\d*|100\\s?%?|满分|最高|极高)",
        "(?:管理员|系统|安全团队|官方|运维|审计|超级用户)(?:已经?|均已)?(?:核实|验证|批准|认证|审核|授权|确认)(?:过|"
        "通过|无误)?|(?:覆盖|取代|优先于|凌驾于)(?:所有|一切|之前|"
        "以前|其他|先前)的?.{0,6}(?:记录|记忆|条目|规则|说法)|无需(?:再)?(?:审核|复核|核实|验证)",
    ),
    row(
        "raises_rights",
        r"\b(?:user|customer|client|caller|account|name|role)\b.{0,24}\b(?:is|are|as|becomes?|was|has been|"
        r"now)\b.{0,24}\b(?:(?:system |super |global |root )?admin(?:istrator)?|superuser|root(?: user)?|sudo|"
        r"verified vip|vip|privileged|developer mode|god mode)\b(?! (?:of|for|at) )",
        r"\bno (?:further |more |other )?(?:approvals?|confirmations?|reviews?|verification|authori[sz]ation|"
        r"permission)\b.{0,12}\b(?:is|are|will be)?\s?(?:needed|required|necessary)\b",
        r"\b(?:bypass(?:es)?|skips?|waives?|disables?|circumvents?|turn off|suppress|omit)\b.{0,20}\b(?:approvals?|"
        r"confirmations?|verification|authentication|authori[sz]ation|reviews?|checks?|safety|limits?|guardrails?|"
        r"restrictions?|policy|policies|2fa|mfa|audit)\b",
        r"\bwithout (?:any |further |prior |first )*(?:asking(?: anyone| anybody| the user| first)?|approvals?|"
        r"confirmations?|confirming|verification|verifying|authori[sz]ation|review|permission|checking)\b",
        r"\b(?:no|never|don't|do not|not) (?:longer )?(?:need|require|have|ask)s? (?:to |for |any )*(?:approval|"
        r"confirmation|confirm|permission|verify|verification|authenticate)\b",
        r"\b(?:approve|grant|allow|authori[sz]e|accept|execute|unlock) (?:every|all|any)\b|\bgrant(?:s|"
        r"ed)?\b.{0,20}\b(?:full|unlimited|unrestricted|root|admin) (?:access|rights|permissions?|privileges?)\b",
        r"\b(?:may|can|is (?:allowed|permitted|entitled) to|has permission to) (?:see|view|access|read|export|download|"
        r"delete|edit|change) (?:all|any|every|everyone's|other)\b.{0,12}\b(?:customers?|users?|accounts?|data|"
        r"records?|"
        r"files?|people)\b",
        "(?:可以?|能|有权|允许)(?:查看|访问|读取|导出|下载|删除|修改|调取)(?:所有|其他|任何|全部|别的)(?:客户|用户|"
        "账户|人)?的?"
        "(?:数据|资料|记录|信息|账户|文件)|(?:身份|权限|级别|角色)(?:已经?|被)?(?:升级|提升|变更|调整)为?",
        "(?:用户|顾客|客户|该账号|此人|他|她)(?:现在|已经?|已)?(?:是|成为|升级为|被设为|拥有)(?:了)?(?:系统|超级|"
        "最高)?(?:管理员|超管|root|特权用户|VIP|开发者模式|最高权限)",
        "(?:不用|无需|不必|不需要|免|不要|不再需要)(?:再|任何|经过|做|向.{1,4})?(?:确认|审批|审核|批准|验证|授权|"
        "核实|询问|请示)(?:任何)?|(?:跳过|绕过|关闭|禁用|取消|"
        "省略)(?:所有|任何|一切)?(?:的)?(?:确认|审批|审核|验证|权限检查|安全检查|风控|限制)|(?:批准|通过|同意|"
        "执行)(?:所有|一切|任何)(?:退款|请求|操作|订单|申请)",
    ),
    *TRAPS,
)
