"""Whether the files are still as they were written."""

import time
from datetime import datetime, timedelta

from memory.files import shelf
from memory.models import EpisodeFile

EVERY = timedelta(days=7)


def check(file: EpisodeFile, *, now: datetime) -> str:
    """Compares a file with its digest and keeps what was found: "missing", "altered", or ""."""
    fault = ""
    try:
        shelf.check(file)
    except shelf.Faulty as error:
        fault = error.fault
    # one that was written anew meanwhile is another file
    EpisodeFile.objects.filter(pk=file.pk, name=file.name).update(checked_at=now, fault=fault)
    return fault


def check_due(*, now: datetime, until: float) -> int:
    """Checks those that were not for a week, longest ago first, until time.monotonic() is `until`; answers how many."""
    done = 0
    for file in EpisodeFile.objects.filter(checked_at__lt=now - EVERY).order_by("checked_at"):
        if time.monotonic() >= until:
            break
        check(file, now=now)
        done += 1
    return done
