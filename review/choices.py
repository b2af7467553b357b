"""What may be chosen on a conflict, what each choice is called there, and what it would do."""

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from memory.actions.apart import must_be_told_apart
from memory.actions.lineage import resting_on
from memory.actions.settle import Effects, choices_for, effects_of
from memory.models import Conflict
from memory.policy import policy_of
from review.access import Seat
from review.models import Decision

Choice = Conflict.Choice
Kind = Conflict.Kind
ReasonCode = Decision.ReasonCode

# Which reason a choice usually has; the page selects it, the reviewer may take another.
USUAL = {
    Choice.KEEP: ReasonCode.MISTAKEN,
    Choice.ACCEPT: ReasonCode.NEWER,
    Choice.KEEP_BOTH: ReasonCode.BOTH_TRUE,
    Choice.EDIT: ReasonCode.NEWER,
    Choice.REJECT_BOTH: ReasonCode.MISTAKEN,
    Choice.SAME: ReasonCode.OTHER,
    Choice.DIFFERENT: ReasonCode.WRONG_PERSON,
}
# where the usual reason is another one for a kind
USUAL_OF_KIND = {
    (Kind.INJECTION, Choice.KEEP): ReasonCode.UNTRUSTED,
    (Kind.FLOOD, Choice.KEEP): ReasonCode.UNTRUSTED,
    (Kind.IDENTITY, Choice.KEEP): ReasonCode.WRONG_PERSON,
}
KEYS = {
    Choice.KEEP: "c", Choice.ACCEPT: "a", Choice.KEEP_BOTH: "b", Choice.EDIT: "e", Choice.REJECT_BOTH: "x",
    Choice.SAME: "s", Choice.DIFFERENT: "d",
}  # fmt: skip

# The same choices in the words of each kind of conflict; what is not here has the choice's own name.
_REWORD = gettext_lazy("Reword and remember")
WORDS = {
    (Kind.MISREPORT, Choice.KEEP): gettext_lazy("Turn away the report"),
    (Kind.MISREPORT, Choice.ACCEPT): gettext_lazy("Remember it all the same"),
    (Kind.MISREPORT, Choice.EDIT): _REWORD,
    (Kind.INJECTION, Choice.ACCEPT): gettext_lazy("Harmless: remember it"),
    (Kind.INJECTION, Choice.EDIT): gettext_lazy("Remember a harmless part"),
    (Kind.REPEAT, Choice.KEEP): gettext_lazy("Turn away again"),
    (Kind.REPEAT, Choice.ACCEPT): gettext_lazy("True after all: remember it"),
    (Kind.REPEAT, Choice.EDIT): _REWORD,
    (Kind.IDENTITY, Choice.KEEP): gettext_lazy("Somebody else's: turn away"),
    (Kind.IDENTITY, Choice.ACCEPT): gettext_lazy("This person's: remember it"),
    (Kind.IDENTITY, Choice.EDIT): _REWORD,
    (Kind.FLOOD, Choice.ACCEPT): gettext_lazy("Remember this one"),
    (Kind.FLOOD, Choice.EDIT): _REWORD,
}


@dataclass(frozen=True, slots=True)
class Option:
    """One choice a page offers: its value and label, its key, what it will do, whether the rules advise it."""

    choice: str
    label: str
    key: str
    effect: str
    suggested: bool
    usual_reason: str


def allowed_choices(conflict: Conflict, seat: Seat) -> tuple[str, ...]:
    """The choices this person may make on the conflict now: the page shows exactly these, `decide` takes no other."""
    if conflict.status != Conflict.Status.OPEN or not seat.may("decide_conflict"):
        return ()
    return choices_for(conflict)


def options(conflict: Conflict, seat: Seat, *, among_rivals: bool = False) -> list[Option]:
    """`among_rivals`: the candidate is remembered already, as recall found it."""
    choices = allowed_choices(conflict, seat)
    resting = resting_on(conflict.memory) if choices and conflict.memory else 0
    return [
        Option(
            choice=choice,
            label=label_of(choice, conflict),
            key=KEYS.get(choice, ""),
            effect=preview(conflict, choice, among_rivals=among_rivals, resting=resting),
            suggested=choice == conflict.suggestion,
            usual_reason=usual_reason(choice, conflict.kind),
        )
        for choice in choices
    ]


def usual_reason(choice: str, kind: str) -> str:
    return USUAL_OF_KIND.get((kind, choice)) or USUAL.get(choice, ReasonCode.OTHER)


def label_of(choice: str, conflict: Conflict) -> str:
    """A choice in the words of its conflict: without a held memory there is no current one to keep."""
    if conflict.memory_id is not None:
        return str(Choice(choice).label)
    if (conflict.kind, choice) in WORDS:
        return str(WORDS[conflict.kind, choice])
    return _("Turn away") if choice == Choice.KEEP else str(Choice(choice).label)


def preview(conflict: Conflict, choice: str, *, among_rivals: bool = False, resting: int = 0) -> str:
    """What the choice will change, in sentences, from the same effects that `settle` carries out. `resting`: how many
    memories were made from the held one."""
    if choice == Choice.SAME:
        return _("The two become one in the graph. No memory changes.")
    if choice == Choice.DIFFERENT:
        return _("The two stay apart in the graph. No memory changes.")
    effects = effects_of(choice, conflict.memory)
    sentences = [_preview_among_rivals(Choice(choice))] if among_rivals else _sentences(effects, choice)
    if resting and effects.held_becomes in ("superseded", "rejected"):
        sentences.append(
            ngettext(
                "%(n)d memory made from it is marked for a person to confirm.",
                "%(n)d memories made from it are marked for a person to confirm.",
                resting,
            )
            % {"n": resting}
        )
    if choice == Choice.KEEP_BOTH and must_be_told_apart(conflict) and not among_rivals:
        sentences.append(_("Only one of them can hold at a time: say what sets them apart."))
    return " ".join(sentences)


def _sentences(effects: Effects, choice: str) -> list[str]:
    sentences = []
    if effects.admits and choice == Choice.EDIT:
        sentences.append(_("Your wording becomes an active memory."))
    elif effects.admits:
        sentences.append(_("The incoming claim becomes an active memory."))
    if effects.held_becomes == "superseded":
        sentences.append(_("The held one is kept in history as superseded."))
    elif effects.held_becomes == "rejected":
        sentences.append(_("The held one is no longer told to agents."))
    elif effects.held_becomes == "confirmed":
        sentences.append(_("The held one stays and counts as confirmed."))
    if effects.learns:
        sentences.append(_("The incoming claim is turned away and recognised if it returns."))
    return sentences


def _preview_among_rivals(choice: Choice) -> str:
    """The same for a conflict between memories that are all remembered."""
    return {
        Choice.KEEP: _("The held one counts as confirmed. Memories that say otherwise are no longer told to agents."),
        Choice.ACCEPT: _("The other one counts as confirmed. What says otherwise is kept in history as superseded."),
        Choice.KEEP_BOTH: _("All of them stay and count as confirmed."),
        Choice.EDIT: _("Your wording becomes an active memory. All others are kept in history as superseded."),
        Choice.REJECT_BOTH: _("None of them is told to agents any more."),
    }[choice]


def needs_second(conflict: Conflict) -> bool:
    """Whether the workspace wants a second person for a decision on this conflict."""
    wanted = policy_of(conflict.workspace).second_person
    return wanted == "always" or (wanted == "high" and conflict.band == Conflict.Band.HIGH)
