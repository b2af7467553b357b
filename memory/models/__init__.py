"""Tables and constraints, no behaviour. One file per subject; import from here."""

from memory.models.audit import AuditEvent
from memory.models.conflict import Conflict, Lesson
from memory.models.episode import Episode, IdempotencyKey, ToolResult, Verdict, WorkingTurn
from memory.models.lineage import Derivation, StaleMark
from memory.models.llm import LlmPlace, LlmUsage
from memory.models.memory import Change, Evidence, IndexEntry, IndexGone, Memory, MemoryVersion
from memory.models.outbox import OutboxEntry
from memory.models.recall import ArchiveRun, HitDay, Recall, RecallHit
from memory.models.serving import NextVector, ServedEmbedder
from memory.models.workspace import AgentKey, EndUser, Membership, Session, WorkerBeat, Workspace

__all__ = [
    "AgentKey", "ArchiveRun", "AuditEvent", "Change", "Conflict", "Derivation", "EndUser", "Episode", "Evidence",
    "HitDay", "IdempotencyKey", "IndexEntry", "IndexGone", "Lesson", "LlmPlace", "LlmUsage", "Membership",
    "Memory", "MemoryVersion", "NextVector", "OutboxEntry", "Recall", "RecallHit", "ServedEmbedder", "Session",
    "StaleMark", "ToolResult", "Verdict", "WorkerBeat", "WorkingTurn", "Workspace",
]  # fmt: skip
