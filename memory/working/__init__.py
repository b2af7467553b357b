"""`get_working()` is the working memory this installation uses: Redis where REDIS_URL is set, else a table."""

from functools import lru_cache

from django.conf import settings

from memory.working.base import WorkingMemory
from memory.working.embedded import EmbeddedWorkingMemory


def get_working() -> WorkingMemory:
    return _redis(settings.REDIS_URL, settings.REDIS_PREFIX) if settings.REDIS_URL else _embedded


@lru_cache(maxsize=1)
def _redis(url: str, prefix: str) -> WorkingMemory:
    # only where it is used: its client takes 0.1 s to import
    from memory.working.redis import RedisWorkingMemory

    return RedisWorkingMemory(url, prefix=prefix)


_embedded = EmbeddedWorkingMemory()
