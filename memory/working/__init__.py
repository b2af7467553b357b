"""`get_working()` is the working memory this installation uses."""

from memory.working.base import WorkingMemory
from memory.working.embedded import EmbeddedWorkingMemory

_engine = EmbeddedWorkingMemory()


def get_working() -> WorkingMemory:
    return _engine
