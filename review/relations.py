"""How two things stand to each other, in words that go between their names: "Ana" "lives in" "Porto"."""

from django.utils.translation import gettext_lazy as _

RELATIONS = {
    "residence": _("lives in"), "hometown": _("comes from"), "birthplace": _("was born in"),
    "location": _("is in"), "position": _("is at"), "employer": _("works for"), "school": _("studies at"),
    "project": _("works on"), "uses_tool": _("uses"), "runs_on": _("runs on"), "tool_outcome": _("has tried"),
    "owns": _("owns"), "likes": _("likes"), "dislikes": _("dislikes"), "prefers": _("prefers"),
    "held_by": _("is held by"), "role": _("has the role of"), "relation": _("is related to"),
    "related": _("is related to"), "contact": _("is reached by"), "commute": _("commutes by"),
    "member_of": _("is part of"), "part_of": _("is part of"), "knows": _("knows"), "visited": _("has been to"),
    "spouse": _("is married to"), "partner": _("has the partner"),
    "mother": _("has the mother"), "father": _("has the father"), "parent": _("has the parent"),
    "wife": _("has the wife"), "husband": _("has the husband"), "girlfriend": _("has the girlfriend"),
    "boyfriend": _("has the boyfriend"), "fiancee": _("is engaged to"), "son": _("has the son"),
    "daughter": _("has the daughter"), "child": _("has the child"), "twin": _("has the twin"),
    "brother": _("has the brother"), "sister": _("has the sister"), "grandmother": _("has the grandmother"),
    "grandfather": _("has the grandfather"), "uncle": _("has the uncle"), "aunt": _("has the aunt"),
    "cousin": _("has the cousin"), "nephew": _("has the nephew"), "niece": _("has the niece"),
    "mother-in-law": _("has the mother-in-law"), "father-in-law": _("has the father-in-law"),
    "brother-in-law": _("has the brother-in-law"), "sister-in-law": _("has the sister-in-law"),
    "friend": _("has the friend"), "colleague": _("has the colleague"), "classmate": _("has the classmate"),
    "roommate": _("has the roommate"), "neighbour": _("has the neighbour"), "boss": _("has the boss"),
    "manager": _("has the manager"), "mentor": _("has the mentor"), "assistant": _("has the assistant"),
    "client": _("has the client"), "teacher": _("has the teacher"), "doctor": _("has the doctor"),
    "landlord": _("has the landlord"), "ex": _("has the former partner"),
}  # fmt: skip


def relation_label(predicate: str) -> str:
    """The words of a predicate; one that has none is shown as it is stored, without its underscores."""
    name, _separator, detail = predicate.partition(":")
    if words := RELATIONS.get(name):
        return f"{words} ({detail})" if detail else str(words)
    return predicate.replace("_", " ").replace(":", ": ")
