"""What an erasure's counts are called on pages: tables by what they are to people."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

_OTHER = _("Index, graph and other derived rows")
_GROUPS: dict[str, Promise] = {
    "memory.Episode": _("Events"), "memory.ToolResult": _("Events"), "memory.Session": _("Sessions"),
    "memory.Memory": _("Memories"), "memory.MemoryVersion": _("Versions"), "memory.Change": _("Changes"),
    "memory.Evidence": _("Evidence"), "memory.Verdict": _("Verdicts"), "memory.Recall": _("Recalls"),
    "memory.RecallHit": _("Recalls"), "memory.Conflict": _("Conflicts"), "memory.Lesson": _("Conflicts"),
    "memory.IdentityDoubt": _("Conflicts"), "memory.Entity": _("People and things"),
    "memory.Relation": _("People and things"), "review.Decision": _("Decisions"), "review.Proposal": _("Decisions"),
    "review.SecondLook": _("Decisions"), "review.Note": _("Notes"),
}  # fmt: skip


def grouped(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    """(words, rows), the most first; what nobody has a word for comes last, together."""
    found: dict[str, int] = {}
    for model, number in counts.items():
        name = str(_GROUPS.get(model, _OTHER))
        found[name] = found.get(name, 0) + number
    return sorted(found.items(), key=lambda item: (item[0] == str(_OTHER), -item[1]))
