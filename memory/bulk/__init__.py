"""Many rows at once: checked before anything is written, and written in one transaction, by COPY on PostgreSQL."""

from memory.bulk.episodes import import_episodes
from memory.bulk.memories import import_memories
from memory.bulk.rows import BadRow, BadRows, read_lines

__all__ = ["BadRow", "BadRows", "import_episodes", "import_memories", "read_lines"]
