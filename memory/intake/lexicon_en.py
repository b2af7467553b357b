"""English words by class: data for the rules that read statements. No logic here."""

import re


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


PRONOUNS = _words("i we you he she they it this that these those there who someone somebody everyone nobody")
OWNERS = {"my": "user", "our": "user", "your": "agent", "his": "they", "her": "they", "their": "they", "its": "it"}
USER_WORDS = _words("i me we us user customer client")

# Between subject and main verb; they change how a statement counts, not what it says.
AUXILIARIES = _words(
    "am is are was were be been being 'm 's 're 've 'd 'll have has had do does did will would can could may might mu"
    "st "
    "should shall cannot can't won't wouldn't couldn't shouldn't don't doesn't didn't isn't aren't wasn't weren't hav"
    "en't "
    "hasn't hadn't ain't"
)
BE = _words("am is are was were be been being 'm 's 're isn't aren't wasn't weren't ain't")
NEGATORS = re.compile(
    r"\b(?:not|never|no longer|cannot|no|neither|nor|none|nothing|without|hardly|barely)\b|n't\b", re.IGNORECASE
)
ADVERBS = _words(
    "now currently presently still also just already really actually usually often normally typically generally always "
    "strongly definitely absolutely truly simply recently finally officially mostly mainly only exclusively today "
    "yesterday again primarily certainly particularly especially personally since then instead too both soon formerly "
    "previously originally genuinely firmly deeply steadfastly nearly sometimes occasionally frequently quite very so "
    "hereby temporarily permanently additionally apparently basically honestly clearly slowly"
)
ALSO = re.compile(
    r"\b(?:also|as well|too|in addition|additionally|besides|another|both|co-\w+|"
    r"jointly?)\b",
    re.IGNORECASE,
)
CHANGE = re.compile(
    r"\b(?:now|currently|these days|nowadays|as of|from now on|anymore|any more|no longer|instead|switched|moved|"
    r"changed|"
    r"upgraded|became|new|left|joined|renamed|replaced|postponed|rescheduled|since|lately|anymore|today|recently|"
    r"latest|"
    r"raised|lowered|increased|reduced|(?:re)?assigned|(?:re)?allocated|transferred|relocated|handed over|took over|"
    r"taken over|promoted|turned out|correction|actually|update)\b",
    re.IGNORECASE,
)
ENDED = re.compile(
    r"\b(?:used to|no longer|not .{0,30}any ?more|formerly|previously|gave up|given up|quit|stopped|once was|ex-)\b"
    r"|n't .{0,30}any ?more\b",
    re.IGNORECASE,
)
PAST = re.compile(
    r"\b(?:used to|formerly|previously|in the past|back then|back when|years ago|when i was|as a (?:child|kid|"
    r"student|teenager)|"
    r"(?:was|were|had|lived|worked|played|owned|stayed) (?!(?:extended|postponed|delayed|moved|"
    r"pushed)).{0,30}\buntil \w+|at (?:that|the) time|once (?:lived|worked|owned|had|was))\b",
    re.IGNORECASE,
)
ONLY = re.compile(r"\b(?:the only|only|sole|exclusively|no one (?:else|but)|nobody (?:else|but))\b", re.IGNORECASE)

LIKE = (
    r"love|loves|loved|like|likes|liked|enjoy|enjoys|enjoyed|adore|adores|am fond of|fond of|am a (?:big |"
    r"huge )?fan of|a (?:big |huge )?fan of|"
    r"am into|into|am crazy about|crazy about|am keen on|keen on|favou?r|favou?rs|appreciate|appreciates|"
    r"can't get enough of"
)
DISLIKE = (
    r"hate|hates|hated|dislike|dislikes|disliked|detest|detests|despise|despises|loathe|loathes|can(?:'t|not) stand|"
    r"can(?:'t|not) bear|"
    r"couldn't stand|can(?:'t|not) tolerate|have a (?:\w+ )?(?:dislike|aversion|hatred) (?:for|to|of|towards)|"
    r"am sick of|am tired of|sick of|"
    r"have an? (?:\w+ )?(?:aversion|dislike) (?:to|for|of)|am averse to|averse to|am (?:strongly )?opposed to|"
    r"opposed to|am not a fan of|avoid|avoids|"
    r"refuse to|refuses to|never (?:eat|drink|use|watch)|find .{1,40} (?:off-putting|annoying|distracting)|"
    r"stay away from|steer clear of"
)

