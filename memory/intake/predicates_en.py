"""English predicates and the slot each fills: data for facts_en. "BE " is any form of be, (?P<v>) the value."""

import re

from memory.intake import lexicon_en as lex

_THING = r"(?:to |eating |drinking |playing |watching |listening to |reading )?(?P<v>.+)"
_PLACE = (
    r"(?P<v>(?:the )?(?:(?!(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|Mon|Tue|Wed|Thu|Fri|Sat|Sun|"
    r"[A-Z]+[a-z]* \d))[A-Z]|room |floor |building |hall |gate |studio |warehouse |aisle |bay |level ).*)"
)

# In order; a slot is filled by the first of its rows that fits.
_ROWS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("allergy", (
        r"BE (?:\w+ )?(?:allergic|intolerant) to (?P<v>.+)",
        r"(?:have|has|suffers? from) an? (?:\w+ )?(?:allergy|intolerance) to (?P<v>.+)",
        r"(?:have|has) an? (?:severe |mild |bad )?(?P<v>[\w ]+?) (?:allergy|intolerance)",
        r"BE (?P<v>\w+)[- ]intolerant",
    )),
    ("diet", (
        rf"BE (?:an? |strictly |mostly |strict )*(?P<v>{'|'.join(sorted(lex.DIETS))})\b",
        r"(?:eat|eats|follow|follows) (?:only |an? |strict )*(?P<v>halal|kosher|vegan|vegetarian|gluten-free|keto|"
        r"paleo)",
    )),
    ("project", (
        r"(?:BE )?(?:work|works|working|assigned|reassigned|moved|switched|staffed|put)(?: now)? (?:on|to|"
        r"onto) (?:the )?"
        r"(?P<v>(?:project|team) .+|.+? (?:project|team))$",
        r"BE on (?:the )?(?P<v>(?:project|team) .+|.+? (?:project|team))$",
    )),
    ("residence", (
        r"(?:live|lives|lived|living|reside|resides|BE living|BE based|BE settled|settled|BE located) (?:\w+ly )?"
        r"(?:in|at|near|on|outside) (?P<v>.+)",
        r"(?:BE )?(?:moved|move|moves|relocated|relocate|moving|relocating)(?: back| over|"
        r" house)?(?: from .+?)? to (?P<v>.+)",
        rf"BE (?:in|at|on) {_PLACE}",
        r"BE (?:in|at|on) (?P<v>(?:the )?(?:\w+(?:st|nd|rd|th)|\w+) (?:floor|street|avenue|road|building|wing|"
        r"terminal|row)\b.*)",
    )),
    ("school", (
        r"(?:BE )?(?:study|studies|studied|studying|enrolled) (?:\w+ )?(?:at|in) (?P<v>(?:the )?[A-Z].+)",
        r"(?:transferred|switched) to (?P<v>[A-Z][\w ]*)$|(?:go|goes|went) to (?P<v2>[A-Z][\w ]*(?:University|"
        r"College|School|High)\b.*)",
    )),
    ("commute", (
        r"(?:take|takes|ride|rides|catch) (?:the |my |an? )?(?P<v>[a-z]+) to (?:work|school|the office)",
        r"(?P<v2>drive|drives|cycle|cycles|walk|walks|bike|bikes|commute by \w+) to (?:work|school|the office)",
    )),
    ("hometown", (
        r"BE (?:originally )?from (?P<v>[A-Z].*)"
    , r"(?:come|comes) from (?P<v>[A-Z].*)", r"grew up in (?P<v>.+)")),
    ("birthplace", (r"BE born in (?!(?:the )?(?:city|country))(?P<v>[A-Z][a-z].*)",)),
    ("employer", (
        r"(?:BE )?(?:work|works|worked|working|employed) (?:for|at|with|by) "
        r"(?!(?:home|night|nights|least|the same|the moment|weekends)\b)(?P<v>.+?)(?: as .*)?$",
        r"(?:BE )?(?:joined|join|joins|joining)(?: the)? (?P<v>[A-Z].+?)(?: as .*)?$",
        r"(?:started|start|starts)(?: a (?:new )?job| work| working)? (?:at|with) (?P<v>[A-Z].+)",
        r"(?:got|took|have|has|started|found|accepted) an? (?:new )?(?:job|position) (?:at|with|in) (?P<v>.+)",
        r"BE hired by (?P<v>.+)",
    )),
    ("member", (
        r"(?:BE )?(?:joined|join|joins|part of|in|on) (?:the |our |"
        r"an? )?(?P<v>(?:\w+ ){0,3}(?:team|sync|club|group|committee|"
        r"board|choir|band|crew|squad|orchestra|council|jury)\b.*)",
    )),
    ("occupation", (r"(?:BE )?(?:work|works|working)(?: (?:for|at|in) .+?)? as (?:an? |the )?(?P<v>.+)",)),
    ("contact", (
        r"(?:contact|reach|text|call|email|message|phone|ping) (?:me|us) (?:by|via|on|through|over|at) (?P<v>.+)",
    )),
    ("language", (r"(?:speak|speaks) (?!(?:for|to|at|with|the)\b)(?:fluent |some |a little |native )?(?P<v>[A-Z].+)",)),
    ("wears", (r"(?:wear|wears|take|takes) (?:an? )?(?:size )(?P<v>.+)",)),
    ("spouse", (r"BE married to (?P<v>.+)", r"married (?P<v>[A-Z].+)")),
    ("marital", (
        r"BE (?P<v>single|married|divorced|engaged|widowed|unmarried)\b(?! to)"
    , r"got (?P<v>married|divorced|engaged)\b(?! to)")),
    ("age", (
        r"BE (?P<v>\d{1,3})(?: years? old)?(?:[,.](?!\d)|$)",
        r"BE (?P<v>\d{1,3}) years old",
        r"(?:turned|turns) (?P<v>\d{1,3})\b",
    )),
    ("relation", (r"BE (?:my|our) (?P<v>(?!.*'s$).+)",)),
    ("runs_on", (
        r"(?:BE )?(?:runs?|running|built|deployed|written|rewritten|migrated|moved|switched|hosted|ported) (?:over |"
        r"entirely )?"
        r"(?:on|with|in|to|from .+ to) (?P<v>[A-Z][\w.+#-]*(?: [A-Z0-9][\w.+#-]*)*)",
    )),
    ("uses_tool", (
        r"(?:BE )?(?:use|uses|using|adopted|switched to|moved to|switched from .+? to|migrated to|migrated from .+? to|"
        r"changed to|changed from .+? to|replaced .+? with|went with|chose|picked) (?P<v>.+?)(?: (?:for|instead of|"
        r"as|to|on) .*)?$",
    )),
    ("owns", (
        r"(?:have|has|own|owns|got|bought|adopted|have got|keep|keeps|drive|drives|BE given|BE granted|given|"
        r"granted) (?P<v>.+)",
        r"holds? (?P<v>(?:the|an?) (?:\w+ )?(?:keys?|codes?|passwords?|licen[cs]e|degree|passport|title|permit|"
        r"shares?)\b.*)",
    )),
    ("likes", (rf"(?:BE )?(?:{lex.LIKE}) {_THING}",)),
    ("dislikes", (rf"(?:BE )?(?:{lex.DISLIKE}) {_THING}",)),
    ("wants", (r"(?:want|wants|need|needs) (?P<v>.+)",)),
    ("habit", (r"(?P<verb>eat|drink|smoke)s? ?(?P<v>.*)",)),
)  # fmt: skip
PREDICATES = tuple((attribute, tuple(re.compile(row) for row in rows)) for attribute, rows in _ROWS)
# A clause that says where somebody lives says nothing of tools; the first of these ends the search.
FINAL = frozenset(
    {"project", "residence", "employer", "allergy", "relation", "contact", "likes", "dislikes", "age", "runs_on"}
)

