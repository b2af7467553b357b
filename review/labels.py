"""What is stored as a key or an English name, in words for people: attributes and roles."""

from django.utils.translation import gettext_lazy as _

ATTRIBUTES = {
    "name": _("Name"), "age": _("Age"), "birthday": _("Birthday"), "birthplace": _("Birthplace"),
    "residence": _("Residence"), "hometown": _("Home town"), "employer": _("Employer"),
    "occupation": _("Occupation"), "role": _("Role"), "project": _("Project"), "allergy": _("Allergy"),
    "diet": _("Diet"), "likes": _("Likes"), "dislikes": _("Dislikes"), "prefers": _("Prefers"), "owns": _("Owns"),
    "pet": _("Pet"), "relation": _("Relation"), "spouse": _("Spouse"), "language": _("Language"),
    "contact": _("Contact"), "schedule": _("Schedule"), "deadline": _("Deadline"), "decision": _("Decision"),
    "uses_tool": _("Uses"), "runs_on": _("Runs on"), "tool_outcome": _("How the tool did"), "habit": _("Habit"),
    "held_by": _("Held by"), "version": _("Version"), "frequency": _("How often"), "wears": _("Wears"),
}  # fmt: skip


# the groups that a migration made
ROLES = {"Reviewer": _("Reviewer"), "Auditor": _("Auditor"), "Admin": _("Admin")}


def role_label(name: str) -> str:
    return str(ROLES.get(name, name))


def attribute_label(attribute: str) -> str:
    """A stored attribute as a label, such as "Habit: 吃" for "habit:吃"; "" for one that is only a key."""
    name, _separator, detail = attribute.partition(":")
    label = ATTRIBUTES.get(name, "")
    return f"{label}: {detail}" if label and detail else str(label)


FIELDS = {
    "status": _("Status"), "category": _("Category"), "value": _("Value"),
    "credibility": _("Credibility"), "pinned": _("Pinned"), "confirmed_at": _("Confirmed"),
    "valid_from": _("Holds from"), "valid_to": _("Holds until"), "metadata": _("Metadata"),
}  # fmt: skip

# whose record a decision goes to
SOURCE_KINDS = {"tool": _("Tool"), "agent": _("Agent"), "site": _("Site"), "other": _("Other")}

# how recall finds and weighs: ways to find, parts of a score, and stages of a search
ARMS = {"dense": _("Meaning"), "lexical": _("Words"), "graph": _("Graph")}
PARTS = {
    "relevance": _("Relevance"), "context": _("Context"), "graph": _("Graph"), "decay": _("Decay"),
    "credibility": _("Trust"), "session_bonus": _("Session"), "period_bonus": _("Time asked for"), "total": _("Total"),
}  # fmt: skip
STAGES = {
    "versions": _("Reading the versions of then"), "candidates": _("Reading the candidates"),
    "question": _("Reading the question"), "embed": _("Embedding the question"), "weigh": _("Weighing"),
    "consensus": _("Consensus and reading the texts"), "neighbours": _("Reading what was said around"),
}  # fmt: skip


def arm_label(name: str) -> str:
    return str(ARMS.get(name, name))


def stage_label(name: str) -> str:
    return str(STAGES.get(name, name))
