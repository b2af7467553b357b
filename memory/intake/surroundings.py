"""What the pure steps must know of the world around one episode, read from the database in a few queries."""

import re
from dataclasses import replace
from datetime import datetime, timedelta
from uuid import UUID

from memory.actions import lineage
from memory.actions.source import origin_of
from memory.intake import derive
from memory.intake.clean import clean_text, hidden_text, language
from memory.intake.facts import facts_of
from memory.intake.masking import mask_secrets
from memory.intake.types import Category, Claim, Event, Reason, ScreenContext, SourceClass, ToolRun, Verdict
from memory.models import Episode, Evidence, Lesson, Memory, RecallHit, ToolResult
from memory.models.memory import MemoryStatus
from memory.policy import policy_of

# An agent repeats what it was told within hours; an older recall is not echoed but agreed with.
ECHO_WINDOW = timedelta(hours=6)
ECHOES, TOOL_RUNS, BOOT_TEXTS, BY_ORIGIN, OUTSIDE = 50, 20, 5, 50, 10
NAMES, OTHERS = 5, 100
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)


def event_of(episode: Episode) -> Event:
    """The episode as the pure steps see it: cleaned, its secrets masked, its language known, and with the source
    class of what it was made from."""
    text, _kinds = mask_secrets(clean_text(episode.content))
    told = _tool_result(episode)
    event = Event(
        text=text, role=episode.role, kind=episode.kind, event_time=episode.event_time,
        source_class=SourceClass(episode.source_class), name=episode.name, status=episode.status, lang=language(text),
        metadata=episode.metadata, hidden=(*hidden_text(episode.content), *(told.hidden if told else ())),
        is_data=bool(told and told.is_data),
    )  # fmt: skip
    own = derive.source_class_of(event, _outside(episode))
    return replace(event, source_class=_weakest(own, episode))


def as_given(event: Event) -> tuple[Verdict, list[Claim]]:
    """A text that the caller asked to keep as one claim (`infer` false). Its category may be in the metadata; the
    caller cannot say whose it is, so that is read from the text as for any other."""
    asked = event.metadata.get("category")
    category = Category(asked) if asked in set(Category) else Category.KNOWLEDGE
    verdict = Verdict(worth=True, rule="as_given", reason=Reason("as_given"), category=category)
    fact = next((fact for fact in facts_of(event.text, event.lang) if not fact.tentative), None)
    slot = {}
    if fact:
        slot = {"subject": fact.subject, "attribute": fact.attribute, "value": fact.value,
                "negated": fact.negated, "past": fact.past}  # fmt: skip
    return verdict, [Claim(text=event.text, quote=event.text, category=category, **slot)]


def gather(episode: Episode, now: datetime) -> ScreenContext:
    """Tool runs, recalls, system texts and lessons that the judge and the screens look at."""
    earlier = Episode.objects.filter(session_id=episode.session_id, user_id=episode.user_id, id__lt=episode.pk)
    boot = earlier.filter(role=Episode.Role.SYSTEM).order_by("-id").values_list("content", flat=True)
    return ScreenContext(
        tool_runs=_tool_runs(earlier),
        recalled_texts=_recalled(episode),
        boot_texts=tuple(boot[:BOOT_TEXTS]),
        lessons=_lessons(episode, now),
        similar_by_origin=_by_origin(episode),
        user_names=_names(episode),
        facts_of_others=_of_others(episode),
    )


def _tool_result(episode: Episode) -> ToolResult | None:
    if episode.kind != Episode.Kind.TOOL_RESULT:
        return None
    return ToolResult.objects.filter(episode=episode, user_id=episode.user_id).only("hidden", "is_data").first()


def _weakest(own: SourceClass, episode: Episode) -> SourceClass:
    """Of the text's own class and those of the memories it says it was made from, the one that counts least."""
    ids = episode.metadata.get("derived_from")
    if not isinstance(ids, list) or episode.role != Episode.Role.ASSISTANT:
        return own
    wanted = [id for id in ids[: lineage.MOST_SOURCES] if isinstance(id, str) and _UUID.fullmatch(id)]
    mine = Memory.objects.filter(workspace_id=episode.workspace_id, user_id=episode.user_id, pk__in=wanted)
    weights = policy_of(episode.user.workspace).source_weights
    classes = [own, *map(SourceClass, mine.values_list("source_class", flat=True))]
    return min(classes, key=weights.__getitem__)


def _outside(episode: Episode) -> list[str]:
    """What pages, mails and files said to the agent earlier in this session."""
    if episode.role != Episode.Role.ASSISTANT:
        return []
    told = Episode.objects.filter(
        session_id=episode.session_id, user_id=episode.user_id, id__lt=episode.pk,
        source_class=SourceClass.EXTERNAL_CONTENT,
    )  # fmt: skip
    return [clean_text(content) for content in told.order_by("-id").values_list("content", flat=True)[:OUTSIDE]]


def _tool_runs(earlier) -> tuple[ToolRun, ...]:
    results = earlier.filter(kind=Episode.Kind.TOOL_RESULT).order_by("-id")[:TOOL_RUNS]
    return tuple(
        ToolRun(id=run.pk, name=run.name, status=run.status, text=run.content[:4000], at=run.event_time)
        for run in results
    )


def told_before(episode: Episode) -> dict[UUID, str]:
    """What the agent whose words these are had been told before it spoke, by memory; nothing for anybody else."""
    if episode.role != Episode.Role.ASSISTANT:
        return {}
    return dict(_hits(episode).values_list("memory_id", "memory__text")[:ECHOES])


def _recalled(episode: Episode) -> tuple[str, ...]:
    return tuple(_hits(episode).values_list("memory__text", flat=True)[:ECHOES])


def _hits(episode: Episode):
    hits = RecallHit.objects.filter(
        withheld=False, recall__user_id=episode.user_id, recall__created_at__gt=episode.recorded_at - ECHO_WINDOW,
        recall__created_at__lte=episode.recorded_at,
    )  # fmt: skip
    return hits.order_by("-recall__created_at")


def _lessons(episode: Episode, now: datetime) -> dict[str, str]:
    lessons = Lesson.objects.filter(user_id=episode.user_id, undone_at=None, expires_at__gt=now)
    return dict(lessons.values_list("fingerprint", "text"))


def _by_origin(episode: Episode) -> tuple[str, ...]:
    """Claims this origin has brought already, that were kept or wait: what was turned away floods nobody."""
    brought = Evidence.objects.filter(origin=origin_of(episode), episode__user_id=episode.user_id)
    return tuple(brought.order_by("-id").values_list("quote", flat=True)[:BY_ORIGIN])


def _held(episode: Episode):
    return Memory.objects.filter(workspace_id=episode.workspace_id, user_id=episode.user_id, status=MemoryStatus.ACTIVE)


def _names(episode: Episode) -> tuple[str, ...]:
    """What the user is called: by the caller, and in their own words."""
    said = _held(episode).filter(subject="user", attribute="name").values_list("value", flat=True)
    return (episode.user.external_id, *said[:NAMES])


def _of_others(episode: Episode) -> tuple[tuple[str, str, str], ...]:
    others = _held(episode).exclude(subject__in=("", "user", "agent")).exclude(attribute="").exclude(value="")
    return tuple(others.order_by("-created_at").values_list("subject", "attribute", "value")[:OTHERS])