# What a clause says is left behind.
LEFT = re.compile(
    r"(?:BE )?(?:left|quit(?: (?:my|his|her|their) job at)?|left (?:my|his|her|their) job at|resigned from|"
    r"retired from|fired from|laid off (?:by|from)|stopped working (?:at|for)|departed) (?P<v>[A-Z].+?)(?: and .*)?$"
)
REPLACED = re.compile(
    r"(?:switched|moved|migrated|changed) from (?P<v>.+?) to\b|\breplaced (?P<v2>.+?) (?:with|by)\b|"
    r"\binstead of (?P<v3>[\w.+# -]+)"
    r"|\bnot (?P<v4>[\w.+#-]+)$|\bno longer (?:use|using) (?P<v5>[\w.+# -]+)"
)
PREFER = re.compile(
    r"(?:prefer|prefers|preferred|favou?rs?) (?P<v>.+?)(?:\s+(?:over|to|rather than|instead of|"
    r"more than)\s+(?P<w>.+))?$"
)
# Who holds a duty: "leads the data team", "is responsible for billing".
HELD_BY = re.compile(
    r"(?:BE )?(?:(?:own|owns|lead|leads|led|manage|manages|maintain|maintains|head|heads|run|runs|oversee|oversees|"
    r"chair|chairs|"
    r"handle|handles|administer|administers)|took over|take over|takes over|taking over|in charge of|responsible for|"
    r"taken over) (?P<v>(?!on |at |in |with |for |by |as |out |into |from |away |to |late|around |every |over |daily|"
    r"any |once |twice |\w+ times |\d).+)"
)
# "Payroll is Jonas's job now"
DUTY_OF = re.compile(
    r"BE (?:now )?(?P<s>[A-Z][\w .-]*?)(?:'s|s') (?:job|responsibility|task|duty|business|area|domain|remit)\b|"
    r"BE (?:now )?(?:handed(?: over| on)?|passed(?: over| on)?|transferred|delegated|reassigned|"
    r"given) to (?P<s2>[A-Z]\w+)"
)
# "Yuki replaced Pavel as on-call engineer"
SUCCEEDS = re.compile(
    r"(?:replaced|succeeded|succeeds|replaces|relieved|(?:took|takes|taken) over from|(?:stepped|filled) in for) "
    r"(?P<w>[A-Z][\w.-]*(?: [A-Z][\w.-]*)?) (?:as|in the role of) (?:the |our )?(?P<v>[\w -]+)$"
)
# Who has a role that only one can have, said with "the".
THE_ROLE = re.compile(
    r"(?:BE |became |becomes )(?:now )?the (?:new )?(?P<v>[\w -]+)$|(?:took|taken|takes|"
    r"take) over as (?:the )?(?P<v2>[\w -]+)"
    r"|BE (?:promoted|appointed|elected|made) (?:to |as )?the (?:new )?(?P<v3>[\w -]+)$"
)
ROLE = re.compile(
    r"(?:BE )?(?:(?:made|appointed|named|elected|promoted to(?: be)?)|became|become|becomes)?\s*"
    r"(?:(?:the only|the sole|an?|the|our|another|one of the)\s+)?(?P<v>[\w -]+?)(?: (?:at|for) (?P<e>[A-Z].*))?$"
)
ROLE_OF = re.compile(
    r"BE (?:an? |the )?(?P<v>[\w -]*?(?:lead|leader|head|manager|owner|maintainer|director|chair|captain|"
    r"admin)) of (?P<d>[^,]+?)"
    r"(?: (?:at|for) (?P<e>[A-Z].*))?$"
)
# "the only one with a key"
ONLY_ONE = re.compile(
    r"BE the (?:only|sole) (?:one|person|member|people|user) (?:with|(?:who|that) (?:has|owns|holds|(?P<c>can|may|"
    r"is allowed to))|holding|having) (?P<v>.+)"
)
OF_ROLE = re.compile(
    r"(?:BE |became |becomes )(?:now |the |an? |new |appointed |named |elected |made |"
    r"promoted to )*(?P<v>[\w -]+? of [^,]+)$"
)
CAN = re.compile(r"(?:BE )?(?:allowed to|able to|permitted to|authori[sz]ed to) (?P<v>.+)")

