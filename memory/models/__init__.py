"""Tables and constraints, no behaviour. One file per subject; import from here."""

from memory.models.audit import AuditCheck, AuditEvent, AuditMark, AuditSeal
from memory.models.conflict import Conflict, Lesson
from memory.models.episode import Episode, IdempotencyKey, ToolResult, Verdict, WorkingTurn
from memory.models.erasure import Erasure
from memory.models.files import EpisodeFile, EpisodeFileUser
from memory.models.graph import Entity, EntityMention, GraphReading, GraphState, IdentityDoubt, Relation
from memory.models.lineage import Derivation, StaleMark
from memory.models.llm import LlmPlace, LlmUsage
from memory.models.memory import Change, Evidence, IndexEntry, IndexGone, Memory, MemoryVersion
from memory.models.outbox import OutboxEntry
from memory.models.recall import ArchiveRun, HitDay, Recall, RecallHit, UnloggedDay
from memory.models.serving import NextVector, ServedEmbedder
from memory.models.upkeep import DayFigure, JobRun, SourceFigure
from memory.models.workspace import AgentKey, EndUser, Membership, Session, WorkerBeat, Workspace

__all__ = [
    "AgentKey", "ArchiveRun", "AuditCheck", "AuditEvent", "AuditMark", "AuditSeal", "Change", "Conflict", "DayFigure",
    "Derivation", "EndUser", "Entity", "EntityMention", "Episode", "EpisodeFile", "EpisodeFileUser", "Erasure",
    "Evidence", "GraphReading", "GraphState", "HitDay", "IdempotencyKey", "IdentityDoubt", "IndexEntry", "IndexGone",
    "JobRun", "Lesson", "LlmPlace", "LlmUsage", "Membership", "Memory", "MemoryVersion", "NextVector", "OutboxEntry",
    "Recall", "RecallHit", "Relation", "ServedEmbedder", "Session", "SourceFigure", "StaleMark", "ToolResult",
    "UnloggedDay", "Verdict", "WorkerBeat", "WorkingTurn", "Workspace",
]  # fmt: skip
