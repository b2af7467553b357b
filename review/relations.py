"""How two things stand to each other, in words that go between their names: "Ana" "lives in" "Porto"."""

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

RELATIONS = {
    "residence": _("lives in"), "hometown": _("comes from"), "birthplace": _("was born in"),
    "works_in": _("works in"), "employer": _("works for"), "school": _("studies at"), "project": _("works on"),
    "leads": _("leads"), "uses_tool": _("uses"), "runs_on": _("runs on"),
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
    """The words of a predicate; a role that has none of its own, such as "dentist", is named as it is stored."""
    return str(RELATIONS.get(predicate) or gettext("has the %(role)s") % {"role": predicate.replace("_", " ")})