DIETS = _words(
    "vegetarian vegan pescatarian pescetarian flexitarian carnivore omnivore halal kosher gluten-free keto paleo "
    "lactose-intolerant celiac coeliac teetotal teetotaller"
)

OCCUPATIONS = re.compile(
    r"\b(?:\w+(?:eer|ist|ician|ologist|grapher|maker|smith)|nurse|doctor|teacher|lawyer|chef|cook|driver|designer|"
    r"developer|"
    r"programmer|manager|director|analyst|architect|accountant|consultant|writer|editor|actor|actress|artist|student|"
    r"professor|lecturer|researcher|farmer|baker|barber|butcher|carpenter|plumber|electrician|pilot|librarian|"
    r"paramedic|"
    r"pharmacist|hygienist|vet|veterinarian|translator|interpreter|photographer|journalist|freelancer|contractor|"
    r"secretary|receptionist|waiter|waitress|bartender|barista|cashier|firefighter|soldier|tester|trainer|coach|"
    r"tutor|surgeon|midwife|therapist|counsell?or|officer|recruiter|trader|banker|broker|gardener|tailor|intern|ceo|"
    r"cto|cfo)s?\b",
    re.IGNORECASE,
)
ROLES = re.compile(
    r"\b(?:(?:\w+ )?(?:admin|administrator|lead|leader|head|chief|owner|maintainer|captain|chair|chairman|chairwoman|"
    r"chairperson|president|treasurer|moderator|approver|reviewer|director|manager|supervisor|principal|"
    r"editor-in-chief|"
    r"ceo|cto|cfo|coo|vp|minister|mayor|on-call|superuser))\b|^head\b|^(?:team|tech|project) lead",
    re.IGNORECASE,
)

RELATIVES = re.compile(
    r"\b(?:(?:grand|step|god|half-?)?(?:mother|father|son|daughter|brother|sister|parent|child)s?(?:-in-law)?|mom|"
    r"mum|mommy|dad|"
    r"wife|husband|spouse|partner|girlfriend|boyfriend|fianc[eé]e?|uncle|aunt|cousin|nephew|niece|twin|kids?|children|"
    r"grandma|grandpa|friend|best friend|colleague|co-?worker|boss|roommate|flatmate|neighbou?r|teammate|manager|"
    r"mentor|"
    r"assistant|landlord|doctor|dentist|therapist|teacher|client|ex)\b",
    re.IGNORECASE,
)
PETS = re.compile(
    r"\b(?:dogs?|cats?|puppy|puppies|kittens?|hamsters?|rabbits?|parrots?|budgies?|turtles?|tortoises?|goldfish|"
    r"guinea pigs?|"
    r"horses?|pony|ponies|pets?|corgi|poodle|labrador|retriever|terrier|husky)\b",
    re.IGNORECASE,
)

# Nouns that name a slot: "the deadline is V" says one thing at a time.
SLOT_NOUNS = re.compile(
    r"\b(?:names?|surname|nickname|capital|passwords?|limit|quota|budget|price|cost|fee|rate|salary|rent|deadline|"
    r"due date|date|"
    r"birthday|anniversary|age|height|weight|size|colou?r|number|address|phone|e-?mail|handle|username|login|id|code|"
    r"port|"
    r"host|hostname|url|endpoint|region|branch|version|database|backend|frontend|framework|language|editor|ide|stack|"
    r"os|"
    r"operating system|provider|vendor|supplier|owner|lead|leader|manager|maintainer|boss|head|chief|ceo|cto|"
    r"director|coach|"
    r"president|captain|chair|author|founder|creator|developer|producer|manufacturer|capacity|timeout|interval|"
    r"threshold|"
    r"ttl|retention|time ?zone|currency|locale|format|hometown|nationality|citizenship|religion|occupation|job|"
    r"profession|"
    r"employer|company|school|university|major|degree|spouse|wife|husband|partner|child|headquarters|location|venue|"
    r"place|"
    r"room|seat|gate|floor|team|project|status|state|plan|target|goal|priority|budget|duration|length|width|distance|"
    r"record|best|personal best|pb|time|frequency|schedule|slot|sport|genre|type|kind|brand|model|blood type|"
    r"broadcaster|dentist|doctor|physician|gp|therapist|accountant|lawyer|tutor|landlord|mentor|supervisor|"
    r"hairdresser|barber|insurer|carrier|trainer|"
    r"window|period|maximum|minimum|default|policy|repository|repo|server|cluster|registry|bank|hours|opening hours|"
    r"account|plate|allergy|"
    r"diet|favou?rite|hobby|mother tongue|first language|native language|home|office|birthplace)\b",
    re.IGNORECASE,
)
SLOT_STOP = _words(
    "the a an of for in on at to my our his her their its your that which where is was are were new current currently"
    " now "
    "latest actual and this official old original origianl by with from"
)