CHANGED_TO = re.compile(
    r"(?:BE )?(?:moved|changed|postponed|rescheduled|pushed(?: back)?|brought forward|delayed|shifted|set|fixed|"
    r"scheduled|raised|"
    r"lowered|increased|reduced|cut|updated|upgraded|downgraded|switched|extended|shortened|bumped|dropped|went up|"
    r"gone up|went down|"
    r"rose|risen|fell|fallen|capped|limited|put(?: off)?|due|planned|held|renamed|grew|grown|doubled)"
    r"(?: back| forward| up| down| off)?(?: from .+?)? (?:to|until|till|at|for|on|by) (?P<v>.+)"
)
HAPPENS = re.compile(
    r"(?:BE |takes? place |happens? |starts? |begins? |meets? |opens? |closes? |ends? |departs? |leaves? |arrives? |"
    r"runs? )"
    r"(?:on|at|every|in|from|until)?\s*(?P<v>.+)"
)
# What follows a value and is no part of it.
TAIL = re.compile(
    r"(?:\s*[;(]|,(?! (?-i:[A-Z]))|\s+(?:since|from|as of|starting|until|till|because|so that|when|while|if|for now|"
    r"for (?:years|months|the last)|now|myself|"
    r"currently|these days|nowadays|anymore|any more|again|yesterday|today|tonight|tomorrow|recently|lately|too|"
    r"as well|instead|already|"
    r"at the moment|last (?:week|month|year|\w+day)|this (?:week|month|year)|next (?:week|month|year|\w+day)|"
    r"with (?:my|his|her)|after all|"
    r"and (?:i|we|he|she|they|now|have|am|is)|but|(?:a|two|three|few) (?:weeks?|months?|years?) ago|"
    r"in (?:january|february|march|april|may|june|july|august|september|october|november|december|(?:19|20)\d\d)|"
    r"on (?:mon|tues|wednes|thurs|fri|satur|sun)days?)\b).*$",
    re.IGNORECASE,
)
