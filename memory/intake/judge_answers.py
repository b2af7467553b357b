"""Two of the judge's three answers: what kind of memory it would be, and whose."""

import re

from memory.intake.judge_look import Look
from memory.intake.types import Category

PREFERRING = ("likes", "dislikes", "prefers", "diet", "habit:", "contact", "wears")
PROFILE = (
    "name", "age", "birthday", "birthplace", "residence", "hometown", "employer", "school", "occupation", "role",
    "allergy",
    "pet", "relation", "member",
    "language", "spouse", "marital", "owns", "commute", "best:", "frequency:", "slot:surname",
)  # fmt: skip
PERSONAL = tuple(name for name in (*PREFERRING, *PROFILE) if not name.startswith("slot:"))
TASK = ("project", "schedule", "held_by:", "deadline")


def category_by_facts(seen: Look) -> Category | None:
    for names, category in (
        (PREFERRING, Category.PREFERENCE),
        (PROFILE, Category.PROFILE),
        (TASK, Category.TASK_STATE),
    ):
        if any(fact.attribute.startswith(names) for fact in seen.firm):
            return category
    return None


def whose(seen: Look) -> str:
    """ "user", "agent", "other:<name>" or "world": the subject of the first fact, else the speaker."""
    for fact in seen.firm:
        if fact.subject == "user":
            return "user"
        if fact.subject and fact.subject not in ("they", "it", "agent"):
            if not fact.attribute.startswith(PERSONAL):
                continue
            place = seen.text.lower().find(fact.subject)
            shown = seen.text[place : place + len(fact.subject)] if place >= 0 else fact.subject
            return f"other:{shown.removeprefix('my ')}"
    if seen.by_agent:
        return "agent"
    if seen.event.role == "user" and re.search(r"\b(?:i|me|my|we|our)\b|我|咱", seen.text, re.IGNORECASE):
        return "user"
    return "world"