# Past participles and adjectives after "be" that, with their preposition, say one thing at a time.
FUNCTIONAL_BE = _words(
    "born founded created developed written directed performed composed produced manufactured located situated based "
    "headquartered married engaged educated employed associated affiliated famous citizen citizens buried published b"
    "roadcast "
    "named assigned scheduled hosted deployed stored kept owned led managed maintained chaired coached headed invented "
    "designed made built established opened painted sung recorded released edited governed ruled capital native resid"
    "ent "
    "member administered sponsored hired paid stationed raised trained supervised approved signed parked filed"
)
FUNCTIONAL_VERBS = _words(
    "died dies plays play works work belongs belong reports report speaks runs stands starts ends opens closes begins "
    "departs arrives leaves sits lies stays originates graduated studied studies majored holds costs weighs measures "
    "takes lasts contains seats expires deploys points listens"
)

# Finite forms by which a subject is told from its predicate.
MAIN_VERBS = _words(
    "live lives lived reside resides move moves moved relocated relocates relocate settled work works worked join "
    "joins joined left quit quits prefer prefers preferred want wants need needs use uses used switched switch "
    "changed change own owns owned bought got adopted speak speaks spoke know knows wear wears drive drives drove eat "
    "eats ate drink drinks drank smoke smokes smoked swim swims swam run runs ran walk walks go goes went study "
    "studies studied start starts started stopped gave became become becomes leads lead led manages manage managed "
    "maintains maintain heads head administers administer oversees oversee took takes take holds hold held costs cost "
    "weighs weigh measures lasts last contains contain play plays played dies died belongs belong read reads teach "
    "teaches taught train trains trained grew comes come came lies stands stand opens open closes close ends begins "
    "begin departs arrives meets meet met report reports supports requires require allows expires asked asks said "
    "says decided agreed chose promised committed keeps keep kept store stores stored deploys deploy refuse refuses "
    "ordered order orders cooked cook cooks practise practises practice practices ride rides rode cycle cycles jog "
    "jogs hike hikes visit visits visited call calls called sleep sleeps wake wakes gets get has have had hates hate "
    "loves love likes like enjoys enjoy adore adores dislikes dislike detests detest despises despise avoid avoids "
    "find finds thinks think believes graduated majored owes pay pays paid attends attend sits sit serves serve hosts "
    "host hosted approves approve reviews review handles handle points listens listen replaced replaces inherited "
    "earns earn charges charge seats seat fits accepts ships ship returns return commutes commute renamed migrated "
    "upgraded downgraded postponed rescheduled increased decreased raised dropped rose fell doubled leave leaves "
    "expire finishes finish lands land tastes taste seems seem sounds smells appears sells sell sold provides provide "
    "includes include offers offer transferred transfer transfers enrolled rents rent rented buys buy retired "
    "resigned fired stays stay trusts trust believe depends relies going treats treat carries carry helps help sings "
    "sing draws draw paints paint writes write wrote rewrote built builds build collects collect plants plant watches "
    "watch follows follow followed suffers suffer sends send sent receives receive puts put picks picked gives give "
    "given forbids forbid bans ban banned divorced chairs coaches captains moderates edits supervises coordinates "
    "directs deadlifted benched squatted catch catches biked bikes bike"
)
# Before another verb these are nouns: "the monthly report takes nine minutes".
ALSO_NOUNS = _words(
    "report work play run walk visit call order start end rent plan need use fit stay lead head cost seat review ship "
    "return cook drink ride hike study change move train practice practise limit offer support"
)
# What these say was so once.
PAST_VERBS = _words(
    "lived worked owned played smoked studied spoke drove liked loved hated preferred wore drank ate had"
)
DETERMINERS = _words("the a an my our your his her their its this that these those some every each all both no")
MODALS = _words("will would could may might should shall 'll 'd won't wouldn't shouldn't")
